/* SPDX-License-Identifier: Apache-2.0
 *
 * Modules of the stand-in: what images hold becomes functions and variables, and what
 * functions do is in the library that RILL_KERNELS names.
 */
#include "standin/image/images.h"
#include "standin/modules.h"

/* ---- Functions ------------------------------------------------------------------------- */

static void a_kernel_gets_its_arguments_as_the_image_lays_them_out(void **state)
{
    (void)state;
    CUmodule module = load(image);
    CUdeviceptr out = variable_of(module, "blank", 24);
    uint8_t a = 200;
    uint32_t b = 0x12345678, told[5];
    uint16_t c = 54321;
    void *params[] = { &out, &a, &b, &c };
    OK(launch(function_of(module, "tell"), 1, 1, 100, params));
    read_back(told, out, sizeof told);
    assert_int_equal(told[0], a);
    assert_int_equal(told[1], b);
    assert_int_equal(told[2], c);
    assert_int_equal(told[3], 4);
    assert_int_equal(told[4], 112);
    void *count[] = { &out };
    OK(CALL(cuMemsetD8_v2, (CUdeviceptr, unsigned char, size_t), (out, 0, 24)));
    OK(launch(function_of(module, "count_blocks"), 37, 1, 0, count));
    read_back(told, out, 4);
    assert_int_equal(told[0], 37);
    OK(unload(module));
}

static void a_kernel_without_a_function_runs_its_ptx(void **state)
{
    (void)state;
    CUmodule module = load(image);
    CUdeviceptr word = variable_of(module, "word", 4);
    uint32_t value = 77, told = 0;
    void *params[] = { &word, &value };
    OK(launch(function_of(module, "store"), 1, 1, 0, params));
    read_back(&told, word, 4);
    assert_int_equal(told, 77);
    OK(unload(module));
}

/* The library's would say that it was to fail. */
static void a_function_with_other_parameters_is_not_the_kernels(void **state)
{
    (void)state;
    CUmodule module = load(image);
    CUdeviceptr word = variable_of(module, "word", 4);
    uint32_t told = 0;
    void *params[] = { &word };
    OK(launch(function_of(module, "other_params"), 1, 1, 0, params));
    read_back(&told, word, 4);
    assert_int_equal(told, 88);
    OK(unload(module));
}

static void machine_code_without_a_function_is_not_launched(void **state)
{
    (void)state;
    CUmodule module = load(sample_cubin);
    assert_int_equal(launch(function_of(module, "big"), 1, 1, 0, NULL), RILL_ERROR_NOT_SUPPORTED);
    OK(unload(module));
}

/* The others run; and all that a program may want to know of it is told. */
static void a_kernel_that_lacks_something_is_not_launched(void **state)
{
    (void)state;
    CUmodule module = load(HEAD
        ".entry lacking() .maxntid 64 { tcgen05.fence::after_thread_sync; ret; }\n"
        ".entry whole() { ret; }\n");
    CUfunction all[2] = { NULL, NULL };
    int threads = 0;
    OK(CALL(cuModuleEnumerateFunctions, (CUfunction *, unsigned, CUmodule), (all, 2, module)));
    OK(CALL(cuFuncGetAttribute, (int *, int, CUfunction), (&threads, 0, all[0])));
    assert_int_equal(threads, 64);
    assert_int_equal(launch(all[0], 1, 1, 0, NULL), RILL_ERROR_NOT_SUPPORTED);
    OK(launch(all[1], 1, 1, 0, NULL));
    OK(synchronize());
    OK(unload(module));
}

static CUgraphNode node_in(CUgraph *graph, CUmodule module)
{
    const CUDA_KERNEL_NODE_PARAMS params = {
        .function = function_of(module, "empty"), .grid = { 1, 1, 1 }, .block = { 1, 1, 1 },
    };
    CUgraphNode node = NULL;
    OK(CALL(cuGraphCreate, (CUgraph *, unsigned), (graph, 0)));
    OK(CALL(cuGraphAddKernelNode_v2,
            (CUgraphNode *, CUgraph, const CUgraphNode *, size_t, const CUDA_KERNEL_NODE_PARAMS *),
            (&node, *graph, NULL, 0, &params)));
    return node;
}

static CUDA_KERNEL_NODE_PARAMS params_of(CUgraphNode node)
{
    CUDA_KERNEL_NODE_PARAMS params;
    OK(CALL(cuGraphKernelNodeGetParams_v2, (CUgraphNode, CUDA_KERNEL_NODE_PARAMS *),
            (node, &params)));
    return params;
}

/* As an H200 answers: what a clone hands out is not the original's. */
static void a_clone_hands_out_arguments_of_its_own(void **state)
{
    (void)state;
    CUdeviceptr address = 64;
    uint32_t value = 7;
    void *given[] = { &address, &value };
    CUDA_KERNEL_NODE_PARAMS params = {
        .function = function_of(load(image), "store"), .grid = { 1, 1, 1 },
        .block = { 1, 1, 1 }, .params = given,
    };
    CUgraph graph = NULL, clone = NULL;
    CUgraphNode node = NULL, copy = NULL;
    OK(CALL(cuGraphCreate, (CUgraph *, unsigned), (&graph, 0)));
    OK(CALL(cuGraphAddKernelNode_v2,
            (CUgraphNode *, CUgraph, const CUgraphNode *, size_t, const CUDA_KERNEL_NODE_PARAMS *),
            (&node, graph, NULL, 0, &params)));
    OK(CALL(cuGraphClone, (CUgraph *, CUgraph), (&clone, graph)));
    OK(CALL(cuGraphNodeFindInClone, (CUgraphNode *, CUgraphNode, CUgraph), (&copy, node, clone)));
    CUDA_KERNEL_NODE_PARAMS one = params_of(node), two = params_of(copy);
    assert_ptr_not_equal(one.params, two.params);
    assert_ptr_equal(params_of(node).params, one.params); /* which do not move */
    for (int i = 0; i < 2; i++) assert_ptr_not_equal(one.params[i], two.params[i]);
    assert_int_equal(*(CUdeviceptr *)two.params[0], 64);
    assert_int_equal(*(uint32_t *)two.params[1], 7);
    value = 8;
    OK(CALL(cuGraphKernelNodeSetParams_v2, (CUgraphNode, const CUDA_KERNEL_NODE_PARAMS *),
            (copy, &params)));
    assert_int_equal(*(uint32_t *)params_of(copy).params[1], 8);
    assert_int_equal(*(uint32_t *)params_of(node).params[1], 7);
    *(uint32_t *)one.params[1] = 9;
    OK(CALL(cuGraphKernelNodeSetParams_v2, (CUgraphNode, const CUDA_KERNEL_NODE_PARAMS *),
            (node, &one)));
    assert_int_equal(*(uint32_t *)params_of(node).params[1], 9);
    OK(CALL(cuGraphDestroy, (CUgraph), (clone)));
    OK(CALL(cuGraphDestroy, (CUgraph), (graph)));
}

static CUresult copy_attributes(CUgraphNode dst, CUgraphNode src)
{
    return CALL(cuGraphKernelNodeCopyAttributes, (CUgraphNode, CUgraphNode), (dst, src));
}

/* H200, driver 580. */
static void attributes_are_copied_between_kernels_of_one_context(void **state)
{
    (void)state;
    CUcontext other = NULL;
    CUmodule module = load(image);
    CUgraph graphs[3];
    CUgraphNode one = node_in(&graphs[0], module), two = node_in(&graphs[1], module);
    OK(CALL(cuCtxCreate_v2, (CUcontext *, unsigned, CUdevice), (&other, 0, 0)));
    CUgraphNode far = node_in(&graphs[2], load(image));
    OK(copy_attributes(one, two));
    OK(copy_attributes(far, far));
    assert_int_equal(copy_attributes(one, far), RILL_ERROR_INVALID_VALUE);
    assert_int_equal(copy_attributes(far, one), RILL_ERROR_INVALID_VALUE);
    for (int i = 0; i < 3; i++) OK(CALL(cuGraphDestroy, (CUgraph), (graphs[i])));
    OK(CALL(cuCtxDestroy_v2, (CUcontext), (other)));
}

static void a_function_that_fails_is_told(void **state)
{
    (void)state;
    CUmodule module = load(image);
    OK(launch(function_of(module, "empty"), 1, 1, 0, NULL));
    CUfunction small = function_of(module, "small");
    OK(launch(small, 1, 32, 0, NULL));
    assert_int_equal(launch(small, 1, 16, 0, NULL), RILL_ERROR_INVALID_VALUE);
    OK(synchronize());
    OK(launch(function_of(module, "fail"), 1, 1, 0, NULL));
    assert_int_equal(synchronize(), RILL_ERROR_ASSERT);
    int value = 7, threads = 7;
    assert_int_equal(CALL(cuFuncGetAttribute, (int *, int, CUfunction), (&threads, 0, small)),
                     RILL_ERROR_ASSERT);
    assert_int_equal(CALL(cuOccupancyMaxActiveBlocksPerMultiprocessor,
                          (int *, CUfunction, int, size_t), (&value, small, 32, 0)),
                     RILL_ERROR_ASSERT);
    assert_int_equal(value, 7);
}

static void functions_are_what_the_image_says(void **state)
{
    (void)state;
    CUmodule module = load(image);
    CUfunction function = function_of(module, "tell"), again = function_of(module, "tell");
    const char *name = NULL;
    size_t offset, bytes;
    CUmodule home = NULL;
    unsigned count = 0;
    int value = 0;
    assert_ptr_equal(function, again);
    OK(CALL(cuFuncGetName, (const char **, CUfunction), (&name, function)));
    assert_string_equal(name, "tell");
    OK(CALL(cuFuncGetModule, (CUmodule *, CUfunction), (&home, function)));
    assert_ptr_equal(home, module);
    OK(CALL(cuFuncGetParamInfo, (CUfunction, size_t, size_t *, size_t *),
            (function, 3, &offset, &bytes)));
    assert_int_equal(offset, 16);
    assert_int_equal(bytes, 2);
    assert_int_equal(CALL(cuFuncGetParamInfo, (CUfunction, size_t, size_t *, size_t *),
                          (function, 4, &offset, &bytes)), RILL_ERROR_INVALID_VALUE);
    OK(CALL(cuFuncGetAttribute, (int *, int, CUfunction), (&value, RILL_KERNEL_SHARED_BYTES,
                                                           function)));
    assert_int_equal(value, 12);
    OK(CALL(cuFuncGetAttribute, (int *, int, CUfunction), (&value, RILL_KERNEL_PTX_VERSION,
                                                           function)));
    assert_int_equal(value, 75);
    OK(CALL(cuModuleGetFunctionCount, (unsigned *, CUmodule), (&count, module)));
    assert_int_equal(count, 7);
    assert_int_equal(CALL(cuModuleGetFunction, (CUfunction *, CUmodule, const char *),
                          (&again, module, "word")), RILL_ERROR_NOT_FOUND);
    OK(unload(module));
}

static void occupancy_is_that_of_the_device(void **state)
{
    (void)state;
    CUmodule module = load(image);
    CUfunction function = function_of(module, "empty");
    static const struct { int threads; size_t shared; int blocks; } cases[] = {
        { 1024, 0, 2 }, { 1000, 0, 2 }, { 256, 0, 8 }, { 64, 0, 32 }, { 1, 0, 32 },
        { 256, 40000, 5 }, { 256, 49152, 4 }, { 256, 49153, 0 }, { 1025, 0, 0 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int blocks = -1;
        OK(CALL(cuOccupancyMaxActiveBlocksPerMultiprocessor, (int *, CUfunction, int, size_t),
                (&blocks, function, cases[i].threads, cases[i].shared)));
        assert_int_equal(blocks, cases[i].blocks);
    }
    int grid = 0, block = 0, blocks;
    OK(CALL(cuOccupancyMaxPotentialBlockSize,
            (int *, int *, CUfunction, CUoccupancyB2DSize, size_t, int),
            (&grid, &block, function, NULL, 0, 0)));
    assert_int_equal(block, 1024);
    assert_int_equal(grid, 2 * 132);
    assert_int_equal(CALL(cuOccupancyMaxActiveBlocksPerMultiprocessor,
                          (int *, CUfunction, int, size_t), (&blocks, function, 0, 0)),
                     RILL_ERROR_INVALID_VALUE);
    OK(unload(module));
}

/* ---- Variables -------------------------------------------------------------------------- */

static void variables_begin_as_the_image_says(void **state)
{
    (void)state;
    CUmodule first = load(image), second = load(image);
    uint32_t word = 0, zeros[6];
    uint64_t link = 0;
    CUdeviceptr here = variable_of(first, "word", 4), there = variable_of(second, "word", 4);
    assert_true(here != there);
    OK(CALL(cuMemsetD32_v2, (CUdeviceptr, unsigned, size_t), (here, 9, 1)));
    read_back(&word, there, 4);
    assert_int_equal(word, 5);
    read_back(&link, variable_of(first, "link", 8), 8);
    assert_true(link == here + 4);
    read_back(zeros, variable_of(first, "blank", 24), 24);
    for (int i = 0; i < 6; i++) assert_int_equal(zeros[i], 0);
    assert_int_equal(CALL(cuMemFree_v2, (CUdeviceptr), (here)), RILL_ERROR_INVALID_VALUE);
    OK(unload(second));
    OK(unload(first));
    CUmodule packed = load(sample_both_zstd);
    double table[4];
    read_back(table, variable_of(packed, "table", 32), 32);
    assert_true(table[2] == 3.5);
    OK(unload(packed));
}

static void a_file_that_cannot_be_read_is_told_from_a_wrong_one(void **state)
{
    (void)state;
    static const struct { const char *path; CUresult status; } cases[] = {
        { "tests/standin/kernels.so", RILL_ERROR_INVALID_IMAGE },
        { "/dev/null", RILL_ERROR_INVALID_IMAGE },
        { "tests/standin/none", RILL_ERROR_FILE_NOT_FOUND },
        { "tests", RILL_ERROR_OPERATING_SYSTEM }, /* a folder opens, but has no bytes */
    };
    CUmodule module = NULL;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(CALL(cuModuleLoad, (CUmodule *, const char *), (&module, cases[i].path)),
                         cases[i].status);
}

/* ---- Machine code that says what cannot be ------------------------------------------------ */

static CUresult load_cubin(const unsigned char *code, CUmodule *module)
{
    return CALL(cuModuleLoadData, (CUmodule *, const void *), (module, code));
}

/* A copy in which whatever is as large as the variable `blank`, with its section, is `bytes`. */
static void resize_blank(unsigned char code[sizeof sample_cubin], uint64_t bytes)
{
    const uint64_t was = 400;
    memcpy(code, sample_cubin, sizeof sample_cubin);
    for (size_t at = 0; at + 8 <= sizeof sample_cubin; at += 8)
        if (!memcmp(code + at, &was, 8)) memcpy(code + at, &bytes, 8);
}

static void variables_that_no_memory_holds_are_refused(void **state)
{
    (void)state;
    static _Alignas(8) unsigned char code[sizeof sample_cubin];
    static const uint64_t sizes[] = { UINT64_MAX, UINT64_MAX - 300, UINT64_MAX - 1023,
                                      UINT64_MAX / 2, (uint64_t)1 << 62 };
    CUmodule module = NULL;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        resize_blank(code, sizes[i]);
        assert_int_equal(load_cubin(code, &module), RILL_ERROR_OUT_OF_MEMORY);
    }
    resize_blank(code, 4000);
    OK(load_cubin(code, &module));
    variable_of(module, "blank", 4000);
    OK(unload(module));
}

static int registers_of_nop(const unsigned char *code)
{
    CUmodule module = NULL;
    int registers = -1;
    OK(load_cubin(code, &module));
    OK(CALL(cuFuncGetAttribute, (int *, int, CUfunction), (&registers, RILL_KERNEL_REGISTERS,
                                                           function_of(module, "nop"))));
    OK(unload(module));
    return registers;
}

/* Then the kernel has as many as one of PTX, of which nobody knows. */
static void registers_that_no_thread_has_are_not_counted(void **state)
{
    (void)state;
    static const unsigned char registers[] = { 4, 0x2f, 8, 0 };
    static _Alignas(8) unsigned char code[sizeof sample_cubin];
    CUmodule module = NULL;
    int blocks = -1;
    memcpy(code, sample_cubin, sizeof code);
    for (size_t at = 0; at + 12 <= sizeof code; at += 4)
        if (!memcmp(code + at, registers, 4)) memset(code + at + 8, 0xff, 4);
    assert_int_equal(registers_of_nop(sample_cubin), 4);
    assert_int_equal(registers_of_nop(code), 32);
    OK(load_cubin(code, &module));
    OK(CALL(cuOccupancyMaxActiveBlocksPerMultiprocessor, (int *, CUfunction, int, size_t),
            (&blocks, function_of(module, "nop"), 256, 0)));
    assert_int_equal(blocks, 8);
    OK(unload(module));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_kernel_gets_its_arguments_as_the_image_lays_them_out),
        TEST(a_kernel_without_a_function_runs_its_ptx),
        TEST(a_function_with_other_parameters_is_not_the_kernels),
        TEST(machine_code_without_a_function_is_not_launched),
        TEST(a_kernel_that_lacks_something_is_not_launched),
        TEST(attributes_are_copied_between_kernels_of_one_context),
        TEST(a_clone_hands_out_arguments_of_its_own),
        TEST(functions_are_what_the_image_says),
        TEST(occupancy_is_that_of_the_device),
        TEST(variables_begin_as_the_image_says),
        TEST(a_file_that_cannot_be_read_is_told_from_a_wrong_one),
        TEST(variables_that_no_memory_holds_are_refused),
        TEST(registers_that_no_thread_has_are_not_counted),
        TEST(a_function_that_fails_is_told), /* last: the device fails */
    };
    begin_with_kernels();
    return cmocka_run_group_tests_name("standin/kernels", tests, NULL, NULL);
}
