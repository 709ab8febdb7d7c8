/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels as nodes: what comes back of what was given, what is copied, what is
 * refused, what a change keeps.
 */
#include <string.h>

#include "conformance/nodes.h"

/* ---- What comes back ---------------------------------------------------------------- */

/* node.kernel_roundtrip */
static void a_kernel_node_gives_back_what_it_was_given(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f);
    rill_devptr address = device_words(f, 16);
    uint32_t value = 77;
    const void *params[] = { &address, &value };
    rill_op op = kernel_op(kernel(f, &put_function), params);
    op.kernel.grid = (rill_dim3){ 2, 3, 4 };
    op.kernel.block = (rill_dim3){ 32, 2, 1 };
    op.kernel.shared_bytes = 128;
    rill_op got = op_of(g, add(g, NULL, op));
    assert_int_equal(got.kind, RILL_OP_KERNEL);
    assert_ptr_equal(got.kernel.kernel, op.kernel.kernel);
    assert_memory_equal(&got.kernel.grid, &op.kernel.grid, sizeof got.kernel.grid);
    assert_memory_equal(&got.kernel.block, &op.kernel.block, sizeof got.kernel.block);
    assert_int_equal(got.kernel.shared_bytes, 128);
    assert_null(got.kernel.buffer);
    assert_null(got.kernel.attributes);
    assert_int_equal(got.kernel.attribute_count, 0);
}

/* node.kernel_args_copied */
static void the_arguments_are_the_nodes_own(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f);
    rill_devptr address = 0x1000, before = address;
    uint32_t value = 77;
    const void *params[] = { &address, &value };
    rill_node node = add(g, NULL, kernel_op(kernel(f, &put_function), params));
    value = 0;
    address = 0;
    rill_op got = op_of(g, node);
    assert_true(got.kernel.params != params);
    assert_memory_equal(got.kernel.params[0], &before, sizeof before);
    assert_int_equal(*(const uint32_t *)got.kernel.params[1], 77);
}

/* node.kernel_extra */
static void packed_arguments_come_back_packed(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f);
    rill_devptr address = 0x1000;
    uint32_t value = 55;
    unsigned char buffer[12];
    memcpy(buffer, &address, 8);
    memcpy(buffer + 8, &value, 4);
    rill_op op = kernel_op(kernel(f, &put_function), NULL);
    op.kernel.buffer = buffer;
    op.kernel.buffer_bytes = sizeof buffer;
    rill_node node = add(g, NULL, op);
    memset(buffer, 0, sizeof buffer);
    rill_op got = op_of(g, node);
    assert_null(got.kernel.params);
    assert_int_equal(got.kernel.buffer_bytes, sizeof buffer);
    assert_memory_equal(got.kernel.buffer, &address, 8);
    assert_memory_equal((const char *)got.kernel.buffer + 8, &value, 4);

    const void *params[] = { &address, &value };
    op = kernel_op(op.kernel.kernel, params);
    ok(rill_node_set_op(g, node, &op));
    got = op_of(g, node);
    assert_non_null(got.kernel.params);
    assert_null(got.kernel.buffer);
    assert_int_equal(got.kernel.buffer_bytes, 0);
}

/* node.kernel_no_params */
static void a_kernel_without_parameters_needs_none(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f);
    rill_op op = kernel_op(kernel(f, &nop_function), NULL);
    rill_op got = op_of(g, add(g, NULL, op));
    assert_null(got.kernel.params);
    assert_null(got.kernel.buffer);
    const void *none[] = { NULL };
    op.kernel.params = none;
    add(g, NULL, op);
}

static void what_was_read_can_be_given_again(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f);
    rill_devptr address = 0x1000;
    uint32_t value = 5;
    const void *params[] = { &address, &value };
    const rill_attribute attribute = { .id = RILL_ATTRIBUTE_COOPERATIVE, .cooperative = 1 };
    rill_op op = kernel_op(kernel(f, &put_function), params);
    op.kernel.attributes = &attribute;
    op.kernel.attribute_count = 1;
    rill_node node = add(g, NULL, op);
    rill_op got = op_of(g, node);
    rill_op copy = op_of(g, add(g, NULL, got));
    assert_int_equal(copy.kernel.attribute_count, 1);
    assert_int_equal(copy.kernel.attributes[0].cooperative, 1);
    assert_int_equal(*(const uint32_t *)copy.kernel.params[1], 5);
    ok(rill_node_set_op(g, node, &got)); /* what it reads is its own */
    got = op_of(g, node);
    assert_int_equal(*(const uint32_t *)got.kernel.params[1], 5);
}

/* ---- What is refused ----------------------------------------------------------------- */

/* node.kernel_params_missing */
static void missing_arguments_are_refused(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f);
    rill_kernel *k = kernel(f, &put_function);
    refused_for(RILL_ERROR_INVALID_VALUE, "params", g, kernel_op(k, NULL));
    const void *holes[] = { NULL, NULL };
    refused(RILL_ERROR_INVALID_VALUE, g, kernel_op(k, holes));
    unsigned char buffer[64] = { 0 };
    rill_op op = kernel_op(k, NULL);
    op.kernel.buffer = buffer;
    op.kernel.buffer_bytes = 16;
    refused(RILL_ERROR_INVALID_VALUE, g, op); /* of a launch this is another status */
}

/* As an H200 answers: of a node it is no matter how large a buffer is that nobody reads; a
 * launch of more than the kernel has is refused. */
static void a_buffer_for_no_arguments_is_taken_by_nodes_alone(void **state)
{
    static const size_t sizes[] = { 0, 1, 4, 8, 20, 64 };
    struct fixture *f = *state;
    rill_graph *g = new_graph(f);
    unsigned char buffer[64] = { 0 };
    rill_op op = kernel_op(kernel(f, &nop_function), NULL);
    rill_node node = add(g, NULL, op);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        op.kernel.buffer = buffer;
        op.kernel.buffer_bytes = sizes[i];
        add(g, NULL, op);
        ok(rill_node_set_op(g, node, &op));
        is(sizes[i] ? RILL_ERROR_LAUNCH_OUT_OF_RESOURCES : RILL_SUCCESS,
           rill_stream_submit(f->legacy, &op));
    }
    ok(run_exec(new_exec(f, g), f->legacy));
}

/* GR-8: either would do. */
static void both_forms_of_arguments_at_once_are_refused(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f);
    rill_devptr address = device_words(f, 1);
    uint32_t value = 5;
    unsigned char buffer[12] = { 0 };
    const void *params[] = { &address, &value };
    rill_op op = kernel_op(kernel(f, &put_function), params);
    add(g, NULL, op);
    op.kernel.buffer = buffer;
    op.kernel.buffer_bytes = sizeof buffer;
    refused(RILL_ERROR_INVALID_VALUE, g, op);
    op.kernel.params = NULL;
    add(g, NULL, op);
}

/* update.kernel_dims */
static void shapes_that_cannot_be_launched_are_refused(void **state)
{
    struct fixture *f = *state;
    static const struct {
        rill_dim3 grid, block;
        size_t shared;
        const char *argument;
    } bad[] = {
        { { 0, 1, 1 }, { 1, 1, 1 }, 0, "grid" },
        { { 1, 1, 0 }, { 1, 1, 1 }, 0, "grid" },
        { { 1, 70000, 1 }, { 1, 1, 1 }, 0, "grid" },
        { { 1, 1, 1 }, { 1, 0, 1 }, 0, "block" },
        { { 1, 1, 1 }, { 2048, 1, 1 }, 0, "block" },
        { { 1, 1, 1 }, { 1, 1, 65 }, 0, "block" },
        { { 1, 1, 1 }, { 1, 1, 1 }, 1 << 20, "shared_bytes" },
    };
    rill_graph *g = new_graph(f);
    rill_op op = kernel_op(kernel(f, &nop_function), NULL);
    rill_node node = add(g, NULL, op);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        op.kernel.grid = bad[i].grid;
        op.kernel.block = bad[i].block;
        op.kernel.shared_bytes = bad[i].shared;
        refused_for(RILL_ERROR_INVALID_VALUE, bad[i].argument, g, op);
        is(RILL_ERROR_INVALID_VALUE, rill_node_set_op(g, node, &op));
        blames("rill_node_set_op", bad[i].argument);
    }
    rill_op got = op_of(g, node);
    assert_int_equal(got.kernel.grid.y, 1);
    assert_int_equal(got.kernel.block.x, 1);
    assert_int_equal(got.kernel.shared_bytes, 0);
}

/* ---- Changes ---------------------------------------------------------------------------- */

/* node.kernel_set */
static void a_node_takes_another_kernel_and_shape(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f);
    rill_node node = add(g, NULL, kernel_op(kernel(f, &nop_function), NULL));
    rill_devptr address = 0x1000;
    uint32_t by = 2, more = 5;
    const void *params[] = { &address, &by, &more };
    rill_op op = kernel_op(kernel(f, &mul_add_function), params);
    op.kernel.grid.x = 3;
    ok(rill_node_set_op(g, node, &op));
    more = 6;
    rill_op got = op_of(g, node);
    assert_ptr_equal(got.kernel.kernel, op.kernel.kernel);
    assert_int_equal(got.kernel.grid.x, 3);
    assert_int_equal(*(const uint32_t *)got.kernel.params[2], 5);
}

/* cond.node_params */
static void a_node_stays_of_its_kind(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f);
    rill_op op = kernel_op(kernel(f, &nop_function), NULL);
    rill_node node = add(g, NULL, op);
    rill_op other = fill_op(device_words(f, 4), 1, 4);
    refuses(RILL_ERROR_INVALID_VALUE, "op->kind", rill_node_set_op(g, node, &other));
    rill_op empty = { .kind = RILL_OP_EMPTY };
    is(RILL_ERROR_INVALID_VALUE, rill_node_set_op(g, node, &empty));
    rill_node nothing = add(g, NULL, empty);
    is(RILL_ERROR_INVALID_VALUE, rill_node_set_op(g, nothing, &op));
    ok(rill_node_set_op(g, nothing, &empty));
    assert_int_equal(op_of(g, node).kind, RILL_OP_KERNEL);
}

static void a_node_outlives_its_module(void **state)
{
    struct fixture *f = *state;
    const rill_image image = image_of(&put_function, 1);
    if (!suite->expects.runs_functions)
        skip_since("the driver's node must not be used without its module");
    rill_graph *g = new_graph(f);
    rill_module *module = NULL;
    rill_kernel *k = NULL;
    ok(rill_module_load(f->context, &image, &module));
    ok(rill_module_kernel(module, "put", &k));
    rill_devptr address = device_words(f, 1);
    uint32_t value = 9;
    const void *params[] = { &address, &value };
    rill_node node = add(g, NULL, kernel_op(k, params));
    ok(rill_module_unload(&module));
    const rill_attribute attribute = { .id = RILL_ATTRIBUTE_PRIORITY, .priority = -1 };
    ok(rill_node_set_attribute(g, node, &attribute));
    assert_int_equal(*(const uint32_t *)op_of(g, node).kernel.params[1], 9);
}

/* H200, driver 580.159.04 */
static void a_kernel_node_takes_a_kernel_of_another_context(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f);
    rill_context *other = new_context(f, 0, RILL_CONTEXT_OWN);
    rill_node node = add(g, NULL, kernel_op(kernel(f, &nop_function), NULL));
    rill_op op = kernel_op(new_kernel(f, other, &nop_function), NULL);
    ok(rill_node_set_op(g, node, &op));
    assert_ptr_equal(op_of(g, node).kernel.kernel, op.kernel.kernel);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_kernel_node_gives_back_what_it_was_given),
    cmocka_unit_test(the_arguments_are_the_nodes_own),
    cmocka_unit_test(packed_arguments_come_back_packed),
    cmocka_unit_test(a_kernel_without_parameters_needs_none),
    cmocka_unit_test(what_was_read_can_be_given_again),
    cmocka_unit_test(missing_arguments_are_refused),
    cmocka_unit_test(a_buffer_for_no_arguments_is_taken_by_nodes_alone),
    cmocka_unit_test(both_forms_of_arguments_at_once_are_refused),
    cmocka_unit_test(shapes_that_cannot_be_launched_are_refused),
    cmocka_unit_test(a_node_takes_another_kernel_and_shape),
    cmocka_unit_test(a_node_stays_of_its_kind),
    cmocka_unit_test(a_node_outlives_its_module),
    cmocka_unit_test(a_kernel_node_takes_a_kernel_of_another_context),
};

SUITE_GROUP(node_kernels, 1);
