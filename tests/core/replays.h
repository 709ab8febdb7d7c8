/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests of replays: a step to replay, on a fake backend.
 */
#ifndef REPLAYS_H
#define REPLAYS_H

#include "support/cmocka_all.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "core/object/error.h"
#include "core/replay/replay.h"
#include "support/fake/fake.h"
#include "support/shim_backend.h"

static struct fake_tables fake; /* behind the shim */
static rill_platform *platform;
static rill_context *context;
static rill_stream *stream, *side;
static rill_devptr memory;
static rill_replay *replay;
static long live_before;

/* ---- The step -------------------------------------------------------------- */

/* What it does is said before it is made. */
static struct plan {
    int hosts;            /* host functions, one behind the other      */
    int forked;           /* ... and one in another stream, beside     */
    size_t height;        /* of a fill; 0: none                        */
    int allocates;        /* and does not free                         */
    int synchronizes;     /* which no capture stands                   */
    rill_status fails;    /* at the end                                */
    void (*does)(void);   /* at the end                                */
    int calls;
} plan;

static int given, runs, destroys, data_destroys, last_value;

struct value {
    int value;
};

static inline void run(void *data)
{
    runs++;
    last_value = ((const struct value *)data)->value;
}

static inline void destroy_value(void *data)
{
    destroys++;
    rl_free(data);
}

static inline rill_status launch_value(rill_stream *into, int value)
{
    struct value *data = rl_alloc(sizeof *data);
    assert_non_null(data);
    data->value = value;
    given++;
    return rill_launch_host(into, run, data, destroy_value);
}

static inline rill_status enqueue_more(rill_stream *into)
{
    rill_status status = RILL_SUCCESS;
    if (plan.height) {
        const rill_fill fill = { .dst = memory, .element_bytes = 1, .width = 1,
                                 .height = plan.height, .pitch = 4 };
        status = rill_memset_box_async(into, &fill);
    }
    if (!status && plan.allocates) {
        rill_devptr address;
        status = rill_mem_alloc_async(into, 64, &address);
    }
    return status;
}

static inline rill_status enqueue(rill_stream *into, void *data)
{
    rill_status status = RILL_SUCCESS;
    assert_ptr_equal(data, &plan);
    plan.calls++;
    if (plan.forked) status = rill_stream_fork(into, &side, 1);
    if (!status && plan.forked) status = launch_value(side, plan.calls);
    for (int i = 0; !status && i < plan.hosts; i++) status = launch_value(into, plan.calls);
    if (!status && plan.forked) status = rill_stream_join(into, &side, 1);
    if (!status) status = enqueue_more(into);
    if (!status && plan.synchronizes) status = rill_stream_synchronize(into);
    if (plan.does) plan.does();
    return status ? status : plan.fails;
}

static inline void destroy_data(void *data)
{
    assert_ptr_equal(data, &plan);
    data_destroys++;
}

/* ---- Reports --------------------------------------------------------------- */

static rill_replay_report seen;
static char seen_text[RILL_ERROR_MESSAGE_MAX];
static int reports;

static inline void look(void *data, const rill_replay_report *report)
{
    size_t nodes = 0;
    assert_ptr_equal(data, &seen);
    seen = *report;
    reports++;
    snprintf(seen_text, sizeof seen_text, "%s", report->text);
    if (report->graph) assert_int_equal(rill_graph_nodes(report->graph, NULL, &nodes), 0);
    assert_int_equal(rill_stream_query(NULL), RILL_ERROR_INVALID_HANDLE); /* fails, in between */
    rill_clear_error();
}

static inline rill_replay_info info(void)
{
    rill_replay_info now = { .size = sizeof now };
    assert_int_equal(rill_replay_get_info(replay, &now), RILL_SUCCESS);
    return now;
}

static rill_replay_options options;

static inline void create(void)
{
    assert_int_equal(rill_replay_create(context, &options, enqueue, &plan, destroy_data, &replay),
                     RILL_SUCCESS);
}

static inline void step(rill_replay_outcome outcome)
{
    int before = reports;
    rill_status status = rill_replay_step(replay, stream);
    if (status) fail_msg("%d: %s", (int)status, rill_last_error()->message);
    assert_int_equal(reports, before + 1);
    assert_int_equal(seen.outcome, outcome);
    assert_int_equal(info().outcome, outcome);
    assert_int_equal(seen.step, info().steps);
    assert_int_equal(seen.execs, fake_record.execs);
    assert_int_equal(rill_last_error()->status, RILL_SUCCESS);
}

static inline int begin(void **state)
{
    const rill_open_options open = { .size = sizeof open, .backend = "shim" };
    (void)state;
    live_before = rl_alloc_live();
    shim_fail("", 0, RILL_SUCCESS);
    plan = (struct plan){ .hosts = 2 };
    given = runs = destroys = data_destroys = reports = 0;
    memset(&fake_record, 0, sizeof fake_record);
    fake_exec_bytes = 0;
    options = (rill_replay_options){ .size = sizeof options, .report = look, .report_data = &seen,
                                     .label = "decode" };
    if (rill_open(&open, &platform) || rill_context_create(platform, NULL, &context)) return -1;
    if (rill_stream_create(context, NULL, &stream)) return -1;
    if (rill_stream_create(context, NULL, &side)) return -1;
    if (rill_mem_alloc(context, 64, &memory)) return -1;
    rill_clear_error();
    return 0;
}

static inline int end(void **state)
{
    (void)state;
    shim_restore();
    if (rill_replay_destroy(&replay)) return -1;
    rill_stream_destroy(&side);
    rill_stream_destroy(&stream);
    rill_context_destroy(&context);
    rill_close(&platform);
    if (rl_noted || fake_record.graphs || fake_record.execs) return -1;
    return rl_alloc_live() == live_before && data_destroys == 1 ? 0 : -1;
}

/* ---- Setting up ------------------------------------------------------------ */

static inline int open_backend(void **state)
{
    (void)state;
    return rill_backend_register(shim_backend(fake_build(&fake, "full", FAKE_ALL), "shim"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

#endif
