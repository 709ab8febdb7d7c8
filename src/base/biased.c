/* SPDX-License-Identifier: Apache-2.0 */
#include "base/biased.h"

#include <sched.h>

#include "base/park.h"

/* How often in a row a thread takes the lock before it owns it: at first, and four times as
 * often after each revocation, up to the most. */
#define WANTED_FIRST 32u
#define WANTED_MOST (1u << 20)

_Thread_local char rl_biased_here[RL_OWNERSHIPS] RL_THREAD_WORD;

/* Revokes the bias: either the owner sees that it is no longer the owner, or this thread
 * sees that the owner holds the lock, and waits. */
static void revoke_bias(struct rl_biased *lock)
{
    const atomic_uchar *busy = &lock->busy[lock->ownerships - 1];
    atomic_store(&lock->owner, NULL);
    rl_fence_rarely();
    for (int i = 0; atomic_load_explicit(busy, memory_order_acquire); i++) {
        if (i < 100) rl_relax();
        else sched_yield();
    }
    if (lock->wanted < WANTED_MOST) lock->wanted *= 4;
    lock->times = 0;
}

void rl_biased_slow(struct rl_biased *lock)
{
    const char *here = rl_biased_here;
    rl_spin_lock(&lock->spin);
    if (!lock->wanted) lock->wanted = WANTED_FIRST;
    if (atomic_load_explicit(&lock->owner, memory_order_relaxed)) revoke_bias(lock);
    lock->times = lock->last == here ? lock->times + 1 : 0;
    lock->last = here;
    if (lock->times < lock->wanted || lock->ownerships == RL_OWNERSHIPS || rl_fence_is_dear) return;
    atomic_store_explicit(&lock->owner, &here[lock->ownerships++], memory_order_relaxed);
}

void rl_biased_end_slow(struct rl_biased *lock)
{
    /* In the turn that made the thread the owner: if the thread ends, the one that gets its place
     * in memory looks at nothing else. */
    uintptr_t number = rl_biased_number(atomic_load_explicit(&lock->owner, memory_order_relaxed));
    if (number < RL_OWNERSHIPS)
        atomic_store_explicit(&lock->busy[number], 0, memory_order_release);
    rl_spin_unlock(&lock->spin);
}
