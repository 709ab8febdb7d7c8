/* SPDX-License-Identifier: Apache-2.0
 *
 * PTX in modules of the simulator: which code there is, which kernels keep their C
 * functions, and how a kernel that goes wrong ends.
 */

#include "sim/machine.h"
#include "standin/images.h"

#define HEAD ".version 7.0\n.target sm_70\n.address_size 64\n"

static const rill_dim3 one = { 1, 1, 1 };

/* ---- Scenes ------------------------------------------------------------------------ */

struct scene {
    rill_platform *platform;
    rill_context *context;
    rill_stream *stream;
    rill_module *module;
    rill_kernel *kernel;
};

static void open_with(struct scene *s, rill_sim_options sim)
{
    const rill_open_options options = { .size = sizeof options, .backend = "sim", .sim = &sim };
    memset(s, 0, sizeof *s);
    sim.size = sizeof sim;
    if (!sim.workers) sim.workers = 2;
    ok(rill_open(&options, &s->platform));
    ok(rill_context_create(s->platform, NULL, &s->context));
    ok(rill_stream_create(s->context, NULL, &s->stream));
}

static void open_scene(struct scene *s)
{
    open_with(s, (rill_sim_options){ .workers = 2 });
}

/* Also of a device that failed. */
static void close_scene(struct scene *s)
{
    rill_module_unload(&s->module);
    rill_stream_destroy(&s->stream);
    rill_context_destroy(&s->context);
    ok(rill_close(&s->platform));
}

/* Loads the text; its kernel 'k', where it has one. */
static void load(struct scene *s, const char *text)
{
    const rill_image image = { .size = sizeof image, .code = text };
    ok(rill_module_load(s->context, &image, &s->module));
    ok(rill_module_kernel(s->module, "k", &s->kernel));
}

static rill_status run(struct scene *s, uint32_t blocks, uint32_t threads,
                       const void *const *arguments)
{
    ok(rill_launch_kernel(s->stream, s->kernel, (rill_dim3){ blocks, 1, 1 },
                          (rill_dim3){ threads, 1, 1 }, 0, arguments));
    return rill_stream_synchronize(s->stream);
}

/* The device failed with these words in the record. */
static void says(const char *const *words, size_t count)
{
    const rill_error *last = rill_last_error();
    for (size_t i = 0; i < count; i++)
        if (!strstr(last->message, words[i]))
            fail_msg("\"%s\" does not say '%s'", last->message, words[i]);
}

#define SAYS(...) \
    says((const char *const[]){ __VA_ARGS__ }, \
         sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(const char *))

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

#define STORE(name, value) \
    ".visible .entry " name "(.param .u64 p) { .reg .b64 %d; ld.param.u64 %d, [p];\n" \
    " st.global.u32 [%d], " value "; ret; }\n"

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
        " .reg .b64 %d; cp.async.bulk.wait_group 0; ret; }\n";
    rill_image image = { .size = sizeof image, .code = text };
    open_scene(&s);
    is(RILL_ERROR_NOT_SUPPORTED, rill_module_load(s.context, &image, &s.module));
    blames("image->code", "line 5", "cp.async.bulk");
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
    close_scene(&s);
}

static void another_block_than_the_required_one_is_refused(void **state)
{
    (void)state;
    struct scene s;
    open_scene(&s);
    load(&s, HEAD ".visible .entry k() .reqntid 8, 4, 1 { ret; }\n");
    is(INVALID, rill_launch_kernel(s.stream, s.kernel, one, (rill_dim3){ 4, 8, 1 }, 0, NULL));
    blames("block", ".reqntid", "k");
    ok(rill_launch_kernel(s.stream, s.kernel, one, (rill_dim3){ 8, 4, 1 }, 0, NULL));
    ok(rill_stream_synchronize(s.stream));
    close_scene(&s);
}

/* ---- Memory ----------------------------------------------------------------------------- */

#define STORE_AT HEAD STORE("k", "5")

static rill_status store_at(struct scene *s, rill_devptr address)
{
    const void *arguments[] = { &address };
    return run(s, 1, 1, arguments);
}

static void an_access_outside_every_allocation_is_told(void **state)
{
    (void)state;
    struct scene s;
    rill_devptr address = 0;
    open_scene(&s);
    load(&s, STORE_AT);
    ok(rill_mem_alloc(s.context, 4, &address));
    ok(store_at(&s, address));
    is(RILL_ERROR_ILLEGAL_ADDRESS, store_at(&s, address + 4));
    SAYS("line 5", "thread (0,0,0)", "block (0,0,0)", "nothing is allocated");
    is(RILL_ERROR_ILLEGAL_ADDRESS, rill_context_synchronize(s.context));
    assert_string_equal(rill_last_error()->cause.operation, "kernel 'k'");
    close_scene(&s);
}

static void freed_memory_and_host_memory_are_out_of_reach(void **state)
{
    (void)state;
    struct scene s;
    rill_devptr address = 0;
    uint32_t word = 0;
    open_scene(&s);
    load(&s, STORE_AT);
    ok(rill_mem_alloc(s.context, 4096, &address));
    ok(rill_mem_free(s.context, address));
    is(RILL_ERROR_ILLEGAL_ADDRESS, store_at(&s, address));
    close_scene(&s);
    open_scene(&s);
    load(&s, STORE_AT);
    is(RILL_ERROR_ILLEGAL_ADDRESS, store_at(&s, (uintptr_t)&word));
    SAYS("ordinary host memory");
    close_scene(&s);
    assert_int_equal(word, 0);
}

static void pinned_memory_and_memory_of_pools_are_reached(void **state)
{
    (void)state;
    struct scene s;
    void *pinned = NULL;
    rill_devptr address = 0;
    uint32_t word = 0;
    open_scene(&s);
    load(&s, STORE_AT);
    ok(rill_host_alloc(s.context, 64, 0, &pinned));
    ok(store_at(&s, (uintptr_t)pinned));
    assert_int_equal(*(uint32_t *)pinned, 5);
    ok(rill_mem_alloc_async(s.stream, 64, &address));
    const void *arguments[] = { &address };
    ok(rill_launch_kernel(s.stream, s.kernel, one, one, 0, arguments));
    ok(rill_memcpy_dtoh_async(s.stream, &word, address, 4));
    ok(rill_mem_free_async(s.stream, address));
    ok(rill_stream_synchronize(s.stream));
    assert_int_equal(word, 5);
    close_scene(&s);
}

static void constants_are_not_written(void **state)
{
    (void)state;
    struct scene s;
    rill_devptr address = 0;
    open_scene(&s);
    load(&s, HEAD ".visible .const .u32 c = 3;\n" STORE("k", "5"));
    ok(rill_module_variable(s.module, "c", &address, NULL));
    is(RILL_ERROR_ILLEGAL_ADDRESS, store_at(&s, address));
    close_scene(&s);
}

static void variables_go_with_their_module(void **state)
{
    (void)state;
    struct scene s;
    rill_devptr address = 0;
    size_t before = 0, after = 0, all = 0;
    uint32_t word;
    open_scene(&s);
    ok(rill_mem_info(s.context, &before, &all));
    load(&s, HEAD ".visible .global .u32 v[1000];\n" STORE("k", "5"));
    ok(rill_module_variable(s.module, "v", &address, NULL));
    ok(rill_mem_info(s.context, &after, &all));
    assert_in_range(before - after, 4000, 8192);
    ok(rill_module_unload(&s.module));
    ok(rill_mem_info(s.context, &after, &all));
    assert_int_equal(before, after);
    is(INVALID, rill_memcpy_dtoh(s.context, &word, address, 4));
    close_scene(&s);
}

/* ---- Ends --------------------------------------------------------------------------------- */

#define ENDLESS HEAD ".visible .entry k() {\nL:\n bra L;\n}\n"

static void a_limit_ends_a_kernel_without_end(void **state)
{
    (void)state;
    struct scene s;
    open_with(&s, (rill_sim_options){ .ptx_steps = 100000 });
    load(&s, ENDLESS);
    rill_status status = run(&s, 3, 64, NULL);
    assert_true(rill_error_is_sticky(status));
    SAYS("line");
    close_scene(&s);
}

static void a_kernel_without_end_can_be_abandoned(void **state)
{
    (void)state;
    struct scene s;
    open_scene(&s);
    load(&s, ENDLESS);
    ok(rill_launch_kernel(s.stream, s.kernel, (rill_dim3){ 100, 1, 1 }, (rill_dim3){ 64, 1, 1 }, 0,
                          NULL));
    is(RILL_ERROR_NOT_READY, rill_stream_query(s.stream));
    ok(rill_sim_abandon(s.platform, UINT64_C(60000000000)));
    close_scene(&s);
}

static void a_fault_ends_kernels_of_other_streams(void **state)
{
    (void)state;
    struct scene s;
    rill_stream *other = NULL;
    rill_kernel *bad = NULL;
    open_scene(&s);
    load(&s, HEAD ".visible .entry k() {\nL:\n bra L;\n}\n.visible .entry bad() { trap; }\n");
    ok(rill_module_kernel(s.module, "bad", &bad));
    ok(rill_stream_create(s.context, NULL, &other));
    ok(rill_launch_kernel(s.stream, s.kernel, one, one, 0, NULL));
    is(RILL_ERROR_NOT_READY, rill_stream_query(s.stream));
    ok(rill_launch_kernel(other, bad, one, one, 0, NULL));
    is(RILL_ERROR_LAUNCH_FAILED, rill_stream_synchronize(other));
    is(RILL_ERROR_LAUNCH_FAILED, rill_stream_synchronize(s.stream));
    rill_stream_destroy(&other);
    close_scene(&s);
}

static void races_are_told_when_asked_for(void **state)
{
    (void)state;
    static const char text[] = HEAD ".visible .entry k() {\n .reg .b32 %r;\n"
        " .shared .u32 word;\n mov.u32 %r, %tid.x;\n st.shared.u32 [word], %r;\n ret; }\n";
    struct scene s;
    open_scene(&s);
    load(&s, text);
    ok(run(&s, 1, 64, NULL));
    close_scene(&s);
    open_with(&s, (rill_sim_options){ .ptx_check = RILL_PTX_CHECK_RACES });
    load(&s, text);
    assert_true(rill_error_is_sticky(run(&s, 1, 64, NULL)));
    SAYS("line 8");
    close_scene(&s);
}

/* ---- What kernels ask for -------------------------------------------------------------------- */

struct paper {
    char text[4096];
    size_t bytes;
};

static void write_down(void *data, const char *text, size_t bytes)
{
    struct paper *paper = data;
    if (bytes > sizeof paper->text - paper->bytes) return;
    memcpy(paper->text + paper->bytes, text, bytes);
    paper->bytes += bytes;
}

static void what_a_kernel_prints_arrives(void **state)
{
    (void)state;
    struct scene s;
    struct paper paper = { .bytes = 0 };
    open_with(&s, (rill_sim_options){ .print = write_down, .print_data = &paper });
    load(&s, HEAD
         ".extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);\n"
         ".global .align 1 .b8 format[14] = { 119, 111, 114, 100, 32, 37, 100, 10, 0 };\n"
         ".visible .entry k() {\n"
         " .local .align 8 .b8 pack[8]; .reg .b64 %d<4>; .reg .b32 %r;\n"
         " mov.u64 %d0, pack; cvta.local.u64 %d1, %d0; mov.u32 %r, %ctaid.x;\n"
         " st.local.u32 [%d0], %r; mov.u64 %d2, format; cvta.global.u64 %d3, %d2;\n"
         " { .param .b64 a; .param .b64 b; .param .b32 c;\n"
         "   st.param.b64 [a], %d3; st.param.b64 [b], %d1;\n"
         "   call.uni (c), vprintf, (a, b); }\n"
         " ret; }\n");
    ok(run(&s, 1, 1, NULL));
    assert_int_equal(paper.bytes, 7);
    assert_memory_equal(paper.text, "word 0\n", 7);
    close_scene(&s);
}

/* k(out, bytes): out = malloc(bytes); free(out) where `bytes` is 1. */
#define MALLOC HEAD \
    ".extern .func (.param .b64 r) malloc (.param .b64 n);\n" \
    ".extern .func free (.param .b64 p);\n" \
    ".visible .entry k(.param .u64 out, .param .u64 bytes) {\n" \
    " .reg .b64 %d<4>; .reg .pred %p;\n" \
    " ld.param.u64 %d0, [out]; ld.param.u64 %d1, [bytes];\n" \
    " { .param .b64 n; .param .b64 r; st.param.b64 [n], %d1;\n" \
    "   call.uni (r), malloc, (n); ld.param.b64 %d2, [r]; }\n" \
    " st.global.u64 [%d0], %d2; setp.ne.u64 %p, %d1, 1; @%p ret;\n" \
    " { .param .b64 q; st.param.b64 [q], %d2; call.uni free, (q); }\n" \
    " ret; }\n"

static uint64_t ask_for(struct scene *s, rill_devptr out, uint64_t bytes)
{
    const void *arguments[] = { &out, &bytes };
    uint64_t got = 0;
    ok(run(s, 1, 1, arguments));
    ok(rill_memcpy_dtoh(s->context, &got, out, 8));
    return got;
}

static void the_heap_of_kernels_has_a_limit(void **state)
{
    (void)state;
    struct scene s;
    rill_devptr out = 0;
    uint64_t word = 0;
    open_with(&s, (rill_sim_options){ .ptx_heap_bytes = 10000 });
    load(&s, MALLOC);
    ok(rill_mem_alloc(s.context, 8, &out));
    assert_int_equal(ask_for(&s, out, 20000), 0);
    uint64_t first = ask_for(&s, out, 6000);
    assert_int_not_equal(first, 0);
    assert_int_equal(ask_for(&s, out, 6000), 0);
    for (int i = 0; i < 1000; i++) assert_int_not_equal(ask_for(&s, out, 1), 0);
    /* It stays from launch to launch, and no program frees it. */
    ok(rill_memcpy_dtoh(s.context, &word, first, 8));
    is(INVALID, rill_mem_free(s.context, first));
    close_scene(&s);
}

/* ---- Settings and shortage ------------------------------------------------------------- */

static rill_status try_setting(const char *variable, const char *value)
{
    const rill_open_options options = { .size = sizeof options, .backend = "sim" };
    rill_platform *platform = NULL;
    setenv(variable, value, 1);
    rill_status status = rill_open(&options, &platform);
    unsetenv(variable);
    rill_close(&platform);
    return status;
}

static void settings_come_from_the_environment(void **state)
{
    (void)state;
    struct scene s;
    ok(try_setting("RILL_PTX_CHECK", "races"));
    ok(try_setting("RILL_PTX_CHECK", ""));
    is(INVALID, try_setting("RILL_PTX_CHECK", "races,raced"));
    blames("RILL_PTX_CHECK", "raced", "races");
    is(INVALID, try_setting("RILL_PTX_STEPS", "many"));
    is(INVALID, try_setting("RILL_PTX_HEAP", "-1"));
    setenv("RILL_PTX_STEPS", "50K", 1);
    open_scene(&s);
    unsetenv("RILL_PTX_STEPS");
    load(&s, ENDLESS);
    assert_true(rill_error_is_sticky(run(&s, 1, 1, NULL)));
    close_scene(&s);
}

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

static void without_memory_a_launch_fails(void **state)
{
    (void)state;
    for (long failures = 0, done = 0; !done; failures++) {
        struct scene s;
        open_with(&s, (rill_sim_options){ .workers = 1 });
        load(&s, HEAD ".visible .entry k() { .shared .b8 x[64]; ret; }\n");
        rl_alloc_fail_after(failures);
        rill_status status = rill_launch_kernel(s.stream, s.kernel, (rill_dim3){ 4, 1, 1 },
                                                (rill_dim3){ 64, 1, 1 }, 0, NULL);
        if (!status) status = rill_stream_synchronize(s.stream);
        rl_alloc_fail_after(-1);
        done = !status;
        if (status && status != RILL_ERROR_OUT_OF_MEMORY)
            assert_true(rill_error_is_sticky(status));
        close_scene(&s);
    }
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
        cmocka_unit_test(an_access_outside_every_allocation_is_told),
        cmocka_unit_test(freed_memory_and_host_memory_are_out_of_reach),
        cmocka_unit_test(pinned_memory_and_memory_of_pools_are_reached),
        cmocka_unit_test(constants_are_not_written),
        cmocka_unit_test(variables_go_with_their_module),
        cmocka_unit_test(a_limit_ends_a_kernel_without_end),
        cmocka_unit_test(a_kernel_without_end_can_be_abandoned),
        cmocka_unit_test(a_fault_ends_kernels_of_other_streams),
        cmocka_unit_test(races_are_told_when_asked_for),
        cmocka_unit_test(what_a_kernel_prints_arrives),
        cmocka_unit_test(the_heap_of_kernels_has_a_limit),
        cmocka_unit_test(settings_come_from_the_environment),
        cmocka_unit_test(without_memory_nothing_is_loaded_and_nothing_kept),
        cmocka_unit_test(without_memory_a_launch_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
