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

/* ---- Any call of a capture ---------------------------------------------------------------- */

/* Captures a bit of everything in two streams; the first status that is no success. */
static rill_status capture_much(rill_stream *origin, rill_stream *fork, rill_event *event,
                                rill_devptr word, rill_graph *into)
{
    const rill_capture_options options = { .size = sizeof options, .mode = RILL_CAPTURE_RELAXED,
                                           .graph = into };
    rill_capture_info info = { .size = sizeof info };
    rill_graph *graph = NULL;
    rill_devptr made = 0;
    rill_status status = rill_stream_begin_capture(origin, &options);
    has_state(origin, status ? RILL_CAPTURE_NONE : RILL_CAPTURE_ACTIVE);
    bool begun = !status;
    if (!status) status = rill_memset_d32_async(origin, word, 1, 1);
    if (!status) status = rill_event_record(event, origin, 0);
    if (!status) status = rill_stream_wait_event(fork, event, 0);
    if (!status) status = rill_launch_host(fork, do_nothing, NULL, NULL);
    if (!status) status = rill_launch_host(origin, do_nothing, NULL, NULL);
    if (!status) status = rill_event_record(event, fork, 0);
    if (!status) status = rill_stream_wait_event(origin, event, 0);
    if (!status) status = rill_stream_capture_info(origin, &info);
    if (!status) status = rill_stream_update_capture(origin, info.dependencies, NULL, 1,
                                                     RILL_CAPTURE_ADD);
    if (!status) status = rill_mem_alloc_async(origin, 64, &made);
    if (!status) status = rill_mem_free_async(origin, made);
    rl_alloc_fail_after(-1);
    rill_status ended = begun ? rill_stream_end_capture(origin, &graph) : RILL_SUCCESS;
    if (!status && begun) ok(ended);
    has_state(origin, RILL_CAPTURE_NONE);
    has_state(fork, RILL_CAPTURE_NONE);
    if (graph != into) ok(rill_graph_destroy(&graph));
    return status;
}

static void capture_with_little(bool own)
{
    struct machine m;
    machine_open(&m, 0);
    rill_event *event = event_of(&m);
    rill_stream *fork = machine_stream(m.context[0]);
    rill_devptr word = 0;
    rill_status status = RILL_ERROR_OUT_OF_MEMORY;
    ok(rill_mem_alloc(m.context[0], 4, &word));
    long nth = 0;
    for (; status; nth++) {
        rill_graph *graph = NULL;
        if (own) ok(rill_graph_create(m.context[0], NULL, &graph));
        rl_alloc_fail_after(nth);
        status = capture_much(m.stream[0], fork, event, word, graph);
        if (status) is(RILL_ERROR_OUT_OF_MEMORY, status);
        ok(rill_graph_destroy(&graph));
    }
    assert_true(nth > 10);
    ok(rill_mem_free(m.context[0], word));
    ok(rill_stream_destroy(&fork));
    ok(rill_event_destroy(&event));
    machine_close(&m);
}

static void a_capture_that_memory_was_short_for_leaves_nothing_behind(void **state)
{
    (void)state;
    long live = rl_alloc_live();
    for (int own = 0; own < 2; own++) {
        capture_with_little(own);
        assert_true(comes_down_to(live));
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stream_that_memory_was_short_for_does_not_join),
        cmocka_unit_test(a_capture_that_memory_was_short_for_leaves_nothing_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
