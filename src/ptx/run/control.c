/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx/run/control.h"

#include "ptx/run/barrier.h"
#include "ptx/run/fault.h"
#include "ptx/run/lane_group.h"

/* ---- Branches ------------------------------------------------------------------------- */

static const struct ptx_step *target_of(const struct ptx_group *group, uint32_t target)
{
    return group->frame->program->steps + target;
}

/* Sends some lanes to `there`.  The group stays with the lanes that have the longer way to
 * go. */
static void branch_some(struct ptx_group *group, const struct ptx_step *step,
                        const struct ptx_mask *lanes, const struct ptx_step *there)
{
    struct ptx_mask rest;
    ptx_mask_copy(&rest, &group->mask);
    ptx_mask_remove(&rest, lanes);
    bool back = there <= step;
    struct ptx_group *ahead = ptx_group_split(group, step, back ? &rest : lanes,
                                              back ? step + 1 : there);
    if (!ahead) return;
    if (back) ptx_jump(group, step, there);
    ptx_group_list(ahead);
    ptx_group_set_limit(group);
}

/* Returns true if nothing is left for a lane that comes to a step of this frame. */
static bool is_end(const struct ptx_group *group, const struct ptx_step *step)
{
    if (step->flags & PTX_STEP_GUARDED) return false;
    return step->lanes == ptx_exit_step ||
           (step->lanes == ptx_return_step && !group->frame->parent);
}

static void end_lanes(struct ptx_group *group, const struct ptx_mask *lanes)
{
    struct ptx_bundle *bundle = group->bundle;
    ptx_mask_remove(&bundle->alive, lanes);
    bundle->sync_due = bundle->waiting != NULL;
    ptx_barriers_after_exit(group->block);
}

/* Ends some lanes that branch to the end of the kernel: those that stay are all that are left, and
 * what is known of columns stays of use to them. */
static void end_some(struct ptx_group *group, const struct ptx_mask *lanes)
{
    struct ptx_mask rest;
    ptx_mask_copy(&rest, &group->mask);
    ptx_mask_remove(&rest, lanes);
    end_lanes(group, lanes);
    ptx_group_assign(group, &rest);
}

/* Takes the steps up to the target for the lanes that do not branch, and goes on there with all of
 * them.  A step that fails has set what comes next. */
static void take_detour(struct ptx_group *group, const struct ptx_step *step,
                        const struct ptx_mask *lanes, const struct ptx_step *there)
{
    const bool whole = group->whole;
    struct ptx_mask rest;
    ptx_mask_copy(&rest, &group->mask);
    ptx_mask_remove(&rest, lanes);
    group->ranges = group->block->guarded;
    group->range_count = ptx_ranges_of(&rest, group->lanes, group->block->guarded);
    group->whole = false;
    while (group->next == step + 1 && ++step < there) {
        group->next = step + 1;
        step->run(group, step);
    }
    group->ranges = group->own;
    group->range_count = group->own_count;
    group->whole = whole;
}

void ptx_bra_step(struct ptx_group *group, const struct ptx_step *step)
{
    ptx_jump(group, step, target_of(group, step->target));
}

void ptx_guarded_bra_step(struct ptx_group *group, const struct ptx_step *step)
{
    const struct ptx_step *there = target_of(group, step->target);
    struct ptx_mask lanes;
    if (group->frame->known[step->guard] & PTX_SAME) {
        const bool negated = (step->flags & PTX_STEP_GUARD_NEGATED) != 0;
        if (group->frame->once[step->guard] != negated) ptx_bra_step(group, step);
        return;
    }
    switch (ptx_guarded(group, step, &lanes)) {
    case PTX_ALL_LANES: ptx_bra_step(group, step); break;
    case PTX_SOME_LANES:
        if (is_end(group, there)) end_some(group, &lanes);
        else if (step->flags & PTX_STEP_DETOUR && !group->block->by_lane)
            take_detour(group, step, &lanes, there);
        else branch_some(group, step, &lanes, there);
        break;
    case PTX_NO_LANE: break;
    }
}

void ptx_brx_step(struct ptx_group *group, const struct ptx_step *step)
{
    if (!ptx_group_keep_guarded(group, step)) return;
    uint32_t lane = group->own[0].from, index = PTX_COLUMN(group, step->a, uint32_t)[lane];
    struct ptx_mask same;
    ptx_mask_copy(&same, &group->mask);
    ptx_keep_alike(group, step->a, 4, lane, &same);
    if (!ptx_group_keep(group, step, &same, step)) return;
    const struct ptx_table_steps *table = &group->frame->program->tables[step->target];
    if (index >= table->count) {
        ptx_fail(group, step, lane, RILL_ERROR_INVALID_PC, 0,
                 "brx.idx with index %u into a table of %u", index, table->count);
        return;
    }
    ptx_jump(group, step, target_of(group, table->items[index]));
    ptx_group_set_limit(group);
}

/* ---- Ends ----------------------------------------------------------------------------- */

void ptx_exit_step(struct ptx_group *group, const struct ptx_step *step)
{
    if (!ptx_group_keep_guarded(group, step)) return;
    end_lanes(group, &group->mask);
    group->state = PTX_GONE;
}

void ptx_trap_step(struct ptx_group *group, const struct ptx_step *step)
{
    if (!ptx_group_keep_guarded(group, step)) return;
    ptx_fail(group, step, group->own[0].from, RILL_ERROR_LAUNCH_FAILED, 0,
             step->kind ? "the kernel came to a breakpoint (brkpt)" : "the kernel gave up (trap)");
}

/* ---- Time ----------------------------------------------------------------------------- */

/* Nothing sleeps: the other groups get their turn. */
void ptx_nanosleep_step(struct ptx_group *group, const struct ptx_step *step)
{
    (void)step;
    group->bundle->spent = group->bundle->patience;
    group->state = PTX_YIELDS;
}
