/* SPDX-License-Identifier: Apache-2.0
 *
 * How a gang's run begins: its room, which its program keeps, and the first
 * units that are ready.
 */
#include "backend-sim/program/gang/gang.h"

#include "backend-sim/program/gang/check.h"
#include "backend-sim/program/plan.h"
#include "backend-sim/scheduler/worker.h"
#include "base/alloc.h"
#include "base/processor.h"
#include "base/thread.h"

/* ---- Room --------------------------------------------------------------------- */

uint32_t sim_gang_threads(const struct engine *engine)
{
    uint32_t seats = (uint32_t)engine->workers_max;
    if (seats < 2) seats = 2; /* a thread that runs a loop, and one that splits it */
    return seats < GANG_SEATS_MAX ? seats : GANG_SEATS_MAX - 1;
}

bool sim_gang_prepare(struct engine *engine, struct program *program)
{
    if (program->run.gang) return true;
    uint32_t seats = sim_gang_threads(engine) + 1;
    struct gang *gang = rl_zalloc_lines(sizeof *gang + seats * sizeof gang->seats[0] +
                                        seats * sizeof *gang->tickets.lanes);
    if (!gang) return false;
    gang->tickets.lanes = (struct ticket_lane *)&gang->seats[seats];
    gang->engine = engine;
    gang->program = program;
    gang->seat_count = seats;
    gang->spill_next = rl_alloc(program->count * sizeof *gang->spill_next);
    gang->joins = rl_alloc(program->count * sizeof *gang->joins);
    bool fits = gang->spill_next && gang->joins;
    for (uint32_t i = 0; i < seats; i++) {
        atomic_init(&gang->seats[i].processor, RL_PROCESSOR_NONE);
        fits = sim_deque_init(&gang->seats[i].deque) && fits;
    }
    if (!fits) {
        sim_gang_free(gang);
        return false;
    }
    program->run.gang = gang;
    return true;
}

void sim_gang_free(struct gang *gang)
{
    if (!gang) return;
    for (uint32_t i = 0; i < gang->seat_count; i++) sim_deque_fini(&gang->seats[i].deque);
    rl_free(gang->spill_next);
    rl_free(gang->joins);
    rl_free(gang);
}

void sim_gang_arm(struct gang *gang, uint32_t cluster)
{
    atomic_store_explicit(&gang->joins[cluster], gang->plan->clusters[cluster].joins,
                          memory_order_relaxed);
}

/* ---- Beginning ------------------------------------------------------------------------ */

static void reset_gang(struct gang *gang, struct launch *launch, uint32_t members)
{
    uint32_t threads = gang->seat_count - 1;
    gang->launch = launch;
    gang->most = gang->plan && gang->plan->width < threads ? gang->plan->width : threads;
    gang->called = members;
    atomic_store(&gang->taken, (UINT64_C(1) << members) - 1);
    atomic_store(&gang->done, false);
    atomic_store(&gang->stocked, !gang->plan); /* a plan begins with tickets */
    atomic_store(&gang->idled, false);
    gang->spill = NODE_NONE;
    sim_tickets_reset(&gang->tickets, gang->most);
    gang->parked = gang->awaited = false;
    for (uint32_t i = 0; i < gang->seat_count; i++) {
        gang->seats[i].done = gang->seats[i].owed = 0;
        gang->seats[i].ended = 0;
        gang->seats[i].given.unit = gang->seats[i].unit = NODE_NONE;
    }
    /* The caller's, so that members that are called find another processor. */
    struct seat *own = &gang->seats[members - 1];
    atomic_store_explicit(&own->stays, !sim_is_worker, memory_order_relaxed);
    atomic_store_explicit(&own->processor, rl_processor(), memory_order_relaxed);
    atomic_store(&gang->moves, 0);
    atomic_store(&gang->members, members);
    gang->program->run.began_ns = rl_monotonic_ns();
}

/* Requires engine->lock. */
static void list_gang(struct gang *gang)
{
    struct gangs *gangs = gang->engine->platform->gangs;
    gang->previous = NULL;
    gang->next = gangs->running;
    if (gangs->running) gangs->running->previous = gang;
    gangs->running = gang;
    sim_engine_announce_work(gang->engine);
    gang->called += (uint32_t)atomic_load(&gang->engine->spinning);
}

static void publish_gang(struct gang *gang)
{
    struct engine *engine = gang->engine;
    rl_lock(&engine->lock);
    list_gang(gang);
    rl_unlock(&engine->lock);
    if (gang->plan) sim_gang_call_members(gang);
    else sim_gang_call_help(gang, 1);
}

/* Returns how many of the nodes from a place on nothing comes after. */
static uint32_t count_ends(const struct program *program, uint32_t from)
{
    uint32_t ends = 0;
    for (uint32_t p = from; p < program->count; p++)
        ends += program->edge_starts[p] == program->edge_starts[p + 1];
    return ends;
}

/* Sets up the counters of the units: nodes, or the clusters of the plan.  Those of a plan set
 * themselves up again in each run. */
static void arm_units(struct gang *gang)
{
    const struct program *program = gang->program;
    atomic_store(&gang->left, gang->plan ? gang->plan->ends : count_ends(program, 0));
    uint64_t serial = gang->plan ? gang->plan->serial : 0;
    if (serial && gang->armed == serial) {
        if (gang->engine->watchdog) sim_gang_check_armed(gang);
        return;
    }
    gang->armed = serial;
    for (uint32_t i = 0; gang->plan && i < gang->plan->count; i++) sim_gang_arm(gang, i);
    for (uint32_t i = 0; !gang->plan && i < program->count; i++)
        atomic_store_explicit(&gang->joins[i], program->in_degrees[i], memory_order_relaxed);
}

/* Makes the units ready that wait for nothing.  Nodes go in from the last to the first: the
 * member takes the first one first, thieves take the last. */
static void put_roots(struct gang *gang)
{
    const struct program *program = gang->program;
    if (gang->plan) {
        sim_tickets_open(&gang->tickets, 0, gang->plan->roots);
        return;
    }
    for (uint32_t place = program->count; place-- > 0;)
        if (!program->in_degrees[place] && !sim_deque_put(&gang->seats[0].deque, place))
            sim_gang_spill(gang, place);
}

struct gang *sim_gang_begin(struct engine *engine, struct program *program, uint32_t *seat)
{
    if (!sim_gang_prepare(engine, program)) return NULL;
    struct gang *gang = program->run.gang;
    gang->observed = atomic_load(&engine->attention) & ATTEND_TIMES;
    bool planned = program->run.schedule == SCHEDULE_PLANNED && !gang->observed;
    gang->plan = planned ? program->run.plan : NULL;
    gang->timed = !gang->plan && !program->waits && !gang->observed &&
                  sim_plan_make_room(program);
    reset_gang(gang, sim_launch_here(), 1);
    arm_units(gang);
    *seat = 0;
    put_roots(gang);
    publish_gang(gang);
    return gang;
}

/* Counts one more predecessor.  No other thread sees the gang yet. */
static void add_join(atomic_uint *join)
{
    unsigned count = atomic_load_explicit(join, memory_order_relaxed);
    atomic_store_explicit(join, count + 1, memory_order_relaxed);
}

struct gang *sim_gang_begin_after(struct engine *engine, struct program *program,
                                  struct launch *launch, uint32_t at, uint32_t *own)
{
    if (!sim_gang_prepare(engine, program)) return NULL;
    struct gang *gang = program->run.gang;
    gang->plan = NULL;
    gang->armed = 0;
    gang->timed = gang->observed = false;
    sim_plan_measure(program, false);
    reset_gang(gang, launch, 2);
    atomic_store(&gang->left, count_ends(program, at));
    for (uint32_t p = at; p < program->count; p++)
        atomic_store_explicit(&gang->joins[p], 0, memory_order_relaxed);
    for (uint32_t p = at; p < program->count; p++)
        for (uint32_t e = program->edge_starts[p]; e < program->edge_starts[p + 1]; e++)
            add_join(&gang->joins[program->successors[e]]);
    for (uint32_t p = program->count; p-- > at + 1;)
        if (!atomic_load_explicit(&gang->joins[p], memory_order_relaxed) &&
            !sim_deque_put(&gang->seats[1].deque, p))
            sim_gang_spill(gang, p);
    *own = 1;
    publish_gang(gang);
    return gang;
}
