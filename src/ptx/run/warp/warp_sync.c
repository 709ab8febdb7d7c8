/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx/run/warp/warp_sync.h"

#include <string.h>

#include "ptx/run/lane_group.h"
#include "ptx/run/checks.h"
#include "ptx/run/warp/warp_op.h"

/* ---- One operation ----------------------------------------------------------------------- */

static const void *source_column(const struct ptx_group *group, uint32_t column, uint32_t first,
                                 uint32_t bytes)
{
    if (column == PTX_NO_COLUMN) return NULL;
    return group->columns + (size_t)column * group->lanes + (size_t)first * bytes;
}

static bool gives_predicate(const struct ptx_step *step)
{
    return step->kind >= PTX_VOTE_ALL && step->kind <= PTX_VOTE_UNI;
}

/* Writes the results of some lanes of a warp into their columns. */
static void deliver_results(const struct ptx_warp_op *op, const struct ptx_group *group,
                            const struct ptx_step *step, uint32_t first, uint32_t lanes)
{
    bool predicate = gives_predicate(step);
    uint32_t flags = predicate ? step->d : step->e;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        if (flags != PTX_NO_COLUMN)
            PTX_COLUMN(group, flags, uint8_t)[first + lane] = op->flag[lane];
        if (!predicate && step->d != PTX_NO_COLUMN)
            PTX_COLUMN(group, step->d, uint32_t)[first + lane] = op->word[lane];
    }
}

void ptx_warp_op_take(struct ptx_group *group, const struct ptx_step *step, uint32_t warp,
                      uint32_t lanes)
{
    uint32_t first = warp * PTX_WARP;
    struct ptx_warp_op op = { .lanes = lanes, .bytes = step->width };
    op.a = source_column(group, step->a, first, step->width);
    op.b = source_column(group, step->b, first, 4);
    op.c = source_column(group, step->c, first, 4);
    ptx_warp_op_compute(&op, step);
    deliver_results(&op, group, step, first, lanes);
}

/* ---- Who is there -------------------------------------------------------------------------- */

static const uint32_t *members_of(const struct ptx_group *group, const struct ptx_step *step)
{
    uint32_t column = group->frame->program->columns[step->more];
    return PTX_COLUMN(group, column, uint32_t);
}

/* Returns the lanes whose members are the same as the lowest lane's. */
static uint32_t lanes_alike(const uint32_t *members, uint32_t lanes)
{
    uint32_t same = 0, first = members[__builtin_ctz(lanes)];
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        same |= (uint32_t)(members[lane] == first) << lane;
    }
    return same;
}

/* Takes the step for a set of lanes. */
static void take_here(struct ptx_group *group, const struct ptx_step *step, uint32_t warp,
                      uint32_t set)
{
    ptx_warp_op_take(group, step, warp, set);
    if (group->block->checks) ptx_checks_meet(group, warp, set);
}

/* Takes the step for all sets of lanes in a warp that are complete in this group; returns the
 * lanes of the other sets. */
static uint32_t sync_here(struct ptx_group *group, const struct ptx_step *step, uint32_t warp)
{
    const uint32_t *members = members_of(group, step) + (size_t)warp * PTX_WARP;
    uint32_t alive = ptx_warp_bits(&group->bundle->alive, warp), missing = 0;
    for (uint32_t rest = ptx_warp_bits(&group->mask, warp); rest;) {
        uint32_t set = lanes_alike(members, rest);
        uint32_t named = members[__builtin_ctz(rest)], wanted = named & alive;
        if (group->block->checks) ptx_checks_members(group, step, warp, set, named);
        if (wanted & ~set)
            missing |= set;
        else
            take_here(group, step, warp, set);
        rest &= ~set;
    }
    return missing;
}

/* Lets the lanes that miss others wait; they are looked at again at the end of the turn. */
static void wait_for_members(struct ptx_group *group, const struct ptx_step *step,
                             const struct ptx_mask *missing)
{
    struct ptx_mask done;
    ptx_mask_copy(&done, &group->mask);
    ptx_mask_remove(&done, missing);
    if (!ptx_mask_is_empty(&done)) {
        struct ptx_group *going = ptx_group_split(group, step, &done, step + 1);
        if (!going) return;
        ptx_group_list(going);
    }
    group->state = PTX_AT_WARP_SYNC;
    group->at = step;
    group->bundle->sync_due = true;
}

void ptx_warp_sync_step(struct ptx_group *group, const struct ptx_step *step)
{
    struct ptx_mask missing;
    ptx_mask_clear(&missing, false);
    if (!ptx_group_keep_guarded(group, step)) return;
    for (uint32_t w = 0; w < group->lanes / PTX_WARP; w++)
        if (ptx_warp_bits(&group->mask, w))
            ptx_add_warp_bits(&missing, w, sync_here(group, step, w));
    if (!ptx_mask_is_empty(&missing)) wait_for_members(group, step, &missing);
}

/* ---- Across groups ------------------------------------------------------------------------- */

/* Lanes with the same members that wait in several groups. */
struct sync_set {
    struct ptx_bundle *bundle;
    uint32_t warp, members;
    uint8_t kind;
    uint32_t there;
};

/* Returns the lanes of a group that belong to the set. */
static uint32_t lanes_of_set(const struct sync_set *set, const struct ptx_group *group)
{
    if (group->state != PTX_AT_WARP_SYNC || group->at->kind != set->kind) return 0;
    const uint32_t *members = members_of(group, group->at) + (size_t)set->warp * PTX_WARP;
    uint32_t part = 0;
    for (uint32_t rest = ptx_warp_bits(&group->mask, set->warp); rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        part |= (uint32_t)(members[lane] == set->members) << lane;
    }
    return part;
}

static bool is_set_complete(struct sync_set *set)
{
    set->there = 0;
    for (const struct ptx_group *group = set->bundle->waiting; group; group = group->other)
        set->there |= lanes_of_set(set, group);
    uint32_t alive = ptx_warp_bits(&set->bundle->alive, set->warp);
    return !(set->members & alive & ~set->there);
}

/* The sources of the lanes, collected from where each of them stands. */
struct collected {
    uint64_t a[PTX_WARP];
    uint32_t b[PTX_WARP], c[PTX_WARP];
};

static void put_lane(void *to, const struct ptx_group *group, uint32_t column, uint32_t lane,
                     uint32_t index, uint32_t bytes)
{
    if (column == PTX_NO_COLUMN) return;
    memcpy((unsigned char *)to + (size_t)index * bytes,
           group->columns + (size_t)column * group->lanes + (size_t)lane * bytes, bytes);
}

static void collect_sources(const struct sync_set *set, const struct ptx_group *group,
                            uint32_t part, struct collected *from)
{
    for (; part; part &= part - 1) {
        uint32_t index = (uint32_t)__builtin_ctz(part), lane = set->warp * PTX_WARP + index;
        put_lane(from->a, group, group->at->a, lane, index, group->at->width);
        put_lane(from->b, group, group->at->b, lane, index, 4);
        put_lane(from->c, group, group->at->c, lane, index, 4);
    }
}

static void compute_set(const struct sync_set *set)
{
    struct collected from = { { 0 }, { 0 }, { 0 } };
    struct ptx_warp_op op = { .lanes = set->there, .a = from.a, .b = from.b, .c = from.c };
    const struct ptx_step *step = NULL;
    for (struct ptx_group *group = set->bundle->waiting; group; group = group->other) {
        uint32_t part = lanes_of_set(set, group);
        if (!part) continue;
        step = group->at;
        op.bytes = step->width;
        collect_sources(set, group, part, &from);
    }
    ptx_warp_op_compute(&op, step);
    if (set->bundle->block->checks)
        ptx_checks_meet(set->bundle->waiting, set->warp, set->there);
    for (struct ptx_group *group = set->bundle->waiting; group; group = group->other) {
        uint32_t part = lanes_of_set(set, group);
        if (part) deliver_results(&op, group, group->at, set->warp * PTX_WARP, part);
    }
}

/* Lets the lanes of the set go on.  Returns false if the launch has failed. */
static bool release_set(const struct sync_set *set)
{
    for (struct ptx_group *group = set->bundle->waiting, *other; group; group = other) {
        other = group->other;
        uint32_t part = lanes_of_set(set, group);
        if (!part) continue;
        struct ptx_mask lanes = { .bits = { 0 } };
        ptx_add_warp_bits(&lanes, set->warp, part);
        if (ptx_mask_is_same(&lanes, &group->mask)) {
            ptx_group_wake(group);
            continue;
        }
        struct ptx_group *going = ptx_group_split(group, group->at, &lanes, group->at + 1);
        if (!going) return false;
        ptx_group_list(going);
    }
    return true;
}

/* Finds the first complete set among the lanes of a group; returns false if there is none. */
static bool find_sync_set(struct ptx_group *group, struct sync_set *set)
{
    const uint32_t *members = members_of(group, group->at);
    *set = (struct sync_set){ .bundle = group->bundle, .kind = group->at->kind };
    for (uint32_t w = 0; w < group->lanes / PTX_WARP; w++)
        for (uint32_t rest = ptx_warp_bits(&group->mask, w); rest;) {
            set->warp = w;
            set->members = members[w * PTX_WARP + (uint32_t)__builtin_ctz(rest)];
            if (is_set_complete(set)) return true;
            rest &= ~lanes_alike(members + (size_t)w * PTX_WARP, rest);
        }
    return false;
}

void ptx_warp_sync_wake(struct ptx_bundle *bundle)
{
    struct sync_set set;
    bundle->sync_due = false;
    for (struct ptx_group *group = bundle->waiting; group;) {
        if (group->state != PTX_AT_WARP_SYNC || !find_sync_set(group, &set)) {
            group = group->other;
            continue;
        }
        compute_set(&set);
        if (!release_set(&set)) return;
        group = bundle->waiting;
    }
}
