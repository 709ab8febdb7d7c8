/* SPDX-License-Identifier: Apache-2.0
 *
 * Captures over several streams: forks and joins by events, and what is said when
 * they do not match.
 */
#include "conformance/captures/capturing.h"

#include <string.h>

/* ---- Shapes ------------------------------------------------------------------------ */

/* oracle capture.linear */
static void work_in_one_stream_is_a_chain(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f);
    ok(begin(s, RILL_CAPTURE_GLOBAL));
    for (char c = 'A'; c <= 'D'; c++) ok(letter(f, s, c));
    behind(s, "D");
    gives(s, "A B C D | A>B B>C C>D");
}

/* CP-27; oracle capture.fork_at_start */
static void a_fork_before_any_node_makes_another_root(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f), *side = new_non_blocking(f);
    ok(begin(s, RILL_CAPTURE_GLOBAL));
    follow(f, s, side);
    active(side);
    behind(side, "");
    ok(letter(f, s, 'A'));
    ok(letter(f, side, 'B'));
    follow(f, side, s);
    behind(s, "A,B");
    behind(side, "B");
    ok(letter(f, s, 'C'));
    gives(s, "A B C | A>C B>C");
    idle(side);
}

/* oracle capture.fork_three */
static void three_branches_meet_in_one_node(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f), *one_side = new_non_blocking(f);
    rill_stream *blocking = new_stream(f);
    ok(begin(s, RILL_CAPTURE_GLOBAL));
    ok(letter(f, s, 'A'));
    follow(f, s, one_side);
    follow(f, s, blocking);
    ok(letter(f, s, 'B'));
    ok(letter(f, one_side, 'C'));
    ok(letter(f, blocking, 'D'));
    follow(f, one_side, s);
    follow(f, blocking, s);
    behind(s, "B,C,D");
    ok(letter(f, s, 'E'));
    gives(s, "A B C D E | A>B A>C A>D B>E C>E D>E");
}

/* oracle capture.join_without_work */
static void a_join_adds_what_the_other_stream_is_at(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f), *side = new_non_blocking(f);
    ok(begin(s, RILL_CAPTURE_GLOBAL));
    follow(f, s, side);
    follow(f, side, s);
    behind(s, "");
    ok(letter(f, s, 'A'));
    follow(f, s, side);
    follow(f, side, s);
    behind(s, "A");
    ok(letter(f, s, 'B'));
    follow(f, side, s);
    behind(s, "A,B");
    ok(letter(f, s, 'C'));
    follow(f, s, side);
    ok(letter(f, side, 'D'));
    follow(f, side, s);
    behind(s, "C,D");
    ok(letter(f, s, 'E'));
    gives(s, "A B C D E | A>B A>C A>D B>C C>D C>E D>E");
}

/* oracle capture.join_twice */
static void waiting_twice_for_a_node_makes_one_edge(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f), *side = new_non_blocking(f);
    rill_event *event = new_event(f), *other = new_event(f);
    ok(begin(s, RILL_CAPTURE_GLOBAL));
    ok(letter(f, s, 'A'));
    follow(f, s, side);
    ok(letter(f, side, 'B'));
    ok(rill_event_record(event, side, 0));
    ok(rill_event_record(other, side, 0));
    ok(rill_stream_wait_event(s, event, 0));
    ok(rill_stream_wait_event(s, event, 0));
    ok(rill_stream_wait_event(s, other, 0));
    behind(s, "A,B");
    ok(letter(f, s, 'C'));
    ok(rill_stream_wait_event(s, event, 0));
    behind(s, "B,C");
    ok(letter(f, s, 'D'));
    gives(s, "A B C D | A>B A>C B>C B>D C>D");
}

/* oracle capture.wait_own_event */
static void a_stream_may_wait_for_its_own_events(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f);
    rill_event *empty = new_event(f), *first = new_event(f);
    ok(begin(s, RILL_CAPTURE_GLOBAL));
    ok(rill_event_record(empty, s, 0));
    ok(rill_stream_wait_event(s, empty, 0));
    behind(s, "");
    ok(letter(f, s, 'A'));
    ok(rill_event_record(first, s, 0));
    ok(rill_stream_wait_event(s, first, 0));
    behind(s, "A");
    ok(letter(f, s, 'B'));
    ok(rill_stream_wait_event(s, first, 0));
    ok(rill_stream_wait_event(s, empty, 0));
    behind(s, "A,B");
    ok(letter(f, s, 'C'));
    gives(s, "A B C | A>B A>C B>C");
}

/* oracle capture.join_through_third */
static void a_stream_may_come_back_through_another_one(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f), *two = new_non_blocking(f), *three = new_non_blocking(f);
    ok(begin(s, RILL_CAPTURE_GLOBAL));
    ok(letter(f, s, 'A'));
    follow(f, s, two);
    ok(letter(f, two, 'B'));
    follow(f, two, three);
    follow(f, three, s);
    behind(s, "A,B");
    ok(letter(f, three, 'C'));
    follow(f, three, s);
    behind(s, "A,B,C");
    gives(s, "A B C | A>B B>C");
    idle(two);
    idle(three);
}

/* oracle capop.order_fork */
static void dependencies_keep_the_order_of_the_waits(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f), *two = new_non_blocking(f), *three = new_non_blocking(f);
    rill_node nodes[3];
    ok(begin(s, RILL_CAPTURE_GLOBAL));
    follow(f, s, two);
    follow(f, s, three);
    ok(letter(f, three, 'V'));
    nodes[1] = last_node(three);
    ok(letter(f, two, 'U'));
    nodes[2] = last_node(two);
    ok(letter(f, s, 'T'));
    nodes[0] = last_node(s);
    follow(f, three, s);
    follow(f, two, s);
    rill_capture_info info = { .size = sizeof info };
    ok(rill_stream_capture_info(s, &info));
    assert_int_equal(info.dependency_count, 3);
    assert_memory_equal(info.dependencies, nodes, sizeof nodes);
    gives(s, "T U V");
}

/* oracle capture.fork_into_busy */
static void work_that_a_side_stream_had_before_is_not_captured(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f), *side = new_non_blocking(f);
    struct gate *closed = gate(f, side);
    mark(f, side, 'a');
    ok(begin(s, RILL_CAPTURE_GLOBAL));
    ok(letter(f, s, 'A'));
    follow(f, s, side);
    ok(letter(f, side, 'B'));
    follow(f, side, s);
    gives(s, "A B | A>B");
    held(side);
    open_gate(closed);
    ok(rill_stream_synchronize(side));
    order(f, "a");
}

/* ---- What was not joined ---------------------------------------------------------------- */

/* CP-8; oracle capture.unjoined */
static void work_that_is_not_joined_fails_the_end(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f), *side = new_non_blocking(f);
    ok(rill_stream_set_label(side, "decode"));
    ok(begin(s, RILL_CAPTURE_GLOBAL));
    ok(letter(f, s, 'A'));
    ok(rill_node_set_label(live_graph(s), last_node(s), "embed"));
    follow(f, s, side);
    ok(letter(f, side, 'B'));
    fails(RILL_ERROR_STREAM_CAPTURE_UNJOINED, s);
    blames("rill_stream_end_capture", "stream");
    if (suite->expects.names_unjoined_streams) {
        assert_non_null(strstr(rill_last_error()->message, "'decode'"));
        assert_non_null(strstr(rill_last_error()->message, "'embed'"));
    }
    idle(side);
    fails(RILL_ERROR_ILLEGAL_STATE, s);
    works_again(f, s);
    works_again(f, side);
    ok(begin(side, RILL_CAPTURE_GLOBAL));
    gives(side, "");
}

/* CP-10; oracle capture.unjoined_variants, no_work */
static void a_fork_without_work_need_not_be_joined(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f), *side = new_non_blocking(f);
    ok(begin(s, RILL_CAPTURE_GLOBAL));
    ok(letter(f, s, 'A'));
    follow(f, s, side);
    gives(s, "A");
    idle(side);
}

/* oracle capture.unjoined_variants */
static void recording_alone_joins_nothing(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f), *side = new_non_blocking(f);
    ok(begin(s, RILL_CAPTURE_GLOBAL));
    follow(f, s, side);
    ok(letter(f, side, 'B'));
    ok(rill_event_record(new_event(f), side, 0));
    fails(RILL_ERROR_STREAM_CAPTURE_UNJOINED, s);
}

static void work_after_the_join_has_to_be_joined_again(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f), *side = new_non_blocking(f);
    ok(begin(s, RILL_CAPTURE_GLOBAL));
    follow(f, s, side);
    ok(letter(f, side, 'B'));
    follow(f, side, s);
    ok(letter(f, side, 'C'));
    fails(RILL_ERROR_STREAM_CAPTURE_UNJOINED, s);
}

static void a_wait_after_the_join_need_not_be_joined(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f), *side = new_non_blocking(f);
    ok(begin(s, RILL_CAPTURE_GLOBAL));
    follow(f, s, side);
    ok(letter(f, side, 'B'));
    follow(f, side, s);
    ok(letter(f, s, 'C'));
    follow(f, s, side);
    gives(s, "B C | B>C");
}

static void a_join_into_a_third_stream_is_not_one_into_the_origin(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f), *two = new_non_blocking(f), *three = new_non_blocking(f);
    ok(begin(s, RILL_CAPTURE_GLOBAL));
    follow(f, s, two);
    ok(letter(f, two, 'B'));
    follow(f, two, three);
    fails(RILL_ERROR_STREAM_CAPTURE_UNJOINED, s);
    idle(three);
    works_again(f, three);
}

static void every_fork_has_to_be_joined(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f), *two = new_non_blocking(f), *three = new_non_blocking(f);
    ok(rill_stream_set_label(two, "joined"));
    ok(rill_stream_set_label(three, "forgotten"));
    ok(begin(s, RILL_CAPTURE_GLOBAL));
    follow(f, s, two);
    follow(f, s, three);
    ok(letter(f, two, 'B'));
    ok(letter(f, three, 'C'));
    follow(f, two, s);
    fails(RILL_ERROR_STREAM_CAPTURE_UNJOINED, s);
    if (suite->expects.names_unjoined_streams)
        assert_non_null(strstr(rill_last_error()->message, "'forgotten'"));
    assert_null(strstr(rill_last_error()->message, "'joined'"));
}

/* ---- Ends that do not match --------------------------------------------------------------- */

/* CP-7; oracle capture.unmatched */
static void the_end_belongs_to_the_origin(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f), *side = new_non_blocking(f);
    rill_graph *graph = NULL;
    rill_event *event = new_event(f);
    ok(begin(s, RILL_CAPTURE_GLOBAL));
    ok(letter(f, s, 'A'));
    follow(f, s, side);
    ok(letter(f, side, 'B'));
    is(RILL_ERROR_STREAM_CAPTURE_UNMATCHED, rill_stream_end_capture(side, &graph));
    assert_null(graph);
    broken(s);
    broken(side);
    is(RILL_ERROR_STREAM_CAPTURE_INVALIDATED, rill_event_record(event, side, 0));
    is(RILL_ERROR_STREAM_CAPTURE_INVALIDATED, letter(f, s, 'C'));
    fails(RILL_ERROR_STREAM_CAPTURE_INVALIDATED, s);
    idle(side);
    fails(RILL_ERROR_ILLEGAL_STATE, side);
    works_again(f, side);
}

/* CP-29; oracle capture.merge_side */
static void two_captures_do_not_merge(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f), *side = new_non_blocking(f), *other = new_non_blocking(f);
    rill_event *event = new_event(f);
    ok(begin(s, RILL_CAPTURE_RELAXED));
    ok(begin(other, RILL_CAPTURE_RELAXED));
    ok(letter(f, s, 'A'));
    ok(letter(f, other, 'B'));
    follow(f, s, side);
    ok(rill_event_record(event, other, 0));
    is(RILL_ERROR_STREAM_CAPTURE_MERGE, rill_stream_wait_event(side, event, 0));
    broken(s);
    broken(side);
    broken(other);
    fails(RILL_ERROR_STREAM_CAPTURE_INVALIDATED, s);
    fails(RILL_ERROR_STREAM_CAPTURE_INVALIDATED, other);
    idle(side);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(work_in_one_stream_is_a_chain),
    cmocka_unit_test(a_fork_before_any_node_makes_another_root),
    cmocka_unit_test(three_branches_meet_in_one_node),
    cmocka_unit_test(a_join_adds_what_the_other_stream_is_at),
    cmocka_unit_test(waiting_twice_for_a_node_makes_one_edge),
    cmocka_unit_test(a_stream_may_wait_for_its_own_events),
    cmocka_unit_test(a_stream_may_come_back_through_another_one),
    cmocka_unit_test(dependencies_keep_the_order_of_the_waits),
    cmocka_unit_test(work_that_a_side_stream_had_before_is_not_captured),
    cmocka_unit_test(work_that_is_not_joined_fails_the_end),
    cmocka_unit_test(a_fork_without_work_need_not_be_joined),
    cmocka_unit_test(recording_alone_joins_nothing),
    cmocka_unit_test(work_after_the_join_has_to_be_joined_again),
    cmocka_unit_test(a_wait_after_the_join_need_not_be_joined),
    cmocka_unit_test(a_join_into_a_third_stream_is_not_one_into_the_origin),
    cmocka_unit_test(every_fork_has_to_be_joined),
    cmocka_unit_test(the_end_belongs_to_the_origin),
    cmocka_unit_test(two_captures_do_not_merge),
};

SUITE_GROUP(capture_forks, 1);
