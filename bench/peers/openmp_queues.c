/* SPDX-License-Identifier: Apache-2.0
 *
 * A queue of OpenMP is an address that each of its tasks depends on, in and out.
 * Waiting is for all tasks of all queues: a task in the thread itself that depends on
 * one queue takes five times as long with libgomp, and libomp 14 breaks down over it.
 * All of it happens in one parallel region, with a thread for each processor.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#include "peer.h"

static const char *open_team(void)
{
    static char version[96];
#ifdef __clang__
    snprintf(version, sizeof version, "libomp of clang %d.%d.%d", __clang_major__, __clang_minor__,
             __clang_patchlevel__);
#else
    snprintf(version, sizeof version, "libgomp of gcc %s", __VERSION__);
#endif
    return version;
}

static void close_team(void)
{
}

static void within(void (*body)(void *data), void *data)
{
#pragma omp parallel num_threads(omp_get_num_procs())
#pragma omp single
    body(data);
}

static void *make(void)
{
    void *place = malloc(1);
    if (!place) exit(EXIT_FAILURE);
    return place;
}

static void op(void *queue, void (*fn)(void *), void *data)
{
    char *place = queue;
    (void)place;
#pragma omp task depend(inout : place[0]) firstprivate(fn, data)
    fn(data);
}

static void wait_for(void *queue)
{
    (void)queue;
#pragma omp taskwait
}

/* All are submitted ahead: a task is the event that the next one depends on. */
static void hops(void *a, void *b, int count, void (*fn)(void *), void *data)
{
    for (int i = 0; i < count; i++) {
        char *own = i % 2 ? b : a, *other = i % 2 ? a : b;
        (void)own;
        (void)other;
#pragma omp task depend(in : other[0]) depend(inout : own[0]) firstprivate(fn, data)
        fn(data);
    }
    wait_for(NULL);
}

const struct queues peer_queues = {
    .open = open_team, .close = close_team, .make = make, .unmake = free, .op = op,
    .wait = wait_for, .hops = hops, .within = within,
};
