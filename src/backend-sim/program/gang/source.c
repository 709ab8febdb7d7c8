/* SPDX-License-Identifier: Apache-2.0
 *
 * Gangs as shared work: workers and waiting threads join those that have more to do than their
 * members can.
 */
#include "backend-sim/program/gang/gang.h"
#include "backend-sim/program/run.h"
#include "backend-sim/scheduler/worker.h"

/* Joins the first gang without engine->lock: when a run along a plan begins all threads come that
 * spin, and under the lock they would do so one after the other. */
static struct gang *join_crowd(struct gangs *gangs, uint32_t *seat)
{
    atomic_fetch_add(&gangs->joining, 1);
    struct gang *gang = atomic_load(&gangs->running);
    bool wants = gang && gang->plan && !atomic_load(&gang->done) && !atomic_load(&gang->idled);
    if (wants) wants = sim_gang_enter(gang, 1, seat);
    atomic_fetch_sub(&gangs->joining, 1);
    return wants ? gang : NULL;
}

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
        if (sim_gang_enter(gang, 0, seat)) return gang;
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

/* Joins a gang under the lock, or finds who keeps watch now that this thread has joined one. */
static struct gang *join_orderly(struct engine *engine, struct gang *joined,
                                 const struct point *until, uint32_t *seat)
{
    rl_lock(&engine->lock);
    struct gang *gang = joined ? joined : join_gang(engine, until, seat);
    struct worker *other = gang && !until ? sim_engine_pick_relief(engine) : NULL;
    rl_unlock(&engine->lock);
    if (other) sim_worker_wake(other);
    return gang;
}

static bool help_gangs(struct engine *engine, const struct point *until)
{
    struct gangs *gangs = engine->platform->gangs;
    uint32_t seat;
    if (!sim_gangs_run(gangs)) return false;
    struct gang *gang = until ? NULL : join_crowd(gangs, &seat);
    bool needs_watch = !atomic_load(&engine->watch) && atomic_load(&engine->idlers);
    if (!gang || needs_watch) gang = join_orderly(engine, gang, until, &seat);
    if (gang && gang->plan) sim_gang_call_members(gang);
    if (gang) sim_gang_help(gang, seat);
    return gang;
}

const struct work_source sim_gangs = {
    .runs = gangs_run, .wakes_helpers = true, .wants = gangs_want, .help = help_gangs,
};
