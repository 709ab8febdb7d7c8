/* SPDX-License-Identifier: Apache-2.0
 *
 * Captures when memory is short: what is refused has changed nothing.
 */
#include "sim/machine.h"

static void do_nothing(void *data)
{
    (void)data;
}

static rill_event *event_of(struct machine *m)
{
    rill_event *event = NULL;
    ok(rill_event_create(m->context[0], NULL, &event));
    return event;
}

static void has_state(rill_stream *stream, rill_capture_state state)
{
    rill_capture_info info = { .size = sizeof info };
    ok(rill_stream_capture_info(stream, &info));
    assert_int_equal(info.state, state);
}

/* `to` waits for what is in `from` now. */
static void follow(rill_stream *from, rill_stream *to, rill_event *event)
{
    ok(rill_event_record(event, from, 0));
    ok(rill_stream_wait_event(to, event, 0));
}

/* The event stands for two nodes, for which a stream has no room at first. */
static void a_stream_that_memory_was_short_for_does_not_join(void **state)
{
    const rill_capture_options relaxed = { .size = sizeof relaxed, .mode = RILL_CAPTURE_RELAXED };
    struct machine m;
    int refused = 0;
    (void)state;
    machine_open(&m, 0);
    rill_event *event = event_of(&m);
    rill_stream *origin = machine_stream(m.context[0]), *fork = machine_stream(m.context[0]);
    rill_graph *graph = NULL;
    ok(rill_stream_begin_capture(origin, &relaxed));
    follow(origin, fork, event);
    ok(rill_launch_host(origin, do_nothing, NULL, NULL));
    ok(rill_launch_host(fork, do_nothing, NULL, NULL));
    follow(fork, origin, event);
    ok(rill_event_record(event, origin, 0));
    rill_status status = RILL_ERROR_OUT_OF_MEMORY;
    for (long nth = 0; status; nth++) {
        rl_alloc_fail_after(nth);
        status = rill_stream_wait_event(m.stream[0], event, 0);
        rl_alloc_fail_after(-1);
        if (status) is(RILL_ERROR_OUT_OF_MEMORY, status);
        refused += status != RILL_SUCCESS;
        has_state(m.stream[0], status ? RILL_CAPTURE_NONE : RILL_CAPTURE_ACTIVE);
        has_state(origin, RILL_CAPTURE_ACTIVE);
    }
    assert_int_equal(refused, 2);
    ok(rill_stream_end_capture(origin, &graph));
    ok(rill_graph_destroy(&graph));
    ok(rill_stream_destroy(&origin));
    ok(rill_stream_destroy(&fork));
    ok(rill_event_destroy(&event));
    machine_close(&m);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stream_that_memory_was_short_for_does_not_join),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
