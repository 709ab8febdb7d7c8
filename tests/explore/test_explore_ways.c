/* SPDX-License-Identifier: Apache-2.0
 *
 * rill_explore(): what it is told of, what it leaves out, and where it ends.
 */
#include <rill/check.h>
#include <rill/explore.h>
#include <rill/rill.h>
#include <rill/sim.h>
#include <stdio.h>
#include <string.h>

#include "support/cmocka_all.h"

#define ok(call) assert_int_equal((call), RILL_SUCCESS)

enum { STREAMS = 4, BYTES = 64 };

/* ---- Programs with streams and two pieces of memory ------------------------------------------ */

struct desk {
    rill_context *context;
    rill_stream *streams[STREAMS];
    rill_event *event;
    rill_devptr x, y;
};

static void open_desk(struct desk *desk, rill_platform *platform)
{
    const rill_stream_options options = { .size = sizeof options,
                                          .flags = RILL_STREAM_NON_BLOCKING };
    ok(rill_context_create(platform, 0, &desk->context));
    for (int i = 0; i < STREAMS; i++)
        ok(rill_stream_create(desk->context, &options, &desk->streams[i]));
    ok(rill_event_create(desk->context, NULL, &desk->event));
    ok(rill_mem_alloc(desk->context, BYTES, &desk->x));
    ok(rill_mem_alloc(desk->context, BYTES, &desk->y));
    memset((void *)(uintptr_t)desk->x, 0, BYTES);
    memset((void *)(uintptr_t)desk->y, 0, BYTES);
}

/* Returns the first byte of y. */
static int close_desk(struct desk *desk)
{
    ok(rill_context_synchronize(desk->context));
    int result = *(unsigned char *)(uintptr_t)desk->y;
    ok(rill_event_destroy(&desk->event));
    for (int i = 0; i < STREAMS; i++) ok(rill_stream_destroy(&desk->streams[i]));
    ok(rill_mem_free(desk->context, desk->x));
    ok(rill_mem_free(desk->context, desk->y));
    ok(rill_context_destroy(&desk->context));
    return result;
}

static void fill(struct desk *desk, int stream, rill_devptr at, uint8_t value)
{
    ok(rill_memset_d8_async(desk->streams[stream], at, value, BYTES));
}

static void copy(struct desk *desk, int stream, rill_devptr to, rill_devptr from)
{
    ok(rill_memcpy_async(desk->streams[stream], to, from, BYTES));
}

static void order(struct desk *desk, int first, int then)
{
    ok(rill_event_record(desk->event, desk->streams[first], 0));
    ok(rill_stream_wait_event(desk->streams[then], desk->event, 0));
}

/* What is copied is written before, and that is promised if data is not NULL. */
static int copy_what_is_filled(rill_platform *platform, void *data)
{
    struct desk desk;
    open_desk(&desk, platform);
    fill(&desk, 0, desk.x, 7);
    if (data) order(&desk, 0, 1);
    copy(&desk, 1, desk.y, desk.x);
    return close_desk(&desk) != 7;
}

static int fill_in_each_stream(rill_platform *platform, void *data)
{
    struct desk desk;
    (void)data;
    open_desk(&desk, platform);
    for (int i = 0; i < STREAMS; i++) fill(&desk, i, desk.y, (uint8_t)(i + 1));
    close_desk(&desk);
    return 0;
}

static int yes = 1;

static rill_explore_report explore(const rill_explore_options *options, rill_explore_fn fn,
                                   void *data)
{
    rill_explore_report report = { .size = sizeof report };
    ok(rill_explore(options, fn, data, &report));
    assert_int_equal(report.size, sizeof report);
    return report;
}

/* ---- Certificates ---------------------------------------------------------------------------- */

static void promised_order_is_one_class(void **state)
{
    (void)state;
    const rill_explore_report report = explore(NULL, copy_what_is_filled, &yes);
    assert_string_equal(report.words, "explored 1 of 1 class in 1 run");
    assert_true(report.complete);
    assert_int_equal(report.failed, 0);
}

static int run_again(const char *schedule, rill_explore_fn fn, void *data)
{
    const rill_sim_options sim = { .size = sizeof sim, .schedule = schedule };
    const rill_open_options options = { .size = sizeof options, .backend = "sim", .sim = &sim };
    rill_platform *platform;
    ok(rill_open(&options, &platform));
    int result = fn(platform, data);
    ok(rill_close(&platform));
    return result;
}

static void a_failing_run_can_be_had_again(void **state)
{
    (void)state;
    const rill_explore_report report = explore(NULL, copy_what_is_filled, NULL);
    assert_string_equal(report.words, "explored 2 of 2 classes in 2 runs");
    assert_true(report.complete);
    assert_int_equal(report.failed, 1);
    assert_int_equal(report.result, 1);
    assert_string_equal(report.schedule, "order:2.1,1.1");
    assert_int_equal(run_again(report.schedule, copy_what_is_filled, NULL), 1);
    assert_int_equal(run_again("order:1.1,2.1", copy_what_is_filled, NULL), 0);
}

static int fill_by_nodes(rill_platform *platform, void *data)
{
    struct desk desk;
    rill_graph *graph;
    rill_exec *exec;
    rill_node node;
    open_desk(&desk, platform);
    ok(rill_graph_create(desk.context, NULL, &graph));
    for (int i = 0; i < 3; i++) {
        const rill_fill what = { .dst = data ? desk.y + 8 * (rill_devptr)i : desk.y,
                                 .value = (uint32_t)i, .element_bytes = 1, .width = 8,
                                 .height = 1 };
        ok(rill_graph_add_memset(graph, NULL, 0, &what, &node));
    }
    ok(rill_exec_create(graph, NULL, &exec));
    ok(rill_exec_launch(exec, desk.streams[0]));
    close_desk(&desk);
    ok(rill_exec_destroy(&exec));
    ok(rill_graph_destroy(&graph));
    return 0;
}

static void nodes_are_steps(void **state)
{
    (void)state;
    rill_explore_report report = explore(NULL, fill_by_nodes, NULL);
    assert_string_equal(report.words, "explored 6 of 6 classes in 6 runs");
    report = explore(NULL, fill_by_nodes, &yes);
    assert_string_equal(report.words, "explored 1 of 1 class in 1 run");
}

static int wait_for_value(rill_platform *platform, void *data)
{
    struct desk desk;
    (void)data;
    open_desk(&desk, platform);
    ok(rill_stream_wait_value32(desk.streams[0], desk.x, 1, RILL_WAIT_GEQ));
    copy(&desk, 0, desk.y, desk.x);
    ok(rill_stream_write_value32(desk.streams[1], desk.x, 1, 0));
    return close_desk(&desk) != 1;
}

static void a_value_that_is_waited_for_orders(void **state)
{
    (void)state;
    const rill_explore_report report = explore(NULL, wait_for_value, NULL);
    assert_int_equal(report.explored, 1);
    assert_int_equal(report.failed, 0);
    assert_true(report.complete);
}

/* ---- Shards ---------------------------------------------------------------------------------- */

static void shards_add_up(void **state)
{
    uint64_t explored = 0;
    (void)state;
    for (uint32_t i = 1; i <= 3; i++) {
        const rill_explore_options options = { .size = sizeof options, .shard = i, .shards = 3 };
        const rill_explore_report report = explore(&options, fill_in_each_stream, NULL);
        assert_int_equal(report.classes, 24);
        assert_true(report.complete);
        explored += report.explored;
    }
    assert_int_equal(explored, 24);
}

/* ---- Bounds ---------------------------------------------------------------------------------- */

static void no_more_runs_than_allowed(void **state)
{
    (void)state;
    const rill_explore_options options = { .size = sizeof options, .runs = 5 };
    const rill_explore_report report = explore(&options, fill_in_each_stream, NULL);
    assert_int_equal(report.runs, 5);
    assert_int_equal(report.bounds, RILL_EXPLORE_RUNS);
    assert_false(report.complete);
    assert_non_null(strstr(report.words, "explored 5 of more than "));
}

static void no_more_steps_than_allowed(void **state)
{
    (void)state;
    const rill_explore_options options = { .size = sizeof options, .steps = 3 };
    const rill_explore_report report = explore(&options, fill_in_each_stream, NULL);
    assert_int_equal(report.runs, 1);
    assert_int_equal(report.bounds, RILL_EXPLORE_STEPS);
    assert_false(report.complete);
}

static int read_without_waiting(rill_platform *platform, void *data)
{
    struct desk desk;
    (void)data;
    open_desk(&desk, platform);
    fill(&desk, 0, desk.y, 1);
    rill_touch_host((void *)(uintptr_t)desk.y, BYTES, RILL_TOUCH_READ);
    close_desk(&desk);
    return 0;
}

static void what_the_host_does_is_not_moved(void **state)
{
    (void)state;
    const rill_explore_report report = explore(NULL, read_without_waiting, NULL);
    assert_int_equal(report.bounds, RILL_EXPLORE_HOST);
    assert_false(report.complete);
}

static int end_at_third(void *data, const rill_explored *explored)
{
    assert_int_equal(explored->run, ++*(uint64_t *)data);
    assert_int_equal(strncmp(explored->schedule, "order", 5), 0);
    return explored->run == 3;
}

static void who_is_told_can_end_it(void **state)
{
    (void)state;
    uint64_t told = 0;
    const rill_explore_options options = { .size = sizeof options, .told = end_at_third };
    const rill_explore_report report = explore(&options, fill_in_each_stream, &told);
    assert_int_equal(report.runs, 3);
    assert_int_equal(report.bounds, RILL_EXPLORE_ENDED);
}

/* ---- Refused --------------------------------------------------------------------------------- */

static rill_context *left;

static int leave_context(rill_platform *platform, void *data)
{
    (void)data;
    ok(rill_context_create(platform, 0, &left));
    return 0;
}

static void a_context_that_is_left_is_refused(void **state)
{
    (void)state;
    rill_explore_report report = { .size = sizeof report };
    assert_int_equal(rill_explore(NULL, leave_context, NULL, &report), RILL_ERROR_ILLEGAL_STATE);
    ok(rill_context_destroy(&left));
}

static void wrong_arguments_are_refused(void **state)
{
    (void)state;
    const rill_sim_options sim = { .size = sizeof sim, .schedule = "early" };
    const rill_open_options opens[] = {
        { .size = sizeof *opens, .backend = "cuda" },
        { .size = sizeof *opens, .layers = "trace" },
        { .size = sizeof *opens, .sim = &sim },
    };
    const rill_explore_options wrong[] = {
        { .size = 1 },
        { .size = sizeof *wrong, .open = &opens[0] },
        { .size = sizeof *wrong, .open = &opens[1] },
        { .size = sizeof *wrong, .open = &opens[2] },
        { .size = sizeof *wrong, .shards = 2 },
        { .size = sizeof *wrong, .shard = 3, .shards = 2 },
        { .size = sizeof *wrong, .steps = 5000 },
    };
    rill_explore_report report = { .size = sizeof report }, small = { .size = 8 };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(rill_explore(&wrong[i], fill_in_each_stream, NULL, &report),
                         RILL_ERROR_INVALID_VALUE);
    assert_int_equal(rill_explore(NULL, NULL, NULL, &report), RILL_ERROR_INVALID_VALUE);
    assert_int_equal(rill_explore(NULL, fill_in_each_stream, NULL, NULL), RILL_ERROR_INVALID_VALUE);
    assert_int_equal(rill_explore(NULL, fill_in_each_stream, NULL, &small),
                     RILL_ERROR_INVALID_VALUE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(promised_order_is_one_class),
        cmocka_unit_test(a_failing_run_can_be_had_again),
        cmocka_unit_test(nodes_are_steps),
        cmocka_unit_test(a_value_that_is_waited_for_orders),
        cmocka_unit_test(shards_add_up),
        cmocka_unit_test(no_more_runs_than_allowed),
        cmocka_unit_test(no_more_steps_than_allowed),
        cmocka_unit_test(what_the_host_does_is_not_moved),
        cmocka_unit_test(who_is_told_can_end_it),
        cmocka_unit_test(a_context_that_is_left_is_refused),
        cmocka_unit_test(wrong_arguments_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
