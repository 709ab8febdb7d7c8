/* SPDX-License-Identifier: Apache-2.0
 *
 * Who and when: the number of a thread, the process it lives in, the time.
 */
#ifndef RL_THREAD_H
#define RL_THREAD_H

#include <stdint.h>

/* A variable of each thread that is looked at all the time: with glibc, which keeps
 * room for such, that is one load also in the shared library, and no call. */
#ifdef __GLIBC__
#define RL_THREAD_WORD __attribute__((tls_model("initial-exec")))
#else
#define RL_THREAD_WORD
#endif

/* The calling thread, as the system numbers it. */
uint64_t rl_thread_id(void);

/* Grows in a child of fork(): objects made before it are its parent's. */
unsigned rl_fork_generation(void);

/* Nanoseconds that never go back. */
uint64_t rl_monotonic_ns(void);

/* What that takes, as far as can be told. */
uint64_t rl_monotonic_cost_ns(void);

/* The environment, unless the program runs with another user's rights. */
const char *rl_getenv(const char *name);

#endif
