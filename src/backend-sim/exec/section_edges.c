/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/exec/section_edges.h"

#include "backend-sim/graph/fingerprint.h"

#include <string.h>

#include "base/alloc.h"

bool sim_outline_same(const struct section *section, const struct sim_graph *graph)
{
    bool comparable = graph->count == section->count && !section->order && !graph->reused &&
                      !section->leaves && !graph->turns;
    return comparable && sim_graph_shape(graph) == section->fingerprint;
}

/* Where the edges of the node in a place begin: at the end of a child graph. */
static uint32_t way_out(const struct program *program, uint32_t place)
{
    if (program->place_kinds[place] != RILL_OP_GRAPH) return place;
    const struct task *task = sim_program_promised(program, place);
    const struct sim_graph *child = sim_graph_of(((const struct child_task *)task)->graph);
    return sim_program_section(program, child->serial)->end;
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
        uint32_t slot = sim_section_slot(outline->section, n);
        outline->places[n] = sim_section_place(outline->section, slot);
        drawing->numbers[outline->places[n]] = n;
    }
    memset(outline->starts, 0, ((size_t)outline->count + 1) * sizeof *outline->starts);
    each_edge(drawing, count_edge);
    for (uint32_t n = 0; n < outline->count; n++) outline->starts[n + 1] += outline->starts[n];
    each_edge(drawing, draw_edge);
}

bool sim_outline_draw(struct outline *outline, const struct program *program,
                      const struct section *section)
{
    struct drawing drawing = { .outline = outline, .program = program };
    size_t words = 2 * (size_t)section->count + 1 + program->edge_count;
    *outline = (struct outline){ .section = section, .count = section->count };
    drawing.numbers = rl_alloc(program->count * sizeof *drawing.numbers);
    outline->places = rl_alloc(words * sizeof(uint32_t));
    bool fits = drawing.numbers && outline->places;
    if (fits) {
        outline->starts = outline->places + section->count;
        outline->before = (struct dependency *)(outline->starts + section->count + 1);
        draw(&drawing);
    }
    rl_free(drawing.numbers);
    return fits;
}

void sim_outline_erase(struct outline *outline)
{
    rl_free(outline->places);
}
