/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx/run/control.h"

#include "ptx/run/lane_group.h"

/* ---- Branches ------------------------------------------------------------------------- */

static const struct ptx_step *target_of(const struct ptx_front *front, uint32_t target)
{
    return front->frame->program->steps + target;
}

/* Some lanes go there.  The front stays with those that are further behind then. */
static void branch_some(struct ptx_front *front, const struct ptx_step *step,
                        const struct ptx_mask *lanes, const struct ptx_step *there)
{
    struct ptx_mask rest = front->mask;
    ptx_mask_remove(&rest, lanes);
    bool back = there <= step;
    struct ptx_front *ahead = ptx_front_split(front, step, back ? &rest : lanes,
                                              back ? step + 1 : there);
    if (!ahead) return;
    if (back) ptx_jump(front, step, there);
    ptx_front_list(ahead);
    ptx_front_set_limit(front);
}

void ptx_bra_step(struct ptx_front *front, const struct ptx_step *step)
{
    ptx_jump(front, step, target_of(front, step->target));
}

void ptx_guarded_bra_step(struct ptx_front *front, const struct ptx_step *step)
{
    struct ptx_mask lanes;
    switch (ptx_guarded(front, step, &lanes)) {
    case PTX_ALL_LANES: ptx_bra_step(front, step); break;
    case PTX_SOME_LANES: branch_some(front, step, &lanes, target_of(front, step->target)); break;
    case PTX_NO_LANE: break;
    }
}

void ptx_brx_step(struct ptx_front *front, const struct ptx_step *step)
{
    if (!ptx_front_keep_guarded(front, step)) return;
    uint32_t lane = front->own[0].from, index = PTX_COLUMN(front, step->a, uint32_t)[lane];
    struct ptx_mask same = front->mask;
    ptx_keep_alike(front, step->a, 4, lane, &same);
    if (!ptx_front_keep(front, step, &same, step)) return;
    const struct ptx_table_steps *table = &front->frame->program->tables[step->target];
    if (index >= table->count) {
        ptx_fail(front, step, lane, RILL_ERROR_INVALID_PC, 0,
                 "brx.idx with index %u into a table of %u", index, table->count);
        return;
    }
    ptx_jump(front, step, target_of(front, table->items[index]));
    ptx_front_set_limit(front);
}

/* ---- Ends ----------------------------------------------------------------------------- */

void ptx_exit_step(struct ptx_front *front, const struct ptx_step *step)
{
    struct ptx_crew *crew = front->crew;
    if (!ptx_front_keep_guarded(front, step)) return;
    ptx_mask_remove(&crew->alive, &front->mask);
    front->state = PTX_GONE;
    crew->sync_due = crew->waiting != NULL;
    ptx_barriers_after_exit(front->block);
}

void ptx_trap_step(struct ptx_front *front, const struct ptx_step *step)
{
    if (!ptx_front_keep_guarded(front, step)) return;
    ptx_fail(front, step, front->own[0].from, RILL_ERROR_LAUNCH_FAILED, 0,
             step->kind ? "the kernel came to a breakpoint (brkpt)" : "the kernel gave up (trap)");
}

/* ---- Time ----------------------------------------------------------------------------- */

/* Nobody sleeps: it is the others' turn. */
void ptx_nanosleep_step(struct ptx_front *front, const struct ptx_step *step)
{
    (void)step;
    front->crew->spent = front->crew->patience;
    front->state = PTX_YIELDS;
}
