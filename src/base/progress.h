/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether all other threads of the process got on.
 *
 * Who finds what cannot last, and finds it again later, has found a mistake only if no
 * thread was kept from its processor in the midst of mending it.  That is so once each
 * of them sleeps, has had a processor for much longer than it takes, or is gone: time
 * alone would prove nothing on a machine that is busy, or under a debugger.
 */
#ifndef RL_PROGRESS_H
#define RL_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

#define RL_PROGRESS_THREADS 2048

struct rl_progress {
    size_t count; /* of threads; 0: nothing is known */
    struct rl_thread_mark {
        long id;
        unsigned long long ticks; /* of the clock that it ran for */
    } threads[RL_PROGRESS_THREADS];
};

/* Takes down how far each thread but the calling one is.  Where the system does not say,
 * or there are too many, nothing is known, now and later. */
void rl_progress_mark(struct rl_progress *progress);

/* Whether each of those that were there then got on since, as far as is known. */
bool rl_progress_made(const struct rl_progress *progress);

#endif
