/* SPDX-License-Identifier: Apache-2.0
 *
 * Steps that read special registers.  Nothing in them is measured but the clocks: performance
 * counters are zero, and so is what a driver would have written into %envreg, except for
 * the workspace of a cooperative launch.
 */
#include "ptx/builtin/special.h"

#include "ptx/run/vectorize.h"
#include "ptx/run/grid.h"
#include "ptx/text/special_registers.h"
#include "ptx/run/lane_group.h"

/* The lanes' own indices are computed once for each bundle, since all blocks of a grid have
 * the same shape.  Threads of blocks that are abreast have no z. */
static void thread_place(struct ptx_group *group, const struct ptx_step *step)
{
    uint32_t *d = PTX_COLUMN(group, step->d, uint32_t);
    if (step->kind > (group->block->abreast > 1 ? 1 : 2)) {
        PTX_EACH_LANE(group, i) d[i] = 0;
        return;
    }
    const uint32_t *places = group->bundle->places + (size_t)step->kind * group->lanes;
    PTX_EACH_LANE(group, i) d[i] = places[i];
}

static void fill_word(struct ptx_group *group, const struct ptx_step *step, uint32_t value)
{
    uint32_t *d = PTX_COLUMN(group, step->d, uint32_t);
    PTX_EACH_LANE(group, i) d[i] = value;
}

static void fill_long_word(struct ptx_group *group, const struct ptx_step *step, uint64_t value)
{
    uint64_t *d = PTX_COLUMN(group, step->d, uint64_t);
    PTX_EACH_LANE(group, i) d[i] = value;
}

static void zero_word(struct ptx_group *group, const struct ptx_step *step)
{
    fill_word(group, step, 0);
}

static void zero_long_word(struct ptx_group *group, const struct ptx_step *step)
{
    fill_long_word(group, step, 0);
}

/* Returns one of three numbers; the fourth component is always 0. */
static uint32_t component_of(const uint32_t numbers[3], const struct ptx_step *step)
{
    return step->kind < 3 ? numbers[step->kind] : 0;
}

static void block_size(struct ptx_group *group, const struct ptx_step *step)
{
    fill_word(group, step, component_of(group->block->launch->block, step));
}

static void block_place(struct ptx_group *group, const struct ptx_step *step)
{
    const struct ptx_block *block = group->block;
    fill_word(group, step, component_of(block->index, step));
    if (block->abreast == 1 || step->kind != 0) return;
    uint32_t *d = PTX_COLUMN(group, step->d, uint32_t);
    const uint32_t *across = ptx_blocks_of(group->bundle);
    PTX_EACH_LANE(group, i) d[i] += across[i];
}

static void grid_size(struct ptx_group *group, const struct ptx_step *step)
{
    fill_word(group, step, component_of(group->block->launch->grid, step));
}

static void lane_number(struct ptx_group *group, const struct ptx_step *step)
{
    uint32_t *d = PTX_COLUMN(group, step->d, uint32_t);
    PTX_EACH_LANE(group, i) d[i] = i % PTX_WARP;
}

static void warp_number(struct ptx_group *group, const struct ptx_step *step)
{
    uint32_t *d = PTX_COLUMN(group, step->d, uint32_t);
    uint32_t first = group->bundle->first;
    PTX_EACH_LANE(group, i) d[i] = (first + i) / PTX_WARP;
}

static void warp_count(struct ptx_group *group, const struct ptx_step *step)
{
    const uint32_t *n = group->block->launch->block;
    fill_word(group, step, (n[0] * n[1] * n[2] + PTX_WARP - 1) / PTX_WARP);
}

static uint32_t count_processors(const struct ptx_group *group)
{
    uint32_t given = group->block->launch->processors;
    return given ? given : PTX_PROCESSORS;
}

/* Blocks are dealt to the multiprocessors that the device reports. */
static void processor(struct ptx_group *group, const struct ptx_step *step)
{
    fill_word(group, step, (uint32_t)(group->block->number % count_processors(group)));
}

static void processor_count(struct ptx_group *group, const struct ptx_step *step)
{
    fill_word(group, step, count_processors(group));
}

static void grid_number(struct ptx_group *group, const struct ptx_step *step)
{
    fill_long_word(group, step, group->block->launch->grid_id);
}

/* A launch without clusters has one for each block. */
static uint32_t cluster_size(const struct ptx_group *group, unsigned axis)
{
    uint32_t size = group->block->launch->cluster[axis];
    return size ? size : 1;
}

static void is_explicit_cluster(struct ptx_group *group, const struct ptx_step *step)
{
    uint8_t *d = PTX_COLUMN(group, step->d, uint8_t);
    uint8_t value = group->block->launch->cluster[0] != 0;
    PTX_EACH_LANE(group, i) d[i] = value;
}

static void cluster_place(struct ptx_group *group, const struct ptx_step *step)
{
    uint8_t k = step->kind;
    fill_word(group, step, k < 3 ? group->block->index[k] / cluster_size(group, k) : 0);
}

static void cluster_count(struct ptx_group *group, const struct ptx_step *step)
{
    uint8_t k = step->kind;
    fill_word(group, step, k < 3 ? group->block->launch->grid[k] / cluster_size(group, k) : 0);
}

static void place_in_cluster(struct ptx_group *group, const struct ptx_step *step)
{
    uint8_t k = step->kind;
    fill_word(group, step, k < 3 ? group->block->index[k] % cluster_size(group, k) : 0);
}

static void blocks_of_cluster(struct ptx_group *group, const struct ptx_step *step)
{
    fill_word(group, step, step->kind < 3 ? cluster_size(group, step->kind) : 0);
}

static void rank_in_cluster(struct ptx_group *group, const struct ptx_step *step)
{
    uint32_t size[3], at[3];
    for (unsigned k = 0; k < 3; k++) {
        size[k] = cluster_size(group, k);
        at[k] = group->block->index[k] % size[k];
    }
    fill_word(group, step, at[0] + size[0] * (at[1] + size[1] * at[2]));
}

static void size_of_cluster(struct ptx_group *group, const struct ptx_step *step)
{
    fill_word(group, step,
              cluster_size(group, 0) * cluster_size(group, 1) * cluster_size(group, 2));
}

enum { MASK_EQ, MASK_LE, MASK_LT, MASK_GE, MASK_GT };

static void lane_mask(struct ptx_group *group, const struct ptx_step *step, int which)
{
    uint32_t *d = PTX_COLUMN(group, step->d, uint32_t);
    PTX_EACH_LANE(group, i) {
        uint32_t own = UINT32_C(1) << (i % PTX_WARP), below = own - 1;
        d[i] = which == MASK_EQ ? own : which == MASK_LE ? below | own : which == MASK_LT ? below :
               which == MASK_GE ? ~below : ~(below | own);
    }
}

static void lane_mask_eq(struct ptx_group *group, const struct ptx_step *step)
{
    lane_mask(group, step, MASK_EQ);
}

static void lane_mask_le(struct ptx_group *group, const struct ptx_step *step)
{
    lane_mask(group, step, MASK_LE);
}

static void lane_mask_lt(struct ptx_group *group, const struct ptx_step *step)
{
    lane_mask(group, step, MASK_LT);
}

static void lane_mask_ge(struct ptx_group *group, const struct ptx_step *step)
{
    lane_mask(group, step, MASK_GE);
}

static void lane_mask_gt(struct ptx_group *group, const struct ptx_step *step)
{
    lane_mask(group, step, MASK_GT);
}

static uint64_t now(const struct ptx_group *group)
{
    const struct ptx_host *host = group->block->launch->host;
    return host && host->now ? host->now(host->data) : 0;
}

/* Counts a nanosecond as a cycle, and each step that was run as one more: a loop that waits
 * for the clock ends even if time stands still. */
static uint64_t cycles(struct ptx_group *group, const struct ptx_step *step)
{
    return now(group) + ptx_steps_run(group, step);
}

static void clock_low(struct ptx_group *group, const struct ptx_step *step)
{
    fill_word(group, step, (uint32_t)cycles(group, step));
}

static void clock_high(struct ptx_group *group, const struct ptx_step *step)
{
    fill_word(group, step, (uint32_t)(cycles(group, step) >> 32));
}

static void clock_long(struct ptx_group *group, const struct ptx_step *step)
{
    fill_long_word(group, step, cycles(group, step));
}

static void timer_low(struct ptx_group *group, const struct ptx_step *step)
{
    fill_word(group, step, (uint32_t)now(group));
}

static void timer_high(struct ptx_group *group, const struct ptx_step *step)
{
    fill_word(group, step, (uint32_t)(now(group) >> 32));
}

static void timer_long(struct ptx_group *group, const struct ptx_step *step)
{
    fill_long_word(group, step, now(group));
}

static void workspace_high(struct ptx_group *group, const struct ptx_step *step)
{
    fill_word(group, step, (uint32_t)(ptx_grid_workspace(group->block->grid) >> 32));
}

static void workspace_low(struct ptx_group *group, const struct ptx_step *step)
{
    fill_word(group, step, (uint32_t)ptx_grid_workspace(group->block->grid));
}

/* Returns the bytes of shared memory that a block asked for. */
static uint32_t shared_bytes_of(const struct ptx_group *group)
{
    const struct ptx_block *block = group->block;
    return block->kernel->facts.static_shared + block->launch->dynamic_shared;
}

/* As an H200 answers: %total_smem_size is what the block gets, a multiple of the grain, and
 * %aggr_smem_size what it asked for and what is taken for the driver. */
#define SHARED_GRAIN 128u
#define SHARED_RESERVED 1024u

static void shared_size(struct ptx_group *group, const struct ptx_step *step)
{
    const uint32_t bytes = shared_bytes_of(group);
    fill_word(group, step, (bytes + SHARED_GRAIN - 1) / SHARED_GRAIN * SHARED_GRAIN);
}

static void whole_shared_size(struct ptx_group *group, const struct ptx_step *step)
{
    fill_word(group, step, shared_bytes_of(group) + SHARED_RESERVED);
}

static void dynamic_shared_size(struct ptx_group *group, const struct ptx_step *step)
{
    fill_word(group, step, group->block->launch->dynamic_shared);
}

/* ---- By id ------------------------------------------------------------------------------ */

/* Registers that are not named here are 0. */
static ptx_run *const reading[PTX_SPECIAL_REGISTERS] = {
    [PTX_SR_TID] = thread_place, [PTX_SR_NTID] = block_size, [PTX_SR_CTAID] = block_place,
    [PTX_SR_NCTAID] = grid_size, [PTX_SR_LANEID] = lane_number, [PTX_SR_WARPID] = warp_number,
    [PTX_SR_NWARPID] = warp_count, [PTX_SR_SMID] = processor, [PTX_SR_NSMID] = processor_count,
    [PTX_SR_GRIDID] = grid_number, [PTX_SR_IS_EXPLICIT_CLUSTER] = is_explicit_cluster,
    [PTX_SR_CLUSTERID] = cluster_place, [PTX_SR_NCLUSTERID] = cluster_count,
    [PTX_SR_CLUSTER_CTAID] = place_in_cluster, [PTX_SR_CLUSTER_NCTAID] = blocks_of_cluster,
    [PTX_SR_CLUSTER_CTARANK] = rank_in_cluster, [PTX_SR_CLUSTER_NCTARANK] = size_of_cluster,
    [PTX_SR_LANEMASK_EQ] = lane_mask_eq, [PTX_SR_LANEMASK_LE] = lane_mask_le,
    [PTX_SR_LANEMASK_LT] = lane_mask_lt, [PTX_SR_LANEMASK_GE] = lane_mask_ge,
    [PTX_SR_LANEMASK_GT] = lane_mask_gt, [PTX_SR_CLOCK] = clock_low,
    [PTX_SR_CLOCK_HI] = clock_high, [PTX_SR_CLOCK64] = clock_long,
    [PTX_SR_GLOBALTIMER] = timer_long, [PTX_SR_GLOBALTIMER_LO] = timer_low,
    [PTX_SR_GLOBALTIMER_HI] = timer_high, [PTX_SR_TOTAL_SMEM_SIZE] = shared_size,
    [PTX_SR_AGGR_SMEM_SIZE] = whole_shared_size, [PTX_SR_DYNAMIC_SMEM_SIZE] = dynamic_shared_size,
    [PTX_SR_ENVREG1] = workspace_high, [PTX_SR_ENVREG2] = workspace_low,
};

ptx_run *ptx_special_step(uint8_t id)
{
    if (reading[id]) return reading[id];
    return ptx_special_row(id)->type == PTX_U64 ? zero_long_word : zero_word;
}
