/* SPDX-License-Identifier: Apache-2.0
 *
 * Rounds of torture: each does for a few milliseconds, on a fresh platform and
 * with many threads, what unit tests do once.
 */
#ifndef TORTURE_H
#define TORTURE_H

#include "support/sized_platform.h"

typedef void torture_round(struct sized_platform *sized, unsigned number);

/* torture_wait.c: calls that wait or ask, while others submit. */
torture_round round_of_waiting, round_of_pings, round_of_halves, round_of_rest,
    round_of_gates;

/* torture_order.c: what was promised holds whoever else is at work. */
torture_round round_of_legacy, round_of_duels, round_of_devices, round_of_contexts;

/* torture_life.c: things that come and go under load. */
torture_round round_of_streams, round_of_thread_streams, round_of_platforms, round_of_observers,
    round_of_primaries;

/* Counts up by one in its stream. */
void torture_count(void *counter);

static inline void torture_put(rill_stream *stream, atomic_int *counter)
{
    must(rill_launch_host(stream, torture_count, counter, NULL));
}

static inline int torture_read(atomic_int *counter)
{
    return atomic_load_explicit(counter, memory_order_relaxed);
}

/* Threads that run until they are told to stop, or until they are done. */
struct crew {
    atomic_bool stop;
    int count;
    pthread_t threads[32];
};

static inline void crew_add(struct crew *crew, void *(*run)(void *data), void *data)
{
    must_be(crew->count < 32);
    crew->threads[crew->count++] = sized_thread(run, data);
}

static inline bool crew_goes_on(struct crew *crew)
{
    return !atomic_load_explicit(&crew->stop, memory_order_relaxed);
}

static inline void crew_join(struct crew *crew)
{
    for (int i = 0; i < crew->count; i++) must_be(!pthread_join(crew->threads[i], NULL));
    crew->count = 0;
}

#endif
