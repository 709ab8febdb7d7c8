/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/graph/cycle.h"

#include <string.h>

#include "base/alloc.h"

/* A walk along the edges, from a node to its successors. */
struct walk {
    const struct sim_graph *graph;
    uint32_t *next; /* by slot: which edge comes next, or UNSEEN, or DONE */
    uint32_t *path; /* the nodes from the start to the present one        */
    uint32_t depth;
};

#define UNSEEN UINT32_MAX
#define DONE (UINT32_MAX - 1)

static void enter_node(struct walk *walk, uint32_t slot)
{
    walk->next[slot] = 0;
    walk->path[walk->depth++] = slot;
}

/* Returns the first node that is met on its own path in a walk from `start`, or NODE_NONE. */
static uint32_t walk_from(struct walk *walk, uint32_t start)
{
    enter_node(walk, start);
    while (walk->depth) {
        const uint32_t at = walk->path[walk->depth - 1];
        const struct links *successors = &sim_node(walk->graph, at)->successors;
        if (walk->next[at] == successors->count) {
            walk->next[at] = DONE;
            walk->depth--;
            continue;
        }
        const uint32_t to = sim_links(successors)[walk->next[at]++].slot;
        if (walk->next[to] == UNSEEN) enter_node(walk, to);
        else if (walk->next[to] != DONE) return to;
    }
    return NODE_NONE;
}

/* ---- One graph ---------------------------------------------------------------------------- */

/* A search of a graph; `order` holds its nodes in the order of their creation. */
struct search {
    struct walk walk;
    uint32_t *order;
};

static bool begin_search(struct search *search, const struct sim_graph *graph)
{
    const size_t bytes = (size_t)graph->slots * sizeof(uint32_t);
    uint32_t *order = rl_alloc(bytes), count = 0;
    *search = (struct search){ { graph, rl_alloc(bytes), rl_alloc(bytes), 0 }, order };
    if (!search->walk.next || !search->walk.path || !order) return false;
    for (uint32_t slot = graph->first; slot != NODE_NONE; slot = sim_graph_next(graph, slot))
        order[count++] = slot;
    return true;
}

static void end_search(struct search *search)
{
    rl_free(search->walk.next);
    rl_free(search->walk.path);
    rl_free(search->order);
}

/* Returns the node that a walk along the edges comes back to, as if the graph had only the `count`
 * nodes that were created first; or NODE_NONE. */
static uint32_t walk_all(struct search *search, uint32_t count)
{
    const struct sim_graph *graph = search->walk.graph;
    uint32_t found = NODE_NONE;
    search->walk.depth = 0;
    for (uint32_t i = 0; i < graph->count; i++)
        search->walk.next[search->order[i]] = i < count ? UNSEEN : DONE;
    for (uint32_t i = 0; found == NODE_NONE && i < count; i++)
        if (search->walk.next[search->order[i]] == UNSEEN)
            found = walk_from(&search->walk, search->order[i]);
    return found;
}

/* Returns the first node that closes a cycle with nodes that were created before it. */
static uint32_t find_first_to_close(struct search *search)
{
    uint32_t without = 0, with = search->walk.graph->count;
    while (with - without > 1) {
        const uint32_t middle = without + (with - without) / 2;
        if (walk_all(search, middle) == NODE_NONE) without = middle;
        else with = middle;
    }
    return search->order[with - 1];
}

static bool does_nothing(const struct sim_graph *graph)
{
    for (uint32_t slot = graph->first; slot != NODE_NONE; slot = sim_graph_next(graph, slot)) {
        const rill_op_kind kind = (rill_op_kind)sim_node(graph, slot)->kind;
        if (kind != RILL_OP_EMPTY && kind != RILL_OP_GRAPH) return false;
    }
    return true;
}

/* Searches this graph alone; `named` is NODE_NONE if it has no cycle.  Returns false if memory is
 * short. */
static bool find_in_one(const struct sim_graph *graph, bool empty, uint32_t *named)
{
    struct search search;
    bool fits = begin_search(&search, graph);
    *named = fits ? walk_all(&search, graph->count) : NODE_NONE;
    if (*named != NODE_NONE && empty) *named = find_first_to_close(&search);
    end_search(&search);
    return fits;
}

/* ---- All that is in it -------------------------------------------------------------------- */

static const struct sim_graph *child_of(const struct sim_graph *graph, uint32_t slot)
{
    if (sim_node(graph, slot)->kind != RILL_OP_GRAPH) return NULL;
    return sim_task_child(sim_node_task(graph, slot));
}

rill_status sim_cycle_find(const struct sim_graph *graph, rill_node *node)
{
    const bool empty = does_nothing(graph);
    uint32_t named = NODE_NONE;
    *node = NULL;
    if (!graph->count) return RILL_SUCCESS;
    if (!find_in_one(graph, empty, &named)) return RILL_ERROR_OUT_OF_MEMORY;
    if (named == NODE_NONE || empty)
        for (uint32_t slot = graph->first; slot != NODE_NONE && slot != named;
             slot = sim_graph_next(graph, slot)) {
            const struct sim_graph *child = child_of(graph, slot);
            rill_status status = child ? sim_cycle_find(child, node) : RILL_SUCCESS;
            if (status || *node) return status;
        }
    if (named != NODE_NONE) *node = sim_node_handle(graph, named);
    return RILL_SUCCESS;
}
