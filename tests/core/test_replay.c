/* SPDX-License-Identifier: Apache-2.0
 *
 * Replays: what is updated, what is made anew and why, what is kept, what is
 * given up, and what a step that fails leaves behind.
 */
#include "support/cmocka_all.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "core/error.h"
#include "core/replay.h"
#include "support/shim_backend.h"
#include "support/tape_backend.h"

static rill_platform *platform;
static rill_context *context;
static rill_stream *stream, *side;
static rill_devptr memory;
static rill_replay *replay;
static long live_before;

/* ---- The step ----------------------------------------------------------- */

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

static void run(void *data)
{
    runs++;
    last_value = ((const struct value *)data)->value;
}

static void destroy_value(void *data)
{
    destroys++;
    rl_free(data);
}

static rill_status launch_value(rill_stream *into, int value)
{
    struct value *data = rl_alloc(sizeof *data);
    assert_non_null(data);
    data->value = value;
    given++;
    return rill_launch_host(into, run, data, destroy_value);
}

static rill_status enqueue_more(rill_stream *into)
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

static rill_status enqueue(rill_stream *into, void *data)
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

static void destroy_data(void *data)
{
    assert_ptr_equal(data, &plan);
    data_destroys++;
}

/* ---- Reports ------------------------------------------------------------ */

static rill_replay_report seen;
static char seen_text[RILL_ERROR_MESSAGE_MAX];
static int reports;

static void look(void *data, const rill_replay_report *report)
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

static rill_replay_info info(void)
{
    rill_replay_info now = { .size = sizeof now };
    assert_int_equal(rill_replay_get_info(replay, &now), RILL_SUCCESS);
    return now;
}

static rill_replay_options options;

static void create(void)
{
    assert_int_equal(rill_replay_create(context, &options, enqueue, &plan, destroy_data, &replay),
                     RILL_SUCCESS);
}

static void step(rill_replay_outcome outcome)
{
    int before = reports;
    rill_status status = rill_replay_step(replay, stream);
    if (status) fail_msg("%d: %s", (int)status, rill_last_error()->message);
    assert_int_equal(reports, before + 1);
    assert_int_equal(seen.outcome, outcome);
    assert_int_equal(info().outcome, outcome);
    assert_int_equal(seen.step, info().steps);
    assert_int_equal(seen.execs, tape_execs);
    assert_int_equal(rill_last_error()->status, RILL_SUCCESS);
}

static void step_fails(rill_status status)
{
    int before = reports;
    assert_int_equal(rill_replay_step(replay, stream), status);
    assert_int_equal(reports, before);
    assert_int_equal(rill_last_error()->status, status);
    assert_string_equal(rill_last_error()->operation, "rill_replay_step");
    rill_clear_error();
}

static int begin(void **state)
{
    const rill_open_options open = { .size = sizeof open, .backend = "shim" };
    (void)state;
    live_before = rl_alloc_live();
    shim_fail("", 0, RILL_SUCCESS);
    plan = (struct plan){ .hosts = 2 };
    given = runs = destroys = data_destroys = reports = 0;
    tape_graphs = tape_execs = tape_execs_made = 0;
    tape_exec_bytes = 0;
    options = (rill_replay_options){ .size = sizeof options, .report = look, .report_data = &seen,
                                     .label = "decode" };
    if (rill_open(&open, &platform) || rill_context_create(platform, NULL, &context)) return -1;
    if (rill_stream_create(context, NULL, &stream)) return -1;
    if (rill_stream_create(context, NULL, &side)) return -1;
    if (rill_mem_alloc(context, 64, &memory)) return -1;
    rill_clear_error();
    return 0;
}

static int end(void **state)
{
    (void)state;
    shim_restore();
    if (rill_replay_destroy(&replay)) return -1;
    rill_stream_destroy(&side);
    rill_stream_destroy(&stream);
    rill_context_destroy(&context);
    rill_close(&platform);
    if (rl_noted || tape_graphs || tape_execs) return -1;
    return rl_alloc_live() == live_before && data_destroys == 1 ? 0 : -1;
}

/* ---- Updates ------------------------------------------------------------ */

static void one_exec_takes_over_every_step(void **state)
{
    (void)state;
    create();
    step(RILL_REPLAY_INSTANTIATED);
    assert_int_equal(last_value, 1);
    for (int i = 2; i < 20; i++) {
        step(RILL_REPLAY_UPDATED);
        assert_int_equal(last_value, i); /* what this step said, not the first one */
    }
    assert_int_equal(runs, 2 * 19);
    assert_int_equal(destroys, 2 * 18); /* the exec has those of the last step */
    assert_int_equal(tape_execs_made, 1);
    rill_replay_info now = info();
    assert_int_equal(now.steps, 19);
    assert_int_equal(now.updates, 18);
    assert_int_equal(now.instantiations, 1);
    assert_int_equal(now.reinstantiations + now.evictions + now.eager_runs + now.failures, 0);
    assert_string_equal(seen_text, "");
    assert_int_equal(rill_replay_destroy(&replay), RILL_SUCCESS);
    assert_int_equal(destroys, 2 * 19);
}

static void every_shape_has_an_exec(void **state)
{
    (void)state;
    create();
    for (int round = 0; round < 5; round++)
        for (int shape = 0; shape < 4; shape++) {
            plan.hosts = 1 + shape % 2; /* two nodes, and two: in a row, or side by side */
            plan.forked = shape / 2;
            step(round ? RILL_REPLAY_UPDATED : RILL_REPLAY_INSTANTIATED);
        }
    plan.hosts = plan.forked = 0; /* another kind alone is another shape */
    plan.height = 2;
    step(RILL_REPLAY_INSTANTIATED);
    assert_int_equal(info().refusals[RILL_UPDATE_NODE_TYPE_CHANGED], 0);
    assert_int_equal(tape_execs_made, 5);
    assert_int_equal(info().execs, 5);
    assert_int_equal(info().evictions, 0);
    assert_int_equal(info().refusals[RILL_UPDATE_TOPOLOGY_CHANGED], 0); /* none was tried */
}

static void a_refused_update_is_told_and_both_are_kept(void **state)
{
    (void)state;
    create();
    plan.height = 2;
    step(RILL_REPLAY_INSTANTIATED);
    plan.height = 3;
    step(RILL_REPLAY_REINSTANTIATED);
    assert_int_equal(seen.reason, RILL_UPDATE_PARAMETERS_CHANGED);
    assert_non_null(seen.node);
    assert_string_equal(seen_text, "a fill has another height");
    assert_string_equal(info().reason, "a fill has another height");
    assert_int_equal(seen.execs, 2);
    for (int i = 0; i < 6; i++) { /* by turns: each finds its own behind the other's refusal */
        plan.height = 2 + (size_t)i % 2;
        step(RILL_REPLAY_UPDATED);
        assert_int_equal(seen.reason, RILL_UPDATE_SUCCESS);
        assert_string_equal(seen_text, "");
    }
    assert_int_equal(tape_execs_made, 2);
    assert_int_equal(info().reinstantiations, 1);
    assert_int_equal(info().refusals[RILL_UPDATE_PARAMETERS_CHANGED], 7);
}

/* Memory has another address in each capture: the old exec goes, and first. */
static void an_exec_with_memory_is_replaced(void **state)
{
    (void)state;
    create();
    plan.allocates = 1;
    step(RILL_REPLAY_INSTANTIATED);
    for (int i = 0; i < 5; i++) {
        step(RILL_REPLAY_REINSTANTIATED);
        assert_int_equal(seen.reason, RILL_UPDATE_ERROR);
        assert_int_equal(seen.execs, 1);
    }
    assert_int_equal(info().evictions, 0);
}

/* ---- Limits ------------------------------------------------------------- */

static void what_was_used_longest_ago_is_evicted(void **state)
{
    (void)state;
    options.max_execs = 2;
    create();
    plan.hosts = 1;
    step(RILL_REPLAY_INSTANTIATED);
    plan.hosts = 2;
    step(RILL_REPLAY_INSTANTIATED);
    plan.hosts = 1;
    step(RILL_REPLAY_UPDATED);
    plan.hosts = 3;
    step(RILL_REPLAY_INSTANTIATED);
    assert_int_equal(seen.evicted, 1);
    assert_int_equal(seen.execs, 2);
    plan.hosts = 1;
    step(RILL_REPLAY_UPDATED);
    plan.hosts = 2;
    step(RILL_REPLAY_INSTANTIATED);
    assert_int_equal(info().evictions, 2);
    assert_int_equal(tape_execs, 2);
}

static void bytes_are_a_limit_where_they_are_known(void **state)
{
    (void)state;
    options.max_bytes = 250;
    tape_exec_bytes = 100;
    create();
    for (plan.hosts = 1; plan.hosts < 4; plan.hosts++) step(RILL_REPLAY_INSTANTIATED);
    assert_int_equal(seen.evicted, 1);
    assert_int_equal(seen.execs, 2);
    assert_int_equal(seen.bytes, 200);
    tape_exec_bytes = 1000; /* alone beyond the limit: it still has to run */
    plan.hosts = 9;
    step(RILL_REPLAY_INSTANTIATED);
    assert_int_equal(info().execs, 1);
    assert_int_equal(info().bytes, 1000);
    shim_lack("backend->exec->bytes");
    plan.hosts = 1;
    step(RILL_REPLAY_INSTANTIATED);
    assert_int_equal(info().bytes, 0);
}

static void a_replay_can_be_cleared(void **state)
{
    (void)state;
    create();
    step(RILL_REPLAY_INSTANTIATED);
    assert_int_equal(rill_replay_clear(replay), RILL_SUCCESS);
    assert_int_equal(tape_execs, 0);
    assert_int_equal(destroys, 2);
    assert_int_equal(info().execs, 0);
    step(RILL_REPLAY_INSTANTIATED);
}

/* Execs come and go while somebody captures, and do not break that. */
static void execs_come_and_go_in_relaxed_mode(void **state)
{
    (void)state;
    rill_capture_mode mode = RILL_CAPTURE_THREAD_LOCAL;
    rill_thread_exchange_capture_mode(platform, &mode);
    create();
    tape_mode_seen = RILL_CAPTURE_GLOBAL;
    step(RILL_REPLAY_INSTANTIATED);
    assert_int_equal(tape_mode_seen, RILL_CAPTURE_RELAXED);
    tape_mode_seen = RILL_CAPTURE_GLOBAL;
    rill_replay_clear(replay);
    assert_int_equal(tape_mode_seen, RILL_CAPTURE_RELAXED);
    rill_thread_exchange_capture_mode(platform, &mode);
    assert_int_equal(mode, RILL_CAPTURE_THREAD_LOCAL); /* and the thread has its own again */
}

/* ---- Steps that are no graphs ------------------------------------------- */

static void an_empty_step_launches_nothing(void **state)
{
    (void)state;
    create();
    plan.hosts = 0;
    step(RILL_REPLAY_EMPTY);
    assert_int_equal(tape_execs_made, 0);
    assert_int_equal(info().empty_steps, 1);
    assert_non_null(strstr(seen_text, "nothing"));
}

static void without_the_option_a_failed_capture_is_a_failure(void **state)
{
    (void)state;
    create();
    plan.synchronizes = 1;
    step_fails(RILL_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    assert_int_equal(plan.calls, 1);
    assert_int_equal(runs, 0);
    assert_int_equal(destroys, 2);
    assert_int_equal(info().failures, 1);
    plan.synchronizes = 0;
    step(RILL_REPLAY_INSTANTIATED); /* nothing is left of it */
}

static void what_cannot_be_captured_runs_eagerly(void **state)
{
    (void)state;
    options.flags = RILL_REPLAY_OR_EAGER;
    create();
    plan.synchronizes = 1;
    step(RILL_REPLAY_EAGER);
    assert_int_equal(seen.status, RILL_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    assert_non_null(strstr(seen_text, "rill_stream_synchronize failed"));
    assert_null(seen.graph);
    assert_int_equal(plan.calls, 2);
    assert_int_equal(runs, 2);
    assert_int_equal(last_value, 2);
    assert_int_equal(destroys, 4);
    plan.synchronizes = 0;
    step(RILL_REPLAY_INSTANTIATED); /* it is tried again each time */
    assert_int_equal(info().eager_runs, 1);
}

static void a_step_within_a_capture_becomes_part_of_it(void **state)
{
    (void)state;
    rill_graph *graph = NULL;
    size_t count = 0;
    options.flags = RILL_REPLAY_OR_EAGER;
    create();
    assert_int_equal(rill_stream_begin_capture(stream, NULL), RILL_SUCCESS);
    step(RILL_REPLAY_EAGER);
    assert_int_equal(seen.status, RILL_ERROR_ILLEGAL_STATE);
    assert_int_equal(plan.calls, 1); /* no capture began */
    assert_int_equal(rill_stream_end_capture(stream, &graph), RILL_SUCCESS);
    assert_int_equal(rill_graph_nodes(graph, NULL, &count), RILL_SUCCESS);
    assert_int_equal(count, 2);
    assert_int_equal(rill_graph_destroy(&graph), RILL_SUCCESS);
}

static void a_backend_without_execs_runs_eagerly(void **state)
{
    (void)state;
    options.flags = RILL_REPLAY_OR_EAGER;
    create();
    static const char *const tables[] = { "backend->exec", "backend->capture" };
    for (int i = 0; i < 2; i++) {
        shim_lack(tables[i]);
        step(RILL_REPLAY_EAGER);
        assert_int_equal(seen.status, RILL_ERROR_NOT_SUPPORTED);
        assert_int_equal(plan.calls, i + 1);
        shim_restore();
    }
}

static void a_graph_that_no_exec_is_made_of_runs_eagerly(void **state)
{
    (void)state;
    options.flags = RILL_REPLAY_OR_EAGER;
    create();
    shim_fail("backend->exec->create", 1, RILL_ERROR_INVALID_VALUE);
    step(RILL_REPLAY_EAGER);
    assert_int_equal(seen.status, RILL_ERROR_INVALID_VALUE);
    assert_int_equal(runs, 2);
    shim_fail("", 0, RILL_SUCCESS);
}

/* ---- Failures ----------------------------------------------------------- */

static void a_function_that_fails_by_itself_is_not_called_again(void **state)
{
    (void)state;
    options.flags = RILL_REPLAY_OR_EAGER;
    create();
    plan.fails = RILL_ERROR_NOT_FOUND;
    step_fails(RILL_ERROR_NOT_FOUND);
    assert_int_equal(plan.calls, 1);
    assert_int_equal(destroys, 2);
    assert_int_equal(runs, 0);
}

static void an_eager_run_may_fail_too(void **state)
{
    (void)state;
    options.flags = RILL_REPLAY_OR_EAGER;
    create();
    shim_lack("backend->capture");
    plan.fails = RILL_ERROR_NOT_FOUND;
    step_fails(RILL_ERROR_NOT_FOUND);
    assert_int_equal(info().eager_runs, 0);
    assert_int_equal(info().failures, 1);
}

static void failures_of_the_backend_are_passed_on(void **state)
{
    (void)state;
    static const char *const slots[] = { "backend->capture->begin", "backend->capture->end",
                                         "backend->graph->nodes", "backend->graph->edges",
                                         "backend->graph->node_kind", "backend->exec->create",
                                         "backend->exec->launch" };
    create();
    for (size_t i = 0; i < sizeof slots / sizeof *slots; i++) {
        assert_int_equal(rill_replay_clear(replay), RILL_SUCCESS);
        shim_fail(slots[i], 1, RILL_ERROR_UNKNOWN);
        assert_int_equal(rill_replay_step(replay, stream), RILL_ERROR_UNKNOWN);
        assert_non_null(strstr(rill_last_error()->message, slots[i]));
        assert_string_equal(rill_last_error()->object, "replay 'decode'");
        shim_fail("", 0, RILL_SUCCESS);
    }
    assert_int_equal(rill_replay_step(replay, stream), RILL_SUCCESS);
    /* A device that has failed is no refusal; anything else may be. */
    shim_fail("backend->exec->update", 1, RILL_ERROR_LAUNCH_FAILED);
    assert_int_equal(rill_replay_step(replay, stream), RILL_ERROR_LAUNCH_FAILED);
    shim_fail("backend->exec->update", 1, RILL_ERROR_NOT_SUPPORTED);
    rill_clear_error();
    step(RILL_REPLAY_REINSTANTIATED);
    assert_int_equal(seen.reason, RILL_UPDATE_ERROR);
    shim_fail("", 0, RILL_SUCCESS);
}

/* A few steps that meet everything: updates, refusals, evictions, forks. */
static rill_status take_steps(void)
{
    rill_status first = RILL_SUCCESS;
    for (int i = 0; i < 8; i++) {
        plan.hosts = 1 + i % 2;
        plan.forked = i / 2 % 2;
        plan.height = i % 3 ? 2 : 3;
        rill_status status = rill_replay_step(replay, stream);
        if (!first) first = status;
        size_t count = 0;
        rill_stream_unjoined(stream, NULL, &count);
        if (count) rill_stream_join_all(stream); /* outside of a capture, in an eager run */
    }
    return first;
}

static void expect_nothing_lost(long nth, long live)
{
    rill_capture_mode mode = RILL_CAPTURE_GLOBAL;
    rill_replay_clear(replay);
    rl_sketch_drop(&rl_replay_part(replay)->sketch);
    /* What could not be joined in a capture is forgotten at the next fork. */
    assert_int_equal(rill_stream_fork(stream, &side, 1), RILL_SUCCESS);
    assert_int_equal(rill_stream_join_all(stream), RILL_SUCCESS);
    if (destroys != given)
        fail_msg("fault %ld: of %d data %d were destroyed", nth, given, destroys);
    if (tape_graphs || tape_execs) fail_msg("fault %ld: a graph or an exec is left", nth);
    if (rl_alloc_live() != live) fail_msg("fault %ld: memory is left", nth);
    assert_int_equal(rill_stream_query(stream), RILL_SUCCESS); /* no capture is left */
    rill_thread_exchange_capture_mode(platform, &mode);
}

static void fail_every_call(void (*fails)(const char *, long, rill_status), rill_status status)
{
    long nth = 0, live = rl_alloc_live(), failures = 0;
    int failed;
    do {
        fails("backend->", ++nth, status);
        rill_status seen_status = take_steps();
        failed = shim_failed();
        shim_fail("", 0, RILL_SUCCESS);
        if (seen_status) {
            assert_int_equal(seen_status, status);
            failures++;
        }
        expect_nothing_lost(nth, live);
    } while (failed);
    print_message("# %ld calls failed, %ld were failures of steps\n", nth - 1, failures);
    assert_true(failures > 50);
}

static void whatever_call_fails_nothing_is_lost(void **state)
{
    (void)state;
    options.max_execs = 3;
    options.report = NULL;
    create();
    fail_every_call(shim_fail, RILL_ERROR_UNKNOWN);
    fail_every_call(shim_fail, RILL_ERROR_LAUNCH_FAILED);
    fail_every_call(shim_fail_from, RILL_ERROR_UNKNOWN);
}

static void no_allocation_is_missed(void **state)
{
    (void)state;
    int failures = 0;
    create();
    step(RILL_REPLAY_INSTANTIATED); /* the text of errors is there */
    plan.hosts = 0;                 /* whose data is the test's to allocate */
    plan.height = 2;
    for (long nth = 0;; nth++) {
        rill_replay_clear(replay);
        rl_alloc_fail_after(nth);
        rill_status status = rill_replay_step(replay, stream);
        rl_alloc_fail_after(-1);
        if (!status) break;
        assert_int_equal(status, RILL_ERROR_OUT_OF_MEMORY);
        assert_int_equal(rill_last_error()->status, RILL_ERROR_OUT_OF_MEMORY);
        assert_int_equal(tape_execs, 0);
        assert_int_equal(tape_graphs, 0);
        failures++;
    }
    assert_true(failures >= 4);
}

/* ---- One at a time ------------------------------------------------------ */

static void step_within_a_step(void)
{
    rill_replay *same = replay;
    assert_int_equal(rill_replay_step(replay, stream), RILL_ERROR_ILLEGAL_STATE);
    assert_string_equal(rill_last_error()->argument, "replay");
    assert_int_equal(rill_replay_clear(replay), RILL_ERROR_ILLEGAL_STATE);
    assert_int_equal(rill_replay_destroy(&same), RILL_ERROR_ILLEGAL_STATE);
    assert_ptr_equal(same, replay); /* it stays */
    assert_int_equal(info().steps, 1);
    rill_clear_error();
}

static void a_step_within_a_step_is_refused(void **state)
{
    (void)state;
    create();
    plan.does = step_within_a_step;
    step(RILL_REPLAY_INSTANTIATED);
}

static void destroy_the_stream(void)
{
    assert_int_equal(rill_stream_destroy(&stream), RILL_SUCCESS);
}

static void a_step_may_destroy_its_stream(void **state)
{
    (void)state;
    options.flags = RILL_REPLAY_OR_EAGER;
    create();
    plan.does = destroy_the_stream;
    step_fails(RILL_ERROR_ILLEGAL_STATE);
    assert_int_equal(plan.calls, 1);
}

static void destroy_the_context(void)
{
    assert_int_equal(rill_context_destroy(&context), RILL_SUCCESS);
}

static void a_step_may_destroy_its_context(void **state)
{
    (void)state;
    options.flags = RILL_REPLAY_OR_EAGER;
    create();
    step(RILL_REPLAY_INSTANTIATED);
    plan.does = destroy_the_context;
    assert_int_equal(rill_replay_step(replay, stream), RILL_ERROR_ILLEGAL_STATE);
    plan.does = NULL;
    assert_int_equal(rill_replay_step(replay, stream), RILL_ERROR_CONTEXT_IS_DESTROYED);
}

/* ---- Making ------------------------------------------------------------- */

static void refused_options(const char *argument)
{
    rill_replay *made = NULL;
    int before = data_destroys;
    assert_int_equal(rill_replay_create(context, &options, enqueue, &plan, destroy_data, &made),
                     RILL_ERROR_INVALID_VALUE);
    assert_string_equal(rill_last_error()->argument, argument);
    assert_null(made);
    assert_int_equal(data_destroys, before + 1); /* exactly once, also then */
}

static void bad_options_are_refused(void **state)
{
    (void)state;
    const rill_replay_options good = options;
    options.flags = 2;
    refused_options("options->flags");
    options = good;
    options.exec_flags = RILL_EXEC_UPLOAD;
    refused_options("options->exec_flags");
    options = good;
    options.mode = (rill_capture_mode)3;
    refused_options("options->mode");
    options = good;
    options.size--;
    refused_options("options->size");
    options = good;
    rl_alloc_fail_after(0);
    assert_int_equal(rill_replay_create(context, &options, enqueue, &plan, destroy_data, &replay),
                     RILL_ERROR_OUT_OF_MEMORY);
    rl_alloc_fail_after(-1);
    assert_int_equal(data_destroys, 5);
    data_destroys = 0;
    create();
    assert_int_equal(rill_replay_step((rill_replay *)stream, stream), RILL_ERROR_INVALID_HANDLE);
    assert_int_equal(rill_replay_step(replay, NULL), RILL_ERROR_INVALID_HANDLE);
    assert_string_equal(rill_last_error()->argument, "stream");
    assert_string_equal(rill_replay_label(replay), "decode");
}

static int open_backend(void **state)
{
    (void)state;
    return rill_backend_register(shim_backend(tape_backend(), "shim"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(one_exec_takes_over_every_step),
        TEST(every_shape_has_an_exec),
        TEST(a_refused_update_is_told_and_both_are_kept),
        TEST(an_exec_with_memory_is_replaced),
        TEST(what_was_used_longest_ago_is_evicted),
        TEST(bytes_are_a_limit_where_they_are_known),
        TEST(a_replay_can_be_cleared),
        TEST(execs_come_and_go_in_relaxed_mode),
        TEST(an_empty_step_launches_nothing),
        TEST(without_the_option_a_failed_capture_is_a_failure),
        TEST(what_cannot_be_captured_runs_eagerly),
        TEST(a_step_within_a_capture_becomes_part_of_it),
        TEST(a_backend_without_execs_runs_eagerly),
        TEST(a_graph_that_no_exec_is_made_of_runs_eagerly),
        TEST(a_function_that_fails_by_itself_is_not_called_again),
        TEST(an_eager_run_may_fail_too),
        TEST(failures_of_the_backend_are_passed_on),
        TEST(whatever_call_fails_nothing_is_lost),
        TEST(no_allocation_is_missed),
        TEST(a_step_within_a_step_is_refused),
        TEST(a_step_may_destroy_its_stream),
        TEST(a_step_may_destroy_its_context),
        TEST(bad_options_are_refused),
    };
    return cmocka_run_group_tests(tests, open_backend, NULL);
}
