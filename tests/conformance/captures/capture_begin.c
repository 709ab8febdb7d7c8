/* SPDX-License-Identifier: Apache-2.0
 *
 * Captures: beginning and ending, what can be asked meanwhile, what a stream is
 * before and after.
 */
#include "conformance/captures/capturing.h"

/* ---- Beginning --------------------------------------------------------------------- */

/* CP-1; oracle capture.begin_legacy */
static void the_legacy_stream_does_not_capture(void **state)
{
    struct fixture *f = *state;
    is(RILL_ERROR_STREAM_CAPTURE_UNSUPPORTED, begin(f->legacy, RILL_CAPTURE_GLOBAL));
    is(RILL_ERROR_STREAM_CAPTURE_UNSUPPORTED, begin(f->legacy, RILL_CAPTURE_RELAXED));
    blames("rill_stream_begin_capture", "stream");
    is(RILL_ERROR_INVALID_VALUE, begin(f->legacy, (rill_capture_mode)7));
    idle(f->legacy);
    works_again(f, f->legacy);
}

/* oracle capture.begin_kinds */
static void every_other_kind_of_stream_captures(void **state)
{
    struct fixture *f = *state;
    rill_stream *streams[] = { new_stream(f), new_non_blocking(f), new_stream_with(f, -1),
                               f->per_thread };
    for (int i = 0; i < 4; i++) {
        ok(begin(streams[i], RILL_CAPTURE_GLOBAL));
        active(streams[i]);
        ok(letter(f, streams[i], 'A'));
        gives(streams[i], "A");
        works_again(f, streams[i]);
    }
}

/* CP-3; oracle capture.begin_bad_mode */
static void a_mode_that_is_none_is_refused_and_harms_nothing(void **state)
{
    struct fixture *f = *state;
    rill_stream *stream = new_non_blocking(f);
    is(RILL_ERROR_INVALID_VALUE, begin(stream, (rill_capture_mode)3));
    blames("rill_stream_begin_capture", "options->mode");
    is(RILL_ERROR_INVALID_VALUE, begin(stream, (rill_capture_mode)-1));
    idle(stream);
    ok(begin(stream, RILL_CAPTURE_GLOBAL));
    is(RILL_ERROR_INVALID_VALUE, begin(stream, (rill_capture_mode)3));
    active(stream);
    gives(stream, "");
}

/* CP-2; oracle capture.begin_twice */
static void a_stream_that_captures_does_not_begin_again(void **state)
{
    struct fixture *f = *state;
    rill_stream *stream = new_non_blocking(f);
    rill_graph *graph = new_graph(f);
    ok(begin(stream, RILL_CAPTURE_GLOBAL));
    ok(letter(f, stream, 'A'));
    is(RILL_ERROR_ILLEGAL_STATE, begin(stream, RILL_CAPTURE_GLOBAL));
    is(RILL_ERROR_ILLEGAL_STATE, begin_into(stream, graph, NULL, 0, RILL_CAPTURE_RELAXED));
    active(stream);
    ok(letter(f, stream, 'B'));
    gives(stream, "A B | A>B");
    ok(begin(stream, RILL_CAPTURE_RELAXED));
    gives(stream, "");
}

/* oracle capture.begin_on_side */
static void nor_does_one_that_takes_part(void **state)
{
    struct fixture *f = *state;
    rill_stream *stream = new_non_blocking(f), *side = new_non_blocking(f);
    ok(begin(stream, RILL_CAPTURE_GLOBAL));
    ok(letter(f, stream, 'A'));
    follow(f, stream, side);
    is(RILL_ERROR_ILLEGAL_STATE, begin(side, RILL_CAPTURE_GLOBAL));
    active(stream);
    active(side);
    ok(letter(f, side, 'B'));
    follow(f, side, stream);
    gives(stream, "A B | A>B");
    ok(begin(side, RILL_CAPTURE_GLOBAL));
    gives(side, "");
}

/* CP-43; oracle capture.begin_busy */
static void work_from_before_goes_on_and_is_not_captured(void **state)
{
    struct fixture *f = *state;
    rill_stream *stream = new_non_blocking(f);
    struct gate *closed = gate(f, stream);
    mark(f, stream, 'a');
    ok(begin(stream, RILL_CAPTURE_GLOBAL));
    behind(stream, "");
    ok(letter(f, stream, 'A'));
    gives(stream, "A");
    held(stream);
    open_gate(closed);
    ok(rill_stream_synchronize(stream));
    order(f, "a");
}

/* ---- Ending ------------------------------------------------------------------------- */

/* CP-4; oracle capture.end_without_begin */
static void a_stream_that_does_not_capture_has_nothing_to_end(void **state)
{
    struct fixture *f = *state;
    rill_stream *stream = new_non_blocking(f);
    fails(RILL_ERROR_ILLEGAL_STATE, stream);
    blames("rill_stream_end_capture", "stream");
    fails(RILL_ERROR_ILLEGAL_STATE, f->legacy);
    fails(RILL_ERROR_ILLEGAL_STATE, f->per_thread);
    ok(begin(stream, RILL_CAPTURE_GLOBAL));
    gives(stream, "");
    fails(RILL_ERROR_ILLEGAL_STATE, stream);
    works_again(f, stream);
}

/* ---- Asking --------------------------------------------------------------------------- */

/* CP-33; oracle capture.info_states */
static void only_the_state_is_known_of_what_does_not_capture(void **state)
{
    struct fixture *f = *state;
    rill_stream *stream = new_non_blocking(f);
    rill_capture_info info = { .size = sizeof info };
    ok(rill_stream_capture_info(stream, &info));
    assert_int_equal(info.state, RILL_CAPTURE_NONE);
    assert_null(info.graph);
    ok(begin(stream, RILL_CAPTURE_GLOBAL));
    ok(letter(f, stream, 'A'));
    ok(rill_stream_capture_info(stream, &info));
    assert_int_equal(info.state, RILL_CAPTURE_ACTIVE);
    assert_non_null(info.graph);
    assert_int_not_equal(info.id, 0);
    assert_int_equal(info.dependency_count, 1);
    assert_non_null(info.edges);
    is(RILL_ERROR_STREAM_CAPTURE_UNSUPPORTED, rill_stream_synchronize(stream));
    ok(rill_stream_capture_info(stream, &info));
    assert_int_equal(info.state, RILL_CAPTURE_INVALIDATED);
    assert_null(info.graph);
    assert_int_equal(info.dependency_count, 0);
    fails(RILL_ERROR_STREAM_CAPTURE_INVALIDATED, stream);
}

static uint64_t id_of(rill_stream *stream)
{
    rill_capture_info info = { .size = sizeof info };
    ok(rill_stream_capture_info(stream, &info));
    return info.id;
}

static void every_capture_has_an_id_of_its_own_that_its_streams_share(void **state)
{
    struct fixture *f = *state;
    rill_stream *stream = new_non_blocking(f), *side = new_non_blocking(f),
                *other = new_non_blocking(f);
    ok(begin(stream, RILL_CAPTURE_RELAXED));
    ok(begin(other, RILL_CAPTURE_RELAXED));
    follow(f, stream, side);
    uint64_t first = id_of(stream);
    assert_int_equal(id_of(side), first);
    assert_int_not_equal(id_of(other), first);
    gives(stream, "");
    ok(begin(stream, RILL_CAPTURE_RELAXED));
    assert_int_not_equal(id_of(stream), first);
    gives(stream, "");
    gives(other, "");
}

/* oracle capture.info_graph_live */
static void the_graph_can_be_looked_at_while_it_grows(void **state)
{
    struct fixture *f = *state;
    rill_stream *stream = new_non_blocking(f);
    ok(begin(stream, RILL_CAPTURE_GLOBAL));
    rill_graph *graph = live_graph(stream);
    holds(graph, "");
    ok(letter(f, stream, 'A'));
    rill_node first = last_node(stream);
    holds(graph, "A");
    ok(letter(f, stream, 'B'));
    rill_node dependency = NULL;
    size_t count = 1;
    ok(rill_node_dependencies(graph, last_node(stream), &dependency, NULL, &count));
    assert_int_equal(count, 1);
    assert_ptr_equal(dependency, first);
    gives(stream, "A B | A>B");
}

static void an_end_that_wants_no_graph_lets_go_of_it(void **state)
{
    struct fixture *f = *state;
    rill_stream *stream = new_non_blocking(f);
    rill_graph *graph = new_graph(f);
    atomic_int destroyed = 0;
    is(RILL_ERROR_ILLEGAL_STATE, rill_stream_end_capture(stream, NULL));
    ok(begin(stream, RILL_CAPTURE_GLOBAL));
    ok(rill_launch_host(stream, nothing, &destroyed, count_up));
    ok(rill_stream_end_capture(stream, NULL));
    idle(stream);
    assert_int_equal(destroyed, 1);
    is(RILL_ERROR_ILLEGAL_STATE, rill_stream_end_capture(stream, NULL));
    ok(begin_into(stream, graph, NULL, 0, RILL_CAPTURE_GLOBAL));
    ok(letter(f, stream, 'A'));
    ok(rill_stream_end_capture(stream, NULL));
    idle(stream);
    holds(graph, "A");
    ok(begin(stream, RILL_CAPTURE_GLOBAL));
    is(RILL_ERROR_STREAM_CAPTURE_UNSUPPORTED, rill_stream_synchronize(stream));
    is(RILL_ERROR_STREAM_CAPTURE_INVALIDATED, rill_stream_end_capture(stream, NULL));
    idle(stream);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_legacy_stream_does_not_capture),
    cmocka_unit_test(every_other_kind_of_stream_captures),
    cmocka_unit_test(a_mode_that_is_none_is_refused_and_harms_nothing),
    cmocka_unit_test(a_stream_that_captures_does_not_begin_again),
    cmocka_unit_test(nor_does_one_that_takes_part),
    cmocka_unit_test(work_from_before_goes_on_and_is_not_captured),
    cmocka_unit_test(a_stream_that_does_not_capture_has_nothing_to_end),
    cmocka_unit_test(only_the_state_is_known_of_what_does_not_capture),
    cmocka_unit_test(every_capture_has_an_id_of_its_own_that_its_streams_share),
    cmocka_unit_test(the_graph_can_be_looked_at_while_it_grows),
    cmocka_unit_test(an_end_that_wants_no_graph_lets_go_of_it),
};

SUITE_GROUP(capture_begin, 1);
