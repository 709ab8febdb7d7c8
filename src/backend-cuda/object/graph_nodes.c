/* SPDX-License-Identifier: Apache-2.0
 *
 * Which nodes a graph has.
 *
 * Nodes come in by the calls of rill, and unseen by captures.  A handle that is not in the
 * table is therefore looked for in the driver's list of the graph's nodes, which completes
 * the table, before the handle is refused.
 */
#include "backend-cuda/object/graph_nodes.h"

#include "base/alloc.h"

/* Moves the notes of nodes over that are still there. */
static void move_notes(struct cuda_nodes *now, struct cuda_nodes *before)
{
    for (size_t i = 0; before->notes && i < before->room; i++) {
        struct cuda_slot *old = &before->slots[i];
        struct cuda_slot *slot = old->note ? cuda_nodes_find(now, old->raw) : NULL;
        if (!slot) continue;
        slot->note = old->note;
        old->note = NULL;
        now->notes++;
    }
}

/* Makes the table anew, from what the driver lists. */
static rill_status refresh_nodes(struct cuda_graph *graph)
{
    struct cuda_nodes now = { .room = 0 };
    CUgraphNode *list;
    size_t count;
    rill_status status = cuda_list_nodes(graph->raw, &list, &count);
    if (!status && count && !cuda_nodes_reserve_all(&now, count)) status = RILL_ERROR_OUT_OF_MEMORY;
    for (size_t i = 0; !status && i < count; i++) cuda_nodes_put(&now, list[i]);
    rl_free(list);
    if (status) return status;
    move_notes(&now, &graph->nodes);
    cuda_nodes_free(&graph->nodes, true);
    graph->nodes = now;
    return RILL_SUCCESS;
}

static rill_status refuse_lost_graph(void)
{
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "graph",
                             "a capture into this graph failed, which took the graph with it; "
                             "destroy it and build another one");
}

__attribute__((noinline))
rill_status cuda_miss_node(struct cuda_graph *graph, rill_node node, const char *argument)
{
    if (graph->lost) return refuse_lost_graph();
    if (node) {
        rill_status status = refresh_nodes(graph);
        if (status) return status;
        if (cuda_nodes_find(&graph->nodes, cuda_raw_node(node))) return RILL_SUCCESS;
    }
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, argument, "%s %s", argument,
                             node ? "is no node of this graph, or was removed; nodes of clones "
                                    "are found with rill_graph_find_in_clone()"
                                  : "holds a node that is NULL");
}

struct cuda_note *cuda_node_note(struct cuda_graph *graph, CUgraphNode raw, bool make)
{
    struct cuda_slot *slot = make ? cuda_nodes_put(&graph->nodes, raw)
                                  : cuda_nodes_find(&graph->nodes, raw);
    if (!slot) return NULL;
    if (slot->note || !make) return slot->note;
    slot->note = rl_zalloc(sizeof *slot->note);
    if (slot->note) graph->nodes.notes++;
    return slot->note;
}
