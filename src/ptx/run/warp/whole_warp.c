/* SPDX-License-Identifier: Apache-2.0
 *
 * Lanes that wait until they are a whole warp.  They take no part in the step until then: once
 * the last ones are there all of them come to it again, as one group.
 */
#include "ptx/run/warp/whole_warp.h"

#include "ptx/run/fault.h"

#define ALL_LANES UINT32_MAX
#define WARPGROUP 4u /* warps */

/* ---- Warps that go together --------------------------------------------------------------- */

/* Returns true if a mask has all lanes of the `span` warps, from a multiple of it on, to which
 * a warp belongs. */
static bool is_whole(const struct ptx_mask *mask, uint32_t warp, uint32_t span)
{
    uint32_t lanes = ALL_LANES;
    for (uint32_t w = warp / span * span, end = w + span; w < end; w++)
        lanes &= ptx_warp_bits(mask, w);
    return lanes == ALL_LANES;
}

/* Returns how many warps a group waits to have together. */
static uint32_t span_of(const struct ptx_group *group)
{
    return group->state == PTX_AT_WHOLE_WARPGROUP ? WARPGROUP : 1;
}

/* ---- What is wrong ------------------------------------------------------------------------ */

/* Fails for a warp of which only these lanes can take the step. */
static void fail_without(struct ptx_group *group, const struct ptx_step *step, uint32_t warp,
                         uint32_t lanes, const char *why)
{
    ptx_fail(group, step, warp * PTX_WARP + (uint32_t)__builtin_ctz(lanes),
             RILL_ERROR_ILLEGAL_INSTRUCTION, 0,
             "all 32 threads of a warp take this instruction together; of this one %d %s",
             32 - __builtin_popcount(lanes), why);
}

/* Returns false if a thread of the warps has ended, or never was; the launch has failed then. */
static bool is_complete_for_ever(struct ptx_group *group, const struct ptx_step *step,
                                 uint32_t warp, uint32_t span)
{
    const struct ptx_mask *alive = &group->bundle->alive;
    if (is_whole(alive, warp, span)) return true;
    if (span == 1)
        fail_without(group, step, warp, ptx_warp_bits(alive, warp), "have ended or are not there");
    else
        ptx_fail(group, step, warp * PTX_WARP, RILL_ERROR_ILLEGAL_INSTRUCTION, 0,
                 "all 128 threads of a warpgroup take this instruction together; some of this one "
                 "have ended or are not there");
    return false;
}

/* ---- Arriving ----------------------------------------------------------------------------- */

/* Keeps the lanes for which the guard holds.  Returns false if nothing is left to do. */
static bool keep_guarded_warps(struct ptx_group *group, const struct ptx_step *step)
{
    struct ptx_mask lanes;
    switch (ptx_guarded(group, step, &lanes)) {
    case PTX_NO_LANE: return false;
    case PTX_ALL_LANES: return true;
    default: break;
    }
    for (uint32_t w = 0; w < group->lanes / PTX_WARP; w++) {
        uint32_t part = ptx_warp_bits(&lanes, w);
        if (!part || part == ptx_warp_bits(&group->mask, w)) continue;
        fail_without(group, step, w, part, "do not, as their guards say");
        return false;
    }
    return ptx_group_keep(group, step, &lanes, step + 1);
}

static void wait_for_others(struct ptx_group *group, const struct ptx_step *step, uint32_t span)
{
    group->state = span == 1 ? PTX_AT_WHOLE_WARP : PTX_AT_WHOLE_WARPGROUP;
    group->at = step;
    group->bundle->sync_due = true;
}

/* Returns true if lanes are left that take the step now: `span` warps together, or several times
 * as many.  The others wait. */
static bool come_together(struct ptx_group *group, const struct ptx_step *step, uint32_t span)
{
    struct ptx_mask parts, whole;
    ptx_mask_clear(&parts, false);
    if (!keep_guarded_warps(group, step)) return false;
    PTX_EACH_WARP(group, w) {
        if (is_whole(&group->mask, w, span)) continue;
        if (!is_complete_for_ever(group, step, w, span)) return false;
        ptx_add_warp_bits(&parts, w, ptx_warp_bits(&group->mask, w));
    }
    if (ptx_mask_is_empty(&parts)) return true;
    ptx_mask_copy(&whole, &group->mask);
    ptx_mask_remove(&whole, &parts);
    if (!ptx_mask_is_empty(&whole)) {
        struct ptx_group *again = ptx_group_split(group, step, &whole, step);
        if (!again) return false;
        ptx_group_list(again);
    }
    wait_for_others(group, step, span);
    return false;
}

bool ptx_whole_warps(struct ptx_group *group, const struct ptx_step *step)
{
    return come_together(group, step, 1);
}

bool ptx_whole_warpgroups(struct ptx_group *group, const struct ptx_step *step)
{
    return come_together(group, step, WARPGROUP);
}

/* ---- Going on ----------------------------------------------------------------------------- */

/* Returns true if the group waits at that step of that frame. */
static bool waits_with(const struct ptx_group *group, const struct ptx_group *other)
{
    return (other->state == PTX_AT_WHOLE_WARP || other->state == PTX_AT_WHOLE_WARPGROUP) &&
           other->at == group->at && other->frame == group->frame;
}

/* Finds the warps of the group whose lanes are all there, in whatever groups, together with those
 * that they wait for. */
static bool find_complete_warps(struct ptx_group *group, struct ptx_mask *complete)
{
    struct ptx_mask there = { .bits = { 0 } };
    const uint32_t span = span_of(group);
    bool any = false;
    *complete = (struct ptx_mask){ .bits = { 0 } };
    for (const struct ptx_group *other = group->bundle->waiting; other; other = other->other)
        if (waits_with(group, other)) ptx_mask_add(&there, &other->mask);
    PTX_EACH_WARP(group, w) {
        if (!is_complete_for_ever(group, group->at, w, span)) return false;
        if (!is_whole(&there, w, span)) continue;
        for (uint32_t i = 0; i < span; i++)
            ptx_add_warp_bits(complete, w / span * span + i, ALL_LANES);
        any = true;
    }
    return any;
}

/* Sends these lanes of a group to the step again.  Returns false if the launch has failed. */
static bool send_again(struct ptx_group *group, const struct ptx_mask *complete)
{
    struct ptx_mask lanes;
    ptx_mask_copy(&lanes, &group->mask);
    ptx_mask_remove(&lanes, complete);
    if (ptx_mask_is_empty(&lanes)) {
        group->next = group->at;
        ptx_group_wake(group);
        return true;
    }
    struct ptx_mask going;
    ptx_mask_copy(&going, &group->mask);
    ptx_mask_remove(&going, &lanes);
    if (ptx_mask_is_empty(&going)) return true;
    struct ptx_group *again = ptx_group_split(group, group->at, &going, group->at);
    if (!again) return false;
    ptx_group_list(again);
    return true;
}

void ptx_whole_warps_wake(struct ptx_bundle *bundle)
{
    struct ptx_mask complete;
    for (struct ptx_group *group = bundle->waiting; group;) {
        if (!waits_with(group, group) || !find_complete_warps(group, &complete)) {
            group = group->other;
            continue;
        }
        const struct ptx_group leader = { .at = group->at, .frame = group->frame };
        for (struct ptx_group *one = bundle->waiting, *other; one; one = other) {
            other = one->other;
            if (waits_with(&leader, one) && !send_again(one, &complete)) return;
        }
        group = bundle->waiting;
    }
}
