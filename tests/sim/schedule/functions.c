/* SPDX-License-Identifier: Apache-2.0
 *
 * A stream of host functions that do nothing, for cost.sh:
 *
 *     functions ROUNDS [SCHEDULE]    each round 1,000 of them, and a wait
 *
 * Without a schedule the only worker is kept busy, so that the thread that submits also runs what
 * it submitted: what is counted is then the same each time.
 */
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>

#include <rill/rill.h>
#include <rill/sim.h>

#define TRY(call) \
    do { \
        if (call) { \
            fprintf(stderr, "%s: %s\n", rill_last_error()->operation, rill_last_error()->message); \
            exit(EXIT_FAILURE); \
        } \
    } while (0)

static sem_t begun, over;

static void do_nothing(void *data)
{
    (void)data;
}

static void keep_busy(void *data)
{
    (void)data;
    sem_post(&begun);
    sem_wait(&over);
}

static void run_rounds(rill_stream *stream, int rounds)
{
    for (int r = 0; r < rounds; r++) {
        for (int i = 0; i < 1000; i++) TRY(rill_launch_host(stream, do_nothing, NULL, NULL));
        TRY(rill_stream_synchronize(stream));
    }
}

static void run_rounds_without_worker(rill_stream *stream, rill_stream *busy, int rounds)
{
    sem_init(&begun, 0, 0);
    sem_init(&over, 0, 0);
    TRY(rill_launch_host(busy, keep_busy, NULL, NULL));
    sem_wait(&begun);
    run_rounds(stream, rounds);
    sem_post(&over);
    TRY(rill_stream_synchronize(busy));
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 1;
    const rill_sim_options sim = { .size = sizeof sim, .workers = 1,
                                   .schedule = argc > 2 ? argv[2] : NULL };
    const rill_open_options options = { .size = sizeof options, .backend = "sim", .sim = &sim };
    const rill_stream_options non_blocking = { .size = sizeof non_blocking,
                                               .flags = RILL_STREAM_NON_BLOCKING };
    rill_platform *platform = NULL;
    rill_context *context = NULL;
    rill_stream *stream = NULL, *busy = NULL;
    TRY(rill_open(&options, &platform));
    TRY(rill_context_create(platform, NULL, &context));
    TRY(rill_stream_create(context, &non_blocking, &stream));
    TRY(rill_stream_create(context, &non_blocking, &busy));
    if (sim.schedule) run_rounds(stream, rounds);
    else run_rounds_without_worker(stream, busy, rounds);
    TRY(rill_stream_destroy(&stream));
    TRY(rill_stream_destroy(&busy));
    TRY(rill_context_destroy(&context));
    TRY(rill_close(&platform));
    return EXIT_SUCCESS;
}
