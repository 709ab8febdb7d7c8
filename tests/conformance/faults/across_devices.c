/* SPDX-License-Identifier: Apache-2.0
 *
 * Streams and events of two devices: what is separate, and what orders them.
 */
#include "conformance/captures/capturing.h"
#include "conformance/nodes.h"

/* A fixture's first device and a second one. */
struct pair {
    rill_context *contexts[2];
    rill_stream *streams[2]; /* non-blocking */
    rill_stream *legacy[2], *per_thread[2];
    rill_event *events[2];
};

static struct pair make_pair(struct fixture *f)
{
    struct pair pair;
    for (int i = 0; i < 2; i++) {
        rill_context *context = i ? new_context(f, 1, 0) : f->context;
        pair.contexts[i] = context;
        pair.streams[i] = new_stream_in(f, context, RILL_STREAM_NON_BLOCKING);
        pair.events[i] = new_event_in(f, context, 0);
        pair.legacy[i] = rill_stream_legacy(context);
        pair.per_thread[i] = rill_stream_per_thread(context);
    }
    return pair;
}

/* oracle multi.stream_getters */
static void a_stream_knows_its_device_and_context(void **state)
{
    struct fixture *f = *state;
    struct pair pair = make_pair(f);
    for (int i = 0; i < 2; i++) {
        rill_stream *const streams[] = { pair.streams[i], pair.legacy[i], pair.per_thread[i] };
        for (int k = 0; k < 3; k++) {
            rill_context *context = NULL;
            int device = 99;
            ok(rill_stream_device(streams[k], &device));
            ok(rill_stream_context(streams[k], &context));
            assert_int_equal(device, i);
            assert_ptr_equal(context, pair.contexts[i]);
        }
    }
}

/* EV-12; oracle multi.record_foreign */
static void an_event_is_recorded_on_its_own_device_only(void **state)
{
    struct fixture *f = *state;
    struct pair pair = make_pair(f);
    for (int i = 0; i < 2; i++) {
        rill_stream *const own[] = { pair.streams[i], pair.legacy[i], pair.per_thread[i] };
        rill_stream *const foreign[] = { pair.streams[!i], pair.legacy[!i], pair.per_thread[!i] };
        for (int k = 0; k < 3; k++) {
            is(RILL_ERROR_INVALID_HANDLE, rill_event_record(pair.events[i], foreign[k], 0));
            ok(rill_event_record(pair.events[i], own[k], 0));
            ok(rill_event_synchronize(pair.events[i]));
        }
    }
}

/* oracle multi.record_refused_keeps */
static void a_record_that_is_refused_changes_neither_event_nor_stream(void **state)
{
    struct fixture *f = *state;
    struct pair pair = make_pair(f);
    rill_stream *waiting = new_stream_in(f, pair.contexts[1], RILL_STREAM_NON_BLOCKING);
    struct gate *closed = gate(f, pair.streams[0]);
    ok(rill_event_record(pair.events[0], pair.streams[0], 0));
    event_held(pair.events[0]);
    is(RILL_ERROR_INVALID_HANDLE, rill_event_record(pair.events[0], pair.streams[1], 0));
    event_held(pair.events[0]);
    ok(rill_stream_wait_event(waiting, pair.events[0], 0));
    held(waiting);
    is(RILL_ERROR_INVALID_HANDLE, rill_event_record(pair.events[1], pair.streams[0], 0));
    ok(rill_event_query(pair.events[1]));
    ok(rill_stream_query(pair.streams[1]));
    open_gate(closed);
    ok(rill_stream_synchronize(waiting));
}

/* EV-12; oracle multi.wait_other */
static void a_stream_of_either_device_waits_for_the_other(void **state)
{
    struct fixture *f = *state;
    struct pair pair = make_pair(f);
    for (int i = 0; i < 2; i++) {
        struct gate *closed = gate(f, pair.streams[i]);
        mark(f, pair.streams[i], 'a');
        ok(rill_event_record(pair.events[i], pair.streams[i], 0));
        ok(rill_stream_wait_event(pair.streams[!i], pair.events[i], 0));
        mark(f, pair.streams[!i], 'b');
        held(pair.streams[!i]);
        open_gate(closed);
        ok(rill_stream_synchronize(pair.streams[!i]));
        order(f, i ? "abab" : "ab");
    }
}

/* oracle multi.ping_pong */
static void work_goes_to_and_fro_between_two_devices(void **state)
{
    struct fixture *f = *state;
    struct pair pair = make_pair(f);
    char wanted[65] = "";
    struct gate *closed = gate(f, pair.streams[0]);
    for (int i = 0; i < 64; i++) {
        if (i) ok(rill_stream_wait_event(pair.streams[i & 1], pair.events[!(i & 1)], 0));
        wanted[i] = (char)('0' + i);
        mark(f, pair.streams[i & 1], wanted[i]);
        ok(rill_event_record(pair.events[i & 1], pair.streams[i & 1], 0));
    }
    held(pair.streams[0]);
    held(pair.streams[1]);
    order(f, "");
    open_gate(closed);
    ok(rill_stream_synchronize(pair.streams[1]));
    order(f, wanted);
}

/* DS-9; oracle multi.legacy_separate */
static void the_legacy_streams_of_two_devices_are_not_ordered(void **state)
{
    struct fixture *f = *state;
    struct pair pair = make_pair(f);
    rill_stream *blocking = new_stream_in(f, pair.contexts[1], 0);
    struct gate *closed = gate(f, pair.legacy[0]);
    held(pair.legacy[0]);
    mark(f, pair.legacy[1], '1');
    drained(pair.legacy[1]);
    mark(f, blocking, '2');
    drained(blocking);
    order(f, "12");
    held(pair.legacy[0]);
    open_gate(closed);
    ok(rill_stream_synchronize(pair.legacy[0]));
}

/* oracle multi.ctx_sync_separate */
static void synchronizing_a_device_does_not_wait_for_the_other(void **state)
{
    struct fixture *f = *state;
    struct pair pair = make_pair(f);
    struct gate *closed = gate(f, pair.streams[1]);
    ok(finish_call(start_call(f, synchronize_context, pair.contexts[0])));
    struct call *call = start_call(f, synchronize_context, pair.contexts[1]);
    blocked(call);
    open_gate(closed);
    ok(finish_call(call));
}

/* oracle multi.ctx_sync_separate, "tied" */
static void synchronizing_a_device_waits_for_what_an_event_ties_to_it(void **state)
{
    struct fixture *f = *state;
    struct pair pair = make_pair(f);
    struct gate *closed = gate(f, pair.streams[1]);
    ok(rill_event_record(pair.events[1], pair.streams[1], 0));
    ok(rill_stream_wait_event(pair.streams[0], pair.events[1], 0));
    mark(f, pair.streams[0], 'a');
    struct call *call = start_call(f, synchronize_context, pair.contexts[0]);
    blocked(call);
    open_gate(closed);
    ok(finish_call(call));
    order(f, "a");
}

/* ST-13; oracle multi.launch_across */
static void a_kernel_runs_on_the_device_that_it_was_loaded_on(void **state)
{
    struct fixture *f = *state;
    struct pair pair = make_pair(f);
    for (int i = 0; i < 2; i++) {
        rill_kernel *kernel = new_kernel(f, pair.contexts[i], &nop_function);
        rill_stream *const own[] = { pair.streams[i], pair.legacy[i], pair.per_thread[i] };
        rill_stream *const foreign[] = { pair.streams[!i], pair.legacy[!i], pair.per_thread[!i] };
        for (int k = 0; k < 3; k++) {
            ok(rill_launch_kernel(own[k], kernel, one, one, 0, NULL));
            is(RILL_ERROR_INVALID_HANDLE,
               rill_launch_kernel(foreign[k], kernel, one, one, 0, NULL));
        }
    }
}

/* EV-4, ST-3; oracle multi.destroy_waited */
static void a_wait_outlives_event_and_stream_of_the_other_device(void **state)
{
    struct fixture *f = *state;
    struct pair pair = make_pair(f);
    rill_stream *stream = NULL;
    rill_event *event = NULL;
    ok(rill_stream_create(pair.contexts[0], NULL, &stream));
    ok(rill_event_create(pair.contexts[0], NULL, &event));
    struct gate *closed = gate(f, stream);
    mark(f, stream, 'a');
    ok(rill_event_record(event, stream, 0));
    ok(rill_stream_wait_event(pair.streams[1], event, 0));
    mark(f, pair.streams[1], 'b');
    ok(rill_event_destroy(&event));
    held(pair.streams[1]);
    ok(rill_stream_destroy(&stream));
    held(pair.streams[1]);
    order(f, "");
    open_gate(closed);
    ok(rill_stream_synchronize(pair.streams[1]));
    order(f, "ab");
}

/* oracle multi.memop_signal */
static void one_device_waits_for_a_value_that_the_other_writes(void **state)
{
    struct fixture *f = *state;
    struct pair pair = make_pair(f);
    for (int i = 0; i < 2; i++) {
        rill_devptr flag = address_of(f, new_gate(f)->word);
        ok(rill_stream_wait_value32(pair.streams[i], flag, 1, RILL_WAIT_GEQ));
        mark(f, pair.streams[i], 'b');
        held(pair.streams[i]);
        ok(rill_stream_query(pair.streams[!i]));
        mark(f, pair.streams[!i], 'a');
        ok(rill_stream_write_value32(pair.streams[!i], flag, 1, 0));
        ok(rill_stream_synchronize(pair.streams[i]));
        order(f, i ? "abab" : "ab");
    }
}

/* EV-13 */
static void there_is_no_time_between_events_of_two_devices(void **state)
{
    struct fixture *f = *state;
    struct pair pair = make_pair(f);
    rill_event *timed[2];
    float milliseconds = 77;
    for (int i = 0; i < 2; i++) {
        timed[i] = new_event_in(f, pair.contexts[i], RILL_EVENT_TIMING);
        ok(rill_event_record(timed[i], pair.streams[i], 0));
        ok(rill_event_synchronize(timed[i]));
    }
    is(RILL_ERROR_INVALID_HANDLE, rill_event_elapsed(timed[0], timed[1], &milliseconds));
    is(RILL_ERROR_INVALID_HANDLE, rill_event_elapsed(timed[1], timed[0], &milliseconds));
    assert_true(milliseconds == 77);
}

/* oracle multi.capture_fork */
static void a_capture_spans_devices_and_its_graph_runs_in_either(void **state)
{
    struct fixture *f = *state;
    struct pair pair = make_pair(f);
    atomic_uint *word = new_word(f);
    rill_devptr p = address_of(f, word);
    rill_kernel *kernels[2];
    rill_graph *graph = NULL;
    for (int i = 0; i < 2; i++) kernels[i] = new_kernel(f, pair.contexts[i], &mul_add_function);
    ok(begin(pair.streams[0], RILL_CAPTURE_GLOBAL));
    ok(mul_add(kernels[0], pair.streams[0], p, 10, 1));
    ok(rill_event_record(pair.events[0], pair.streams[0], 0));
    ok(rill_stream_wait_event(pair.streams[1], pair.events[0], 0));
    active(pair.streams[1]);
    ok(mul_add(kernels[1], pair.streams[1], p, 10, 2));
    ok(rill_event_record(pair.events[1], pair.streams[1], 0));
    ok(rill_stream_wait_event(pair.streams[0], pair.events[1], 0));
    ok(mul_add(kernels[0], pair.streams[0], p, 10, 3));
    ok(rill_stream_end_capture(pair.streams[0], &graph));
    idle(pair.streams[1]);
    holds(graph, "k k k | k>k k>k k>k");
    rill_exec *exec = new_exec(f, graph);
    for (int i = 0; i < 2; i++) {
        atomic_store(word, 0);
        ok(run_exec(exec, pair.streams[i]));
        assert_int_equal(atomic_load(word), 123);
    }
    ok(rill_graph_destroy(&graph));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_stream_knows_its_device_and_context),
    cmocka_unit_test(an_event_is_recorded_on_its_own_device_only),
    cmocka_unit_test(a_record_that_is_refused_changes_neither_event_nor_stream),
    cmocka_unit_test(a_stream_of_either_device_waits_for_the_other),
    cmocka_unit_test(work_goes_to_and_fro_between_two_devices),
    cmocka_unit_test(the_legacy_streams_of_two_devices_are_not_ordered),
    cmocka_unit_test(synchronizing_a_device_does_not_wait_for_the_other),
    cmocka_unit_test(synchronizing_a_device_waits_for_what_an_event_ties_to_it),
    cmocka_unit_test(a_kernel_runs_on_the_device_that_it_was_loaded_on),
    cmocka_unit_test(a_wait_outlives_event_and_stream_of_the_other_device),
    cmocka_unit_test(one_device_waits_for_a_value_that_the_other_writes),
    cmocka_unit_test(there_is_no_time_between_events_of_two_devices),
    cmocka_unit_test(a_capture_spans_devices_and_its_graph_runs_in_either),
};

SUITE_GROUP(across_devices, 2);
