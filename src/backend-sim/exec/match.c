/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/exec/match.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* ---- Matching node by node ---------------------------------------------------------------- */

struct search {
    const struct section_edges *edges;
    const struct sim_graph *graph;
    struct numbering of;
    uint32_t *ours;    /* by number in the graph: in the section; or NODE_NONE */
    uint32_t *theirs;  /* the other way round                                  */
    uint32_t *queue;   /* numbers in the graph that were matched               */
    uint32_t matched;
    uint32_t *leaves;  /* of the graph, in their order                         */
    uint32_t leaf_count;
    struct mismatch *mismatch;
};

static uint32_t count_dependencies(const struct section_edges *edges, uint32_t number)
{
    return edges->starts[number + 1] - edges->starts[number];
}

static bool report_mismatch(struct search *search, uint32_t theirs, uint32_t from)
{
    const struct sim_graph *graph = search->graph;
    search->mismatch->node = sim_node_handle(graph, search->of.slots[theirs]);
    if (from != NODE_NONE) search->mismatch->from = sim_node_handle(graph, search->of.slots[from]);
    return false;
}

static bool match_node(struct search *search, uint32_t ours, uint32_t theirs)
{
    const struct links *before = &sim_node(search->graph, search->of.slots[theirs])->predecessors;
    if (before->count != count_dependencies(search->edges, ours))
        return report_mismatch(search, theirs, NODE_NONE);
    search->ours[theirs] = ours;
    search->theirs[ours] = theirs;
    search->queue[search->matched++] = theirs;
    return true;
}

/* Matches the nodes that two matched nodes depend on. */
static bool match_dependencies(struct search *search, uint32_t theirs)
{
    const struct section_edges *edges = search->edges;
    const struct links *before = &sim_node(search->graph, search->of.slots[theirs])->predecessors;
    const struct link *items = sim_links(before);
    const struct dependency *expected = edges->dependencies + edges->starts[search->ours[theirs]];
    for (uint32_t i = 0; i < before->count; i++) {
        uint32_t from = search->of.numbers[items[i].slot];
        uint32_t number = expected[i].number;
        if (items[i].data != expected[i].data) return report_mismatch(search, theirs, from);
        if (search->ours[from] == NODE_NONE && search->theirs[number] == NODE_NONE) {
            if (!match_node(search, number, from)) return false;
        } else if (search->ours[from] != number) {
            return report_mismatch(search, theirs, from);
        }
    }
    return true;
}

/* Returns the next leaf of a section whose leaves are in order the newest first.  Nodes that
 * are no leaves are marked in `inner`. */
static uint32_t leaf_below(const unsigned char *inner, uint32_t below)
{
    while (below--)
        if (!inner[below]) return below;
    return NODE_NONE;
}

static uint32_t count_leaves(const struct section_edges *edges, const unsigned char *inner)
{
    uint32_t count = 0;
    for (uint32_t n = 0; n < edges->count; n++) count += !inner[n];
    return count;
}

/* Matches the leaves in their order.  If the graph has more of them, names the first one in
 * excess. */
static bool match_leaves(struct search *search, const unsigned char *inner)
{
    const struct section_edges *edges = search->edges;
    const uint32_t *leaves = edges->section->leaves;
    uint32_t count = count_leaves(edges, inner), ours = edges->count;
    if (search->leaf_count < count) return false;
    if (search->leaf_count > count)
        return report_mismatch(search, search->leaves[count], NODE_NONE);
    for (uint32_t i = 0; i < count; i++) {
        ours = leaves ? leaves[i] : leaf_below(inner, ours);
        if (!match_node(search, ours, search->leaves[i])) return false;
    }
    return true;
}

/* Matches all nodes.  Each node of an exec is a leaf or precedes one, so the leaves lead to
 * all of them, and to all nodes of the graph, of which there are as many. */
static bool match_all(struct search *search, unsigned char *inner)
{
    const struct section_edges *edges = search->edges;
    memset(search->ours, 0xff, edges->count * sizeof *search->ours);
    memset(search->theirs, 0xff, edges->count * sizeof *search->theirs);
    for (uint32_t e = 0; e < edges->starts[edges->count]; e++)
        inner[edges->dependencies[e].number] = 1;
    if (!match_leaves(search, inner)) return false;
    for (uint32_t next = 0; next < search->matched; next++)
        if (!match_dependencies(search, search->queue[next])) return false;
    return true;
}

static bool list_matches(const struct search *search, struct matching *matching)
{
    matching->matches = rl_alloc((search->matched + 1) * sizeof *matching->matches);
    if (!matching->matches) return false;
    matching->count = search->matched;
    matching->in_order = true;
    for (uint32_t i = 0; i < search->matched; i++) {
        uint32_t theirs = search->queue[i], ours = search->ours[theirs];
        matching->matches[i] = (struct match){ search->of.slots[theirs], ours };
        if (ours != theirs) matching->in_order = false;
    }
    return true;
}

rill_status sim_match_nodes(const struct section_edges *edges, const struct sim_graph *graph,
                            struct matching *matching, struct mismatch *mismatch)
{
    struct search search = { .edges = edges, .graph = graph, .mismatch = mismatch };
    *matching = (struct matching){ NULL, 0, false };
    *mismatch = (struct mismatch){ NULL, NULL };
    if (graph->count != edges->count) return RILL_ERROR_GRAPH_EXEC_UPDATE_FAILURE;
    uint32_t *room = rl_alloc(3 * (size_t)edges->count * sizeof *room);
    unsigned char *inner = rl_zalloc(edges->count);
    bool fits = room && inner && sim_numbering_make(&search.of, graph), same = false;
    if (fits) search.leaves = sim_leaves_list(graph, &search.of, &search.leaf_count);
    fits = fits && search.leaves;
    if (fits) {
        search.ours = room;
        search.theirs = room + edges->count;
        search.queue = room + 2 * (size_t)edges->count;
        same = match_all(&search, inner);
        fits = list_matches(&search, matching);
    }
    rl_free(search.of.slots);
    rl_free(search.leaves);
    rl_free(inner);
    rl_free(room);
    if (!fits) return RILL_ERROR_OUT_OF_MEMORY;
    return same ? RILL_SUCCESS : RILL_ERROR_GRAPH_EXEC_UPDATE_FAILURE;
}
