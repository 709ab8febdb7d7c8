/* SPDX-License-Identifier: Apache-2.0
 *
 * Who and when: the number of a thread and its end, the time, the environment.
 */
#ifndef RL_THREAD_H
#define RL_THREAD_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/* A variable of each thread that is looked at all the time: with glibc, which keeps
 * room for such, that is one load also in the shared library, and no call. */
#ifdef __GLIBC__
#define RL_THREAD_WORD __attribute__((tls_model("initial-exec")))
#else
#define RL_THREAD_WORD
#endif

/* The calling thread, as the system numbers it; another one in a child of fork(). */
uint64_t rl_thread_id(void);

/* Nanoseconds that never go back. */
uint64_t rl_monotonic_ns(void);

/* What that takes, as far as can be told. */
uint64_t rl_monotonic_cost_ns(void);

/* Starts a thread of the library's own, which leaves all signals to those of the program.
 * Returns false if the system has none to give. */
bool rl_thread_start(pthread_t *thread, void *(*main)(void *), void *data);

/* The time of day in so many nanoseconds, and whether a thread has ended by then, which is
 * joined; the calling one has not. */
struct timespec rl_in(uint64_t ns);
bool rl_join_until(pthread_t thread, const struct timespec *end);

/* The environment, unless the program runs with another user's rights. */
const char *rl_getenv(const char *name);

#endif
