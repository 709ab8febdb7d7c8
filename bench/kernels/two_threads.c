/* SPDX-License-Identifier: Apache-2.0 */
#include "two_threads.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum stage { COMING, READY, STARTED, DONE };

struct second_half {
    void (*run)(int first, int end);
    int first, end;
    _Atomic(enum stage) stage;
};

static void await_stage(struct second_half *half, enum stage stage)
{
    while (atomic_load_explicit(&half->stage, memory_order_acquire) < stage) {}
}

static void *run_second_half(void *data)
{
    struct second_half *half = data;
    atomic_store(&half->stage, READY);
    await_stage(half, STARTED);
    half->run(half->first, half->end);
    atomic_store(&half->stage, DONE);
    return NULL;
}

static double read_wall_clock(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

double run_on_two_threads(void (*run)(int first, int end), int parts)
{
    struct second_half half = { .run = run, .first = parts / 2, .end = parts };
    pthread_t thread; /* a new one each time, so none is awake while others are measured */
    atomic_init(&half.stage, COMING);
    if (pthread_create(&thread, NULL, run_second_half, &half)) {
        fprintf(stderr, "rill-loops: there is no second thread\n");
        exit(EXIT_FAILURE);
    }
    await_stage(&half, READY);
    const double before = read_wall_clock();
    atomic_store(&half.stage, STARTED);
    run(0, parts / 2);
    await_stage(&half, DONE);
    const double took = read_wall_clock() - before;
    pthread_join(thread, NULL);
    return took;
}
