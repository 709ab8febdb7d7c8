/* SPDX-License-Identifier: Apache-2.0
 *
 * Replays of steps that are no graphs, that fail, and that are taken within each other.
 */
#include "core/replays.h"

/* ---- Reports --------------------------------------------------------------- */

static void step_fails(rill_status status)
{
    int before = reports;
    assert_int_equal(rill_replay_step(replay, stream), status);
    assert_int_equal(reports, before);
    assert_int_equal(rill_last_error()->status, status);
    assert_string_equal(rill_last_error()->operation, "rill_replay_step");
    rill_clear_error();
}

/* ---- Steps that are no graphs ---------------------------------------------- */

static void an_empty_step_launches_nothing(void **state)
{
    (void)state;
    create();
    plan.hosts = 0;
    step(RILL_REPLAY_EMPTY);
    assert_int_equal(fake_record.execs_made, 0);
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

/* ---- Failures -------------------------------------------------------------- */

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
    if (fake_record.graphs || fake_record.execs)
        fail_msg("fault %ld: a graph or an exec is left", nth);
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
        assert_int_equal(fake_record.execs, 0);
        assert_int_equal(fake_record.graphs, 0);
        failures++;
    }
    assert_true(failures >= 4);
}

/* ---- One at a time --------------------------------------------------------- */

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

static rill_context *other;

static void destroy_the_other_context(void)
{
    assert_int_equal(rill_context_destroy(&other), RILL_SUCCESS);
}

/* The per-thread stream goes with its context at once, while the replay is of another. */
static void a_step_may_destroy_the_context_of_its_stream_alone(void **state)
{
    (void)state;
    const rill_context_options own = { .size = sizeof own, .flags = RILL_CONTEXT_OWN };
    options.flags = RILL_REPLAY_OR_EAGER;
    create();
    assert_int_equal(rill_context_create(platform, &own, &other), RILL_SUCCESS);
    plan.does = destroy_the_other_context;
    assert_int_equal(rill_replay_step(replay, rill_stream_per_thread(other)),
                     RILL_ERROR_ILLEGAL_STATE);
    assert_int_equal(plan.calls, 1);
    rill_clear_error();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
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
        TEST(a_step_may_destroy_the_context_of_its_stream_alone),
    };
    return cmocka_run_group_tests(tests, open_backend, NULL);
}
