/* SPDX-License-Identifier: Apache-2.0
 *
 * Execs: how they are made, how long they last, and how their launches stand to
 * each other and to the work around them.
 */
#include "conformance/execs/exec_work.h"

/* ---- Making them ----------------------------------------------------------------- */

/* exec.inst_flags; RILL_EXEC_UPLOAD belongs to options, which have a stream for it. */
static void known_flags_are_taken_and_told(void **state)
{
    struct trial t = trial(state);
    static const struct {
        uint32_t flags, told;
        bool good;
    } cases[] = {
        { 0, 0, true },  { 1, 1, true },   { 2, 0, true },  { 4, 4, true },   { 5, 0, false },
        { 8, 0, true },  { 9, 1, true },   { 12, 4, true }, { 13, 0, false }, { 16, 0, false },
        { 32, 0, false }, { 0x80000000u, 0, false },
    };
    rill_graph *g = one_kernel(&t, 1, 1, NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char mark;
        rill_exec_options options = { .size = sizeof options, .flags = cases[i].flags };
        rill_exec *untouched = (rill_exec *)(void *)&mark, *exec = untouched;
        uint32_t told = 99;
        if (!cases[i].good) {
            is(RILL_ERROR_INVALID_VALUE, rill_exec_create(g, &options, &exec));
            assert_ptr_equal(exec, untouched);
            continue;
        }
        ok(rill_exec_create(g, &options, &exec));
        ok(rill_exec_flags(exec, &told));
        if (cases[i].flags != 2) assert_int_equal(told, cases[i].told);
        zero_words(&t);
        goes(&t, exec, 1);
        ok(rill_exec_destroy(&exec));
    }
}

/* exec.params_cycle */
static void a_cycle_is_refused_in_the_name_of_a_node_on_it(void **state)
{
    struct trial t = trial(state);
    rill_graph *g = new_graph(t.f);
    rill_node n[4];
    for (int i = 0; i < 4; i++) n[i] = add(g, NULL, empty_op());
    const rill_node from[] = { n[0], n[2], n[1], n[1] }, to[] = { n[1], n[0], n[3], n[0] };
    ok(rill_graph_add_edges(g, from, to, NULL, 4));
    rill_exec_options options = { .size = sizeof options };
    rill_exec *exec = NULL;
    is(RILL_ERROR_INVALID_VALUE, rill_exec_create(g, &options, &exec));
    assert_null(exec);
    assert_int_equal(options.result, RILL_EXEC_INVALID_STRUCTURE);
    assert_true(options.failing_node == n[0] || options.failing_node == n[1]);
    ok(rill_graph_remove_edges(g, &from[3], &to[3], NULL, 1));
    go(&t, new_exec(t.f, g));
}

static rill_node named_of_cycle(rill_graph *g)
{
    rill_exec_options options = { .size = sizeof options };
    rill_exec *exec = NULL;
    is(RILL_ERROR_INVALID_VALUE, rill_exec_create(g, &options, &exec));
    assert_int_equal(options.result, RILL_EXEC_INVALID_STRUCTURE);
    return options.failing_node;
}

static void join_each(rill_graph *g, const rill_node *nodes, const char *edges)
{
    for (; *edges; edges += edges[2] ? 3 : 2)
        ok(rill_graph_add_edges(g, &nodes[edges[0] - '0'], &nodes[edges[1] - '0'], NULL, 1));
}

/* H200, driver 580: in graphs of more than empty nodes the first that is met on its own
 * path, where nodes are taken in the order of their creation and edges in theirs. */
static void the_node_named_of_a_cycle_is_where_a_walk_comes_back(void **state)
{
    static const struct { const char *edges; int named; } cases[] = {
        { "01 10 21", 0 }, { "10 01", 0 }, { "01 12 21 02", 1 }, { "02 01 12 21", 2 },
        { "32 21 12 03", 2 }, { "01 10 23 32 43", 0 }, { "12 23 31 32", 1 },
        { "12 23 32 31", 2 }, { "43 01 12 20 32 31", 0 },
    };
    struct trial t = trial(state);
    rill_devptr word = device_words(t.f, 1);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rill_graph *g = new_graph(t.f);
        rill_node n[5];
        for (int k = 0; k < 5; k++) n[k] = add(g, NULL, fill_op(word, 1, 1));
        join_each(g, n, cases[i].edges);
        assert_ptr_equal(named_of_cycle(g), n[cases[i].named]);
    }
}

/* The same measurement: a graph is looked at before those inside it. */
static void of_two_cycles_the_outer_one_is_named(void **state)
{
    struct trial t = trial(state);
    rill_devptr word = device_words(t.f, 1);
    rill_graph *g = new_graph(t.f), *child = new_graph(t.f), *inside;
    rill_node n[2], m[3];
    size_t count = 3;
    for (int i = 0; i < 3; i++) add(child, NULL, fill_op(word, 1, 1));
    rill_node at = add(g, NULL, (rill_op){ .kind = RILL_OP_GRAPH, .graph = { child, 0 } });
    ok(rill_node_child_graph(g, at, &inside));
    ok(rill_graph_nodes(inside, m, &count));
    join_each(inside, m, "12 21 02");
    assert_ptr_equal(named_of_cycle(g), m[2]);
    for (int i = 0; i < 2; i++) n[i] = add(g, NULL, fill_op(word, 1, 1));
    join_each(g, n, "01 10");
    assert_ptr_equal(named_of_cycle(g), n[0]);
}

/* Makes a graph of `count` empty nodes, with a child graph of three such in the place of the
 * one numbered `at`. */
static rill_graph *idle_graph(struct fixture *f, int count, int at, rill_node *nodes,
                              rill_node inside[3])
{
    rill_graph *g = new_graph(f), *child = new_graph(f), *copy;
    size_t three = 3;
    for (int i = 0; i < 3; i++) add(child, NULL, empty_op());
    for (int i = 0; i < count; i++) {
        const bool is_child = i == at;
        nodes[i] = is_child ? add(g, NULL, (rill_op){ .kind = RILL_OP_GRAPH,
                                                      .graph = { child, 0 } })
                            : add(g, NULL, empty_op());
        if (!is_child) continue;
        ok(rill_node_child_graph(g, nodes[i], &copy));
        ok(rill_graph_nodes(copy, inside, &three));
    }
    return g;
}

/* The same measurement: where nothing is done, the first that closes a cycle with nodes
 * before it, in children as they come. */
static void of_empty_nodes_the_one_that_closes_a_cycle_is_named(void **state)
{
    static const struct { const char *edges; int named; } cases[] = {
        { "01 10 21", 1 }, { "01 12 21 02", 2 }, { "02 01 12 21", 2 }, { "03 32 21 12", 2 },
        { "01 10 23 32 43", 1 }, { "12 23 31 32", 3 }, { "12 23 32 31", 3 },
        { "43 01 12 20 32 31", 2 },
    };
    struct trial t = trial(state);
    rill_node n[5], m[3];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rill_graph *g = idle_graph(t.f, 5, -1, n, m);
        join_each(g, n, cases[i].edges);
        assert_ptr_equal(named_of_cycle(g), n[cases[i].named]);
    }
    rill_graph *g = idle_graph(t.f, 2, 1, n, m), *inside = NULL;
    ok(rill_node_child_graph(g, n[1], &inside));
    join_each(inside, m, "12 21 02");
    assert_ptr_equal(named_of_cycle(g), m[2]);
    for (int at = 0; at < 3; at += 2) {
        g = idle_graph(t.f, 3, at, n, m);
        ok(rill_node_child_graph(g, n[at], &inside));
        join_each(inside, m, "01 10");
        join_each(g, n, at ? "01 10 20" : "12 21");
        assert_ptr_equal(named_of_cycle(g), at ? n[1] : m[1]);
    }
    g = idle_graph(t.f, 2, 0, n, m);
    join_each(g, n, "01 10");
    assert_ptr_equal(named_of_cycle(g), n[1]);
}

/* exec.inst_twice */
static void execs_of_one_graph_share_nothing(void **state)
{
    struct trial t = trial(state);
    rill_graph *g = one_kernel(&t, 2, 1, NULL);
    rill_exec *x = new_exec(t.f, g), *y = new_exec(t.f, g);
    assert_ptr_not_equal(x, y);
    goes(&t, x, 1);
    goes(&t, y, 3);
    forget(t.f, x);
    ok(rill_exec_destroy(&x));
    assert_null(x);
    forget(t.f, g);
    ok(rill_graph_destroy(&g));
    goes(&t, y, 7);
}

/* ---- Empty graphs ----------------------------------------------------------------------- */

/* exec.empty_graph */
static void an_empty_graph_stands_in_line(void **state)
{
    struct trial t = trial(state);
    for (int nodes = 0; nodes < 2; nodes++) {
        rill_graph *g = new_graph(t.f);
        if (nodes) add(g, add(g, NULL, empty_op()), empty_op());
        rill_exec *exec = new_exec(t.f, g);
        go(&t, exec);
        ok(rill_exec_upload(exec, t.stream));
        ok(rill_exec_launch(exec, t.f->legacy));
        ok(rill_stream_synchronize(t.f->legacy));
        struct gate *closed = gate(t.f, t.stream);
        rill_event *event = new_event(t.f);
        ok(rill_exec_launch(exec, t.stream));
        ok(rill_event_record(event, t.stream, 0));
        event_held(event);
        open_gate(closed);
        ok(rill_event_synchronize(event));
    }
}

/* ---- Order --------------------------------------------------------------------------------- */

static void letter(void *data)
{
    const struct mark *m = data;
    note(m->fixture, m->letter);
}

/* A graph of one host function that writes a letter down. */
static rill_exec *writes(const struct trial *t, struct mark *m, char which)
{
    rill_graph *g = new_graph(t->f);
    *m = (struct mark){ t->f, which };
    add(g, NULL, host_op(letter, m));
    return new_exec(t->f, g);
}

/* exec.two_execs_one_stream, exec.before_and_after */
static void launches_keep_the_order_of_their_stream(void **state)
{
    struct trial t = trial(state);
    struct mark marks[2];
    rill_exec *x = writes(&t, &marks[0], 'x'), *y = writes(&t, &marks[1], 'y');
    struct gate *closed = gate(t.f, t.stream);
    mark(t.f, t.stream, 'a');
    for (int i = 0; i < 3; i++) {
        ok(rill_exec_launch(x, t.stream));
        ok(rill_exec_launch(y, t.stream));
    }
    mark(t.f, t.stream, 'b');
    held(t.stream);
    order(t.f, "");
    open_gate(closed);
    ok(rill_stream_synchronize(t.stream));
    order(t.f, "axyxyxyb");
}

/* exec.queued_orders_other_stream: launches of one exec stand behind each other in
 * whatever streams, those of two do not. */
static void launches_of_one_exec_follow_each_other(void **state)
{
    struct trial t = trial(state);
    struct mark marks[2];
    rill_exec *x = writes(&t, &marks[0], 'x'), *y = writes(&t, &marks[1], 'y');
    rill_stream *other = new_non_blocking(t.f), *third = new_non_blocking(t.f);
    struct gate *closed = gate(t.f, t.stream);
    ok(rill_exec_launch(x, t.stream));
    ok(rill_exec_launch(x, other));
    ok(rill_exec_launch(y, third));
    drained(third);
    held(other);
    order(t.f, "y");
    open_gate(closed);
    ok(rill_stream_synchronize(other));
    order(t.f, "yxx");
    ok(rill_stream_synchronize(t.stream));
}

/* exec.legacy_after_streams */
static void a_launch_in_the_legacy_stream_waits_for_blocking_streams(void **state)
{
    struct trial t = trial(state);
    struct mark m;
    rill_exec *exec = writes(&t, &m, 'x');
    rill_stream *blocking = new_stream(t.f);
    struct gate *closed = gate(t.f, blocking);
    ok(rill_exec_launch(exec, t.f->legacy));
    held(t.f->legacy);
    order(t.f, "");
    open_gate(closed);
    ok(rill_stream_synchronize(t.f->legacy));
    order(t.f, "x");
    closed = gate(t.f, t.stream);
    ok(rill_exec_launch(exec, t.f->legacy));
    drained(t.f->legacy);
    open_gate(closed);
}

/* exec.launch_streams */
static void any_stream_takes_launches(void **state)
{
    struct trial t = trial(state);
    rill_exec *exec = new_exec(t.f, one_kernel(&t, 1, 1, NULL));
    rill_stream *streams[] = { t.f->legacy, t.f->per_thread, new_stream(t.f), t.stream };
    for (size_t i = 0; i < sizeof streams / sizeof *streams; i++) {
        ok(rill_exec_launch(exec, streams[i]));
        ok(rill_exec_upload(exec, streams[i]));
    }
    ok(rill_context_synchronize(t.f->context));
    goes(&t, exec, 5);
}

/* exec.upload: it runs nothing, and stands behind earlier launches. */
static void an_upload_runs_nothing(void **state)
{
    struct trial t = trial(state);
    rill_exec *exec = new_exec(t.f, one_kernel(&t, 1, 1, NULL));
    rill_stream *other = new_non_blocking(t.f);
    ok(rill_exec_upload(exec, t.stream));
    ok(rill_stream_synchronize(t.stream));
    assert_int_equal(peek(t.f, t.words), 0);
    struct gate *closed = gate(t.f, t.stream);
    ok(rill_exec_launch(exec, t.stream));
    ok(rill_exec_upload(exec, other));
    held(other);
    open_gate(closed);
    ok(rill_stream_synchronize(other));
    assert_int_equal(peek(t.f, t.words), 1);
}

/* ---- The end ----------------------------------------------------------------------------- */

static void launches_outlive_their_exec_and_graph(void **state)
{
    struct trial t = trial(state);
    rill_graph *g = chain(&t, 3, 10, 1, NULL);
    rill_exec *exec = new_exec(t.f, g);
    struct gate *closed = gate(t.f, t.stream);
    ok(rill_exec_launch(exec, t.stream));
    ok(rill_exec_launch(exec, t.stream));
    forget(t.f, g);
    ok(rill_graph_destroy(&g));
    forget(t.f, exec);
    ok(rill_exec_destroy(&exec));
    held(t.stream);
    open_gate(closed);
    ok(rill_stream_synchronize(t.stream));
    assert_int_equal(peek(t.f, t.words), 111111);
    ok(rill_exec_destroy(&exec));
}

/* ---- Events between execs -------------------------------------------------------------------- */

/* exec.event_between_execs */
static void an_event_orders_one_exec_behind_another(void **state)
{
    struct trial t = trial(state);
    rill_event *event = new_event(t.f);
    rill_stream *other = new_non_blocking(t.f);
    rill_graph *g = new_graph(t.f), *h = new_graph(t.f);
    add(g, add_kernel(&t, g, NULL, t.words, 10, 1), event_op(RILL_OP_EVENT_RECORD, event));
    rill_node wait = add(h, NULL, event_op(RILL_OP_EVENT_WAIT, event));
    add_kernel(&t, h, wait, t.words, 10, 2);
    rill_exec *x = new_exec(t.f, g), *y = new_exec(t.f, h);
    ok(rill_exec_launch(y, other)); /* nothing was recorded yet */
    drained(other);
    struct gate *closed = gate(t.f, t.stream);
    ok(rill_exec_launch(x, t.stream));
    event_held(event);
    ok(rill_exec_launch(y, other));
    held(other);
    open_gate(closed);
    ok(rill_stream_synchronize(other));
    assert_int_equal(peek(t.f, t.words), 212);
    ok(rill_event_synchronize(event));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(known_flags_are_taken_and_told),
    cmocka_unit_test(a_cycle_is_refused_in_the_name_of_a_node_on_it),
    cmocka_unit_test(the_node_named_of_a_cycle_is_where_a_walk_comes_back),
    cmocka_unit_test(of_two_cycles_the_outer_one_is_named),
    cmocka_unit_test(of_empty_nodes_the_one_that_closes_a_cycle_is_named),
    cmocka_unit_test(execs_of_one_graph_share_nothing),
    cmocka_unit_test(an_empty_graph_stands_in_line),
    cmocka_unit_test(launches_keep_the_order_of_their_stream),
    cmocka_unit_test(launches_of_one_exec_follow_each_other),
    cmocka_unit_test(a_launch_in_the_legacy_stream_waits_for_blocking_streams),
    cmocka_unit_test(any_stream_takes_launches),
    cmocka_unit_test(an_upload_runs_nothing),
    cmocka_unit_test(launches_outlive_their_exec_and_graph),
    cmocka_unit_test(an_event_orders_one_exec_behind_another),
};

SUITE_GROUP(execs, 1);
