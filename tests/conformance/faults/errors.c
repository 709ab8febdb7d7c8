/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls that are refused: what they answer, what the record says, and that they
 * change nothing.
 */
#include "conformance/work.h"

#include <string.h>

/* ---- Handles --------------------------------------------------------------------- */

static void a_call_on_no_stream_is_refused(void **state)
{
    const rill_status wrong = RILL_ERROR_INVALID_HANDLE;
    struct fixture *f = *state;
    rill_attribute attribute = { .id = RILL_ATTRIBUTE_PRIORITY };
    rill_op op = { .kind = RILL_OP_EMPTY };
    atomic_int destroyed = 0;
    int number;
    uint64_t id;
    uint32_t flags;
    rill_context *context;
    is(wrong, rill_stream_query(NULL));
    blames("rill_stream_query", "stream");
    is(wrong, rill_stream_synchronize(NULL));
    is(wrong, rill_stream_id(NULL, &id));
    is(wrong, rill_stream_flags(NULL, &flags));
    is(wrong, rill_stream_priority(NULL, &number));
    is(wrong, rill_stream_device(NULL, &number));
    is(wrong, rill_stream_context(NULL, &context));
    is(wrong, rill_stream_get_attribute(NULL, &attribute));
    is(wrong, rill_stream_set_attribute(NULL, &attribute));
    is(wrong, rill_stream_submit(NULL, &op));
    blames("rill_stream_submit", "stream");
    is(wrong, rill_launch_host(NULL, nothing, &destroyed, count_up));
    blames("rill_launch_host", "stream");
    assert_int_equal(destroyed, 1);
    is(wrong, rill_stream_write_value32(NULL, address_of(f, f->words), 1, 0));
    blames("rill_stream_write_value32", "stream");
    is(wrong, rill_stream_wait_value64(NULL, address_of(f, f->words), 1, 0));
    blames("rill_stream_wait_value64", "stream");
    is(wrong, rill_stream_attach(NULL, 0, 0, RILL_ATTACH_GLOBAL));
    is(wrong, rill_stream_set_label(NULL, "none"));
    assert_null(rill_stream_label(NULL));
}

static void a_handle_of_another_kind_is_refused(void **state)
{
    const rill_status wrong = RILL_ERROR_INVALID_HANDLE;
    struct fixture *f = *state;
    rill_stream *stream = new_stream(f);
    rill_event *event = new_event(f);
    is(wrong, rill_stream_query((rill_stream *)event));
    blames("rill_stream_query", "stream");
    is(wrong, rill_event_query((rill_event *)stream));
    blames("rill_event_query", "event");
    is(wrong, rill_event_record((rill_event *)f->context, stream, 0));
    is(wrong, rill_event_record(event, (rill_stream *)event, 0));
    blames("rill_event_record", "stream");
    is(wrong, rill_stream_wait_event(stream, (rill_event *)stream, 0));
    blames("rill_stream_wait_event", "event");
    refuses(RILL_ERROR_INVALID_CONTEXT, "context",
            rill_context_synchronize((rill_context *)stream));
    ok(rill_stream_query(stream));
    ok(rill_event_query(event));
}

/* What lies around in a program: zeroes and text. */
static void memory_that_holds_no_object_is_refused(void **state)
{
    _Alignas(64) static char zeroes[256], text[256] = "neither a stream nor an event";
    (void)state;
    for (int i = 0; i < 2; i++) {
        void *memory = i ? text : zeroes;
        is(RILL_ERROR_INVALID_HANDLE, rill_stream_query(memory));
        is(RILL_ERROR_INVALID_HANDLE, rill_event_synchronize(memory));
        is(RILL_ERROR_INVALID_CONTEXT, rill_context_synchronize(memory));
    }
}

static void an_object_of_another_platform_is_refused(void **state)
{
    struct fixture *f = *state;
    rill_context *context = NULL;
    rill_stream *stream = NULL, *own = new_stream(f);
    rill_event *event = NULL;
    ok(suite->open(1, &f->another));
    ok(rill_context_create(f->another, NULL, &context));
    ok(rill_stream_create(context, NULL, &stream));
    ok(rill_event_create(context, NULL, &event));
    is(RILL_ERROR_INVALID_HANDLE, rill_event_record(event, own, 0));
    is(RILL_ERROR_INVALID_HANDLE, rill_stream_wait_event(own, event, 0));
    is(RILL_ERROR_INVALID_HANDLE, rill_stream_wait_stream(own, stream));
    is(RILL_ERROR_INVALID_CONTEXT, rill_context_enable_peer(f->context, context));
    ok(rill_stream_query(own));
    ok(rill_event_query(event));
    ok(rill_event_destroy(&event));
    ok(rill_stream_destroy(&stream));
    ok(rill_context_destroy(&context));
    ok(rill_close(&f->another));
}

/* ---- Values ------------------------------------------------------------------------ */

static void options_without_their_size_are_refused(void **state)
{
    struct fixture *f = *state;
    rill_stream_options stream_options = { .size = 0 };
    rill_event_options event_options = { .size = sizeof event_options - 1 };
    rill_context_options context_options = { .size = 4 };
    rill_stream *stream = NULL;
    rill_event *event = NULL;
    rill_context *context = NULL;
    refuses(RILL_ERROR_INVALID_VALUE, "options->size",
            rill_stream_create(f->context, &stream_options, &stream));
    refuses(RILL_ERROR_INVALID_VALUE, "options->size",
            rill_event_create(f->context, &event_options, &event));
    refuses(RILL_ERROR_INVALID_VALUE, "options->size",
            rill_context_create(f->platform, &context_options, &context));
    assert_null(stream);
    assert_null(event);
    assert_null(context);
}

static void an_operation_that_no_stream_can_run_is_refused(void **state)
{
    struct fixture *f = *state;
    static const struct {
        rill_op op;
        rill_status status;
        const char *blamed;
    } bad[] = {
        { { .kind = (rill_op_kind)99 }, RILL_ERROR_INVALID_VALUE, "op->kind" },
        { { .kind = RILL_OP_SEMAPHORE_WAIT }, RILL_ERROR_NOT_SUPPORTED, "op->kind" },
        { { .kind = RILL_OP_EVENT_WAIT }, RILL_ERROR_INVALID_HANDLE, "op->event.event" },
        { { .kind = RILL_OP_KERNEL }, RILL_ERROR_INVALID_HANDLE, "op->kernel.kernel" },
        { { .kind = RILL_OP_HOST }, RILL_ERROR_INVALID_VALUE, "op->host.fn" },
    };
    rill_stream *stream = new_stream(f);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        rill_op op = bad[i].op;
        refuses(bad[i].status, bad[i].blamed, rill_stream_submit(stream, &op));
    }
    refuses(RILL_ERROR_INVALID_VALUE, "op", rill_stream_submit(stream, NULL));
}

/* ER-3 */
static void calls_that_are_refused_put_nothing_into_the_stream(void **state)
{
    struct fixture *f = *state;
    rill_stream *stream = new_stream(f), *held_one = new_stream(f);
    rill_event *event = new_event(f);
    struct gate *closed = gate(f, held_one);
    ok(rill_event_record(event, held_one, 0));
    mark(f, stream, '1');
    is(RILL_ERROR_INVALID_VALUE, rill_stream_wait_event(stream, event, 8));
    is(RILL_ERROR_INVALID_VALUE, rill_stream_write_value32(stream, 0x10, 1, 0));
    is(RILL_ERROR_INVALID_VALUE, rill_stream_wait_value32(stream, 0x10, 1, 0));
    is(RILL_ERROR_INVALID_VALUE, rill_launch_host(stream, NULL, NULL, NULL));
    is(RILL_ERROR_INVALID_VALUE, rill_stream_add_callback(stream, NULL, NULL, 0));
    /* The first of the two is fine, and does not wait either. */
    const rill_value items[] = {
        { .kind = RILL_VALUE_WAIT_32, .address = address_of(f, new_word(f)), .value = 1 },
        { .kind = RILL_VALUE_WRITE_32, .address = 0x10 },
    };
    is(RILL_ERROR_INVALID_VALUE, rill_stream_batch_values(stream, items, 2, 0));
    mark(f, stream, '2');
    drained(stream);
    order(f, "12");
    open_gate(closed);
}

/* ER-3 */
static void refusals_leave_no_trace_in_later_answers(void **state)
{
    struct fixture *f = *state;
    rill_stream *stream = new_stream(f);
    for (int i = 0; i < 100; i++) {
        is(RILL_ERROR_INVALID_VALUE, rill_stream_id(stream, NULL));
        is(RILL_ERROR_INVALID_HANDLE, rill_event_query(NULL));
    }
    ok(rill_context_status(f->context));
    ok(rill_stream_query(stream));
    ok(rill_stream_synchronize(stream));
    ok(rill_context_synchronize(f->context));
}

/* ---- The record ---------------------------------------------------------------------- */

static void the_record_names_call_argument_and_object(void **state)
{
    struct fixture *f = *state;
    rill_stream *stream = new_stream(f);
    rill_event *event = new_event(f);
    ok(rill_stream_set_label(stream, "upload"));
    is(RILL_ERROR_INVALID_VALUE, rill_stream_wait_event(stream, event, 6));
    const rill_error *last = rill_last_error();
    assert_int_equal(last->status, RILL_ERROR_INVALID_VALUE);
    assert_string_equal(last->operation, "rill_stream_wait_event");
    assert_string_equal(last->argument, "flags");
    assert_string_equal(last->object, "stream 'upload'");
    assert_non_null(strstr(last->message, "0x6"));
    assert_int_equal(last->cause.status, RILL_SUCCESS);
}

static void the_record_stays_until_the_next_failure_or_until_cleared(void **state)
{
    struct fixture *f = *state;
    rill_stream *stream = new_stream(f);
    assert_int_equal(rill_last_error()->status, RILL_SUCCESS);
    is(RILL_ERROR_INVALID_VALUE, rill_stream_id(stream, NULL));
    ok(rill_stream_query(stream));
    blames("rill_stream_id", "id");
    refuses(RILL_ERROR_INVALID_HANDLE, "event", rill_event_query(NULL));
    rill_clear_error();
    assert_int_equal(rill_last_error()->status, RILL_SUCCESS);
    assert_null(rill_last_error()->operation);
}

static void an_answer_of_not_ready_leaves_no_record(void **state)
{
    struct fixture *f = *state;
    rill_stream *stream = new_stream(f);
    rill_event *event = new_event_in(f, f->context, RILL_EVENT_TIMING);
    float milliseconds;
    struct gate *closed = gate(f, stream);
    ok(rill_event_record(event, stream, 0));
    is(RILL_ERROR_NOT_READY, rill_stream_query(stream));
    is(RILL_ERROR_NOT_READY, rill_event_query(event));
    is(RILL_ERROR_NOT_READY, rill_event_elapsed(event, event, &milliseconds));
    assert_int_equal(rill_last_error()->status, RILL_SUCCESS);
    open_gate(closed);
}

static void fail_elsewhere(void *data, int index)
{
    struct fixture *f = data;
    (void)index;
    works(f, rill_last_error()->status);
    if (rill_event_query(NULL) != RILL_ERROR_INVALID_HANDLE) works(f, RILL_ERROR_UNKNOWN);
    if (strcmp(rill_last_error()->operation, "rill_event_query")) works(f, RILL_ERROR_UNKNOWN);
}

static void the_record_is_the_threads_own(void **state)
{
    struct fixture *f = *state;
    is(RILL_ERROR_INVALID_VALUE, rill_stream_id(new_stream(f), NULL));
    crew(3, fail_elsewhere, f);
    all_worked(f);
    blames("rill_stream_id", "id");
}

static void asking_for_the_status_of_a_context_is_no_failure(void **state)
{
    (void)state;
    is(RILL_ERROR_INVALID_CONTEXT, rill_context_status(NULL));
    assert_int_equal(rill_last_error()->status, RILL_SUCCESS);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_call_on_no_stream_is_refused),
    cmocka_unit_test(a_handle_of_another_kind_is_refused),
    cmocka_unit_test(memory_that_holds_no_object_is_refused),
    cmocka_unit_test(an_object_of_another_platform_is_refused),
    cmocka_unit_test(options_without_their_size_are_refused),
    cmocka_unit_test(an_operation_that_no_stream_can_run_is_refused),
    cmocka_unit_test(calls_that_are_refused_put_nothing_into_the_stream),
    cmocka_unit_test(refusals_leave_no_trace_in_later_answers),
    cmocka_unit_test(the_record_names_call_argument_and_object),
    cmocka_unit_test(the_record_stays_until_the_next_failure_or_until_cleared),
    cmocka_unit_test(an_answer_of_not_ready_leaves_no_record),
    cmocka_unit_test(the_record_is_the_threads_own),
    cmocka_unit_test(asking_for_the_status_of_a_context_is_no_failure),
};

SUITE_GROUP(errors, 1);
