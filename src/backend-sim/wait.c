/* SPDX-License-Identifier: Apache-2.0
 *
 * Waiting by helping: a host thread that waits for a point runs the strand
 * itself when nobody does, and first whatever that strand is parked on.  Only
 * when all of it is in other hands does the thread sleep.
 */
#include <sched.h>

#include "backend-sim/engine.h"
#include "base/park.h"

/* How long a thread looks on before it sleeps; on one processor, or when it
 * asked not to spin, not at all. */
#define SPINS 400

/* Where a chain of parked strands ends in a value, someone must look at memory
 * now and then. */
#define VALUE_NAP_NS 50000u

/* The way from what is waited for down to what holds it up.  Longer ways are
 * walked anew from the top. */
#define PATH_MAX_STEPS 64

struct path {
    struct point steps[PATH_MAX_STEPS]; /* each retained but the first */
    int length;
};

static void path_pop(struct path *path)
{
    path->length--;
    if (path->length) sim_strand_release(path->steps[path->length].strand);
}

/* What `strand` is parked on, retained; false when it is not parked on a point. */
static enum parked_on parked_on(struct strand *strand, struct point *point)
{
    rl_spin_lock(&strand->park_lock);
    enum parked_on parked = strand->parked;
    if (parked == PARKED_ON_POINT) {
        *point = strand->parked_point;
        sim_strand_retain(point->strand);
    }
    rl_spin_unlock(&strand->park_lock);
    return parked;
}

/* Sleeps until the point is reached, the strand stops short of it, or
 * `timeout_ns` is over. */
static void sleep_at(struct strand *strand, uint64_t number, uint64_t timeout_ns)
{
    struct waiter waiter = { .number = number };
    if (!sim_strand_add_waiter(strand, &waiter)) return;
    /* Linked and counted: from here on a strand that stops rings.  It may have
     * stopped before. */
    if (timeout_ns != RL_FOREVER) {
        if (!atomic_load(&waiter.bell)) rl_park(&waiter.bell, 0, timeout_ns);
    } else if (atomic_load(&strand->state) == STRAND_RUNNING) {
        while (!atomic_load_explicit(&waiter.bell, memory_order_acquire))
            rl_park(&waiter.bell, 0, RL_FOREVER);
    }
    sim_strand_remove_sleeper(strand, &waiter);
}

/* Somebody else runs the strand: looks on for a while, then sleeps. */
static void stand_by(struct strand *strand, uint64_t number, bool patient)
{
    for (int i = patient ? SPINS : 0; i < SPINS; i++) {
        if (sim_strand_reached(strand, number)) return;
        unsigned state = atomic_load_explicit(&strand->state, memory_order_relaxed);
        if (state == STRAND_READY || state == STRAND_PARKED) return;
        rl_relax();
    }
    /* IDLE short of the point: the thread that submits is just about to make it
     * READY. */
    if (atomic_load(&strand->state) == STRAND_IDLE) sched_yield();
    else sleep_at(strand, number, RL_FOREVER);
}

/* One step at the end of the path: runs it, goes deeper, or waits. */
static void step(struct engine *engine, struct path *path, struct runner *runner, bool patient)
{
    struct point *end = &path->steps[path->length - 1];
    struct strand *strand = end->strand;
    switch (atomic_load(&strand->state)) {
    case STRAND_READY:
        if (!sim_strand_claim(strand)) return;
        atomic_fetch_add_explicit(&engine->helped, 1, memory_order_relaxed);
        sim_strand_run(strand, runner, end->number, UINT32_MAX);
        return;
    case STRAND_PARKED: {
        struct point deeper;
        enum parked_on parked = parked_on(strand, &deeper);
        if (parked == PARKED_ON_VALUE) {
            if (!sim_engine_poll_values(engine)) sleep_at(strand, end->number, VALUE_NAP_NS);
        } else if (parked == PARKED_ON_POINT) {
            if (path->length == PATH_MAX_STEPS)
                while (path->length > 1) path_pop(path);
            path->steps[path->length++] = deeper;
        } else {
            sched_yield(); /* its runner is about to say what it waits for */
        }
        return;
    }
    default:
        stand_by(strand, end->number, patient);
    }
}

bool sim_engine_wait(struct engine *engine, struct point point, bool patient)
{
    if (sim_point_reached(point)) return true;
    struct runner runner = { .engine = engine };
    struct path path; /* of which only the steps that are taken are set */
    path.steps[0] = point;
    path.length = 1;
    sim_strand_retain(point.strand);
    bool possible = true;
    while (possible && !sim_point_reached(point)) {
        struct point end = path.steps[path.length - 1];
        if (sim_point_reached(end)) path_pop(&path);
        else if (sim_strand_runs_here(end.strand)) possible = false;
        else step(engine, &path, &runner, patient);
    }
    while (path.length) path_pop(&path);
    sim_strand_release(point.strand);
    sim_runner_report(&runner);
    return possible;
}
