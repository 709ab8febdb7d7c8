/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/stream/backlog.h"

#include "backend-sim/scheduler/wait.h"

/* So many operations may be pending of a stream whose operations are slow, as with a driver, and
 * so many of any: they are of some dozen bytes each. */
#define SLOW_MOST 1024u
#define ANY_MOST 65536u

/* How long a thread sleeps before it looks again whether the strand gets on, and how often it does
 * in vain: a kernel can wait for what this very thread writes, and a strand that is READY for a
 * worker that does. */
#define NAP_NS 1000000u
#define NAPS_IN_VAIN 1000u

static uint64_t completed_of(const struct strand *strand)
{
    return atomic_load_explicit(&strand->completed, memory_order_acquire);
}

/* Returns how many operations have to be completed before the thread may go on; 0 if it may.  A
 * strand that ran half of what was submitted since the last look keeps up well enough, and would
 * run dry while the thread wakes up. */
static uint64_t find_goal(struct strand *strand, uint64_t completed)
{
    const uint64_t submitted = sim_strand_submitted(strand);
    const uint64_t seen = atomic_exchange_explicit(&strand->backlog_seen, completed,
                                                   memory_order_relaxed);
    const uint64_t pending = submitted > completed ? submitted - completed : 0;
    const uint64_t ran = completed > seen ? completed - seen : 0;
    if (pending <= SLOW_MOST) return 0;
    if (ran < BACKLOG_LOOK / 2) return submitted - SLOW_MOST;
    return pending > ANY_MOST ? submitted - ANY_MOST / 2 : 0;
}

/* Returns true if the strand gets on by itself, as far as anybody can tell. */
static bool gets_on(const struct strand *strand)
{
    const enum strand_state state = sim_strand_state(strand);
    return (state == STRAND_RUNNING || state == STRAND_READY) &&
           !atomic_load_explicit(&strand->calls_program, memory_order_relaxed);
}

void sim_backlog_wait(struct strand *strand)
{
    uint64_t completed = completed_of(strand);
    const uint64_t goal = find_goal(strand, completed);
    if (!goal || sim_running || sim_strand_attention(strand) & (ATTEND_STEERED | ATTEND_VIRTUAL))
        return;
    if (completed + 1 == atomic_load_explicit(&strand->backlog_stuck, memory_order_relaxed)) return;
    for (unsigned naps = 0; completed < goal && gets_on(strand) && naps < NAPS_IN_VAIN; naps++) {
        sim_strand_sleep_until(strand, goal, NAP_NS);
        const uint64_t now = completed_of(strand);
        if (now != completed) naps = 0;
        completed = now;
    }
    if (completed < goal)
        atomic_store_explicit(&strand->backlog_stuck, completed + 1, memory_order_relaxed);
}
