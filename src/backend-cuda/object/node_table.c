/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of nodes: open addressing, with linear probing.
 */
#include "backend-cuda/object/node_table.h"

#include "base/alloc.h"

/* ---- The table ----------------------------------------------------------------------- */

/* Handles are addresses of objects larger than a cache line, so the low bits say little. */
static size_t place_of_node(const struct cuda_nodes *nodes, CUgraphNode raw)
{
    uint64_t bits = (uint64_t)(uintptr_t)raw * UINT64_C(0x9e3779b97f4a7c15);
    return (size_t)(bits >> 32) & (nodes->room - 1);
}

/* Returns the slot that has the node, or the free one where it belongs. */
static struct cuda_slot *probe_slot(const struct cuda_nodes *nodes, CUgraphNode raw)
{
    size_t place = place_of_node(nodes, raw);
    while (nodes->slots[place].raw && nodes->slots[place].raw != raw)
        place = (place + 1) & (nodes->room - 1);
    return &nodes->slots[place];
}

struct cuda_slot *cuda_nodes_find(const struct cuda_nodes *nodes, CUgraphNode raw)
{
    if (!nodes->room || !raw) return NULL;
    struct cuda_slot *slot = probe_slot(nodes, raw);
    return slot->raw ? slot : NULL;
}

/* A third of the room stays free. */
bool cuda_nodes_reserve_all(struct cuda_nodes *nodes, size_t count)
{
    size_t room = nodes->room ? nodes->room : 16;
    while (count + count / 2 >= room) room *= 2;
    if (room == nodes->room) return true;
    struct cuda_nodes larger = { .room = room, .count = nodes->count, .notes = nodes->notes };
    larger.slots = rl_zalloc(room * sizeof *larger.slots);
    if (!larger.slots) return false;
    for (size_t i = 0; i < nodes->room; i++)
        if (nodes->slots[i].raw) *probe_slot(&larger, nodes->slots[i].raw) = nodes->slots[i];
    rl_free(nodes->slots);
    *nodes = larger;
    return true;
}

bool cuda_nodes_reserve(struct cuda_nodes *nodes)
{
    return cuda_nodes_reserve_all(nodes, nodes->count + 1);
}

struct cuda_slot *cuda_nodes_put(struct cuda_nodes *nodes, CUgraphNode raw)
{
    struct cuda_slot *slot = cuda_nodes_find(nodes, raw);
    if (slot) return slot;
    if (!cuda_nodes_reserve_all(nodes, nodes->count + 1)) return NULL;
    slot = probe_slot(nodes, raw);
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

/* Moves those after a slot that becomes free up, as far as they may. */
static void close_gap(struct cuda_nodes *nodes, size_t gap)
{
    size_t mask = nodes->room - 1, place = gap;
    for (;;) {
        place = (place + 1) & mask;
        if (!nodes->slots[place].raw) break;
        size_t home = place_of_node(nodes, nodes->slots[place].raw);
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
