/* SPDX-License-Identifier: Apache-2.0
 *
 * Claims the memory nodes of a graph for an exec: what the exec does with each block, and
 * where its allocations lie.
 */
#include "backend-sim/node/memory_claims.h"

#include <stdlib.h>

#include "base/alloc.h"

/* ---- Collecting --------------------------------------------------------------------------- */

static void collect_tasks(struct exec_memory *memory, const struct sim_graph *graph)
{
    for (uint32_t slot = graph->first; slot != NODE_NONE; slot = sim_node(graph, slot)->next) {
        struct task *task = sim_node_task(graph, slot);
        rill_graph *const *graphs;
        uint32_t count = sim_task_graphs(task, &graphs);
        for (uint32_t i = 0; i < count; i++) {
            const struct sim_graph *inside = sim_graph_of(graphs[i]);
            if (inside->memory_nodes) collect_tasks(memory, inside);
        }
        if (!(task->kind->traits & KIND_IS_MEMORY)) continue;
        sim_task_retain(task);
        memory->tasks[memory->task_count++] = (struct memory_task *)task;
    }
}

struct step {
    const struct memory_task *task;
    uint32_t number; /* in the order of the nodes */
};

static int compare_steps(const void *one, const void *two)
{
    const struct step *a = one, *b = two;
    const struct range *here = &a->task->block->place, *there = &b->task->block->place;
    if (here->base != there->base) return here->base < there->base ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

static void add_step(struct block_use *use, const struct memory_task *task)
{
    use->block = task->block;
    use->stays = task->task.kind->op == RILL_OP_ALLOC;
    if (use->stays) use->bytes = ((const struct alloc_task *)task)->bytes;
    if (use->stays) use->allocs++;
    else use->frees++;
}

/* Makes one use for each block.  Returns false if memory is short. */
static bool sum_up_uses(struct exec_memory *memory)
{
    uint32_t count = memory->task_count;
    struct step *steps = rl_alloc(count * sizeof *steps);
    if (!steps) return false;
    for (uint32_t i = 0; i < count; i++) steps[i] = (struct step){ memory->tasks[i], i };
    qsort(steps, count, sizeof *steps, compare_steps);
    for (uint32_t i = 0; i < count; i++) {
        if (!i || steps[i].task->block != steps[i - 1].task->block) memory->count++;
        add_step(&memory->uses[memory->count - 1], steps[i].task);
    }
    rl_free(steps);
    return true;
}

/* ---- Where allocations lie ------------------------------------------------------------------ */

/* Completes a share whose allocations take `bytes`.  Returns false if memory is short. */
static bool end_share(struct heap_share *share, uint64_t bytes)
{
    uint64_t chunk = share->heap->reserve.chunk_bytes;
    share->chunks = share->passing = (bytes + chunk - 1) / chunk;
    share->chunk_set = sim_chunk_set_make(share->chunks);
    return share->chunk_set;
}

static bool begin_share(struct exec_memory *memory, struct graph_heap *heap)
{
    struct heap_share *share = rl_zalloc(sizeof *share);
    if (!share) return false;
    share->heap = heap;
    share->next = memory->shares;
    memory->shares = share;
    return true;
}

/* Lays the allocations next to each other in the order of their addresses, in which those of one
 * heap follow each other.  Returns false if memory is short. */
static bool lay_out_allocations(struct exec_memory *memory)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < memory->count; i++) {
        struct block_use *use = &memory->uses[i];
        struct graph_heap *heap = use->block->heap;
        if (!use->allocs) continue;
        if (!memory->shares || memory->shares->heap != heap) {
            if (memory->shares && !end_share(memory->shares, bytes)) return false;
            if (!begin_share(memory, heap)) return false;
            bytes = 0;
        }
        use->share = memory->shares;
        use->first = (uint32_t)(bytes / heap->reserve.chunk_bytes);
        bytes += use->block->place.bytes;
        use->last = (uint32_t)((bytes - 1) / heap->reserve.chunk_bytes);
    }
    return !memory->shares || end_share(memory->shares, bytes);
}

/* Subtracts the chunks of allocations that a launch leaves in use; the uses come in their order. */
static void subtract_staying(struct exec_memory *memory)
{
    const struct heap_share *share = NULL;
    uint32_t next = 0; /* the first chunk that is not subtracted yet */
    for (uint32_t i = 0; i < memory->count; i++) {
        const struct block_use *use = &memory->uses[i];
        if (!use->share || !use->stays) continue;
        if (use->share != share) next = 0;
        share = use->share;
        uint32_t first = use->first > next ? use->first : next;
        if (use->last >= first) use->share->passing -= use->last + 1 - first;
        next = use->last + 1;
    }
}

static struct exec_memory *make_exec_memory(const struct sim_graph *graph)
{
    size_t most = graph->memory_nodes;
    struct exec_memory *memory = rl_zalloc(sizeof *memory + most * sizeof *memory->uses +
                                           most * sizeof *memory->tasks);
    if (!memory) return NULL;
    memory->tasks = (struct memory_task **)(void *)(memory->uses + most);
    collect_tasks(memory, graph);
    if (sum_up_uses(memory) && lay_out_allocations(memory)) {
        subtract_staying(memory);
        return memory;
    }
    sim_exec_memory_free(memory);
    return NULL;
}

/* ---- Graph and exec ---------------------------------------------------------------------- */

static void unclaim_tasks(struct exec_memory *memory, uint32_t count)
{
    while (count-- > 0)
        atomic_store_explicit(&memory->tasks[count]->claimed, false, memory_order_release);
}

static rill_status claim_tasks(struct exec_memory *memory)
{
    for (uint32_t i = 0; i < memory->task_count; i++) {
        if (!atomic_exchange_explicit(&memory->tasks[i]->claimed, true, memory_order_acq_rel))
            continue;
        unclaim_tasks(memory, i);
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
    struct exec_memory *memory = make_exec_memory(graph);
    if (!memory)
        return rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, NULL, "no memory for an exec");
    memory->auto_free = flags & RILL_EXEC_AUTO_FREE;
    rill_status status = claim_tasks(memory);
    if (status) sim_exec_memory_free(memory);
    else *out = memory;
    return status;
}

void sim_exec_memory_keep(struct exec_memory *memory)
{
    for (uint32_t i = 0; memory && i < memory->task_count; i++)
        atomic_store_explicit(&memory->tasks[i]->ever_claimed, true, memory_order_relaxed);
}

void sim_exec_memory_end(struct exec_memory *memory)
{
    if (memory) unclaim_tasks(memory, memory->task_count);
}

void sim_exec_memory_free(struct exec_memory *memory)
{
    if (!memory) return;
    while (memory->shares) {
        struct heap_share *share = memory->shares;
        memory->shares = share->next;
        rl_lock(&share->heap->lock);
        sim_chunk_set_release(share->chunk_set);
        rl_unlock(&share->heap->lock);
        rl_free(share);
    }
    for (uint32_t i = 0; i < memory->task_count; i++) sim_task_release(&memory->tasks[i]->task);
    rl_free(memory);
}
