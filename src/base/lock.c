/* SPDX-License-Identifier: Apache-2.0 */
#include "base/lock.h"

#include "base/park.h"

/* Long enough for a running holder to finish, short compared to a sleep. */
#define SPINS 64

void rl_lock_slow(struct rl_lock *lock)
{
    for (int i = 0; i < SPINS; i++) {
        if (!atomic_load_explicit(&lock->word, memory_order_relaxed) && rl_trylock(lock)) return;
        rl_relax();
    }
    while (atomic_exchange_explicit(&lock->word, 2, memory_order_acquire))
        rl_park(&lock->word, 2, RL_FOREVER);
}

void rl_unlock_slow(struct rl_lock *lock)
{
    rl_unpark(&lock->word, 1);
}
