/* SPDX-License-Identifier: Apache-2.0
 *
 * What calls on the legacy stream cover, and that every kind of operation in it
 * counts.
 */
#include "conformance/work.h"

/* ---- What is asked of it ------------------------------------------------------------ */

/* DS-7 */
static void a_query_of_the_legacy_stream_covers_blocking_streams_only(void **state)
{
    struct fixture *f = *state;
    rill_stream *a = new_stream(f), *n = new_non_blocking(f);
    struct gate *closed_n = gate(f, n);
    ok(rill_stream_query(f->legacy));
    ok(rill_stream_query(f->per_thread));
    struct gate *closed_a = gate(f, a);
    held(f->legacy);
    ok(rill_stream_query(f->per_thread));
    open_gate(closed_a);
    drained(a);
    ok(rill_stream_query(f->legacy));
    struct gate *closed_own = gate(f, f->per_thread);
    held(f->legacy);
    open_gate(closed_own);
    drained(f->per_thread);
    ok(rill_stream_query(f->legacy));
    open_gate(closed_n);
}

/* DS-7 */
static void synchronizing_the_legacy_stream_waits_for_blocking_streams(void **state)
{
    struct fixture *f = *state;
    rill_stream *a = new_stream(f);
    struct gate *closed = gate(f, a);
    mark(f, a, 'a');
    struct call *call = start_call(f, synchronize_stream, f->legacy);
    blocked(call);
    open_gate(closed);
    ok(finish_call(call));
    order(f, "a");
}

/* DS-7 */
static void synchronizing_the_legacy_stream_ignores_non_blocking_streams(void **state)
{
    struct fixture *f = *state;
    rill_stream *n = new_non_blocking(f);
    struct gate *closed = gate(f, n);
    ok(finish_call(start_call(f, synchronize_stream, f->legacy)));
    held(n);
    open_gate(closed);
}

/* DS-5 */
static void an_event_in_the_legacy_stream_covers_every_blocking_stream(void **state)
{
    struct fixture *f = *state;
    const uint32_t kinds[] = { 0, RILL_EVENT_TIMING };
    for (int i = 0; i < 2; i++) {
        rill_stream *a = new_stream(f), *n = new_non_blocking(f);
        rill_event *event = new_event_in(f, f->context, kinds[i]);
        struct gate *closed_n = gate(f, n), *closed_a = gate(f, a);
        ok(rill_event_record(event, f->legacy, 0));
        event_held(event);
        open_gate(closed_a);
        event_drained(event);
        ok(rill_stream_query(a));
        struct gate *later = gate(f, a);
        ok(rill_event_query(event));
        open_gate(later);
        open_gate(closed_n);
        ok(rill_context_synchronize(f->context));
    }
}

/* DS-6 */
static void an_event_that_the_legacy_stream_waits_for_holds_blocking_streams(void **state)
{
    struct fixture *f = *state;
    rill_stream *a = new_non_blocking(f), *b = new_stream(f), *n = new_non_blocking(f);
    rill_event *event = new_event(f);
    struct gate *closed = gate(f, a);
    mark(f, a, 'a');
    ok(rill_event_record(event, a, 0));
    ok(rill_stream_wait_event(f->legacy, event, 0));
    mark(f, b, 'b');
    mark(f, n, 'n');
    mark(f, f->per_thread, 'p');
    drained(n);
    held(f->legacy);
    held(b);
    held(f->per_thread);
    order(f, "n");
    open_gate(closed);
    ok(rill_context_synchronize(f->context));
    ordered(f, "a", "bp");
}

/* DS-1, ST-3 */
static void a_stream_that_ends_takes_no_other_out_of_sight(void **state)
{
    enum { STREAMS = 4 };
    struct fixture *f = *state;
    for (int ends = 0; ends < STREAMS; ends++) {
        rill_stream *streams[STREAMS];
        struct gate *closed[STREAMS] = { NULL };
        for (int i = 0; i < STREAMS; i++) {
            streams[i] = new_stream(f);
            if (i == ends) mark(f, streams[i], 'a');
            else closed[i] = gate(f, streams[i]);
        }
        drained(streams[ends]);
        forget(f, streams[ends]);
        ok(rill_stream_destroy(&streams[ends]));
        mark(f, f->legacy, 'L');
        for (int i = 0; i < STREAMS; i++) {
            if (i == ends) continue;
            held(f->legacy);
            open_gate(closed[i]);
        }
        ok(rill_stream_synchronize(f->legacy));
    }
    order(f, "aLaLaLaL");
}

/* ---- Every kind of operation ---------------------------------------------------------- */

/* Made before any gate is closed, which loading and allocating may not pass. */
struct tools {
    struct fixture *f;
    rill_kernel *kernel;
    rill_devptr device, pinned;
};

static struct tools make_tools(struct fixture *f)
{
    struct tools tools = { .f = f, .kernel = kernel(f, &nop_function) };
    tools.pinned = address_of(f, new_word(f));
    ok(rill_mem_alloc(f->context, 16, &tools.device));
    return tools;
}

static rill_status put_host(struct tools *tools, rill_stream *stream)
{
    mark(tools->f, stream, 'h');
    return RILL_SUCCESS;
}

static rill_status put_write(struct tools *tools, rill_stream *stream)
{
    return rill_stream_write_value32(stream, tools->pinned, 0, 0);
}

static rill_status put_wait(struct tools *tools, rill_stream *stream)
{
    return rill_stream_wait_value32(stream, tools->pinned, 0, RILL_WAIT_EQ);
}

static rill_status put_fill(struct tools *tools, rill_stream *stream)
{
    return rill_memset_d32_async(stream, tools->device + 8, 1, 1);
}

static rill_status put_copy(struct tools *tools, rill_stream *stream)
{
    return rill_memcpy_dtod_async(stream, tools->device, tools->device + 4, 4);
}

static rill_status put_kernel(struct tools *tools, rill_stream *stream)
{
    return launch(tools->kernel, stream, NULL);
}

static rill_status (*const kinds[])(struct tools *tools, rill_stream *stream) = {
    put_host, put_write, put_wait, put_fill, put_copy, put_kernel,
};

#define KINDS (sizeof kinds / sizeof *kinds)

/* DS-1, DS-2, DS-10 */
static void every_kind_of_operation_in_the_legacy_stream_is_a_barrier(void **state)
{
    struct fixture *f = *state;
    struct tools tools = make_tools(f);
    for (size_t i = 0; i < KINDS; i++) {
        rill_stream *a = new_stream(f), *b = new_stream(f);
        struct gate *closed = gate(f, a);
        ok(kinds[i](&tools, f->legacy));
        ok(put_write(&tools, b));
        held(f->legacy);
        held(b);
        open_gate(closed);
        ok(rill_stream_synchronize(b));
        ok(rill_stream_query(f->legacy));
    }
}

/* DS-2, DS-10 */
static void every_kind_of_operation_of_a_blocking_stream_waits_for_legacy(void **state)
{
    struct fixture *f = *state;
    struct tools tools = make_tools(f);
    rill_stream *streams[KINDS];
    struct gate *closed = gate(f, f->legacy);
    for (size_t i = 0; i < KINDS; i++) {
        streams[i] = new_stream(f);
        ok(kinds[i](&tools, streams[i]));
    }
    for (size_t i = 0; i < KINDS; i++) held(streams[i]);
    open_gate(closed);
    ok(rill_context_synchronize(f->context));
}

/* ---- What is an operation ---------------------------------------------------------------- */

/* While one stream is held, does something with the legacy stream: if that is a
 * barrier, another stream that gets work later is held, too. */
static void is_barrier(struct fixture *f, bool barrier, void (*something)(struct fixture *f))
{
    rill_stream *held_one = new_stream(f), *later = new_stream(f);
    struct gate *closed = gate(f, held_one);
    something(f);
    mark(f, later, 'b');
    if (barrier) held(later);
    else drained(later);
    open_gate(closed);
    ok(rill_context_synchronize(f->context));
}

static void record_there(struct fixture *f)
{
    ok(rill_event_record(new_event(f), f->legacy, 0));
}

static void record_timed_there(struct fixture *f)
{
    ok(rill_event_record(new_event_in(f, f->context, RILL_EVENT_TIMING), f->legacy, 0));
}

static void wait_for_complete_there(struct fixture *f)
{
    rill_stream *idle = new_non_blocking(f);
    rill_event *event = new_event(f);
    ok(rill_event_record(event, idle, 0));
    ok(rill_event_synchronize(event));
    ok(rill_stream_wait_event(f->legacy, event, 0));
}

static void wait_for_never_recorded_there(struct fixture *f)
{
    ok(rill_stream_wait_event(f->legacy, new_event(f), 0));
}

static void query_there(struct fixture *f)
{
    is(RILL_ERROR_NOT_READY, rill_stream_query(f->legacy));
}

static void copy_nothing_there(struct fixture *f)
{
    rill_devptr address = address_of(f, new_word(f));
    ok(rill_memcpy_dtod_async(f->legacy, address, address, 0));
}

static void be_refused_there(struct fixture *f)
{
    is(RILL_ERROR_INVALID_VALUE, rill_stream_write_value32(f->legacy, 0x10, 1, 0));
    is(RILL_ERROR_INVALID_VALUE, rill_launch_host(f->legacy, NULL, NULL, NULL));
    is(RILL_ERROR_INVALID_VALUE, rill_stream_wait_event(f->legacy, new_event(f), 2));
}

/* DS-1, DS-2, DS-5; measured */
static void a_record_in_the_legacy_stream_is_a_barrier(void **state)
{
    is_barrier(*state, true, record_there);
    is_barrier(*state, true, record_timed_there);
}

/* DS-6; measured */
static void a_wait_in_the_legacy_stream_is_a_barrier_though_it_is_over(void **state)
{
    is_barrier(*state, true, wait_for_complete_there);
}

/* EV-1; measured: that is a wait for nothing. */
static void a_wait_for_an_event_that_was_never_recorded_is_no_barrier(void **state)
{
    is_barrier(*state, false, wait_for_never_recorded_there);
}

/* Measured. */
static void a_query_is_no_barrier(void **state)
{
    is_barrier(*state, false, query_there);
}

/* CY-5; measured */
static void a_copy_of_nothing_is_no_barrier(void **state)
{
    is_barrier(*state, false, copy_nothing_there);
}

/* ER-3 */
static void calls_that_are_refused_are_no_barrier(void **state)
{
    is_barrier(*state, false, be_refused_there);
}

/* DS-2; measured */
static void an_event_in_an_idle_stream_waits_for_the_legacy_stream(void **state)
{
    struct fixture *f = *state;
    const uint32_t flags[] = { 0, RILL_EVENT_TIMING };
    for (int i = 0; i < 2; i++) {
        rill_event *event = new_event_in(f, f->context, flags[i]);
        struct gate *closed = gate(f, f->legacy);
        ok(rill_event_record(event, new_stream(f), 0));
        event_held(event);
        open_gate(closed);
        ok(rill_event_synchronize(event));
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_query_of_the_legacy_stream_covers_blocking_streams_only),
    cmocka_unit_test(synchronizing_the_legacy_stream_waits_for_blocking_streams),
    cmocka_unit_test(synchronizing_the_legacy_stream_ignores_non_blocking_streams),
    cmocka_unit_test(an_event_in_the_legacy_stream_covers_every_blocking_stream),
    cmocka_unit_test(an_event_that_the_legacy_stream_waits_for_holds_blocking_streams),
    cmocka_unit_test(a_stream_that_ends_takes_no_other_out_of_sight),
    cmocka_unit_test(every_kind_of_operation_in_the_legacy_stream_is_a_barrier),
    cmocka_unit_test(every_kind_of_operation_of_a_blocking_stream_waits_for_legacy),
    cmocka_unit_test(a_record_in_the_legacy_stream_is_a_barrier),
    cmocka_unit_test(a_wait_in_the_legacy_stream_is_a_barrier_though_it_is_over),
    cmocka_unit_test(a_wait_for_an_event_that_was_never_recorded_is_no_barrier),
    cmocka_unit_test(a_query_is_no_barrier),
    cmocka_unit_test(a_copy_of_nothing_is_no_barrier),
    cmocka_unit_test(calls_that_are_refused_are_no_barrier),
    cmocka_unit_test(an_event_in_an_idle_stream_waits_for_the_legacy_stream),
};

SUITE_GROUP(legacy_stream, 1);
