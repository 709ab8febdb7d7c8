/* SPDX-License-Identifier: Apache-2.0
 *
 * The record behind rill_last_error().
 */
#include "core/failing.h"

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
    failing.backend.explain = NULL;
    query(0, RILL_ERROR_ILLEGAL_STATE, NULL);
    assert_string_equal(rill_last_error()->message, rill_error_string(RILL_ERROR_ILLEGAL_STATE));
    failing.backend.explain = explain;
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

/* ---- Swapped handles ------------------------------------------------------- */

static void says(rill_status status, const char *argument, const char *sentence)
{
    assert_int_equal(status, RILL_ERROR_INVALID_HANDLE);
    assert_string_equal(rill_last_error()->argument, argument);
    assert_string_equal(rill_last_error()->message, sentence);
}

static void handles_that_are_swapped_are_said_to_be(void **state)
{
    (void)state;
    rill_stream *stream = (rill_stream *)world.event;
    rill_event *event = (rill_event *)world.stream;
    says(rill_stream_wait_event(stream, event, 0), "stream",
         "stream is an event, and event is a stream; are they swapped?");
    says(rill_event_record(event, stream, 0), "event",
         "event is a stream, and stream is an event; are they swapped?");
    says(rill_launch_kernel((rill_stream *)world.kernel, (rill_kernel *)world.stream,
                            (rill_dim3){ 1, 1, 1 }, (rill_dim3){ 1, 1, 1 }, 0, NULL), "stream",
         "stream is a kernel, and kernel is a stream; are they swapped?");
}

static void one_that_is_wrong_alone_is_not(void **state)
{
    (void)state;
    says(rill_stream_wait_event((rill_stream *)world.event, world.event, 0), "stream",
         "stream is an event; pass a stream from rill_stream_create()");
    says(rill_event_record((rill_event *)world.stream, NULL, 0), "event",
         "event is a stream; pass an event from rill_event_create()");
}

/* ---- As text -------------------------------------------------------------- */

static void nothing_failed_is_no_text(void **state)
{
    (void)state;
    char text[8] = "before";
    rill_clear_error();
    assert_int_equal(rill_error_format(text, sizeof text), 0);
    assert_string_equal(text, "");
    assert_int_equal(rill_error_format(NULL, 0), 0);
}

static const char whole[] =
    "rill_stream_query: RILL_ERROR_INVALID_VALUE: it went wrong\n"
    "  argument: stream\n"
    "  object: stream 'decode'\n"
    "  cause: RILL_ERROR_LAUNCH_FAILED in kernel 'scale' on stream 'copy', thread 7\n";

static void fail_with_all(void)
{
    static const rill_error_cause cause = { .status = RILL_ERROR_LAUNCH_FAILED,
                                            .operation = "kernel 'scale'",
                                            .object = "stream 'copy'",
                                            .thread = 7 };
    rill_stream_set_label(world.stream, "decode");
    next.cause = &cause;
    next.argument = "stream";
    query(RILL_ERROR_INVALID_VALUE, RILL_ERROR_INVALID_VALUE, "it went wrong");
    next.cause = NULL;
    next.argument = NULL;
}

static void the_text_has_all_that_is_known(void **state)
{
    (void)state;
    char text[1024], cut[16];
    fail_with_all();
    assert_int_equal(rill_error_format(text, sizeof text), sizeof whole - 1);
    assert_string_equal(text, whole);
    assert_int_equal(rill_error_format(NULL, 0), sizeof whole - 1);
    assert_int_equal(rill_error_format(cut, sizeof cut), sizeof whole - 1);
    assert_string_equal(cut, "rill_stream_que");
    assert_int_equal(rill_error_format(cut, 1), sizeof whole - 1);
    assert_string_equal(cut, "");
}

static void and_no_line_for_what_is_not(void **state)
{
    (void)state;
    char text[1024];
    rill_stream_query(NULL);
    rill_error_format(text, sizeof text);
    assert_string_equal(text, "rill_stream_query: RILL_ERROR_INVALID_HANDLE: stream is NULL; pass "
                              "a stream from rill_stream_create()\n  argument: stream\n");
}

static void it_can_be_printed(void **state)
{
    (void)state;
    char text[1024];
    FILE *file = tmpfile();
    assert_non_null(file);
    fail_with_all();
    rill_error_print(file);
    rewind(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(text, whole);
    assert_string_equal(rill_last_error()->message, "it went wrong");
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
        TEST(a_failed_create_names_its_context),
        TEST(a_refused_handle_is_not_named),
        TEST(handles_that_are_swapped_are_said_to_be),
        TEST(one_that_is_wrong_alone_is_not),
        TEST(nothing_failed_is_no_text),
        TEST(the_text_has_all_that_is_known),
        TEST(and_no_line_for_what_is_not),
        TEST(it_can_be_printed),
        TEST(each_thread_has_a_record),
    };
    return cmocka_run_group_tests(tests, open_world, close_world);
}
