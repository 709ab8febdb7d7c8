/* SPDX-License-Identifier: Apache-2.0
 *
 * The layer `trace` on the simulator: which file has what happened, from when on and until when.
 */
#include "layer-trace/traced.h"

/* ---- Start and stop -------------------------------------------------------------------- */

static void a_trace_has_what_ends_while_it_goes_on(void **state)
{
    struct traced traced;
    (void)state;
    open_traced(&traced);
    launch(&traced, traced.s);
    OK(rill_context_synchronize(traced.context));
    OK(rill_trace_stop(traced.platform));
    struct events events = events_read(path);
    events_check(&events);
    assert_int_equal(events_count(&events, 'X', "kernel", NULL), 1);
    events_free(&events);
    launch(&traced, traced.s);
    OK(rill_context_synchronize(traced.context));
    start(&traced);
    launch(&traced, traced.s);
    launch(&traced, traced.s);
    events = finish(&traced);
    assert_int_equal(events_count(&events, 'X', "kernel", NULL), 2);
    assert_non_null(strstr(events_name(&events, "thread_name", 0,
                                       events_find(&events, 'X', "kernel", NULL, 0)->row),
                           "copies"));
    events_free(&events);
}

static void a_start_that_cannot_be_is_refused(void **state)
{
    struct traced traced;
    const rill_trace_options good = { .size = sizeof good, .file = path },
                             nowhere = { .size = sizeof nowhere, .file = "/nowhere/at/all" },
                             unnamed = { .size = sizeof unnamed };
    rill_platform *plain;
    (void)state;
    open_traced(&traced);
    assert_int_equal(rill_trace_start(traced.platform, &good), RILL_ERROR_ILLEGAL_STATE);
    OK(rill_trace_stop(traced.platform));
    OK(rill_trace_stop(traced.platform));
    assert_int_equal(rill_trace_start(traced.platform, &nowhere), RILL_ERROR_OPERATING_SYSTEM);
    assert_int_equal(rill_trace_start(traced.platform, &unnamed), RILL_ERROR_INVALID_VALUE);
    assert_int_equal(rill_trace_start(traced.platform, NULL), RILL_ERROR_INVALID_VALUE);
    OK(rill_open(&(rill_open_options){ .size = sizeof(rill_open_options), .backend = "sim" },
                 &plain));
    assert_int_not_equal(rill_trace_start(plain, &good), RILL_SUCCESS);
    OK(rill_close(&plain));
    start(&traced);
    struct events events = finish(&traced);
    events_free(&events);
}

static void a_disk_that_is_full_is_told_by_the_stop(void **state)
{
    struct traced traced;
    const rill_trace_options full = { .size = sizeof full, .file = "/dev/full" };
    (void)state;
    if (access("/dev/full", W_OK)) skip();
    open_traced(&traced);
    OK(rill_trace_stop(traced.platform));
    OK(rill_trace_start(traced.platform, &full));
    launch(&traced, traced.s);
    OK(rill_context_synchronize(traced.context));
    assert_int_equal(rill_trace_stop(traced.platform), RILL_ERROR_OPERATING_SYSTEM);
    close_traced(&traced);
}

/* Another trace of this process is as one of another process. */
static void traces_at_the_same_time_have_files_of_their_own(void **state)
{
    enum { TRACES = 4 };
    struct traced traced[TRACES];
    char names[TRACES][128];
    (void)state;
    snprintf(names[0], sizeof names[0], "%s", path);
    snprintf(names[1], sizeof names[1], "%s.%ld", path, (long)getpid());
    for (int i = 2; i < TRACES; i++)
        snprintf(names[i], sizeof names[i], "%s.%ld.%d", path, (long)getpid(), i);
    for (int i = 0; i < TRACES; i++) open_traced(&traced[i]);
    for (int i = 0; i < TRACES; i++)
        for (int launches = 0; launches <= i; launches++) launch(&traced[i], traced[i].s);
    for (int i = 0; i < TRACES; i++) {
        close_traced(&traced[i]);
        struct events events = events_read(names[i]);
        events_check(&events);
        assert_true(events.whole);
        assert_int_equal(events_count(&events, 'X', "kernel", NULL), i + 1);
        events_free(&events);
        unlink(names[i]);
    }
}

static void a_trace_goes_on_while_contexts_keep_the_platform(void **state)
{
    struct traced traced;
    (void)state;
    open_traced(&traced);
    OK(rill_close(&traced.platform));
    launch(&traced, traced.s);
    struct events events = finish(&traced);
    assert_true(events.whole);
    assert_int_equal(events_count(&events, 'X', "kernel", NULL), 1);
    events_free(&events);
}

/* ---- The environment ------------------------------------------------------------------- */

static void platforms_that_follow_each_other_are_in_one_file(void **state)
{
    char setting[80];
    (void)state;
    snprintf(setting, sizeof setting, "file=%s", path);
    setenv("RILL_TRACE", setting, 1);
    for (int i = 0; i < 3; i++) {
        const rill_open_options options = { .size = sizeof options, .backend = "sim",
                                            .layers = "trace" };
        rill_platform *platform;
        rill_context *context;
        OK(rill_open(&options, &platform));
        OK(rill_context_create(platform, NULL, &context));
        OK(rill_context_destroy(&context));
        OK(rill_close(&platform));
        struct events events = events_read(path);
        events_check(&events);
        assert_int_equal(events_count(&events, 'X', "call", "create context"), i + 1);
        events_free(&events);
    }
    unsetenv("RILL_TRACE");
}

static void a_trace_of_the_programs_own_goes_first(void **state)
{
    char setting[120], other[80];
    struct traced traced;
    (void)state;
    snprintf(other, sizeof other, "%s.other", path);
    snprintf(setting, sizeof setting, "file=%s", other);
    setenv("RILL_TRACE", setting, 1);
    open_traced(&traced);
    launch(&traced, traced.s);
    OK(rill_context_synchronize(traced.context));
    OK(rill_trace_stop(traced.platform));
    OK(rill_memset_d8_async(traced.s, traced.memory, 0, BYTES));
    close_traced(&traced);
    unsetenv("RILL_TRACE");
    struct events own = events_read(path), others = events_read(other);
    events_check(&own);
    events_check(&others);
    assert_int_equal(events_count(&own, 'X', "kernel", NULL), 1);
    assert_int_equal(events_count(&own, 'X', "gpu_memset", NULL), 0);
    assert_int_equal(events_count(&others, 'X', "kernel", NULL), 0);
    assert_int_equal(events_count(&others, 'X', "gpu_memset", NULL), 1);
    events_free(&own);
    events_free(&others);
    unlink(other);
}

static void a_setting_that_is_none_is_refused(void **state)
{
    const rill_open_options options = { .size = sizeof options, .backend = "sim",
                                        .layers = "trace" };
    rill_platform *platform = NULL;
    (void)state;
    setenv("RILL_TRACE", "fiel=x", 1);
    assert_int_equal(rill_open(&options, &platform), RILL_ERROR_INVALID_VALUE);
    assert_non_null(strstr(rill_last_error()->message, "fiel=x"));
    unsetenv("RILL_TRACE");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_trace_has_what_ends_while_it_goes_on),
        cmocka_unit_test(a_start_that_cannot_be_is_refused),
        cmocka_unit_test(a_disk_that_is_full_is_told_by_the_stop),
        cmocka_unit_test(traces_at_the_same_time_have_files_of_their_own),
        cmocka_unit_test(a_trace_goes_on_while_contexts_keep_the_platform),
        cmocka_unit_test(platforms_that_follow_each_other_are_in_one_file),
        cmocka_unit_test(a_trace_of_the_programs_own_goes_first),
        cmocka_unit_test(a_setting_that_is_none_is_refused),
    };
    unsetenv("RILL_TRACE");
    snprintf(path, sizeof path, "test_trace_files.%ld.json", (long)getpid());
    return cmocka_run_group_tests(tests, NULL, remove_file);
}
