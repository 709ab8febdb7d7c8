/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs that promise that their host functions wait for nothing that a thread of theirs does:
 * the thread in a call runs functions itself, and all else is as without the promise.
 */
#include "sim/schedule/soon.h"
#include "sim/schedule/steered.h"

static const char *const policies[] = { "early",    "late",    "overlap",  "random:3", "random:4",
                                        "pct:3:1",  "pct:9:4", "starve:2", "replay:1.1,2.3@9",
                                        "order:3.1,2.1" };
enum { POLICIES = sizeof policies / sizeof *policies };

static void promise(void)
{
    setenv("RILL_SIM_HOST_THREAD", "2", 1);
}

static void end_promise(void)
{
    unsetenv("RILL_SIM_HOST_THREAD");
}

static void open_in_calls(struct steered *s, const char *spec, int streams)
{
    promise();
    open_steered(s, spec, streams);
    end_promise();
}

/* ---- Which thread it is ------------------------------------------------------------------- */

static void note_thread(void *data)
{
    *(pthread_t *)data = pthread_self();
}

static void functions_run_in_calls_where_that_is_promised(void **state)
{
    (void)state;
    for (int promised = 0; promised < 2; promised++) {
        struct steered s;
        pthread_t caller = pthread_self(), at_call = caller, at_wait = caller;
        if (promised) promise();
        open_steered(&s, "starve:1", 2);
        end_promise();
        ok(rill_launch_host(s.streams[0], note_thread, &at_wait, NULL));
        ok(rill_launch_host(s.streams[1], note_thread, &at_call, NULL));
        ok(rill_stream_synchronize(s.streams[0]));
        assert_int_equal(!!pthread_equal(at_call, caller), promised);
        assert_int_equal(!!pthread_equal(at_wait, caller), promised);
        close_steered(&s);
    }
}

static void the_option_promises_as_well(void **state)
{
    const rill_sim_options sim = { .size = sizeof sim, .schedule = "early", .host_thread = 2 };
    const rill_open_options options = { .size = sizeof options, .backend = "sim", .sim = &sim };
    pthread_t caller = pthread_self(), other;
    rill_platform *platform = NULL;
    (void)state;
    memset(&other, 0, sizeof other);
    ok(rill_open(&options, &platform));
    rill_context *context = machine_context(platform, 0);
    rill_stream *stream = machine_stream(context);
    ok(rill_launch_host(stream, note_thread, &other, NULL));
    ok(rill_stream_synchronize(stream));
    assert_true(pthread_equal(other, caller));
    ok(rill_stream_destroy(&stream));
    ok(rill_context_destroy(&context));
    ok(rill_close(&platform));
}

/* ---- The same run ------------------------------------------------------------------------- */

/* Streams that wait for each other, with more to run than one step at a time. */
static void play(struct steered *s)
{
    for (int round = 0; round < 6; round++) {
        for (int i = 0; i < 3; i++) letter(s->streams[i], (char)('a' + i));
        pass(s, s->streams[round % 3], s->streams[(round + 1) % 3]);
        if (round % 2) ok(rill_stream_synchronize(s->streams[1]));
    }
    wait_all(s);
}

/* One with values, and with work that only the simulator's own thread takes. */
static void play_values(struct steered *s)
{
    for (uint32_t round = 1; round <= 4; round++) {
        ok(rill_stream_wait_value32(s->streams[0], word_at(s, 0), round, RILL_WAIT_GEQ));
        letter(s->streams[0], 'a');
        letter(s->streams[1], 'b');
        ok(rill_memset_d32_async(s->streams[2], word_at(s, 1), round, 1));
        ok(rill_stream_write_value32(s->streams[1], word_at(s, 0), round, 0));
        pass(s, s->streams[2], s->streams[1]);
        letter(s->streams[1], 'c');
        ok(rill_stream_synchronize(s->streams[round % 3]));
    }
    wait_all(s);
}

/* One in which the host writes what a stream waits for, and makes a call that adds nothing. */
static void play_host_values(struct steered *s)
{
    letter(s->streams[0], 'a');
    ok(rill_stream_synchronize(s->streams[0]));
    for (uint32_t round = 1; round <= 3; round++) {
        ok(rill_stream_wait_value32(s->streams[0], word_at(s, 0), round, RILL_WAIT_GEQ));
        letter(s->streams[0], 'b');
        atomic_store(&s->words[0], round);
        (void)rill_stream_query(s->streams[1]);
        letter(s->streams[1], 'c');
        (void)rill_stream_query(s->streams[2]);
        ok(rill_stream_synchronize(s->streams[1]));
    }
    wait_all(s);
}

static char *trail_of(void (*program)(struct steered *), const char *spec, int workers)
{
    struct steered s;
    open_steered_with(&s, spec, 1, workers);
    for (s.count = 0; s.count < 3; s.count++) s.streams[s.count] = machine_stream(s.context);
    program(&s);
    return strdup(close_steered(&s));
}

/* Who calls host functions is not part of a schedule. */
static void expect_the_same_run(void (*program)(struct steered *), const char *spec)
{
    char *first = trail_of(program, spec, 1);
    promise();
    for (int workers = 1; workers <= 4; workers++) {
        char *again = trail_of(program, spec, workers);
        assert_string_equal(again, first);
        free(again);
    }
    end_promise();
    free(first);
}

static void a_string_is_the_same_run_as_without(void **state)
{
    (void)state;
    for (int p = 0; p < POLICIES; p++) {
        expect_the_same_run(play, policies[p]);
        expect_the_same_run(play_values, policies[p]);
        expect_the_same_run(play_host_values, policies[p]);
    }
    expect_the_same_run(play, "serial");
}

/* ---- Functions that wait for streams ------------------------------------------------------ */

struct inner {
    rill_stream *stream;
    rill_status status;
    atomic_bool over; /* no longer uses the stream */
};

static void synchronize_stream(void *data)
{
    struct inner *inner = data;
    inner->status = rill_stream_synchronize(inner->stream);
    atomic_store(&inner->over, true);
    run_letter(letter_data('z'));
}

static void run_kernel(const rill_launch *launch)
{
    (void)launch;
    run_letter(letter_data('k'));
}

static rill_kernel *load_kernel(rill_context *context, rill_module **module)
{
    static const rill_function function = { .name = "k", .over_block = run_kernel };
    const rill_image image = { .size = sizeof image, .functions = &function, .function_count = 1 };
    rill_kernel *kernel = NULL;
    ok(rill_module_load(context, &image, module));
    ok(rill_module_kernel(*module, "k", &kernel));
    return kernel;
}

/* Also where that stream has a kernel next, or a wait: the work of the simulator's own thread
 * outside of functions. */
static void a_function_may_wait_for_any_work_of_another_stream(void **state)
{
    const rill_dim3 one = { 1, 1, 1 };
    (void)state;
    for (int p = 0; p < POLICIES; p++) {
        struct steered s;
        struct inner inner = { .status = RILL_ERROR_UNKNOWN };
        rill_module *module = NULL;
        open_in_calls(&s, policies[p], 3);
        rill_kernel *kernel = load_kernel(s.context, &module);
        letter(s.streams[1], 'a');
        pass(&s, s.streams[1], s.streams[2]);
        ok(rill_launch_kernel(s.streams[2], kernel, one, one, 0, NULL));
        letter(s.streams[2], 'b');
        inner.stream = s.streams[2];
        ok(rill_launch_host(s.streams[0], synchronize_stream, &inner, NULL));
        wait_all(&s);
        ran_is("akbz");
        ok(inner.status);
        ok(rill_module_unload(&module));
        close_steered(&s);
    }
}

static void one_that_waits_for_itself_is_refused(void **state)
{
    (void)state;
    for (int p = 0; p < POLICIES; p++) {
        struct steered s;
        struct inner inner = { .status = RILL_SUCCESS };
        open_in_calls(&s, policies[p], 1);
        inner.stream = s.streams[0];
        ok(rill_launch_host(s.streams[0], synchronize_stream, &inner, NULL));
        ok(rill_stream_synchronize(s.streams[0]));
        assert_int_equal(inner.status, RILL_ERROR_NOT_PERMITTED);
        close_steered(&s);
    }
}

static void one_that_waits_for_a_value_that_nobody_writes_hangs(void **state)
{
    (void)state;
#if defined(__SANITIZE_THREAD__)
    skip(); /* its threads nap */
#endif
    if (getenv("RILL_TEST_WRAPPER")) skip_because("the wrapper has threads of its own");
    for (int p = 0; p < POLICIES; p++) {
        struct steered s;
        struct own_time since;
        struct inner inner = { .status = RILL_SUCCESS };
        open_in_calls(&s, policies[p], 2);
        ok(rill_stream_wait_value32(s.streams[1], word_at(&s, 0), 1, RILL_WAIT_GEQ));
        inner.stream = s.streams[1];
        own_time_begin(&since);
        rill_launch_host(s.streams[0], synchronize_stream, &inner, NULL);
        is(RILL_ERROR_LAUNCH_TIMEOUT, rill_stream_synchronize(s.streams[0]));
        assert_true(told_in_time(&since));
        assert_non_null(strstr(rill_last_error()->message, "the program hangs"));
        while (!atomic_load(&inner.over)) sched_yield();
        close_steered(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_run_in_calls_where_that_is_promised),
        cmocka_unit_test(the_option_promises_as_well),
        cmocka_unit_test(a_string_is_the_same_run_as_without),
        cmocka_unit_test(a_function_may_wait_for_any_work_of_another_stream),
        cmocka_unit_test(one_that_waits_for_itself_is_refused),
        cmocka_unit_test(one_that_waits_for_a_value_that_nobody_writes_hangs),
        cmocka_unit_test(most_hangs_are_told_soon),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
