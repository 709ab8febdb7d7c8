/* SPDX-License-Identifier: Apache-2.0
 *
 * PTX in modules of the simulator: which code there is, which kernels keep their C
 * functions, and which cannot run.
 */
#include "sim/kernels/ptx_scene.h"
#include "standin/image/images.h"

/* ---- Images -------------------------------------------------------------------------- */

static void has_sample_kernels(const unsigned char *code, size_t bytes)
{
    struct scene s;
    open_scene(&s);
    const rill_image image = { .size = sizeof image, .code = code, .code_bytes = bytes };
    rill_devptr counter = 0;
    size_t size = 0;
    ok(rill_module_load(s.context, &image, &s.module));
    ok(rill_module_kernel(s.module, "nop", &s.kernel));
    ok(rill_module_variable(s.module, "counter", &counter, &size));
    assert_int_equal(size, 4);
    ok(run(&s, 1, 1, NULL));
    close_scene(&s);
}

static void fatbins_are_opened(void **state)
{
    (void)state;
    has_sample_kernels(sample_text_plain, sizeof sample_text_plain);
    has_sample_kernels(sample_text_lz4, sizeof sample_text_lz4);
    has_sample_kernels(sample_both_zstd, sizeof sample_both_zstd);
}

static void fill_seven(const rill_launch *launch)
{
    *RILL_DEVICE_MEMORY(RILL_ARGUMENT(launch, 0, rill_devptr), uint32_t) = 7;
}

static const rill_param address_params[] = { RILL_PARAM(rill_devptr) };
static const rill_function seven = {
    .name = "k", .over_grid = fill_seven, .params = address_params, .param_count = 1,
};

static void machine_code_alone_says_so(void **state)
{
    (void)state;
    struct scene s;
    rill_image image = { .size = sizeof image, .code = sample_cubin,
                         .code_bytes = sizeof sample_cubin };
    open_scene(&s);
    is(RILL_ERROR_NO_BINARY_FOR_GPU, rill_module_load(s.context, &image, &s.module));
    blames("image->code", "machine code", "C functions");
    image.functions = &seven;
    image.function_count = 1;
    ok(rill_module_load(s.context, &image, &s.module));
    ok(rill_module_kernel(s.module, "k", &s.kernel));
    is(RILL_ERROR_NOT_FOUND, rill_module_kernel(s.module, "nop", &s.kernel));
    close_scene(&s);
}

static uint32_t run_named(struct scene *s, const char *name, rill_devptr address)
{
    uint32_t word = 0;
    const void *arguments[] = { &address };
    ok(rill_module_kernel(s->module, name, &s->kernel));
    ok(run(s, 1, 1, arguments));
    ok(rill_memcpy_dtoh(s->context, &word, address, 4));
    return word;
}

static void a_c_function_wins_over_ptx_of_its_name(void **state)
{
    (void)state;
    struct scene s;
    const rill_image image = { .size = sizeof image,
                               .code = HEAD STORE("k", "1") STORE("other", "2"),
                               .functions = &seven, .function_count = 1 };
    rill_devptr address = 0;
    size_t count = 0;
    open_scene(&s);
    ok(rill_mem_alloc(s.context, 4, &address));
    ok(rill_module_load(s.context, &image, &s.module));
    ok(rill_module_kernel_count(s.module, &count));
    assert_int_equal(count, 2);
    assert_int_equal(run_named(&s, "k", address), 7);
    assert_int_equal(run_named(&s, "other", address), 2);
    close_scene(&s);
}

static void what_has_a_c_function_need_not_compile(void **state)
{
    (void)state;
    struct scene s;
    static const char text[] = HEAD ".entry k(.param .u64 p) {\n"
        " .reg .b64 %d; tcgen05.wait::ld.sync.aligned; ret; }\n";
    rill_image image = { .size = sizeof image, .code = text };
    open_scene(&s);
    is(RILL_ERROR_NOT_SUPPORTED, rill_module_load(s.context, &image, &s.module));
    blames("image->code", "line 5", "tcgen05.wait");
    image.functions = &seven;
    image.function_count = 1;
    ok(rill_module_load(s.context, &image, &s.module));
    close_scene(&s);
}

static void attributes_are_those_of_the_text(void **state)
{
    (void)state;
    struct scene s;
    int value = 0;
    open_scene(&s);
    load(&s, HEAD
         ".const .align 4 .b8 table[40];\n"
         ".visible .entry k(.param .u64 p) .maxntid 96, 1, 1 {\n"
         " .shared .align 4 .b8 part[200]; .local .align 4 .b8 mine[24]; .reg .b64 %d;\n"
         " .reg .b32 %r<3>; mov.u32 %r0, part; mov.u64 %d, mine; ret; }\n");
    ok(rill_kernel_get_attribute(s.kernel, RILL_KERNEL_MAX_THREADS_PER_BLOCK, &value));
    assert_int_equal(value, 96);
    ok(rill_kernel_get_attribute(s.kernel, RILL_KERNEL_SHARED_BYTES, &value));
    assert_int_equal(value, 200);
    ok(rill_kernel_get_attribute(s.kernel, RILL_KERNEL_LOCAL_BYTES, &value));
    assert_in_range(value, 24, 64);
    ok(rill_kernel_get_attribute(s.kernel, RILL_KERNEL_CONST_BYTES, &value));
    assert_int_equal(value, 40);
    ok(rill_kernel_get_attribute(s.kernel, RILL_KERNEL_PTX_VERSION, &value));
    assert_int_equal(value, 70);
    is(INVALID, rill_launch_kernel(s.stream, s.kernel, one, (rill_dim3){ 97, 1, 1 }, 0,
                                   (const void *[]){ &(rill_devptr){ 0 } }));
    blames("block", "97 x 1 x 1", "96 threads");
    is(INVALID, rill_launch_kernel(s.stream, s.kernel, one, one, 50000,
                                   (const void *[]){ &(rill_devptr){ 0 } }));
    blames("shared_bytes", "50000 bytes", "MAX_DYNAMIC_SHARED_BYTES");
    close_scene(&s);
}

static void another_block_than_the_required_one_is_refused(void **state)
{
    (void)state;
    struct scene s;
    open_scene(&s);
    load(&s, HEAD ".visible .entry k() .reqntid 8, 4, 1 { ret; }\n");
    is(INVALID, rill_launch_kernel(s.stream, s.kernel, one, (rill_dim3){ 4, 8, 1 }, 0, NULL));
    blames("block", "4 x 8 x 1", ".reqntid says that it is 8 x 4 x 1");
    ok(rill_launch_kernel(s.stream, s.kernel, one, (rill_dim3){ 8, 4, 1 }, 0, NULL));
    ok(rill_stream_synchronize(s.stream));
    close_scene(&s);
}

/* ---- What cannot run ------------------------------------------------------------------- */

/* `wants` may come to what `f` holds, `has` holds something itself, and `k` has nothing to do
 * with either. */
static const char lacking[] = HEAD
    ".func f() {\n tcgen05.wait::ld.sync.aligned; ret; }\n"
    ".visible .entry wants() .maxntid 64 {\n call f; ret; }\n"
    ".visible .entry has() {\n .reg .b64 %d; tcgen05.fence::before_thread_sync; ret; }\n"
    STORE("k", "5");

static void load_lacking(struct scene *s)
{
    const rill_image image = { .size = sizeof image, .code = lacking };
    open_scene(s);
    ok(rill_module_load(s->context, &image, &s->module));
}

static void a_kernel_that_lacks_something_leaves_the_others_alone(void **state)
{
    (void)state;
    struct scene s;
    rill_devptr address = 0;
    int threads = 0;
    load_lacking(&s);
    ok(rill_mem_alloc(s.context, 4, &address));
    ok(rill_module_kernel(s.module, "wants", &s.kernel));
    ok(rill_kernel_get_attribute(s.kernel, RILL_KERNEL_MAX_THREADS_PER_BLOCK, &threads));
    assert_int_equal(threads, 64);
    is(RILL_ERROR_NOT_SUPPORTED, rill_launch_kernel(s.stream, s.kernel, one, one, 0, NULL));
    blames("kernel", "since it may call 'f': line 5", "at 'tcgen05.wait");
    ok(rill_module_kernel(s.module, "has", &s.kernel));
    is(RILL_ERROR_NOT_SUPPORTED, rill_launch_kernel(s.stream, s.kernel, one, one, 0, NULL));
    blames("kernel", "kernel 'has' cannot run here: line 9", "tcgen05.fence");
    assert_int_equal(run_named(&s, "k", address), 5);
    close_scene(&s);
}

static void a_node_with_a_kernel_that_lacks_something_is_refused(void **state)
{
    (void)state;
    struct scene s;
    rill_graph *graph = NULL, *captured = NULL;
    rill_node node;
    load_lacking(&s);
    ok(rill_graph_create(s.context, NULL, &graph));
    ok(rill_module_kernel(s.module, "has", &s.kernel));
    is(RILL_ERROR_NOT_SUPPORTED, rill_graph_add_kernel(graph, NULL, 0, s.kernel, one, one, 0, NULL,
                                                       &node));
    blames("kernel", "kernel 'has'", "tcgen05.fence");
    ok(rill_stream_begin_capture(s.stream, NULL));
    is(RILL_ERROR_NOT_SUPPORTED, rill_launch_kernel(s.stream, s.kernel, one, one, 0, NULL));
    rill_stream_end_capture(s.stream, &captured);
    rill_graph_destroy(&captured);
    ok(rill_graph_destroy(&graph));
    close_scene(&s);
}

/* In the order of the text. */
static void what_lacks_nothing_is_not_listed(void **state)
{
    (void)state;
    struct scene s;
    const char *name = NULL, *why = NULL;
    load_lacking(&s);
    ok(rill_sim_lacking_kernel(s.module, 0, &name, &why));
    assert_string_equal(name, "wants");
    assert_non_null(strstr(why, "line 5"));
    ok(rill_sim_lacking_kernel(s.module, 1, &name, &why));
    assert_string_equal(name, "has");
    assert_non_null(strstr(why, "line 9"));
    ok(rill_sim_lacking_kernel(s.module, 2, &name, &why));
    assert_null(name);
    assert_null(why);
    is(INVALID, rill_sim_lacking_kernel(s.module, 0, &name, NULL));
    is(RILL_ERROR_INVALID_HANDLE, rill_sim_lacking_kernel(NULL, 0, &name, &why));
    close_scene(&s);
}

/* ---- Shortage -------------------------------------------------------------------------- */

static void without_memory_nothing_is_loaded_and_nothing_kept(void **state)
{
    (void)state;
    struct scene s;
    const rill_image image = { .size = sizeof image, .code = sample_text_lz4,
                               .code_bytes = sizeof sample_text_lz4,
                               .functions = &seven, .function_count = 1 };
    size_t before = 0, after = 0, all = 0;
    long failures = 0;
    open_scene(&s);
    ok(rill_mem_info(s.context, &before, &all));
    const long live = rl_alloc_live();
    for (rill_status status = RILL_ERROR_OUT_OF_MEMORY; status; failures++) {
        rl_alloc_fail_after(failures);
        status = rill_module_load(s.context, &image, &s.module);
        rl_alloc_fail_after(-1);
        if (!status) break;
        is(RILL_ERROR_OUT_OF_MEMORY, status);
        assert_null(s.module);
        assert_int_equal(rl_alloc_live(), live);
        ok(rill_mem_info(s.context, &after, &all));
        assert_int_equal(before, after);
    }
    assert_true(failures > 5);
    close_scene(&s);
}

/* ---- Managed variables --------------------------------------------------------------- */

static void modules_of_one_code_may_share_them(void **state)
{
    (void)state;
    static const char code[] = HEAD
        ".visible .global .attribute(.managed) .align 4 .u32 everybodys = 3;\n"
        ".visible .global .align 4 .u32 own = 4;\n"
        ".visible .entry k() { ret; }\n";
    static const char other_code[] = HEAD
        ".visible .global .attribute(.managed) .align 8 .u64 everybodys = 3;\n"
        ".visible .global .align 4 .u32 own = 4;\n";
    struct scene s, elsewhere;
    rill_module *second = NULL, *third = NULL;
    rill_devptr first_address = 0, address = 0;
    size_t bytes = 0;
    open_scene(&s);
    load(&s, code);
    rill_image image = { .size = sizeof image, .code = code, .managed_of = s.module };
    ok(rill_module_variable(s.module, "everybodys", &first_address, &bytes));
    ok(rill_module_load(s.context, &image, &second));
    ok(rill_module_variable(second, "everybodys", &address, &bytes));
    assert_int_equal(address, first_address);
    ok(rill_module_variable(s.module, "own", &first_address, &bytes));
    ok(rill_module_variable(second, "own", &address, &bytes));
    assert_int_not_equal(address, first_address);
    ok(rill_module_unload(&s.module));
    image.managed_of = second; /* the variable is still there */
    ok(rill_module_load(s.context, &image, &third));
    ok(rill_module_variable(third, "everybodys", &address, &bytes));
    assert_int_equal(*(uint32_t *)(uintptr_t)address, 3);
    image.code = other_code;
    is(RILL_ERROR_INVALID_VALUE, rill_module_load(s.context, &image, &s.module));
    blames("image->managed_of", "other code", "loaded");
    open_scene(&elsewhere);
    is(RILL_ERROR_INVALID_HANDLE, rill_module_load(elsewhere.context, &image, &s.module));
    blames("image->managed_of", "another platform", "make both");
    close_scene(&elsewhere);
    ok(rill_module_unload(&third));
    ok(rill_module_unload(&second));
    close_scene(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fatbins_are_opened),
        cmocka_unit_test(machine_code_alone_says_so),
        cmocka_unit_test(a_c_function_wins_over_ptx_of_its_name),
        cmocka_unit_test(what_has_a_c_function_need_not_compile),
        cmocka_unit_test(attributes_are_those_of_the_text),
        cmocka_unit_test(another_block_than_the_required_one_is_refused),
        cmocka_unit_test(a_kernel_that_lacks_something_leaves_the_others_alone),
        cmocka_unit_test(a_node_with_a_kernel_that_lacks_something_is_refused),
        cmocka_unit_test(what_lacks_nothing_is_not_listed),
        cmocka_unit_test(modules_of_one_code_may_share_them),
        cmocka_unit_test(without_memory_nothing_is_loaded_and_nothing_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
