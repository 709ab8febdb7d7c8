/* SPDX-License-Identifier: Apache-2.0
 *
 * Captures around a function: what comes out, and that they always end; guards;
 * forks within a capture.
 */
#include "conformance/captures/capturing.h"

#include <string.h>

/* What a function is given, and what it is to do. */
struct work {
    struct fixture *f;
    rill_stream *streams[3];
    rill_graph *taken;
    void (*does)(struct work *work, rill_stream *stream);
    rill_status returns;
    atomic_int destroys;
};

static rill_status perform(rill_stream *stream, void *data)
{
    struct work *work = data;
    work->f->unseen = true; /* a test that is broken off here leaves rill_capture() */
    ok(letter(work->f, stream, 'A'));
    if (work->does) work->does(work, stream);
    return work->returns;
}

static struct work new_work(struct fixture *f, void (*does)(struct work *, rill_stream *))
{
    struct work work = { .f = f, .does = does };
    for (int i = 0; i < 3; i++) work.streams[i] = new_stream(f);
    return work;
}

/* The capture fails, and the stream is as free as before. */
static void refused(struct work *work, rill_status status)
{
    rill_stream *stream = new_stream(work->f);
    rill_graph *graph = (rill_graph *)stream;
    is(status, rill_capture(stream, NULL, perform, work, &graph));
    assert_null(graph);
    assert_string_equal(rill_last_error()->operation, "rill_capture");
    idle(stream);
    works_again(work->f, stream);
}

/* ---- What comes out --------------------------------------------------------------- */

static void two_more(struct work *work, rill_stream *stream)
{
    ok(letter(work->f, stream, 'B'));
    mark(work->f, stream, 'h');
}

static void what_a_function_submits_becomes_a_graph(void **state)
{
    struct work work = new_work(*state, two_more);
    rill_stream *stream = work.streams[0];
    rill_graph *graph = NULL;
    ok(rill_capture(stream, NULL, perform, &work, &graph));
    holds(graph, "A B h | A>B B>h");
    idle(stream);
    order(work.f, "");
    ok(rill_graph_destroy(&graph));
    works_again(work.f, stream);
}

static rill_status submit_nothing(rill_stream *stream, void *data)
{
    (void)stream;
    (void)data;
    return RILL_SUCCESS;
}

static void a_function_that_submits_nothing_gives_an_empty_graph(void **state)
{
    struct fixture *f = *state;
    rill_stream *stream = new_stream(f);
    rill_graph *graph = NULL;
    ok(rill_capture(stream, NULL, submit_nothing, NULL, &graph));
    holds(graph, "");
    ok(rill_graph_destroy(&graph));
}

static void fork_both(struct work *work, rill_stream *stream)
{
    ok(rill_stream_fork(stream, &work->streams[1], 2));
    ok(letter(work->f, work->streams[1], 'B'));
    ok(letter(work->f, work->streams[2], 'C'));
    ok(rill_stream_join_all(stream));
    ok(letter(work->f, stream, 'D'));
}

static void forks_and_joins_are_edges(void **state)
{
    struct work work = new_work(*state, fork_both);
    rill_graph *graph = NULL;
    ok(rill_capture(work.streams[0], NULL, perform, &work, &graph));
    holds(graph, "A B C D | A>B A>C A>D B>D C>D"); /* D follows A in its own stream, too */
    for (int i = 0; i < 3; i++) idle(work.streams[i]);
    ok(rill_graph_destroy(&graph));
}

/* ---- Captures that fail ------------------------------------------------------------ */

static void a_failed_function_leaves_nothing_behind(void **state)
{
    struct work work = new_work(*state, two_more);
    work.returns = RILL_ERROR_NOT_FOUND;
    refused(&work, RILL_ERROR_NOT_FOUND);
    order(work.f, "");
}

static void synchronize(struct work *work, rill_stream *stream)
{
    work->returns = rill_stream_synchronize(stream);
}

static void synchronize_unseen(struct work *work, rill_stream *stream)
{
    (void)work;
    is(RILL_ERROR_STREAM_CAPTURE_UNSUPPORTED, rill_stream_synchronize(stream));
}

static void a_broken_capture_ends_and_says_what_broke_it(void **state)
{
    struct work seen = new_work(*state, synchronize), unseen = new_work(*state, synchronize_unseen);
    refused(&seen, RILL_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    assert_string_equal(rill_last_error()->cause.operation, "rill_stream_synchronize");
    assert_non_null(strstr(rill_last_error()->message, "STREAM_CAPTURE_INVALIDATED"));
    refused(&unseen, RILL_ERROR_STREAM_CAPTURE_INVALIDATED);
    assert_string_equal(rill_last_error()->cause.operation, "rill_stream_synchronize");
}

static void leave_one_out(struct work *work, rill_stream *stream)
{
    ok(rill_stream_set_label(work->streams[1], "lost"));
    ok(rill_stream_fork(stream, &work->streams[1], 2));
    ok(letter(work->f, work->streams[1], 'B'));
    ok(letter(work->f, work->streams[2], 'C'));
    ok(rill_stream_join(stream, &work->streams[2], 1));
}

static void a_fork_that_stays_out_is_named(void **state)
{
    struct work work = new_work(*state, leave_one_out);
    refused(&work, RILL_ERROR_STREAM_CAPTURE_UNJOINED);
    assert_non_null(strstr(rill_last_error()->message, "'lost'"));
    idle(work.streams[1]);
    size_t count = 1;
    ok(rill_stream_unjoined(work.streams[0], NULL, &count));
    assert_int_equal(count, 0);
}

static void end_it(struct work *work, rill_stream *stream)
{
    ok(rill_stream_end_capture(stream, &work->taken));
}

static void a_function_may_not_end_the_capture(void **state)
{
    struct work work = new_work(*state, end_it);
    refused(&work, RILL_ERROR_ILLEGAL_STATE);
    blames("rill_capture", "fn");
    holds(work.taken, "A");
    ok(rill_graph_destroy(&work.taken));
}

static void begin_another(struct work *work, rill_stream *stream)
{
    end_it(work, stream);
    ok(begin(stream, RILL_CAPTURE_RELAXED));
    ok(letter(work->f, stream, 'B'));
}

static void another_capture_that_it_begins_is_ended(void **state)
{
    struct work work = new_work(*state, begin_another);
    refused(&work, RILL_ERROR_ILLEGAL_STATE);
    ok(rill_graph_destroy(&work.taken));
    work.returns = RILL_ERROR_NOT_FOUND;
    refused(&work, RILL_ERROR_NOT_FOUND);
    ok(rill_graph_destroy(&work.taken));
}

static void destroy_it(struct work *work, rill_stream *stream)
{
    forget(work->f, stream);
    ok(rill_stream_destroy(&stream));
}

static void a_function_that_destroys_the_stream_is_told_so(void **state)
{
    struct work work = new_work(*state, destroy_it);
    rill_graph *graph = NULL;
    rill_devptr address = 0;
    is(RILL_ERROR_ILLEGAL_STATE, rill_capture(work.streams[0], NULL, perform, &work, &graph));
    assert_null(graph);
    ok(rill_mem_alloc(work.f->context, 64, &address)); /* no capture is in its way */
    ok(rill_mem_free(work.f->context, address));
    works_again(work.f, work.streams[1]);
}

static void launch_and_fail(struct work *work, rill_stream *stream)
{
    for (int i = 0; i < 3; i++)
        ok(rill_launch_host(stream, nothing, &work->destroys, count_up));
    work->returns = RILL_ERROR_NOT_FOUND;
}

static void what_was_captured_in_vain_is_given_back(void **state)
{
    struct work work = new_work(*state, launch_and_fail);
    refused(&work, RILL_ERROR_NOT_FOUND);
    assert_int_equal(work.destroys, 3);
}

static void the_legacy_stream_cannot_be_captured(void **state)
{
    struct work work = new_work(*state, NULL);
    rill_graph *graph = NULL;
    is(RILL_ERROR_STREAM_CAPTURE_UNSUPPORTED,
       rill_capture(work.f->legacy, NULL, perform, &work, &graph));
    ok(rill_capture(work.f->per_thread, NULL, perform, &work, &graph));
    holds(graph, "A");
    ok(rill_graph_destroy(&graph));
}

static void allocate_freely(struct work *work, rill_stream *stream)
{
    rill_devptr address = 0;
    ok(rill_mem_alloc(work->f->context, 64, &address));
    ok(rill_mem_free(work->f->context, address));
    active(stream);
}

/* Into a graph that has a node already, which a failure of the function leaves with what
 * it got.  A capture that broke takes it with it. */
static void options_say_how_and_where_to(void **state)
{
    struct work work = new_work(*state, allocate_freely);
    rill_graph *into = new_graph(work.f), *graph = NULL;
    rill_stream *s = work.streams[0];
    rill_node first;
    size_t count;
    ok(rill_graph_add_empty(into, NULL, 0, &first));
    const rill_capture_options options = {
        .size = sizeof options, .mode = RILL_CAPTURE_RELAXED, .graph = into,
        .dependencies = &first, .dependency_count = 1,
    };
    ok(rill_capture(s, &options, perform, &work, &graph));
    assert_ptr_equal(graph, into);
    holds(into, "A e | e>A");
    work.returns = RILL_ERROR_NOT_FOUND;
    is(RILL_ERROR_NOT_FOUND, rill_capture(s, &options, perform, &work, &graph));
    assert_null(graph);
    holds(into, "A A e | e>A e>A");
    work.does = synchronize_unseen;
    work.returns = RILL_SUCCESS;
    is(RILL_ERROR_STREAM_CAPTURE_INVALIDATED, rill_capture(s, &options, perform, &work, &graph));
    assert_null(graph);
    is(RILL_ERROR_INVALID_VALUE, rill_graph_nodes(into, NULL, &count));
    idle(s);
}

/* ---- Guards ------------------------------------------------------------------------ */

static void allocate(struct work *work, rill_stream *stream)
{
    rill_devptr address = 0;
    rill_capture_guard outer = rill_capture_relax(work->f->platform);
    rill_capture_guard inner = rill_capture_relax(work->f->platform);
    ok(rill_capture_restore(&inner));
    ok(rill_mem_alloc(work->f->context, 64, &address)); /* the outer one still holds */
    ok(rill_mem_free(work->f->context, address));
    ok(rill_capture_restore(&outer));
    active(stream);
}

static void allocate_without(struct work *work, rill_stream *stream)
{
    rill_devptr address = 0;
    is(RILL_ERROR_STREAM_CAPTURE_UNSUPPORTED, rill_mem_alloc(work->f->context, 64, &address));
    broken(stream);
}

static void a_guard_gives_leave_and_takes_it_back(void **state)
{
    struct work with = new_work(*state, allocate), without = new_work(*state, allocate_without);
    rill_graph *graph = NULL;
    ok(rill_capture(with.streams[0], NULL, perform, &with, &graph));
    ok(rill_graph_destroy(&graph));
    refused(&without, RILL_ERROR_STREAM_CAPTURE_INVALIDATED);
}

/* ---- At once ------------------------------------------------------------------------ */

static void capture_often(void *data, int index)
{
    struct work *work = &((struct work *)data)[index];
    for (int i = 0; i < 50; i++) {
        rill_graph *graph = NULL;
        works(work->f, rill_stream_begin_capture(work->streams[0], NULL));
        works(work->f, rill_stream_fork(work->streams[0], &work->streams[1], 2));
        works(work->f, letter(work->f, work->streams[1], 'B'));
        works(work->f, letter(work->f, work->streams[2], 'C'));
        works(work->f, rill_stream_join_all(work->streams[0]));
        works(work->f, rill_stream_end_capture(work->streams[0], &graph));
        works(work->f, rill_graph_destroy(&graph));
    }
}

static void threads_capture_at_once(void **state)
{
    struct work work[4];
    for (int i = 0; i < 4; i++) work[i] = new_work(*state, NULL);
    crew(4, capture_often, work);
    all_worked(work[0].f);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(what_a_function_submits_becomes_a_graph),
    cmocka_unit_test(a_function_that_submits_nothing_gives_an_empty_graph),
    cmocka_unit_test(forks_and_joins_are_edges),
    cmocka_unit_test(a_failed_function_leaves_nothing_behind),
    cmocka_unit_test(a_broken_capture_ends_and_says_what_broke_it),
    cmocka_unit_test(a_fork_that_stays_out_is_named),
    cmocka_unit_test(a_function_may_not_end_the_capture),
    cmocka_unit_test(another_capture_that_it_begins_is_ended),
    cmocka_unit_test(a_function_that_destroys_the_stream_is_told_so),
    cmocka_unit_test(what_was_captured_in_vain_is_given_back),
    cmocka_unit_test(the_legacy_stream_cannot_be_captured),
    cmocka_unit_test(options_say_how_and_where_to),
    cmocka_unit_test(a_guard_gives_leave_and_takes_it_back),
    cmocka_unit_test(threads_capture_at_once),
};
SUITE_GROUP(captured_functions, 1);
