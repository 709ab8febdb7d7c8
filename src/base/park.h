/* SPDX-License-Identifier: Apache-2.0
 *
 * Sleeping on a word of memory until another thread changes it.
 */
#ifndef RL_PARK_H
#define RL_PARK_H

#include <stdatomic.h>
#include <stdint.h>

#define RL_FOREVER UINT64_MAX

/* Sleeps while *word is `expected`, for at most `timeout_ns`.  Returns when it is woken, when
 * the time is over, or spuriously: callers check again. */
void rl_park(atomic_uint *word, unsigned expected, uint64_t timeout_ns);

/* Wakes up to `count` threads that sleep on the word. */
void rl_unpark(atomic_uint *word, int count);

/* Hints to the processor that this thread spins. */
static inline void rl_relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb" ::: "memory");
#endif
}

#endif
