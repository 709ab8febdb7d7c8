/* SPDX-License-Identifier: Apache-2.0
 *
 * Modules of PTX text alone: kernels that run, variables that have an address, texts
 * that are refused.
 */
#include <stdlib.h>
#include <string.h>

#include "conformance/nodes.h"

#define HEAD ".version 7.0\n.target sm_70\n.address_size 64\n"

/* ---- Loading ------------------------------------------------------------------------- */

static rill_module *load(struct fixture *f, const char *text)
{
    const rill_image image = { .size = sizeof image, .code = text, .code_bytes = strlen(text) };
    rill_module *module = NULL;
    ok(rill_module_load(f->context, &image, &module));
    return module;
}

static rill_kernel *kernel_of(rill_module *module, const char *name)
{
    rill_kernel *found = NULL;
    ok(rill_module_kernel(module, name, &found));
    return found;
}

/* y[i] = a * x[i] + y[i], for i below n */
static const char saxpy[] = HEAD
    ".visible .entry ptx_saxpy(.param .u32 n, .param .f32 a, .param .u64 x, .param .u64 y)\n"
    "{\n"
    "    .reg .pred %p;\n"
    "    .reg .b32 %r<6>;\n"
    "    .reg .f32 %f<4>;\n"
    "    .reg .b64 %d<6>;\n"
    "    ld.param.u32 %r1, [n];\n"
    "    mov.u32 %r2, %ctaid.x;\n"
    "    mov.u32 %r3, %ntid.x;\n"
    "    mov.u32 %r4, %tid.x;\n"
    "    mad.lo.s32 %r5, %r2, %r3, %r4;\n"
    "    setp.ge.u32 %p, %r5, %r1;\n"
    "    @%p bra DONE;\n"
    "    ld.param.f32 %f1, [a];\n"
    "    ld.param.u64 %d1, [x];\n"
    "    ld.param.u64 %d2, [y];\n"
    "    cvta.to.global.u64 %d1, %d1;\n"
    "    cvta.to.global.u64 %d2, %d2;\n"
    "    mul.wide.u32 %d3, %r5, 4;\n"
    "    add.s64 %d4, %d1, %d3;\n"
    "    add.s64 %d5, %d2, %d3;\n"
    "    ld.global.f32 %f2, [%d4];\n"
    "    ld.global.f32 %f3, [%d5];\n"
    "    fma.rn.f32 %f3, %f1, %f2, %f3;\n"
    "    st.global.f32 [%d5], %f3;\n"
    "DONE:\n"
    "    ret;\n"
    "}\n";

enum { COUNT = 10000, BLOCK = 128, BLOCKS = (COUNT + BLOCK - 1) / BLOCK };

struct vectors {
    float x[COUNT], y[COUNT];
};

static struct vectors *new_vectors(struct fixture *f, rill_devptr *x, rill_devptr *y)
{
    struct vectors *vectors = calloc(1, sizeof *vectors);
    assert_non_null(vectors);
    for (int i = 0; i < COUNT; i++) {
        vectors->x[i] = (float)(i % 1000);
        vectors->y[i] = (float)(i % 77);
    }
    *x = device_words(f, COUNT);
    *y = device_words(f, COUNT);
    ok(rill_memcpy_htod(f->context, *x, vectors->x, sizeof vectors->x));
    ok(rill_memcpy_htod(f->context, *y, vectors->y, sizeof vectors->y));
    return vectors;
}

/* After so many launches with a = 2. */
static void check_vectors(struct fixture *f, struct vectors *vectors, rill_devptr y, int times)
{
    static float got[COUNT];
    ok(rill_memcpy_dtoh(f->context, got, y, sizeof got));
    for (int i = 0; i < COUNT; i++)
        if (got[i] != vectors->y[i] + 2.0f * (float)times * vectors->x[i])
            fail_msg("element %d is %g", i, (double)got[i]);
    free(vectors);
}

static void a_kernel_of_ptx_runs_in_all_its_threads(void **state)
{
    struct fixture *f = *state;
    rill_module *module = load(f, saxpy);
    rill_devptr x, y;
    uint32_t n = COUNT;
    float a = 2.0f;
    struct vectors *vectors = new_vectors(f, &x, &y);
    const void *arguments[] = { &n, &a, &x, &y };
    ok(rill_launch_kernel(new_stream(f), kernel_of(module, "ptx_saxpy"),
                          (rill_dim3){ BLOCKS, 1, 1 }, (rill_dim3){ BLOCK, 1, 1 }, 0, arguments));
    ok(rill_context_synchronize(f->context));
    check_vectors(f, vectors, y, 1);
    ok(rill_module_unload(&module));
}

static void it_runs_as_a_node_of_a_graph(void **state)
{
    struct fixture *f = *state;
    rill_module *module = load(f, saxpy);
    rill_graph *graph = new_graph(f);
    rill_stream *s = new_stream(f);
    rill_devptr x, y;
    uint32_t n = COUNT;
    float a = 2.0f;
    struct vectors *vectors = new_vectors(f, &x, &y);
    const void *arguments[] = { &n, &a, &x, &y };
    rill_node node = NULL;
    for (int i = 0; i < 3; i++) {
        rill_op op = { .kind = RILL_OP_KERNEL,
                       .kernel = { .kernel = kernel_of(module, "ptx_saxpy"),
                                   .grid = { BLOCKS, 1, 1 }, .block = { BLOCK, 1, 1 },
                                   .params = arguments } };
        rill_node before = node;
        ok(rill_graph_add_node(graph, i ? &before : NULL, i ? 1 : 0, &op, &node));
    }
    rill_exec *exec = new_exec(f, graph);
    ok(rill_exec_launch(exec, s));
    ok(rill_exec_launch(exec, s));
    ok(rill_stream_synchronize(s));
    check_vectors(f, vectors, y, 6);
    ok(rill_module_unload(&module));
}

static void a_kernel_says_where_its_parameters_lie(void **state)
{
    struct fixture *f = *state;
    rill_module *module = load(f, HEAD
        ".visible .entry k(.param .u8 a, .param .align 8 .b8 b[12], .param .u16 c,\n"
        "                  .param .u64 d) { ret; }");
    static const size_t offsets[] = { 0, 8, 20, 24 }, sizes[] = { 1, 12, 2, 8 };
    rill_kernel *k = kernel_of(module, "k");
    for (size_t i = 0; i < 4; i++) {
        size_t offset = 99, bytes = 99;
        rill_status status = rill_kernel_param(k, i, &offset, &bytes);
        if (status == RILL_ERROR_NOT_SUPPORTED && !suite->expects.runs_functions)
            skip_since("the driver does not tell");
        ok(status);
        assert_int_equal(offset, offsets[i]);
        assert_int_equal(bytes, sizes[i]);
    }
    is(RILL_ERROR_INVALID_VALUE, rill_kernel_param(k, 4, &(size_t){ 0 }, NULL));
    ok(rill_module_unload(&module));
}

static void a_block_shares_memory_between_its_barriers(void **state)
{
    struct fixture *f = *state;
    /* out[block] = the sum of tid over its threads, by halves */
    rill_module *module = load(f, HEAD
        ".visible .entry ptx_sum(.param .u64 out)\n"
        "{\n"
        "    .reg .pred %p;\n"
        "    .reg .b32 %r<10>;\n"
        "    .reg .b64 %d<4>;\n"
        "    .shared .align 4 .b8 part[1024];\n"
        "    mov.u32 %r1, %tid.x;\n"
        "    mov.u32 %r2, part;\n"
        "    shl.b32 %r3, %r1, 2;\n"
        "    add.u32 %r3, %r2, %r3;\n"
        "    st.shared.u32 [%r3], %r1;\n"
        "    mov.u32 %r4, 128;\n"
        "LOOP:\n"
        "    bar.sync 0;\n"
        "    setp.ge.u32 %p, %r1, %r4;\n"
        "    @%p bra SKIP;\n"
        "    shl.b32 %r5, %r4, 2;\n"
        "    add.u32 %r5, %r3, %r5;\n"
        "    ld.shared.u32 %r6, [%r5];\n"
        "    ld.shared.u32 %r7, [%r3];\n"
        "    add.u32 %r7, %r7, %r6;\n"
        "    st.shared.u32 [%r3], %r7;\n"
        "SKIP:\n"
        "    shr.u32 %r4, %r4, 1;\n"
        "    setp.ne.u32 %p, %r4, 0;\n"
        "    @%p bra LOOP;\n"
        "    setp.ne.u32 %p, %r1, 0;\n"
        "    @%p ret;\n"
        "    ld.shared.u32 %r7, [part];\n"
        "    mov.u32 %r8, %ctaid.x;\n"
        "    ld.param.u64 %d1, [out];\n"
        "    mul.wide.u32 %d2, %r8, 4;\n"
        "    add.u64 %d1, %d1, %d2;\n"
        "    st.global.u32 [%d1], %r7;\n"
        "    ret;\n"
        "}\n");
    rill_devptr out = device_words(f, 300);
    uint32_t got[300];
    const void *arguments[] = { &out };
    ok(rill_launch_kernel(f->legacy, kernel_of(module, "ptx_sum"), (rill_dim3){ 300, 1, 1 },
                          (rill_dim3){ 256, 1, 1 }, 0, arguments));
    ok(rill_memcpy_dtoh(f->context, got, out, sizeof got));
    for (int i = 0; i < 300; i++) assert_int_equal(got[i], 255 * 256 / 2);
    ok(rill_module_unload(&module));
}

/* ---- Variables -------------------------------------------------------------------------- */

static const char variables[] = HEAD
    ".visible .global .align 4 .u32 counts[4] = { 10, 20, 30 };\n"
    ".visible .const .align 4 .u32 step = 7;\n"
    ".visible .global .align 8 .u64 where = counts;\n"
    ".visible .entry ptx_add()\n"
    "{\n"
    "    .reg .b32 %r<6>;\n"
    "    .reg .b64 %d<4>;\n"
    "    mov.u32 %r1, %tid.x;\n"
    "    ld.const.u32 %r2, [step];\n"
    "    ld.global.u64 %d1, [where];\n"
    "    mul.wide.u32 %d2, %r1, 4;\n"
    "    add.u64 %d1, %d1, %d2;\n"
    "    ld.global.u32 %r3, [%d1];\n"
    "    add.u32 %r3, %r3, %r2;\n"
    "    st.global.u32 [%d1], %r3;\n"
    "    ret;\n"
    "}\n";

static void a_variable_has_an_address_and_begins_as_it_says(void **state)
{
    struct fixture *f = *state;
    rill_module *module = load(f, variables);
    rill_devptr counts = 0, step = 0;
    size_t bytes = 0;
    uint32_t words[4] = { 9, 9, 9, 9 }, word = 0;
    ok(rill_module_variable(module, "counts", &counts, &bytes));
    assert_int_equal(bytes, 16);
    ok(rill_memcpy_dtoh(f->context, words, counts, sizeof words));
    assert_memory_equal(words, ((uint32_t[]){ 10, 20, 30, 0 }), sizeof words);
    ok(rill_module_variable(module, "step", &step, NULL));
    ok(rill_memcpy_dtoh(f->context, &word, step, sizeof word));
    assert_int_equal(word, 7);
    ok(rill_module_unload(&module));
}

static void kernels_and_copies_see_the_same_variable(void **state)
{
    struct fixture *f = *state;
    rill_module *module = load(f, variables);
    rill_kernel *add = kernel_of(module, "ptx_add");
    rill_devptr counts = 0, step = 0;
    const uint32_t hundred = 100;
    uint32_t words[4];
    ok(rill_module_variable(module, "counts", &counts, NULL));
    ok(rill_module_variable(module, "step", &step, NULL));
    ok(rill_launch_kernel(f->legacy, add, one, (rill_dim3){ 4, 1, 1 }, 0, NULL));
    ok(rill_memcpy_htod(f->context, step, &hundred, sizeof hundred));
    ok(rill_launch_kernel(f->legacy, add, one, (rill_dim3){ 4, 1, 1 }, 0, NULL));
    ok(rill_memcpy_dtoh(f->context, words, counts, sizeof words));
    assert_memory_equal(words, ((uint32_t[]){ 117, 127, 137, 107 }), sizeof words);
    ok(rill_module_unload(&module));
}

static void each_module_has_variables_of_its_own(void **state)
{
    struct fixture *f = *state;
    rill_module *modules[2] = { load(f, variables), load(f, variables) };
    rill_devptr counts[2];
    uint32_t word = 5;
    for (int i = 0; i < 2; i++) ok(rill_module_variable(modules[i], "counts", &counts[i], NULL));
    assert_int_not_equal(counts[0], counts[1]);
    ok(rill_memcpy_htod(f->context, counts[0], &word, sizeof word));
    ok(rill_memcpy_dtoh(f->context, &word, counts[1], sizeof word));
    assert_int_equal(word, 10);
    for (int i = 0; i < 2; i++) ok(rill_module_unload(&modules[i]));
}

static void a_missing_variable_is_not_found(void **state)
{
    struct fixture *f = *state;
    rill_module *module = load(f, variables);
    rill_devptr address = 77;
    refuses(RILL_ERROR_NOT_FOUND, "name", rill_module_variable(module, "count", &address, NULL));
    refuses(RILL_ERROR_INVALID_VALUE, "name",
            rill_module_variable(module, "ptx_add", &address, NULL));
    is(RILL_ERROR_INVALID_VALUE, rill_module_variable(module, "", &address, NULL));
    assert_int_equal(address, 77);
    ok(rill_module_unload(&module));
}

static void a_variable_cannot_be_freed(void **state)
{
    struct fixture *f = *state;
    rill_module *module = load(f, variables);
    rill_devptr counts = 0;
    ok(rill_module_variable(module, "counts", &counts, NULL));
    is(RILL_ERROR_INVALID_VALUE, rill_mem_free(f->context, counts));
    ok(rill_module_unload(&module));
}

/* ---- Refusals ---------------------------------------------------------------------------- */

static void a_text_with_a_mistake_is_refused(void **state)
{
    struct fixture *f = *state;
    static const char *const texts[] = {
        HEAD ".visible .entry k() { add.u32 %r1, %r2, %r3; ret; }\n",
        HEAD ".visible .entry k() { .reg .b32 %r<4>; ad.u32 %r1, %r2, %r3; ret; }\n",
        HEAD ".visible .entry k() { .reg .b32 %r<4>; add.u32 %r1, %r2; ret; }\n",
        HEAD ".visible .entry k() { bra NOWHERE; }\n",
        HEAD ".visible .entry k() { ret;\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const rill_image image = { .size = sizeof image, .code = texts[i] };
        rill_module *module = NULL;
        refuses(RILL_ERROR_INVALID_PTX, "image->code",
                rill_module_load(f->context, &image, &module));
        assert_null(module);
    }
}

static void a_text_for_a_newer_device_is_refused(void **state)
{
    struct fixture *f = *state;
    const rill_image image = { .size = sizeof image,
                               .code = ".version 8.7\n.target sm_120\n.address_size 64\n"
                                       ".visible .entry k() { ret; }\n" };
    rill_module *module = NULL;
    rill_device_info info = { .size = sizeof info };
    ok(rill_device_get_info(f->platform, 0, &info));
    if (info.compute_major >= 12) skip_since("the device is as new");
    rill_status status = rill_module_load(f->context, &image, &module);
    assert_null(module);
    assert_true(status == RILL_ERROR_INVALID_PTX || status == RILL_ERROR_UNSUPPORTED_PTX_VERSION);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_kernel_of_ptx_runs_in_all_its_threads),
    cmocka_unit_test(it_runs_as_a_node_of_a_graph),
    cmocka_unit_test(a_kernel_says_where_its_parameters_lie),
    cmocka_unit_test(a_block_shares_memory_between_its_barriers),
    cmocka_unit_test(a_variable_has_an_address_and_begins_as_it_says),
    cmocka_unit_test(kernels_and_copies_see_the_same_variable),
    cmocka_unit_test(each_module_has_variables_of_its_own),
    cmocka_unit_test(a_missing_variable_is_not_found),
    cmocka_unit_test(a_variable_cannot_be_freed),
    cmocka_unit_test(a_text_with_a_mistake_is_refused),
    cmocka_unit_test(a_text_for_a_newer_device_is_refused),
};

SUITE_GROUP(ptx_kernels, 1);
