/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/exec/section_edges.h"

#include "backend-sim/graph/fingerprint.h"

#include <string.h>

#include "base/alloc.h"

bool sim_section_equals(const struct section *section, const struct sim_graph *graph)
{
    bool comparable = graph->count == section->count && !section->order && !graph->reused &&
                      !section->leaves && !graph->leaf_orders;
    return comparable && sim_graph_fingerprint(graph) == section->fingerprint;
}

/* Returns the place that the edges of a node leave from: of a child graph, its end. */
static uint32_t way_out(const struct program *program, uint32_t place)
{
    if (program->place_kinds[place] != RILL_OP_GRAPH) return place;
    const struct task *task = sim_program_next_task(program, place);
    const struct sim_graph *child = sim_task_child(task);
    return sim_program_section(program, child->serial)->end;
}

/* ---- Listing --------------------------------------------------------------------------- */

struct listing {
    struct section_edges *edges;
    const struct program *program;
    uint32_t *numbers; /* by place; NODE_NONE for nodes of other sections */
};

typedef void edge_function(struct listing *listing, uint32_t from, uint32_t to, uint32_t edge);

/* Calls `put` with each edge between two nodes of the section, by number. */
static void for_each_edge(struct listing *listing, edge_function *put)
{
    const struct program *program = listing->program;
    for (uint32_t n = 0; n < listing->edges->count; n++) {
        uint32_t from = way_out(program, listing->edges->places[n]);
        for (uint32_t e = program->edge_starts[from]; e < program->edge_starts[from + 1]; e++)
            if (listing->numbers[program->successors[e]] != NODE_NONE)
                put(listing, n, listing->numbers[program->successors[e]], e);
    }
}

static void count_edge(struct listing *listing, uint32_t from, uint32_t to, uint32_t edge)
{
    (void)from, (void)edge;
    listing->edges->starts[to + 1]++;
}

static void put_edge(struct listing *listing, uint32_t from, uint32_t to, uint32_t edge)
{
    const struct section_edges *edges = listing->edges;
    edges->dependencies[edges->starts[to] + sim_program_rank(listing->program, edge)] =
        (struct dependency){ from, sim_program_edge_data(listing->program, edge) };
}

static void list_edges(struct listing *listing)
{
    struct section_edges *edges = listing->edges;
    memset(listing->numbers, 0xff, listing->program->count * sizeof *listing->numbers);
    for (uint32_t n = 0; n < edges->count; n++) {
        uint32_t slot = sim_section_slot(edges->section, n);
        edges->places[n] = sim_section_place(edges->section, slot);
        listing->numbers[edges->places[n]] = n;
    }
    memset(edges->starts, 0, ((size_t)edges->count + 1) * sizeof *edges->starts);
    for_each_edge(listing, count_edge);
    for (uint32_t n = 0; n < edges->count; n++) edges->starts[n + 1] += edges->starts[n];
    for_each_edge(listing, put_edge);
}

bool sim_section_edges_create(struct section_edges *edges, const struct program *program,
                              const struct section *section)
{
    struct listing listing = { .edges = edges, .program = program };
    size_t words = 2 * (size_t)section->count + 1 + program->edge_count;
    *edges = (struct section_edges){ .section = section, .count = section->count };
    listing.numbers = rl_alloc(program->count * sizeof *listing.numbers);
    edges->places = rl_alloc(words * sizeof(uint32_t));
    bool fits = listing.numbers && edges->places;
    if (fits) {
        edges->starts = edges->places + section->count;
        edges->dependencies = (struct dependency *)(edges->starts + section->count + 1);
        list_edges(&listing);
    }
    rl_free(listing.numbers);
    return fits;
}

void sim_section_edges_destroy(struct section_edges *edges)
{
    rl_free(edges->places);
}
