/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/exec/match.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* ---- Pairing node by node ---------------------------------------------------------------- */

struct search {
    const struct outline *outline;
    const struct sim_graph *graph;
    struct numbering of;
    uint32_t *ours;    /* by number in the graph: in the outline; or NODE_NONE */
    uint32_t *theirs;  /* the other way round                                  */
    uint32_t *queue;   /* numbers in the graph that were paired                */
    uint32_t paired;
    uint32_t *leaves;  /* of the graph, in their order                         */
    uint32_t leaf_count;
    struct misfit_edge *misfit;
};

static uint32_t dependencies(const struct outline *outline, uint32_t number)
{
    return outline->starts[number + 1] - outline->starts[number];
}

static bool misfits(struct search *search, uint32_t theirs, uint32_t from)
{
    const struct sim_graph *graph = search->graph;
    search->misfit->node = sim_node_handle(graph, search->of.slots[theirs]);
    if (from != NODE_NONE) search->misfit->from = sim_node_handle(graph, search->of.slots[from]);
    return false;
}

static bool pair(struct search *search, uint32_t ours, uint32_t theirs)
{
    const struct links *before = &sim_node(search->graph, search->of.slots[theirs])->before;
    if (before->count != dependencies(search->outline, ours))
        return misfits(search, theirs, NODE_NONE);
    search->ours[theirs] = ours;
    search->theirs[ours] = theirs;
    search->queue[search->paired++] = theirs;
    return true;
}

/* Pairs what a pair depends on. */
static bool pair_before(struct search *search, uint32_t theirs)
{
    const struct outline *outline = search->outline;
    const struct links *before = &sim_node(search->graph, search->of.slots[theirs])->before;
    const struct link *items = sim_links(before);
    const struct dependency *expected = outline->before + outline->starts[search->ours[theirs]];
    for (uint32_t i = 0; i < before->count; i++) {
        uint32_t from = search->of.numbers[items[i].slot];
        uint32_t match = expected[i].number;
        if (items[i].data != expected[i].data) return misfits(search, theirs, from);
        if (search->ours[from] == NODE_NONE && search->theirs[match] == NODE_NONE) {
            if (!pair(search, match, from)) return false;
        } else if (search->ours[from] != match) {
            return misfits(search, theirs, from);
        }
    }
    return true;
}

/* The next end of an outline whose order is the newest first; `inner`: the others. */
static uint32_t leaf_below(const unsigned char *inner, uint32_t below)
{
    while (below--)
        if (!inner[below]) return below;
    return NODE_NONE;
}

static uint32_t count_leaves(const struct outline *outline, const unsigned char *inner)
{
    uint32_t count = 0;
    for (uint32_t n = 0; n < outline->count; n++) count += !inner[n];
    return count;
}

/* As many on both sides, or else one of the graph's that is too many is named. */
static bool match_leaves(struct search *search, const unsigned char *inner)
{
    const struct outline *outline = search->outline;
    const uint32_t *leaves = outline->section->leaves;
    uint32_t count = count_leaves(outline, inner), ours = outline->count;
    if (search->leaf_count < count) return false;
    if (search->leaf_count > count) return misfits(search, search->leaves[count], NODE_NONE);
    for (uint32_t i = 0; i < count; i++) {
        ours = leaves ? leaves[i] : leaf_below(inner, ours);
        if (!pair(search, ours, search->leaves[i])) return false;
    }
    return true;
}

/* Each node of an exec is an end or before one, so these lead to all of them; and to all
 * of the graph, which has as many. */
static bool pair_all(struct search *search, unsigned char *inner)
{
    const struct outline *outline = search->outline;
    memset(search->ours, 0xff, outline->count * sizeof *search->ours);
    memset(search->theirs, 0xff, outline->count * sizeof *search->theirs);
    for (uint32_t e = 0; e < outline->starts[outline->count]; e++)
        inner[outline->before[e].number] = 1;
    if (!match_leaves(search, inner)) return false;
    for (uint32_t next = 0; next < search->paired; next++)
        if (!pair_before(search, search->queue[next])) return false;
    return true;
}

static bool list_pairs(const struct search *search, struct pairing *pairing)
{
    pairing->pairs = rl_alloc((search->paired + 1) * sizeof *pairing->pairs);
    if (!pairing->pairs) return false;
    pairing->count = search->paired;
    pairing->in_order = true;
    for (uint32_t i = 0; i < search->paired; i++) {
        uint32_t theirs = search->queue[i], ours = search->ours[theirs];
        pairing->pairs[i] = (struct pair){ search->of.slots[theirs], ours };
        if (ours != theirs) pairing->in_order = false;
    }
    return true;
}

rill_status sim_pair(const struct outline *outline, const struct sim_graph *graph,
                     struct pairing *pairing, struct misfit_edge *misfit)
{
    struct search search = { .outline = outline, .graph = graph, .misfit = misfit };
    *pairing = (struct pairing){ NULL, 0, false };
    *misfit = (struct misfit_edge){ NULL, NULL };
    if (graph->count != outline->count) return RILL_ERROR_GRAPH_EXEC_UPDATE_FAILURE;
    uint32_t *room = rl_alloc(3 * (size_t)outline->count * sizeof *room);
    unsigned char *inner = rl_zalloc(outline->count);
    bool fits = room && inner && sim_numbering_make(&search.of, graph), same = false;
    if (fits) search.leaves = sim_leaves_list(graph, &search.of, &search.leaf_count);
    fits = fits && search.leaves;
    if (fits) {
        search.ours = room;
        search.theirs = room + outline->count;
        search.queue = room + 2 * (size_t)outline->count;
        same = pair_all(&search, inner);
        fits = list_pairs(&search, pairing);
    }
    rl_free(search.of.slots);
    rl_free(search.leaves);
    rl_free(inner);
    rl_free(room);
    if (!fits) return RILL_ERROR_OUT_OF_MEMORY;
    return same ? RILL_SUCCESS : RILL_ERROR_GRAPH_EXEC_UPDATE_FAILURE;
}
