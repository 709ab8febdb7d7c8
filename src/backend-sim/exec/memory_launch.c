/* SPDX-License-Identifier: Apache-2.0
 *
 * Checks that launches of graphs with memory nodes make, and the memory that they need.
 */
#include <inttypes.h>

#include "backend-sim/memory/heap.h"
#include "backend-sim/node/memory_claims.h"

/* ---- Launching ------------------------------------------------------------------------------ */

static rill_status fail_live(const struct graph_block *block)
{
    char node[RILL_LABEL_MAX];
    sim_graph_block_describe(block, node);
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "exec",
                             "what %s allocated in an earlier launch, 0x%" PRIx64 ", is not freed "
                             "yet; free it first, or make the exec with RILL_EXEC_AUTO_FREE",
                             node, block->place.base);
}

static rill_status fail_gone(const struct graph_block *block)
{
    char node[RILL_LABEL_MAX];
    sim_graph_block_describe(block, node);
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "exec",
                             "it frees what %s allocates, 0x%" PRIx64 ", which is not allocated: "
                             "not launched yet, or freed already",
                             node, block->place.base);
}

static rill_status fail_full(const struct graph_block *block)
{
    char node[RILL_LABEL_MAX];
    const struct sim_device *device = block->heap->device;
    sim_graph_block_describe(block, node);
    return rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, "exec",
                             "%" PRIu64 " bytes for %s do not fit: device %d has %" PRIu64
                             " of %" PRIu64 " bytes left",
                             block->most, node, device->ordinal, sim_heap_left(device->heap),
                             device->memory_bytes);
}

/* Requires heap->lock. */
static rill_status check_use(const struct exec_memory *memory, const struct block_use *use)
{
    const struct graph_block *block = use->block;
    if (use->allocs && block->live && !memory->auto_free) return fail_live(block);
    if (!use->allocs && !block->live) return fail_gone(block);
    return RILL_SUCCESS;
}

/* Makes a block live or no more, as the application sees it once it has launched.  Changes
 * nothing if it fails. */
static rill_status change_block(struct block_use *use)
{
    struct graph_block *block = use->block;
    use->was_live = block->live;
    if (block->live && !use->stays) {
        if (!sim_graph_block_hide(block)) return fail_gone(block); /* it is being freed just now */
        use->ends++;
    }
    if (!block->live && use->stays) {
        if (!sim_graph_block_stand(block, use->share->chunk_set, use->first, use->last))
            return fail_full(block);
        sim_graph_block_show(block, use->bytes);
    }
    block->promised += use->allocs;
    return RILL_SUCCESS;
}

static rill_status launch_use(const struct exec_memory *memory, struct block_use *use)
{
    struct graph_block *block = use->block;
    rl_lock(&block->heap->lock);
    rill_status status = check_use(memory, use);
    if (!status) {
        block->underway += use->allocs + use->frees;
        status = change_block(use);
        if (status) block->underway -= use->allocs + use->frees;
        else if (use->allocs) sim_graph_block_touch(block);
    }
    rl_unlock(&block->heap->lock);
    return status;
}

static void cancel_use(struct block_use *use)
{
    struct graph_block *block = use->block;
    rl_lock(&block->heap->lock);
    block->underway -= use->allocs + use->frees;
    block->promised -= use->allocs;
    if (block->live && !use->was_live) {
        sim_graph_block_hide(block);
        sim_graph_block_leave(block);
    } else if (!block->live && use->was_live) {
        sim_graph_block_show(block, block->allocation.range.bytes);
        use->ends--;
    }
    rl_unlock(&block->heap->lock);
}

static void cancel_uses(struct block_use *uses, uint32_t count)
{
    while (count-- > 0) cancel_use(&uses[count]);
}

/* ---- Memory for launches ------------------------------------------------------------------- */

static rill_status fail_passing(const struct heap_share *share, uint64_t bytes)
{
    const struct sim_device *device = share->heap->device;
    return rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, "exec",
                             "%" PRIu64 " bytes for what a launch allocates do not fit: device %d "
                             "has %" PRIu64 " of %" PRIu64 " bytes left", bytes, device->ordinal,
                             sim_heap_left(device->heap), device->memory_bytes);
}

/* Requires heap->lock. */
static rill_status enter_share(const struct exec_memory *memory, const struct heap_share *share,
                               const struct strand *strand, uint64_t chunks)
{
    struct graph_heap *heap = share->heap;
    uint64_t bytes = chunks * heap->reserve.chunk_bytes;
    if (!chunks || sim_chunk_run_enter(&heap->reserve, strand, memory, bytes)) return RILL_SUCCESS;
    return fail_passing(share, bytes);
}

static void leave_shares(const struct exec_memory *memory, const struct heap_share *end,
                         const struct strand *strand)
{
    for (const struct heap_share *share = memory->shares; share != end; share = share->next) {
        if (!share->passing) continue;
        rl_lock(&share->heap->lock);
        sim_chunk_run_leave(&share->heap->reserve, strand);
        rl_unlock(&share->heap->lock);
    }
}

static rill_status enter_shares(const struct exec_memory *memory, const struct strand *strand)
{
    for (const struct heap_share *share = memory->shares; share; share = share->next) {
        rl_lock(&share->heap->lock);
        rill_status status = enter_share(memory, share, strand, share->passing);
        rl_unlock(&share->heap->lock);
        if (!status) continue;
        leave_shares(memory, share, strand);
        return status;
    }
    return RILL_SUCCESS;
}

/* Gives back what a launch took that then did not get all it needs. */
static rill_status trim_heaps(const struct exec_memory *memory)
{
    for (const struct heap_share *share = memory->shares; share; share = share->next) {
        rl_lock(&share->heap->lock);
        sim_graph_heap_trim(share->heap);
        rl_unlock(&share->heap->lock);
    }
    return RILL_ERROR_OUT_OF_MEMORY;
}

/* Launches all uses, or none. */
static rill_status launch_uses(const struct exec_memory *memory, struct block_use *uses)
{
    for (uint32_t i = 0; i < memory->count; i++) {
        rill_status status = launch_use(memory, &uses[i]);
        if (!status) continue;
        cancel_uses(uses, i);
        return status;
    }
    return RILL_SUCCESS;
}

rill_status sim_exec_memory_launch(struct exec_memory *memory, const struct strand *strand)
{
    rill_status status = launch_uses(memory, memory->uses);
    if (!status) {
        status = enter_shares(memory, strand);
        if (status) cancel_uses(memory->uses, memory->count);
    }
    return status == RILL_ERROR_OUT_OF_MEMORY ? trim_heaps(memory) : status;
}

void sim_exec_memory_cancel(struct exec_memory *memory, const struct strand *strand)
{
    cancel_uses(memory->uses, memory->count);
    leave_shares(memory, NULL, strand);
}

void sim_exec_memory_conclude(struct exec_memory *memory, const struct strand *strand)
{
    leave_shares(memory, NULL, strand);
    for (uint32_t i = 0; i < memory->count; i++) {
        struct block_use *use = &memory->uses[i];
        if (!use->frees || (use->allocs && !memory->auto_free)) continue;
        rl_lock(&use->block->heap->lock);
        if (use->ends) {
            use->ends--;
            sim_graph_block_leave(use->block);
        }
        rl_unlock(&use->block->heap->lock);
    }
}

/* Counts the chunks that are not there.  Those that an earlier launch left in use are. */
static uint64_t count_missing(const struct heap_share *share)
{
    uint64_t chunks = 0;
    for (uint32_t i = 0; i < share->chunks; i++) chunks += !share->chunk_set->blocks[i];
    return chunks;
}

rill_status sim_exec_memory_upload(struct exec_memory *memory, const struct strand *strand)
{
    const struct heap_share *share = memory ? memory->shares : NULL;
    for (; share; share = share->next) {
        struct graph_heap *heap = share->heap;
        rl_lock(&heap->lock);
        uint64_t chunks = count_missing(share);
        rill_status status = enter_share(memory, share, strand, chunks);
        if (!status && chunks) sim_chunk_run_leave(&heap->reserve, strand);
        rl_unlock(&heap->lock);
        if (status) return trim_heaps(memory);
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
        sim_graph_block_end(block, block->begun);
        rl_unlock(&block->heap->lock);
    }
}
