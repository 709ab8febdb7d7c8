/* SPDX-License-Identifier: Apache-2.0
 *
 * Blocks of a launch that run at once: only where the function says so, each with
 * memory of its own, in threads that have nothing else to do.
 */
#include <sched.h>

#include "sim/machine.h"

static const rill_dim3 one = { 1, 1, 1 };

/* ---- Scenes ------------------------------------------------------------------------ */

struct scene {
    rill_platform *platform;
    rill_context *context;
    rill_stream *stream;
    rill_module *module;
    rill_kernel *kernel;
};

static void open_scene(struct scene *s, int workers, const rill_function *function)
{
    const rill_sim_options sim = { .size = sizeof sim, .workers = workers };
    const rill_open_options options = { .size = sizeof options, .backend = "sim", .sim = &sim };
    const rill_image image = { .size = sizeof image, .functions = function, .function_count = 1 };
    ok(rill_open(&options, &s->platform));
    ok(rill_context_create(s->platform, NULL, &s->context));
    ok(rill_stream_create(s->context, NULL, &s->stream));
    ok(rill_module_load(s->context, &image, &s->module));
    ok(rill_module_kernel(s->module, function->name, &s->kernel));
}

static void close_scene(struct scene *s)
{
    rill_module_unload(&s->module);
    rill_stream_destroy(&s->stream);
    rill_context_destroy(&s->context);
    ok(rill_close(&s->platform));
}

/* ---- Meeting ----------------------------------------------------------------------- */

/* What the blocks of a launch say of themselves; a test sets it up anew. */
static struct {
    atomic_uint begun, wanted;
    _Atomic(void *) shared[4];
    atomic_uint runs[4096];
} seen;

/* Waits until as many blocks are in the midst of it. */
static void meet(const rill_launch *launch)
{
    unsigned place = atomic_fetch_add(&seen.begun, 1);
    if (place < 4) atomic_store(&seen.shared[place], launch->shared);
    if (launch->shared) memset(launch->shared, (int)place, launch->shared_bytes);
    while (atomic_load(&seen.begun) < atomic_load(&seen.wanted)) sched_yield();
    for (size_t i = 0; i < launch->shared_bytes; i++)
        if (((unsigned char *)launch->shared)[i] != (unsigned char)place)
            launch->calls->fault(launch, RILL_ERROR_LAUNCH_FAILED, "another block wrote here");
}

static const rill_function meeting = {
    .name = "meet", .over_block = meet, .flags = RILL_FUNCTION_BLOCKS_AT_ONCE,
};

static void begin_meeting(unsigned wanted)
{
    atomic_store(&seen.begun, 0);
    atomic_store(&seen.wanted, wanted);
}

static void blocks_that_may_run_at_once(void **state)
{
    (void)state;
    struct scene s;
    begin_meeting(2);
    open_scene(&s, 2, &meeting);
    ok(rill_launch_kernel(s.stream, s.kernel, (rill_dim3){ 2, 1, 1 }, one, 0, NULL));
    ok(rill_stream_synchronize(s.stream));
    assert_int_equal(atomic_load(&seen.begun), 2);
    close_scene(&s);
}

static void each_has_shared_memory_of_its_own(void **state)
{
    (void)state;
    struct scene s;
    open_scene(&s, 3, &meeting);
    for (int round = 0; round < 50; round++) {
        begin_meeting(3);
        ok(rill_launch_kernel(s.stream, s.kernel, (rill_dim3){ 3, 1, 1 }, one, 4096, NULL));
        ok(rill_stream_synchronize(s.stream));
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < i; k++)
                assert_ptr_not_equal(atomic_load(&seen.shared[i]), atomic_load(&seen.shared[k]));
    }
    close_scene(&s);
}

static atomic_bool entered, let_go;

static void stand(void *data)
{
    (void)data;
    atomic_store(&entered, true);
    while (!atomic_load(&let_go)) sched_yield();
}

/* Of the two workers one is kept and the other runs the launch: who else meets it there
 * is the thread that waits. */
static void a_waiting_thread_helps(void **state)
{
    (void)state;
    struct scene s;
    begin_meeting(2);
    atomic_store(&entered, false);
    atomic_store(&let_go, false);
    open_scene(&s, 2, &meeting);
    rill_stream *other = machine_stream(s.context);
    ok(rill_launch_host(other, stand, NULL, NULL));
    while (!atomic_load(&entered)) rill_stream_query(other);
    ok(rill_launch_kernel(s.stream, s.kernel, (rill_dim3){ 2, 1, 1 }, one, 0, NULL));
    while (!atomic_load(&seen.begun)) rill_stream_query(s.stream);
    ok(rill_stream_synchronize(s.stream));
    atomic_store(&let_go, true);
    ok(rill_stream_destroy(&other));
    close_scene(&s);
}

static void so_do_blocks_of_a_node(void **state)
{
    (void)state;
    struct scene s;
    rill_graph *graph = NULL;
    rill_node node;
    rill_exec *exec = NULL;
    open_scene(&s, 2, &meeting);
    rill_op op = { .kind = RILL_OP_KERNEL,
                   .kernel = { .kernel = s.kernel, .grid = { 2, 1, 1 }, .block = one,
                               .shared_bytes = 64 } };
    ok(rill_graph_create(s.context, NULL, &graph));
    ok(rill_graph_add_node(graph, NULL, 0, &op, &node));
    ok(rill_exec_create(graph, NULL, &exec));
    for (int round = 0; round < 20; round++) {
        begin_meeting(2);
        ok(rill_exec_launch(exec, s.stream));
        ok(rill_stream_synchronize(s.stream));
    }
    ok(rill_exec_destroy(&exec));
    ok(rill_graph_destroy(&graph));
    close_scene(&s);
}

/* ---- Each block once ----------------------------------------------------------------- */

static void tally(const rill_launch *launch)
{
    rill_dim3 grid = launch->grid, index = launch->index;
    uint32_t block = (index.z * grid.y + index.y) * grid.x + index.x;
    atomic_fetch_add(&seen.runs[block], 1);
    for (volatile int i = 0; i < 200; i++) continue;
}

static const rill_function tallying = {
    .name = "tally", .over_block = tally, .flags = RILL_FUNCTION_BLOCKS_AT_ONCE,
};

static void each_block_runs_once(void **state)
{
    (void)state;
    struct scene s;
    const rill_dim3 grid = { 16, 8, 32 };
    const int rounds = scaled(100);
    memset(&seen, 0, sizeof seen);
    open_scene(&s, 4, &tallying);
    for (int round = 0; round < rounds; round++)
        ok(rill_launch_kernel(s.stream, s.kernel, grid, one, 0, NULL));
    ok(rill_stream_synchronize(s.stream));
    for (int i = 0; i < 4096; i++) assert_int_equal(atomic_load(&seen.runs[i]), rounds);
    close_scene(&s);
}

/* ---- Faults and refusals ---------------------------------------------------------------- */

static void fail_at_once(const rill_launch *launch)
{
    atomic_fetch_add(&seen.begun, 1);
    rill_sim_fault(launch, RILL_ERROR_ASSERT, "it was to fail");
}

static const rill_function failing = {
    .name = "fail", .over_block = fail_at_once, .flags = RILL_FUNCTION_BLOCKS_AT_ONCE,
};

static void a_fault_ends_the_launch(void **state)
{
    (void)state;
    struct scene s;
    atomic_store(&seen.begun, 0);
    open_scene(&s, 2, &failing);
    ok(rill_launch_kernel(s.stream, s.kernel, (rill_dim3){ 100000, 1, 1 }, one, 0, NULL));
    is(RILL_ERROR_ASSERT, rill_stream_synchronize(s.stream));
    assert_in_range(atomic_load(&seen.begun), 1, 4);
    close_scene(&s);
}

static void other_flags_are_refused(void **state)
{
    (void)state;
    struct scene s;
    const rill_function odd = { .name = "odd", .over_block = tally, .flags = 2 };
    const rill_image image = { .size = sizeof image, .functions = &odd, .function_count = 1 };
    rill_module *module = NULL;
    open_scene(&s, 1, &tallying);
    is(RILL_ERROR_INVALID_IMAGE, rill_module_load(s.context, &image, &module));
    blames("image->functions", "odd", "flags");
    close_scene(&s);
}

/* ---- In order ---------------------------------------------------------------------------- */

static void note_order(const rill_launch *launch)
{
    unsigned *last = RILL_DEVICE_MEMORY(RILL_ARGUMENT(launch, 0, rill_devptr), unsigned);
    if (*last != launch->index.x) rill_sim_fault(launch, RILL_ERROR_ASSERT, "out of order");
    *last = launch->index.x + 1;
}

static const rill_param order_params[] = { RILL_PARAM(rill_devptr) };
static const rill_function ordered = {
    .name = "order", .over_block = note_order, .params = order_params, .param_count = 1,
};

static void other_functions_have_theirs_one_after_the_other(void **state)
{
    (void)state;
    struct scene s;
    rill_devptr last = 0;
    unsigned end = 0;
    open_scene(&s, 4, &ordered);
    ok(rill_mem_alloc(s.context, 4, &last));
    ok(rill_memset_d32(s.context, last, 0, 1));
    const void *arguments[] = { &last };
    ok(rill_launch_kernel(s.stream, s.kernel, (rill_dim3){ 5000, 1, 1 }, one, 0,
                          arguments));
    ok(rill_stream_synchronize(s.stream));
    ok(rill_memcpy_dtoh(s.context, &end, last, sizeof end));
    assert_int_equal(end, 5000);
    ok(rill_mem_free(s.context, last));
    close_scene(&s);
}

/* ---- Grids that are blocks ------------------------------------------------------------ */

static void a_grid_and_a_block_that_are_swapped_are_said_to_be(void **state)
{
    (void)state;
    struct scene s;
    rill_devptr last = 0;
    const void *arguments[] = { &last };
    const rill_dim3 blocks = { 4096, 1, 1 }, threads = { 256, 1, 1 };
    open_scene(&s, 1, &ordered);
    is(INVALID, rill_launch_kernel(s.stream, s.kernel, threads, blocks, 0, arguments));
    blames("block", "a block of 4096 x 1 x 1 cannot be, and the grid of 256 x 1 x 1 could be one; "
                    "are they swapped?", "launch of 'order'");
    is(INVALID, rill_launch_kernel(s.stream, s.kernel, one, blocks, 0, arguments));
    blames("block", "a block of 4096 x 1 x 1; it may have 1024 threads", "");
    is(INVALID, rill_launch_kernel(s.stream, s.kernel, blocks, blocks, 0, arguments));
    blames("block", "a block of 4096 x 1 x 1; it may have 1024 threads", "");
    close_scene(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_that_may_run_at_once),
        cmocka_unit_test(each_has_shared_memory_of_its_own),
        cmocka_unit_test(a_waiting_thread_helps),
        cmocka_unit_test(so_do_blocks_of_a_node),
        cmocka_unit_test(each_block_runs_once),
        cmocka_unit_test(a_fault_ends_the_launch),
        cmocka_unit_test(other_flags_are_refused),
        cmocka_unit_test(other_functions_have_theirs_one_after_the_other),
        cmocka_unit_test(a_grid_and_a_block_that_are_swapped_are_said_to_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
