/* SPDX-License-Identifier: Apache-2.0
 *
 * Forks and joins: the order that they make, and the account of what is out.
 */
#include "conformance/fixture.h"

static size_t out_of(rill_stream *stream)
{
    size_t count = 0;
    ok(rill_stream_unjoined(stream, NULL, &count));
    return count;
}

static void a_fork_runs_behind_what_was_there(void **state)
{
    struct fixture *f = *state;
    rill_stream *a = new_stream(f), *side[2] = { new_stream(f), new_non_blocking(f) };
    struct gate *closed = gate(f, a);
    mark(f, a, 'a');
    ok(rill_stream_fork(a, side, 2));
    mark(f, side[0], 'b');
    mark(f, side[1], 'c');
    held(side[0]);
    held(side[1]);
    open_gate(closed);
    drained(side[0]);
    drained(side[1]);
    ordered(f, "a", "bc");
}

/* What comes later in the stream is beside the forks. */
static void a_fork_does_not_wait_for_later_work(void **state)
{
    struct fixture *f = *state;
    rill_stream *a = new_stream(f), *side = new_stream(f);
    ok(rill_stream_fork(a, &side, 1));
    struct gate *closed = gate(f, a);
    mark(f, side, 'b');
    drained(side);
    open_gate(closed);
}

static void later_work_runs_behind_a_join(void **state)
{
    struct fixture *f = *state;
    rill_stream *a = new_stream(f), *side[2] = { new_stream(f), new_stream(f) };
    ok(rill_stream_fork(a, side, 2));
    struct gate *left = gate(f, side[0]), *right = gate(f, side[1]);
    mark(f, side[0], 'b');
    mark(f, side[1], 'c');
    ok(rill_stream_join(a, side, 2));
    mark(f, a, 'd');
    open_gate(left);
    drained(side[0]);
    held(a);
    open_gate(right);
    drained(a);
    ordered(f, "bc", "d");
}

static void the_account_says_who_is_out(void **state)
{
    struct fixture *f = *state;
    rill_stream *a = new_stream(f), *side[2] = { new_stream(f), new_stream(f) };
    rill_fork forks[3];
    size_t count = 3;
    ok(rill_stream_set_label(side[0], "left"));
    ok(rill_stream_fork(a, side, 2));
    ok(rill_stream_unjoined(a, forks, &count));
    assert_int_equal(count, 2);
    assert_ptr_equal(forks[0].stream, side[0]);
    assert_string_equal(forks[0].name, "stream 'left'");
    assert_ptr_equal(forks[1].stream, side[1]);
    assert_memory_equal(forks[1].name, "stream ", 7);
    assert_null(forks[2].stream);
    ok(rill_stream_join(a, side, 1));
    assert_int_equal(out_of(a), 1);
    refuses(RILL_ERROR_ILLEGAL_STATE, "others", rill_stream_join(a, side, 1));
    ok(rill_stream_join_all(a));
    assert_int_equal(out_of(a), 0);
}

static void forks_of_forks_come_back_with_them(void **state)
{
    struct fixture *f = *state;
    rill_stream *a = new_stream(f), *b = new_stream(f), *c = new_stream(f);
    ok(rill_stream_fork(a, &b, 1));
    ok(rill_stream_fork(b, &c, 1));
    assert_int_equal(out_of(a), 2);
    struct gate *closed = gate(f, c);
    mark(f, c, 'c');
    ok(rill_stream_join(a, &b, 1));
    assert_int_equal(out_of(a), 1);
    ok(rill_stream_join_all(a));
    mark(f, a, 'a');
    held(a);
    open_gate(closed);
    drained(a);
    order(f, "ca");
}

static void default_streams_fork_and_join(void **state)
{
    struct fixture *f = *state;
    rill_stream *const defaults[] = { f->legacy, f->per_thread };
    for (int i = 0; i < 2; i++) {
        rill_stream *side = new_non_blocking(f);
        struct gate *closed = gate(f, defaults[i]);
        ok(rill_stream_fork(defaults[i], &side, 1));
        held(side);
        mark(f, side, 's');
        ok(rill_stream_join_all(defaults[i]));
        mark(f, defaults[i], 'd');
        open_gate(closed);
        drained(defaults[i]);
    }
    order(f, "sdsd");
}

static void forks_cross_contexts(void **state)
{
    struct fixture *f = *state;
    rill_context *other = new_context(f, 0, RILL_CONTEXT_OWN);
    rill_stream *a = new_stream(f), *side = new_stream_in(f, other, 0);
    struct gate *closed = gate(f, a);
    ok(rill_stream_fork(a, &side, 1));
    mark(f, side, 'b');
    ok(rill_stream_join_all(a));
    mark(f, a, 'a');
    held(side);
    open_gate(closed);
    drained(a);
    order(f, "ba");
}

struct crowd {
    struct fixture *fixture;
    rill_stream *streams[8], *sides[8];
};

static void fork_and_join(void *data, int index)
{
    struct crowd *crowd = data;
    for (int i = 0; i < 200; i++) {
        works(crowd->fixture, rill_stream_fork(crowd->streams[index], &crowd->sides[index], 1));
        works(crowd->fixture, rill_stream_join_all(crowd->streams[index]));
    }
}

static void threads_fork_and_join_at_once(void **state)
{
    struct fixture *f = *state;
    struct crowd crowd = { .fixture = f };
    for (int i = 0; i < 8; i++) {
        crowd.streams[i] = new_stream(f);
        crowd.sides[i] = new_stream(f);
    }
    crew(8, fork_and_join, &crowd);
    all_worked(f);
    for (int i = 0; i < 8; i++) {
        assert_int_equal(out_of(crowd.streams[i]), 0);
        drained(crowd.streams[i]);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_fork_runs_behind_what_was_there),
    cmocka_unit_test(a_fork_does_not_wait_for_later_work),
    cmocka_unit_test(later_work_runs_behind_a_join),
    cmocka_unit_test(the_account_says_who_is_out),
    cmocka_unit_test(forks_of_forks_come_back_with_them),
    cmocka_unit_test(default_streams_fork_and_join),
    cmocka_unit_test(forks_cross_contexts),
    cmocka_unit_test(threads_fork_and_join_at_once),
};
SUITE_GROUP(forks, 1);
