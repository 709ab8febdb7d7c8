/* SPDX-License-Identifier: Apache-2.0
 *
 * Gangs as shared work: workers and waiting threads join those that have more to do than their
 * members can.
 */
#include "backend-sim/program/gang/gang.h"
#include "backend-sim/program/run.h"
#include "backend-sim/scheduler/worker.h"

/* A run along a plan wants as many members as it is wide from its beginning on, since to call them
 * when there is something to do would delay it.  Requires engine->lock. */
static bool wants_members(struct gang *gang)
{
    if (atomic_load(&gang->done) || atomic_load(&gang->members) >= gang->most) return false;
    return (gang->plan && !atomic_load(&gang->idled)) || sim_gang_has_work(gang);
}

/* Joins a gang that has more to do than its members can.  Requires engine->lock. */
static struct gang *join_gang(struct engine *engine, const struct point *until, uint32_t *seat)
{
    for (struct gang *gang = engine->platform->gangs->running; gang; gang = gang->next) {
        if (!sim_run_comes_before(&gang->launch->context, until) || !wants_members(gang)) continue;
        *seat = sim_gang_take_seat(gang);
        return gang;
    }
    return NULL;
}

static bool gangs_run(struct engine *engine)
{
    return engine->platform->gangs->running;
}

static bool gangs_want(struct engine *engine)
{
    struct gang *gang = engine->platform->gangs->running;
    while (gang && !wants_members(gang)) gang = gang->next;
    return gang;
}

static bool help_gangs(struct engine *engine, const struct point *until)
{
    uint32_t seat;
    if (!sim_gangs_run(engine->platform->gangs)) return false;
    rl_lock(&engine->lock);
    struct gang *gang = join_gang(engine, until, &seat);
    struct worker *other = gang && !until ? sim_engine_pick_relief(engine) : NULL;
    rl_unlock(&engine->lock);
    if (other) sim_worker_wake(other);
    if (gang && gang->plan) sim_gang_call_members(gang);
    if (gang) sim_gang_help(gang, seat);
    return gang;
}

const struct work_source sim_gangs = {
    .runs = gangs_run, .wakes_helpers = true, .wants = gangs_want, .help = help_gangs,
};
