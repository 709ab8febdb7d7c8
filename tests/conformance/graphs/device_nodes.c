/* SPDX-License-Identifier: Apache-2.0
 *
 * Nodes that the device itself begins: those in bodies of conditionals, and those of
 * graphs that are launched from the device.  Which of them an exec may have was
 * measured on an H200, driver 580, kind by kind.
 */
#include "conformance/nodes.h"

/* ---- Places and nodes ------------------------------------------------------------------ */

enum place { BODY, CHILD_IN_BODY, LAUNCHED, PLACES };

struct scene {
    struct fixture *f;
    rill_context *other;
    rill_kernel *nop, *theirs;
    rill_devptr memory, their_memory;
    uint32_t *pinned;
    rill_value write;
};

static uint32_t pageable[4]; /* in the program's own memory */

static struct scene prepare(struct fixture *f)
{
    struct scene s = { .f = f, .other = new_context(f, 0, RILL_CONTEXT_OWN) };
    s.nop = kernel(f, &nop_function);
    s.theirs = new_kernel(f, s.other, &nop_function);
    s.memory = device_words(f, 16);
    s.their_memory = words_on(s.other, 16);
    s.pinned = pinned(f, 64);
    s.write = (rill_value){ .kind = RILL_VALUE_WRITE_32, .address = s.memory };
    return s;
}

static rill_graph *body_of(rill_graph *graph)
{
    rill_conditional handle = 0;
    rill_graph *body = NULL;
    rill_node node;
    ok(rill_conditional_create(graph, 1, RILL_CONDITIONAL_ASSIGN, &handle));
    ok(rill_graph_add_conditional(graph, NULL, 0, handle, RILL_CONDITIONAL_IF, 1, &body, &node));
    return body;
}

/* Puts the operation where `place` says in a new graph; the node that it became. */
static rill_node put_at(struct scene *s, enum place place, rill_op op, rill_graph **graph)
{
    *graph = new_graph(s->f);
    if (place == BODY) return add(body_of(*graph), NULL, op);
    if (place == LAUNCHED) {
        add(*graph, NULL, kernel_op(s->nop, NULL));
        return add(*graph, NULL, op);
    }
    rill_graph *child = new_graph(s->f), *inside = NULL, *body = body_of(*graph);
    rill_node node = NULL;
    size_t count = 1;
    add(child, NULL, op);
    ok(rill_node_child_graph(body, add(body, NULL, child_op(child, 0)), &inside));
    ok(rill_graph_nodes(inside, &node, &count));
    return node;
}

static rill_exec_options asking(enum place place)
{
    return (rill_exec_options){ .size = sizeof(rill_exec_options),
                                .flags = place == LAUNCHED ? RILL_EXEC_DEVICE_LAUNCH : 0 };
}

#define is_no_exec(graph, place, why, failing) \
    no_exec(graph, place, why, failing, __LINE__)
static void no_exec(rill_graph *graph, enum place place, rill_exec_result why, rill_node failing,
                    int line)
{
    rill_exec_options options = asking(place);
    rill_exec *exec = NULL;
    fixture_check(rill_exec_create(graph, &options, &exec), RILL_ERROR_INVALID_VALUE,
                  "rill_exec_create()", __FILE__, line);
    assert_null(exec);
    assert_int_equal(options.result, why);
    assert_ptr_equal(options.failing_node, failing);
    fixture_blames("rill_exec_create", "graph", __FILE__, line);
}

#define is_exec(graph, place) an_exec(graph, place, __LINE__)
static void an_exec(rill_graph *graph, enum place place, int line)
{
    rill_exec_options options = asking(place);
    rill_exec *exec = NULL;
    fixture_check(rill_exec_create(graph, &options, &exec), RILL_SUCCESS, "rill_exec_create()",
                  __FILE__, line);
    ok(rill_exec_destroy(&exec));
}

/* ---- Kinds ------------------------------------------------------------------------------ */

/* cond.body_host_node, cond.body_memop, cond.body_child */
static void work_of_the_host_is_not_begun_by_the_device(void **state)
{
    struct scene s = prepare(*state);
    rill_event *event = new_event(s.f);
    const rill_op ops[] = {
        host_op(nothing, NULL), values_op(&s.write, 1), event_op(RILL_OP_EVENT_RECORD, event),
        event_op(RILL_OP_EVENT_WAIT, event),
    };
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        for (enum place place = 0; place < PLACES; place++) {
            rill_graph *g;
            rill_node node = put_at(&s, place, ops[i], &g);
            is_no_exec(g, place, RILL_EXEC_NODE_NOT_SUPPORTED, node);
        }
}

static void nor_is_memory_given_out_or_taken_back(void **state)
{
    struct scene s = prepare(*state);
    rill_graph *owner = new_graph(s.f);
    rill_devptr address;
    add_alloc(owner, NULL, 64, &address);
    for (enum place place = BODY; place < PLACES; place += LAUNCHED - BODY) {
        rill_graph *g;
        rill_node node = put_at(&s, place, alloc_op(64), &g);
        is_no_exec(g, place, RILL_EXEC_NODE_NOT_SUPPORTED, node);
        node = put_at(&s, place, free_op(address), &g);
        is_no_exec(g, place, RILL_EXEC_NODE_NOT_SUPPORTED, node);
    }
}

/* cond.body_device_nodes, cond.body_child */
static void kernels_fills_copies_and_graphs_may_be_there(void **state)
{
    struct scene s = prepare(*state);
    rill_graph *child = new_graph(s.f), *empty = new_graph(s.f);
    add(child, NULL, kernel_op(s.nop, NULL));
    const rill_op ops[] = {
        kernel_op(s.nop, NULL), fill_op(s.memory, 7, 1), fill_op(at(s.pinned), 7, 1),
        copy_op(rill_device_place(s.memory), rill_device_place(s.memory + 4), 4),
        copy_op(rill_host_place(s.pinned), rill_device_place(s.memory + 4), 4),
        copy_op(rill_host_place(s.pinned), rill_host_place(s.pinned + 4), 4),
        child_op(child, 0), child_op(empty, 0),
    };
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        for (enum place place = 0; place < PLACES; place++) {
            rill_graph *g;
            put_at(&s, place, ops[i], &g);
            is_exec(g, place);
        }
}

static void a_body_runs_what_it_holds(void **state)
{
    struct scene s = prepare(*state);
    rill_devptr d = s.memory;
    rill_graph *g = new_graph(s.f), *body = body_of(g), *child = new_graph(s.f);
    add(child, NULL, fill_op(d, 7, 1));
    rill_node last = add(body, NULL, child_op(child, 0));
    last = add(body, last, copy_op(rill_device_place(d + 4), rill_device_place(d), 4));
    last = add(body, last, kernel_op(s.nop, NULL));
    last = add(body, last, empty_op());
    add(body, last, copy_op(rill_device_place(d + 8), rill_device_place(d + 4), 4));
    ok(run_once(s.f, g));
    assert_int_equal(peek(s.f, d + 8), 7);
}

/* exec.inst_flags, cond.inst_flags */
static void only_bodies_hold_empty_nodes_and_conditionals(void **state)
{
    struct scene s = prepare(*state);
    rill_graph *g, *inner;
    rill_node node = put_at(&s, LAUNCHED, empty_op(), &g);
    is_no_exec(g, LAUNCHED, RILL_EXEC_NODE_NOT_SUPPORTED, node);
    put_at(&s, BODY, empty_op(), &g);
    is_exec(g, BODY);
    g = new_graph(s.f);
    inner = body_of(body_of(g));
    add(inner, NULL, kernel_op(s.nop, NULL));
    is_exec(g, BODY);
}

static void nothing_at_all_is_not_launched_from_the_device(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f), *empty = new_graph(f);
    is_no_exec(g, LAUNCHED, RILL_EXEC_ERROR, NULL);
    add(g, NULL, child_op(empty, 0));
    is_no_exec(g, LAUNCHED, RILL_EXEC_ERROR, NULL);
}

/* ---- Contexts ---------------------------------------------------------------------------- */

/* cond.ctx_other; the context of a fill is that of its memory */
static void all_that_the_device_begins_is_of_one_context(void **state)
{
    struct scene s = prepare(*state);
    const rill_op ops[] = { kernel_op(s.theirs, NULL), fill_op(s.their_memory, 7, 1) };
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        for (enum place place = 0; place < PLACES; place++) {
            rill_graph *g;
            rill_node node = put_at(&s, place, ops[i], &g);
            is_no_exec(g, place, RILL_EXEC_MULTIPLE_CONTEXTS, node);
        }
}

static void copies_may_reach_the_memory_of_another_context(void **state)
{
    struct scene s = prepare(*state);
    rill_place dst = rill_device_place(s.their_memory), src = rill_device_place(s.memory);
    for (enum place place = 0; place < PLACES; place++) {
        rill_graph *g;
        put_at(&s, place, copy_op(dst, src, 4), &g);
        is_exec(g, place);
    }
}

static void a_graph_of_another_context_alone_may_be_launched(void **state)
{
    struct scene s = prepare(*state);
    rill_graph *g = new_graph(s.f);
    add(g, NULL, kernel_op(s.theirs, NULL));
    is_exec(g, LAUNCHED);
    add(g, NULL, fill_op(s.their_memory, 7, 1));
    is_exec(g, LAUNCHED);
}

/* The driver answers as if it were of another context, where one is known before it. */
static void pageable_memory_is_not_copied_by_the_device(void **state)
{
    struct scene s = prepare(*state);
    rill_place page = rill_host_place(pageable), pin = rill_host_place(s.pinned);
    const rill_op ops[] = {
        copy_op(rill_device_place(s.memory), page, 4),
        copy_op(page, rill_device_place(s.memory), 4),
        copy_op(rill_host_place(pageable + 2), page, 4), copy_op(page, pin, 4),
    };
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        rill_graph *g;
        for (enum place place = 0; place < PLACES; place++) {
            rill_node node = put_at(&s, place, ops[i], &g);
            is_no_exec(g, place, RILL_EXEC_MULTIPLE_CONTEXTS, node);
        }
        rill_node alone = add(g = new_graph(s.f), NULL, ops[i]);
        is_no_exec(g, LAUNCHED, RILL_EXEC_NODE_NOT_SUPPORTED, alone);
        add(g = new_graph(s.f), NULL, ops[i]);
        body_of(g); /* beside a conditional it may be */
        is_exec(g, BODY);
    }
}

/* ---- What is said first ---------------------------------------------------------------------- */

static void the_first_node_that_cannot_be_there_is_named(void **state)
{
    struct scene s = prepare(*state);
    rill_op record = event_op(RILL_OP_EVENT_RECORD, new_event(s.f));
    for (int i = 0; i < 2; i++) {
        rill_graph *g = new_graph(s.f), *body = body_of(g);
        rill_node first = add(body, NULL, i ? record : kernel_op(s.theirs, NULL));
        add(body, NULL, i ? kernel_op(s.theirs, NULL) : record);
        is_no_exec(g, BODY, i ? RILL_EXEC_NODE_NOT_SUPPORTED : RILL_EXEC_MULTIPLE_CONTEXTS, first);
    }
}

/* The last body comes first. */
static void of_several_bodies_the_last_is_answered_for(void **state)
{
    struct scene s = prepare(*state);
    rill_graph *g = new_graph(s.f), *bodies[3];
    rill_conditional handle;
    rill_node node, failing = NULL;
    ok(rill_conditional_create(g, 0, 0, &handle));
    ok(rill_graph_add_conditional(g, NULL, 0, handle, RILL_CONDITIONAL_SWITCH, 3, bodies, &node));
    for (int i = 0; i < 3; i++) {
        failing = add(bodies[i], NULL, kernel_op(s.theirs, NULL));
        is_no_exec(g, BODY, RILL_EXEC_MULTIPLE_CONTEXTS, failing);
    }
    g = new_graph(s.f); /* but the first of several conditionals */
    failing = add(body_of(g), NULL, kernel_op(s.theirs, NULL));
    add(body_of(g), NULL, host_op(nothing, NULL));
    is_no_exec(g, BODY, RILL_EXEC_MULTIPLE_CONTEXTS, failing);
}

/* cond.handle_other_graph */
static void a_handle_that_no_node_has_is_refused_before_bodies_are_seen(void **state)
{
    struct scene s = prepare(*state);
    rill_graph *g = new_graph(s.f), *body;
    rill_conditional handle = 0;
    rill_node node;
    ok(rill_conditional_create(g, 1, RILL_CONDITIONAL_ASSIGN, &handle));
    rill_node bad = add(body_of(g), NULL, kernel_op(s.theirs, NULL));
    is_no_exec(g, BODY, RILL_EXEC_CONDITIONAL_UNUSED, NULL);
    ok(rill_graph_add_conditional(g, NULL, 0, handle, RILL_CONDITIONAL_IF, 1, &body, &node));
    is_no_exec(g, BODY, RILL_EXEC_MULTIPLE_CONTEXTS, bad);
}

/* Also when the conditional was deep in what a removed node held. */
static void a_handle_is_free_when_its_node_is_gone(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f), *outer, *inner;
    rill_conditional handle = 0, inside = 0;
    rill_node node, nested;
    ok(rill_conditional_create(g, 1, 0, &handle));
    ok(rill_conditional_create(g, 1, 0, &inside));
    ok(rill_graph_add_conditional(g, NULL, 0, handle, RILL_CONDITIONAL_IF, 1, &outer, &node));
    ok(rill_graph_add_conditional(outer, NULL, 0, inside, RILL_CONDITIONAL_IF, 1, &inner, &nested));
    is_exec(g, BODY);
    ok(rill_graph_remove_node(g, node));
    is_no_exec(g, BODY, RILL_EXEC_CONDITIONAL_UNUSED, NULL);
    ok(rill_graph_add_conditional(g, NULL, 0, inside, RILL_CONDITIONAL_IF, 1, &outer, &node));
    ok(rill_graph_add_conditional(g, NULL, 0, handle, RILL_CONDITIONAL_IF, 1, &inner, &nested));
    is_exec(g, BODY);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(work_of_the_host_is_not_begun_by_the_device),
    cmocka_unit_test(nor_is_memory_given_out_or_taken_back),
    cmocka_unit_test(kernels_fills_copies_and_graphs_may_be_there),
    cmocka_unit_test(a_body_runs_what_it_holds),
    cmocka_unit_test(only_bodies_hold_empty_nodes_and_conditionals),
    cmocka_unit_test(nothing_at_all_is_not_launched_from_the_device),
    cmocka_unit_test(all_that_the_device_begins_is_of_one_context),
    cmocka_unit_test(copies_may_reach_the_memory_of_another_context),
    cmocka_unit_test(a_graph_of_another_context_alone_may_be_launched),
    cmocka_unit_test(pageable_memory_is_not_copied_by_the_device),
    cmocka_unit_test(the_first_node_that_cannot_be_there_is_named),
    cmocka_unit_test(of_several_bodies_the_last_is_answered_for),
    cmocka_unit_test(a_handle_that_no_node_has_is_refused_before_bodies_are_seen),
    cmocka_unit_test(a_handle_is_free_when_its_node_is_gone),
};

SUITE_GROUP(device_nodes, 1);
