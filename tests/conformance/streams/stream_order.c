/* SPDX-License-Identifier: Apache-2.0
 *
 * The order inside one stream, waiting for it, and its end.
 */
#include "conformance/fixture.h"

#include <string.h>

/* ---- Waiting -------------------------------------------------------------------- */

/* ST-9 */
static void synchronize_returns_after_the_work_before_it(void **state)
{
    struct fixture *f = *state;
    rill_stream *stream = new_stream(f);
    struct gate *closed = gate(f, stream);
    mark(f, stream, 'a');
    struct call *call = start_call(f, synchronize_stream, stream);
    blocked(call);
    open_gate(closed);
    ok(finish_call(call));
    order(f, "a");
}

struct endless {
    rill_stream *stream;
    atomic_uint *word;
    rill_devptr address;
    atomic_int stop;
    rill_status status;
};

/* Each turn puts the next wait behind the one that it ends: the stream is never
 * idle before it is told to stop. */
static void add_for_ever(void *data, int index)
{
    struct endless *endless = data;
    if (index) {
        endless->status = rill_stream_synchronize(endless->stream);
        atomic_store(&endless->stop, 1);
        return;
    }
    uint32_t turn = 1;
    for (; !atomic_load(&endless->stop); turn++) {
        rill_stream_wait_value32(endless->stream, endless->address, turn + 1, RILL_WAIT_GEQ);
        atomic_store(endless->word, turn);
    }
    atomic_store(endless->word, turn);
}

/* ST-9 */
static void synchronize_does_not_wait_for_work_that_is_added_later(void **state)
{
    struct fixture *f = *state;
    struct endless endless = { .stream = new_stream(f), .word = new_word(f), .status = 99 };
    endless.address = address_of(f, endless.word);
    ok(rill_stream_wait_value32(endless.stream, endless.address, 1, RILL_WAIT_GEQ));
    crew(2, add_for_ever, &endless);
    assert_int_equal(endless.status, RILL_SUCCESS);
    ok(rill_stream_synchronize(endless.stream));
}

/* ST-16 */
static void streams_that_are_held_do_not_hold_others(void **state)
{
    struct fixture *f = *state;
    struct gate *closed[80];
    if (!suite->expects.has_a_queue_for_each_stream)
        skip_since("streams share the queues of the hardware");
    for (int i = 0; i < 80; i++) closed[i] = gate(f, new_stream(f));
    rill_stream *free_one = new_stream(f);
    mark(f, free_one, 'a');
    drained(free_one);
    order(f, "a");
    for (int i = 0; i < 80; i++) open_gate(closed[i]);
    ok(rill_context_synchronize(f->context));
}

/* ST-16 */
static void three_hundred_streams_run_at_once(void **state)
{
    struct fixture *f = *state;
    rill_stream *all[300];
    for (int i = 0; i < 300; i++) {
        all[i] = new_stream_in(f, f->context, i & 1);
        mark(f, all[i], 'a');
    }
    ok(rill_context_synchronize(f->context));
    assert_int_equal(strlen(f->marks), 300);
    for (int i = 0; i < 300; i++) ok(rill_stream_query(all[i]));
}

/* ---- The order inside ------------------------------------------------------------ */

/* ST-5 */
static void operations_run_in_the_order_of_their_submission(void **state)
{
    struct fixture *f = *state;
    rill_stream *stream = new_stream(f);
    struct gate *closed = gate(f, stream);
    for (char letter = 'a'; letter <= 'z'; letter++) mark(f, stream, letter);
    open_gate(closed);
    ok(rill_stream_synchronize(stream));
    order(f, "abcdefghijklmnopqrstuvwxyz");
}

struct reading {
    atomic_uint *word;
    unsigned seen[3];
    int count;
};

static void read_word(void *data)
{
    struct reading *reading = data;
    reading->seen[reading->count++] = atomic_load(reading->word);
}

/* ST-5 */
static void an_operation_sees_what_those_before_it_did(void **state)
{
    struct fixture *f = *state;
    rill_stream *stream = new_stream(f);
    struct reading reading = { .word = new_word(f) };
    rill_devptr address = address_of(f, reading.word);
    struct gate *closed = gate(f, stream);
    for (unsigned value = 7; value < 10; value++) {
        ok(rill_stream_write_value32(stream, address, value, 0));
        ok(rill_launch_host(stream, read_word, &reading, NULL));
    }
    open_gate(closed);
    ok(rill_stream_synchronize(stream));
    for (unsigned i = 0; i < 3; i++) assert_int_equal(reading.seen[i], 7 + i);
}

/* ST-5: more than one piece of any queue holds. */
static void ten_thousand_operations_behind_a_gate_keep_their_order(void **state)
{
    struct fixture *f = *state;
    if (!suite->expects.queues_without_bound)
        skip_since("a queue of the hardware that is full holds its caller up");
    rill_stream *stream = new_stream(f);
    atomic_uint *word = new_word(f);
    rill_devptr address = address_of(f, word);
    struct gate *closed = gate(f, stream);
    /* Each wait holds only when exactly the write before it came last. */
    for (uint32_t i = 0; i < 5000; i++) {
        ok(rill_stream_write_value32(stream, address, i, 0));
        ok(rill_stream_wait_value32(stream, address, i, RILL_WAIT_EQ));
    }
    held(stream);
    assert_int_equal(atomic_load(word), 0);
    open_gate(closed);
    ok(rill_stream_synchronize(stream));
    assert_int_equal(atomic_load(word), 4999);
}

/* ST-7: a hint, never an edge. */
static void an_urgent_stream_waits_for_a_lesser_one_all_the_same(void **state)
{
    struct fixture *f = *state;
    rill_stream *lesser = new_stream(f), *urgent = new_stream_with(f, -1000);
    struct gate *closed = gate(f, lesser);
    mark(f, lesser, 'a');
    ok(rill_stream_wait_stream(urgent, lesser));
    mark(f, urgent, 'b');
    held(urgent);
    open_gate(closed);
    ok(rill_stream_synchronize(urgent));
    order(f, "ab");
}

/* ---- The end --------------------------------------------------------------------- */

/* ST-3 */
static void destroying_a_stream_returns_at_once_and_its_work_still_runs(void **state)
{
    struct fixture *f = *state;
    rill_stream *stream = NULL;
    rill_event *event = new_event(f);
    ok(rill_stream_create(f->context, NULL, &stream));
    struct gate *closed = gate(f, stream);
    mark(f, stream, 'a');
    ok(rill_event_record(event, stream, 0));
    ok(rill_stream_destroy(&stream));
    assert_null(stream);
    event_held(event);
    order(f, "");
    open_gate(closed);
    ok(rill_event_synchronize(event));
    order(f, "a");
}

/* ST-2 */
static void the_default_streams_cannot_be_destroyed(void **state)
{
    struct fixture *f = *state;
    rill_stream *const defaults[] = { f->legacy, f->per_thread };
    for (int i = 0; i < 2; i++) {
        rill_stream *stream = defaults[i];
        refuses(RILL_ERROR_INVALID_HANDLE, "stream", rill_stream_destroy(&stream));
        ok(rill_stream_query(defaults[i]));
        mark(f, defaults[i], 'a');
        ok(rill_stream_synchronize(defaults[i]));
    }
    order(f, "aa");
}

static void destroying_nothing_succeeds(void **state)
{
    rill_stream *none = NULL;
    (void)state;
    ok(rill_stream_destroy(NULL));
    ok(rill_stream_destroy(&none));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(synchronize_returns_after_the_work_before_it),
    cmocka_unit_test(synchronize_does_not_wait_for_work_that_is_added_later),
    cmocka_unit_test(streams_that_are_held_do_not_hold_others),
    cmocka_unit_test(three_hundred_streams_run_at_once),
    cmocka_unit_test(operations_run_in_the_order_of_their_submission),
    cmocka_unit_test(an_operation_sees_what_those_before_it_did),
    cmocka_unit_test(ten_thousand_operations_behind_a_gate_keep_their_order),
    cmocka_unit_test(an_urgent_stream_waits_for_a_lesser_one_all_the_same),
    cmocka_unit_test(destroying_a_stream_returns_at_once_and_its_work_still_runs),
    cmocka_unit_test(the_default_streams_cannot_be_destroyed),
    cmocka_unit_test(destroying_nothing_succeeds),
};

SUITE_GROUP(stream_order, 1);
