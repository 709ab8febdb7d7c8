/* SPDX-License-Identifier: Apache-2.0
 *
 * Free nodes: how they are made, and what they do when they run.
 */
#include <inttypes.h>

#include "backend-sim/node/dot.h"
#include "backend-sim/node/kinds.h"
#include "backend-sim/node/memory_task.h"
#include "base/alloc.h"

static struct free_task *free_of(const struct task *task)
{
    return (struct free_task *)(uintptr_t)task; /* its first member */
}

/* Ends the life that the alloc node before it began in this launch. */
static void free_run(struct task *task)
{
    struct graph_block *block = free_of(task)->memory.block;
    rl_lock(&block->heap->lock);
    sim_graph_block_end(block, block->begun);
    block->underway--;
    rl_unlock(&block->heap->lock);
}

/* Returns the list that the task is in. */
static struct free_task **frees_of(const struct free_task *free)
{
    return free->target ? &free->target->frees : &free->memory.block->late;
}

static void free_free(struct task *task)
{
    struct free_task *free = free_of(task);
    struct graph_block *block = free->memory.block;
    rl_lock(&block->heap->lock);
    struct free_task **link = frees_of(free);
    while (*link != free) link = &(*link)->next;
    *link = free->next;
    if (free->own) free->target->owner.own_frees--;
    rl_unlock(&block->heap->lock);
    if (free->target) sim_task_release(&free->target->memory.task);
    sim_graph_block_release(block);
    rl_free(free);
}

static void free_read(const struct task *task, rill_op *op)
{
    op->free.address = free_of(task)->memory.block->place.base;
}

/* ---- Making ----------------------------------------------------------------------- */

static rill_status fail_free(struct sim_graph *graph, uint64_t address, const char *why)
{
    graph->tried_memory = true;
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "op->free.address",
                             "0x%" PRIx64 " cannot be freed by this node: %s", address, why);
}

/* Retains a task that may be on its way out. */
static bool try_retain_task(struct task *task)
{
    unsigned seen = atomic_load_explicit(&task->references, memory_order_relaxed);
    while (seen && !atomic_compare_exchange_weak_explicit(&task->references, &seen, seen + 1,
                                                          memory_order_relaxed,
                                                          memory_order_relaxed))
        continue;
    return seen;
}

/* Returns why a graph must not free an allocation, or NULL if it may.  What its own graph
 * frees, no other graph frees, and the other way round; each of them frees it once. */
static const char *find_objection(const struct alloc_task *alloc, const struct sim_graph *graph)
{
    bool own = alloc->memory.graph == graph->serial;
    if (own && alloc->memory.block->live) return "an earlier launch left it allocated";
    if (own && atomic_load_explicit(&alloc->memory.ever_claimed, memory_order_relaxed))
        return "an exec was made of the graph that leaves it allocated";
    if (own && alloc->freed_elsewhere) return "a node of another graph frees it, or did so once";
    for (const struct free_task *free = alloc->frees; free; free = free->next) {
        if (free->memory.graph == graph->serial) return "a node of this graph frees it already";
        if (free->own) return "a node of the graph that allocates it frees it already";
    }
    return NULL;
}

static const char no_address[] = "it is not the address of an alloc node";

/* Does the same for what is allocated still while its alloc node is gone: any other graph may
 * free it, once. */
static const char *find_late_objection(const struct graph_block *block,
                                       const struct sim_graph *graph)
{
    if (!block->live) return no_address;
    for (const struct free_task *free = block->late; free; free = free->next)
        if (free->memory.graph == graph->serial) return "a node of this graph frees it already";
    return NULL;
}

/* Finds the alloc node whose memory begins at the address and retains its task; *target is
 * NULL if the node is gone.  Returns NULL, or why that memory cannot be freed. */
static const char *find_target(struct graph_block *block, const struct sim_graph *graph,
                               uint64_t address, struct alloc_task **target)
{
    *target = NULL;
    if (!block || block->place.base != address) return no_address;
    if (!block->owner) return find_late_objection(block, graph);
    struct alloc_task *alloc = sim_alloc_of_owner(block->owner);
    const char *why = find_objection(alloc, graph);
    if (!why && !try_retain_task(&alloc->memory.task)) why = find_late_objection(block, graph);
    else if (!why) *target = alloc;
    return why;
}

static void count_free(struct free_task *free, struct alloc_task *target)
{
    free->own = target->memory.graph == free->memory.graph;
    if (free->own) target->owner.own_frees++;
    else target->freed_elsewhere = true;
}

/* Aims a free at what begins at its address.  Returns NULL, or why that cannot be freed. */
static const char *aim_free(struct graph_heap *heap, const struct sim_graph *graph,
                            uint64_t address, struct free_task *free)
{
    rl_lock(&heap->lock);
    struct graph_block *block = sim_graph_block_at(heap, address);
    const char *why = find_target(block, graph, address, &free->target);
    if (!why) {
        free->memory.block = block;
        free->memory.graph = graph->serial;
        if (free->target) count_free(free, free->target);
        free->next = *frees_of(free);
        *frees_of(free) = free;
        block->references++;
    }
    rl_unlock(&heap->lock);
    return why;
}

static rill_status free_create(const struct node_site *site, const rill_op *op,
                               const struct task *before, struct task **task)
{
    (void)before;
    const uint64_t address = op->free.address;
    struct sim_graph *graph = site->graph;
    struct graph_heap *heap = sim_graph_heap_at(graph->platform, address);
    rill_status status = sim_memory_node_check(graph, op);
    if (status) return status;
    if (!heap) return fail_free(graph, address, no_address);
    struct free_task *free = rl_zalloc(sizeof *free);
    if (!free) return sim_out_of_memory_for_node();
    sim_task_init(&free->memory.task, &sim_kind_free, 0);
    const char *why = aim_free(heap, graph, address, free);
    if (why) {
        rl_free(free);
        return fail_free(graph, address, why);
    }
    *task = &free->memory.task;
    return RILL_SUCCESS;
}

/* ---- Drawing --------------------------------------------------------------------- */

static void free_draw(struct dot *dot, uint32_t slot, const struct task *task,
                      const rill_op *op)
{
    (void)task, (void)op;
    sim_dot_box_plain(dot, slot, "MEM_FREE");
    sim_dot_box_end(dot);
}

static void free_draw_record(struct dot *dot, uint32_t slot, const struct task *task,
                             const rill_op *op)
{
    (void)task;
    sim_dot_record_begin(dot, "solid", "\nMEM_FREE");
    sim_dot_record_id(dot, slot, "");
    sim_dot_put(dot, "}}\n");
    sim_dot_record_label(dot, slot);
    sim_dot_put(dot, "| {{dptr} | {");
    sim_dot_address(dot, op->free.address);
    sim_dot_put(dot, "}}\n");
    sim_dot_record_end(dot);
}

const struct node_kind sim_kind_free = {
    .op = RILL_OP_FREE, .traits = KIND_IS_MEMORY | KIND_FIXED | KIND_CHECKED_LATE,
    .run = free_run, .free = free_free, .read = free_read,
    .check = sim_memory_node_check, .create = free_create,
    .draw = free_draw, .draw_record = free_draw_record, .record_flag = RILL_DOT_FREE_PARAMS,
};
