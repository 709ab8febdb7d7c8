/* SPDX-License-Identifier: Apache-2.0
 *
 * Short memory: a call says so, or what was submitted runs as it should.
 */
#include "sim/schedule/steered.h"

#include "support/shortage.h"

/* Submits a function, unless memory is short.  Returns whether it did. */
static bool submits(rill_stream *stream, char which)
{
    rill_status status = rill_launch_host(stream, run_letter, letter_data(which), NULL);
    assert_true(!status || status == RILL_ERROR_OUT_OF_MEMORY);
    return !status;
}

/* What is submitted runs, in its order, whichever allocation fails. */
static void play_short(const char *spec, long after)
{
    enum { STREAMS = 6, ROUNDS = 12 };
    struct steered s;
    int wanted = 0;
    open_steered(&s, spec, STREAMS);
    rill_graph *graph = machine_graph(s.context);
    for (int i = 0; i < 40; i++)
        ok(rill_graph_add_host(graph, NULL, 0, run_letter, letter_data('g'), NULL,
                               &(rill_node){ NULL }));
    rl_alloc_fail_after(after);
    rill_exec *exec = NULL;
    rill_status status = rill_exec_create(graph, NULL, &exec);
    assert_true(!status || status == RILL_ERROR_OUT_OF_MEMORY);
    if (exec && !rill_exec_launch(exec, s.streams[0])) wanted += 40;
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < STREAMS; i++) wanted += submits(s.streams[i], (char)('a' + i));
    wait_all(&s);
    rl_alloc_fail_after(-1);
    assert_int_equal(atomic_load(&ran_count), wanted);
    if (exec) ok(rill_exec_destroy(&exec));
    ok(rill_graph_destroy(&graph));
    close_steered(&s);
}

static void what_was_submitted_runs(void **state)
{
    static const char *const policies[] = { "early", "late", "serial", "random:1", "pct:1:3" };
    (void)state;
    for (int p = 0; p < 5; p++)
        for (long after = 0; after < 40; after++) play_short(policies[p], after);
}

static void opening_says_it_and_leaves_nothing(void **state)
{
    const rill_sim_options sim = { .size = sizeof sim, .schedule = "replay:1.1,1.2" };
    const rill_open_options options = { .size = sizeof options, .backend = "sim", .sim = &sim };
    (void)state;
    unsetenv("RILL_SIM_SCHEDULE_TRAIL");
    for (long after = 0;; after++) {
        rill_platform *platform = NULL;
        long live = rl_alloc_live();
        rl_alloc_fail_after(after);
        rill_status status = rill_open(&options, &platform);
        bool left = shortage_is_left(after);
        if (!status) ok(rill_close(&platform));
        assert_true(comes_down_to(live));
        if (left) break;
        assert_true(!status || status == RILL_ERROR_OUT_OF_MEMORY ||
                    status == RILL_ERROR_OPERATING_SYSTEM);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_submitted_runs),
        cmocka_unit_test(opening_says_it_and_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
