/* SPDX-License-Identifier: Apache-2.0
 *
 * How a graph keeps its nodes: in chunks that never move, chained in the order
 * of their creation.  Whoever calls has checked what is asked for.
 */
#include "backend-sim/capture.h"
#include "backend-sim/conditional.h"

#include <string.h>

#include "base/alloc.h"

/* ---- Life ---------------------------------------------------------------------- */

/* Never 0, so that no handle is NULL. */
static uint32_t next_serial(void)
{
    static atomic_uint last;
    uint32_t serial;
    do
        serial = atomic_fetch_add_explicit(&last, 1, memory_order_relaxed) + 1;
    while (!serial);
    return serial;
}

void sim_graph_init(rill_graph *handle, enum graph_role role, struct sim_graph *parent)
{
    struct sim_graph *graph = sim_graph_of(handle);
    *graph = (struct sim_graph){
        .handle = handle,
        .context = sim_context_of(rill_object_of(handle)->context),
        .serial = next_serial(),
        .free_slot = NODE_NONE,
        .first = NODE_NONE,
        .last = NODE_NONE,
        .first_root = NODE_NONE,
        .role = role,
        .parent = parent,
    };
    sim_graph_enrol(graph);
}

static void leave(struct sim_graph *graph);

/* A node's graphs are nobody's to use any more, although an exec may keep them. */
static void leave_nested(struct task *task)
{
    sim_conditional_use(task, false);
    if (task->type->kind == RILL_OP_GRAPH)
        leave(sim_graph_of(((const struct child_task *)task)->graph));
    if (task->type->kind != RILL_OP_CONDITIONAL) return;
    const struct conditional_task *conditional = (const struct conditional_task *)task;
    for (uint32_t i = 0; i < conditional->body_count; i++)
        leave(sim_graph_of(conditional->bodies[i]));
}

static void leave_all_nested(struct sim_graph *graph)
{
    for (uint32_t slot = graph->first; slot != NODE_NONE; slot = sim_node(graph, slot)->next)
        leave_nested(sim_node_task(graph, slot));
}

/* Nested at most GRAPH_NESTING_MAX deep. */
static void leave(struct sim_graph *graph)
{
    sim_capture_forget_graph(graph);
    graph->fate = GRAPH_LEFT;
    graph->parent = NULL;
    if (graph->height) leave_all_nested(graph);
}

static void clear_node(struct sim_graph *graph, uint32_t slot)
{
    struct node *node = sim_node(graph, slot);
    sim_links_free(&node->before, &graph->slabs);
    sim_links_free(&node->behind, &graph->slabs);
    rl_free(node->label);
    node->label = NULL;
    struct task *task = sim_node_task(graph, slot);
    *sim_node_tasks(graph, slot) = NULL;
    sim_task_release(task); /* may run what the user gave with it */
}

/* Looks at no node where there is no need: most are not in the caches any more. */
static void release_nodes(struct sim_graph *graph)
{
    for (uint32_t slot = graph->first, next; slot != NODE_NONE; slot = next) {
        next = sim_graph_next(graph, slot);
        if (graph->labelled) rl_free(sim_node(graph, slot)->label);
        sim_task_release(sim_node_task(graph, slot)); /* may run what the user gave with it */
    }
}

void sim_graph_clear(struct sim_graph *graph)
{
    sim_graph_strike(graph);
    if (graph->height && graph->fate != GRAPH_LEFT) leave_all_nested(graph);
    release_nodes(graph);
    sim_slabs_end(&graph->slabs);
    rl_free(graph->chunks);
    sim_conditionals_free(graph);
    sim_users_release(graph->users);
    *graph = (struct sim_graph){
        .handle = graph->handle, .first = NODE_NONE, .last = NODE_NONE, .first_root = NODE_NONE,
    };
}

/* ---- Roots ---------------------------------------------------------------------
 *
 * Listed as the driver does: whichever became a root last comes first. */

static void root_begins(struct sim_graph *graph, uint32_t slot)
{
    struct node *node = sim_node(graph, slot);
    node->previous_root = NODE_NONE;
    node->next_root = graph->first_root;
    if (node->next_root != NODE_NONE) sim_node(graph, node->next_root)->previous_root = slot;
    graph->first_root = slot;
}

/* The node remembers between which roots it was. */
static void root_ends(struct sim_graph *graph, uint32_t slot)
{
    const struct node *node = sim_node(graph, slot);
    if (node->next_root != NODE_NONE)
        sim_node(graph, node->next_root)->previous_root = node->previous_root;
    if (node->previous_root != NODE_NONE)
        sim_node(graph, node->previous_root)->next_root = node->next_root;
    else
        graph->first_root = node->next_root;
}

/* As if the last end, but for those that were taken back, had not been. */
static void root_end_back(struct sim_graph *graph, uint32_t slot)
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

/* One more slot, which is free but not chained; false when memory is short. */
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

/* A slot for the next node, the first of the free ones, or NODE_NONE. */
static uint32_t vacant(struct sim_graph *graph)
{
    if (graph->free_slot == NODE_NONE && add_slot(graph)) chain_free(graph, graph->slots - 1);
    return graph->free_slot;
}

bool sim_graph_lay_out(struct sim_graph *graph, uint32_t slots)
{
    while (graph->slots < slots)
        if (!add_slot(graph)) return false;
    return true;
}

void sim_graph_chain_free(struct sim_graph *graph)
{
    for (uint32_t slot = graph->slots; slot--;)
        if (!sim_node_task(graph, slot)) chain_free(graph, slot);
}

static struct node *fill(struct sim_graph *graph, uint32_t slot, struct task *task)
{
    struct node *node = sim_node(graph, slot);
    *sim_node_tasks(graph, slot) = task;
    node->kind = (uint8_t)task->type->kind;
    node->cloned = false;
    node->next = NODE_NONE;
    node->previous = graph->last;
    if (graph->last == NODE_NONE)
        graph->first = slot;
    else
        sim_node(graph, graph->last)->next = slot;
    graph->last = slot;
    graph->count++;
    graph->shape += sim_shape_of_node(sim_graph_secret(graph), slot, node->kind);
    return node;
}

struct node *sim_graph_fill(struct sim_graph *graph, uint32_t slot, struct task *task)
{
    struct node *node = fill(graph, slot, task);
    root_begins(graph, slot);
    return node;
}

static void vacate(struct sim_graph *graph, uint32_t slot)
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

/* ---- What is inside ------------------------------------------------------------- */

struct inside {
    uint32_t memory, conditional, height;
};

static void add_inside(struct inside *inside, const rill_graph *handle)
{
    const struct sim_graph *graph = sim_graph_of(handle);
    inside->memory += graph->memory_nodes;
    inside->conditional += graph->conditional_nodes;
    if (graph->height >= inside->height) inside->height = graph->height + 1;
}

static struct inside inside_of(const struct task *task)
{
    struct inside inside = { 0 };
    switch ((int)task->type->kind) {
    case RILL_OP_ALLOC:
    case RILL_OP_FREE: inside.memory = 1; break;
    case RILL_OP_GRAPH: add_inside(&inside, ((const struct child_task *)task)->graph); break;
    case RILL_OP_CONDITIONAL: {
        const struct conditional_task *conditional = (const struct conditional_task *)task;
        for (uint32_t i = 0; i < conditional->body_count; i++)
            add_inside(&inside, conditional->bodies[i]);
        inside.conditional++;
        break;
    }
    }
    return inside;
}

/* Nothing is in most. */
static bool may_hold(const struct task *task)
{
    return task->type->kind == RILL_OP_ALLOC || task->type->kind == RILL_OP_FREE ||
           task->type->kind == RILL_OP_GRAPH || task->type->kind == RILL_OP_CONDITIONAL;
}

/* The graph and all around it have so much more in them. */
static void count_in(struct sim_graph *graph, const struct task *task)
{
    if (!may_hold(task)) return;
    struct inside inside = inside_of(task);
    for (; graph; graph = graph->parent, inside.height += inside.height > 0) {
        graph->memory_nodes += inside.memory;
        graph->conditional_nodes += inside.conditional;
        if (graph->height < inside.height) graph->height = inside.height;
    }
}

static void count_out(struct sim_graph *graph, const struct task *task)
{
    if (!may_hold(task)) return;
    struct inside inside = inside_of(task);
    for (; graph; graph = graph->parent) {
        graph->memory_nodes -= inside.memory;
        graph->conditional_nodes -= inside.conditional;
    }
}

/* ---- Nodes ---------------------------------------------------------------------- */

/* Everything that may fail, so that what follows cannot. */
static uint32_t prepare(struct sim_graph *graph, const struct link *before, size_t count)
{
    struct slabs *slabs = &graph->slabs;
    uint32_t slot = vacant(graph);
    if (slot == NODE_NONE) return NODE_NONE;
    if (count && !sim_links_reserve(&sim_node(graph, slot)->before, (uint32_t)count, slabs))
        return NODE_NONE;
    for (size_t i = 0; i < count; i++)
        if (!sim_links_reserve(&sim_node(graph, before[i].slot)->behind, 1, slabs)) {
            sim_links_free(&sim_node(graph, slot)->before, slabs);
            return NODE_NONE;
        }
    return slot;
}

void sim_graph_link(struct sim_graph *graph, uint32_t from, uint32_t to, uint32_t data)
{
    struct links *before = &sim_node(graph, to)->before, *behind = &sim_node(graph, from)->behind;
    uint32_t place = before->count;
    if (!place) root_ends(graph, to);
    graph->shape += sim_shape_of_edge(sim_graph_secret(graph), from, to, data, behind->count,
                                      place);
    sim_links_add(before, (struct link){ from, data, behind->count });
    sim_links_add(behind, (struct link){ to, data, place });
    graph->edge_count++;
    graph->data_count += data != 0;
    if (before->count > graph->fan) graph->fan = before->count;
}

/* The same for all edges to a node that had none and is no root: what is theirs together
 * is counted once. */
static void link_new(struct sim_graph *graph, struct node *node, uint32_t slot,
                     const struct link *before, uint32_t count)
{
    const struct shape_secret *secret = sim_graph_secret(graph);
    struct link *items = sim_links_items(&node->before);
    uint64_t shape = 0;
    uint32_t carry = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t from = before[i].slot, data = before[i].data;
        struct links *behind = &sim_node(graph, from)->behind;
        const uint32_t place = behind->count;
        items[i] = before[i];
        items[i].mirror = place;
        sim_links_add(behind, (struct link){ slot, data, i });
        shape += sim_shape_of_edge(secret, from, slot, data, place, i);
        carry += data != 0;
    }
    node->before.count = count;
    graph->shape += shape;
    graph->edge_count += count;
    graph->data_count += carry;
    if (count > graph->fan) graph->fan = count;
}

uint32_t sim_graph_put(struct sim_graph *graph, const struct link *before, size_t count,
                       struct task *task)
{
    uint32_t slot = prepare(graph, before, count);
    if (slot == NODE_NONE) {
        sim_task_release(task);
        return NODE_NONE;
    }
    graph->free_slot = sim_node(graph, slot)->next;
    struct node *node = fill(graph, slot, task);
    if (count) link_new(graph, node, slot, before, (uint32_t)count);
    else root_begins(graph, slot);
    count_in(graph, task);
    sim_conditional_use(task, true);
    return slot;
}

void sim_graph_take(struct sim_graph *graph, uint32_t slot)
{
    struct node *node = sim_node(graph, slot);
    while (node->before.count) {
        const struct link link = sim_links(&node->before)[0];
        sim_graph_part(graph, link.slot, link.mirror);
    }
    while (node->behind.count) sim_graph_part(graph, slot, 0);
    root_ends(graph, slot);
    count_out(graph, sim_node_task(graph, slot));
    leave_nested(sim_node_task(graph, slot));
    vacate(graph, slot);
    clear_node(graph, slot);
}

void sim_node_replace(struct sim_graph *graph, uint32_t slot, struct task *task)
{
    struct task *old = sim_node_task(graph, slot);
    count_out(graph, old);
    leave_nested(old);
    *sim_node_tasks(graph, slot) = task;
    count_in(graph, task);
    sim_task_release(old);
}

/* ---- Edges ---------------------------------------------------------------------- */

bool sim_graph_join(struct sim_graph *graph, uint32_t from, uint32_t to, uint32_t data)
{
    if (!sim_links_reserve(&sim_node(graph, to)->before, 1, &graph->slabs) ||
        !sim_links_reserve(&sim_node(graph, from)->behind, 1, &graph->slabs))
        return false;
    sim_graph_link(graph, from, to, data);
    return true;
}

/* One end of an edge goes.  The other end of the edge that takes its place is on
 * the other side of another node, and has to learn of it. */
static void drop(struct sim_graph *graph, struct links *side, uint32_t place, bool behind)
{
    struct link *items = sim_links_items(side);
    const struct link last = items[--side->count];
    if (place == side->count) return;
    struct node *other = sim_node(graph, last.slot);
    sim_links_items(behind ? &other->before : &other->behind)[last.mirror].mirror = place;
    items[place] = last;
}

void sim_graph_part(struct sim_graph *graph, uint32_t from, uint32_t place)
{
    struct links *behind = &sim_node(graph, from)->behind;
    const struct link link = sim_links(behind)[place];
    struct links *before = &sim_node(graph, link.slot)->before;
    drop(graph, behind, place, true);
    drop(graph, before, link.mirror, false);
    graph->cut = true;
    graph->edge_count--;
    graph->data_count -= link.data != 0;
    if (!before->count) root_begins(graph, link.slot);
    if (!behind->count) sim_node_turned(graph, sim_node(graph, from));
}

void sim_graph_join_back(struct sim_graph *graph, uint32_t from, uint32_t to)
{
    struct links *before = &sim_node(graph, to)->before, *behind = &sim_node(graph, from)->behind;
    uint32_t data = sim_links(before)[--before->count].data;
    graph->shape -= sim_shape_of_edge(sim_graph_secret(graph), from, to, data, --behind->count,
                                      before->count);
    graph->data_count -= data != 0;
    graph->edge_count--;
    if (!before->count) root_end_back(graph, to);
}

uint32_t sim_graph_stamp(struct sim_graph *graph)
{
    if (!++graph->stamp) {
        for (uint32_t slot = 0; slot < graph->slots; slot++) sim_node(graph, slot)->mark = 0;
        graph->stamp = 1;
    }
    return graph->stamp;
}
