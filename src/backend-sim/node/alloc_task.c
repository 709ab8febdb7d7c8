/* SPDX-License-Identifier: Apache-2.0
 *
 * Alloc nodes: how they are made, and what they do when they run.
 */
#include "backend-sim/node/dot.h"
#include "backend-sim/node/memory_task.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "backend-sim/memory/pool.h"
#include "backend-sim/node/kinds.h"
#include "base/alloc.h"
#include "base/asan.h"

/* Fresh memory is filled with this, all of a small allocation and both ends of a
 * large one, so that tests notice reads of what was never written or was freed. */
#define POISON 0xcd
#define POISON_BYTES ((size_t)512 << 10)

static struct alloc_task *alloc_of(const struct task *task)
{
    return (struct alloc_task *)(uintptr_t)task; /* its first member */
}

/* ---- Running ------------------------------------------------------------------------- */

static void poison_memory(uint64_t address, uint64_t bytes)
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
    rl_asan_allow(block->place.base, alloc->bytes);
    poison_memory(block->place.base, alloc->bytes);
    rl_lock(&block->heap->lock);
    block->begun++;
    block->bytes = alloc->bytes;
    rl_asan_allow(block->place.base, alloc->bytes); /* another life may just have ended */
    block->underway--;
    rl_unlock(&block->heap->lock);
}

/* ---- Names --------------------------------------------------------------------------- */

/* Tells the task which node it is, and the caller the address. */
static void alloc_placed(struct sim_graph *graph, uint32_t slot, struct task *task, rill_op *op)
{
    (void)graph;
    struct alloc_task *alloc = alloc_of(task);
    struct graph_block *block = alloc->memory.block;
    rl_lock(&block->heap->lock);
    alloc->owner.node = slot;
    rl_unlock(&block->heap->lock);
    op->alloc.address = block->place.base;
}

static void alloc_labelled(struct task *task, const char *label)
{
    struct alloc_task *alloc = alloc_of(task);
    rl_lock(&alloc->memory.block->heap->lock);
    snprintf(alloc->owner.label, sizeof alloc->owner.label, "%s", label ? label : "");
    rl_unlock(&alloc->memory.block->heap->lock);
}

rill_status sim_graph_memory_check_named(const struct sim_graph *graph, const char *argument,
                                         uint64_t address)
{
    if (!graph->memory_nodes) return RILL_SUCCESS;
    if (!sim_graph_memory_frees_itself(graph->platform, graph->serial, address))
        return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, argument,
                             "a node of the graph frees 0x%" PRIx64 " already; add those that use "
                             "it before that one", address);
}

/* ---- Alloc nodes ---------------------------------------------------------------------- */

static void alloc_free(struct task *task)
{
    struct alloc_task *alloc = alloc_of(task);
    struct graph_block *block = alloc->memory.block;
    rl_lock(&block->heap->lock);
    if (block->owner == &alloc->owner) block->owner = NULL;
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

/* ---- Addresses that are free again ------------------------------------------------------ */

/* How many predecessors of a new node are searched, the nearest first. */
#define LOOKS 256

struct search {
    struct sim_graph *graph;
    uint32_t stamp;        /* marks nodes that were added */
    uint32_t count;
    uint32_t slots[LOOKS];
};

static void add_to_search(struct search *search, const struct link *links, size_t count)
{
    for (size_t i = 0; i < count && search->count < LOOKS; i++) {
        struct node *node = sim_node(search->graph, links[i].slot);
        if (node->mark == search->stamp) continue;
        node->mark = search->stamp;
        search->slots[search->count++] = links[i].slot;
    }
}

/* Returns the block that a free node gives back, for an allocation that is ordered after
 * it.  Returns NULL if the block is too small, or another allocation took it since. */
static struct graph_block *reuse_block(const struct task *task, const struct graph_heap *heap,
                                       struct alloc_task *alloc)
{
    if (task->kind->op != RILL_OP_FREE) return NULL;
    const struct free_task *free = (const struct free_task *)task;
    struct graph_block *block = free->memory.block;
    if (!free->own || block->heap != heap) return NULL;
    rl_lock(&block->heap->lock);
    bool can = block->owner == &free->target->owner && block->place.bytes >= alloc->bytes &&
               block->face.access == alloc->access;
    if (can) {
        block->references++;
        block->owner = &alloc->owner;
        if (block->most < alloc->bytes) block->most = alloc->bytes;
    }
    rl_unlock(&block->heap->lock);
    return can ? block : NULL;
}

/* Returns what a free node gives back that the new node is ordered after, or NULL. */
static struct graph_block *find_freed(const struct node_site *site, const struct graph_heap *heap,
                                      struct alloc_task *alloc)
{
    struct sim_graph *graph = site->graph;
    struct search search;
    search.graph = graph;
    search.stamp = sim_graph_stamp(graph);
    search.count = 0;
    add_to_search(&search, site->dependencies, site->dependency_count);
    for (uint32_t i = 0; i < search.count; i++) {
        const struct node *node = sim_node(graph, search.slots[i]);
        struct graph_block *block = reuse_block(sim_node_task(graph, search.slots[i]), heap, alloc);
        if (block) return block;
        add_to_search(&search, sim_links(&node->predecessors), node->predecessors.count);
    }
    return NULL;
}

/* ---- Making alloc nodes ------------------------------------------------------------------ */

rill_status sim_memory_node_check(const struct sim_graph *graph, const rill_op *op)
{
    (void)op;
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

/* Gives the allocation a block that is free again, or a fresh one. */
static rill_status obtain_block(const struct node_site *site, struct graph_heap *heap,
                                struct alloc_task *alloc)
{
    if (site->graph->memory_nodes && alloc->bytes <= heap->device->memory_bytes)
        alloc->memory.block = find_freed(site, heap, alloc);
    if (alloc->memory.block) return RILL_SUCCESS;
    rill_status status =
        sim_graph_block_make(heap, alloc->bytes, alloc->access, &alloc->memory.block);
    if (status) return status;
    rl_lock(&heap->lock);
    alloc->memory.block->owner = &alloc->owner;
    rl_unlock(&heap->lock);
    return RILL_SUCCESS;
}

static rill_status alloc_create(const struct node_site *site, const rill_op *op,
                                const struct task *before, struct task **task)
{
    (void)before;
    struct sim_graph *graph = site->graph;
    struct sim_device *device = NULL;
    uint64_t access = 0;
    rill_status status = sim_memory_node_check(graph, op);
    if (!status) status = choose_device(graph, &op->alloc, &device, &access);
    if (status) return status;
    if (!op->alloc.bytes)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "op->alloc.bytes",
                                 "bytes is 0; an allocation has at least 1");
    struct alloc_task *alloc = rl_zalloc(sizeof *alloc);
    if (!alloc) return sim_out_of_memory_for_node();
    sim_task_init(&alloc->memory.task, &sim_kind_alloc, 0);
    alloc->bytes = op->alloc.bytes;
    alloc->access = access;
    alloc->memory.graph = graph->serial;
    alloc->owner.node = BLOCK_NODE_UNKNOWN;
    alloc->owner.graph = graph->serial;
    status = obtain_block(site, device->graphs, alloc);
    if (status) {
        rl_free(alloc);
        return status;
    }
    *task = &alloc->memory.task;
    return RILL_SUCCESS;
}

/* ---- Drawing --------------------------------------------------------------------- */

static void alloc_draw(struct dot *dot, uint32_t slot, const struct task *task,
                       const rill_op *op)
{
    (void)task, (void)op;
    sim_dot_box_plain(dot, slot, "MEM_ALLOC");
    sim_dot_box_end(dot);
}

static void alloc_draw_record(struct dot *dot, uint32_t slot, const struct task *task,
                              const rill_op *op)
{
    (void)task;
    sim_dot_record_begin(dot, "solid", "\nMEM_ALLOC");
    sim_dot_record_id(dot, slot, "");
    sim_dot_put(dot, "}}\n");
    sim_dot_record_label(dot, slot);
    sim_dot_print(dot, "| {{{poolProps | {allocType | handleTypes | {location | {type | id}}} | "
                       "{PINNED | NONE | DEVICE | %d}}}}\n| {{bytesize | dptr} | {%zu | ",
                  op->alloc.device, op->alloc.bytes);
    sim_dot_address(dot, op->alloc.address);
    sim_dot_put(dot, "}}\n");
    sim_dot_record_end(dot);
}

const struct node_kind sim_kind_alloc = {
    .op = RILL_OP_ALLOC, .traits = KIND_IS_MEMORY | KIND_FIXED,
    .run = alloc_run, .free = alloc_free, .read = alloc_read,
    .check = sim_memory_node_check, .create = alloc_create, .placed = alloc_placed,
    .labelled = alloc_labelled,
    .draw = alloc_draw, .draw_record = alloc_draw_record, .record_flag = RILL_DOT_ALLOC_PARAMS,
};
