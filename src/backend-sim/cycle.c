/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/cycle.h"

#include <string.h>

#include "base/alloc.h"

/* A walk along the edges, from one node to what depends on it. */
struct walk {
    const struct sim_graph *graph;
    uint32_t *next; /* by slot: which of its edges comes next; UNSEEN, or DONE */
    uint32_t *path; /* the nodes from the start to the one that is looked at   */
    uint32_t depth;
};

#define UNSEEN UINT32_MAX
#define DONE (UINT32_MAX - 1)

static void enter(struct walk *walk, uint32_t slot)
{
    walk->next[slot] = 0;
    walk->path[walk->depth++] = slot;
}

/* The first node that is met on its own path, of what can be reached from here; or
 * NODE_NONE. */
static uint32_t walk_from(struct walk *walk, uint32_t start)
{
    enter(walk, start);
    while (walk->depth) {
        const uint32_t at = walk->path[walk->depth - 1];
        const struct links *behind = &sim_node(walk->graph, at)->behind;
        if (walk->next[at] == behind->count) {
            walk->next[at] = DONE;
            walk->depth--;
            continue;
        }
        const uint32_t to = sim_links(behind)[walk->next[at]++].slot;
        if (walk->next[to] == UNSEEN) enter(walk, to);
        else if (walk->next[to] != DONE) return to;
    }
    return NODE_NONE;
}

rill_status sim_cycle_find(const struct sim_graph *graph, rill_node *node)
{
    const size_t bytes = (size_t)graph->slots * sizeof(uint32_t);
    *node = NULL;
    if (!graph->count) return RILL_SUCCESS;
    struct walk walk = { .graph = graph, .next = rl_alloc(bytes), .path = rl_alloc(bytes) };
    const bool fits = walk.next && walk.path;
    uint32_t found = NODE_NONE;
    if (fits) memset(walk.next, 0xff, bytes);
    for (uint32_t slot = graph->first; fits && found == NODE_NONE && slot != NODE_NONE;
         slot = sim_graph_next(graph, slot))
        if (walk.next[slot] == UNSEEN) found = walk_from(&walk, slot);
    if (found != NODE_NONE) *node = sim_node_handle(graph, found);
    rl_free(walk.next);
    rl_free(walk.path);
    return fits ? RILL_SUCCESS : RILL_ERROR_OUT_OF_MEMORY;
}
