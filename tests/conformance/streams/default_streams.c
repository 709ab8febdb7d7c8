/* SPDX-License-Identifier: Apache-2.0
 *
 * The legacy default stream and the order that it brings among the blocking
 * streams of a context.
 */
#include "conformance/fixture.h"

#include <string.h>

/* DS-1 */
static void the_legacy_stream_runs_after_earlier_work_of_blocking_streams(void **state)
{
    struct fixture *f = *state;
    rill_stream *a = new_stream(f), *b = new_stream(f);
    struct gate *closed_a = gate(f, a), *closed_b = gate(f, b);
    mark(f, a, 'a');
    mark(f, b, 'b');
    mark(f, f->legacy, 'L');
    held(f->legacy);
    open_gate(closed_b);
    drained(b);
    held(f->legacy);
    order(f, "b");
    open_gate(closed_a);
    ok(rill_stream_synchronize(f->legacy));
    order(f, "baL");
}

/* DS-2 */
static void blocking_streams_run_after_earlier_work_of_the_legacy_stream(void **state)
{
    struct fixture *f = *state;
    rill_stream *a = new_stream(f);
    struct gate *closed = gate(f, f->legacy);
    mark(f, f->legacy, 'L');
    mark(f, a, 'a');
    held(a);
    order(f, "");
    open_gate(closed);
    ok(rill_stream_synchronize(a));
    order(f, "La");
}

/* DS-1, DS-2 */
static void work_around_the_legacy_stream_is_a_chain(void **state)
{
    struct fixture *f = *state;
    rill_stream *a = new_stream(f);
    struct gate *closed = gate(f, a);
    mark(f, a, '1');
    mark(f, f->legacy, '2');
    mark(f, a, '3');
    mark(f, f->legacy, '4');
    mark(f, a, '5');
    held(a);
    open_gate(closed);
    ok(rill_stream_synchronize(a));
    order(f, "12345");
}

/* DS-1, DS-2 */
static void the_legacy_stream_joins_blocking_streams_only_from_its_work_on(void **state)
{
    struct fixture *f = *state;
    rill_stream *a = new_stream(f), *b = new_stream(f), *n = new_non_blocking(f);
    struct gate *closed = gate(f, a);
    mark(f, b, '1');
    drained(b);
    mark(f, f->legacy, 'L');
    mark(f, b, '2');
    mark(f, n, 'n');
    drained(n);
    held(b);
    held(f->legacy);
    order(f, "1n");
    open_gate(closed);
    ok(rill_stream_synchronize(b));
    order(f, "1nL2");
    ok(rill_stream_query(a));
}

/* DS-2: there is nothing to wait for in a stream that got nothing. */
static void a_blocking_stream_that_got_nothing_since_is_idle(void **state)
{
    struct fixture *f = *state;
    rill_stream *a = new_stream(f);
    struct gate *closed = gate(f, f->legacy);
    held(f->legacy);
    ok(rill_stream_query(a));
    ok(finish_call(start_call(f, synchronize_stream, a)));
    ok(rill_stream_query(f->per_thread));
    ok(rill_stream_synchronize(f->per_thread));
    held(f->legacy);
    open_gate(closed);
}

/* DS-2 */
static void a_stream_made_later_waits_for_the_legacy_stream_too(void **state)
{
    struct fixture *f = *state;
    struct gate *closed = gate(f, f->legacy);
    rill_stream *late = new_stream(f);
    mark(f, late, 'a');
    held(late);
    order(f, "");
    open_gate(closed);
    ok(rill_stream_synchronize(late));
    order(f, "a");
}

/* DS-1, ST-3 */
static void a_destroyed_stream_still_holds_the_legacy_stream(void **state)
{
    struct fixture *f = *state;
    rill_stream *a = NULL;
    ok(rill_stream_create(f->context, NULL, &a));
    struct gate *closed = gate(f, a);
    mark(f, a, 'a');
    ok(rill_stream_destroy(&a));
    held(f->legacy);
    mark(f, f->legacy, 'L');
    held(f->legacy);
    open_gate(closed);
    ok(rill_stream_synchronize(f->legacy));
    order(f, "aL");
}

/* DS-3 */
static void a_non_blocking_stream_does_not_wait_for_the_legacy_stream(void **state)
{
    struct fixture *f = *state;
    rill_stream *n = new_non_blocking(f);
    struct gate *closed = gate(f, f->legacy);
    mark(f, n, 'n');
    drained(n);
    order(f, "n");
    held(f->legacy);
    open_gate(closed);
}

/* DS-3 */
static void the_legacy_stream_does_not_wait_for_a_non_blocking_stream(void **state)
{
    struct fixture *f = *state;
    rill_stream *n = new_non_blocking(f);
    struct gate *closed = gate(f, n);
    mark(f, f->legacy, 'L');
    drained(f->legacy);
    order(f, "L");
    held(n);
    open_gate(closed);
}

/* DS-1, DS-2 */
static void the_legacy_stream_is_a_barrier_among_a_hundred_streams(void **state)
{
    struct fixture *f = *state;
    rill_stream *all[100];
    for (int i = 0; i < 100; i++) all[i] = new_stream(f);
    struct gate *first = gate(f, all[0]), *last = gate(f, all[99]);
    for (int i = 0; i < 100; i++) mark(f, all[i], 'a');
    mark(f, f->legacy, 'L');
    for (int i = 0; i < 100; i++) mark(f, all[i], 'b');
    open_gate(first);
    held(all[50]);
    open_gate(last);
    ok(rill_context_synchronize(f->context));
    assert_int_equal(strlen(f->marks), 201);
    ordered(f, "a", "L");
    ordered(f, "L", "b");
}

/* DS-1, DS-2 */
static void taking_turns_with_the_legacy_stream_keeps_every_turn(void **state)
{
    struct fixture *f = *state;
    rill_stream *a = new_stream(f);
    struct gate *closed = gate(f, a);
    char wanted[1001] = "";
    for (int i = 0; i < 500; i++) {
        mark(f, a, 'a');
        mark(f, f->legacy, 'L');
        memcpy(wanted + 2 * i, "aL", 3);
    }
    open_gate(closed);
    ok(rill_stream_synchronize(f->legacy));
    order(f, wanted);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_legacy_stream_runs_after_earlier_work_of_blocking_streams),
    cmocka_unit_test(blocking_streams_run_after_earlier_work_of_the_legacy_stream),
    cmocka_unit_test(work_around_the_legacy_stream_is_a_chain),
    cmocka_unit_test(the_legacy_stream_joins_blocking_streams_only_from_its_work_on),
    cmocka_unit_test(a_blocking_stream_that_got_nothing_since_is_idle),
    cmocka_unit_test(a_stream_made_later_waits_for_the_legacy_stream_too),
    cmocka_unit_test(a_destroyed_stream_still_holds_the_legacy_stream),
    cmocka_unit_test(a_non_blocking_stream_does_not_wait_for_the_legacy_stream),
    cmocka_unit_test(the_legacy_stream_does_not_wait_for_a_non_blocking_stream),
    cmocka_unit_test(the_legacy_stream_is_a_barrier_among_a_hundred_streams),
    cmocka_unit_test(taking_turns_with_the_legacy_stream_keeps_every_turn),
};

SUITE_GROUP(default_streams, 1);
