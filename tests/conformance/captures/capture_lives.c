/* SPDX-License-Identifier: Apache-2.0
 *
 * Captures whose streams or contexts go before they have ended.
 */
#include "conformance/captures/capturing.h"

/* ---- Streams -------------------------------------------------------------------------- */

/* oracle capture.destroy_joined_side */
static void a_stream_that_was_joined_may_go(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f), *side = NULL;
    ok(rill_stream_create(f->context, NULL, &side));
    ok(begin(s, RILL_CAPTURE_GLOBAL));
    ok(letter(f, s, 'A'));
    follow(f, s, side);
    ok(letter(f, side, 'B'));
    follow(f, side, s);
    ok(rill_stream_destroy(&side));
    active(s);
    ok(letter(f, s, 'C'));
    gives(s, "A B C | A>B A>C B>C");
    works_again(f, s);
}

/* oracle capture.destroy_side_then_join */
static void an_event_joins_a_stream_that_is_gone(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f), *side = NULL;
    rill_event *event = new_event(f);
    ok(rill_stream_create(f->context, NULL, &side));
    ok(begin(s, RILL_CAPTURE_GLOBAL));
    ok(letter(f, s, 'A'));
    follow(f, s, side);
    ok(letter(f, side, 'B'));
    ok(rill_event_record(event, side, 0));
    ok(rill_stream_destroy(&side));
    ok(rill_stream_wait_event(s, event, 0));
    behind(s, "A,B");
    ok(letter(f, s, 'C'));
    gives(s, "A B C | A>B A>C B>C");
}

/* oracle capmode.stream_destroy_global */
static void a_capture_goes_with_its_origin(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = NULL, *side = new_non_blocking(f);
    rill_devptr address;
    ok(rill_stream_create(f->context, NULL, &s));
    ok(begin(s, RILL_CAPTURE_GLOBAL));
    ok(letter(f, s, 'A'));
    follow(f, s, side);
    ok(rill_stream_destroy(&s));
    idle(side);
    works_again(f, side);
    ok(rill_mem_alloc(f->context, 64, &address));
    ok(rill_mem_free(f->context, address));
    ok(rill_context_synchronize(f->context));
}

/* Measured on an H200, driver 580. */
static void the_origin_takes_the_graph_of_the_caller_s_with_it(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = NULL;
    rill_graph *graph = new_graph(f);
    size_t count = 9;
    ok(rill_stream_create(f->context, NULL, &s));
    ok(begin_into(s, graph, NULL, 0, RILL_CAPTURE_GLOBAL));
    ok(letter(f, s, 'A'));
    ok(rill_stream_destroy(&s));
    is(RILL_ERROR_INVALID_VALUE, rill_graph_nodes(graph, NULL, &count));
    assert_int_equal(count, 9);
    s = new_non_blocking(f);
    is(RILL_ERROR_INVALID_VALUE, begin_into(s, graph, NULL, 0, RILL_CAPTURE_GLOBAL));
}

/* ---- Contexts ------------------------------------------------------------------------- */

static void a_capture_ends_with_its_context(void **state)
{
    struct fixture *f = *state;
    rill_context *context = new_context(f, 0, RILL_CONTEXT_OWN);
    rill_stream *s = NULL, *side = new_non_blocking(f);
    rill_event *event = NULL;
    ok(rill_stream_create(context, NULL, &s));
    ok(rill_event_create(context, NULL, &event));
    ok(begin(s, RILL_CAPTURE_GLOBAL));
    ok(rill_event_record(event, s, 0));
    ok(rill_stream_wait_event(side, event, 0));
    active(side);
    forget(f, context);
    ok(rill_context_destroy(&context));
    idle(side);
    works_again(f, side);
    rill_event_destroy(&event);
    rill_stream_destroy(&s);
}

static void a_capture_loses_the_streams_of_a_context_that_ends(void **state)
{
    struct fixture *f = *state;
    rill_context *context = new_context(f, 0, RILL_CONTEXT_OWN);
    rill_stream *s = new_non_blocking(f), *side = NULL;
    rill_event *event = new_event(f);
    ok(rill_stream_create(context, NULL, &side));
    ok(begin(s, RILL_CAPTURE_RELAXED));
    ok(rill_event_record(event, s, 0));
    ok(rill_stream_wait_event(side, event, 0));
    active(side);
    forget(f, context);
    ok(rill_context_destroy(&context));
    active(s);
    ok(letter(f, s, 'A'));
    gives(s, "A");
    rill_stream_destroy(&side);
}

static void work_of_a_context_that_ended_must_have_been_joined(void **state)
{
    struct fixture *f = *state;
    rill_context *context = new_context(f, 0, RILL_CONTEXT_OWN);
    rill_stream *s = new_non_blocking(f), *side = NULL;
    rill_event *event = new_event(f);
    ok(rill_stream_create(context, NULL, &side));
    ok(begin(s, RILL_CAPTURE_RELAXED));
    ok(rill_event_record(event, s, 0));
    ok(rill_stream_wait_event(side, event, 0));
    ok(rill_launch_host(side, nothing, NULL, NULL));
    forget(f, context);
    ok(rill_context_destroy(&context));
    active(s);
    fails(RILL_ERROR_STREAM_CAPTURE_UNJOINED, s);
    rill_stream_destroy(&side);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_stream_that_was_joined_may_go),
    cmocka_unit_test(an_event_joins_a_stream_that_is_gone),
    cmocka_unit_test(a_capture_goes_with_its_origin),
    cmocka_unit_test(the_origin_takes_the_graph_of_the_caller_s_with_it),
    cmocka_unit_test(a_capture_ends_with_its_context),
    cmocka_unit_test(a_capture_loses_the_streams_of_a_context_that_ends),
    cmocka_unit_test(work_of_a_context_that_ended_must_have_been_joined),
};

SUITE_GROUP(capture_lives, 1);
