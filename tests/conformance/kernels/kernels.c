/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels as C functions: how often they are called, and what they are given.
 */
#include <string.h>

#include "conformance/work.h"

/* ---- Grids ------------------------------------------------------------------------ */

/* What the calls of one kernel saw; its argument points here. */
struct calls {
    atomic_int times, wrong;
    rill_dim3 grid, block, index;
    atomic_int blocks[4 * 3 * 2];
};

static struct calls *calls_of(const rill_launch *launch)
{
    return RILL_DEVICE_MEMORY(RILL_ARGUMENT(launch, 0, rill_devptr), struct calls);
}

static void see_grid(const rill_launch *launch)
{
    struct calls *calls = calls_of(launch);
    atomic_fetch_add(&calls->times, 1);
    calls->grid = launch->grid;
    calls->block = launch->block;
    calls->index = launch->index;
}

static void see_block(const rill_launch *launch)
{
    struct calls *calls = calls_of(launch);
    rill_dim3 grid = launch->grid, index = launch->index;
    atomic_fetch_add(&calls->times, 1);
    if (grid.x != 4 || grid.y != 3 || grid.z != 2 || launch->block.x != 5)
        atomic_fetch_add(&calls->wrong, 1);
    if (index.x >= 4 || index.y >= 3 || index.z >= 2) atomic_fetch_add(&calls->wrong, 1);
    else atomic_fetch_add(&calls->blocks[(index.z * 3 + index.y) * 4 + index.x], 1);
}

static const rill_param pointer_layout[] = { RILL_PARAM(void *) };

static rill_kernel *grid_kernel(struct fixture *f, rill_kernel_fn over_grid,
                                rill_kernel_fn over_block)
{
    needs_functions();
    const rill_function function = {
        .name = "see", .over_grid = over_grid, .over_block = over_block,
        .params = pointer_layout, .param_count = 1,
    };
    return kernel(f, &function);
}

static void launch_on(rill_kernel *kernel, rill_stream *stream, rill_dim3 grid, rill_dim3 block,
                      void *argument)
{
    ok(rill_launch_kernel(stream, kernel, grid, block, 0, (const void *const[]){ &argument }));
    ok(rill_stream_synchronize(stream));
}

static void a_function_over_the_grid_is_called_once_with_its_shape(void **state)
{
    struct fixture *f = *state;
    struct calls calls = { .index = { 9, 9, 9 } };
    launch_on(grid_kernel(f, see_grid, NULL), new_stream(f), (rill_dim3){ 4, 3, 2 },
              (rill_dim3){ 5, 6, 7 }, &calls);
    assert_int_equal(calls.times, 1);
    assert_memory_equal(&calls.grid, (&(rill_dim3){ 4, 3, 2 }), sizeof calls.grid);
    assert_memory_equal(&calls.block, (&(rill_dim3){ 5, 6, 7 }), sizeof calls.block);
    assert_memory_equal(&calls.index, (&(rill_dim3){ 0, 0, 0 }), sizeof calls.index);
}

static void a_function_over_blocks_is_called_once_for_each_block(void **state)
{
    struct fixture *f = *state;
    struct calls calls = { .times = 0 };
    launch_on(grid_kernel(f, NULL, see_block), new_stream(f), (rill_dim3){ 4, 3, 2 },
              (rill_dim3){ 5, 1, 1 }, &calls);
    assert_int_equal(calls.times, 24);
    assert_int_equal(calls.wrong, 0);
    for (int i = 0; i < 24; i++) assert_int_equal(calls.blocks[i], 1);
}

static void count_block(const rill_launch *launch)
{
    atomic_fetch_add(&calls_of(launch)->times, 1);
}

static void a_function_over_many_blocks_is_done_when_its_stream_is(void **state)
{
    struct fixture *f = *state;
    struct calls calls = { .times = 0 };
    rill_kernel *k = grid_kernel(f, NULL, count_block);
    rill_stream *s = new_stream(f);
    void *argument = &calls;
    ok(rill_launch_kernel(s, k, (rill_dim3){ 1, 65535, 1 }, one, 0,
                          (const void *const[]){ &argument }));
    ok(rill_stream_synchronize(s));
    assert_int_equal(calls.times, 65535);
}

/* ---- Arguments -------------------------------------------------------------------- */

/* Copies every argument out, each to 64 bytes of the place that the first names. */
static void copy_arguments(const rill_launch *launch)
{
    unsigned char *out = RILL_DEVICE_MEMORY(RILL_ARGUMENT(launch, 0, rill_devptr), unsigned char);
    out[0] = (unsigned char)launch->param_count;
    for (size_t i = 1; i < launch->param_count; i++)
        memcpy(out + 64 * i, launch->params[i], 8);
}

static void arguments_are_copied_when_the_launch_is_submitted(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_stream(f);
    rill_kernel *k = kernel(f, &put_function);
    rill_devptr first = device_words(f, 2), address = first;
    uint32_t value = 5;
    const void *params[] = { &address, &value };
    struct gate *g = gate(f, s);
    ok(launch(k, s, params));
    address += 4;
    value = 6;
    params[0] = params[1] = NULL;
    open_gate(g);
    ok(rill_stream_synchronize(s));
    assert_int_equal(peek(f, first), 5);
    assert_int_equal(peek(f, first + 4), 0);
}

/* Parameters of every alignment from 1 to 64 bytes, behind one byte each. */
static const rill_param aligned_layout[] = {
    RILL_PARAM(void *), { 1, 1 }, { 8, 1 },  { 1, 1 }, { 8, 2 },  { 1, 1 }, { 8, 4 },
    { 1, 1 },           { 8, 8 }, { 1, 1 }, { 16, 16 }, { 1, 1 }, { 32, 32 }, { 1, 1 }, { 64, 64 },
};
#define ALIGNED_PARAMS (sizeof aligned_layout / sizeof *aligned_layout)

struct alignment_seen {
    size_t wrong, params;
};

static void check_alignment(const rill_launch *launch)
{
    struct alignment_seen *seen = RILL_DEVICE_MEMORY(RILL_ARGUMENT(launch, 0, rill_devptr),
                                                     struct alignment_seen);
    seen->params = launch->param_count;
    for (size_t i = 1; i < launch->param_count; i++) {
        const unsigned char *bytes = launch->params[i];
        if ((uintptr_t)bytes % aligned_layout[i].alignment) seen->wrong++;
        for (size_t k = 0; k < aligned_layout[i].bytes; k++)
            if (bytes[k] != (unsigned char)(i + k)) seen->wrong++;
    }
}

/* The largest alignment that a test asks for is that of its last parameter. */
static void check_layout(struct fixture *f, size_t count, bool packed)
{
    needs_functions();
    const rill_function function = {
        .name = "aligned", .over_grid = check_alignment, .params = aligned_layout,
        .param_count = count,
    };
    rill_kernel *k = kernel(f, &function);
    struct alignment_seen seen = { 0, 0 }, *argument = &seen;
    unsigned char values[ALIGNED_PARAMS][64], buffer[512] = { 0 };
    const void *params[ALIGNED_PARAMS] = { &argument };
    size_t offset = 0, bytes = 0;
    for (size_t i = 0; i < count; i++) {
        for (size_t b = 0; b < 64; b++) values[i][b] = (unsigned char)(i + b);
        if (i) params[i] = values[i];
        ok(rill_kernel_param(k, i, &offset, &bytes));
        memcpy(buffer + offset, params[i], bytes);
    }
    rill_op op = { .kind = RILL_OP_KERNEL,
                   .kernel = { .kernel = k, .grid = one, .block = one } };
    if (packed) {
        op.kernel.buffer = buffer;
        op.kernel.buffer_bytes = offset + bytes;
    } else {
        op.kernel.params = params;
    }
    rill_stream *s = new_stream(f);
    ok(rill_stream_submit(s, &op));
    ok(rill_stream_synchronize(s));
    assert_int_equal(seen.params, count);
    assert_int_equal(seen.wrong, 0);
}

static void arguments_stand_on_their_alignment(void **state)
{
    for (size_t count = 3; count <= ALIGNED_PARAMS; count += 2) check_layout(*state, count, false);
}

static void packed_arguments_stand_on_their_alignment(void **state)
{
    for (size_t count = 3; count <= ALIGNED_PARAMS; count += 2) check_layout(*state, count, true);
}

static void many_and_large_arguments_arrive(void **state)
{
    struct fixture *f = *state;
    enum { PARAMS = 64 };
    needs_functions();
    static unsigned char out[64 * PARAMS];
    static unsigned char values[PARAMS][1000];
    rill_param layout[PARAMS];
    const void *params[PARAMS];
    unsigned char *place = out;
    memset(out, 0, sizeof out);
    for (size_t i = 0; i < PARAMS; i++) {
        memset(values[i], (int)i + 100, sizeof values[i]);
        layout[i] = (rill_param){ i % 2 ? 1000 : 8, i % 2 ? 1 : 8 };
        params[i] = values[i];
    }
    params[0] = &place;
    const rill_function function = {
        .name = "many", .over_grid = copy_arguments, .params = layout, .param_count = PARAMS,
    };
    rill_stream *s = new_stream(f);
    ok(launch(kernel(f, &function), s, params));
    memset(values, 0, sizeof values);
    ok(rill_stream_synchronize(s));
    assert_int_equal(out[0], PARAMS);
    for (size_t i = 1; i < PARAMS; i++)
        for (size_t b = 0; b < 8; b++) assert_int_equal(out[64 * i + b], i + 100);
}

static void a_kernel_without_parameters_needs_no_arguments(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_stream(f);
    rill_kernel *k = kernel(f, &nop_function);
    const void *none[] = { NULL };
    ok(launch(k, s, NULL));
    ok(launch(k, s, none));
    ok(rill_stream_synchronize(s));
}

/* ---- Shared memory ------------------------------------------------------------------ */

struct shared_seen {
    atomic_int calls, misaligned, missing;
    size_t bytes;
};

static void use_shared(const rill_launch *launch)
{
    struct shared_seen *seen = RILL_DEVICE_MEMORY(RILL_ARGUMENT(launch, 0, rill_devptr),
                                                  struct shared_seen);
    atomic_fetch_add(&seen->calls, 1);
    seen->bytes = launch->shared_bytes;
    if ((uintptr_t)launch->shared % 16) atomic_fetch_add(&seen->misaligned, 1);
    if (launch->shared_bytes && !launch->shared) atomic_fetch_add(&seen->missing, 1);
    else if (launch->shared_bytes) memset(launch->shared, 0x5a, launch->shared_bytes);
}

static struct shared_seen run_shared(struct fixture *f, uint32_t fixed, size_t dynamic)
{
    needs_functions();
    const rill_function function = {
        .name = "shared", .over_block = use_shared, .params = pointer_layout, .param_count = 1,
        .static_shared_bytes = fixed,
    };
    struct shared_seen seen = { .bytes = 1 }, *argument = &seen;
    rill_stream *s = new_stream(f);
    rill_kernel *k = kernel(f, &function);
    ok(rill_kernel_set_attribute(k, RILL_KERNEL_MAX_DYNAMIC_SHARED_BYTES,
                                 (int)(232448 - fixed)));
    ok(rill_launch_kernel(s, k, (rill_dim3){ 3, 1, 1 }, one, dynamic,
                          (const void *const[]){ &argument }));
    ok(rill_stream_synchronize(s));
    assert_int_equal(seen.calls, 3);
    assert_int_equal(seen.misaligned, 0);
    assert_int_equal(seen.missing, 0);
    return seen;
}

static void a_block_gets_its_static_and_dynamic_shared_memory(void **state)
{
    struct fixture *f = *state;
    assert_int_equal(run_shared(f, 0, 0).bytes, 0);
    assert_int_equal(run_shared(f, 1000, 0).bytes, 1000);
    assert_int_equal(run_shared(f, 0, 333).bytes, 333);
    assert_int_equal(run_shared(f, 1000, 333).bytes, 1333);
}

static void a_block_can_get_all_that_the_device_has(void **state)
{
    struct fixture *f = *state;
    assert_int_equal(run_shared(f, 0, 232448).bytes, 232448);
    assert_int_equal(run_shared(f, 49152, 232448 - 49152).bytes, 232448);
}

/* ---- Unloading ------------------------------------------------------------------------ */

static void launches_that_are_pending_survive_the_unloading_of_their_module(void **state)
{
    struct fixture *f = *state;
    if (!suite->expects.loads_beside_work) skip_since("the driver waits for what is held");
    rill_stream *s = new_stream(f);
    const rill_image image = image_of(&put_function, 1);
    rill_module *module = NULL;
    rill_kernel *k = NULL;
    rill_devptr words = device_words(f, 2);
    ok(rill_module_load(f->context, &image, &module));
    ok(rill_module_kernel(module, "put", &k));
    struct gate *g = gate(f, s);
    ok(put(k, s, words, 5));
    ok(put(k, s, words + 4, 6));
    ok(rill_module_unload(&module));
    held(s);
    open_gate(g);
    ok(rill_stream_synchronize(s));
    assert_int_equal(peek(f, words), 5);
    assert_int_equal(peek(f, words + 4), 6);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_function_over_the_grid_is_called_once_with_its_shape),
    cmocka_unit_test(a_function_over_blocks_is_called_once_for_each_block),
    cmocka_unit_test(a_function_over_many_blocks_is_done_when_its_stream_is),
    cmocka_unit_test(arguments_are_copied_when_the_launch_is_submitted),
    cmocka_unit_test(arguments_stand_on_their_alignment),
    cmocka_unit_test(packed_arguments_stand_on_their_alignment),
    cmocka_unit_test(many_and_large_arguments_arrive),
    cmocka_unit_test(a_kernel_without_parameters_needs_no_arguments),
    cmocka_unit_test(a_block_gets_its_static_and_dynamic_shared_memory),
    cmocka_unit_test(a_block_can_get_all_that_the_device_has),
    cmocka_unit_test(launches_that_are_pending_survive_the_unloading_of_their_module),
};

SUITE_GROUP(kernels, 1);
