/* SPDX-License-Identifier: Apache-2.0
 *
 * The nodes of a graph that rill knows, in a table by handle, each with a note where
 * there is something to note.
 *
 * Nodes come in by the calls of rill, and behind its back by captures.  A handle that
 * is not in the table is therefore looked for in the driver's list of the graph's
 * nodes, which fills the table up, before it is refused.
 */
#include "backend-cuda/graph.h"

#include <string.h>

#include "base/alloc.h"

/* ---- The table ----------------------------------------------------------------------- */

/* Handles are addresses of things that are larger than a line. */
static size_t place_of(const struct cuda_nodes *nodes, CUgraphNode raw)
{
    uint64_t bits = (uint64_t)(uintptr_t)raw * UINT64_C(0x9e3779b97f4a7c15);
    return (size_t)(bits >> 32) & (nodes->room - 1);
}

/* The slot that has the node, or the free one where it belongs. */
static struct cuda_slot *probe(const struct cuda_nodes *nodes, CUgraphNode raw)
{
    size_t place = place_of(nodes, raw);
    while (nodes->slots[place].raw && nodes->slots[place].raw != raw)
        place = (place + 1) & (nodes->room - 1);
    return &nodes->slots[place];
}

struct cuda_slot *cuda_nodes_find(const struct cuda_nodes *nodes, CUgraphNode raw)
{
    if (!nodes->room || !raw) return NULL;
    struct cuda_slot *slot = probe(nodes, raw);
    return slot->raw ? slot : NULL;
}

/* Room for `count` nodes, with a third of it free. */
static bool reserve(struct cuda_nodes *nodes, size_t count)
{
    size_t room = nodes->room ? nodes->room : 16;
    while (count + count / 2 >= room) room *= 2;
    if (room == nodes->room) return true;
    struct cuda_nodes larger = { .room = room, .count = nodes->count, .notes = nodes->notes };
    larger.slots = rl_zalloc(room * sizeof *larger.slots);
    if (!larger.slots) return false;
    for (size_t i = 0; i < nodes->room; i++)
        if (nodes->slots[i].raw) *probe(&larger, nodes->slots[i].raw) = nodes->slots[i];
    rl_free(nodes->slots);
    *nodes = larger;
    return true;
}

bool cuda_nodes_reserve(struct cuda_nodes *nodes)
{
    return reserve(nodes, nodes->count + 1);
}

struct cuda_slot *cuda_nodes_put(struct cuda_nodes *nodes, CUgraphNode raw)
{
    struct cuda_slot *slot = cuda_nodes_find(nodes, raw);
    if (slot) return slot;
    if (!reserve(nodes, nodes->count + 1)) return NULL;
    slot = probe(nodes, raw);
    *slot = (struct cuda_slot){ .raw = raw };
    nodes->count++;
    return slot;
}

static void free_note(struct cuda_note *note)
{
    if (!note) return;
    rl_free(note->label);
    rl_free(note->values);
    rl_free(note->attributes);
    rl_free(note->conditional.bodies);
    rl_free(note);
}

/* Those behind a slot that becomes free move up, as far as they may. */
static void close_gap(struct cuda_nodes *nodes, size_t gap)
{
    size_t mask = nodes->room - 1, place = gap;
    for (;;) {
        place = (place + 1) & mask;
        if (!nodes->slots[place].raw) break;
        size_t home = place_of(nodes, nodes->slots[place].raw);
        if (((place - home) & mask) < ((place - gap) & mask)) continue;
        nodes->slots[gap] = nodes->slots[place];
        gap = place;
    }
    nodes->slots[gap] = (struct cuda_slot){ .raw = NULL };
}

void cuda_nodes_take(struct cuda_nodes *nodes, CUgraphNode raw)
{
    struct cuda_slot *slot = cuda_nodes_find(nodes, raw);
    if (!slot) return;
    if (slot->note) nodes->notes--;
    free_note(slot->note);
    nodes->count--;
    close_gap(nodes, (size_t)(slot - nodes->slots));
}

void cuda_nodes_free(struct cuda_nodes *nodes, bool notes)
{
    for (size_t i = 0; notes && i < nodes->room; i++) free_note(nodes->slots[i].note);
    rl_free(nodes->slots);
    *nodes = (struct cuda_nodes){ .room = 0 };
}

/* ---- What the driver has ----------------------------------------------------------------- */

rill_status cuda_list_nodes(CUgraph raw, CUgraphNode **list, size_t *count)
{
    *list = NULL;
    *count = 0;
    rill_status status = cuda_end(cuda_api.GraphGetNodes(raw, NULL, count), "cuGraphGetNodes");
    if (status || !*count) return status;
    CUgraphNode *nodes = rl_alloc(*count * sizeof *nodes);
    if (!nodes) return RILL_ERROR_OUT_OF_MEMORY;
    status = cuda_end(cuda_api.GraphGetNodes(raw, nodes, count), "cuGraphGetNodes");
    if (status)
        rl_free(nodes);
    else
        *list = nodes;
    return status;
}

/* Notes of nodes that are still there move over. */
static void take_notes_over(struct cuda_nodes *now, struct cuda_nodes *before)
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

static rill_status refresh(struct cuda_graph *graph)
{
    struct cuda_nodes now = { .room = 0 };
    CUgraphNode *list;
    size_t count;
    rill_status status = cuda_list_nodes(graph->raw, &list, &count);
    if (!status && count && !reserve(&now, count)) status = RILL_ERROR_OUT_OF_MEMORY;
    for (size_t i = 0; !status && i < count; i++) cuda_nodes_put(&now, list[i]);
    rl_free(list);
    if (status) return status;
    take_notes_over(&now, &graph->nodes);
    cuda_nodes_free(&graph->nodes, true);
    graph->nodes = now;
    return RILL_SUCCESS;
}

static rill_status refuse_lost(void)
{
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "graph",
                             "a capture into this graph failed, which took the graph with it; "
                             "destroy it and build another one");
}

__attribute__((noinline))
rill_status cuda_miss_node(struct cuda_graph *graph, rill_node node, const char *argument)
{
    if (graph->lost) return refuse_lost();
    if (node) {
        rill_status status = refresh(graph);
        if (status) return status;
        if (cuda_nodes_find(&graph->nodes, cuda_raw_node(node))) return RILL_SUCCESS;
    }
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, argument, "%s %s", argument,
                             node ? "is no node of this graph, or was removed; nodes of clones "
                                    "are found with rill_graph_find_in_clone()"
                                  : "holds a node that is NULL");
}

/* ---- Notes --------------------------------------------------------------------------------- */

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
