/* SPDX-License-Identifier: Apache-2.0
 *
 * The end of a context, and what is left of the things that were made in it.
 */
#include "conformance/work.h"

static rill_context *own_context(struct fixture *f)
{
    const rill_context_options options = { .size = sizeof options, .flags = RILL_CONTEXT_OWN };
    rill_context *context = NULL;
    ok(rill_context_create(f->platform, &options, &context));
    return context;
}

static rill_status destroy_context(void *context)
{
    rill_context *given = context;
    return rill_context_destroy(&given);
}

static void destroying_a_context_waits_for_its_work(void **state)
{
    struct fixture *f = *state;
    rill_context *context = own_context(f);
    rill_stream *stream = new_stream_in(f, context, RILL_STREAM_NON_BLOCKING);
    struct gate *closed = gate(f, stream);
    mark(f, stream, 'a');
    struct call *call = start_call(f, destroy_context, context);
    blocked(call);
    open_gate(closed);
    ok(finish_call(call));
    order(f, "a");
}

static void destroying_a_context_waits_for_streams_that_were_destroyed_before(void **state)
{
    struct fixture *f = *state;
    rill_context *context = own_context(f);
    rill_stream *stream = NULL;
    ok(rill_stream_create(context, NULL, &stream));
    struct gate *closed = gate(f, stream);
    mark(f, stream, 'a');
    ok(rill_stream_destroy(&stream));
    struct call *call = start_call(f, destroy_context, context);
    blocked(call);
    open_gate(closed);
    ok(finish_call(call));
    order(f, "a");
}

/* oracle err.primary_released_current, err.ctx_destroyed_elsewhere */
static void what_is_left_of_a_destroyed_context_answers_that_it_is(void **state)
{
    const rill_status gone = RILL_ERROR_CONTEXT_IS_DESTROYED;
    struct fixture *f = *state;
    rill_context *context = own_context(f);
    rill_stream *stream = new_stream_in(f, context, 0);
    rill_event *event = new_event_in(f, context, RILL_EVENT_TIMING);
    rill_attribute attribute = { .id = RILL_ATTRIBUTE_PRIORITY };
    atomic_int destroyed = 0;
    int number;
    uint64_t id;
    uint32_t flags;
    float milliseconds;
    ok(rill_event_record(event, stream, 0));
    ok(rill_context_destroy(&context));
    assert_null(context);
    is(gone, rill_stream_query(stream));
    blames("rill_stream_query", "stream");
    is(gone, rill_stream_synchronize(stream));
    is(gone, rill_stream_id(stream, &id));
    is(gone, rill_stream_flags(stream, &flags));
    is(gone, rill_stream_priority(stream, &number));
    is(gone, rill_stream_device(stream, &number));
    is(gone, rill_stream_context(stream, &context));
    is(gone, rill_stream_get_attribute(stream, &attribute));
    is(gone, rill_stream_wait_event(stream, event, 0));
    is(gone, rill_launch_host(stream, nothing, &destroyed, count_up));
    assert_int_equal(destroyed, 1);
    is(gone, rill_stream_write_value32(stream, address_of(f, new_word(f)), 1, 0));
    is(gone, rill_event_query(event));
    blames("rill_event_query", "event");
    is(gone, rill_event_synchronize(event));
    is(gone, rill_event_record(event, stream, 0));
    is(gone, rill_event_elapsed(event, event, &milliseconds));
}

static void what_is_left_of_a_destroyed_context_is_destroyed_by_its_owner(void **state)
{
    struct fixture *f = *state;
    rill_context *context = own_context(f);
    rill_stream *idle = NULL, *used = NULL;
    rill_event *event = NULL, *fresh = NULL;
    ok(rill_stream_create(context, NULL, &idle));
    ok(rill_stream_create(context, NULL, &used));
    ok(rill_event_create(context, NULL, &event));
    ok(rill_event_create(context, NULL, &fresh));
    mark(f, used, 'a');
    ok(rill_event_record(event, used, 0));
    ok(rill_context_destroy(&context));
    ok(rill_stream_destroy(&idle));
    ok(rill_stream_destroy(&used));
    ok(rill_event_destroy(&event));
    ok(rill_event_destroy(&fresh));
    order(f, "a");
}

/* A stream of a living context that waits is not touched by the end of the one
 * that it waits for: that ended with its work done. */
static void a_wait_for_a_destroyed_context_is_over(void **state)
{
    struct fixture *f = *state;
    rill_context *context = own_context(f);
    rill_stream *there = new_stream_in(f, context, 0), *here = new_stream(f);
    rill_event *event = new_event_in(f, context, 0);
    mark(f, there, 'a');
    ok(rill_event_record(event, there, 0));
    ok(rill_stream_wait_event(here, event, 0));
    mark(f, here, 'b');
    ok(rill_context_destroy(&context));
    ok(rill_stream_synchronize(here));
    order(f, "ab");
    refuses(RILL_ERROR_CONTEXT_IS_DESTROYED, "event", rill_stream_wait_event(here, event, 0));
    ok(rill_stream_query(here));
}

static void other_contexts_of_the_device_go_on(void **state)
{
    struct fixture *f = *state;
    if (!suite->expects.loads_beside_work) skip_since("the driver waits for what is held");
    rill_context *context = own_context(f);
    rill_stream *stream = new_stream(f);
    struct gate *closed = gate(f, stream);
    ok(rill_context_destroy(&context));
    held(stream);
    mark(f, stream, 'a');
    open_gate(closed);
    ok(rill_stream_synchronize(stream));
    order(f, "a");
    ok(rill_context_status(f->context));
}

/* oracle err.primary_released_current */
static void the_primary_context_ends_with_its_last_user_and_begins_anew(void **state)
{
    struct fixture *f = *state;
    rill_context *first = NULL, *again = NULL;
    rill_stream *stream = NULL;
    ok(suite->open(1, &f->another));
    ok(rill_context_create(f->another, NULL, &first));
    ok(rill_context_create(f->another, NULL, &again));
    ok(rill_stream_create(first, NULL, &stream));
    ok(rill_context_destroy(&again));
    ok(rill_stream_query(stream));
    ok(rill_context_destroy(&first));
    is(RILL_ERROR_CONTEXT_IS_DESTROYED, rill_stream_query(stream));
    ok(rill_stream_destroy(&stream));
    ok(rill_context_create(f->another, NULL, &first));
    ok(rill_stream_create(first, NULL, &stream));
    mark(f, stream, 'a');
    ok(rill_stream_synchronize(stream));
    order(f, "a");
    ok(rill_stream_destroy(&stream));
    ok(rill_context_destroy(&first));
    ok(rill_close(&f->another));
}

static void a_platform_lives_as_long_as_its_last_context(void **state)
{
    struct fixture *f = *state;
    rill_context *context = NULL;
    rill_stream *stream = NULL;
    ok(suite->open(1, &f->another));
    ok(rill_context_create(f->another, NULL, &context));
    ok(rill_close(&f->another));
    assert_null(f->another);
    ok(rill_stream_create(context, NULL, &stream));
    mark(f, stream, 'a');
    ok(rill_stream_synchronize(stream));
    order(f, "a");
    ok(rill_stream_destroy(&stream));
    ok(rill_context_destroy(&context));
}

static void contexts_come_and_go_with_work_in_every_stream(void **state)
{
    struct fixture *f = *state;
    int often = suite->apart ? 5 : 50; /* on hardware each takes a good part of a second */
    for (int i = 0; i < often; i++) {
        rill_context *context = own_context(f);
        rill_stream *stream = NULL;
        ok(rill_stream_create(context, NULL, &stream));
        mark(f, stream, '1');
        mark(f, rill_stream_legacy(context), '2');
        mark(f, rill_stream_per_thread(context), '3');
        if (i & 1) ok(rill_stream_destroy(&stream));
        ok(rill_context_destroy(&context));
        ok(rill_stream_destroy(&stream));
        assert_int_equal(atomic_load(&f->mark_count), 3 * (i + 1));
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(destroying_a_context_waits_for_its_work),
    cmocka_unit_test(destroying_a_context_waits_for_streams_that_were_destroyed_before),
    cmocka_unit_test(what_is_left_of_a_destroyed_context_answers_that_it_is),
    cmocka_unit_test(what_is_left_of_a_destroyed_context_is_destroyed_by_its_owner),
    cmocka_unit_test(a_wait_for_a_destroyed_context_is_over),
    cmocka_unit_test(other_contexts_of_the_device_go_on),
    cmocka_unit_test(the_primary_context_ends_with_its_last_user_and_begins_anew),
    cmocka_unit_test(a_platform_lives_as_long_as_its_last_context),
    cmocka_unit_test(contexts_come_and_go_with_work_in_every_stream),
};

SUITE_GROUP(context_end, 1);
