/* SPDX-License-Identifier: Apache-2.0
 *
 * Whims: a program is run and planned as nothing that was measured says.
 *
 * What a program is run as depends on the time that its nodes take, which changes when the
 * machine likes it to; that a plan is made anew between two launches, for one, is rare.
 * With RILL_SIM_WHIMS=1 it is not: RILL_SIM_WATCHDOG and random programs then see what
 * comes of it.
 */
#include "backend-sim/program/plan.h"

#include "backend-sim/program/plan_draft.h"

/* Any number; programs run at once. */
static uint32_t draw_number(uint32_t below)
{
    static atomic_uint_least64_t drawn;
    uint64_t bits = (atomic_fetch_add_explicit(&drawn, 1, memory_order_relaxed) + 1) *
                    UINT64_C(0x9e3779b97f4a7c15);
    bits = (bits ^ bits >> 32) * UINT64_C(0xd6e8feb86659fd93);
    return (uint32_t)(bits >> 32) % below;
}

static void make_up_costs(struct program *program)
{
    static const uint32_t costs[] = { 5, 300, 3000, 30000 };
    uint32_t usual = costs[draw_number(4)];
    for (uint32_t p = 0; p < program->count; p++)
        program->run.costs[p] = draw_number(4) ? usual : costs[draw_number(4)];
}

/* Where the one before was, as an allocator may have it. */
static void put_plan(struct program *program, struct plan *made)
{
    struct plan *there = program->run.plan;
    if (there) {
        struct plan before = *there;
        *there = *made;
        *made = before;
        sim_plan_free(made);
    } else {
        program->run.plan = made;
    }
    program->run.schedule = SCHEDULE_PLANNED;
    program->run.mispredictions = 0;
}

static void plan_anew(struct program *program)
{
    if (!sim_plan_make_room(program)) return;
    make_up_costs(program);
    struct plan *made = sim_plan_make(program, 2 + draw_number(3));
    if (made) put_plan(program, made);
}

void sim_plan_whim(struct program *program)
{
    switch (draw_number(8)) {
    case 0: /* on its own, and measured by whoever looks on */
        program->run.schedule = SCHEDULE_LIGHT;
        return;
    case 1:
    case 2: /* measured by a gang, or by one thread */
        sim_plan_measure(program, draw_number(2));
        return;
    case 3:
    case 4: /* as it is */
        return;
    default:
        plan_anew(program);
    }
}
