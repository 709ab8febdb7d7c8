/* SPDX-License-Identifier: Apache-2.0
 *
 * Launches: the limits of their shapes, their arguments and attributes, and
 * the streams that they may go to.
 */
#include "conformance/work.h"

static rill_status launch_shape(rill_kernel *kernel, rill_stream *stream, rill_dim3 grid,
                                rill_dim3 block, size_t shared)
{
    return rill_launch_kernel(stream, kernel, grid, block, shared, NULL);
}

/* ---- Shapes ------------------------------------------------------------------------- */

struct shape {
    rill_dim3 grid, block;
    size_t shared;
};

static void all_shapes(struct fixture *f, const struct shape *shapes, size_t count,
                       rill_status expected, const char *argument)
{
    rill_stream *s = new_stream(f);
    rill_kernel *k = kernel(f, &nop_function);
    for (size_t i = 0; i < count; i++) {
        is(expected, launch_shape(k, s, shapes[i].grid, shapes[i].block, shapes[i].shared));
        if (argument) blames("rill_launch_kernel", argument);
    }
    ok(rill_stream_synchronize(s));
}

/* err.launch_shapes */
static void a_dimension_of_zero_is_refused(void **state)
{
    static const struct shape grids[] = {
        { { 0, 1, 1 }, { 1, 1, 1 }, 0 }, { { 1, 0, 1 }, { 1, 1, 1 }, 0 },
        { { 1, 1, 0 }, { 1, 1, 1 }, 0 },
    }, blocks[] = {
        { { 1, 1, 1 }, { 0, 1, 1 }, 0 }, { { 1, 1, 1 }, { 1, 0, 1 }, 0 },
        { { 1, 1, 1 }, { 1, 1, 0 }, 0 },
    };
    all_shapes(*state, grids, 3, RILL_ERROR_INVALID_VALUE, "grid");
    all_shapes(*state, blocks, 3, RILL_ERROR_INVALID_VALUE, "block");
}

/* err.launch_shapes */
static void shapes_up_to_the_limits_are_launched(void **state)
{
    static const struct shape shapes[] = {
        { { 1, 1, 1 }, { 1024, 1, 1 }, 0 },  { { 1, 1, 1 }, { 1, 1024, 1 }, 0 },
        { { 1, 1, 1 }, { 1, 1, 64 }, 0 },    { { 1, 1, 1 }, { 16, 1, 64 }, 0 },
        { { 1, 65535, 1 }, { 1, 1, 1 }, 0 }, { { 1, 1, 65535 }, { 1, 1, 1 }, 0 },
        { { 0x7fffffff, 1, 1 }, { 1, 1, 1 }, 0 }, { { 1, 1, 1 }, { 1, 1, 1 }, 49152 },
    };
    all_shapes(*state, shapes, sizeof shapes / sizeof *shapes, RILL_SUCCESS, NULL);
}

/* err.launch_shapes */
static void shapes_beyond_the_limits_are_refused(void **state)
{
    static const struct shape grids[] = {
        { { 1, 65536, 1 }, { 1, 1, 1 }, 0 },
        { { 1, 1, 65536 }, { 1, 1, 1 }, 0 },
        { { 0x80000000u, 1, 1 }, { 1, 1, 1 }, 0 },
    }, blocks[] = {
        { { 1, 1, 1 }, { 1025, 1, 1 }, 0 },
        { { 1, 1, 1 }, { 1, 1025, 1 }, 0 },
        { { 1, 1, 1 }, { 32, 32, 2 }, 0 },
        { { 1, 1, 1 }, { 1, 1, 65 }, 0 },
        { { 1, 1, 1 }, { 0x10000, 0x10000, 1 }, 0 }, /* 0 threads in 32 bits */
    }, shared[] = {
        { { 1, 1, 1 }, { 1, 1, 1 }, 49153 },
        { { 1, 1, 1 }, { 1, 1, 1 }, 0x7fffffff },
        { { 1, 1, 1 }, { 1, 1, 1 }, SIZE_MAX },
    };
    all_shapes(*state, grids, 3, RILL_ERROR_INVALID_VALUE, "grid");
    all_shapes(*state, blocks, 5, RILL_ERROR_INVALID_VALUE, "block");
    all_shapes(*state, shared, 3, RILL_ERROR_INVALID_VALUE, "shared_bytes");
}

/* err.launch_shapes, ER-3 */
static void a_refused_launch_does_nothing_and_the_next_one_works(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_stream(f);
    rill_kernel *k = kernel(f, &put_function);
    rill_devptr word = device_words(f, 1);
    const uint32_t value = 5;
    const void *params[] = { &word, &value };
    is(RILL_ERROR_INVALID_VALUE,
       rill_launch_kernel(s, k, (rill_dim3){ 0, 1, 1 }, one, 0, params));
    ok(rill_stream_synchronize(s));
    assert_int_equal(peek(f, word), 0);
    ok(launch(k, s, params));
    ok(rill_stream_synchronize(s));
    assert_int_equal(peek(f, word), 5);
}

static void a_function_s_own_limit_of_threads_holds(void **state)
{
    struct fixture *f = *state;
    rill_function function = nop_function;
    function.name = "bounded";
    function.max_threads = 96;
    rill_kernel *k = kernel(f, &function);
    ok(launch_shape(k, f->legacy, one, (rill_dim3){ 96, 1, 1 }, 0));
    ok(launch_shape(k, f->legacy, one, (rill_dim3){ 8, 6, 2 }, 0));
    is(RILL_ERROR_INVALID_VALUE, launch_shape(k, f->legacy, one, (rill_dim3){ 97, 1, 1 }, 0));
    is(RILL_ERROR_INVALID_VALUE, launch_shape(k, f->legacy, one, (rill_dim3){ 49, 2, 1 }, 0));
}

static void dynamic_shared_memory_is_limited_by_the_attribute(void **state)
{
    struct fixture *f = *state;
    rill_kernel *k = kernel(f, &nop_function);
    ok(rill_kernel_set_attribute(k, RILL_KERNEL_MAX_DYNAMIC_SHARED_BYTES, 1000));
    ok(launch_shape(k, f->legacy, one, one, 1000));
    is(RILL_ERROR_INVALID_VALUE, launch_shape(k, f->legacy, one, one, 1001));
    ok(rill_kernel_set_attribute(k, RILL_KERNEL_MAX_DYNAMIC_SHARED_BYTES, 100000));
    ok(launch_shape(k, f->legacy, one, one, 100000));
    is(RILL_ERROR_INVALID_VALUE, launch_shape(k, f->legacy, one, one, 100001));
}

/* ---- Arguments ------------------------------------------------------------------------ */

/* err.launch_no_params */
static void missing_arguments_are_refused(void **state)
{
    struct fixture *f = *state;
    rill_kernel *k = kernel(f, &put_function);
    const rill_devptr word = device_words(f, 1);
    is(RILL_ERROR_INVALID_VALUE, launch(k, f->legacy, NULL));
    blames("rill_launch_kernel", "params");
    is(RILL_ERROR_INVALID_VALUE, launch(k, f->legacy, (const void *const[]){ &word, NULL }));
    blames("rill_launch_kernel", "params");
    ok(rill_context_synchronize(f->context));
}

struct put_buffer {
    rill_devptr address;
    uint32_t value, padding;
};

static rill_op packed(rill_kernel *kernel, const void *buffer, size_t bytes)
{
    return (rill_op){
        .kind = RILL_OP_KERNEL,
        .kernel = { .kernel = kernel, .grid = one, .block = one, .buffer = buffer,
                    .buffer_bytes = bytes },
    };
}

/* err.launch_extra */
static void a_packed_buffer_is_copied_when_the_launch_is_submitted(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_stream(f);
    struct put_buffer buffer = { device_words(f, 1), 31, 0 };
    rill_devptr word = buffer.address;
    rill_op op = packed(kernel(f, &put_function), &buffer, 12);
    struct gate *g = gate(f, s);
    ok(rill_stream_submit(s, &op));
    buffer = (struct put_buffer){ 0, 32, 0 };
    open_gate(g);
    ok(rill_stream_synchronize(s));
    assert_int_equal(peek(f, word), 31);
}

/* err.launch_extra: also when padding alone makes the difference. */
static void a_packed_buffer_beyond_the_layout_lacks_resources(void **state)
{
    struct fixture *f = *state;
    const struct put_buffer buffer = { device_words(f, 1), 31, 0 };
    rill_kernel *k = kernel(f, &put_function);
    static const size_t sizes[] = { 13, sizeof buffer };
    rill_op op = packed(k, &buffer, 0);
    is(RILL_ERROR_INVALID_VALUE, rill_stream_submit(f->legacy, &op));
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        op = packed(k, &buffer, sizes[i]);
        is(RILL_ERROR_LAUNCH_OUT_OF_RESOURCES, rill_stream_submit(f->legacy, &op));
    }
    ok(rill_context_synchronize(f->context));
    assert_int_equal(peek(f, buffer.address), 0);
}

/* Of a launch and of a node, as measured for kernels of 4 to 24 bytes. */
static void a_packed_buffer_may_end_early(void **state)
{
    struct fixture *f = *state;
    const struct put_buffer buffer = { device_words(f, 1), 31, 0 };
    static const size_t sizes[] = { 8, 11 };
    rill_graph *graph = new_graph(f);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        rill_op op = packed(kernel(f, &put_function), &buffer, sizes[i]);
        rill_node node = NULL;
        ok(rill_stream_submit(f->legacy, &op));
        ok(rill_graph_add_node(graph, NULL, 0, &op, &node));
    }
    ok(rill_context_synchronize(f->context));
}

/* err.launch_extra */
static void both_forms_of_arguments_at_once_are_refused(void **state)
{
    struct fixture *f = *state;
    const struct put_buffer buffer = { device_words(f, 1), 31, 0 };
    const void *const params[] = { &buffer.address, &buffer.value };
    rill_op op = packed(kernel(f, &put_function), &buffer, 12);
    op.kernel.params = params;
    is(RILL_ERROR_INVALID_VALUE, rill_stream_submit(f->legacy, &op));
    ok(rill_context_synchronize(f->context));
    assert_int_equal(peek(f, buffer.address), 0);
}

/* ---- Streams and contexts --------------------------------------------------------------- */

/* err.launch_handles */
static void every_kind_of_stream_runs_kernels(void **state)
{
    struct fixture *f = *state;
    rill_stream *const all[] = { new_stream(f), new_non_blocking(f), f->legacy, f->per_thread };
    rill_kernel *k = kernel(f, &put_function);
    rill_devptr words = device_words(f, 4);
    for (uint32_t i = 0; i < 4; i++) ok(put(k, all[i], words + 4 * i, i + 1));
    ok(rill_context_synchronize(f->context));
    for (uint32_t i = 0; i < 4; i++) assert_int_equal(peek(f, words + 4 * i), i + 1);
}

/* err.launch_null_function */
static void no_kernel_is_refused(void **state)
{
    struct fixture *f = *state;
    rill_op op = { .kind = RILL_OP_KERNEL, .kernel = { .grid = one, .block = one } };
    is(RILL_ERROR_INVALID_HANDLE, launch(NULL, f->legacy, NULL));
    blames("rill_launch_kernel", "kernel");
    is(RILL_ERROR_INVALID_HANDLE, rill_stream_submit(f->legacy, &op));
}

/* ST-13 */
static void a_kernel_of_another_context_is_refused(void **state)
{
    struct fixture *f = *state;
    rill_context *other = new_context(f, 0, RILL_CONTEXT_OWN);
    rill_stream *theirs = new_stream_in(f, other, 0);
    rill_kernel *ours = kernel(f, &nop_function);
    is(RILL_ERROR_INVALID_HANDLE, launch(ours, theirs, NULL));
    blames("rill_launch_kernel", "kernel");
    is(RILL_ERROR_INVALID_HANDLE, launch(ours, rill_stream_legacy(other), NULL));
    ok(launch(new_kernel(f, other, &nop_function), theirs, NULL));
    ok(rill_stream_synchronize(theirs));
}

static void a_kernel_of_a_destroyed_context_is_refused(void **state)
{
    struct fixture *f = *state;
    rill_context *gone = new_context(f, 0, RILL_CONTEXT_OWN);
    rill_kernel *k = new_kernel(f, gone, &nop_function);
    forget(f, gone);
    ok(rill_context_destroy(&gone));
    is(RILL_ERROR_CONTEXT_IS_DESTROYED, launch(k, f->legacy, NULL));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_dimension_of_zero_is_refused),
    cmocka_unit_test(shapes_up_to_the_limits_are_launched),
    cmocka_unit_test(shapes_beyond_the_limits_are_refused),
    cmocka_unit_test(a_refused_launch_does_nothing_and_the_next_one_works),
    cmocka_unit_test(a_function_s_own_limit_of_threads_holds),
    cmocka_unit_test(dynamic_shared_memory_is_limited_by_the_attribute),
    cmocka_unit_test(missing_arguments_are_refused),
    cmocka_unit_test(a_packed_buffer_is_copied_when_the_launch_is_submitted),
    cmocka_unit_test(a_packed_buffer_beyond_the_layout_lacks_resources),
    cmocka_unit_test(a_packed_buffer_may_end_early),
    cmocka_unit_test(both_forms_of_arguments_at_once_are_refused),
    cmocka_unit_test(every_kind_of_stream_runs_kernels),
    cmocka_unit_test(no_kernel_is_refused),
    cmocka_unit_test(a_kernel_of_another_context_is_refused),
    cmocka_unit_test(a_kernel_of_a_destroyed_context_is_refused),
};

SUITE_GROUP(launches, 1);
