/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/outline.h"

#include <string.h>

#include "base/alloc.h"

/* Where the edges of the node in a place begin: at the end of a child graph. */
static uint32_t way_out(const struct program *program, uint32_t place)
{
    if (program->place_kinds[place] != RILL_OP_GRAPH) return place;
    const struct task *task = sim_program_promised(program, place);
    const struct sim_graph *child = sim_graph_of(((const struct child_task *)task)->graph);
    return sim_program_part(program, child->serial)->end;
}

/* ---- The same, slot by slot --------------------------------------------------------- */

/* What nothing depends on leads to the end of the child graph that it is in. */
static bool same_end(const struct program *program, const struct part *part, uint32_t edge,
                     uint32_t count)
{
    return part->end == NODE_NONE ? !count : count == 1 && program->behind[edge] == part->end;
}

static bool same_edge(const struct program *program, const struct part *part, uint32_t edge,
                      const struct link *link)
{
    return program->behind[edge] == sim_part_place(part, link->slot) &&
           sim_program_rank(program, edge) == link->mirror &&
           sim_program_edge_data(program, edge) == link->data;
}

static inline uint64_t bits_of(struct link link)
{
    uint64_t bits;
    memcpy(&bits, &link, sizeof bits);
    return bits;
}

/* The same for most graphs, all edges of a node at once. */
static bool same_plain_edges(const struct program *program, uint32_t first, uint32_t edge,
                             const struct links *behind)
{
    const uint32_t *to = program->behind + edge;
    const uint8_t *ranks = program->ranks + edge;
    const struct link *links = behind->items;
    uint64_t differs = 0;
    for (uint32_t i = 0, count = behind->count; i < count; i++) {
        uint32_t slot = to[i] - first; /* that of an end may be one too high for a link */
        struct link kept = { .slot = slot, .mirror = ranks[i] };
        differs |= bits_of(links[i]) ^ bits_of(kept);
        differs |= slot >> NODE_SLOT_BITS;
    }
    return !differs;
}

bool sim_outline_same_node(const struct program *program, const struct part *part,
                           const struct sim_graph *graph, uint32_t slot)
{
    const struct links *behind = &sim_node(graph, slot)->behind;
    uint32_t from = way_out(program, sim_part_place(part, slot));
    uint32_t edge = program->behind_start[from], count = program->behind_start[from + 1] - edge;
    if (!behind->count) return same_end(program, part, edge, count);
    if (behind->count != count) return false;
    if (!part->places && !program->wide_ranks && !program->edge_data)
        return same_plain_edges(program, part->first, edge, behind);
    for (uint32_t i = 0; i < count; i++)
        if (!same_edge(program, part, edge + i, &behind->items[i])) return false;
    return true;
}

bool sim_outline_comparable(const struct part *part, const struct sim_graph *graph)
{
    return graph->count == part->count && !part->order && !graph->reused && !part->ends &&
           !graph->turns;
}

/* ---- Drawing --------------------------------------------------------------------------- */

struct drawing {
    struct outline *outline;
    const struct program *program;
    uint32_t *numbers; /* by place; NODE_NONE: of no node of the part */
};

/* Calls `put` with each edge between two nodes of the part, by number. */
static void each_edge(struct drawing *drawing, void (*put)(struct drawing *drawing, uint32_t from,
                                                           uint32_t to, uint32_t edge))
{
    const struct program *program = drawing->program;
    for (uint32_t n = 0; n < drawing->outline->count; n++) {
        uint32_t from = way_out(program, drawing->outline->places[n]);
        for (uint32_t e = program->behind_start[from]; e < program->behind_start[from + 1]; e++)
            if (drawing->numbers[program->behind[e]] != NODE_NONE)
                put(drawing, n, drawing->numbers[program->behind[e]], e);
    }
}

static void count_edge(struct drawing *drawing, uint32_t from, uint32_t to, uint32_t edge)
{
    (void)from, (void)edge;
    drawing->outline->starts[to + 1]++;
}

static void draw_edge(struct drawing *drawing, uint32_t from, uint32_t to, uint32_t edge)
{
    const struct outline *outline = drawing->outline;
    outline->before[outline->starts[to] + sim_program_rank(drawing->program, edge)] =
        (struct dependency){ from, sim_program_edge_data(drawing->program, edge) };
}

static void draw(struct drawing *drawing)
{
    struct outline *outline = drawing->outline;
    memset(drawing->numbers, 0xff, drawing->program->count * sizeof *drawing->numbers);
    for (uint32_t n = 0; n < outline->count; n++) {
        outline->places[n] = sim_part_place(outline->part, sim_part_slot(outline->part, n));
        drawing->numbers[outline->places[n]] = n;
    }
    memset(outline->starts, 0, ((size_t)outline->count + 1) * sizeof *outline->starts);
    each_edge(drawing, count_edge);
    for (uint32_t n = 0; n < outline->count; n++) outline->starts[n + 1] += outline->starts[n];
    each_edge(drawing, draw_edge);
}

bool sim_outline_draw(struct outline *outline, const struct program *program,
                      const struct part *part)
{
    struct drawing drawing = { .outline = outline, .program = program };
    size_t words = 2 * (size_t)part->count + 1 + program->edge_count;
    *outline = (struct outline){ .part = part, .count = part->count };
    drawing.numbers = rl_alloc(program->count * sizeof *drawing.numbers);
    outline->places = rl_alloc(words * sizeof(uint32_t));
    bool fits = drawing.numbers && outline->places;
    if (fits) {
        outline->starts = outline->places + part->count;
        outline->before = (struct dependency *)(outline->starts + part->count + 1);
        draw(&drawing);
    }
    rl_free(drawing.numbers);
    return fits;
}

void sim_outline_erase(struct outline *outline)
{
    rl_free(outline->places);
}
