/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernel's calls for sleeping on a word, by number: they are part of its interface, and
 * <linux/futex.h> is not there with each C library.
 */
#ifndef RL_FUTEX_H
#define RL_FUTEX_H

#include <sys/syscall.h>
#include <time.h>

/* The call whose limit is a struct timespec as the C library has it: 32-bit processors have two,
 * and the newest have the second one only. */
#if !defined(SYS_futex)
#define RL_SYS_FUTEX SYS_futex_time64
#elif defined(SYS_futex_time64)
#define RL_SYS_FUTEX (sizeof(time_t) > sizeof(long) ? SYS_futex_time64 : SYS_futex)
#else
#define RL_SYS_FUTEX SYS_futex
#endif

enum rl_futex_command {
    RL_FUTEX_WAIT = 0,
    RL_FUTEX_WAKE = 1,
    RL_FUTEX_LOCK_PI = 6,
    RL_FUTEX_WAIT_BITSET = 9,
    RL_FUTEX_WAIT_REQUEUE_PI = 11,
};

/* Goes with a command. */
enum rl_futex_flag {
    RL_FUTEX_PRIVATE = 128, /* the word is this process's alone */
    RL_FUTEX_REALTIME = 256,
    RL_FUTEX_FLAGS = RL_FUTEX_PRIVATE | RL_FUTEX_REALTIME,
};

#endif
