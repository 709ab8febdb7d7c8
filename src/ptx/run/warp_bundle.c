/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx/run/warp_bundle.h"

#include <string.h>

#include "base/charge.h"
#include "ptx/run/fault.h"
#include "ptx/run/frame.h"
#include "ptx/run/grid.h"
#include "ptx/run/lane_group.h"
#include "ptx/run/vectorize.h"
#include "ptx/run/warp/warp_sync.h"
#include "ptx/run/warp/whole_warp.h"

/* For how many steps the least advanced group may keep all others waiting: fewer if that
 * happens again and again, more when groups merge. */
#define PATIENCE_LEAST 64
#define PATIENCE_MOST 4096

/* Lanes of a row of a bundle, which follow each other along the first of the axes. */
struct row {
    uint32_t lane, lanes;        /* the first one, and how many                        */
    uint32_t at[3];              /* along the axes: the place of the first one         */
};

static void place_row(const struct ptx_bundle *bundle, const unsigned axes[3],
                      const struct row *row)
{
    const size_t all = bundle->lanes;
    uint32_t *first = bundle->places + axes[0] * all + row->lane;
    uint32_t *second = bundle->places + axes[1] * all + row->lane;
    uint32_t *third = bundle->places + axes[2] * all + row->lane;
    const uint32_t x = row->at[0], y = row->at[1], z = row->at[2], lanes = row->lanes;
    PTX_INDEPENDENT for (uint32_t i = 0; i < lanes; i++) first[i] = x + i;
    PTX_INDEPENDENT for (uint32_t i = 0; i < lanes; i++) second[i] = y;
    PTX_INDEPENDENT for (uint32_t i = 0; i < lanes; i++) third[i] = z;
}

/* Widens the box of all threads by those of a row; `corner` and `far` are by axis. */
static void widen_box(const struct ptx_bundle *bundle, const unsigned axes[3],
                      const struct row *row, uint32_t corner[3], uint32_t far[3])
{
    if (row->lane >= bundle->threads) return;
    const uint32_t left = bundle->threads - row->lane, more = row->lanes < left ? row->lanes : left;
    for (unsigned i = 0; i < 3; i++) {
        const uint32_t least = row->at[i], most = i ? least : least + more - 1;
        if (least < corner[axes[i]]) corner[axes[i]] = least;
        if (most > far[axes[i]]) far[axes[i]] = most;
    }
}

/* Finds the places of all lanes, row by row, and the box of all threads. */
static void find_places(struct ptx_bundle *bundle, const unsigned axes[3], const uint32_t size[2])
{
    const uint32_t first = bundle->first;
    uint32_t corner[3] = { UINT32_MAX, UINT32_MAX, UINT32_MAX }, far[3] = { 0, 0, 0 };
    struct row row = { .at = { first % size[0], first / size[0] % size[1],
                               first / size[0] / size[1] } };
    for (; row.lane < bundle->lanes; row.lane += row.lanes) {
        const uint32_t left = bundle->lanes - row.lane, across = size[0] - row.at[0];
        row.lanes = across < left ? across : left;
        place_row(bundle, axes, &row);
        widen_box(bundle, axes, &row, corner, far);
        row.at[0] = 0;
        if (++row.at[1] < size[1]) continue;
        row.at[1] = 0;
        row.at[2]++;
    }
    bundle->upright = true;
    for (unsigned k = 0; k < 3; k++) {
        bundle->corner[k] = corner[k];
        bundle->extent[k] = far[k] - corner[k];
        if (bundle->places[(size_t)k * bundle->lanes] != corner[k]) bundle->upright = false;
    }
}

/* Spreads the lanes out over the block, or over all blocks that are abreast. */
static void spread_out(struct ptx_bundle *bundle)
{
    const uint32_t blocks = bundle->block->abreast;
    static const unsigned alone[] = { 0, 1, 2 }, abreast[] = { 0, 2, 1 };
    const uint32_t *size = bundle->block->launch->block;
    const bool is_alone = bundle->block->abreast == 1;
    const uint32_t sizes[] = { size[0], is_alone ? size[1] : blocks };
    bundle->across = blocks;
    bundle->row_lanes = size[0] * blocks;
    find_places(bundle, is_alone ? alone : abreast, sizes);
    bundle->in_rows = bundle->upright && bundle->first % size[0] == 0;
}

void ptx_bundle_place(struct ptx_bundle *bundle, struct ptx_block *block, uint32_t first,
                      uint32_t threads)
{
    bundle->block = block;
    bundle->first = first;
    bundle->threads = threads;
    bundle->lanes = ptx_lanes_of(threads);
    spread_out(bundle);
}

static void end_all(struct ptx_group *group)
{
    while (group) {
        struct ptx_group *other = group->other;
        ptx_group_end(group);
        group = other;
    }
}

void ptx_bundle_clear(struct ptx_bundle *bundle)
{
    end_all(bundle->groups);
    end_all(bundle->waiting);
    bundle->groups = bundle->waiting = NULL;
}

void ptx_bundle_reset(struct ptx_bundle *bundle, uint32_t threads)
{
    bundle->threads = threads;
    ptx_bundle_clear(bundle);
    ptx_mask_clear(&bundle->alive, bundle->lanes > PTX_BUNDLE);
    for (uint32_t i = 0; i < threads / 64; i++) bundle->alive.bits[i] = UINT64_MAX;
    if (threads % 64) bundle->alive.bits[threads / 64] = (UINT64_C(1) << (threads % 64)) - 1;
    bundle->patience = PATIENCE_MOST;
    bundle->spent = 0;
    bundle->vain = 0;
    bundle->frame_count = bundle->turns = 0;
    bundle->begun = bundle->sync_due = false;
}

void ptx_bundle_leave_out(struct ptx_bundle *bundle, uint32_t from)
{
    const uint32_t *blocks = ptx_blocks_of(bundle);
    for (uint32_t i = 0; i < bundle->threads; i++)
        if (blocks[i] >= from) bundle->alive.bits[i / 64] &= ~(UINT64_C(1) << i % 64);
}

bool ptx_bundle_begin(struct ptx_bundle *bundle)
{
    const struct ptx_kernel *kernel = bundle->block->kernel;
    const struct ptx_program *program = &kernel->code->programs[kernel->program];
    struct ptx_frame *root = ptx_frame_begin(bundle, program);
    if (!root) return false;
    struct ptx_group *group = ptx_group_begin(bundle, root, program->steps, &bundle->alive);
    if (!group) {
        root->references = 1;
        ptx_frame_leave(bundle, root);
        return false;
    }
    ptx_group_list(group);
    bundle->begun = true;
    return true;
}

/* ---- Turns ---------------------------------------------------------------------------- */

static struct ptx_group **longest_waiting(struct ptx_bundle *bundle)
{
    struct ptx_group **found = &bundle->groups;
    for (struct ptx_group **at = found; *at; at = &(*at)->other)
        if ((*at)->turn < (*found)->turn) found = at;
    return found;
}

static struct ptx_group *next_group(struct ptx_bundle *bundle)
{
    struct ptx_group **at = &bundle->groups;
    if (!bundle->groups->other) {
        bundle->spent = 0;
        if (!bundle->waiting && bundle->patience < PATIENCE_MOST) bundle->patience *= 2;
    } else if (bundle->spent >= bundle->patience) {
        bundle->spent = 0;
        if (bundle->patience > PATIENCE_LEAST) bundle->patience /= 2;
        at = longest_waiting(bundle);
    }
    struct ptx_group *group = *at;
    *at = group->other;
    group->turn = ++bundle->turns;
    return group;
}

/* Lists a group whose turn is over where it belongs now. */
static void settle_group(struct ptx_group *group)
{
    struct ptx_bundle *bundle = group->bundle;
    switch ((enum ptx_group_state)group->state) {
    case PTX_RUNNING:
    case PTX_YIELDS:
        ptx_group_list(group);
        break;
    case PTX_AT_BARRIER:
    case PTX_AT_WARP_SYNC:
    case PTX_AT_WHOLE_WARP:
    case PTX_AT_WHOLE_WARPGROUP:
        group->other = bundle->waiting;
        bundle->waiting = group;
        break;
    case PTX_GONE:
        ptx_group_end(group);
        break;
    }
}

/* Charges for what the group ran in its turn.  Returns whether it has run too long. */
__attribute__((noinline))
static bool is_over_limit(const struct ptx_group *group, uint64_t took)
{
    rl_charge_add(took * ptx_mask_count(&group->mask));
    return group->steps > group->block->grid->steps;
}

/* Tells whether there is a limit for which the group has run too long. */
static bool has_run_too_long(const struct ptx_group *group, uint64_t took)
{
    return group->block->grid->steps && is_over_limit(group, took);
}

static void fail_for_length(struct ptx_group *group)
{
    ptx_fail(group, group->next, group->own[0].from, RILL_ERROR_LAUNCH_TIMEOUT, 0,
             "this thread has run %llu instructions and is stopped by the limit of %llu",
             (unsigned long long)group->steps,
             (unsigned long long)group->block->grid->steps);
}

/* A loop that takes a lock, or waits at a barrier in memory, asks in vain until it is free. */
#define VAIN_MOST 4

void ptx_group_note_vain(struct ptx_group *group, bool vain)
{
    if (!vain) {
        group->vain = 0;
    } else if (++group->vain >= VAIN_MOST) {
        group->vain = 0;
        group->gave_up = true;
        group->stop = 0;
        group->bundle->spent = group->bundle->patience;
    }
}

/* Returns true if all groups that could run have given up their turns, one after the other:
 * what they wait for is up to another bundle, or another block. */
static bool has_given_up(struct ptx_bundle *bundle, struct ptx_group *group)
{
    if (!group->gave_up) {
        bundle->vain = 0;
        return false;
    }
    uint32_t groups = 0;
    group->gave_up = false;
    for (const struct ptx_group *at = bundle->groups; at; at = at->other) groups++;
    if (++bundle->vain <= groups) return false;
    bundle->vain = 0;
    return true;
}

uint64_t ptx_bundle_run(struct ptx_bundle *bundle, uint64_t steps)
{
    uint64_t ran = 0;
    while (bundle->groups && ran < steps) {
        struct ptx_group *group = next_group(bundle);
        uint64_t began = group->steps;
        group->stop = began + (steps - ran);
        ptx_group_set_limit(group);
        ptx_group_run(group);
        if (ptx_failed(group)) {
            ptx_group_end(group);
            break;
        }
        /* At least one, for groups that jump nowhere. */
        uint64_t took = group->steps > began ? group->steps - began : 1;
        ran += took;
        if (bundle->groups) bundle->spent += took;
        if (has_run_too_long(group, took)) fail_for_length(group);
        if (has_given_up(bundle, group)) ran = steps;
        settle_group(group);
        if (bundle->sync_due) {
            ptx_warp_sync_wake(bundle);
            ptx_whole_warps_wake(bundle);
        }
    }
    return ran;
}
