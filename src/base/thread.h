/* SPDX-License-Identifier: Apache-2.0
 *
 * What the library needs of the system: threads and their numbers, time, environment.
 */
#ifndef RL_THREAD_H
#define RL_THREAD_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/* Marks a thread-local variable that is read all the time.  With glibc, which keeps room for
 * such variables, that is one load and no call, also in the shared library. */
#ifdef __GLIBC__
#define RL_THREAD_WORD __attribute__((tls_model("initial-exec")))
#else
#define RL_THREAD_WORD
#endif

/* Returns the system's number of the calling thread, which differs in a child of fork(). */
uint64_t rl_thread_id(void);

/* Tells whether the system has no thread of this process with such a number any more.  Says no
 * where the system cannot be asked. */
bool rl_thread_has_ended(uint64_t id);

/* Returns nanoseconds of a clock that never goes back. */
uint64_t rl_monotonic_ns(void);

/* Returns for how many nanoseconds the threads of the process have been at work so far. */
uint64_t rl_process_ns(void);

/* Returns for how many nanoseconds a thread that was not joined has been at work so far; 0 if the
 * system does not say. */
uint64_t rl_thread_ns(pthread_t thread);

/* Returns about how long a call of rl_monotonic_ns() takes. */
uint64_t rl_monotonic_cost_ns(void);

/* Starts a thread of the library's own, which leaves all signals to the program's threads.
 * Returns false if the system refuses. */
bool rl_thread_start(pthread_t *thread, void *(*main)(void *), void *data);

/* Has ThreadSanitizer in the program look away from what threads do that start from now on, but
 * for the fibers that they switch to.  Requires rl_has_tsan(). */
void rl_threads_hide(void);

/* Returns the time of day in so many nanoseconds from now. */
struct timespec rl_in(uint64_t ns);

/* Joins a thread.  Returns false if it has not ended by `end`, or is the calling thread. */
bool rl_join_until(pthread_t thread, const struct timespec *end);

/* Returns a variable of the environment, or NULL if the program runs with another user's
 * rights. */
const char *rl_getenv(const char *name);

#endif
