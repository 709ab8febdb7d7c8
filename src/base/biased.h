/* SPDX-License-Identifier: Apache-2.0
 *
 * A biased lock.  The thread that takes it most often becomes its owner; for the owner,
 * locking costs two plain stores.  Any other thread first revokes the bias, which costs a
 * process-wide fence; from then on it is a spin lock, until one thread has taken it in a
 * row for longer than the last owner had to.  So threads that take turns revoke it rarely,
 * more and more rarely, and in the end never.
 *
 * Each ownership has a byte of its own that says whether its owner is inside.  A thread may
 * have found itself to be the owner and not yet said that it is inside; by the time it does,
 * the lock may have been revoked and be another thread's.  What it then stores, and takes back,
 * must be nothing that the new owner says.
 *
 * Like a spin lock, it is never held across a call that can sleep.
 */
#ifndef RL_BIASED_H
#define RL_BIASED_H

#include <stddef.h>
#include <stdint.h>

#include "base/fence.h"
#include "base/spin.h"
#include "base/thread.h"

/* How often a lock can get an owner. */
#define RL_OWNERSHIPS 8

/* Zeroed at first. */
struct rl_biased {
    _Atomic(const char *) owner; /* &rl_biased_here[i] of the owner, the i-th that the lock
                                    has, or NULL; stored under `spin`                        */
    atomic_uchar busy[RL_OWNERSHIPS]; /* [i] is 1 while the i-th owner is inside; that owner's */
    struct rl_spin spin;         /* taken by all threads but the owner                       */
    uint32_t ownerships;         /* how many there were; spin                                */
    const char *last;            /* the thread that had `spin` last; spin                    */
    uint32_t times, wanted;      /* its turns in a row, and how many make it the owner; spin */
};

/* Its address stands for the calling thread, those of its elements for the ownerships that the
 * thread may have. */
extern _Thread_local char rl_biased_here[RL_OWNERSHIPS] RL_THREAD_WORD;

/* Take the lock as a thread that is not its owner, and give it back.  The thread may be the owner
 * from then on. */
void rl_biased_slow(struct rl_biased *lock);
void rl_biased_end_slow(struct rl_biased *lock);

/* Returns the number of the ownership for which this stands, if it is the calling thread's, or
 * RL_OWNERSHIPS or more. */
static inline uintptr_t rl_biased_number(const char *owner)
{
    return (uintptr_t)owner - (uintptr_t)rl_biased_here;
}

/* Returns what rl_biased_unlock() is to be given: the byte of the ownership with which the calling
 * thread took the lock, or NULL. */
static inline atomic_uchar *rl_biased_lock(struct rl_biased *lock)
{
    const char *owner = atomic_load_explicit(&lock->owner, memory_order_relaxed);
    uintptr_t number = rl_biased_number(owner);
    if (number < RL_OWNERSHIPS) {
        atomic_uchar *busy = &lock->busy[number];
        /* Pairs with the end of a thread whose place in memory this one has now. */
        (void)atomic_load_explicit(busy, memory_order_acquire);
        atomic_store_explicit(busy, 1, memory_order_relaxed);
        rl_fence_often();
        if (atomic_load_explicit(&lock->owner, memory_order_relaxed) == owner) return busy;
        atomic_store_explicit(busy, 0, memory_order_release);
    }
    rl_biased_slow(lock);
    return NULL;
}

static inline void rl_biased_unlock(struct rl_biased *lock, atomic_uchar *held)
{
    if (held) atomic_store_explicit(held, 0, memory_order_release);
    else rl_biased_end_slow(lock);
}

#endif
