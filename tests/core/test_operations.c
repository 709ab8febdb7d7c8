/* SPDX-License-Identifier: Apache-2.0
 *
 * What is inside an operation: the handles and pointers that the core checks,
 * on each of the four ways that an operation can take.
 */
#include "core/operations.h"

static void expect_refused(const rill_op *op, rill_status status, const char *argument)
{
    for (size_t i = 0; i < WAYS; i++) {
        rill_op copy = *op;
        rill_clear_error();
        shim_forget();
        rill_status got = ways[i].go(&home, &copy);
        const rill_error *error = rill_last_error();
        if (got != status)
            fail_msg("%s, %s: %d instead of %d", ways[i].name, argument, (int)got, (int)status);
        assert_string_equal(error->operation, ways[i].name);
        assert_non_null(error->argument);
        assert_string_equal(error->argument, argument);
        assert_non_null(strstr(error->message, argument));
        assert_null(shim_last());
        const void *on;
        memcpy(&on, (const char *)&home + ways[i].on, sizeof on);
        expect_object(on);
    }
}

static void expect_accepted(const rill_op *op)
{
    for (size_t i = 0; i < WAYS; i++) {
        rill_op copy = *op;
        shim_forget();
        rill_status got = ways[i].go(&home, &copy);
        if (got) fail_msg("%s, kind %d: %d", ways[i].name, (int)op->kind, (int)got);
        assert_string_equal(shim_last(), ways[i].slot);
    }
}

/* ---- Handles ------------------------------------------------------------ */

static uint64_t nothing[16];

/* `at` is inside `op`, which is good with `own` there. */
static void check_handle(rill_op *op, void *at, void *own, void *foreign, void *ruined,
                         void *another, rill_status when_null, const char *argument)
{
    rill_status wrong = strstr(argument, "context") ? RILL_ERROR_INVALID_CONTEXT
                                                    : RILL_ERROR_INVALID_HANDLE;
    void *null = NULL, *zeroes = nothing;
    memcpy(at, &own, sizeof own);
    expect_accepted(op);
    memcpy(at, &null, sizeof null);
    if (when_null)
        expect_refused(op, when_null, argument);
    else
        expect_accepted(op);
    memcpy(at, &another, sizeof another);
    expect_refused(op, wrong, argument);
    memcpy(at, &zeroes, sizeof zeroes);
    expect_refused(op, wrong, argument);
    memcpy(at, &foreign, sizeof foreign);
    expect_refused(op, wrong, argument);
    assert_non_null(strstr(rill_last_error()->message, "of another platform than exec "));
    if (ruined) {
        memcpy(at, &ruined, sizeof ruined);
        expect_refused(op, RILL_ERROR_CONTEXT_IS_DESTROYED, argument);
    }
    memcpy(at, &own, sizeof own);
}

static int counter;
static int *const counter_address = &counter;
static const void *const params[] = { &counter_address };

static rill_op launch(void)
{
    rill_op op = op_of(RILL_OP_KERNEL);
    op.kernel = (rill_kernel_op){ .kernel = home.kernel,
                                  .grid = { 1, 1, 1 },
                                  .block = { 1, 1, 1 },
                                  .params = params };
    return op;
}

static void kernels_are_checked(void **state)
{
    (void)state;
    rill_op op = launch();
    check_handle(&op, &op.kernel.kernel, home.kernel, abroad.kernel, ruin.kernel, home.stream,
                 RILL_ERROR_INVALID_HANDLE, "op->kernel.kernel");
}

static void events_are_checked(void **state)
{
    (void)state;
    rill_op record = op_of(RILL_OP_EVENT_RECORD), wait = op_of(RILL_OP_EVENT_WAIT);
    check_handle(&record, &record.event.event, home.event, abroad.event, ruin.event, home.stream,
                 RILL_ERROR_INVALID_HANDLE, "op->event.event");
    check_handle(&wait, &wait.event.event, home.event, abroad.event, ruin.event, home.stream,
                 RILL_ERROR_INVALID_HANDLE, "op->event.event");
}

static void graphs_are_checked(void **state)
{
    (void)state;
    rill_op op = op_of(RILL_OP_GRAPH);
    rill_graph *child = NULL;
    assert_int_equal(rill_graph_create(home.context, NULL, &child), RILL_SUCCESS);
    check_handle(&op, &op.graph.graph, child, abroad.graph, NULL, home.stream,
                 RILL_ERROR_INVALID_VALUE, "op->graph.graph");
    op.graph.graph = ruin.graph; /* it is of no context */
    expect_accepted(&op);
    assert_int_equal(rill_graph_destroy(&child), RILL_SUCCESS);
}

static void pools_are_checked(void **state)
{
    (void)state;
    rill_op op = op_of(RILL_OP_ALLOC);
    check_handle(&op, &op.alloc.pool, home.pool, abroad.pool, NULL, home.stream, RILL_SUCCESS,
                 "op->alloc.pool");
}

static void contexts_of_places_are_checked(void **state)
{
    (void)state;
    rill_op op = op_of(RILL_OP_MEMCPY);
    op.memcpy = (rill_copy){ .dst = rill_device_place(home.address),
                             .src = rill_device_place(home.address + 32),
                             .width = 8,
                             .height = 1,
                             .depth = 1 };
    check_handle(&op, &op.memcpy.dst.context, home.context, abroad.context, ruin.context,
                 home.stream, RILL_SUCCESS, "op->memcpy.dst.context");
    check_handle(&op, &op.memcpy.src.context, home.context, abroad.context, ruin.context,
                 home.stream, RILL_SUCCESS, "op->memcpy.src.context");
}

static void contexts_of_boxes_are_checked(void **state)
{
    (void)state;
    rill_copy copy = { .dst = rill_device_place(home.address),
                       .src = rill_device_place(home.address + 32) };
    assert_int_equal(rill_memcpy_box(home.context, &copy), RILL_SUCCESS);
    copy.dst.context = abroad.context;
    assert_int_equal(rill_memcpy_box(home.context, &copy), RILL_ERROR_INVALID_CONTEXT);
    assert_string_equal(rill_last_error()->argument, "copy->dst.context");
    assert_int_equal(rill_memcpy_box_async(home.stream, &copy), RILL_ERROR_INVALID_CONTEXT);
    copy.dst.context = home.context;
    copy.src.context = ruin.context;
    assert_int_equal(rill_memcpy_box(home.context, &copy), RILL_ERROR_CONTEXT_IS_DESTROYED);
    assert_string_equal(rill_last_error()->argument, "copy->src.context");
    assert_int_equal(rill_memcpy_box_async(home.stream, &copy), RILL_ERROR_CONTEXT_IS_DESTROYED);
    rill_node node = NULL;
    assert_int_equal(rill_graph_add_memcpy(home.graph, NULL, 0, &copy, &node),
                     RILL_ERROR_CONTEXT_IS_DESTROYED);
    assert_string_equal(rill_last_error()->argument, "copy->src.context");
    assert_null(node);
}

/* Attributes hold an event where their id says so, and only there. */
static void events_in_attributes_are_checked(void **state)
{
    (void)state;
    rill_attribute attributes[2] = { { .id = RILL_ATTRIBUTE_PRIORITY },
                                     { .id = RILL_ATTRIBUTE_COMPLETION_EVENT } };
    rill_op op = launch();
    op.kernel.attributes = attributes;
    op.kernel.attribute_count = 2;
    check_handle(&op, &attributes[1].event.event, home.event, abroad.event, ruin.event, home.stream,
                 RILL_ERROR_INVALID_HANDLE, "op->kernel.attributes");
    attributes[1].id = RILL_ATTRIBUTE_PROGRAMMATIC_EVENT;
    check_handle(&op, &attributes[1].event.event, home.event, abroad.event, ruin.event, home.stream,
                 RILL_ERROR_INVALID_HANDLE, "op->kernel.attributes");
    attributes[0].event.event = (rill_event *)(void *)nothing; /* is no event there */
    expect_accepted(&op);

    attributes[1].event.event = abroad.event;
    assert_int_equal(rill_node_set_attribute(home.graph, home.node, &attributes[1]),
                     RILL_ERROR_INVALID_HANDLE);
    assert_string_equal(rill_last_error()->argument, "attribute");
}

/* ---- Pointers and kinds ------------------------------------------------- */

static void arrays_are_required_where_there_is_a_count(void **state)
{
    (void)state;
    const rill_value item = { .kind = RILL_VALUE_WRITE_32 };
    rill_op values = op_of(RILL_OP_VALUES);
    expect_accepted(&values);
    values.values.count = 1;
    expect_refused(&values, RILL_ERROR_INVALID_VALUE, "op->values.items");
    values.values.items = &item;
    expect_accepted(&values);

    rill_graph *bodies[1];
    rill_op conditional = op_of(RILL_OP_CONDITIONAL);
    conditional.conditional.body_count = 1;
    expect_refused(&conditional, RILL_ERROR_INVALID_VALUE, "op->conditional.bodies");
    conditional.conditional.bodies = bodies;
    expect_accepted(&conditional);

    rill_op kernel = launch();
    kernel.kernel.attribute_count = 1;
    expect_refused(&kernel, RILL_ERROR_INVALID_VALUE, "op->kernel.attributes");
}

static void unknown_kinds_are_refused(void **state)
{
    (void)state;
    rill_op op = op_of((rill_op_kind)14);
    expect_refused(&op, RILL_ERROR_INVALID_VALUE, "op->kind");
    op = op_of((rill_op_kind)-1);
    expect_refused(&op, RILL_ERROR_INVALID_VALUE, "op->kind");
    assert_non_null(strstr(rill_last_error()->message, "-1"));
}

static void semaphores_are_refused_by_name(void **state)
{
    (void)state;
    rill_op op = op_of(RILL_OP_SEMAPHORE_SIGNAL);
    for (size_t i = 0; i < WAYS; i++) {
        op.kind = RILL_OP_SEMAPHORE_SIGNAL;
        assert_int_equal(ways[i].go(&home, &op), RILL_ERROR_NOT_SUPPORTED);
        assert_non_null(strstr(rill_last_error()->message, "RILL_OP_SEMAPHORE_SIGNAL"));
        op.kind = RILL_OP_SEMAPHORE_WAIT;
        assert_int_equal(ways[i].go(&home, &op), RILL_ERROR_NOT_SUPPORTED);
        assert_non_null(strstr(rill_last_error()->message, "RILL_OP_SEMAPHORE_WAIT"));
        assert_string_equal(rill_last_error()->argument, "op->kind");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_are_checked),
        cmocka_unit_test(events_are_checked),
        cmocka_unit_test(graphs_are_checked),
        cmocka_unit_test(pools_are_checked),
        cmocka_unit_test(contexts_of_places_are_checked),
        cmocka_unit_test(contexts_of_boxes_are_checked),
        cmocka_unit_test(events_in_attributes_are_checked),
        cmocka_unit_test(arrays_are_required_where_there_is_a_count),
        cmocka_unit_test(unknown_kinds_are_refused),
        cmocka_unit_test(semaphores_are_refused_by_name),
    };
    return cmocka_run_group_tests(tests, open_worlds, close_worlds);
}
