/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx/run/block.h"

#include <string.h>

#include "base/alloc.h"
#include "ptx/run/barrier.h"
#include "ptx/run/checks.h"
#include "ptx/run/cut.h"
#include "ptx/run/fault.h"
#include "ptx/run/frame.h"
#include "ptx/run/grid.h"
#include "ptx/run/lane_group.h"
#include "ptx/run/memory.h"
#include "ptx/run/spare.h"
#include "ptx/run/warp_bundle.h"

/* Steps of a bundle before the next one's turn: fewer once a bundle has used them up. */
#define BUNDLE_STEPS_LEAST 512
#define BUNDLE_STEPS_MOST 16384

/* ---- Memory ----------------------------------------------------------------------------- */

/* Where everything lies in the memory of a block, from its struct on.  From `places` on
 * nothing is zeroed beforehand. */
struct layout {
    struct ptx_cut cut;
    uint32_t local_bytes;
    size_t frame_bytes, group_bytes;
    size_t bundles, barriers, tlb, shared, local, places, chain, guarded, scratch, frames,
        groups, bytes;
};

static size_t whole_lines(size_t bytes)
{
    return (bytes + 63) & ~(size_t)63;
}

static struct layout lay_out_block(const struct ptx_kernel *kernel, const struct ptx_launch *launch)
{
    const struct ptx_program *program = &kernel->code->programs[kernel->program];
    const size_t shared = (size_t)ptx_shared_pitch(kernel, launch) *
                          ptx_blocks_abreast(kernel, launch);
    struct layout at = { .cut = ptx_cut_block(kernel, launch),
                         .local_bytes = (program->local_bytes + 15) & ~15u };
    const size_t lanes = at.cut.lanes, bundles = at.cut.bundles;
    at.frame_bytes = ptx_frame_bytes(program, at.cut.bundle_lanes);
    at.group_bytes = whole_lines(ptx_group_bytes(at.cut.bundle_lanes));
    at.bundles = whole_lines(sizeof(struct ptx_block));
    at.barriers = at.bundles + whole_lines(bundles * sizeof(struct ptx_bundle));
    at.tlb = at.barriers + whole_lines(ptx_barriers_bytes((uint32_t)lanes / PTX_WARP));
    at.shared = at.tlb + whole_lines(sizeof(struct ptx_tlb));
    at.local = at.shared + whole_lines(shared + 16);
    at.places = at.local + whole_lines(lanes * at.local_bytes);
    at.chain = at.places + whole_lines(3 * sizeof(uint32_t) * lanes);
    at.guarded = at.chain + whole_lines(sizeof(struct ptx_chain));
    at.scratch = at.guarded + whole_lines(at.cut.bundle_lanes / 2 * sizeof(struct ptx_range));
    at.frames = at.scratch + whole_lines(kernel->code->scratch_bytes);
    at.groups = at.frames + bundles * at.frame_bytes;
    at.bytes = at.groups + bundles * at.group_bytes;
    return at;
}

size_t ptx_block_bytes(const struct ptx_kernel *kernel, const struct ptx_launch *launch)
{
    return lay_out_block(kernel, launch).bytes * ptx_cluster_size(launch);
}

/* Places a bundle, and what it needs to begin. */
static void place_bundle(struct ptx_block *block, const struct layout *at, uint32_t number)
{
    unsigned char *memory = (unsigned char *)block;
    const uint32_t most = at->cut.bundle_lanes;
    uint32_t first = number * most, left = at->cut.threads - first;
    struct ptx_bundle *bundle = &block->bundles[number];
    bundle->local = memory + at->local + (size_t)first * at->local_bytes;
    bundle->places = (uint32_t *)(void *)(memory + at->places) + 3 * (size_t)first;
    ptx_bundle_place(bundle, block, first, left < most ? left : most);
    struct ptx_frame *frame =
        ptx_frame_place(memory + at->frames + number * at->frame_bytes, at->frame_bytes);
    frame->parent = block->free_frames;
    block->free_frames = frame;
    struct ptx_group *group = (void *)(memory + at->groups + number * at->group_bytes);
    group->other = block->free_groups;
    block->free_groups = group;
}

/* Places the block of a rank in its cluster. */
static void place_block(struct ptx_grid *grid, const struct layout *layout, unsigned char *bytes,
                        uint32_t rank)
{
    const struct layout at = *layout;
    struct ptx_block *block = (void *)bytes;
    memset(block, 0, at.places);
    *block = (struct ptx_block){
        .grid = grid, .launch = &grid->launch, .kernel = grid->kernel, .params = grid->params,
        .bytes = at.bytes, .local_bytes = at.local_bytes, .bundle_count = at.cut.bundles,
        .bundle_lanes = at.cut.bundle_lanes,
        .cluster = (void *)(bytes - rank * at.bytes), .rank = rank,
        .cluster_blocks = ptx_cluster_size(&grid->launch),
        .abreast = ptx_blocks_abreast(grid->kernel, &grid->launch),
        .shared_bytes = grid->kernel->static_shared + grid->launch.dynamic_shared,
        .shared_pitch = ptx_shared_pitch(grid->kernel, &grid->launch),
        .shared = bytes + at.shared, .bundles = (void *)(bytes + at.bundles),
        .tlb = (void *)(bytes + at.tlb), .chain = (void *)(bytes + at.chain),
        .guarded = (void *)(bytes + at.guarded), .scratch = bytes + at.scratch,
        .watched = grid->launch.checks || grid->launch.footprint || grid->launch.pauses,
        .by_lane = grid->launch.checks || grid->launch.pauses,
    };
    block->barriers =
        ptx_barriers_place(bytes + at.barriers, at.cut.lanes / PTX_WARP);
    block->chain->take = NULL;
    ptx_tlb_init(block->tlb, grid->launch.host);
    ptx_grid_show_workspace(grid, &block->tlb->workspace);
    for (uint32_t i = 0; i < at.cut.bundles; i++) place_bundle(block, &at, i);
}

struct ptx_block *ptx_block_place(struct ptx_grid *grid, void *memory)
{
    const struct layout at = lay_out_block(grid->kernel, &grid->launch);
    const uint32_t blocks = ptx_cluster_size(&grid->launch);
    for (uint32_t i = 0; i < blocks; i++)
        place_block(grid, &at, (unsigned char *)memory + i * at.bytes, i);
    return memory;
}

struct ptx_block *ptx_block_make(struct ptx_grid *grid)
{
    void *memory = rl_alloc_aligned(ptx_block_bytes(grid->kernel, &grid->launch), 64);
    return memory ? ptx_block_place(grid, memory) : NULL;
}

/* Frees a piece that is not part of the block's own memory. */
static void free_beside(const struct ptx_block *block, void *piece)
{
    uintptr_t at = (uintptr_t)piece, begin = (uintptr_t)block;
    if (at < begin || at >= begin + block->bytes) rl_free(piece);
}

static void free_pools(struct ptx_block *block)
{
    for (struct ptx_group *group = block->free_groups; group;) {
        struct ptx_group *other = group->other;
        free_beside(block, group);
        group = other;
    }
    for (struct ptx_frame *frame = block->free_frames; frame;) {
        struct ptx_frame *parent = frame->parent;
        free_beside(block, frame);
        frame = parent;
    }
}

static void clear_block(struct ptx_block *block)
{
    ptx_checks_end(block);
    for (uint32_t i = 0; i < block->bundle_count; i++) {
        ptx_bundle_clear(&block->bundles[i]);
        if (block->stretched) rl_free(block->bundles[i].local);
    }
    free_pools(block);
}

void ptx_block_clear(struct ptx_block *block)
{
    for (uint32_t i = 0; i < block->cluster_blocks; i++) clear_block(ptx_cluster_block(block, i));
}

static void begin_block(struct ptx_block *block, uint64_t number)
{
    const uint32_t *grid = block->launch->grid;
    block->number = number;
    block->index[0] = (uint32_t)(number % grid[0]);
    block->index[1] = (uint32_t)(number / grid[0] % grid[1]);
    block->index[2] = (uint32_t)(number / grid[0] / grid[1]);
    block->bundle_steps = BUNDLE_STEPS_MOST;
    ptx_barriers_reset(block->barriers);
    if (block->launch->checks) ptx_checks_begin(block);
    for (uint32_t i = 0; i < block->bundle_count; i++)
        ptx_bundle_reset(&block->bundles[i], block->bundles[i].threads);
}

/* Begins some of a row's blocks, as many as are left of it.  They are one bundle. */
static void begin_abreast(struct ptx_block *block, uint64_t number)
{
    const uint32_t across = block->launch->grid[0], most = block->abreast;
    const uint64_t turns = (across + most - 1) / most;
    const uint32_t x = (uint32_t)(number % turns) * most;
    begin_block(block, number / turns * across + x);
    if (across - x < most) ptx_bundle_leave_out(block->bundles, across - x);
}

/* Begins the blocks of a cluster, each at its place in the grid. */
static void begin_cluster(struct ptx_block *first, uint64_t number)
{
    const uint32_t *grid = first->launch->grid, *size = first->launch->cluster;
    const uint64_t across = grid[0] / size[0], down = grid[1] / size[1];
    const uint64_t x = number % across * size[0], y = number / across % down * size[1],
                   z = number / across / down * size[2];
    for (uint32_t i = 0; i < first->cluster_blocks; i++) {
        uint64_t row = y + i / size[0] % size[1], layer = z + i / size[0] / size[1];
        begin_block(ptx_cluster_block(first, i),
                    x + i % size[0] + grid[0] * (row + grid[1] * layer));
    }
}

void ptx_block_begin(struct ptx_block *block, uint64_t number)
{
    if (block->cluster_blocks > 1) begin_cluster(block, number);
    else if (block->abreast > 1) begin_abreast(block, number);
    else begin_block(block, number);
}

/* ---- Local memory ----------------------------------------------------------------------- */

static unsigned char *stretch_local(const struct ptx_bundle *bundle, uint32_t from, uint32_t to)
{
    unsigned char *wider = rl_zalloc_lines((size_t)to * bundle->lanes);
    if (wider)
        for (uint32_t i = 0; i < bundle->lanes && from; i++)
            memcpy(wider + (size_t)i * to, bundle->local + (size_t)i * from, from);
    return wider;
}

bool ptx_local_reserve(struct ptx_block *block, uint32_t bytes)
{
    uint32_t old = block->local_bytes;
    if (bytes <= old) return true;
    if (bytes > PTX_MOST_LOCAL) return false;
    uint32_t more = bytes < 2 * old ? 2 * old : bytes;
    more = more > PTX_MOST_LOCAL ? PTX_MOST_LOCAL : (more + 15) & ~15u;
    unsigned char *wider[64];
    for (uint32_t i = 0; i < block->bundle_count; i++)
        if (!(wider[i] = stretch_local(&block->bundles[i], old, more))) {
            while (i-- > 0) rl_free(wider[i]);
            return ptx_spare_local(block, bytes);
        }
    for (uint32_t i = 0; i < block->bundle_count; i++) {
        if (block->stretched) rl_free(block->bundles[i].local);
        block->bundles[i].local = wider[i];
    }
    block->stretched = true;
    block->local_bytes = more;
    return true;
}

void ptx_local_move(struct ptx_block *block, unsigned char *local, uint32_t bytes)
{
    for (uint32_t i = 0; i < block->bundle_count; i++) {
        struct ptx_bundle *bundle = &block->bundles[i];
        if (block->stretched) rl_free(bundle->local);
        bundle->local = local + (size_t)bundle->first * bytes;
    }
    block->stretched = false;
    block->local_bytes = bytes;
}

void ptx_local_restore(struct ptx_block *block)
{
    const struct layout at = lay_out_block(block->kernel, block->launch);
    ptx_local_move(block, (unsigned char *)block + at.local, at.local_bytes);
}

/* ---- Running ---------------------------------------------------------------------------- */

static bool has_block_failed(const struct ptx_block *block)
{
    return atomic_load_explicit(&block->launch->fault->status, memory_order_relaxed) != 0;
}

bool ptx_block_is_over(const struct ptx_block *block)
{
    for (uint32_t i = 0; i < block->bundle_count; i++)
        if (!block->bundles[i].begun || block->bundles[i].groups || block->bundles[i].waiting)
            return false;
    return true;
}

/* Returns true if some group ran. */
static bool run_bundles(struct ptx_block *block, uint64_t *ran)
{
    bool moved = false;
    for (uint32_t i = 0; i < block->bundle_count && !has_block_failed(block); i++) {
        struct ptx_bundle *bundle = &block->bundles[i];
        if (!bundle->begun && !ptx_bundle_begin(bundle)) {
            moved = true;
            if (ptx_spare_waits(block)) continue;
            ptx_grid_fail(block->grid, RILL_ERROR_OUT_OF_MEMORY,
                          "there is no memory for the registers of a block");
            return true;
        }
        if (!bundle->groups) continue;
        moved = true;
        uint64_t took = ptx_bundle_run(bundle, block->bundle_steps);
        if (took >= block->bundle_steps && block->bundle_steps > BUNDLE_STEPS_LEAST)
            block->bundle_steps /= 2;
        *ran += took;
    }
    return moved;
}

/* Fails the launch on behalf of a thread of the cluster that waits. */
static void fail_cluster_deadlock(const struct ptx_block *first)
{
    for (uint32_t i = 0; i < first->cluster_blocks; i++)
        ptx_fail_deadlock(ptx_cluster_block(first, i));
}

/* Gives each block of a cluster its turn, as a block does with its bundles. */
static bool run_cluster(struct ptx_block *first, uint64_t steps)
{
    for (uint64_t ran = 0; ran < steps;) {
        bool moved = false, over = true;
        for (uint32_t i = 0; i < first->cluster_blocks; i++) {
            struct ptx_block *block = ptx_cluster_block(first, i);
            block->touches = first->touches;
            moved |= run_bundles(block, &ran);
        }
        if (has_block_failed(first)) return false;
        for (uint32_t i = 0; i < first->cluster_blocks && over; i++)
            over = ptx_block_is_over(ptx_cluster_block(first, i));
        if (over) return false;
        if (!moved) {
            fail_cluster_deadlock(first);
            return false;
        }
    }
    return true;
}

bool ptx_block_run(struct ptx_block *block, uint64_t steps)
{
    if (block->cluster_blocks > 1) return run_cluster(block, steps);
    for (uint64_t ran = 0; ran < steps;) {
        bool moved = run_bundles(block, &ran);
        if (has_block_failed(block) || ptx_block_is_over(block)) return false;
        if (!moved) {
            ptx_fail_deadlock(block);
            return false;
        }
    }
    return true;
}
