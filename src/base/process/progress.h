/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether all other threads of the process have made progress.
 *
 * A state that cannot last but is seen twice proves a mistake only if no thread lost its
 * processor while it was about to end that state.  No thread did once each of them sleeps,
 * has had a processor for much longer than that takes, or has ended.  Time alone proves
 * nothing on a busy machine or under a debugger.
 */
#ifndef RL_PROGRESS_H
#define RL_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

#define RL_PROGRESS_THREADS 2048

struct rl_progress {
    size_t count; /* of threads; 0 if nothing is known */
    struct rl_thread_mark {
        long id;
        unsigned long long ticks; /* of processor time so far */
    } threads[RL_PROGRESS_THREADS];
};

/* Records the progress of each thread but the calling one.  If the system does not say, or
 * there are too many threads, nothing is known, now and later. */
void rl_progress_mark(struct rl_progress *progress);

/* Tells whether each of those threads has made progress since, as far as is known. */
bool rl_progress_made(const struct rl_progress *progress);

#endif
