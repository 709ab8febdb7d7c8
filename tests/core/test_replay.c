/* SPDX-License-Identifier: Apache-2.0
 *
 * Replays: when an exec is updated, when another one is made, and how many are kept.
 */
#include "core/replays.h"

/* ---- Updates --------------------------------------------------------------- */

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
    assert_int_equal(fake_record.execs_made, 1);
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
    assert_int_equal(fake_record.execs_made, 5);
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
    assert_int_equal(fake_record.execs_made, 2);
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

/* ---- Limits ---------------------------------------------------------------- */

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
    assert_int_equal(fake_record.execs, 2);
}

static void bytes_are_a_limit_where_they_are_known(void **state)
{
    (void)state;
    options.max_bytes = 250;
    fake_exec_bytes = 100;
    create();
    for (plan.hosts = 1; plan.hosts < 4; plan.hosts++) step(RILL_REPLAY_INSTANTIATED);
    assert_int_equal(seen.evicted, 1);
    assert_int_equal(seen.execs, 2);
    assert_int_equal(seen.bytes, 200);
    fake_exec_bytes = 1000; /* alone beyond the limit: it still has to run */
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
    assert_int_equal(fake_record.execs, 0);
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
    fake_record.mode = RILL_CAPTURE_GLOBAL;
    step(RILL_REPLAY_INSTANTIATED);
    assert_int_equal(fake_record.mode, RILL_CAPTURE_RELAXED);
    fake_record.mode = RILL_CAPTURE_GLOBAL;
    rill_replay_clear(replay);
    assert_int_equal(fake_record.mode, RILL_CAPTURE_RELAXED);
    rill_thread_exchange_capture_mode(platform, &mode);
    assert_int_equal(mode, RILL_CAPTURE_THREAD_LOCAL); /* and the thread has its own again */
}

/* ---- Making ---------------------------------------------------------------- */

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
        TEST(bad_options_are_refused),
    };
    return cmocka_run_group_tests(tests, open_backend, NULL);
}
