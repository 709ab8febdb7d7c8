/* SPDX-License-Identifier: Apache-2.0
 *
 * The promised order of streams and events, and what the host gets to know.
 */
#include "layer-check/pairs.h"

/* ---- Two streams --------------------------------------------------------------------------- */

static void work_of_two_streams_races_program(struct checked *c, bool good)
{
    write_x(c, c->s);
    if (good) order(c, c->s, c->t);
    read_x(c, c->t);
}

static void work_of_two_streams_races(void **state)
{
    (void)state;
    struct found found = expect_bug(work_of_two_streams_races_program, RILL_FINDING_RACE);
    assert_int_equal(found.mend, RILL_MEND_WAIT);
    assert_string_equal(found.what[0], "memcpy");
    assert_string_equal(found.what[1], "memset");
    assert_int_equal(found.number[0], 1);
    assert_int_equal(found.number[1], 1);
    assert_true(found.stream[0] > found.stream[1]);
    assert_int_equal(found.bytes, BYTES);
    assert_false(found.assumed);
}

static void an_event_stands_for_what_came_before_it_program(struct checked *c, bool good)
{
    if (!good) OK(rill_event_record(c->event, c->s, 0));
    write_x(c, c->s);
    if (good) OK(rill_event_record(c->event, c->s, 0));
    OK(rill_stream_wait_event(c->t, c->event, 0));
    read_x(c, c->t);
}
RACES(an_event_stands_for_what_came_before_it)

static void a_wait_is_for_the_newest_record_before_it_program(struct checked *c, bool good)
{
    OK(rill_event_record(c->event, c->s, 0));
    if (!good) OK(rill_stream_wait_event(c->t, c->event, 0));
    write_x(c, c->s);
    OK(rill_event_record(c->event, c->s, 0));
    if (good) OK(rill_stream_wait_event(c->t, c->event, 0));
    read_x(c, c->t);
}
RACES(a_wait_is_for_the_newest_record_before_it)

static void order_goes_on_through_a_third_stream_program(struct checked *c, bool good)
{
    rill_stream *between = new_stream(c, RILL_STREAM_NON_BLOCKING);
    write_x(c, c->s);
    order(c, c->s, between);
    if (good) order(c, between, c->t);
    read_x(c, c->t);
    OK(rill_stream_destroy(&between));
}
RACES(order_goes_on_through_a_third_stream)

static void a_wait_outlives_its_event_and_its_stream_program(struct checked *c, bool good)
{
    rill_stream *gone = new_stream(c, RILL_STREAM_NON_BLOCKING);
    rill_event *event;
    OK(rill_event_create(c->context, NULL, &event));
    write_x(c, gone);
    OK(rill_event_record(event, gone, 0));
    if (good) OK(rill_stream_wait_event(c->t, event, 0));
    OK(rill_event_destroy(&event));
    OK(rill_stream_destroy(&gone));
    read_x(c, c->t);
}
RACES(a_wait_outlives_its_event_and_its_stream)

static void an_event_stands_for_the_stream_that_recorded_it_last_program(struct checked *c,
                                                                         bool good)
{
    rill_stream *other = new_stream(c, RILL_STREAM_NON_BLOCKING);
    rill_event *own;
    OK(rill_event_create(c->context, NULL, &own));
    write_x(c, c->s);
    OK(rill_event_record(c->event, c->s, 0));
    OK(rill_event_record(good ? own : c->event, other, 0));
    OK(rill_stream_wait_event(c->t, c->event, 0));
    read_x(c, c->t);
    OK(rill_stream_destroy(&other));
    OK(rill_event_destroy(&own));
}
RACES(an_event_stands_for_the_stream_that_recorded_it_last)

static void the_end_of_a_stream_is_no_wait_for_it_program(struct checked *c, bool good)
{
    rill_stream *gone = new_stream(c, RILL_STREAM_NON_BLOCKING);
    write_x(c, gone);
    if (good) OK(rill_stream_synchronize(gone));
    OK(rill_stream_destroy(&gone));
    read_x(c, c->t);
}
RACES(the_end_of_a_stream_is_no_wait_for_it)

/* What fills a buffer for the second time waits for what has read it, and not for what has read
 * the one before. */
static void a_buffer_is_free_once_it_was_read_program(struct checked *c, bool good)
{
    rill_stream *fills = c->s, *reads = c->t;
    rill_event *read[2];
    for (int i = 0; i < 2; i++) OK(rill_event_create(c->context, NULL, &read[i]));
    for (int i = 0; i < 2; i++) {
        const rill_devptr buffer = c->x + (unsigned)i * BYTES / 2;
        OK(rill_memset_d8_async(fills, buffer, 7, BYTES / 2));
        order(c, fills, reads);
        OK(rill_memcpy_dtod_async(reads, c->y, buffer, BYTES / 2));
        OK(rill_event_record(read[i], reads, 0));
    }
    OK(rill_stream_wait_event(fills, read[good ? 1 : 0], 0));
    OK(rill_memset_d8_async(fills, c->x + BYTES / 2, 8, BYTES / 2));
    for (int i = 0; i < 2; i++) OK(rill_event_destroy(&read[i]));
}
RACES(a_buffer_is_free_once_it_was_read)

/* ---- The host ------------------------------------------------------------------------------ */

static void a_synchronized_stream_is_known_to_be_done_program(struct checked *c, bool good)
{
    write_x(c, c->s);
    OK(rill_stream_synchronize(good ? c->s : c->t));
    read_x(c, c->t);
}
RACES(a_synchronized_stream_is_known_to_be_done)

static void a_query_that_succeeds_is_order_program(struct checked *c, bool good)
{
    write_x(c, c->s);
    OK(rill_event_record(c->event, c->s, 0));
    while (good && rill_event_query(c->event) == RILL_ERROR_NOT_READY) continue;
    read_x(c, c->t);
}
RACES(a_query_that_succeeds_is_order)

static void elapsed_time_is_order_program(struct checked *c, bool good)
{
    const rill_event_options timed = { .size = sizeof timed, .flags = RILL_EVENT_TIMING };
    rill_event *begin, *end;
    float time;
    OK(rill_event_create(c->context, &timed, &begin));
    OK(rill_event_create(c->context, &timed, &end));
    OK(rill_event_record(begin, c->s, 0));
    write_x(c, c->s);
    OK(rill_event_record(end, c->s, 0));
    while (good && rill_event_elapsed(begin, end, &time) == RILL_ERROR_NOT_READY) continue;
    read_x(c, c->t);
    OK(rill_event_destroy(&begin));
    OK(rill_event_destroy(&end));
}
RACES(elapsed_time_is_order)

static void touch(void *data)
{
    rill_touch_host(data, 4, RILL_TOUCH_WRITE);
}

static void functions_that_declare_what_they_touch_race_program(struct checked *c, bool good)
{
    static uint32_t total;
    OK(rill_launch_host(c->s, touch, &total, NULL));
    if (good) order(c, c->s, c->t);
    OK(rill_launch_host(c->t, touch, &total, NULL));
}
RACES(functions_that_declare_what_they_touch_race)

static void the_host_waits_before_it_reads_program(struct checked *c, bool good)
{
    void *pinned;
    OK(rill_host_alloc(c->context, BYTES, 0, &pinned));
    OK(rill_memcpy_dtoh_async(c->s, pinned, c->x, BYTES));
    if (good) OK(rill_stream_synchronize(c->s));
    rill_touch_host(pinned, 4, RILL_TOUCH_READ);
    OK(rill_stream_synchronize(c->s));
    OK(rill_host_free(c->context, pinned));
}

static void the_host_waits_before_it_reads(void **state)
{
    (void)state;
    struct found found = expect_bug(the_host_waits_before_it_reads_program, RILL_FINDING_RACE);
    assert_int_equal(found.mend, RILL_MEND_SYNC);
    assert_string_equal(found.what[0], "the host");
}

/* ---- Default streams ----------------------------------------------------------------------- */

static void only_blocking_streams_wait_for_the_legacy_one_program(struct checked *c, bool good)
{
    rill_stream *other = new_stream(c, good ? 0 : RILL_STREAM_NON_BLOCKING);
    write_x(c, rill_stream_legacy(c->context));
    read_x(c, other);
    OK(rill_stream_destroy(&other));
}
RACES(only_blocking_streams_wait_for_the_legacy_one)

static void the_legacy_stream_waits_for_blocking_ones_program(struct checked *c, bool good)
{
    rill_stream *other = new_stream(c, good ? 0 : RILL_STREAM_NON_BLOCKING);
    write_x(c, other);
    read_x(c, rill_stream_legacy(c->context));
    OK(rill_stream_destroy(&other));
}
RACES(the_legacy_stream_waits_for_blocking_ones)

static void an_empty_blocking_stream_says_nothing_of_others_program(struct checked *c, bool good)
{
    rill_stream *writer = new_stream(c, 0), *empty = new_stream(c, 0);
    write_x(c, writer);
    OK(rill_event_record(c->event, rill_stream_legacy(c->context), 0));
    OK(rill_stream_synchronize(good ? rill_stream_legacy(c->context) : empty));
    read_x(c, c->t);
    OK(rill_stream_destroy(&writer));
    OK(rill_stream_destroy(&empty));
}
RACES(an_empty_blocking_stream_says_nothing_of_others)

/* ---- Values -------------------------------------------------------------------------------- */

static void a_value_orders_what_came_before_its_write_program(struct checked *c, bool good)
{
    rill_devptr flag;
    OK(rill_mem_alloc(c->context, 4, &flag));
    OK(rill_memset_d32(c->context, flag, 0, 1));
    OK(rill_context_synchronize(c->context));
    if (!good) OK(rill_stream_write_value32(c->s, flag, 1, 0));
    write_x(c, c->s);
    if (good) OK(rill_stream_write_value32(c->s, flag, 1, 0));
    OK(rill_stream_wait_value32(c->t, flag, 1, RILL_WAIT_GEQ));
    read_x(c, c->t);
    OK(rill_context_synchronize(c->context));
    OK(rill_mem_free(c->context, flag));
}
RACES(a_value_orders_what_came_before_its_write)

static void a_wait_may_come_before_the_write_program(struct checked *c, bool good)
{
    rill_devptr flag;
    OK(rill_mem_alloc(c->context, 4, &flag));
    OK(rill_memset_d32(c->context, flag, 0, 1));
    OK(rill_context_synchronize(c->context));
    OK(rill_stream_wait_value32(c->t, flag, 1, RILL_WAIT_GEQ));
    read_x(c, c->t);
    if (good) write_x(c, c->s);
    OK(rill_stream_write_value32(c->s, flag, 1, 0));
    if (!good) write_x(c, c->s);
    OK(rill_context_synchronize(c->context));
    OK(rill_mem_free(c->context, flag));
}
RACES(a_wait_may_come_before_the_write)

/* ---- Hints --------------------------------------------------------------------------------- */

static void a_wait_for_an_event_never_recorded_is_a_hint(void **state)
{
    struct checked c;
    (void)state;
    begin_pair(&c);
    OK(rill_stream_wait_event(c.t, c.event, 0));
    assert_int_equal(c.count, 1);
    assert_int_equal(c.found[0].kind, RILL_FINDING_HINT);
    end_pair(&c);
}

/* ---- The public calls ---------------------------------------------------------------------- */

static void findings_are_counted_and_told(void **state)
{
    struct checked c;
    uint64_t count = 0;
    (void)state;
    skip_bugs();
    begin_pair(&c);
    work_of_two_streams_races_program(&c, false);
    OK(rill_check_count(c.platform, &count));
    assert_int_equal(count, 1);
    assert_int_equal(c.count, 1);
    assert_int_equal(rill_check_count(c.platform, NULL), RILL_ERROR_INVALID_VALUE);
    end_pair(&c);
}

/* Each device has a legacy stream: which one is meant has to be said. */
static void streams_of_another_device_are_told_with_it(void **state)
{
    const rill_sim_options sim = { .size = sizeof sim, .devices = 2 };
    const rill_open_options options = { .size = sizeof options, .backend = "sim", .sim = &sim,
                                        .layers = "check" };
    struct checked c = { .count = 0 };
    rill_context *contexts[2];
    void *pinned;
    (void)state;
    skip_bugs();
    OK(rill_open(&options, &c.platform));
    OK(rill_check_report(c.platform, take_finding, &c));
    for (int i = 0; i < 2; i++) {
        const rill_context_options of = { .size = sizeof of, .device = i };
        OK(rill_context_create(c.platform, &of, &contexts[i]));
    }
    OK(rill_host_alloc(contexts[0], BYTES, RILL_HOST_PORTABLE, &pinned));
    for (int i = 0; i < 2; i++)
        OK(rill_memset_d8_async(rill_stream_legacy(contexts[i]), (uintptr_t)pinned, 1, BYTES));
    for (int i = 0; i < 2; i++) OK(rill_context_synchronize(contexts[i]));
    OK(rill_host_free(contexts[0], pinned));
    for (int i = 0; i < 2; i++) OK(rill_context_destroy(&contexts[i]));
    OK(rill_close(&c.platform));
    expect_found(&c, RILL_FINDING_RACE,
                 "memset writes what memset writes, and nothing orders them");
    const char begin[] = "record an event in the legacy stream after test_check_streams";
    assert_memory_equal(c.found[0].advice, begin, strlen(begin));
    assert_non_null(strstr(c.found[0].advice, "let the legacy stream (device 1) wait for it"));
}

static void without_the_layer_nothing_is_offered(void **state)
{
    const rill_open_options options = { .size = sizeof options, .backend = "sim", .layers = "" };
    rill_platform *platform;
    uint64_t count;
    (void)state;
    OK(rill_open(&options, &platform));
    assert_int_equal(rill_check_count(platform, &count), RILL_ERROR_NOT_SUPPORTED);
    assert_int_equal(rill_check_report(platform, take_finding, NULL), RILL_ERROR_NOT_SUPPORTED);
    rill_touch_host(&count, sizeof count, RILL_TOUCH_WRITE);
    OK(rill_close(&platform));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(work_of_two_streams_races),
        cmocka_unit_test(an_event_stands_for_what_came_before_it),
        cmocka_unit_test(a_wait_is_for_the_newest_record_before_it),
        cmocka_unit_test(order_goes_on_through_a_third_stream),
        cmocka_unit_test(a_wait_outlives_its_event_and_its_stream),
        cmocka_unit_test(an_event_stands_for_the_stream_that_recorded_it_last),
        cmocka_unit_test(the_end_of_a_stream_is_no_wait_for_it),
        cmocka_unit_test(a_buffer_is_free_once_it_was_read),
        cmocka_unit_test(a_synchronized_stream_is_known_to_be_done),
        cmocka_unit_test(a_query_that_succeeds_is_order),
        cmocka_unit_test(elapsed_time_is_order),
        cmocka_unit_test(functions_that_declare_what_they_touch_race),
        cmocka_unit_test(the_host_waits_before_it_reads),
        cmocka_unit_test(only_blocking_streams_wait_for_the_legacy_one),
        cmocka_unit_test(the_legacy_stream_waits_for_blocking_ones),
        cmocka_unit_test(an_empty_blocking_stream_says_nothing_of_others),
        cmocka_unit_test(a_value_orders_what_came_before_its_write),
        cmocka_unit_test(a_wait_may_come_before_the_write),
        cmocka_unit_test(a_wait_for_an_event_never_recorded_is_a_hint),
        cmocka_unit_test(findings_are_counted_and_told),
        cmocka_unit_test(streams_of_another_device_are_told_with_it),
        cmocka_unit_test(without_the_layer_nothing_is_offered),
    };
    return cmocka_run_group_tests(tests, NULL, end_sources);
}
