/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/stream/backlog.h"

#include "backend-sim/scheduler/wait.h"
#include "base/read_clock.h"

/* How many operations may be pending of any stream: each is some dozen bytes. */
#define ANY_MOST 65536u

/* How many of one whose operations are slow: what it runs in so many nanoseconds, but as many as a
 * driver has room for. */
#define SLOW_NS 20000000u
#define SLOW_MOST 1024u

/* How long a stream may not get on until it counts as slow. */
#define PAUSE_NS 2000000u

/* How long a thread sleeps before it looks again whether the strand gets on, and how often it does
 * in vain: a kernel can wait for what this very thread writes, and a strand that is READY for a
 * worker that does. */
#define NAP_NS 1000000u
#define NAPS_IN_VAIN 1000u

static uint64_t completed_of(const struct strand *strand)
{
    return atomic_load_explicit(&strand->completed, memory_order_acquire);
}

/* How far a stream got in the time since a look that found it got on. */
struct progress {
    uint64_t operations, ns;
};

/* Several threads may look at once, and each sees less then: nothing here needs to be exact. */
static struct progress look_at(struct strand *strand, uint64_t completed)
{
    const uint64_t now = rl_read_clock(CLOCK_MONOTONIC);
    const uint64_t before = atomic_load_explicit(&strand->backlog_seen, memory_order_relaxed);
    const uint64_t at = atomic_load_explicit(&strand->backlog_seen_at, memory_order_relaxed);
    if (completed > before || !at) {
        atomic_store_explicit(&strand->backlog_seen, completed, memory_order_relaxed);
        atomic_store_explicit(&strand->backlog_seen_at, now, memory_order_relaxed);
    }
    if (!at) return (struct progress){ 0, 0 };
    return (struct progress){ completed > before ? completed - before : 0,
                              now > at ? now - at : 0 };
}

/* Returns how many operations may be pending of a stream that gets on so fast. */
static uint64_t find_most(struct progress progress)
{
    if (!progress.operations) return progress.ns < PAUSE_NS ? ANY_MOST : SLOW_MOST;
    const uint64_t each_ns = progress.ns / progress.operations;
    if (each_ns <= SLOW_NS / ANY_MOST) return ANY_MOST;
    return each_ns >= SLOW_NS / SLOW_MOST ? SLOW_MOST : SLOW_NS / each_ns;
}

/* Returns how many operations have to be completed before the thread may go on; 0 if it may.  When
 * it goes on, the stream has half of what it may have, so that it does not run dry while the thread
 * wakes up. */
static uint64_t find_goal(struct strand *strand, uint64_t completed)
{
    const uint64_t submitted = sim_strand_submitted(strand);
    if (submitted <= completed + SLOW_MOST) return 0; /* mostly */
    const uint64_t most = find_most(look_at(strand, completed));
    return submitted - completed > most ? submitted - most / 2 : 0;
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
    if (sim_running || sim_strand_attention(strand) & (ATTEND_STEERED | ATTEND_VIRTUAL)) return;
    uint64_t completed = completed_of(strand);
    const uint64_t goal = find_goal(strand, completed);
    const uint64_t stuck = atomic_load_explicit(&strand->backlog_stuck, memory_order_relaxed);
    if (!goal || completed + 1 == stuck) return;
    for (unsigned naps = 0; completed < goal && gets_on(strand) && naps < NAPS_IN_VAIN; naps++) {
        sim_strand_sleep_until(strand, goal, NAP_NS);
        const uint64_t now = completed_of(strand);
        if (now != completed) naps = 0;
        completed = now;
    }
    if (completed < goal)
        atomic_store_explicit(&strand->backlog_stuck, completed + 1, memory_order_relaxed);
}
