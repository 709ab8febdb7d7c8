/* SPDX-License-Identifier: Apache-2.0
 *
 * Whims: a program is run and planned at random, whatever was measured.
 *
 * How a program is run depends on the time that its nodes take, which no test controls; that a
 * plan is replaced between two launches, for one, is rare.  With RILL_SIM_WHIMS=1 it is not,
 * so that RILL_SIM_WATCHDOG and random programs see what comes of it.
 */
#include "backend-sim/program/plan.h"

#include "backend-sim/program/plan_draft.h"

/* Returns a random number below `below`.  Several programs may draw at the same time. */
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

/* Puts the plan where the one before was, as an allocator may do. */
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
    case 0: /* by one thread, until another one looks on for long enough */
        program->run.schedule = SCHEDULE_LIGHT;
        return;
    case 1:
    case 2: /* measured by a gang, or by one thread */
        sim_plan_measure(program, draw_number(2));
        return;
    case 3:
    case 4: /* as before */
        return;
    default:
        plan_anew(program);
    }
}
