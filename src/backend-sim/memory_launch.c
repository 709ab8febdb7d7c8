/* SPDX-License-Identifier: Apache-2.0
 *
 * What execs and launches of graphs with memory nodes must heed.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "backend-sim/heap.h"
#include "backend-sim/memory_nodes.h"
#include "base/alloc.h"

/* All that an exec does with one block. */
struct use {
    struct graph_block *block;
    uint64_t bytes;            /* of the last alloc node                       */
    uint32_t allocs, frees;    /* nodes                                        */
    bool stays;                /* a launch leaves it allocated                 */
    bool was_live;             /* before the latest launch; the caller's       */
};

struct exec_memory {
    bool auto_free;
    uint32_t count;             /* of uses                                     */
    uint32_t task_count;
    struct memory_task **tasks; /* retained; in the order of the nodes         */
    struct use uses[];
};

/* ---- What is forbidden ------------------------------------------------------------------ */

rill_status sim_memory_nodes_forbid(const struct sim_graph *graph, const char *what)
{
    if (!graph->memory_nodes) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, "graph",
                             "a graph that allocates or frees memory cannot %s", what);
}

/* ---- Collecting --------------------------------------------------------------------------- */

static void collect(struct exec_memory *memory, const struct sim_graph *graph)
{
    for (uint32_t slot = graph->first; slot != NODE_NONE; slot = sim_node(graph, slot)->next) {
        struct task *task = sim_node(graph, slot)->task;
        rill_op_kind kind = task->type->kind;
        if (kind == RILL_OP_ALLOC || kind == RILL_OP_FREE) {
            sim_task_retain(task);
            memory->tasks[memory->task_count++] = (struct memory_task *)task;
        } else if (kind == RILL_OP_GRAPH) {
            const struct sim_graph *child = sim_graph_of(((struct child_task *)task)->graph);
            if (child->memory_nodes) collect(memory, child);
        }
    }
}

struct step {
    const struct memory_task *task;
    uint32_t number; /* in the order of the nodes */
};

static int compare(const void *one, const void *two)
{
    const struct step *a = one, *b = two;
    if (a->task->block != b->task->block) return a->task->block < b->task->block ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

static void add_step(struct use *use, const struct memory_task *task)
{
    use->block = task->block;
    use->stays = task->task.type->kind == RILL_OP_ALLOC;
    if (use->stays) use->bytes = ((const struct alloc_task *)task)->bytes;
    if (use->stays) use->allocs++;
    else use->frees++;
}

/* One use for each block; false when memory is short. */
static bool sum_up(struct exec_memory *memory)
{
    uint32_t count = memory->task_count;
    struct step *steps = rl_alloc(count * sizeof *steps);
    if (!steps) return false;
    for (uint32_t i = 0; i < count; i++) steps[i] = (struct step){ memory->tasks[i], i };
    qsort(steps, count, sizeof *steps, compare);
    for (uint32_t i = 0; i < count; i++) {
        if (!i || steps[i].task->block != steps[i - 1].task->block) memory->count++;
        add_step(&memory->uses[memory->count - 1], steps[i].task);
    }
    rl_free(steps);
    return true;
}

static struct exec_memory *make(const struct sim_graph *graph)
{
    size_t most = graph->memory_nodes;
    struct exec_memory *memory = rl_zalloc(sizeof *memory + most * sizeof *memory->uses +
                                           most * sizeof *memory->tasks);
    if (!memory) return NULL;
    memory->tasks = (struct memory_task **)(void *)(memory->uses + most);
    collect(memory, graph);
    if (sum_up(memory)) return memory;
    sim_exec_memory_free(memory);
    return NULL;
}

/* ---- Graph and exec ---------------------------------------------------------------------- */

static void let_go(struct exec_memory *memory, uint32_t count)
{
    while (count-- > 0)
        atomic_store_explicit(&memory->tasks[count]->taken, false, memory_order_release);
}

static rill_status take_all(struct exec_memory *memory)
{
    for (uint32_t i = 0; i < memory->task_count; i++) {
        if (!atomic_exchange_explicit(&memory->tasks[i]->taken, true, memory_order_acq_rel))
            continue;
        let_go(memory, i);
        return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, "graph",
                                 "a graph that allocates or frees memory has one exec at a time; "
                                 "destroy the other one first");
    }
    return RILL_SUCCESS;
}

rill_status sim_exec_memory_take(struct sim_graph *graph, uint32_t flags,
                                 struct exec_memory **out)
{
    *out = NULL;
    if (!graph->memory_nodes) return RILL_SUCCESS;
    struct exec_memory *memory = make(graph);
    if (!memory)
        return rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, NULL, "no memory for an exec");
    memory->auto_free = flags & RILL_EXEC_AUTO_FREE;
    rill_status status = take_all(memory);
    if (status) sim_exec_memory_free(memory);
    else *out = memory;
    return status;
}

void sim_exec_memory_end(struct exec_memory *memory)
{
    if (memory) let_go(memory, memory->task_count);
}

void sim_exec_memory_free(struct exec_memory *memory)
{
    if (!memory) return;
    for (uint32_t i = 0; i < memory->task_count; i++) sim_task_release(&memory->tasks[i]->task);
    rl_free(memory);
}

/* ---- Launching ------------------------------------------------------------------------------ */

static rill_status fail_live(const struct graph_block *block)
{
    char node[RILL_LABEL_MAX];
    sim_memory_node_words(block, node);
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "exec",
                             "what %s allocated in an earlier launch, 0x%" PRIx64 ", is not freed "
                             "yet; free it first, or make the exec with RILL_EXEC_AUTO_FREE",
                             node, block->place.base);
}

static rill_status fail_gone(const struct graph_block *block)
{
    char node[RILL_LABEL_MAX];
    sim_memory_node_words(block, node);
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "exec",
                             "it frees what %s allocates, 0x%" PRIx64 ", which is not allocated: "
                             "not launched yet, or freed already",
                             node, block->place.base);
}

static rill_status fail_full(const struct graph_block *block)
{
    char node[RILL_LABEL_MAX];
    const struct sim_device *device = block->heap->device;
    sim_memory_node_words(block, node);
    return rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, "exec",
                             "%" PRIu64 " bytes for %s do not fit: device %d has %" PRIu64
                             " of %" PRIu64 " bytes left",
                             block->most, node, device->ordinal, sim_heap_left(device->heap),
                             device->memory_bytes);
}

/* Under the heap's lock. */
static rill_status check(const struct exec_memory *memory, const struct use *use)
{
    const struct graph_block *block = use->block;
    if (use->allocs && block->live && !memory->auto_free) return fail_live(block);
    if (!use->allocs && !block->live) return fail_gone(block);
    return RILL_SUCCESS;
}

/* How a launch changes what the program may count on; false when somebody is just
 * freeing the block. */
static bool change(struct use *use)
{
    struct graph_block *block = use->block;
    use->was_live = block->live;
    if (block->live && !use->stays && !sim_graph_block_hide(block)) return false;
    if (!block->live && use->stays) sim_graph_block_show(block, use->bytes);
    block->promised += use->allocs;
    return true;
}

static rill_status launch(const struct exec_memory *memory, struct use *use)
{
    struct graph_block *block = use->block;
    rl_lock(&block->heap->lock);
    rill_status status = check(memory, use);
    if (!status) {
        block->underway += use->allocs + use->frees;
        if (use->allocs && !sim_graph_block_hold(block)) status = fail_full(block);
        else if (!change(use)) status = fail_gone(block);
        if (status) block->underway -= use->allocs + use->frees;
    }
    rl_unlock(&block->heap->lock);
    return status;
}

static void cancel(struct use *use)
{
    struct graph_block *block = use->block;
    rl_lock(&block->heap->lock);
    block->underway -= use->allocs + use->frees;
    block->promised -= use->allocs;
    if (block->live && !use->was_live) sim_graph_block_hide(block);
    else if (!block->live && use->was_live)
        sim_graph_block_show(block, block->allocation.range.bytes);
    rl_unlock(&block->heap->lock);
}

static void cancel_first(struct exec_memory *memory, uint32_t count)
{
    while (count-- > 0) cancel(&memory->uses[count]);
}

/* What a launch took that then did not get all it needs. */
static void give_back(struct graph_heap *heap)
{
    rl_lock(&heap->lock);
    sim_graph_heap_trim(heap);
    rl_unlock(&heap->lock);
}

rill_status sim_exec_memory_launch(struct exec_memory *memory)
{
    if (!memory) return RILL_SUCCESS;
    for (uint32_t i = 0; i < memory->count; i++) {
        rill_status status = launch(memory, &memory->uses[i]);
        if (!status) continue;
        cancel_first(memory, i);
        if (status == RILL_ERROR_OUT_OF_MEMORY) give_back(memory->uses[i].block->heap);
        return status;
    }
    return RILL_SUCCESS;
}

void sim_exec_memory_cancel(struct exec_memory *memory)
{
    if (memory) cancel_first(memory, memory->count);
}

rill_status sim_exec_memory_upload(struct exec_memory *memory)
{
    for (uint32_t i = 0; memory && i < memory->count; i++) {
        struct graph_block *block = memory->uses[i].block;
        if (!memory->uses[i].allocs) continue;
        rl_lock(&block->heap->lock);
        block->underway++;
        rill_status status = sim_graph_block_hold(block) ? RILL_SUCCESS : fail_full(block);
        block->underway--;
        rl_unlock(&block->heap->lock);
        if (!status) continue;
        give_back(block->heap);
        return status;
    }
    return RILL_SUCCESS;
}

void sim_exec_memory_begin(const struct exec_memory *memory)
{
    if (!memory || !memory->auto_free) return;
    for (uint32_t i = 0; i < memory->count; i++) {
        struct graph_block *block = memory->uses[i].block;
        if (!memory->uses[i].allocs) continue;
        rl_lock(&block->heap->lock);
        if (block->ended < block->begun) block->ended = block->begun;
        rl_unlock(&block->heap->lock);
    }
}
