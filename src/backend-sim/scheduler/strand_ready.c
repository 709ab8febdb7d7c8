/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/scheduler/strand_ready.h"

#include "backend-sim/scheduler/steering.h"
#include "base/park.h"

/* Notes since when a strand is ready, and then has the steering hold it, if the engine is steered.
 * Returns true if the strand is the steering's. */
__attribute__((noinline))
static bool attend_times(struct strand *strand, unsigned attention)
{
    struct steering *steering = strand->engine->steering;
    strand->ready_since = sim_engine_now(strand->engine);
    return attention & ATTEND_STEERED && steering->hold(steering, strand);
}

/* Tells whether the steering is who makes of the strand what can run. */
static inline bool goes_to_steering(struct strand *strand)
{
    unsigned attention = sim_strand_attention(strand);
    if (!(attention & (ATTEND_TIMES | ATTEND_STEERED))) return false; /* mostly; one test */
    if (attention & ATTEND_TIMES) return attend_times(strand, attention);
    struct steering *steering = strand->engine->steering;
    return steering->hold(steering, strand);
}

/* Makes the strand READY.  Returns true if the caller must list the strand, which is retained for
 * that; otherwise there is an entry, which was stale and is valid again. */
static bool set_ready(struct strand *strand)
{
    atomic_store(&strand->state, STRAND_READY);
    if (atomic_load(&strand->listed) || atomic_exchange(&strand->listed, true)) return false;
    sim_strand_retain(strand);
    return true;
}

/* Lists a strand, if any, and wakes a worker unless one will poll by itself. */
static void list_and_wake(struct engine *engine, struct strand *to_list)
{
    if (to_list) sim_engine_list(engine, to_list);
    if (!atomic_load(&engine->watched)) sim_engine_wake_worker(engine);
}

void sim_submission_make_ready(struct strand *strand)
{
    struct engine *engine = strand->engine;
    if (goes_to_steering(strand)) {
        rl_spin_unlock(&strand->submit_lock);
        return;
    }
    bool lists = set_ready(strand);
    rl_spin_unlock(&strand->submit_lock); /* and it may be gone */
    list_and_wake(engine, lists ? strand : NULL);
}

void sim_strand_wake_all_sleepers(struct strand *strand)
{
    rl_spin_lock(&strand->waiters_lock);
    for (struct waiter *w = strand->first; w; w = w->next) {
        if (w->reached) continue;
        atomic_store_explicit(&w->futex_word, 1, memory_order_release);
        rl_unpark(&w->futex_word, 1);
    }
    rl_spin_unlock(&strand->waiters_lock);
}

void sim_strand_make_ready(struct strand *strand)
{
    /* Another thread may run it to its end before this one is done with it. */
    sim_strand_retain(strand);
    if (!goes_to_steering(strand))
        list_and_wake(strand->engine, set_ready(strand) ? strand : NULL);
    sim_strand_wake_sleepers(strand);
    sim_strand_release(strand);
}

void sim_strand_unpark(struct strand *strand)
{
    rl_spin_lock(&strand->park_lock);
    strand->parked = PARKED_ON_NOTHING;
    rl_spin_unlock(&strand->park_lock);
    sim_strand_make_ready(strand);
}
