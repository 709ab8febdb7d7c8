/* SPDX-License-Identifier: Apache-2.0 */
#include "base/biased.h"

#include <sched.h>

#include "base/park.h"

/* How often in a row a thread takes the lock before it is its own: at first, and four
 * times as often each time that it was taken away, up to the most. */
#define WANTED_FIRST 32u
#define WANTED_MOST (1u << 20)

_Thread_local char rl_biased_here RL_THREAD_WORD;

/* The owner sees that it is not any more, or is seen inside. */
static void take_away(struct rl_biased *lock)
{
    atomic_store(&lock->owner, NULL);
    rl_fence_rarely();
    for (int i = 0; atomic_load_explicit(&lock->busy, memory_order_acquire); i++) {
        if (i < 100) rl_relax();
        else sched_yield();
    }
    if (lock->wanted < WANTED_MOST) lock->wanted *= 4;
    lock->times = 0;
}

/* The new owner is inside as one already, so that `busy` publishes this turn too: a thread
 * that comes in the place of an ended owner looks at nothing else. */
static void make_own(struct rl_biased *lock, const char *here)
{
    atomic_store_explicit(&lock->busy, 1, memory_order_relaxed);
    atomic_store_explicit(&lock->owner, here, memory_order_relaxed);
    rl_spin_unlock(&lock->spin);
}

bool rl_biased_slow(struct rl_biased *lock)
{
    const char *here = &rl_biased_here;
    rl_spin_lock(&lock->spin);
    if (!lock->wanted) lock->wanted = WANTED_FIRST;
    if (atomic_load_explicit(&lock->owner, memory_order_relaxed)) take_away(lock);
    lock->times = lock->last == here ? lock->times + 1 : 0;
    lock->last = here;
    if (lock->times < lock->wanted || rl_fence_is_dear) return false;
    make_own(lock, here);
    return true;
}
