/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls on graphs and execs made from inside a host function.  Measured on an H200,
 * driver 580: graphs can be built there of what needs no context, and launched, but
 * not looked at, copied or taken apart.
 */
#include "conformance/graphs/drawing.h"

struct scene {
    struct fixture *f;
    rill_stream *own, *other; /* the host function runs in `own` */
    rill_graph *graph, *child, *spare;
    rill_node kernel, fill, copy, host, record, wait, values, holder, empty;
    rill_event *event;
    rill_devptr memory;
    rill_exec *exec, *light;  /* of `graph`; of one host function */
    rill_user_object *object;
    rill_kernel *nop;
    atomic_int runs;
};

static struct scene scene;
static rill_value write_one;

static void prepare(struct fixture *f)
{
    rill_graph *one_host = new_graph(f);
    scene = (struct scene){
        .f = f, .own = new_non_blocking(f), .other = new_non_blocking(f), .graph = new_graph(f),
        .child = new_graph(f), .spare = new_graph(f), .event = new_event(f),
        .memory = device_words(f, 4), .nop = kernel(f, &nop_function),
    };
    add(scene.child, NULL, empty_op());
    scene.kernel = add(scene.graph, NULL, kernel_op(scene.nop, NULL));
    scene.fill = add(scene.graph, NULL, fill_op(scene.memory, 1, 1));
    write_one = (rill_value){ .kind = RILL_VALUE_WRITE_32, .address = scene.memory };
    scene.copy = add(scene.graph, NULL, copy_op(rill_device_place(scene.memory),
                                                rill_device_place(scene.memory + 8), 4));
    scene.values = add(scene.graph, NULL, values_op(&write_one, 1));
    scene.host = add(scene.graph, NULL, host_op(count_up, &scene.runs));
    scene.record = add(scene.graph, NULL, event_op(RILL_OP_EVENT_RECORD, scene.event));
    scene.wait = add(scene.graph, NULL, event_op(RILL_OP_EVENT_WAIT, scene.event));
    scene.holder = add(scene.graph, NULL, child_op(scene.child, 0));
    scene.empty = add(scene.graph, NULL, empty_op());
    add(one_host, NULL, host_op(count_up, &scene.runs));
    scene.exec = new_exec(f, scene.graph);
    scene.light = new_exec(f, one_host);
}

/* ---- Questions ------------------------------------------------------------------------ */

struct question {
    const char *name;
    rill_status (*ask)(void);
    rill_status answer;
};

static void make_call(void *data)
{
    struct question *question = data;
    question->answer = question->ask();
}

static void all_answer(const struct question *questions, size_t count, rill_status wanted)
{
    for (size_t i = 0; i < count; i++) {
        struct question asked = questions[i];
        asked.answer = RILL_ERROR_UNKNOWN;
        ok(rill_launch_host(scene.own, make_call, &asked, NULL));
        ok(rill_stream_synchronize(scene.own));
        if (asked.answer == wanted) continue;
        fail_msg("%s inside a host function answers %d, not %d", asked.name, (int)asked.answer,
                 (int)wanted);
    }
}

#define ASK(name) { #name, ask_##name, RILL_SUCCESS }
#define TRY(name, call) \
    static rill_status ask_##name(void) { return call; }

static rill_node some[16];
static rill_edge edges[16];
static size_t room = 16;
static rill_op_kind kind;
static rill_op got;
static rill_graph *no_graph;
static rill_exec *no_exec;
static rill_attribute priority = { .id = RILL_ATTRIBUTE_PRIORITY };
static uint32_t no_flags;
static int no_number;
static uint64_t no_value;
static rill_update_result no_result;
static rill_user_object *no_object;
static rill_conditional no_handle;

static int take(void *data, const char *text, size_t bytes);

/* ---- What is not permitted -------------------------------------------------------------- */

TRY(nodes, rill_graph_nodes(scene.graph, some, &room))
TRY(count, rill_graph_nodes(scene.graph, NULL, &room))
TRY(roots, rill_graph_roots(scene.graph, some, &room))
TRY(edges, rill_graph_edges(scene.graph, some, some, edges, &room))
TRY(dependencies, rill_node_dependencies(scene.graph, scene.fill, some, edges, &room))
TRY(dependents, rill_node_dependents(scene.graph, scene.fill, some, edges, &room))
TRY(kind, rill_node_kind(scene.graph, scene.fill, &kind))
TRY(get_fill, rill_node_get_op(scene.graph, scene.fill, &got))
TRY(get_copy, rill_node_get_op(scene.graph, scene.copy, &got))
TRY(child, rill_node_child_graph(scene.graph, scene.holder, &no_graph))
TRY(get_attribute, rill_node_get_attribute(scene.graph, scene.kernel, &priority))
TRY(find, rill_graph_find_in_clone(scene.spare, scene.fill, some))
TRY(flags, rill_exec_flags(scene.exec, &no_flags))
TRY(get_memory, rill_device_get_graph_memory(scene.f->platform, 0, RILL_GRAPH_MEMORY_USED_CURRENT,
                                             &no_value))

static void graphs_cannot_be_looked_at(void **state)
{
    static const struct question all[] = {
        ASK(nodes), ASK(count), ASK(roots), ASK(edges), ASK(dependencies), ASK(dependents),
        ASK(kind), ASK(get_fill), ASK(get_copy), ASK(child), ASK(get_attribute), ASK(find),
        ASK(flags), ASK(get_memory),
    };
    prepare(*state);
    all_answer(all, sizeof all / sizeof *all, RILL_ERROR_NOT_PERMITTED);
}

static rill_status add_one(rill_op op)
{
    return rill_graph_add_node(scene.spare, NULL, 0, &op, some);
}

static rill_status set_one(rill_node node, rill_op op)
{
    return rill_node_set_op(scene.graph, node, &op);
}

TRY(create, rill_graph_create(scene.f->context, NULL, &no_graph))
TRY(clone, rill_graph_clone(scene.graph, &no_graph))
TRY(add_kernel, add_one(kernel_op(scene.nop, NULL)))
TRY(add_fill, add_one(fill_op(scene.memory, 1, 1)))
TRY(add_copy, add_one(copy_op(rill_device_place(scene.memory), rill_device_place(scene.memory + 8),
                              4)))
TRY(add_child, add_one(child_op(scene.child, 0)))
TRY(add_alloc, add_one(alloc_op(64)))
TRY(add_free, add_one(free_op(scene.memory)))
TRY(set_kernel, set_one(scene.kernel, kernel_op(scene.nop, NULL)))
TRY(set_fill, set_one(scene.fill, fill_op(scene.memory, 2, 1)))
TRY(set_attribute, rill_node_set_attribute(scene.graph, scene.kernel, &priority))
TRY(copy_attributes, rill_node_copy_attributes(scene.graph, scene.kernel, scene.kernel))
TRY(remove, rill_graph_remove_node(scene.graph, scene.empty))
TRY(instantiate, rill_exec_create(scene.spare, NULL, &no_exec))
TRY(update, rill_exec_update(scene.exec, scene.graph, &no_result))
TRY(set_memory, rill_device_set_graph_memory(scene.f->platform, 0, RILL_GRAPH_MEMORY_USED_HIGH, 0))
TRY(trim, rill_device_trim_graph_memory(scene.f->platform, 0))

static rill_status ask_destroy(void)
{
    rill_graph *given = scene.child;
    return rill_graph_destroy(&given);
}

static void what_needs_the_context_cannot_be_built_or_ended(void **state)
{
    static const struct question all[] = {
        ASK(create), ASK(clone), ASK(add_kernel), ASK(add_fill), ASK(add_copy), ASK(add_child),
        ASK(add_alloc), ASK(add_free), ASK(set_kernel), ASK(set_fill), ASK(set_attribute),
        ASK(copy_attributes), ASK(remove), ASK(instantiate), ASK(update), ASK(set_memory),
        ASK(trim), ASK(destroy),
    };
    prepare(*state);
    all_answer(all, sizeof all / sizeof *all, RILL_ERROR_NOT_PERMITTED);
    assert_int_equal(node_count(scene.spare), 0);
    assert_int_equal(node_count(scene.child), 1);
    assert_int_equal(node_count(scene.graph), 9);
}

static rill_status ask_destroy_exec(void)
{
    rill_exec *given = scene.light;
    return rill_exec_destroy(&given);
}

/* The handle is given up all the same. */
static void an_exec_is_told_so_when_it_goes(void **state)
{
    static const struct question all[] = { ASK(destroy_exec) };
    prepare(*state);
    forget(scene.f, scene.light);
    all_answer(all, 1, RILL_ERROR_NOT_PERMITTED);
}

static rill_status ask_set_exec(void)
{
    rill_op op = kernel_op(scene.nop, NULL);
    return rill_exec_set_op(scene.exec, scene.kernel, &op);
}

TRY(add_values, add_one(values_op(&write_one, 1)))
TRY(enable, rill_exec_set_enabled(scene.exec, scene.kernel, 1))
TRY(enabled, rill_exec_get_enabled(scene.exec, scene.kernel, &no_number))

/* The driver's answer is another one here. */
static void nodes_of_execs_are_bad_ones(void **state)
{
    static const struct question all[] = { ASK(set_exec), ASK(enable), ASK(enabled) };
    prepare(*state);
    all_answer(all, sizeof all / sizeof *all, RILL_ERROR_INVALID_VALUE);
}

/* ---- What is -------------------------------------------------------------------------------- */

TRY(add_empty, add_one(empty_op()))
TRY(add_host, add_one(host_op(count_up, &scene.runs)))
TRY(add_record, add_one(event_op(RILL_OP_EVENT_RECORD, scene.event)))
TRY(add_wait, add_one(event_op(RILL_OP_EVENT_WAIT, scene.event)))
TRY(set_wait, set_one(scene.wait, event_op(RILL_OP_EVENT_WAIT, scene.event)))
TRY(set_values, set_one(scene.values, values_op(&write_one, 1)))
TRY(get_host, rill_node_get_op(scene.graph, scene.host, &got))
TRY(get_wait, rill_node_get_op(scene.graph, scene.wait, &got))
TRY(get_values, rill_node_get_op(scene.graph, scene.values, &got))
TRY(set_host, set_one(scene.host, host_op(count_up, &scene.runs)))
TRY(set_record, set_one(scene.record, event_op(RILL_OP_EVENT_RECORD, scene.event)))
TRY(set_empty, set_one(scene.empty, empty_op()))
TRY(set_child, set_one(scene.holder, child_op(scene.child, 0)))
TRY(get_kernel, rill_node_get_op(scene.graph, scene.kernel, &got))
TRY(get_record, rill_node_get_op(scene.graph, scene.record, &got))
TRY(add_edges, rill_graph_add_edges(scene.graph, &scene.fill, &scene.empty, NULL, 1))
TRY(remove_edges, rill_graph_remove_edges(scene.graph, &scene.fill, &scene.empty, NULL, 1))
TRY(handle, rill_conditional_create(scene.spare, 0, 0, &no_handle))
TRY(dot, rill_graph_write_dot(scene.graph, 0, take, NULL))
TRY(object, rill_user_object_create(scene.f->platform, &scene.runs, count_up, 1, &no_object))
TRY(retain, rill_user_object_retain(scene.object, 1))
TRY(give, rill_graph_retain_user_object(scene.graph, scene.object, 1, 0))
TRY(take_back, rill_graph_release_user_object(scene.graph, scene.object, 1))
TRY(launch, rill_exec_launch(scene.light, scene.other))
TRY(launch_own, rill_exec_launch(scene.light, scene.own))
TRY(launch_legacy, rill_exec_launch(scene.light, scene.f->legacy))
TRY(upload, rill_exec_upload(scene.light, scene.other))

static int take(void *data, const char *text, size_t bytes)
{
    (void)data, (void)text, (void)bytes;
    return 0;
}

static rill_status ask_release(void)
{
    rill_user_object *given = scene.object;
    return rill_user_object_release(&given, 10);
}

static rill_status ask_release_own(void)
{
    return rill_user_object_release(&no_object, 1);
}

static rill_status ask_add_conditional(void)
{
    return rill_graph_add_conditional(scene.spare, NULL, 0, no_handle, RILL_CONDITIONAL_IF, 1,
                                      &no_graph, some);
}

static void graphs_are_built_of_what_needs_no_context(void **state)
{
    static const struct question all[] = {
        ASK(add_empty), ASK(add_host), ASK(add_record), ASK(add_wait), ASK(add_values),
        ASK(set_host),
        ASK(set_record), ASK(set_wait), ASK(set_values), ASK(set_empty), ASK(set_child),
        ASK(get_kernel), ASK(get_host), ASK(get_record), ASK(get_wait), ASK(get_values),
        ASK(add_edges), ASK(remove_edges), ASK(handle), ASK(add_conditional), ASK(dot),
    };
    prepare(*state);
    all_answer(all, sizeof all / sizeof *all, RILL_SUCCESS);
    assert_int_equal(node_count(scene.spare), 6);
}

static void objects_are_kept_and_released(void **state)
{
    static const struct question all[] = {
        ASK(object), ASK(release_own), ASK(retain), ASK(give), ASK(take_back), ASK(release),
    };
    prepare(*state);
    ok(rill_user_object_create(scene.f->platform, &scene.runs, count_up, 9, &scene.object));
    all_answer(all, sizeof all / sizeof *all, RILL_SUCCESS);
    comes_to(&scene.runs, 2);
}

static void execs_are_launched(void **state)
{
    static const struct question all[] = { ASK(launch), ASK(launch_own), ASK(upload) };
    prepare(*state);
    static const struct question none[] = { ASK(launch_legacy) };
    all_answer(all, sizeof all / sizeof *all, RILL_SUCCESS);
    all_answer(none, 1, RILL_ERROR_NOT_PERMITTED);
    ok(rill_stream_synchronize(scene.own));
    ok(rill_stream_synchronize(scene.other));
    comes_to(&scene.runs, 2);
}

/* A capture as a whole. */
static rill_status ask_capture(void)
{
    rill_capture_options options = { .size = sizeof options, .mode = RILL_CAPTURE_GLOBAL };
    rill_graph *graph = NULL;
    rill_status status = rill_stream_begin_capture(scene.other, &options);
    if (!status) status = rill_memset_d32_async(scene.other, scene.memory, 1, 1);
    if (!status) status = rill_launch_host(scene.other, count_up, &scene.runs, NULL);
    if (!status) status = rill_stream_end_capture(scene.other, &graph);
    scene.spare = graph;
    return status;
}

static void streams_are_captured(void **state)
{
    static const struct question all[] = { ASK(capture) };
    prepare(*state);
    all_answer(all, 1, RILL_SUCCESS);
    keep_graph(scene.f, scene.spare);
    assert_int_equal(node_count(scene.spare), 2);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(graphs_cannot_be_looked_at),
    cmocka_unit_test(what_needs_the_context_cannot_be_built_or_ended),
    cmocka_unit_test(an_exec_is_told_so_when_it_goes),
    cmocka_unit_test(nodes_of_execs_are_bad_ones),
    cmocka_unit_test(graphs_are_built_of_what_needs_no_context),
    cmocka_unit_test(objects_are_kept_and_released),
    cmocka_unit_test(execs_are_launched),
    cmocka_unit_test(streams_are_captured),
};

SUITE_GROUP(inside_graphs, 1);
