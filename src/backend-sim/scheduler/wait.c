/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/scheduler/wait.h"

#include <sched.h>

#include "backend-sim/scheduler/host_thread.h"
#include "backend-sim/scheduler/polled.h"
#include "backend-sim/scheduler/run_context.h"
#include "backend-sim/scheduler/steering.h"
#include "backend-sim/scheduler/stuck.h"
#include "backend-sim/scheduler/work_source.h"
#include "base/park.h"

/* How often a thread checks a strand that another thread runs before it sleeps, unless it asked
 * not to spin.  The pauses between two checks grow up to PAUSES_MOST, since each check takes the
 * line away from the thread that completes operations. */
#define SPINS_BEFORE_SLEEP 48
#define PAUSES_MOST 16

/* How long a thread sleeps between two polls, if a chain of parked strands ends in one that is
 * polled. */
#define POLLED_SLEEP_NS 50000u

/* How long a thread sleeps while other threads run a strand, before it checks again whether it can
 * help with a graph there. */
#define RECHECK_NS 20000000u
#define RECHECK_SOON_NS 100000u
#define RECHECK_LATER_NS 800000u

/* How often a thread sleeps before it helps with a launch of which it needs a single node. */
#define TRIES_BEFORE_HELP 2000u

/* The path from the point that is waited for down to what holds it up.  Longer paths are walked
 * anew from the top. */
#define PATH_MAX_STEPS 64

struct path {
    struct point steps[PATH_MAX_STEPS]; /* each retained but the first */
    int length;
    unsigned tries;    /* at nodes, without helping there */
    uint64_t sleep_ns; /* before the next check of graphs that others run */
};

static void path_pop(struct path *path)
{
    path->length--;
    if (path->length) sim_strand_release(path->steps[path->length].strand);
}

/* Returns what `strand` is parked on, and stores the point that leads to, retained, or one
 * without a strand if it leads nowhere. */
static enum parked_on follow_parked(struct strand *strand, struct point *point)
{
    rl_spin_lock(&strand->park_lock);
    enum parked_on parked = strand->parked;
    bool further = parked == PARKED_ON_POINT || parked == PARKED_ON_NODE;
    if (further) *point = strand->parked_point;
    if (further && point->strand) sim_strand_retain(point->strand);
    if (parked == PARKED_ON_POINT)
        point->number = atomic_load_explicit(&strand->ahead_to, memory_order_relaxed);
    struct cell *work = parked == PARKED_ON_WORK ? strand->parked_cell : NULL;
    if (work && !work->type->held_up_by(work, point)) point->strand = NULL;
    rl_spin_unlock(&strand->park_lock);
    return parked;
}

/* Tells whether the strand cannot go on before this very thread, a host thread, has called a
 * function for it. */
static bool needs_this_thread(struct strand *strand)
{
    if (!sim_is_host_thread || sim_strand_state(strand) != STRAND_PARKED) return false;
    rl_spin_lock(&strand->park_lock);
    enum parked_on on = strand->parked;
    bool needs = on == PARKED_ON_HOST ||
                 (on == PARKED_ON_WORK &&
                  strand->parked_cell->type->needs_host_thread(strand->parked_cell));
    rl_spin_unlock(&strand->park_lock);
    return needs;
}

/* Tells whether the strand's owner first runs another strand that it waits for, and stores the
 * point of that strand, retained. */
static bool runs_ahead(struct strand *strand, struct point *point)
{
    point->strand = NULL;
    if (follow_parked(strand, point) == PARKED_ON_POINT && !sim_point_reached(*point)) return true;
    if (point->strand) sim_strand_release(point->strand);
    return false;
}

static void rest_until(struct waiter *waiter, uint64_t timeout_ns)
{
    sim_stuck_rest(true);
    rl_park(&waiter->futex_word, 0, timeout_ns);
    sim_stuck_rest(false);
}

void sim_strand_sleep_until(struct strand *strand, uint64_t number, uint64_t timeout_ns)
{
    struct waiter waiter = { .number = number };
    if (!sim_strand_add_waiter(strand, &waiter)) return;
    /* Linked and counted: a strand that stops from here on wakes this thread.  If it stopped
     * before, the timeout finds that out. */
    if (!atomic_load(&waiter.futex_word)) rest_until(&waiter, timeout_ns);
    sim_strand_remove_sleeper(strand, &waiter);
}

/* Tells whether there is shared work of which a thread could take a part later. */
static bool is_sharing(struct engine *engine)
{
    rl_lock(&engine->lock);
    bool sharing = sim_work_runs(engine) || sim_work_wants(engine);
    rl_unlock(&engine->lock);
    return sharing;
}

/* Returns how long to sleep, longer each time: the work has all threads that it can use, and each
 * check takes a processor from one of them. */
static uint64_t next_sleep(struct path *path)
{
    uint64_t now_ns = path->sleep_ns;
    if (now_ns < RECHECK_LATER_NS) path->sleep_ns *= 2;
    return now_ns;
}

static void go_deeper(struct path *path, struct point deeper)
{
    if (path->length == PATH_MAX_STEPS)
        while (path->length > 1) path_pop(path);
    path->steps[path->length++] = deeper;
}

/* Waits for a strand that another thread runs: checks for a while, then follows where that thread
 * runs ahead, helps, or sleeps. */
static void stand_by(struct engine *engine, struct path *path, bool blocking_sync)
{
    struct strand *strand = path->steps[path->length - 1].strand;
    uint64_t number = path->steps[path->length - 1].number;
    for (int i = blocking_sync ? SPINS_BEFORE_SLEEP : 0; i < SPINS_BEFORE_SLEEP; i++) {
        if (sim_strand_reached(strand, number)) return;
        enum strand_state state = sim_strand_state(strand);
        if (state == STRAND_READY || state == STRAND_PARKED) return;
        for (int k = 0; k <= i && k < PAUSES_MOST; k++) rl_relax();
    }
    /* IDLE short of the point: the thread that submits is about to make the strand READY. */
    struct point deeper;
    if (sim_strand_state(strand) == STRAND_IDLE) sched_yield();
    else if (runs_ahead(strand, &deeper)) go_deeper(path, deeper);
    else if (!sim_work_help(engine, &path->steps[path->length - 1]))
        sim_strand_sleep_until(strand, number, is_sharing(engine) ? next_sleep(path) : RECHECK_NS);
}

/* Waits for a node's point, which is reached during a launch.  What comes after the node may
 * wait for this very thread, so the launch is left to the workers, unless none has been free for
 * long or the thread may be one of them: then it makes one step of the launch's strand. */
static void step_aside(struct engine *engine, struct path *path, struct point launch)
{
    struct point node = path->steps[path->length - 1];
    if (!sim_host_depth && path->tries++ < TRIES_BEFORE_HELP) {
        sim_engine_wake_worker(engine);
        sim_strand_sleep_until(node.strand, node.number, RECHECK_SOON_NS);
    } else if (sim_strand_claim(launch.strand)) {
        sim_strand_run(launch.strand, launch.number, UINT32_MAX);
    } else if (!sim_work_help(engine, &launch)) {
        sim_strand_sleep_until(node.strand, node.number, RECHECK_SOON_NS);
    }
    sim_strand_release(launch.strand);
}

/* Makes a step at a parked strand at the end of the path. */
static void step_parked(struct engine *engine, struct path *path)
{
    struct point end = path->steps[path->length - 1], deeper = { NULL, 0 };
    switch (follow_parked(end.strand, &deeper)) {
    case PARKED_ON_MEMORY:
        if (sim_engine_poll(engine)) return;
        sim_strand_sleep_until(end.strand, end.number, POLLED_SLEEP_NS);
        if (engine->look_for_hang) engine->look_for_hang(engine);
        return;
    case PARKED_ON_HOST:
        sim_strand_sleep_until(end.strand, end.number, RECHECK_SOON_NS);
        if (engine->look_for_hang) engine->look_for_hang(engine);
        return;
    case PARKED_ON_POINT:
        if (sim_point_reached(deeper)) sched_yield(); /* another thread is about to unpark it */
        go_deeper(path, deeper);
        return;
    case PARKED_ON_WORK:
        if (sim_work_help(engine, &end)) {
            if (deeper.strand) sim_strand_release(deeper.strand);
        } else if (deeper.strand) {
            go_deeper(path, deeper);
        } else {
            sim_strand_sleep_until(end.strand, end.number, RECHECK_SOON_NS);
        }
        return;
    case PARKED_ON_NODE:
        if (deeper.strand) step_aside(engine, path, deeper);
        return;
    case PARKED_ON_NOTHING:
        sched_yield(); /* its owner is about to note what it waits for */
    }
}

/* Makes one step at the end of the path: runs the strand, goes deeper, or waits. */
static void take_step(struct engine *engine, struct path *path, bool blocking_sync)
{
    struct point *end = &path->steps[path->length - 1];
    struct strand *strand = end->strand;
    switch (sim_strand_state(strand)) {
    case STRAND_READY:
        sim_strand_run_ready(*end);
        return;
    case STRAND_PARKED:
        step_parked(engine, path);
        return;
    default:
        stand_by(engine, path, blocking_sync);
    }
}

/* Waits, and helps with whatever keeps the point from being reached.  Returns false if that is
 * this very thread. */
bool sim_engine_wait_along_path(struct engine *engine, struct point point, bool blocking_sync)
{
    if (engine->steering) return engine->steering->wait(engine->steering, point);
    struct path path; /* only steps that are taken are initialized */
    struct waiting_thread here = { .next = NULL };
    if (engine->look_for_hang) sim_stuck_enter(engine, &here);
    path.steps[0] = point;
    path.length = 1;
    path.tries = 0;
    path.sleep_ns = RECHECK_SOON_NS;
    sim_strand_retain(point.strand);
    bool possible = true;
    while (possible && !sim_point_reached(point) && !atomic_load(&here.gives_up)) {
        struct point end = path.steps[path.length - 1];
        if (sim_point_reached(end)) path_pop(&path);
        else if (sim_strand_runs_here(end.strand)) possible = false;
        else if (needs_this_thread(end.strand)) sim_host_thread_help(engine->platform->host_thread);
        else take_step(engine, &path, blocking_sync);
    }
    while (path.length) path_pop(&path);
    sim_strand_release(point.strand);
    if (engine->look_for_hang) sim_stuck_leave(engine, &here);
    return possible;
}
