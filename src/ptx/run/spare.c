/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx/run/spare.h"

#include <string.h>

#include "base/park.h"
#include "ptx/run/block.h"
#include "ptx/run/cut.h"
#include "ptx/run/frame.h"
#include "ptx/run/lane_group.h"
#include "ptx/run/warp_bundle.h"

/* Turns in a row for which a block keeps its thread. */
#define KEPT_TURNS 1024

/* Attempts in vain to begin a frame, with none that was left between them, after which no group
 * can be expected to return. */
#define VAIN_MOST (1u << 22)

enum { FREE, KEPT, PUT_ASIDE };

/* ---- Its memory ------------------------------------------------------------------------- */

struct layout {
    uint32_t lanes, frame_count, local_bytes;
    size_t frame_bytes, group_bytes;
    size_t groups, frames, local, bytes; /* for each block of a cluster */
};

static size_t whole_lines(size_t bytes)
{
    return (bytes + 63) & ~(size_t)63;
}

static struct layout lay_out_spare(const struct ptx_kernel *kernel, const struct ptx_launch *launch)
{
    const struct ptx_code *code = kernel->code;
    const struct ptx_program *widest = &code->programs[kernel->program];
    const uint32_t depth = kernel->call_depth;
    const struct ptx_cut cut = ptx_cut_block(kernel, launch);
    const uint32_t local = widest->local_bytes;
    struct layout at = { .lanes = cut.lanes };
    if (depth && code->widest && code->widest->lane_bytes > widest->lane_bytes)
        widest = code->widest;
    at.frame_bytes = whole_lines(ptx_frame_bytes(widest, cut.bundle_lanes));
    at.frame_count = cut.bundles * (depth + 1);
    at.local_bytes = ((local + 15) & ~15u) + depth * ((code->most_local + 15) & ~15u);
    at.group_bytes = whole_lines(ptx_group_bytes(cut.bundle_lanes));
    at.frames = at.groups + at.lanes * at.group_bytes;
    at.local = at.frames + at.frame_count * at.frame_bytes;
    at.bytes = at.local + (depth ? whole_lines((size_t)at.lanes * at.local_bytes) : 0);
    return at;
}

size_t ptx_spare_bytes(const struct ptx_kernel *kernel, const struct ptx_launch *launch)
{
    return lay_out_spare(kernel, launch).bytes * ptx_cluster_size(launch);
}

/* ---- Giving and taking back ------------------------------------------------------------- */

static void give_to(struct ptx_block *block, const struct layout *at, unsigned char *memory)
{
    for (uint32_t i = 0; i < at->lanes; i++) {
        struct ptx_group *group = (void *)(memory + at->groups + i * at->group_bytes);
        group->other = block->free_groups;
        block->free_groups = group;
    }
    for (uint32_t i = 0; i < at->frame_count; i++) {
        struct ptx_frame *frame =
            ptx_frame_place(memory + at->frames + i * at->frame_bytes, at->frame_bytes);
        frame->parent = block->free_frames;
        block->free_frames = frame;
    }
    block->spare = memory;
    block->starved = 0;
}

static bool is_inside(const void *piece, const unsigned char *memory, size_t bytes)
{
    return (uintptr_t)piece - (uintptr_t)memory < bytes;
}

static void take_from(struct ptx_block *block, const struct layout *at)
{
    for (uint32_t i = 0; i < block->bundle_count; i++) ptx_bundle_clear(&block->bundles[i]);
    for (struct ptx_group **group = &block->free_groups; *group;)
        if (is_inside(*group, block->spare, at->bytes)) *group = (*group)->other;
        else group = &(*group)->other;
    for (struct ptx_frame **frame = &block->free_frames; *frame;)
        if (is_inside(*frame, block->spare, at->bytes)) *frame = (*frame)->parent;
        else frame = &(*frame)->parent;
    if (is_inside(block->bundles[0].local, block->spare, at->bytes)) ptx_local_restore(block);
    block->spare = NULL;
}

static void give_all(struct ptx_block *first, unsigned char *memory)
{
    const struct layout at = lay_out_spare(first->kernel, first->launch);
    for (uint32_t i = 0; i < first->cluster_blocks; i++)
        give_to(ptx_cluster_block(first, i), &at, memory + i * at.bytes);
}

void ptx_spare_leave(struct ptx_block *block)
{
    struct ptx_spare *spare = &block->grid->spare;
    if (!block->spare) return;
    const struct layout at = lay_out_spare(block->kernel, block->launch);
    for (uint32_t i = 0; i < block->cluster_blocks; i++)
        take_from(ptx_cluster_block(block, i), &at);
    rl_lock(&spare->lock);
    spare->holder = NULL;
    atomic_store_explicit(&spare->state, FREE, memory_order_relaxed);
    rl_unlock(&spare->lock);
    rl_unpark(&spare->state, INT32_MAX);
}

/* Asks the host for the memory, once. */
static unsigned char *find_memory(struct ptx_spare *spare, const struct ptx_host *host)
{
    if (!spare->memory && host->reserve) spare->memory = host->reserve(host->data);
    return spare->memory;
}

/* Returns FREE if the block became the holder, or there is no memory; else what the holder's
 * state is. */
static unsigned try_to_hold(struct ptx_block *first)
{
    struct ptx_spare *spare = &first->grid->spare;
    rl_lock(&spare->lock);
    unsigned state = atomic_load_explicit(&spare->state, memory_order_relaxed);
    unsigned char *memory = spare->holder ? NULL : find_memory(spare, first->launch->host);
    if (memory) {
        spare->holder = first;
        spare->turns = 0;
        atomic_store_explicit(&spare->state, KEPT, memory_order_relaxed);
        give_all(first, memory);
    }
    rl_unlock(&spare->lock);
    return state;
}

bool ptx_spare_take(struct ptx_block *block)
{
    struct ptx_block *first = block->cluster;
    unsigned state;
    if (first->spare) return false;
    while ((state = try_to_hold(first)) == KEPT)
        rl_park(&first->grid->spare.state, KEPT, RL_FOREVER);
    return first->spare != NULL;
}

bool ptx_spare_keeps(struct ptx_block *block)
{
    struct ptx_spare *spare = &block->grid->spare;
    if (!block->spare) return false;
    if (spare->turns < KEPT_TURNS) {
        spare->turns++;
        return true;
    }
    atomic_store_explicit(&spare->state, PUT_ASIDE, memory_order_release);
    rl_unpark(&spare->state, INT32_MAX);
    return false;
}

/* ---- While it is held ------------------------------------------------------------------- */

bool ptx_spare_waits(struct ptx_block *block)
{
    return block->spare && ++block->starved < VAIN_MOST;
}

bool ptx_spare_local(struct ptx_block *block, uint32_t bytes)
{
    ptx_spare_take(block);
    if (!block->spare) return false;
    const struct layout at = lay_out_spare(block->kernel, block->launch);
    unsigned char *local = block->spare + at.local;
    if (bytes > at.local_bytes || is_inside(block->bundles[0].local, block->spare, at.bytes))
        return false;
    memset(local, 0, (size_t)at.lanes * at.local_bytes);
    for (uint32_t i = 0; i < at.lanes && block->local_bytes; i++) {
        const struct ptx_bundle *bundle = &block->bundles[i / block->bundle_lanes];
        memcpy(local + (size_t)i * at.local_bytes,
               bundle->local + (size_t)(i - bundle->first) * block->local_bytes,
               block->local_bytes);
    }
    ptx_local_move(block, local, at.local_bytes);
    return true;
}
