/* SPDX-License-Identifier: Apache-2.0
 *
 * The record behind rill_last_error().
 */
#include "support/cmocka_all.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "support/fake_backend.h"
#include "support/world.h"

/* ---- A backend that fails in every way ---------------------------------- */

/* What the next call of a stream's query or synchronize does. */
static struct {
    rill_status noted;   /* 0: notes nothing        */
    rill_status returns;
    const char *argument;
    const char *sentence;
    const rill_error_cause *cause;
} next;

static rill_status do_next(rill_stream *stream)
{
    (void)stream;
    if (next.noted) rill_backend_fail(next.noted, next.argument, "%s", next.sentence);
    if (next.cause) rill_backend_fail_cause(next.cause);
    return next.returns;
}

static const char *explain(rill_platform *platform, rill_status status)
{
    assert_non_null(platform);
    return status == RILL_ERROR_ILLEGAL_STATE ? "the backend's own words" : NULL;
}

static rill_status fail_with_a_note(rill_stream *stream, const rill_stream_options *options)
{
    (void)stream;
    (void)options;
    return next.noted ? do_next(NULL) : RILL_SUCCESS;
}

static struct rill_stream_ops streams;
static struct rill_backend failing;
static struct world world;

static int open_world(void **state)
{
    (void)state;
    streams = *fake_backend.stream;
    streams.query = do_next;
    streams.synchronize = do_next;
    streams.create = fail_with_a_note;
    failing = fake_backend;
    failing.name = "failing";
    failing.stream = &streams;
    failing.explain = explain;
    return rill_backend_register(&failing) || plain_world_open(&world, "failing") ? -1 : 0;
}

static int close_world(void **state)
{
    (void)state;
    return world_close(&world);
}

/* Every test begins without a record and ends without a note. */
static int begin(void **state)
{
    (void)state;
    memset(&next, 0, sizeof next);
    rill_clear_error();
    rill_stream_set_label(world.stream, NULL);
    return 0;
}

static int end(void **state)
{
    (void)state;
    return rl_noted ? -1 : 0;
}

static rill_status query(rill_status noted, rill_status returns, const char *sentence)
{
    next.noted = noted;
    next.returns = returns;
    next.sentence = sentence;
    return rill_stream_query(world.stream);
}

/* ---- The record --------------------------------------------------------- */

static void nothing_failed_yet(void **state)
{
    (void)state;
    const rill_error *error = rill_last_error();
    assert_non_null(error);
    assert_int_equal(error->status, RILL_SUCCESS);
    assert_null(error->operation);
    assert_string_equal(error->object, "");
    assert_string_equal(error->message, "");
}

static void a_failure_is_told_in_the_backends_words(void **state)
{
    (void)state;
    next.argument = "stream";
    assert_int_equal(query(RILL_ERROR_INVALID_VALUE, RILL_ERROR_INVALID_VALUE, "it went wrong"),
                     RILL_ERROR_INVALID_VALUE);
    const rill_error *error = rill_last_error();
    assert_int_equal(error->status, RILL_ERROR_INVALID_VALUE);
    assert_string_equal(error->operation, "rill_stream_query");
    assert_string_equal(error->argument, "stream");
    assert_string_equal(error->message, "it went wrong");
    assert_int_equal(error->cause.status, RILL_SUCCESS);
}

static void the_object_goes_by_its_number_or_label(void **state)
{
    (void)state;
    char expected[RILL_LABEL_MAX];
    query(RILL_ERROR_INVALID_VALUE, RILL_ERROR_INVALID_VALUE, "x");
    snprintf(expected, sizeof expected, "stream %llu",
             (unsigned long long)rill_object_of(world.stream)->id);
    assert_string_equal(rill_last_error()->object, expected);
    rill_stream_set_label(world.stream, "decode");
    query(RILL_ERROR_INVALID_VALUE, RILL_ERROR_INVALID_VALUE, "x");
    assert_string_equal(rill_last_error()->object, "stream 'decode'");
}

static void a_long_label_is_cut_within_its_quotes(void **state)
{
    (void)state;
    char label[200];
    memset(label, 'x', sizeof label - 1);
    label[sizeof label - 1] = '\0';
    assert_int_equal(rill_stream_set_label(world.stream, label), RILL_SUCCESS);
    query(RILL_ERROR_INVALID_VALUE, RILL_ERROR_INVALID_VALUE, "x");
    const char *object = rill_last_error()->object;
    assert_int_equal(strlen(object), RILL_LABEL_MAX - 1);
    assert_memory_equal(object, "stream 'xxx", 11);
    assert_int_equal(object[RILL_LABEL_MAX - 2], '\'');
}

static void a_long_sentence_is_cut(void **state)
{
    (void)state;
    char sentence[2 * RILL_ERROR_MESSAGE_MAX];
    memset(sentence, 'y', sizeof sentence - 1);
    sentence[sizeof sentence - 1] = '\0';
    query(RILL_ERROR_INVALID_VALUE, RILL_ERROR_INVALID_VALUE, sentence);
    assert_int_equal(strlen(rill_last_error()->message), RILL_ERROR_MESSAGE_MAX - 1);
}

static void a_cause_is_handed_on(void **state)
{
    (void)state;
    const rill_error_cause cause = { .status = RILL_ERROR_LAUNCH_FAILED,
                                     .operation = "rill_launch_kernel",
                                     .object = "kernel 'scale'",
                                     .thread = 7,
                                     .time_ns = 8 };
    next.cause = &cause;
    query(RILL_ERROR_LAUNCH_FAILED, RILL_ERROR_LAUNCH_FAILED, "a kernel failed");
    const rill_error_cause *told = &rill_last_error()->cause;
    assert_int_equal(told->status, cause.status);
    assert_string_equal(told->operation, cause.operation);
    assert_string_equal(told->object, cause.object);
    assert_int_equal(told->thread, cause.thread);
    assert_int_equal(told->time_ns, cause.time_ns);
    next.cause = NULL; /* and does not stay for the next */
    query(RILL_ERROR_LAUNCH_FAILED, RILL_ERROR_LAUNCH_FAILED, "a kernel failed");
    assert_int_equal(rill_last_error()->cause.status, RILL_SUCCESS);
}

/* A cause without a sentence has nothing to belong to. */
static void a_cause_alone_is_dropped(void **state)
{
    (void)state;
    const rill_error_cause cause = { .status = RILL_ERROR_LAUNCH_FAILED };
    next.cause = &cause;
    query(RILL_SUCCESS, RILL_ERROR_INVALID_VALUE, NULL);
    assert_int_equal(rill_last_error()->cause.status, RILL_SUCCESS);
}

static void success_and_not_ready_leave_the_record_alone(void **state)
{
    (void)state;
    query(RILL_ERROR_INVALID_VALUE, RILL_ERROR_INVALID_VALUE, "first");
    assert_int_equal(query(0, RILL_SUCCESS, NULL), RILL_SUCCESS);
    assert_string_equal(rill_last_error()->message, "first");
    assert_int_equal(query(RILL_ERROR_NOT_READY, RILL_ERROR_NOT_READY, "second"),
                     RILL_ERROR_NOT_READY);
    assert_string_equal(rill_last_error()->message, "first");
    query(RILL_ERROR_INVALID_VALUE, RILL_ERROR_INVALID_VALUE, "third");
    assert_string_equal(rill_last_error()->message, "third");
    rill_clear_error();
    nothing_failed_yet(NULL);
}

/* ---- Whose words -------------------------------------------------------- */

static void without_a_note_the_backend_explains(void **state)
{
    (void)state;
    query(0, RILL_ERROR_ILLEGAL_STATE, NULL);
    assert_string_equal(rill_last_error()->message, "the backend's own words");
}

static void without_any_words_the_general_ones_serve(void **state)
{
    (void)state;
    failing.explain = NULL;
    query(0, RILL_ERROR_ILLEGAL_STATE, NULL);
    assert_string_equal(rill_last_error()->message, rill_error_string(RILL_ERROR_ILLEGAL_STATE));
    failing.explain = explain;
    query(0, RILL_ERROR_NOT_PERMITTED, NULL);
    assert_string_equal(rill_last_error()->message, rill_error_string(RILL_ERROR_NOT_PERMITTED));
    query(0, (rill_status)4711, NULL);
    assert_int_equal(rill_last_error()->status, 4711);
    assert_true(strlen(rill_last_error()->message) > 10);
}

/* Nothing of an earlier record is left in one that has less to say. */
static void a_record_is_made_anew(void **state)
{
    (void)state;
    const rill_error_cause cause = { .status = RILL_ERROR_LAUNCH_FAILED };
    next.cause = &cause;
    next.argument = "stream";
    query(RILL_ERROR_INVALID_VALUE, RILL_ERROR_INVALID_VALUE, "it went wrong");
    assert_int_equal(rill_last_error()->cause.status, RILL_ERROR_LAUNCH_FAILED);
    next.cause = NULL;
    query(0, RILL_ERROR_INVALID_VALUE, NULL);
    assert_null(rill_last_error()->argument);
    assert_int_equal(rill_last_error()->cause.status, RILL_SUCCESS);
}

/* ---- Stale notes -------------------------------------------------------- */

/* Each: a call that notes something and does not fail for it; then one that
 * fails without a word, with the status that was noted. */

static void expect_general_words(void)
{
    next.noted = RILL_SUCCESS;
    next.returns = RILL_ERROR_NOT_PERMITTED;
    assert_int_equal(rill_stream_synchronize(world.stream), RILL_ERROR_NOT_PERMITTED);
    assert_string_equal(rill_last_error()->message, rill_error_string(RILL_ERROR_NOT_PERMITTED));
    assert_null(rill_last_error()->argument);
}

static void a_note_of_a_call_that_succeeded_is_forgotten(void **state)
{
    (void)state;
    next.argument = "stale";
    query(RILL_ERROR_NOT_PERMITTED, RILL_SUCCESS, "stale");
    assert_int_equal(rill_last_error()->status, RILL_SUCCESS);
    expect_general_words();
}

static void a_note_of_a_call_that_was_not_ready_is_forgotten(void **state)
{
    (void)state;
    next.argument = "stale";
    query(RILL_ERROR_NOT_PERMITTED, RILL_ERROR_NOT_READY, "stale");
    expect_general_words();
}

static void a_note_for_another_status_is_forgotten(void **state)
{
    (void)state;
    next.argument = "stale";
    query(RILL_ERROR_NOT_PERMITTED, RILL_ERROR_INVALID_VALUE, "stale");
    assert_string_equal(rill_last_error()->message, rill_error_string(RILL_ERROR_INVALID_VALUE));
    assert_null(rill_last_error()->argument);
    expect_general_words();
}

static void a_note_before_a_refusal_by_the_core_is_forgotten(void **state)
{
    (void)state;
    query(RILL_ERROR_INVALID_HANDLE, RILL_SUCCESS, "stale");
    assert_int_equal(rill_stream_query(NULL), RILL_ERROR_INVALID_HANDLE);
    assert_null(strstr(rill_last_error()->message, "stale"));
}

/* ---- Calls without an object -------------------------------------------- */

static void a_failed_create_names_its_context(void **state)
{
    (void)state;
    rill_stream *stream = (rill_stream *)&next;
    next.noted = next.returns = RILL_ERROR_OUT_OF_MEMORY;
    next.sentence = "no streams left";
    rill_context_set_label(world.context, "here");
    assert_int_equal(rill_stream_create(world.context, NULL, &stream), RILL_ERROR_OUT_OF_MEMORY);
    assert_string_equal(rill_last_error()->object, "context 'here'");
    assert_string_equal(rill_last_error()->operation, "rill_stream_create");
    assert_ptr_equal(stream, &next); /* untouched */
}

static void a_refused_handle_is_not_named(void **state)
{
    (void)state;
    static uint64_t noise[16];
    rill_stream_query((rill_stream *)(void *)noise);
    assert_string_equal(rill_last_error()->object, "");
    rill_stream_query((rill_stream *)world.event); /* but one of another kind is */
    assert_memory_equal(rill_last_error()->object, "event ", 6);
}

/* ---- Threads ------------------------------------------------------------ */

static void *fail_elsewhere(void *data)
{
    const char **problem = data;
    const rill_error *error = rill_last_error();
    if (error->status != RILL_SUCCESS) *problem = "a record of another thread";
    if (rill_stream_query(NULL) != RILL_ERROR_INVALID_HANDLE) *problem = "no failure";
    if (error->status != RILL_ERROR_INVALID_HANDLE) *problem = "no record";
    return NULL;
}

static void each_thread_has_a_record(void **state)
{
    (void)state;
    pthread_t thread;
    const char *problem = NULL;
    query(RILL_ERROR_INVALID_VALUE, RILL_ERROR_INVALID_VALUE, "here");
    pthread_create(&thread, NULL, fail_elsewhere, &problem);
    pthread_join(thread, NULL);
    if (problem) fail_msg("%s", problem);
    assert_string_equal(rill_last_error()->message, "here");
}

static void *note_and_leave(void *data)
{
    rill_stream_query(NULL);
    *(int *)data = rl_noted;
    rill_backend_fail(RILL_ERROR_INVALID_HANDLE, NULL, "outside a call, and nobody ends it");
    return NULL;
}

/* A note of one thread is nothing to another: neither does a failure there forget
 * it, nor does one that is left behind there hold up calls here. */
static void notes_are_the_threads_own(void **state)
{
    (void)state;
    pthread_t thread;
    int there = 1;
    rill_backend_fail(RILL_ERROR_INVALID_HANDLE, NULL, "mine");
    pthread_create(&thread, NULL, note_and_leave, &there);
    pthread_join(thread, NULL);
    assert_int_equal(there, 0);
    assert_int_equal(rl_noted, 1);
    assert_int_equal(query(0, RILL_SUCCESS, NULL), RILL_SUCCESS); /* forgets it */
    assert_int_equal(rl_noted, 0);
}

/* ---- Public calls of a backend's own ------------------------------------ */

static void a_backend_can_end_calls_of_its_own(void **state)
{
    (void)state;
    assert_int_equal(rill_backend_check(&failing, world.stream, RILL_OBJECT_STREAM, "stream"),
                     RILL_SUCCESS);
    rill_status status =
        rill_backend_check(&fake_backend, world.stream, RILL_OBJECT_STREAM, "here");
    assert_int_equal(rill_backend_finish("its_call", world.stream, status),
                     RILL_ERROR_NOT_SUPPORTED);
    assert_string_equal(rill_last_error()->operation, "its_call");
    assert_string_equal(rill_last_error()->argument, "here");
    assert_memory_equal(rill_last_error()->object, "stream ", 7);
    assert_non_null(strstr(rill_last_error()->message, "'fake'"));
    status = rill_backend_check(&failing, NULL, RILL_OBJECT_STREAM, "stream");
    assert_int_equal(rill_backend_finish("its_call", NULL, status), RILL_ERROR_INVALID_HANDLE);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(nothing_failed_yet),
        TEST(a_failure_is_told_in_the_backends_words),
        TEST(the_object_goes_by_its_number_or_label),
        TEST(a_long_label_is_cut_within_its_quotes),
        TEST(a_long_sentence_is_cut),
        TEST(a_cause_is_handed_on),
        TEST(a_cause_alone_is_dropped),
        TEST(success_and_not_ready_leave_the_record_alone),
        TEST(without_a_note_the_backend_explains),
        TEST(without_any_words_the_general_ones_serve),
        TEST(a_record_is_made_anew),
        TEST(a_note_of_a_call_that_succeeded_is_forgotten),
        TEST(a_note_of_a_call_that_was_not_ready_is_forgotten),
        TEST(a_note_for_another_status_is_forgotten),
        TEST(a_note_before_a_refusal_by_the_core_is_forgotten),
        TEST(a_failed_create_names_its_context),
        TEST(a_refused_handle_is_not_named),
        TEST(each_thread_has_a_record),
        TEST(notes_are_the_threads_own),
        TEST(a_backend_can_end_calls_of_its_own),
    };
    return cmocka_run_group_tests(tests, open_world, close_world);
}
