/* SPDX-License-Identifier: Apache-2.0
 *
 * The legacy stream while blocking streams capture: all that it does would depend on
 * them.
 */
#include "conformance/captures/capturing.h"

typedef rill_status use(struct fixture *f);

static rill_event *recorded;
static rill_devptr address;

static rill_status fill(struct fixture *f)
{
    return rill_memset_d32_async(f->legacy, address, 1, 1);
}

static rill_status host(struct fixture *f)
{
    return rill_launch_host(f->legacy, nothing, NULL, NULL);
}

static rill_status record(struct fixture *f)
{
    return rill_event_record(new_event(f), f->legacy, 0);
}

static rill_status wait(struct fixture *f)
{
    return rill_stream_wait_event(f->legacy, recorded, 0);
}

static rill_status query(struct fixture *f)
{
    rill_status status = rill_stream_query(f->legacy);
    return status == RILL_ERROR_NOT_READY ? RILL_SUCCESS : status;
}

static rill_status synchronize(struct fixture *f)
{
    return rill_stream_synchronize(f->legacy);
}

static rill_status copy_at_once(struct fixture *f)
{
    uint32_t word = 1;
    return rill_memcpy_htod(f->context, address, &word, sizeof word);
}

static rill_status fill_at_once(struct fixture *f)
{
    return rill_memset_d32(f->context, address, 1, 1);
}

static use *const uses[] = { fill, host, record, wait, query, synchronize, copy_at_once,
                             fill_at_once };

#define USES (sizeof uses / sizeof *uses)

static rill_status id(struct fixture *f)
{
    uint64_t value;
    return rill_stream_id(f->legacy, &value);
}

static rill_status flags(struct fixture *f)
{
    uint32_t value;
    return rill_stream_flags(f->legacy, &value);
}

static rill_status priority(struct fixture *f)
{
    int value;
    return rill_stream_priority(f->legacy, &value);
}

static rill_status get_attribute(struct fixture *f)
{
    rill_attribute value = { .id = RILL_ATTRIBUTE_PRIORITY };
    return rill_stream_get_attribute(f->legacy, &value);
}

static rill_status set_attribute(struct fixture *f)
{
    rill_attribute value = { .id = RILL_ATTRIBUTE_SYNC_POLICY, .sync_policy = RILL_SYNC_AUTO };
    return rill_stream_set_attribute(f->legacy, &value);
}

static rill_status copy_attributes(struct fixture *f)
{
    return rill_stream_copy_attributes(f->legacy, f->per_thread);
}

static use *const properties[] = { id, flags, priority, get_attribute, set_attribute,
                                   copy_attributes };

#define PROPERTIES (sizeof properties / sizeof *properties)

static void prepare(struct fixture *f)
{
    address = device_words(f, 16);
    recorded = new_event(f);
    ok(rill_event_record(recorded, f->per_thread, 0));
    ok(rill_context_synchronize(f->context));
}

/* CP-19, CP-24; oracle capmode.legacy_work, legacy_events, legacy_wait, legacy_synchronous */
static void no_use_of_it_is_possible_while_a_blocking_stream_captures(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_stream(f);
    prepare(f);
    for (size_t i = 0; i < USES; i++) {
        ok(begin(s, RILL_CAPTURE_RELAXED));
        ok(letter(f, s, 'A'));
        is(RILL_ERROR_STREAM_CAPTURE_IMPLICIT, uses[i](f));
        broken(s);
        fails(RILL_ERROR_STREAM_CAPTURE_INVALIDATED, s);
        ok(uses[i](f));
    }
}

static void nor_can_it_be_asked_what_it_is(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_stream(f), *apart = new_non_blocking(f);
    for (size_t i = 0; i < PROPERTIES; i++) {
        ok(begin(apart, RILL_CAPTURE_GLOBAL));
        ok(properties[i](f));
        ok(begin(s, RILL_CAPTURE_RELAXED));
        is(RILL_ERROR_STREAM_CAPTURE_IMPLICIT, properties[i](f));
        active(apart);
        broken(s);
        is(RILL_ERROR_STREAM_CAPTURE_IMPLICIT, properties[i](f));
        fails(RILL_ERROR_STREAM_CAPTURE_INVALIDATED, s);
        gives(apart, "");
        ok(properties[i](f));
    }
}

/* oracle capmode.legacy_work, nonblocking */
static void a_non_blocking_capture_is_none_of_its_business(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f);
    prepare(f);
    ok(begin(s, RILL_CAPTURE_RELAXED));
    ok(letter(f, s, 'A'));
    for (size_t i = 0; i < USES; i++) ok(uses[i](f));
    idle(f->legacy);
    gives(s, "A");
}

/* CP-19; oracle capture.legacy_status */
static void asking_for_its_capture_is_refused_but_harmless(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_stream(f), *other = new_stream(f);
    rill_capture_info info = { .size = sizeof info };
    rill_devptr apart = device_words(f, 1);
    ok(begin(s, RILL_CAPTURE_GLOBAL));
    refuses(RILL_ERROR_STREAM_CAPTURE_IMPLICIT, "stream",
            rill_stream_capture_info(f->legacy, &info));
    active(s);
    idle(f->per_thread);
    idle(other);
    ok(letter(f, other, 'B'));
    ok(rill_memset_d32_async(f->per_thread, apart, 1, 1));
    gives(s, "");
    idle(f->legacy);
}

/* oracle capture.fork_three */
static void a_blocking_stream_that_joined_counts(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f), *side = new_stream(f);
    rill_capture_info info = { .size = sizeof info };
    ok(begin(s, RILL_CAPTURE_GLOBAL));
    follow(f, s, side);
    is(RILL_ERROR_STREAM_CAPTURE_IMPLICIT, rill_stream_capture_info(f->legacy, &info));
    is(RILL_ERROR_STREAM_CAPTURE_IMPLICIT, letter(f, f->legacy, 'A'));
    broken(s);
    fails(RILL_ERROR_STREAM_CAPTURE_INVALIDATED, s);
}

/* oracle capmode.legacy_events, wait_captured nonblocking */
static void it_cannot_join_a_capture(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f);
    rill_event *event = new_event(f);
    ok(begin(s, RILL_CAPTURE_GLOBAL));
    ok(rill_event_record(event, s, 0));
    is(RILL_ERROR_STREAM_CAPTURE_IMPLICIT, rill_stream_wait_event(f->legacy, event, 0));
    broken(s);
    fails(RILL_ERROR_STREAM_CAPTURE_INVALIDATED, s);
    idle(f->legacy);
}

/* DS-9 */
static void the_legacy_stream_of_another_context_goes_on(void **state)
{
    struct fixture *f = *state;
    rill_context *context = new_context(f, 0, RILL_CONTEXT_OWN);
    rill_stream *s = new_stream(f), *legacy = rill_stream_legacy(context);
    ok(begin(s, RILL_CAPTURE_RELAXED));
    ok(rill_launch_host(legacy, nothing, NULL, NULL));
    ok(rill_stream_synchronize(legacy));
    active(s);
    gives(s, "");
}

/* oracle capture.begin_behind_legacy */
static void what_it_has_pending_does_not_hold_a_capture(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_stream(f);
    struct gate *closed = gate(f, f->legacy);
    ok(begin(s, RILL_CAPTURE_GLOBAL));
    ok(letter(f, s, 'A'));
    gives(s, "A");
    held(f->legacy);
    open_gate(closed);
    ok(rill_stream_synchronize(f->legacy));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(no_use_of_it_is_possible_while_a_blocking_stream_captures),
    cmocka_unit_test(nor_can_it_be_asked_what_it_is),
    cmocka_unit_test(a_non_blocking_capture_is_none_of_its_business),
    cmocka_unit_test(asking_for_its_capture_is_refused_but_harmless),
    cmocka_unit_test(a_blocking_stream_that_joined_counts),
    cmocka_unit_test(it_cannot_join_a_capture),
    cmocka_unit_test(the_legacy_stream_of_another_context_goes_on),
    cmocka_unit_test(what_it_has_pending_does_not_hold_a_capture),
};

SUITE_GROUP(capture_legacy, 1);
