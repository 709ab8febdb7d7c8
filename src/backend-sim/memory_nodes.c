/* SPDX-License-Identifier: Apache-2.0
 *
 * Alloc and free nodes: how they are made, and what they do when they run.
 */
#include "backend-sim/memory_nodes.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "backend-sim/pool.h"
#include "base/alloc.h"

/* Fresh memory is filled with this where tests may look: all of it when it is
 * small, else both ends, so that reads of what was never written, or was freed,
 * show. */
#define POISON 0xcd
#define POISON_BYTES ((size_t)512 << 10)

static struct alloc_task *alloc_of(const struct task *task)
{
    return (struct alloc_task *)(uintptr_t)task; /* its first member */
}

static struct free_task *free_of(const struct task *task)
{
    return (struct free_task *)(uintptr_t)task;
}

/* ---- Running ------------------------------------------------------------------------- */

static void poison(uint64_t address, uint64_t bytes)
{
    unsigned char *memory = (unsigned char *)(uintptr_t)address;
    size_t count = (size_t)bytes;
    if (count <= 2 * POISON_BYTES) {
        memset(memory, POISON, count);
    } else {
        memset(memory, POISON, POISON_BYTES);
        memset(memory + count - POISON_BYTES, POISON, POISON_BYTES);
    }
}

static void alloc_run(struct task *task)
{
    const struct alloc_task *alloc = alloc_of(task);
    struct graph_block *block = alloc->memory.block;
    poison(block->place.base, alloc->bytes);
    rl_lock(&block->heap->lock);
    block->begun++;
    block->bytes = alloc->bytes;
    block->underway--;
    rl_unlock(&block->heap->lock);
}

/* Whatever life it is: that of the alloc node before it, which has just been. */
static void free_run(struct task *task)
{
    struct graph_block *block = free_of(task)->memory.block;
    rl_lock(&block->heap->lock);
    if (block->ended < block->begun) block->ended = block->begun;
    block->underway--;
    rl_unlock(&block->heap->lock);
}

bool sim_memory_node_frees_itself(const struct alloc_task *alloc)
{
    for (const struct free_task *free = alloc->frees; free; free = free->next)
        if (free->own) return true;
    return false;
}

/* ---- Names --------------------------------------------------------------------------- */

rill_devptr sim_memory_node_placed(struct task *task, uint32_t slot)
{
    struct alloc_task *alloc = alloc_of(task);
    struct graph_block *block = alloc->memory.block;
    rl_lock(&block->heap->lock);
    alloc->node = slot;
    rl_unlock(&block->heap->lock);
    return block->place.base;
}

void sim_memory_node_named(struct task *task, const char *label)
{
    if (task->type->kind != RILL_OP_ALLOC) return;
    struct alloc_task *alloc = alloc_of(task);
    rl_lock(&alloc->memory.block->heap->lock);
    snprintf(alloc->label, sizeof alloc->label, "%s", label ? label : "");
    rl_unlock(&alloc->memory.block->heap->lock);
}

void sim_memory_node_words(const struct graph_block *block, char words[RILL_LABEL_MAX])
{
    const struct alloc_task *owner = block->owner;
    if (!owner || (owner->node == NODE_NONE && !*owner->label))
        snprintf(words, RILL_LABEL_MAX, "an alloc node");
    else if (*owner->label)
        snprintf(words, RILL_LABEL_MAX, "alloc node '%.*s'", RILL_LABEL_MAX - 16, owner->label);
    else
        snprintf(words, RILL_LABEL_MAX, "alloc node %" PRIu32, owner->node);
}

/* ---- Alloc nodes ---------------------------------------------------------------------- */

static void alloc_free(struct task *task)
{
    struct alloc_task *alloc = alloc_of(task);
    struct graph_block *block = alloc->memory.block;
    rl_lock(&block->heap->lock);
    if (block->owner == alloc) block->owner = NULL;
    rl_unlock(&block->heap->lock);
    sim_graph_block_release(block);
    rl_free(alloc);
}

static void alloc_read(const struct task *task, rill_op *op)
{
    const struct alloc_task *alloc = alloc_of(task);
    op->alloc = (rill_alloc_op){
        .bytes = (size_t)alloc->bytes,
        .device = alloc->memory.block->heap->device->ordinal,
        .address = alloc->memory.block->place.base,
    };
}

static const struct task_type alloc_type = {
    .kind = RILL_OP_ALLOC, .run = alloc_run, .free = alloc_free, .read = alloc_read,
};

/* ---- Addresses that are free again ------------------------------------------------------ */

/* So many nodes before a new one are looked at, those next to it first. */
#define LOOKS 256

struct search {
    struct sim_graph *graph;
    uint32_t stamp;        /* on nodes that were added */
    uint32_t count;
    uint32_t slots[LOOKS];
};

static void search_add(struct search *search, const struct link *links, size_t count)
{
    for (size_t i = 0; i < count && search->count < LOOKS; i++) {
        struct node *node = sim_node(search->graph, links[i].slot);
        if (node->mark == search->stamp) continue;
        node->mark = search->stamp;
        search->slots[search->count++] = links[i].slot;
    }
}

/* The block that a free node gives back, for an allocation behind it; NULL when it
 * is too small, or was taken by another since. */
static struct graph_block *take_again(const struct task *task, const struct graph_heap *heap,
                                      struct alloc_task *alloc)
{
    if (task->type->kind != RILL_OP_FREE) return NULL;
    const struct free_task *free = free_of(task);
    struct graph_block *block = free->memory.block;
    if (!free->own || block->heap != heap) return NULL;
    rl_lock(&block->heap->lock);
    bool can = block->owner == free->target && block->place.bytes >= alloc->bytes &&
               block->face.access == alloc->access;
    if (can) {
        block->references++;
        block->owner = alloc;
        if (block->most < alloc->bytes) block->most = alloc->bytes;
    }
    rl_unlock(&block->heap->lock);
    return can ? block : NULL;
}

/* What a free node gives back that the new node is ordered behind, or NULL. */
static struct graph_block *find_freed(struct sim_graph *graph, const struct link *before,
                                      size_t count, const struct graph_heap *heap,
                                      struct alloc_task *alloc)
{
    struct search search;
    search.graph = graph;
    search.stamp = sim_graph_stamp(graph);
    search.count = 0;
    search_add(&search, before, count);
    for (uint32_t i = 0; i < search.count; i++) {
        const struct node *node = sim_node(graph, search.slots[i]);
        struct graph_block *block = take_again(sim_node_task(graph, search.slots[i]), heap, alloc);
        if (block) return block;
        search_add(&search, sim_links(&node->before), node->before.count);
    }
    return NULL;
}

/* ---- Making alloc nodes ------------------------------------------------------------------ */

/* Where memory nodes may stand at all. */
rill_status sim_memory_node_fits(const struct sim_graph *graph)
{
    if (graph->role != GRAPH_CHILD) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, "graph",
                             "a graph inside another cannot get nodes that allocate or free "
                             "memory");
}

static rill_status choose_device(const struct sim_graph *graph, const rill_alloc_op *op,
                                 struct sim_device **device, uint64_t *access)
{
    struct sim_platform *platform = graph->platform;
    if (op->pool) {
        struct pool *pool = sim_pool_of(op->pool);
        *device = pool->home->device;
        rl_lock(&pool->home->lock);
        *access = pool->face.access;
        rl_unlock(&pool->home->lock);
        return RILL_SUCCESS;
    }
    rill_status status = sim_check_device(platform, op->device, RILL_ERROR_INVALID_VALUE,
                                          "op->alloc.device");
    if (status) return status;
    *device = &platform->devices[op->device];
    *access = UINT64_C(1) << op->device;
    return RILL_SUCCESS;
}

/* A fresh block where the graph has none that is free again. */
static rill_status find_block(struct sim_graph *graph, const struct link *before, size_t count,
                              struct graph_heap *heap, struct alloc_task *alloc)
{
    if (graph->memory_nodes && alloc->bytes <= heap->device->memory_bytes)
        alloc->memory.block = find_freed(graph, before, count, heap, alloc);
    if (alloc->memory.block) return RILL_SUCCESS;
    rill_status status =
        sim_graph_block_make(heap, alloc->bytes, alloc->access, &alloc->memory.block);
    if (status) return status;
    rl_lock(&heap->lock);
    alloc->memory.block->owner = alloc;
    rl_unlock(&heap->lock);
    return RILL_SUCCESS;
}

rill_status sim_task_alloc(struct sim_graph *graph, const struct link *before, size_t count,
                           const rill_alloc_op *op, struct task **task)
{
    struct sim_device *device = NULL;
    uint64_t access = 0;
    rill_status status = sim_memory_node_fits(graph);
    if (!status) status = choose_device(graph, op, &device, &access);
    if (status) return status;
    if (!op->bytes)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "op->alloc.bytes",
                                 "there are no 0 bytes of memory");
    struct alloc_task *alloc = rl_zalloc(sizeof *alloc);
    if (!alloc) return sim_task_short();
    sim_task_init(&alloc->memory.task, &alloc_type, 0);
    alloc->bytes = op->bytes;
    alloc->access = access;
    alloc->memory.graph = graph->serial;
    alloc->node = NODE_NONE;
    status = find_block(graph, before, count, device->graphs, alloc);
    if (status) {
        rl_free(alloc);
        return status;
    }
    *task = &alloc->memory.task;
    return RILL_SUCCESS;
}

/* ---- Free nodes ---------------------------------------------------------------------------- */

static void free_free(struct task *task)
{
    struct free_task *free = free_of(task);
    struct graph_block *block = free->memory.block;
    rl_lock(&block->heap->lock);
    struct free_task **link = &free->target->frees;
    while (*link != free) link = &(*link)->next;
    *link = free->next;
    rl_unlock(&block->heap->lock);
    sim_task_release(&free->target->memory.task);
    sim_graph_block_release(block);
    rl_free(free);
}

static void free_read(const struct task *task, rill_op *op)
{
    op->free.address = free_of(task)->memory.block->place.base;
}

static const struct task_type free_type = {
    .kind = RILL_OP_FREE, .run = free_run, .free = free_free, .read = free_read,
};

static rill_status fail_free(struct sim_graph *graph, uint64_t address, const char *why)
{
    graph->tried_memory = true;
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "op->free.address",
                             "0x%" PRIx64 " cannot be freed by this node: %s", address, why);
}

/* Retains a task that may be on its way out. */
static bool catch_task(struct task *task)
{
    unsigned seen = atomic_load_explicit(&task->references, memory_order_relaxed);
    while (seen && !atomic_compare_exchange_weak_explicit(&task->references, &seen, seen + 1,
                                                          memory_order_relaxed,
                                                          memory_order_relaxed))
        continue;
    return seen;
}

/* Whether a graph may free it; else why not.  What its own graph frees, no other
 * does, and the other way round; each of them frees it once. */
static const char *refuses(const struct alloc_task *alloc, const struct sim_graph *graph)
{
    bool own = alloc->memory.graph == graph->serial;
    if (own && alloc->memory.block->live) return "an earlier launch left it allocated";
    if (own && atomic_load_explicit(&alloc->memory.was_taken, memory_order_relaxed))
        return "an exec was made of the graph that leaves it allocated";
    if (own && alloc->lent) return "a node of another graph frees it, or did so once";
    for (const struct free_task *free = alloc->frees; free; free = free->next) {
        if (free->memory.graph == graph->serial) return "a node of this graph frees it already";
        if (free->own) return "a node of the graph that allocates it frees it already";
    }
    return NULL;
}

static const char no_address[] = "it is not the address of an alloc node";

/* The free of what begins at its address; NULL, or why there is none. */
static const char *aim(struct graph_heap *heap, const struct sim_graph *graph, uint64_t address,
                       struct free_task *free)
{
    rl_lock(&heap->lock);
    struct graph_block *block = sim_graph_block_at(heap, address);
    struct alloc_task *alloc = block && block->place.base == address ? block->owner : NULL;
    const char *why = alloc ? refuses(alloc, graph) : no_address;
    if (!why && !catch_task(&alloc->memory.task)) why = no_address;
    if (!why) {
        free->target = alloc;
        free->memory.block = block;
        free->memory.graph = graph->serial;
        free->own = alloc->memory.graph == graph->serial;
        if (!free->own) alloc->lent = true;
        free->next = alloc->frees;
        alloc->frees = free;
        block->references++;
    }
    rl_unlock(&heap->lock);
    return why;
}

rill_status sim_task_free(struct sim_graph *graph, const rill_free_op *op, struct task **task)
{
    struct graph_heap *heap = sim_graph_heap_at(graph->platform, op->address);
    rill_status status = sim_memory_node_fits(graph);
    if (status) return status;
    if (!heap) return fail_free(graph, op->address, no_address);
    struct free_task *free = rl_zalloc(sizeof *free);
    if (!free) return sim_task_short();
    sim_task_init(&free->memory.task, &free_type, 0);
    const char *why = aim(heap, graph, op->address, free);
    if (why) {
        rl_free(free);
        return fail_free(graph, op->address, why);
    }
    *task = &free->memory.task;
    return RILL_SUCCESS;
}
