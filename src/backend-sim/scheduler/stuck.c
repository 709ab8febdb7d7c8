/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/scheduler/stuck.h"

#include <sched.h>

#include "backend-sim/scheduler/strand.h"
#include "backend-sim/scheduler/worker.h"
#include "base/thread.h"

/* The wait that this thread is in, the innermost one. */
static _Thread_local struct waiting_thread *stuck_here;

void sim_stuck_enter(struct engine *engine, struct waiting_thread *thread)
{
    *thread = (struct waiting_thread){ .id = rl_thread_id(), .outer = stuck_here };
    stuck_here = thread;
    rl_lock(&engine->lock);
    if (thread->outer) thread->outer->within = true;
    thread->next = engine->waiting;
    engine->waiting = thread;
    rl_unlock(&engine->lock);
}

void sim_stuck_leave(struct engine *engine, struct waiting_thread *thread)
{
    rl_lock(&engine->lock);
    struct waiting_thread **link = &engine->waiting;
    while (*link != thread) link = &(*link)->next;
    *link = thread->next;
    if (thread->outer) thread->outer->within = false;
    rl_unlock(&engine->lock);
    stuck_here = thread->outer;
}

void sim_stuck_give_up(struct engine *engine)
{
    rl_lock(&engine->lock);
    for (struct waiting_thread *thread = engine->waiting; thread; thread = thread->next)
        atomic_store(&thread->gives_up, true);
    rl_unlock(&engine->lock);
}

void sim_stuck_rest(bool rests)
{
    if (stuck_here) atomic_store(&stuck_here->rests, rests);
}

/* How often another thread gets the processor until it is taken not to rest. */
#define REST_TRIES 32

static bool all_rest(struct engine *engine)
{
    bool rest = true;
    rl_lock(&engine->lock);
    for (struct waiting_thread *thread = engine->waiting; thread && rest; thread = thread->next)
        rest = thread == stuck_here || thread->within || atomic_load(&thread->rests);
    for (int i = 0; i < engine->started && rest; i++)
        rest = atomic_load(&engine->workers[i].rests);
    rl_unlock(&engine->lock);
    return rest;
}

bool sim_stuck_all_rest(struct engine *engine)
{
    for (int i = 0; i < REST_TRIES; i++) {
        if (all_rest(engine)) return true;
        sched_yield();
    }
    return false;
}

/* Tells whether all strands are IDLE or PARKED, and adds up what they have done. */
static bool strands_stand_still(struct engine *engine, struct standstill *standstill)
{
    bool still = true;
    rl_lock(&engine->strands_lock);
    for (struct strand *strand = engine->strands; strand && still; strand = strand->next) {
        enum strand_state state = sim_strand_state(strand);
        still = state == STRAND_IDLE || state == STRAND_PARKED;
        standstill->submitted += atomic_load(&strand->submitted);
        standstill->completed += atomic_load(&strand->completed);
    }
    rl_unlock(&engine->strands_lock);
    return still;
}

bool sim_engine_stands_still(struct engine *engine, struct standstill *standstill)
{
    *standstill = (struct standstill){ .submitted = 0 };
    rl_lock(&engine->lock);
    standstill->workers = engine->started;
    bool rests = !sim_engine_has_ready(engine) && !sim_work_runs(engine) &&
                 !sim_work_wants(engine) && !engine->spinning &&
                 atomic_load(&engine->idlers) == (unsigned)engine->workers_max;
    rl_unlock(&engine->lock);
    return rests && strands_stand_still(engine, standstill);
}

int sim_stuck_threads(struct engine *engine, unsigned long *ids, int most)
{
    int count = 0;
    rl_lock(&engine->lock);
    for (const struct waiting_thread *thread = engine->waiting; thread && count < most;
         thread = thread->next)
        ids[count++] = thread->id;
    for (int i = 0; i < engine->started && count < most; i++)
        ids[count++] = atomic_load(&engine->workers[i].id);
    rl_unlock(&engine->lock);
    return count;
}
