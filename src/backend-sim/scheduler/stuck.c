/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/scheduler/stuck.h"

#include "backend-sim/scheduler/strand.h"
#include "backend-sim/scheduler/worker.h"
#include "base/thread.h"

void sim_stuck_enter(struct engine *engine, struct waiting_thread *thread)
{
    thread->id = rl_thread_id();
    rl_lock(&engine->lock);
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
    rl_unlock(&engine->lock);
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
