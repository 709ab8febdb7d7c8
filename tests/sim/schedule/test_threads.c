/* SPDX-License-Identifier: Apache-2.0
 *
 * Several threads of the host: the order in which their calls arrive is in the trail, and a string
 * with that order gives the same run.
 */
#include "sim/schedule/steered.h"
#include "support/emulated.h"

#if defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

enum { THREADS = 3, CALLS = 8 };

struct submitter {
    struct steered *steered;
    pthread_t thread;
    int number;
};

/* Submits letters of its own, asks in between, and waits. */
static void *submit_letters(void *data)
{
    const struct submitter *submitter = data;
    struct steered *s = submitter->steered;
    rill_stream *stream = s->streams[submitter->number];
    for (int i = 0; i < CALLS; i++) {
        letter(stream, (char)("aiq"[submitter->number] + i));
        if (i % 3 == 1) (void)rill_stream_query(s->streams[(submitter->number + 1) % THREADS]);
        if (i % 4 == 2) ok(rill_stream_synchronize(stream));
        if (i % 2) sched_yield();
    }
    ok(rill_stream_synchronize(stream));
    return NULL;
}

/* Runs the threads under the schedule; `trail` receives it, and `ran` what ran. */
static void run_threads(const char *spec, char *trail)
{
    struct steered s;
    struct submitter submitters[THREADS];
    open_steered(&s, spec, THREADS);
    for (int i = 0; i < THREADS; i++) {
        submitters[i] = (struct submitter){ .steered = &s, .number = i };
        assert_int_equal(pthread_create(&submitters[i].thread, NULL, submit_letters,
                                        &submitters[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) pthread_join(submitters[i].thread, NULL);
    strcpy(trail, close_steered(&s));
}

/* Writes the spec with the order of threads that the trail has. */
static void write_spec(const char *policy, const char *trail, char *spec)
{
    unsigned thread = 1, next;
    unsigned long before = 0, after;
    char separator = '/';
    spec += sprintf(spec, "%s", policy);
    for (const char *line = trail; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (sscanf(line, "thread %u after %lu", &next, &after) != 2) continue;
        if (after > before) {
            spec += sprintf(spec, "%c%ux%lu", separator, thread, after - before);
            separator = ',';
        }
        thread = next;
        before = after;
    }
    sprintf(spec, "%c%u", separator, thread);
}

static void the_order_of_threads_is_replayed(void **state)
{
    static const char *const policies[] = { "early", "late", "random:5", "pct:3:3", "starve:2" };
    static char trail[TRAIL_MOST], again[TRAIL_MOST], spec[TRAIL_MOST];
    (void)state;
    for (int run = 0; run < scaled(40); run++) {
        const char *policy = policies[run % 5];
        run_threads(policy, trail);
        write_spec(policy, trail, spec);
        assert_null(strstr(trail, "away"));
        for (int i = 0; i < 3; i++) {
            run_threads(spec, again);
            assert_string_equal(again, trail);
        }
    }
}

static void a_thread_that_is_too_early_waits(void **state)
{
    static char trail[TRAIL_MOST];
    (void)state;
    /* The threads have the numbers 2 to 4: this one is the first.  ThreadSanitizer has one,
     * and so has an emulator. */
    bool one_more = SANITIZED || is_emulated();
    run_threads(one_more ? "early/5x11,4x2,3x4,4x9" : "early/4x11,3x2,2x4,3x9", trail);
    char *first = strchr(ran, 'q'), *second = strchr(ran, 'i'), *third = strchr(ran, 'a');
    assert_true(first < second && second < third);
    assert_null(strstr(trail, "lost"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_order_of_threads_is_replayed),
        cmocka_unit_test(a_thread_that_is_too_early_waits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
