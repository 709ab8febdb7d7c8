/* SPDX-License-Identifier: Apache-2.0
 *
 * A spin lock, for a few dozen instructions that every operation executes.
 * Unlocking is a plain store, half the price of a lock that must check for
 * sleepers; in return a thread that waits long, since the holder lost its
 * processor, sleeps for a fixed moment.  Never held across a call that can sleep.
 */
#ifndef RL_SPIN_H
#define RL_SPIN_H

#include <stdatomic.h>

struct rl_spin {
    atomic_uint held;
};

void rl_spin_slow(struct rl_spin *spin);

/* Prefetches a cache line for writing.  Never faults, whatever the address. */
static inline void rl_prefetch_to_write(const void *place)
{
#if defined(__x86_64__)
    /* Without -mprfchw the compiler's builtin prefetches for reading.  Processors that lack
     * the instruction ignore it. */
    __asm__ volatile("prefetchw %0" : : "m"(*(const char *)place));
#else
    __builtin_prefetch(place, 1);
#endif
}

static inline void rl_spin_lock(struct rl_spin *spin)
{
    if (atomic_exchange_explicit(&spin->held, 1, memory_order_acquire)) rl_spin_slow(spin);
}

static inline void rl_spin_unlock(struct rl_spin *spin)
{
    atomic_store_explicit(&spin->held, 0, memory_order_release);
}

#endif
