/* SPDX-License-Identifier: Apache-2.0
 *
 * The sixteen barriers of a block, and the one of its cluster.
 *
 * Arrivals are counted as measured on GPUs: a warp counts as 32 threads once all of its lanes
 * that have not exited are there; until then its lanes count one by one.
 */
#include "ptx/run/barrier.h"

#include <string.h>

#include "ptx/run/fault.h"
#include "ptx/run/grid.h"
#include "ptx/run/lane_group.h"
#include "ptx/run/checks.h"

#define BARRIERS 16

struct barrier {
    uint32_t arrived;   /* threads: 32 of each warp that is complete                */
    uint32_t single;    /* and lanes of others, whose bits are in `partial`         */
    uint32_t expected;  /* if 0: all threads that have not exited                   */
    uint32_t set;       /* of those that arrived: whose predicate was set, ...      */
    uint32_t clear;     /* ... or not                                               */
    bool used;
    uint32_t thread;    /* that came first, ...                                     */
    const struct ptx_step *first; /* ... and where                                  */
    uint32_t *partial;  /* for each warp                                            */
};

struct ptx_barriers {
    uint32_t warps;
    uint32_t used;      /* barriers at which a lane has arrived                     */
    struct barrier each[BARRIERS];
};

size_t ptx_barriers_bytes(uint32_t warps)
{
    return sizeof(struct ptx_barriers) + BARRIERS * sizeof(uint32_t) * warps;
}

struct ptx_barriers *ptx_barriers_place(void *memory, uint32_t warps)
{
    struct ptx_barriers *barriers = memory;
    barriers->warps = warps;
    for (uint32_t i = 0; i < BARRIERS; i++)
        barriers->each[i].partial = (uint32_t *)(void *)(barriers + 1) + (size_t)i * warps;
    return barriers;
}

static void reset_barrier(struct ptx_barriers *barriers, struct barrier *barrier)
{
    if (!barrier->used) return;
    uint32_t *partial = barrier->partial;
    if (barrier->single) memset(partial, 0, sizeof *partial * barriers->warps);
    *barrier = (struct barrier){ .partial = partial };
    barriers->used--;
}

void ptx_barriers_reset(struct ptx_barriers *barriers)
{
    for (uint32_t i = 0; i < BARRIERS && barriers->used; i++)
        reset_barrier(barriers, &barriers->each[i]);
}

/* ---- Who has come ----------------------------------------------------------------------- */

static uint32_t alive_of(const struct ptx_block *block, uint32_t warp)
{
    const uint32_t each = block->bundle_lanes / PTX_WARP;
    return ptx_warp_bits(&block->bundles[warp / each].alive, warp % each);
}

static void count_warp(const struct ptx_block *block, struct barrier *barrier, uint32_t warp)
{
    uint32_t there = barrier->partial[warp];
    if (!there || alive_of(block, warp) & ~there) return;
    barrier->single -= (uint32_t)__builtin_popcount(there);
    barrier->partial[warp] = 0;
    barrier->arrived += PTX_WARP;
}

static void count_group(const struct ptx_group *group, struct barrier *barrier)
{
    uint32_t first = group->bundle->first / PTX_WARP;
    for (uint32_t w = 0; w < group->lanes / PTX_WARP; w++) {
        uint32_t bits = ptx_warp_bits(&group->mask, w) & ~barrier->partial[first + w];
        if (!bits) continue;
        barrier->partial[first + w] |= bits;
        barrier->single += (uint32_t)__builtin_popcount(bits);
        count_warp(group->block, barrier, first + w);
    }
}

static bool is_barrier_complete(const struct ptx_block *block, const struct barrier *barrier)
{
    uint32_t expected = barrier->expected;
    if (!expected) {
        for (uint32_t w = 0; w < block->barriers->warps; w++)
            if (alive_of(block, w)) expected += PTX_WARP;
    }
    return barrier->arrived + barrier->single >= expected;
}

/* ---- Going on --------------------------------------------------------------------------- */

/* Writes what a reduction has come to into the lanes of a group. */
static void write_reduction(struct ptx_group *group, const struct ptx_step *step,
                            const struct barrier *barrier)
{
    if (step->kind == PTX_BARRIER_POPC) {
        uint32_t *d = PTX_COLUMN(group, step->d, uint32_t);
        PTX_EACH_LANE(group, i) d[i] = barrier->set;
    } else if (step->kind == PTX_BARRIER_AND || step->kind == PTX_BARRIER_OR) {
        uint8_t *d = PTX_COLUMN(group, step->d, uint8_t);
        uint8_t value = step->kind == PTX_BARRIER_AND ? !barrier->clear : barrier->set != 0;
        PTX_EACH_LANE(group, i) d[i] = value;
    }
}

static void wake_bundle(struct ptx_bundle *bundle, uint32_t number, const struct barrier *barrier)
{
    for (struct ptx_group *group = bundle->waiting, *other; group; group = other) {
        other = group->other;
        if (group->state != PTX_AT_BARRIER || group->barrier != number) continue;
        write_reduction(group, group->at, barrier);
        ptx_group_wake(group);
    }
}

static void complete_barrier(struct ptx_block *block, uint32_t number)
{
    struct barrier *barrier = &block->barriers->each[number];
    if (block->checks) ptx_checks_complete(block, number);
    for (uint32_t i = 0; i < block->bundle_count; i++)
        wake_bundle(&block->bundles[i], number, barrier);
    reset_barrier(block->barriers, barrier);
}

/* ---- Clusters --------------------------------------------------------------------------- */

/* The number by which groups know the barrier of the cluster. */
#define OF_CLUSTER BARRIERS

static bool is_phase_over(const struct ptx_block *block)
{
    for (uint32_t rank = 0; rank < block->cluster_blocks; rank++) {
        const struct ptx_block *each = ptx_cluster_block(block, rank);
        for (uint32_t i = 0; i < each->bundle_count; i++) {
            struct ptx_mask missing = each->bundles[i].alive;
            ptx_mask_remove(&missing, &each->bundles[i].arrived);
            if (!ptx_mask_is_empty(&missing)) return false;
        }
    }
    return true;
}

static void wake_from_phase(struct ptx_bundle *bundle)
{
    for (struct ptx_group *group = bundle->waiting, *other; group; group = other) {
        other = group->other;
        if (group->state != PTX_AT_BARRIER || group->barrier != OF_CLUSTER) continue;
        ptx_group_wake(group);
    }
}

/* Ends the phase of the cluster's barrier if all threads have arrived that have not exited. */
static void settle_phase(struct ptx_block *block)
{
    if (!is_phase_over(block)) return;
    block->cluster->arrivals = false;
    for (uint32_t rank = 0; rank < block->cluster_blocks; rank++) {
        struct ptx_block *each = ptx_cluster_block(block, rank);
        if (each->checks) ptx_checks_meet_cluster(each);
        for (uint32_t i = 0; i < each->bundle_count; i++) {
            each->bundles[i].arrived = (struct ptx_mask){ .bits = { 0 } };
            wake_from_phase(&each->bundles[i]);
        }
    }
}

static void arrive_at_cluster(struct ptx_group *group, const struct ptx_step *step)
{
    struct ptx_mask again, *arrived = &group->bundle->arrived;
    ptx_mask_copy(&again, &group->mask);
    ptx_mask_remove(&again, arrived);
    if (!ptx_mask_is_same(&again, &group->mask)) {
        ptx_fail(group, step, group->own[0].from, RILL_ERROR_ILLEGAL_INSTRUCTION, 0,
                 "a thread arrives at the barrier of its cluster again, and has not waited");
        return;
    }
    ptx_mask_add(arrived, &group->mask);
    group->block->cluster->arrivals = true;
    settle_phase(group->block);
    ptx_group_set_limit(group);
}

/* Waits if the phase in which the lanes arrived is not over; those that did not arrive go on. */
static void wait_for_cluster(struct ptx_group *group, const struct ptx_step *step)
{
    struct ptx_mask gone, waits;
    ptx_mask_copy(&gone, &group->mask);
    ptx_mask_copy(&waits, &group->mask);
    ptx_mask_remove(&gone, &group->bundle->arrived);
    ptx_mask_remove(&waits, &gone);
    if (ptx_mask_is_empty(&waits) || !ptx_group_keep(group, step, &waits, step + 1)) return;
    group->state = PTX_AT_BARRIER;
    group->barrier = OF_CLUSTER;
    group->at = step;
}

void ptx_cluster_barrier_step(struct ptx_group *group, const struct ptx_step *step)
{
    if (!ptx_group_keep_guarded(group, step)) return;
    if (step->kind == PTX_CLUSTER_ARRIVE) arrive_at_cluster(group, step);
    else wait_for_cluster(group, step);
}

/* ---- Threads that have exited ----------------------------------------------------------- */

void ptx_barriers_after_exit(struct ptx_block *block)
{
    struct ptx_barriers *barriers = block->barriers;
    if (block->cluster->arrivals) settle_phase(block);
    for (uint32_t i = 0; i < BARRIERS && barriers->used; i++) {
        struct barrier *barrier = &barriers->each[i];
        if (!barrier->used) continue;
        for (uint32_t w = 0; w < barriers->warps; w++) count_warp(block, barrier, w);
        if (is_barrier_complete(block, barrier)) complete_barrier(block, i);
    }
}

/* ---- The step --------------------------------------------------------------------------- */

/* Returns true if the group has all threads that are left, and none came before. */
static bool is_only_arrival(const struct ptx_group *group, const struct barrier *barrier,
                            uint32_t count)
{
    const struct ptx_block *block = group->block;
    return block->bundle_count == 1 && !barrier->used && !count &&
           ptx_mask_is_same(&group->mask, &group->bundle->alive);
}

static void count_votes(struct ptx_group *group, const struct ptx_step *step,
                        struct barrier *barrier)
{
    if (step->c == PTX_NO_COLUMN) return;
    struct ptx_mask set;
    ptx_lanes_where(group, step->c, false, &set);
    uint32_t count = ptx_mask_count(&set);
    barrier->set += count;
    barrier->clear += ptx_mask_count(&group->mask) - count;
}

static void check_arrival(struct ptx_group *group, const struct ptx_step *step,
                          const struct barrier *barrier, uint32_t number, uint32_t count)
{
    const struct ptx_arrival arrival = {
        .barrier = number, .count = count, .first = barrier->first, .thread = barrier->thread,
        .expected = barrier->expected,
    };
    ptx_checks_barrier(group, step, &arrival);
}

static void arrive_at_barrier(struct ptx_group *group, const struct ptx_step *step, uint32_t number,
                              uint32_t count)
{
    struct ptx_block *block = group->block;
    struct barrier *barrier = &block->barriers->each[number];
    bool alone = is_only_arrival(group, barrier, count);
    if (block->checks) check_arrival(group, step, barrier, number, count);
    if (alone && block->checks) ptx_checks_meet_all(block);
    if (alone && step->kind == PTX_BARRIER_SYNC) return;
    if (!alone && block->checks)
        ptx_checks_arrive(group, number, step->kind != PTX_BARRIER_ARRIVE);
    if (!barrier->used) {
        barrier->used = true;
        barrier->first = step;
        barrier->thread = ptx_thread_of(group, group->own[0].from);
        block->barriers->used++;
    }
    count_votes(group, step, barrier);
    if (count) barrier->expected = count;
    if (!alone) count_group(group, barrier);
    if (alone || is_barrier_complete(block, barrier)) {
        write_reduction(group, step, barrier);
        complete_barrier(block, number);
        ptx_group_set_limit(group);
    } else if (step->kind != PTX_BARRIER_ARRIVE) {
        group->state = PTX_AT_BARRIER;
        group->barrier = (uint8_t)number;
        group->at = step;
    }
}

static uint32_t barrier_operand(const struct ptx_group *group, uint32_t column, uint32_t lane)
{
    return column == PTX_NO_COLUMN ? 0 : PTX_COLUMN(group, column, uint32_t)[lane];
}

/* Keeps the lanes that name the same barrier and count; the others come to the step again. */
static bool keep_same_barrier(struct ptx_group *group, const struct ptx_step *step, uint32_t lane)
{
    struct ptx_mask same;
    ptx_mask_copy(&same, &group->mask);
    ptx_keep_alike(group, step->a, 4, lane, &same);
    if (step->b != PTX_NO_COLUMN) ptx_keep_alike(group, step->b, 4, lane, &same);
    return ptx_group_keep(group, step, &same, step);
}

void ptx_barrier_step(struct ptx_group *group, const struct ptx_step *step)
{
    if (!ptx_group_keep_guarded(group, step)) return;
    uint32_t lane = group->own[0].from;
    uint32_t number = barrier_operand(group, step->a, lane);
    uint32_t count = barrier_operand(group, step->b, lane);
    if (!keep_same_barrier(group, step, lane)) return;
    if (number >= BARRIERS)
        ptx_fail(group, step, lane, RILL_ERROR_ILLEGAL_INSTRUCTION, 0,
                 "there is no barrier %u: they are numbered from 0 to 15", number);
    else if (step->b != PTX_NO_COLUMN && (count == 0 || count % PTX_WARP != 0))
        ptx_fail(group, step, lane, RILL_ERROR_ILLEGAL_INSTRUCTION, 0,
                 "a barrier for %u threads: the count must be a multiple of 32, and not 0", count);
    else
        arrive_at_barrier(group, step, number, count);
}
