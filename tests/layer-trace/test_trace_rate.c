/* SPDX-License-Identifier: Apache-2.0
 *
 * The layer `trace` under load: nothing is left out, memory is bounded; and how fast it is, which
 * is printed and judged by nobody.
 */
#include <rill/rill.h>
#include <rill/trace.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/thread.h"
#include "layer-trace/events.h"
#include "site/site.h"
#include "support/cmocka_all.h"

#define OK(call) assert_int_equal(call, RILL_SUCCESS)

enum { MANY = 1000000, THREADS = 4, OF_EACH = 20000 };

static char path[64];

struct traced {
    rill_platform *platform;
    rill_context *context;
};

static int scale(void)
{
    const char *text = getenv("RILL_TEST_SCALE");
    int by = text ? atoi(text) : 1;
    return by > 0 ? by : 1;
}

static void open_traced(struct traced *traced)
{
    const rill_open_options options = { .size = sizeof options, .backend = "sim",
                                        .layers = "trace" };
    OK(rill_open(&options, &traced->platform));
    OK(rill_context_create(traced->platform, NULL, &traced->context));
    OK(rill_trace_start(traced->platform, &(rill_trace_options){
        .size = sizeof(rill_trace_options), .file = path }));
}

static void close_traced(struct traced *traced)
{
    OK(rill_context_destroy(&traced->context));
    OK(rill_close(&traced->platform));
}

static rill_stream *make_stream(struct traced *traced)
{
    const rill_stream_options options = { .size = sizeof options,
                                          .flags = RILL_STREAM_NON_BLOCKING };
    rill_stream *stream;
    OK(rill_stream_create(traced->context, &options, &stream));
    return stream;
}

/* ---- Many operations ------------------------------------------------------------------- */

/* Lines are counted without keeping the file in memory. */
static size_t count_lines(const char *with)
{
    FILE *file = fopen(path, "re");
    char line[1024];
    size_t count = 0;
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) count += strstr(line, with) != NULL;
    fclose(file);
    return count;
}

static void a_million_operations_are_all_in_the_file(void **state)
{
    struct traced traced;
    struct rusage before, after;
    struct stat file;
    rill_devptr memory;
    const int many = MANY / scale();
    (void)state;
    open_traced(&traced);
    rill_stream *stream = make_stream(&traced);
    OK(rill_mem_alloc(traced.context, 64, &memory));
    getrusage(RUSAGE_SELF, &before);
    uint64_t begin = rl_monotonic_ns(), work = rl_process_ns();
    for (int i = 0; i < many; i++) {
        OK(rill_memset_d8_async(stream, memory, 0, 64));
        if (i % 1024 == 1023) OK(rill_stream_synchronize(stream));
    }
    OK(rill_stream_synchronize(stream));
    uint64_t submitted = rl_monotonic_ns();
    OK(rill_trace_stop(traced.platform));
    uint64_t end = rl_monotonic_ns();
    getrusage(RUSAGE_SELF, &after);
    stat(path, &file);
    print_message("# %d operations in %.2f s, stopped after %.2f s: %.0f a second, %.0f MB\n", many,
                  (double)(submitted - begin) / 1e9, (double)(end - begin) / 1e9,
                  many * 1e9 / (double)(end - begin), (double)file.st_size / 1e6);
    print_message("# %.2f us of the processors for each\n",
                  (double)(rl_process_ns() - work) / 1e3 / many);
    print_message("# memory grew by %ld KiB\n", after.ru_maxrss - before.ru_maxrss);
    assert_int_equal(count_lines("\"cat\":\"gpu_memset\""), many);
    assert_int_equal(count_lines("\"name\":\"fill\",\"cat\":\"call\""), many);
    OK(rill_mem_free(traced.context, memory));
    OK(rill_stream_destroy(&stream));
    close_traced(&traced);
}

/* ---- Several threads ------------------------------------------------------------------- */

struct submitter {
    pthread_t thread;
    rill_stream *stream, *other;
    rill_event *event;
    int count;
};

static void nothing(void *data)
{
    (void)data;
}

static void *submit(void *data)
{
    struct submitter *submitter = data;
    for (int i = 0; i < submitter->count; i++) {
        OK(rill_launch_host(submitter->stream, nothing, NULL, NULL));
        if (i % 8) continue;
        OK(rill_event_record(submitter->event, submitter->stream, 0));
        OK(rill_stream_wait_event(submitter->other, submitter->event, 0));
    }
    OK(rill_stream_synchronize(submitter->stream));
    return NULL;
}

static void nothing_of_several_threads_is_lost_or_torn(void **state)
{
    struct traced traced;
    struct submitter submitters[THREADS];
    const int count = OF_EACH / scale() / 8 * 8;
    (void)state;
    open_traced(&traced);
    for (int i = 0; i < THREADS; i++) {
        submitters[i].stream = make_stream(&traced);
        submitters[i].count = count;
        OK(rill_event_create(traced.context, NULL, &submitters[i].event));
    }
    for (int i = 0; i < THREADS; i++) submitters[i].other = submitters[(i + 1) % THREADS].stream;
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&submitters[i].thread, NULL, submit, &submitters[i]), 0);
    for (int i = 0; i < THREADS; i++) pthread_join(submitters[i].thread, NULL);
    OK(rill_context_synchronize(traced.context));
    for (int i = 0; i < THREADS; i++) {
        OK(rill_event_destroy(&submitters[i].event));
        OK(rill_stream_destroy(&submitters[i].stream));
    }
    close_traced(&traced);
    assert_int_equal(count_lines("\"cat\":\"host_function\""), THREADS * count);
    struct events events = events_read(path);
    events_check(&events);
    events_free(&events);
}

/* Threads that start and stop a trace while others submit. */
static void a_trace_may_start_and_stop_at_any_time(void **state)
{
    struct traced traced;
    struct submitter submitter = { .count = OF_EACH / scale() };
    (void)state;
    open_traced(&traced);
    submitter.stream = submitter.other = make_stream(&traced);
    OK(rill_event_create(traced.context, NULL, &submitter.event));
    assert_int_equal(pthread_create(&submitter.thread, NULL, submit, &submitter), 0);
    for (int i = 0; i < 20; i++) {
        OK(rill_trace_stop(traced.platform));
        struct events events = events_read(path);
        assert_true(events.whole);
        events_free(&events);
        OK(rill_trace_start(traced.platform, &(rill_trace_options){
            .size = sizeof(rill_trace_options), .file = path }));
    }
    pthread_join(submitter.thread, NULL);
    OK(rill_event_destroy(&submitter.event));
    OK(rill_stream_destroy(&submitter.stream));
    close_traced(&traced);
}

/* ---- Short memory ---------------------------------------------------------------------- */

/* Returns whether a little program came to its end. */
static bool run_all(void)
{
    struct traced traced = { NULL, NULL };
    const rill_open_options options = { .size = sizeof options, .backend = "sim",
                                        .layers = "trace" };
    const rill_trace_options file = { .size = sizeof file, .file = path };
    rill_stream *stream = NULL;
    bool done = !rill_open(&options, &traced.platform) &&
                !rill_trace_start(traced.platform, &file) &&
                !rill_context_create(traced.platform, NULL, &traced.context) &&
                !rill_stream_create(traced.context, NULL, &stream) &&
                !rill_launch_host(stream, nothing, NULL, NULL) &&
                !rill_stream_synchronize(stream);
    rill_stream_destroy(&stream);
    rill_context_destroy(&traced.context);
    rill_close(&traced.platform);
    return done;
}

static void where_memory_is_short_calls_fail_or_the_trace_says_so(void **state)
{
    cs_forget_sources();
    long at = 0, live = rl_alloc_live();
    (void)state;
    for (bool done = false; !done && at < 400; at++) {
        rl_alloc_fail_after(at);
        done = run_all() && at > 100;
        cs_forget_sources();
        rl_alloc_fail_after(-1);
        assert_int_equal(rl_alloc_live(), live);
    }
}

static int remove_file(void **state)
{
    (void)state;
    unlink(path);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_million_operations_are_all_in_the_file),
        cmocka_unit_test(nothing_of_several_threads_is_lost_or_torn),
        cmocka_unit_test(a_trace_may_start_and_stop_at_any_time),
        cmocka_unit_test(where_memory_is_short_calls_fail_or_the_trace_says_so),
    };
    unsetenv("RILL_TRACE");
    snprintf(path, sizeof path, "test_trace_rate.%ld.json", (long)getpid());
    return cmocka_run_group_tests(tests, NULL, remove_file);
}
