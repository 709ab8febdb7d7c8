/* SPDX-License-Identifier: Apache-2.0 */
#include "base/lock.h"

#include "base/park.h"

/* Longer than any: a thread that waits for a lock of the library is seen to do so for a time, and
 * so as one that will go on (base/process/asleep.h). */
#define HOLDER_ENDS_NS UINT64_C(3600000000000)

/* Long enough for a running holder to finish, short compared to a sleep. */
#define SPINS 64

void rl_lock_slow(struct rl_lock *lock)
{
    for (int i = 0; i < SPINS; i++) {
        if (!atomic_load_explicit(&lock->word, memory_order_relaxed) && rl_trylock(lock)) return;
        rl_relax();
    }
    while (atomic_exchange_explicit(&lock->word, 2, memory_order_acquire))
        rl_park(&lock->word, 2, HOLDER_ENDS_NS);
}

void rl_unlock_slow(struct rl_lock *lock)
{
    rl_unpark(&lock->word, 1);
}
