/* SPDX-License-Identifier: Apache-2.0
 *
 * Execs that are changed while launches of them are pending or running: each
 * launch does what held when it was made.
 */
#include "conformance/execs/exec_work.h"

/* update.queued_launches */
static void a_launch_does_what_held_when_it_was_made(void **state)
{
    struct trial t = trial(state);
    atomic_int a = 0, b = 0;
    rill_graph *g = new_graph(t.f), *child = new_graph(t.f), *other = new_graph(t.f);
    add_kernel(&t, child, NULL, word(&t, 6), 1, 1);
    add_kernel(&t, other, NULL, word(&t, 6), 1, 100);
    rill_node kernel = add_kernel(&t, g, NULL, t.words, 10, 1);
    rill_node fill = add(g, kernel, fill_op(word(&t, 1), 2, 1));
    rill_op from4 = copy_op(rill_device_place(word(&t, 2)), rill_device_place(word(&t, 4)), 4);
    rill_op from5 = copy_op(rill_device_place(word(&t, 2)), rill_device_place(word(&t, 5)), 4);
    rill_node copy = add(g, fill, from4);
    rill_node host = add(g, copy, host_op(count_up, &a));
    rill_op op = { .kind = RILL_OP_GRAPH, .graph = { .graph = child } };
    rill_node inside = add(g, host, op);
    poke(t.f, word(&t, 4), 5);
    poke(t.f, word(&t, 5), 6);
    rill_exec *exec = new_exec(t.f, g);
    struct gate *closed = gate(t.f, t.stream);
    ok(rill_exec_launch(exec, t.stream));
    ok(set_kernel(&t, exec, kernel, t.words, 10, 2));
    ok(set_op(exec, fill, fill_op(word(&t, 3), 3, 1)));
    ok(set_op(exec, copy, from5));
    ok(set_op(exec, host, host_op(add_hundred, &b)));
    op.graph.graph = other;
    ok(set_op(exec, inside, op));
    held(t.stream);
    open_gate(closed);
    ok(rill_stream_synchronize(t.stream));
    assert_int_equal(peek(t.f, t.words), 1);
    assert_int_equal(peek(t.f, word(&t, 6)), 1);
    comes_to(&a, 1);
    goes(&t, exec, 12, 2, 6, 3, 5, 6, 101);
    comes_to(&a, 1);
    comes_to(&b, 100);
}

/* Changes and launches by turns, all of them pending at first. */
static void many_changes_wait_for_their_launches(void **state)
{
    struct trial t = trial(state);
    rill_node node;
    rill_exec *exec = new_exec(t.f, one_kernel(&t, 10, 1, &node));
    struct gate *closed = gate(t.f, t.stream);
    int enabled = 9;
    ok(rill_exec_launch(exec, t.stream));             /* 1 */
    ok(set_kernel(&t, exec, node, t.words, 10, 9));
    ok(set_kernel(&t, exec, node, t.words, 10, 2));
    ok(rill_exec_launch(exec, t.stream));             /* 2 */
    ok(rill_exec_set_enabled(exec, node, 0));
    ok(rill_exec_get_enabled(exec, node, &enabled));
    assert_int_equal(enabled, 0);
    ok(rill_exec_launch(exec, t.stream));
    updates(exec, one_kernel(&t, 10, 8, NULL));
    updates(exec, one_kernel(&t, 10, 3, NULL));
    ok(rill_exec_set_enabled(exec, node, 1));
    ok(rill_exec_launch(exec, t.stream));             /* 3 */
    ok(set_kernel(&t, exec, node, t.words, 10, 4));
    rill_graph *other = new_graph(t.f);
    rill_node odd = add(other, NULL, empty_op());
    update_refused(exec, other, RILL_UPDATE_NODE_TYPE_CHANGED, odd);
    ok(rill_exec_launch(exec, t.stream));             /* 4 */
    ok(set_kernel(&t, exec, node, t.words, 10, 5));   /* for nobody */
    open_gate(closed);
    ok(rill_stream_synchronize(t.stream));
    assert_int_equal(peek(t.f, t.words), 1234);
    goes(&t, exec, 12345);
}

/* update.whole_launch_sequence */
static void each_launch_has_its_graph(void **state)
{
    struct trial t = trial(state);
    for (int gated = 0; gated < 2; gated++) {
        rill_exec *exec = NULL;
        struct gate *closed = gated ? gate(t.f, t.stream) : NULL;
        zero_words(&t);
        for (uint32_t i = 1; i <= 8; i++) {
            rill_graph *g = one_kernel(&t, 10, i, NULL);
            if (exec) updates(exec, g);
            else ok(rill_exec_create(g, NULL, &exec));
            forget(t.f, g);
            ok(rill_graph_destroy(&g));
            ok(rill_exec_launch(exec, t.stream));
        }
        ok(rill_exec_destroy(&exec));
        if (closed) open_gate(closed);
        ok(rill_stream_synchronize(t.stream));
        assert_int_equal(peek(t.f, t.words), 12345678);
    }
}

/* ---- In the midst of a launch ----------------------------------------------------- */

struct hold {
    atomic_int runs, open;
};

static void wait_until_open(void *data)
{
    struct hold *hold = data;
    atomic_fetch_add(&hold->runs, 1);
    for (uint64_t end = fixture_patience(); !atomic_load(&hold->open) && fixture_before(end);)
        continue;
}

static void await_run(struct hold *hold)
{
    for (uint64_t end = fixture_patience(); !atomic_load(&hold->runs);)
        if (!fixture_before(end)) fail_msg("the launch does not begin");
}

static rill_graph *held_kernel(const struct trial *t, struct hold *hold, uint32_t a,
                               rill_node *node)
{
    rill_graph *g = new_graph(t->f);
    rill_node first = add(g, NULL, host_op(wait_until_open, hold));
    *node = add_kernel(t, g, first, t->words, 10, a);
    return g;
}

/* update.set_while_running, update.whole_while_running */
static void a_launch_that_runs_is_left_alone(void **state)
{
    struct trial t = trial(state);
    rill_stream *second = new_non_blocking(t.f);
    struct hold hold = { 0 };
    rill_node node, other;
    rill_exec *exec = new_exec(t.f, held_kernel(&t, &hold, 1, &node));
    ok(rill_exec_launch(exec, t.stream));
    await_run(&hold);
    ok(set_kernel(&t, exec, node, t.words, 10, 9));
    ok(rill_exec_set_enabled(exec, node, 0));
    ok(rill_exec_set_enabled(exec, node, 1));
    rill_graph *g = held_kernel(&t, &hold, 2, &other);
    updates(exec, g);
    ok(rill_exec_launch(exec, second));
    held(second);
    comes_to(&hold.runs, 1);
    forget(t.f, g);
    ok(rill_graph_destroy(&g));
    atomic_store(&hold.open, 1);
    ok(rill_stream_synchronize(second));
    assert_int_equal(peek(t.f, t.words), 12);
}

/* What a change replaces is given back when no launch can need it any more; what
 * nobody was to see, at the end. */
static void what_is_replaced_goes_after_its_launch(void **state)
{
    struct trial t = trial(state);
    static atomic_int counts[3];
    rill_op op = { .kind = RILL_OP_HOST, .host = { .fn = add_hundred, .destroy = count_up } };
    rill_graph *g = new_graph(t.f);
    for (int i = 0; i < 3; i++) atomic_store(&counts[i], 0);
    op.host.data = &counts[0];
    rill_node node = add(g, NULL, op);
    rill_exec *exec = new_exec(t.f, g);
    struct gate *closed = gate(t.f, t.stream);
    ok(rill_exec_launch(exec, t.stream));
    op.host.data = &counts[1];
    ok(set_op(exec, node, op));
    forget(t.f, g);
    ok(rill_graph_destroy(&g));
    ok(rill_exec_launch(exec, t.stream));
    op.host.data = &counts[2];
    g = new_graph(t.f);
    add(g, NULL, op);
    updates(exec, g);
    forget(t.f, g);
    ok(rill_graph_destroy(&g));
    forget(t.f, exec);
    ok(rill_exec_destroy(&exec));
    for (int i = 0; i < 2; i++) assert_int_equal(atomic_load(&counts[i]), 0);
    open_gate(closed);
    ok(rill_stream_synchronize(t.stream));
    ok(rill_context_synchronize(t.f->context));
    if (!suite->expects.gives_back_unasked) return;
    comes_to(&counts[0], 101);
    comes_to(&counts[1], 101);
    comes_to(&counts[2], 1);
}

/* One thread launches and changes, workers run: nothing is lost or mixed up. */
static void changes_beside_running_launches_add_up(void **state)
{
    struct trial t = trial(state);
    rill_node nodes[8];
    rill_graph *graphs[2] = { chain(&t, 8, 1, 1, nodes), chain(&t, 8, 1, 3, NULL) };
    rill_exec *exec = new_exec(t.f, graphs[0]);
    uint32_t sum = 0, each = 1;
    for (int i = 0; i < 400; i++) {
        if (i % 3 == 0) {
            updates(exec, graphs[i & 1]);
            each = i & 1 ? 3 : 1;
        }
        ok(set_kernel(&t, exec, nodes[i % 8], t.words, 1, 10));
        ok(rill_exec_set_enabled(exec, nodes[(i + 1) % 8], i & 1));
        ok(rill_exec_launch(exec, t.stream));
        ok(rill_exec_set_enabled(exec, nodes[(i + 1) % 8], 1));
        ok(set_kernel(&t, exec, nodes[i % 8], t.words, 1, each));
        sum += 10 + 6 * each + (i & 1 ? each : 0);
    }
    ok(rill_stream_synchronize(t.stream));
    assert_int_equal(peek(t.f, t.words), sum);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_launch_does_what_held_when_it_was_made),
    cmocka_unit_test(many_changes_wait_for_their_launches),
    cmocka_unit_test(each_launch_has_its_graph),
    cmocka_unit_test(a_launch_that_runs_is_left_alone),
    cmocka_unit_test(what_is_replaced_goes_after_its_launch),
    cmocka_unit_test(changes_beside_running_launches_add_up),
};

SUITE_GROUP(exec_running, 1);
