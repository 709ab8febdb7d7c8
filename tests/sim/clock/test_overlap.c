/* SPDX-License-Identifier: Apache-2.0
 *
 * What a build can be failed by: two streams whose work no longer overlaps.
 */
#include "sim/clock/timed.h"

enum { ROUNDS = 4, COPY_NS = 1000, WORK_NS = 3000 };

/* Two streams that copy and compute in turn; with a wait that nobody needs after each round. */
static void run_rounds(struct timed *t, bool with_wait)
{
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < 2; i++) {
            to_device(t, t->streams[0][i], COPY_NS);
            work_for(t, t->streams[0][i], WORK_NS);
            if (with_wait) pass(t, t->streams[0][i], t->streams[0][!i]);
        }
    }
}

static uint64_t number_of(rill_stream *stream)
{
    uint64_t number = 0;
    ok(rill_stream_id(stream, &number));
    return number;
}

static void two_streams_overlap(void **state)
{
    struct timed t;
    (void)state;
    open_timed(&t);
    run_rounds(&t, false);
    const rill_sim_history *history = wait_and_look(&t);
    assert_int_equal(history->count, 4 * ROUNDS);
    assert_int_equal(history->serial_ns, 2 * ROUNDS * (COPY_NS + WORK_NS));
    assert_true(history->makespan_ns < history->serial_ns);
    /* The second stream only waits for the first copy; then copies hide behind kernels. */
    assert_int_equal(history->makespan_ns, COPY_NS + ROUNDS * (COPY_NS + WORK_NS));
    uint64_t a = number_of(t.streams[0][0]), b = number_of(t.streams[0][1]);
    assert_int_equal(rill_sim_stream_busy(history, a), ROUNDS * (COPY_NS + WORK_NS));
    assert_int_equal(rill_sim_overlap(history, a, b), ROUNDS * (COPY_NS + WORK_NS) - COPY_NS);
    assert_int_equal(rill_sim_device_busy(history, 0), history->makespan_ns);
    close_timed(&t);
}

static void a_wait_too_many_shows(void **state)
{
    struct timed t;
    (void)state;
    open_timed(&t);
    run_rounds(&t, true);
    const rill_sim_history *history = wait_and_look(&t);
    assert_int_equal(history->makespan_ns, history->serial_ns);
    assert_int_equal(history->critical_ns, history->serial_ns);
    assert_int_equal(rill_sim_overlap(history, number_of(t.streams[0][0]),
                                      number_of(t.streams[0][1])), 0);
    close_timed(&t);
}

/* Copies of one direction share an engine. */
static void copies_of_one_direction_take_turns(void **state)
{
    struct timed t;
    (void)state;
    open_timed(&t);
    to_device(&t, t.streams[0][0], 1000);
    to_device(&t, t.streams[0][1], 500);
    to_host(&t, t.streams[0][1], 700);
    to_host(&t, t.streams[0][0], 100);
    const rill_sim_history *history = wait_and_look(&t);
    assert_int_equal(history->count, 4);
    span_is(&history->spans[0], 0, 1000);
    span_is(&history->spans[1], 1000, 1500);
    assert_int_equal(history->spans[1].ready_ns, 0);
    assert_int_equal(history->spans[1].after, 0);
    span_is(&history->spans[2], 1000, 1100);
    span_is(&history->spans[3], 1500, 2200);
    close_timed(&t);
}

static void engines_can_be_more(void **state)
{
    struct timed t;
    (void)state;
    open_timed_with(&t, PLAIN_COSTS "engines host-to-device 2\nengines kernels 1\n", 1);
    to_device(&t, t.streams[0][0], 1000);
    to_device(&t, t.streams[0][1], 500);
    work_for(&t, t.streams[0][0], 10);
    work_for(&t, t.streams[0][1], 600);
    const rill_sim_history *history = wait_and_look(&t);
    span_is(&history->spans[0], 0, 1000);
    span_is(&history->spans[1], 0, 500);
    span_is(&history->spans[2], 500, 1100);
    span_is(&history->spans[3], 1100, 1110);
    assert_int_equal(history->spans[3].after, 2);
    close_timed(&t);
}

/* From the end back: each span, and what it had to wait for. */
static void the_critical_path_is_a_chain(void **state)
{
    struct timed t;
    (void)state;
    open_timed(&t);
    to_device(&t, t.streams[0][0], 1000);   /* 0: critical                             */
    work_for(&t, t.streams[0][1], 200);     /* 1                                       */
    work_for(&t, t.streams[0][1], 300);     /* 2                                       */
    pass(&t, t.streams[0][0], t.streams[0][1]);
    work_for(&t, t.streams[0][1], 400);     /* 3: critical, waits for 0                */
    work_for(&t, t.streams[0][0], 100);     /* waits for 0 as well, but ends before    */
    const rill_sim_history *history = wait_and_look(&t);
    assert_int_equal(history->makespan_ns, 1400);
    assert_int_equal(history->critical_ns, 1400);
    int critical = 0;
    for (size_t i = 0; i < history->count; i++) {
        const rill_sim_span *span = &history->spans[i];
        if (!span->critical) continue;
        critical++;
        if (span->after != RILL_SIM_NO_SPAN)
            assert_int_equal(history->spans[span->after].end_ns, span->start_ns);
    }
    assert_int_equal(critical, 2);
    close_timed(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_streams_overlap),
        cmocka_unit_test(a_wait_too_many_shows),
        cmocka_unit_test(copies_of_one_direction_take_turns),
        cmocka_unit_test(engines_can_be_more),
        cmocka_unit_test(the_critical_path_is_a_chain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
