/* SPDX-License-Identifier: Apache-2.0
 *
 * An asymmetric fence, for two sides: one passes all the time and the other
 * hardly ever.  Each side stores, fences, and loads what the other stores; at least one
 * of them sees the other's store.  The frequent side's fence costs nothing; the rare
 * side's is a system call that makes the processors of all threads fence.
 */
#ifndef RL_FENCE_H
#define RL_FENCE_H

#include <stdatomic.h>
#include <stdbool.h>

/* True if the frequent side must fence itself, since the system has no such call.  Set once,
 * by rl_fence_init(). */
extern bool rl_fence_is_dear;

/* Must precede the first fence of either side; may be called any number of times. */
void rl_fence_init(void);

/* ThreadSanitizer does not know fences, and gcc warns of that.  It misses nothing: data is
 * handed over through locks and releases. */
#if defined(__SANITIZE_THREAD__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wtsan"
#define RL_FENCE_POP _Pragma("GCC diagnostic pop")
#else
#define RL_FENCE_POP
#endif

static inline void rl_fence_full(void)
{
    atomic_thread_fence(memory_order_seq_cst);
}

static inline void rl_fence_often(void)
{
    if (rl_fence_is_dear) rl_fence_full();
    else atomic_signal_fence(memory_order_seq_cst);
}

RL_FENCE_POP

void rl_fence_rarely(void);

#endif
