/* SPDX-License-Identifier: Apache-2.0
 *
 * A lock that mostly one thread takes, again and again: to that one it belongs after a
 * while, and costs it two plain stores.  Another one that wants it takes it away, which
 * makes the processors of all threads fence; then it is a spin lock, until one thread has
 * taken it for longer than the last time.  So threads that take turns pay for that rarely,
 * and more and more rarely.
 *
 * As a spin lock it is never held across a call that can sleep.
 */
#ifndef RL_BIASED_H
#define RL_BIASED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/fence.h"
#include "base/spin.h"
#include "base/thread.h"

/* Zero to begin with. */
struct rl_biased {
    _Atomic(const char *) owner; /* whose it is; NULL: nobody's.  Stored under `spin`      */
    atomic_uint busy;            /* that one is inside; its own                            */
    struct rl_spin spin;         /* for all but the owner                                  */
    const char *last;            /* who had it last as a spin lock; spin                   */
    uint32_t times, wanted;      /* how often in a row; how often it must for its own; spin */
};

/* Its address is the thread. */
extern _Thread_local char rl_biased_here RL_THREAD_WORD;

bool rl_biased_slow(struct rl_biased *lock);

/* True: as its owner, which is to be told when it is given back. */
static inline bool rl_biased_lock(struct rl_biased *lock)
{
    const char *here = &rl_biased_here;
    if (atomic_load_explicit(&lock->owner, memory_order_relaxed) == here) {
        /* Behind a thread that ended, in whose place this one came. */
        (void)atomic_load_explicit(&lock->busy, memory_order_acquire);
        atomic_store_explicit(&lock->busy, 1, memory_order_relaxed);
        rl_fence_often();
        if (atomic_load_explicit(&lock->owner, memory_order_relaxed) == here) return true;
        atomic_store_explicit(&lock->busy, 0, memory_order_release);
    }
    return rl_biased_slow(lock);
}

static inline void rl_biased_unlock(struct rl_biased *lock, bool owned)
{
    if (owned) atomic_store_explicit(&lock->busy, 0, memory_order_release);
    else rl_spin_unlock(&lock->spin);
}

#endif
