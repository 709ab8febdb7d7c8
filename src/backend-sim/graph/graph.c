/* SPDX-License-Identifier: Apache-2.0
 *
 * How a graph keeps its nodes: in chunks that never move, linked in the order
 * of their creation.  The callers have checked their arguments.
 */
#include <string.h>

#include "backend-sim/graph/claim.h"
#include "backend-sim/graph/conditional.h"
#include "backend-sim/graph/fingerprint.h"
#include "backend-sim/graph/nested.h"
#include "backend-sim/graph/user_object.h"
#include "base/alloc.h"
#include "base/stack.h"

/* ---- Life ---------------------------------------------------------------------- */

rill_status sim_graph_init(rill_graph *handle, enum graph_role role, struct sim_graph *parent)
{
    static atomic_uint_least64_t made;
    struct sim_graph *graph = sim_graph_of(handle);
    rill_context *home = rill_object_of(handle)->context;
    *graph = (struct sim_graph){
        .handle = handle,
        .platform = sim_platform_of(rill_object_of(handle)->platform),
        .home = home ? sim_context_of(home) : NULL,
        .free_slot = NODE_NONE,
        .first = NODE_NONE,
        .last = NODE_NONE,
        .first_root = NODE_NONE,
        .role = role,
        .parent = parent,
    };
    uint64_t number = atomic_fetch_add_explicit(&made, 1, memory_order_relaxed) + 1;
    if (sim_graph_register(graph, number)) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, "graph",
                             "there are %u graphs, and handles of nodes tell no more apart",
                             NODE_SERIAL_MAX);
}

static void clear_node(struct sim_graph *graph, uint32_t slot)
{
    struct node *node = sim_node(graph, slot);
    sim_links_free(&node->predecessors, &graph->slabs);
    sim_links_free(&node->successors, &graph->slabs);
    rl_free(node->label);
    node->label = NULL;
    struct task *task = sim_node_task(graph, slot);
    *sim_node_tasks(graph, slot) = NULL;
    sim_task_release(task); /* may run what the user gave with it */
}

/* Reads nodes only where it must: most of them are no longer in the caches. */
static void release_nodes(struct sim_graph *graph)
{
    for (uint32_t slot = graph->first, next; slot != NODE_NONE; slot = next) {
        next = sim_graph_next(graph, slot);
        if (graph->labelled) rl_free(sim_node(graph, slot)->label);
        sim_task_release(sim_node_task(graph, slot)); /* may run what the user gave with it */
    }
}

static void clear_graph(void *data)
{
    struct sim_graph *graph = data;
    sim_graph_unregister(graph);
    if (graph->height && graph->fate != GRAPH_LEFT) sim_nested_leave(graph);
    release_nodes(graph);
    sim_slabs_end(&graph->slabs);
    rl_free(graph->chunks);
    sim_conditionals_free(graph);
    sim_users_release(graph->users);
    sim_claim_release(graph->claim);
    sim_claim_copy_ends(graph);
    *graph = (struct sim_graph){
        .handle = graph->handle, .first = NODE_NONE, .last = NODE_NONE, .first_root = NODE_NONE,
    };
}

void sim_graph_clear(struct sim_graph *graph)
{
    if (!rl_with_stack(sim_stack_for(graph->height), clear_graph, graph)) clear_graph(graph);
}

/* ---- Roots ---------------------------------------------------------------------
 *
 * In the driver's order: the node that became a root last comes first. */

static void add_root(struct sim_graph *graph, uint32_t slot)
{
    struct node *node = sim_node(graph, slot);
    node->previous_root = NODE_NONE;
    node->next_root = graph->first_root;
    if (node->next_root != NODE_NONE) sim_node(graph, node->next_root)->previous_root = slot;
    graph->first_root = slot;
}

/* The node keeps its links in the list of roots, for restore_root(). */
static void remove_root(struct sim_graph *graph, uint32_t slot)
{
    const struct node *node = sim_node(graph, slot);
    if (node->next_root != NODE_NONE)
        sim_node(graph, node->next_root)->previous_root = node->previous_root;
    if (node->previous_root != NODE_NONE)
        sim_node(graph, node->previous_root)->next_root = node->next_root;
    else
        graph->first_root = node->next_root;
}

/* Undoes the latest remove_root() that was not undone yet. */
static void restore_root(struct sim_graph *graph, uint32_t slot)
{
    const struct node *node = sim_node(graph, slot);
    if (node->next_root != NODE_NONE) sim_node(graph, node->next_root)->previous_root = slot;
    if (node->previous_root != NODE_NONE) sim_node(graph, node->previous_root)->next_root = slot;
    else graph->first_root = slot;
}

/* ---- Slots --------------------------------------------------------------------- */

static bool grow_chunks(struct sim_graph *graph, uint32_t index)
{
    if (index < graph->chunk_room) return true;
    uint32_t room = graph->chunk_room ? 2 * graph->chunk_room : 4;
    struct node_chunk **chunks = rl_alloc(room * sizeof *chunks);
    if (!chunks) return false;
    if (index) memcpy(chunks, graph->chunks, index * sizeof *chunks);
    rl_free(graph->chunks);
    graph->chunks = chunks;
    graph->chunk_room = room;
    return true;
}

/* Adds a slot, which is free but not chained.  Returns false if memory is short. */
static bool add_slot(struct sim_graph *graph)
{
    uint32_t slot = graph->slots, index = slot / NODE_CHUNK;
    if (slot == NODE_SLOTS_MAX) return false;
    if (slot % NODE_CHUNK == 0) {
        if (!grow_chunks(graph, index)) return false;
        graph->chunks[index] = sim_slabs_cut(&graph->slabs, sizeof(struct node_chunk), NODE_LINE);
        if (!graph->chunks[index]) return false;
    }
    *sim_node_tasks(graph, slot) = NULL;
    *sim_node(graph, slot) = (struct node){ 0 };
    graph->slots++;
    return true;
}

static void chain_free(struct sim_graph *graph, uint32_t slot)
{
    sim_node(graph, slot)->next = graph->free_slot;
    graph->free_slot = slot;
}

/* Returns a slot for the next node, the first free one, or NODE_NONE. */
static uint32_t find_vacant_slot(struct sim_graph *graph)
{
    if (graph->free_slot == NODE_NONE && add_slot(graph)) chain_free(graph, graph->slots - 1);
    return graph->free_slot;
}

bool sim_graph_reserve_slots(struct sim_graph *graph, uint32_t slots)
{
    while (graph->slots < slots)
        if (!add_slot(graph)) return false;
    return true;
}

void sim_graph_chain_free_slots(struct sim_graph *graph)
{
    for (uint32_t slot = graph->slots; slot--;)
        if (!sim_node_task(graph, slot)) chain_free(graph, slot);
}

static struct node *fill_slot(struct sim_graph *graph, uint32_t slot, struct task *task)
{
    struct node *node = sim_node(graph, slot);
    *sim_node_tasks(graph, slot) = task;
    node->kind = (uint8_t)task->kind->op;
    node->cloned = false;
    node->next = NODE_NONE;
    node->previous = graph->last;
    if (graph->last == NODE_NONE)
        graph->first = slot;
    else
        sim_node(graph, graph->last)->next = slot;
    graph->last = slot;
    graph->count++;
    graph->fingerprint += sim_fingerprint_of_node(sim_graph_secret(graph), slot, node->kind);
    return node;
}

struct node *sim_graph_fill_slot(struct sim_graph *graph, uint32_t slot, struct task *task)
{
    struct node *node = fill_slot(graph, slot, task);
    add_root(graph, slot);
    return node;
}

static void vacate_slot(struct sim_graph *graph, uint32_t slot)
{
    struct node *node = sim_node(graph, slot);
    if (node->previous == NODE_NONE)
        graph->first = node->next;
    else
        sim_node(graph, node->previous)->next = node->next;
    if (node->next == NODE_NONE)
        graph->last = node->previous;
    else
        sim_node(graph, node->next)->previous = node->previous;
    node->generation = (node->generation + 1) % NODE_GENERATIONS;
    chain_free(graph, slot);
    graph->reused = true;
    graph->count--;
}

/* ---- Nodes ---------------------------------------------------------------------- */

/* Does everything that may fail, so that what follows cannot. */
static uint32_t prepare_insertion(struct sim_graph *graph, const struct link *predecessors,
                                  size_t count)
{
    struct slabs *slabs = &graph->slabs;
    uint32_t slot = find_vacant_slot(graph);
    if (slot == NODE_NONE) return NODE_NONE;
    struct node *node = sim_node(graph, slot);
    if (count && !sim_links_reserve(&node->predecessors, (uint32_t)count, slabs)) return NODE_NONE;
    /* Where nodes have several dependents, so will this one: room for them at once costs
     * less than to grow to it.  If there is none it grows later. */
    if (graph->edge_count > 2 * (uint64_t)graph->count)
        sim_links_reserve(&node->successors, LINKS_FEW, slabs);
    for (size_t i = 0; i < count; i++)
        if (!sim_links_reserve(&sim_node(graph, predecessors[i].slot)->successors, 1, slabs)) {
            sim_links_free(&node->predecessors, slabs);
            return NODE_NONE;
        }
    return slot;
}

void sim_graph_link(struct sim_graph *graph, uint32_t from, uint32_t to, uint32_t data)
{
    struct links *predecessors = &sim_node(graph, to)->predecessors;
    struct links *successors = &sim_node(graph, from)->successors;
    uint32_t place = predecessors->count;
    if (!place) remove_root(graph, to);
    graph->fingerprint += sim_fingerprint_of_edge(sim_graph_secret(graph), from, to, data,
                                                  successors->count, place);
    sim_links_add(predecessors, (struct link){ from, data, successors->count });
    sim_links_add(successors, (struct link){ to, data, place });
    graph->edge_count++;
    graph->data_count += data != 0;
    if (predecessors->count > graph->fan) graph->fan = predecessors->count;
}

/* Does the same for all edges to a new node, which is not in the list of roots; adds to each count
 * once for all of them. */
static void link_new_node(struct sim_graph *graph, struct node *node, uint32_t slot,
                          const struct link *predecessors, uint32_t count)
{
    const struct fingerprint_secret *secret = sim_graph_secret(graph);
    struct link *items = sim_links_items(&node->predecessors);
    uint64_t fingerprint = 0;
    uint32_t carry = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t from = predecessors[i].slot, data = predecessors[i].data;
        struct links *successors = &sim_node(graph, from)->successors;
        const uint32_t place = successors->count;
        items[i] = predecessors[i];
        items[i].mirror = place;
        sim_links_add(successors, (struct link){ slot, data, i });
        fingerprint += sim_fingerprint_of_edge(secret, from, slot, data, place, i);
        carry += data != 0;
    }
    node->predecessors.count = count;
    graph->fingerprint += fingerprint;
    graph->edge_count += count;
    graph->data_count += carry;
    if (count > graph->fan) graph->fan = count;
}

uint32_t sim_graph_insert_node(struct sim_graph *graph, const struct link *predecessors,
                               size_t count, struct task *task)
{
    uint32_t slot = prepare_insertion(graph, predecessors, count);
    if (slot == NODE_NONE) {
        sim_task_release(task);
        return NODE_NONE;
    }
    graph->free_slot = sim_node(graph, slot)->next;
    struct node *node = fill_slot(graph, slot, task);
    if (count) link_new_node(graph, node, slot, predecessors, (uint32_t)count);
    else add_root(graph, slot);
    if (sim_nested_any(task)) sim_nested_come(graph, task);
    return slot;
}

void sim_graph_remove_node(struct sim_graph *graph, uint32_t slot)
{
    struct node *node = sim_node(graph, slot);
    while (node->predecessors.count) {
        const struct link link = sim_links(&node->predecessors)[0];
        sim_graph_remove_edge(graph, link.slot, link.mirror);
    }
    while (node->successors.count) sim_graph_remove_edge(graph, slot, 0);
    remove_root(graph, slot);
    struct task *task = sim_node_task(graph, slot);
    if (sim_nested_any(task)) sim_nested_go(graph, task);
    vacate_slot(graph, slot);
    clear_node(graph, slot);
}

void sim_node_replace(struct sim_graph *graph, uint32_t slot, struct task *task)
{
    struct task *old = sim_node_task(graph, slot);
    if (sim_nested_any(old)) sim_nested_go(graph, old);
    *sim_node_tasks(graph, slot) = task;
    if (sim_nested_any(task)) sim_nested_come(graph, task);
    sim_task_release(old);
}

/* ---- Edges ---------------------------------------------------------------------- */

bool sim_graph_add_edge(struct sim_graph *graph, uint32_t from, uint32_t to, uint32_t data)
{
    if (!sim_links_reserve(&sim_node(graph, to)->predecessors, 1, &graph->slabs) ||
        !sim_links_reserve(&sim_node(graph, from)->successors, 1, &graph->slabs))
        return false;
    sim_graph_link(graph, from, to, data);
    return true;
}

/* Removes one end of an edge.  The last link takes its place; the other end of that edge, on the
 * opposite side of another node, gets the new place as its mirror. */
static void drop_link(struct sim_graph *graph, struct links *side, uint32_t place,
                      bool of_successors)
{
    struct link *items = sim_links_items(side);
    const struct link last = items[--side->count];
    if (place == side->count) return;
    struct node *other = sim_node(graph, last.slot);
    struct links *mirrored = of_successors ? &other->predecessors : &other->successors;
    sim_links_items(mirrored)[last.mirror].mirror = place;
    items[place] = last;
}

void sim_graph_remove_edge(struct sim_graph *graph, uint32_t from, uint32_t place)
{
    struct links *successors = &sim_node(graph, from)->successors;
    const struct link link = sim_links(successors)[place];
    struct links *predecessors = &sim_node(graph, link.slot)->predecessors;
    drop_link(graph, successors, place, true);
    drop_link(graph, predecessors, link.mirror, false);
    graph->cut = true;
    graph->edge_count--;
    graph->data_count -= link.data != 0;
    if (!predecessors->count) add_root(graph, link.slot);
    if (!successors->count) sim_node_set_leaf_order(graph, sim_node(graph, from));
}

/* The edge lay where the node's leaf order was, which is lost: the node gets none, or the latest
 * if any leaf has one. */
static void restore_leaf_order(struct sim_graph *graph, uint32_t slot)
{
    struct node *node = sim_node(graph, slot);
    if (graph->leaf_orders) sim_node_set_leaf_order(graph, node);
    else *sim_links_items(&node->successors) = (struct link){ 0 };
}

void sim_graph_undo_add_edge(struct sim_graph *graph, uint32_t from, uint32_t to)
{
    struct links *predecessors = &sim_node(graph, to)->predecessors;
    struct links *successors = &sim_node(graph, from)->successors;
    uint32_t data = sim_links(predecessors)[--predecessors->count].data;
    graph->fingerprint -= sim_fingerprint_of_edge(sim_graph_secret(graph), from, to, data,
                                                  --successors->count, predecessors->count);
    graph->data_count -= data != 0;
    graph->edge_count--;
    if (!predecessors->count) restore_root(graph, to);
    if (!successors->count) restore_leaf_order(graph, from);
}

uint32_t sim_graph_stamp(struct sim_graph *graph)
{
    if (!++graph->stamp) {
        for (uint32_t slot = 0; slot < graph->slots; slot++) sim_node(graph, slot)->mark = 0;
        graph->stamp = 1;
    }
    return graph->stamp;
}
