/* SPDX-License-Identifier: Apache-2.0
 *
 * A graph belongs to no context, as an H200 answered: what was made in a context that ended,
 * or in none, is listed, added to, copied and launched; only what needs that context says
 * that it is gone.
 */
#include "conformance/nodes.h"

static const rill_status gone = RILL_ERROR_CONTEXT_IS_DESTROYED, none = RILL_ERROR_INVALID_CONTEXT;

/* A graph whose context has ended, of one host node that counts. */
static rill_graph *orphan(struct fixture *f, atomic_int *runs)
{
    rill_context *context = new_context(f, 0, RILL_CONTEXT_OWN);
    rill_graph *graph = NULL;
    ok(rill_graph_create(context, NULL, &graph));
    keep_graph(f, graph);
    add(graph, NULL, host_op(count_up, runs));
    forget(f, context);
    ok(rill_context_destroy(&context));
    return graph;
}

/* The same of a graph that never had one. */
static rill_graph *foundling(struct fixture *f, atomic_int *runs)
{
    rill_graph *graph = NULL;
    ok(rill_graph_create_in(f->platform, NULL, &graph));
    keep_graph(f, graph);
    add(graph, NULL, host_op(count_up, runs));
    return graph;
}

/* Made an exec of the fixture's context, and launched there. */
static void runs_here(struct fixture *f, rill_graph *graph)
{
    rill_exec_options options = { .size = sizeof options, .context = f->context };
    rill_exec *exec = NULL;
    ok(rill_exec_create(graph, &options, &exec));
    ok(run_exec(exec, new_stream(f)));
    ok(rill_exec_destroy(&exec));
}

/* All that a graph needs no context for. */
static void lives(struct fixture *f, rill_graph *graph, atomic_int *runs)
{
    rill_graph *clone = NULL;
    rill_node node = NULL, found = NULL;
    size_t count = 1;
    rill_op_kind kind = RILL_OP_EMPTY;
    ok(rill_graph_set_label(graph, "left over"));
    assert_int_equal(node_count(graph), 1);
    ok(rill_graph_nodes(graph, &node, &count));
    ok(rill_node_kind(graph, node, &kind));
    assert_int_equal(kind, RILL_OP_HOST);
    rill_node empty = add(graph, node, empty_op());
    add(graph, empty, event_op(RILL_OP_EVENT_RECORD, new_event(f)));
    ok(rill_graph_remove_node(graph, add(graph, empty, empty_op())));
    ok(rill_node_set_op(graph, node, &(rill_op){ .kind = RILL_OP_HOST,
                                                 .host = { .fn = count_up, .data = runs } }));
    ok(rill_graph_clone(graph, &clone));
    keep_graph(f, clone);
    ok(rill_graph_find_in_clone(clone, node, &found));
    assert_int_equal(node_count(clone), 3);
    runs_here(f, graph);
    runs_here(f, clone);
    assert_int_equal(*runs, 2);
}

static void a_graph_outlives_the_context_that_it_was_made_in(void **state)
{
    atomic_int runs = 0;
    lives(*state, orphan(*state, &runs), &runs);
}

static void a_graph_can_be_made_in_no_context(void **state)
{
    atomic_int runs = 0;
    lives(*state, foundling(*state, &runs), &runs);
}

static void it_is_destroyed_as_any_other(void **state)
{
    struct fixture *f = *state;
    atomic_int runs = 0, destroyed = 0;
    rill_graph *left[] = { orphan(f, &runs), foundling(f, &runs) };
    for (int i = 0; i < 2; i++) {
        rill_node node;
        forget(f, left[i]);
        ok(rill_graph_add_host(left[i], NULL, 0, nothing, &destroyed, count_up, &node));
        ok(rill_graph_destroy(&left[i]));
        assert_null(left[i]);
    }
    comes_to(&destroyed, 2);
}

/* What its work is of, it says itself. */
static void its_work_is_of_contexts_that_live(void **state)
{
    struct fixture *f = *state;
    rill_graph *left[2];
    atomic_int runs = 0;
    rill_devptr memory = device_words(f, 16);
    left[0] = orphan(f, &runs);
    left[1] = foundling(f, &runs);
    for (int i = 0; i < 2; i++) {
        rill_node fill = add(left[i], NULL, fill_op(memory, 5 + (uint32_t)i, 4));
        add(left[i], fill, copy_op(rill_device_place(memory + 32), rill_device_place(memory), 16));
        runs_here(f, left[i]);
        assert_int_equal(peek(f, memory + 44), 5 + i);
    }
}

static void what_needs_the_context_says_that_there_is_none(void **state)
{
    struct fixture *f = *state;
    atomic_int runs = 0;
    rill_graph *left[] = { orphan(f, &runs), foundling(f, &runs) };
    for (int i = 0; i < 2; i++) {
        const rill_status wanted = i ? none : gone;
        rill_exec *exec = NULL;
        rill_devptr address = 7;
        rill_node node = NULL;
        rill_exec_options options = { .size = sizeof options };
        is(wanted, rill_exec_create(left[i], NULL, &exec));
        blames("rill_exec_create", "graph");
        is(wanted, rill_exec_create(left[i], &options, &exec));
        assert_int_equal(options.result, RILL_EXEC_ERROR);
        is(wanted, rill_graph_add_alloc(left[i], NULL, 0, 64, &address, &node));
        blames("rill_graph_add_alloc", "graph");
        assert_null(exec);
        assert_null(node);
        assert_int_equal(address, 7);
        assert_int_equal(node_count(left[i]), 1);
    }
    rill_context *dead = new_context(f, 0, RILL_CONTEXT_OWN), *kept = dead;
    rill_exec_options options = { .size = sizeof options };
    rill_exec *exec = NULL;
    rill_graph *graph = foundling(f, &runs), *keeps = NULL; /* what is left of the context */
    ok(rill_graph_create(dead, NULL, &keeps));
    keep_graph(f, keeps);
    forget(f, dead);
    ok(rill_context_destroy(&dead));
    options.context = kept;
    is(gone, rill_exec_create(graph, &options, &exec));
    blames("rill_exec_create", "options->context");
}

/* ---- Graphs inside graphs ----------------------------------------------------------- */

/* `flags`: how the orphan comes into a graph of the fixture's context. */
static void lives_inside(struct fixture *f, uint32_t flags)
{
    atomic_int runs = 0;
    rill_context *context = new_context(f, 0, RILL_CONTEXT_OWN);
    rill_graph *outer = new_graph(f), *child = NULL, *inside = NULL, *clone = NULL;
    ok(rill_graph_create(context, NULL, &child));
    add(child, NULL, host_op(count_up, &runs));
    rill_node holder = add(outer, NULL, child_op(child, flags));
    if (!flags) ok(rill_graph_destroy(&child));
    forget(f, context);
    ok(rill_context_destroy(&context));
    ok(rill_node_child_graph(outer, holder, &inside));
    assert_int_equal(node_count(inside), 1);
    add(inside, NULL, empty_op());
    ok(rill_graph_clone(outer, &clone));
    keep_graph(f, clone);
    ok(run_once(f, outer));
    ok(run_once(f, clone));
    assert_int_equal(runs, 2);
    rill_stream *s = new_non_blocking(f);
    ok(rill_stream_begin_capture(s, NULL)); /* whoever captures looks at graphs that go */
    forget(f, outer);
    ok(rill_graph_destroy(&outer));
    ok(rill_stream_end_capture(s, &outer));
    keep_graph(f, outer);
}

static void a_child_outlives_the_context_of_its_original(void **state)
{
    lives_inside(*state, 0);
}

static void a_child_that_moved_outlives_its_context(void **state)
{
    rill_graph *probe = new_graph(*state), *child = NULL;
    struct fixture *f = *state;
    rill_node node = NULL;
    ok(rill_graph_create(f->context, NULL, &child));
    rill_status status = rill_graph_add_child(probe, NULL, 0, child, RILL_CHILD_MOVE, &node);
    if (status) ok(rill_graph_destroy(&child));
    if (status == RILL_ERROR_NOT_SUPPORTED) skip_since("the driver moves no graphs");
    ok(status);
    lives_inside(f, RILL_CHILD_MOVE);
}

/* ---- Captures ----------------------------------------------------------------------------- */

static void a_captured_graph_outlives_its_context(void **state)
{
    struct fixture *f = *state;
    atomic_int runs = 0;
    rill_context *context = new_context(f, 0, RILL_CONTEXT_OWN);
    rill_stream *s = NULL;
    rill_graph *graph = NULL;
    ok(rill_stream_create(context, NULL, &s));
    ok(rill_stream_begin_capture(s, NULL));
    ok(rill_launch_host(s, count_up, &runs, NULL));
    ok(rill_stream_end_capture(s, &graph));
    keep_graph(f, graph);
    ok(rill_stream_destroy(&s));
    forget(f, context);
    ok(rill_context_destroy(&context));
    lives(f, graph, &runs);
}

static void a_capture_into_a_graph_goes_on_when_the_context_of_that_ends(void **state)
{
    struct fixture *f = *state;
    atomic_int runs = 0;
    rill_context *context = new_context(f, 0, RILL_CONTEXT_OWN);
    rill_stream *s = new_non_blocking(f);
    rill_graph *graph = NULL, *same = NULL;
    ok(rill_graph_create(context, NULL, &graph));
    keep_graph(f, graph);
    const rill_capture_options into = { .size = sizeof into, .mode = RILL_CAPTURE_RELAXED,
                                        .graph = graph };
    ok(rill_stream_begin_capture(s, &into));
    ok(rill_launch_host(s, count_up, &runs, NULL));
    forget(f, context);
    ok(rill_context_destroy(&context));
    ok(rill_launch_host(s, count_up, &runs, NULL));
    ok(rill_stream_end_capture(s, &same));
    assert_ptr_equal(same, graph);
    runs_here(f, graph);
    assert_int_equal(runs, 2);
}

/* The node's event is of the fixture's context, the exec of another one. */
static void the_event_of_a_node_stays_in_its_context(void **state)
{
    struct fixture *f = *state;
    rill_context *context = new_context(f, 0, RILL_CONTEXT_OWN);
    rill_event *there = NULL;
    rill_exec *exec = NULL;
    rill_graph *graph = new_graph(f);
    rill_node record = add(graph, NULL, event_op(RILL_OP_EVENT_RECORD, new_event(f)));
    ok(rill_event_create(context, NULL, &there));
    rill_exec_options options = { .size = sizeof options, .context = context };
    ok(rill_exec_create(graph, &options, &exec));
    rill_op same = event_op(RILL_OP_EVENT_RECORD, new_event(f));
    rill_op other = event_op(RILL_OP_EVENT_RECORD, there);
    ok(rill_exec_set_op(exec, record, &same));
    is(RILL_ERROR_INVALID_VALUE, rill_exec_set_op(exec, record, &other));
    ok(rill_exec_destroy(&exec));
    ok(rill_event_destroy(&there));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_graph_outlives_the_context_that_it_was_made_in),
    cmocka_unit_test(a_graph_can_be_made_in_no_context),
    cmocka_unit_test(it_is_destroyed_as_any_other),
    cmocka_unit_test(its_work_is_of_contexts_that_live),
    cmocka_unit_test(what_needs_the_context_says_that_there_is_none),
    cmocka_unit_test(a_child_outlives_the_context_of_its_original),
    cmocka_unit_test(a_child_that_moved_outlives_its_context),
    cmocka_unit_test(a_captured_graph_outlives_its_context),
    cmocka_unit_test(a_capture_into_a_graph_goes_on_when_the_context_of_that_ends),
    cmocka_unit_test(the_event_of_a_node_stays_in_its_context),
};
SUITE_GROUP(graph_contexts, 1);
