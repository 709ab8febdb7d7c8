/* SPDX-License-Identifier: Apache-2.0
 *
 * A biased lock.  The thread that takes it most often becomes its owner; for the owner,
 * locking costs two plain stores.  Any other thread first revokes the bias, which costs a
 * process-wide fence; from then on it is a spin lock, until one thread has taken it in a
 * row for longer than the last owner had to.  So threads that take turns revoke it rarely,
 * and more and more rarely.
 *
 * Like a spin lock, it is never held across a call that can sleep.
 */
#ifndef RL_BIASED_H
#define RL_BIASED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/fence.h"
#include "base/spin.h"
#include "base/thread.h"

/* Zeroed at first. */
struct rl_biased {
    _Atomic(const char *) owner; /* the owner's rl_biased_here, or NULL; stored under `spin` */
    atomic_uint busy;            /* 1 while the owner holds the lock; the owner's            */
    struct rl_spin spin;         /* taken by all threads but the owner                       */
    const char *last;            /* the thread that had `spin` last; spin                    */
    uint32_t times, wanted;      /* its turns in a row, and how many make it the owner; spin */
};

/* Its address stands for the calling thread. */
extern _Thread_local char rl_biased_here RL_THREAD_WORD;

/* Takes the lock as a thread that is not its owner.  The thread may be the owner from then on. */
void rl_biased_slow(struct rl_biased *lock);

/* Returns true on the biased fast path; pass the result to rl_biased_unlock(). */
static inline bool rl_biased_lock(struct rl_biased *lock)
{
    const char *here = &rl_biased_here;
    if (atomic_load_explicit(&lock->owner, memory_order_relaxed) == here) {
        /* Pairs with the end of a thread whose place in memory this one has now. */
        (void)atomic_load_explicit(&lock->busy, memory_order_acquire);
        atomic_store_explicit(&lock->busy, 1, memory_order_relaxed);
        rl_fence_often();
        if (atomic_load_explicit(&lock->owner, memory_order_relaxed) == here) return true;
        atomic_store_explicit(&lock->busy, 0, memory_order_release);
    }
    rl_biased_slow(lock);
    return false;
}

static inline void rl_biased_unlock(struct rl_biased *lock, bool owned)
{
    /* Also in the turn that made the thread the owner: if it ends, the thread that gets its
     * place in memory looks at nothing else. */
    atomic_store_explicit(&lock->busy, 0, memory_order_release);
    if (!owned) rl_spin_unlock(&lock->spin);
}

#endif
