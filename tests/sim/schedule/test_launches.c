/* SPDX-License-Identifier: Apache-2.0
 *
 * What policies promise among the nodes of a launch: each runs once, after its predecessors, and in
 * any order that is left.
 */
#include "sim/schedule/steered.h"

#include "support/random.h"

static rill_node host_node(rill_graph *graph, const rill_node *before, size_t count,
                           rill_host_fn fn, void *data)
{
    rill_node node = NULL;
    ok(rill_graph_add_host(graph, before, count, fn, data, NULL, &node));
    return node;
}

static rill_exec *exec_of(rill_graph *graph)
{
    rill_exec *exec = NULL;
    ok(rill_exec_create(graph, NULL, &exec));
    return exec;
}

/* ---- Order ------------------------------------------------------------------------------ */

enum { NODES_MOST = 24 };

/* A graph in which each node knows what it may not run before. */
struct web {
    struct web_node {
        struct web *web;
        uint32_t before; /* a bit for each predecessor */
        int bit;
    } nodes[NODES_MOST];
    uint32_t done;
    uint64_t order;      /* a hash of it */
    int runs, wrong;
};

static void run_web_node(void *data)
{
    struct web_node *node = data;
    struct web *web = node->web;
    uint32_t bit = 1u << node->bit;
    if (web->done & bit || (web->done & node->before) != node->before) web->wrong++;
    web->done |= bit;
    web->order = web->order * 31 + (uint64_t)node->bit;
    web->runs++;
}

static rill_exec *draw_web(struct web *web, struct steered *s, struct dice *dice, int count)
{
    rill_graph *graph = machine_graph(s->context);
    rill_node made[NODES_MOST], before[NODES_MOST];
    for (int i = 0; i < count; i++) {
        size_t edges = 0;
        web->nodes[i] = (struct web_node){ web, 0, i };
        for (int j = 0; j < i; j++) {
            if (dice_below(dice, 4)) continue;
            before[edges++] = made[j];
            web->nodes[i].before |= 1u << j;
        }
        made[i] = host_node(graph, before, edges, run_web_node, &web->nodes[i]);
    }
    rill_exec *exec = exec_of(graph);
    ok(rill_graph_destroy(&graph));
    return exec;
}

/* One random graph of so many nodes, or a random number of them, under one policy, launched three
 * times in two streams.  Returns a hash of the order. */
static uint64_t web_under(const char *spec, uint64_t seed, int count)
{
    struct steered s;
    struct web web = { .order = 0 };
    struct dice dice = { seed };
    uint64_t orders = 0;
    if (!count) count = 1 + dice_below(&dice, NODES_MOST);
    open_steered(&s, spec, 2);
    rill_exec *exec = draw_web(&web, &s, &dice, count);
    for (int launch = 0; launch < 3; launch++) {
        web.done = 0;
        ok(rill_exec_launch(exec, s.streams[launch % 2]));
        ok(rill_stream_synchronize(s.streams[launch % 2]));
        assert_int_equal(web.done, (1u << count) - 1);
        orders = orders * 1000003 + web.order;
    }
    assert_int_equal(web.runs, 3 * count);
    assert_int_equal(web.wrong, 0);
    ok(rill_exec_destroy(&exec));
    close_steered(&s);
    return orders;
}

static void each_node_runs_once_and_after_its_predecessors(void **state)
{
    (void)state;
    for (int i = 0; i < scaled(150); i++) {
        static const char *const policies[][2] = {
            { "random:", "" },  { "pct:", ":3" },    { "pct:", ":12" },
            { "starve:", "" },  { "replay:1.1.", ",1.2.0,2.1.1" },
        };
        char spec[32];
        snprintf(spec, sizeof spec, "%s%d%s", policies[i % 5][0], i, policies[i % 5][1]);
        web_under(spec, (uint64_t)i + 1, 0);
    }
    for (int i = 0; i < 5; i++) {
        web_under("early", (uint64_t)i, 0);
        web_under("late", (uint64_t)i, 0);
        web_under("serial", (uint64_t)i, 0);
    }
}

static void seeds_order_nodes_and_the_same_seed_does_it_again(void **state)
{
    uint64_t orders[16];
    int different = 0;
    (void)state;
    for (int i = 0; i < 16; i++) {
        char spec[32];
        snprintf(spec, sizeof spec, "%s:%d%s", i < 8 ? "random" : "pct", i, i < 8 ? "" : ":3");
        orders[i] = web_under(spec, 7, NODES_MOST);
        assert_true(web_under(spec, 7, NODES_MOST) == orders[i]);
        int same = 0;
        while (same < i && orders[same] != orders[i]) same++;
        different += same == i;
    }
    assert_true(different >= 12);
}

/* All orders of three nodes that nothing orders are seen. */
static void a_missing_edge_shows(void **state)
{
    uint32_t seen = 0;
    (void)state;
    for (int seed = 0; seed < 60; seed++) {
        struct steered s;
        char spec[32];
        snprintf(spec, sizeof spec, "random:%d", seed);
        open_steered(&s, spec, 1);
        rill_graph *graph = machine_graph(s.context);
        for (int i = 0; i < 3; i++) host_node(graph, NULL, 0, run_letter, letter_data("abc"[i]));
        rill_exec *exec = exec_of(graph);
        ok(rill_exec_launch(exec, s.streams[0]));
        ok(rill_stream_synchronize(s.streams[0]));
        seen |= 1u << ((ran[0] - 'a') * 3 + (ran[1] - 'a'));
        ok(rill_exec_destroy(&exec));
        ok(rill_graph_destroy(&graph));
        close_steered(&s);
    }
    assert_int_equal(__builtin_popcount(seen), 6);
}

/* ---- Holds ------------------------------------------------------------------------------ */

static void replay_holds_a_node(void **state)
{
    struct steered s;
    (void)state;
    open_steered(&s, "replay:1.1.0", 2);
    rill_graph *graph = machine_graph(s.context);
    for (int i = 0; i < 3; i++) host_node(graph, NULL, 0, run_letter, letter_data("abc"[i]));
    rill_exec *exec = exec_of(graph);
    ok(rill_exec_launch(exec, s.streams[0]));
    assert_int_equal(atomic_load(&ran_count), 2);
    letter(s.streams[1], 'x');
    assert_int_equal(atomic_load(&ran_count), 3);
    assert_int_equal(ran[2], 'x');
    ok(rill_stream_synchronize(s.streams[0]));
    assert_int_equal(atomic_load(&ran_count), 4);
    ok(rill_exec_destroy(&exec));
    ok(rill_graph_destroy(&graph));
    assert_non_null(strstr(close_steered(&s), "step 1 1 node 0 "));
}

/* ---- The outside ------------------------------------------------------------------------ */

static const char *const policies[] = {
    "early", "late", "random:1", "random:2", "pct:1:3", "starve:1", "starve:2", "replay:1.1.0",
};
enum { POLICIES = sizeof policies / sizeof *policies };

static void events_and_values_order_launches_and_streams(void **state)
{
    (void)state;
    for (int p = 0; p < POLICIES; p++) {
        struct steered s;
        rill_event *in = NULL, *out = NULL;
        rill_node node = NULL;
        open_steered(&s, policies[p], 3);
        ok(rill_event_create(s.context, NULL, &in));
        ok(rill_event_create(s.context, NULL, &out));
        rill_graph *graph = machine_graph(s.context);
        ok(rill_graph_add_event_wait(graph, NULL, 0, in, &node));
        node = host_node(graph, &node, 1, run_letter, letter_data('b'));
        rill_value value = { .kind = RILL_VALUE_WAIT_32, .address = word_at(&s, 0), .value = 1,
                             .flags = RILL_WAIT_GEQ };
        rill_op op = { .kind = RILL_OP_VALUES };
        op.values.items = &value;
        op.values.count = 1;
        ok(rill_graph_add_node(graph, &node, 1, &op, &node));
        node = host_node(graph, &node, 1, run_letter, letter_data('d'));
        ok(rill_graph_add_event_record(graph, &node, 1, out, &node));
        rill_exec *exec = exec_of(graph);
        letter(s.streams[1], 'a');
        ok(rill_event_record(in, s.streams[1], 0));
        ok(rill_exec_launch(exec, s.streams[0]));
        ok(rill_stream_wait_event(s.streams[2], out, 0));
        letter(s.streams[2], 'e');
        ok(rill_stream_write_value32(s.streams[1], word_at(&s, 0), 1, 0));
        wait_all(&s);
        ran_is("abde");
        ok(rill_exec_destroy(&exec));
        ok(rill_graph_destroy(&graph));
        ok(rill_event_destroy(&in));
        ok(rill_event_destroy(&out));
        close_steered(&s);
    }
}

static void late_runs_what_a_launch_waits_for_and_nothing_else(void **state)
{
    struct steered s;
    rill_event *in = NULL;
    rill_node node = NULL;
    (void)state;
    open_steered(&s, "late", 3);
    ok(rill_event_create(s.context, NULL, &in));
    rill_graph *graph = machine_graph(s.context);
    ok(rill_graph_add_event_wait(graph, NULL, 0, in, &node));
    host_node(graph, &node, 1, run_letter, letter_data('b'));
    rill_exec *exec = exec_of(graph);
    letter(s.streams[1], 'a');
    ok(rill_event_record(in, s.streams[1], 0));
    ok(rill_exec_launch(exec, s.streams[0]));
    letter(s.streams[2], 'x');
    ok(rill_stream_synchronize(s.streams[0]));
    ran_is("ab");
    ok(rill_exec_destroy(&exec));
    ok(rill_graph_destroy(&graph));
    ok(rill_event_destroy(&in));
    close_steered(&s);
}

/* The way from an event of an earlier launch leads over that launch, not over the last one. */
static void an_event_of_an_earlier_launch_is_no_circle(void **state)
{
    struct steered s;
    rill_event *out = NULL;
    rill_node node = NULL;
    (void)state;
    open_steered(&s, "late", 3);
    ok(rill_event_create(s.context, NULL, &out));
    rill_graph *graph = machine_graph(s.context);
    node = host_node(graph, NULL, 0, run_letter, letter_data('a'));
    ok(rill_graph_add_event_record(graph, &node, 1, out, &node));
    rill_exec *exec = exec_of(graph);
    ok(rill_exec_launch(exec, s.streams[0]));
    ok(rill_stream_wait_event(s.streams[1], out, 0));
    letter(s.streams[1], 'b');
    pass(&s, s.streams[1], s.streams[2]);
    ok(rill_exec_launch(exec, s.streams[2]));
    ok(rill_stream_synchronize(s.streams[2]));
    ran_is("aba");
    ok(rill_exec_destroy(&exec));
    ok(rill_graph_destroy(&graph));
    ok(rill_event_destroy(&out));
    close_steered(&s);
}

/* Launches of one exec come one after the other, and each does what it was told to by then. */
static void changes_of_execs_and_child_graphs_are_seen_in_order(void **state)
{
    (void)state;
    for (int p = 0; p < POLICIES; p++) {
        struct steered s;
        rill_node child_node = NULL, inner, outer;
        open_steered(&s, policies[p], 2);
        rill_graph *child = machine_graph(s.context), *graph = machine_graph(s.context);
        inner = host_node(child, NULL, 0, run_letter, letter_data('a'));
        ok(rill_graph_add_child(graph, NULL, 0, child, 0, &child_node));
        outer = host_node(graph, &child_node, 1, run_letter, letter_data('b'));
        (void)inner;
        rill_exec *exec = exec_of(graph);
        ok(rill_exec_launch(exec, s.streams[0]));
        rill_op op = { .kind = RILL_OP_HOST };
        op.host = (rill_host_op){ run_letter, letter_data('c'), NULL };
        ok(rill_exec_set_op(exec, outer, &op));
        ok(rill_exec_launch(exec, s.streams[1]));
        wait_all(&s);
        ran_is("abac");
        ok(rill_exec_destroy(&exec));
        ok(rill_graph_destroy(&graph));
        ok(rill_graph_destroy(&child));
        close_steered(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_node_runs_once_and_after_its_predecessors),
        cmocka_unit_test(seeds_order_nodes_and_the_same_seed_does_it_again),
        cmocka_unit_test(a_missing_edge_shows),
        cmocka_unit_test(replay_holds_a_node),
        cmocka_unit_test(events_and_values_order_launches_and_streams),
        cmocka_unit_test(late_runs_what_a_launch_waits_for_and_nothing_else),
        cmocka_unit_test(an_event_of_an_earlier_launch_is_no_circle),
        cmocka_unit_test(changes_of_execs_and_child_graphs_are_seen_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
