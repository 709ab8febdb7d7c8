/* SPDX-License-Identifier: Apache-2.0
 *
 * What a backend notes of a call: for whom it counts, and when it is forgotten.
 */
#include "core/failing.h"

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

/* ---- Threads ------------------------------------------------------------ */

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

/* ---- What the call was called ---------------------------------------------- */

struct told {
    int times;
    uint64_t id;
    const char *operation;
};

static void take_down(void *data, uint64_t id, const char *operation)
{
    struct told *told = data;
    *told = (struct told){ told->times + 1, id, operation };
}

/* A backend that has later calls name this one as their cause knows no public names. */
static void a_backend_is_told_what_the_failed_call_was_called(void **state)
{
    (void)state;
    struct told told = { 0 };
    next.tell = take_down;
    next.data = &told;
    next.id = 77;
    query(RILL_ERROR_INVALID_VALUE, RILL_ERROR_INVALID_VALUE, "it went wrong");
    assert_int_equal(told.times, 1);
    assert_int_equal(told.id, 77);
    assert_string_equal(told.operation, "rill_stream_query");
    next.tell = NULL; /* and not of the next */
    query(RILL_ERROR_INVALID_VALUE, RILL_ERROR_INVALID_VALUE, "it went wrong again");
    assert_int_equal(told.times, 1);
}

static void a_backend_is_told_nothing_of_a_note_that_is_forgotten(void **state)
{
    (void)state;
    struct told told = { 0 };
    next.tell = take_down;
    next.data = &told;
    query(RILL_ERROR_NOT_PERMITTED, RILL_SUCCESS, "stale");
    query(RILL_ERROR_NOT_PERMITTED, RILL_ERROR_NOT_READY, "stale");
    query(RILL_ERROR_NOT_PERMITTED, RILL_ERROR_INVALID_VALUE, "stale");
    assert_int_equal(told.times, 0);
}

/* ---- Public calls of a backend's own ------------------------------------ */

static void a_backend_can_end_calls_of_its_own(void **state)
{
    (void)state;
    assert_int_equal(rill_backend_check(&failing.backend, world.stream, RILL_OBJECT_STREAM,
                                        "stream"),
                     RILL_SUCCESS);
    rill_status status =
        rill_backend_check(&fake_backend, world.stream, RILL_OBJECT_STREAM, "here");
    assert_int_equal(rill_backend_finish("its_call", world.stream, status),
                     RILL_ERROR_NOT_SUPPORTED);
    assert_string_equal(rill_last_error()->operation, "its_call");
    assert_string_equal(rill_last_error()->argument, "here");
    assert_memory_equal(rill_last_error()->object, "stream ", 7);
    assert_non_null(strstr(rill_last_error()->message, "'fake'"));
    status = rill_backend_check(&failing.backend, NULL, RILL_OBJECT_STREAM, "stream");
    assert_int_equal(rill_backend_finish("its_call", NULL, status), RILL_ERROR_INVALID_HANDLE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_note_of_a_call_that_succeeded_is_forgotten),
        TEST(a_note_of_a_call_that_was_not_ready_is_forgotten),
        TEST(a_note_for_another_status_is_forgotten),
        TEST(a_note_before_a_refusal_by_the_core_is_forgotten),
        TEST(notes_are_the_threads_own),
        TEST(a_backend_is_told_what_the_failed_call_was_called),
        TEST(a_backend_is_told_nothing_of_a_note_that_is_forgotten),
        TEST(a_backend_can_end_calls_of_its_own),
    };
    return cmocka_run_group_tests(tests, open_world, close_world);
}
