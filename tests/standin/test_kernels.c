/* SPDX-License-Identifier: Apache-2.0
 *
 * Modules, libraries and kernels of the stand-in: what images hold becomes functions and
 * variables, and what functions do is in the library that RILL_KERNELS names.
 */
#include <pthread.h>
#include <stdlib.h>

#include "standin/images.h"
#include "standin/library.h"

#define HEAD ".version 7.0\n.target sm_75\n.address_size 64\n"

static const char image[] = HEAD
    ".visible .global .u32 word = 5;\n"
    ".global .u64 link = generic(word)+4;\n"
    ".global .align 8 .b8 blank[24];\n"
    ".entry tell(.param .u64 out, .param .u8 a, .param .u32 b, .param .u16 c)\n"
    "{ .shared .align 4 .b8 shared[12]; trap; }\n"
    ".entry count_blocks(.param .u64 p) { trap; }\n"
    ".entry fail() { trap; }\n"
    ".entry other_params(.param .u64 p) { trap; }\n"
    ".entry empty() { .reg .b32 r; ret; }\n"
    ".entry small() .reqntid 32 { ret; }\n"
    ".entry store(.param .u64 p, .param .u32 v) { .reg .b64 a; .reg .b32 r;\n"
    "  ld.param.u64 a, [p]; ld.param.u32 r, [v]; st.global.u32 [a], r; ret; }";

static CUcontext context;

static int setup(void **state)
{
    (void)state;
    OK(CALL(cuCtxCreate_v2, (CUcontext *, unsigned, CUdevice), (&context, 0, 0)));
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    CALL(cuCtxDestroy_v2, (CUcontext), (context));
    return 0;
}

static CUmodule load(const void *code)
{
    CUmodule module = NULL;
    OK(CALL(cuModuleLoadData, (CUmodule *, const void *), (&module, code)));
    return module;
}

static CUresult unload(CUmodule module)
{
    return CALL(cuModuleUnload, (CUmodule), (module));
}

static CUfunction function_of(CUmodule module, const char *name)
{
    CUfunction function = NULL;
    OK(CALL(cuModuleGetFunction, (CUfunction *, CUmodule, const char *),
            (&function, module, name)));
    return function;
}

static CUdeviceptr variable_of(CUmodule module, const char *name, size_t expected)
{
    CUdeviceptr address = 0;
    size_t bytes = 0;
    OK(CALL(cuModuleGetGlobal_v2, (CUdeviceptr *, size_t *, CUmodule, const char *),
            (&address, &bytes, module, name)));
    assert_int_equal(bytes, expected);
    return address;
}

static void read_back(void *to, CUdeviceptr from, size_t bytes)
{
    OK(CALL(cuMemcpyDtoH_v2, (void *, CUdeviceptr, size_t), (to, from, bytes)));
}

static CUresult launch(CUfunction function, unsigned grid, unsigned block, unsigned shared,
                       void **params)
{
    return CALL(cuLaunchKernel,
                (CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                 CUstream, void **, void **),
                (function, grid, 1, 1, block, 1, 1, shared, NULL, params, NULL));
}

static CUresult synchronize(void)
{
    return CALL(cuCtxSynchronize, (void), ());
}

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
        ".entry lacking() .maxntid 64 { .reg .b64 d; stacksave.u64 d; ret; }\n"
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

static void a_function_that_fails_is_told(void **state)
{
    (void)state;
    CUmodule module = load(image);
    OK(launch(function_of(module, "empty"), 1, 1, 0, NULL));
    OK(launch(function_of(module, "small"), 1, 32, 0, NULL));
    assert_int_equal(launch(function_of(module, "small"), 1, 16, 0, NULL),
                     RILL_ERROR_INVALID_VALUE);
    OK(synchronize());
    OK(launch(function_of(module, "fail"), 1, 1, 0, NULL));
    assert_int_equal(synchronize(), RILL_ERROR_ASSERT);
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

/* ---- Libraries ----------------------------------------------------------------------------- */

static CUlibrary load_library(void)
{
    CUlibrary made = NULL;
    OK(CALL(cuLibraryLoadData,
            (CUlibrary *, const void *, int *, void **, unsigned, int *, void **, unsigned),
            (&made, image, NULL, NULL, 0, NULL, NULL, 0)));
    return made;
}

static CUkernel kernel_of(CUlibrary from, const char *name)
{
    CUkernel kernel = NULL;
    OK(CALL(cuLibraryGetKernel, (CUkernel *, CUlibrary, const char *), (&kernel, from, name)));
    return kernel;
}

static CUdeviceptr counted(CUlibrary from, CUkernel kernel)
{
    CUdeviceptr word = 0;
    size_t bytes = 0;
    OK(CALL(cuLibraryGetGlobal, (CUdeviceptr *, size_t *, CUlibrary, const char *),
            (&word, &bytes, from, "word")));
    void *params[] = { &word };
    OK(launch((CUfunction)(void *)kernel, 3, 1, 0, params));
    OK(synchronize());
    return word;
}

static void a_library_has_a_module_in_each_context(void **state)
{
    (void)state;
    const int shared = RILL_KERNEL_MAX_DYNAMIC_SHARED_BYTES;
    CUlibrary made = load_library();
    CUkernel kernel = kernel_of(made, "count_blocks");
    CUdeviceptr first = counted(made, kernel);
    OK(CALL(cuKernelSetAttribute, (int, int, CUkernel, CUdevice), (shared, 65536, kernel, 0)));
    CUcontext other;
    OK(CALL(cuCtxCreate_v2, (CUcontext *, unsigned, CUdevice), (&other, 0, 0)));
    CUdeviceptr second = counted(made, kernel);
    assert_true(first != second);
    uint32_t word = 0;
    read_back(&word, second, 4);
    assert_int_equal(word, 8);
    CUfunction function;
    int value = 0;
    OK(CALL(cuKernelGetFunction, (CUfunction *, CUkernel), (&function, kernel)));
    OK(CALL(cuFuncGetAttribute, (int *, int, CUfunction), (&value, shared, function)));
    assert_int_equal(value, 65536);
    /* Its module there goes with the context, the library stays. */
    OK(CALL(cuCtxDestroy_v2, (CUcontext), (other)));
    assert_true(counted(made, kernel) == first);
    OK(CALL(cuLibraryUnload, (CUlibrary), (made)));
}

static void what_is_gone_is_refused(void **state)
{
    (void)state;
    CUmodule module = load(image);
    CUfunction function = function_of(module, "empty");
    CUlibrary made = load_library();
    CUkernel kernel = kernel_of(made, "empty");
    CUmodule inner;
    unsigned count;
    OK(CALL(cuLibraryGetModule, (CUmodule *, CUlibrary), (&inner, made)));
    assert_int_equal(unload(inner), RILL_ERROR_NOT_PERMITTED);
    OK(unload(module));
    OK(CALL(cuLibraryUnload, (CUlibrary), (made)));
    assert_int_equal(unload(module), RILL_ERROR_INVALID_HANDLE);
    assert_int_equal(unload(inner), RILL_ERROR_INVALID_HANDLE);
    assert_int_equal(launch(function, 1, 1, 0, NULL), RILL_ERROR_INVALID_HANDLE);
    assert_int_equal(launch((CUfunction)(void *)kernel, 1, 1, 0, NULL),
                     RILL_ERROR_INVALID_HANDLE);
    assert_int_equal(CALL(cuLibraryUnload, (CUlibrary), (made)), RILL_ERROR_INVALID_HANDLE);
    module = load(image);
    function = function_of(module, "empty");
    OK(CALL(cuCtxDestroy_v2, (CUcontext), (context)));
    assert_int_equal(launch(function, 1, 1, 0, NULL), RILL_ERROR_INVALID_HANDLE);
    assert_int_equal(CALL(cuModuleGetFunctionCount, (unsigned *, CUmodule), (&count, module)),
                     RILL_ERROR_INVALID_HANDLE);
}

static void what_is_linked_can_be_loaded(void **state)
{
    (void)state;
    static const char more[] = "// first\n.version 7.1\n.target sm_75, debug\n"
        ".extern .global .u32 word;\n.extern .func f();\n.entry more() { ret; }";
    CUlinkState linking = NULL;
    void *made = NULL;
    size_t bytes = 0;
    OK(CALL(cuLinkCreate_v2, (unsigned, int *, void **, CUlinkState *),
            (0, NULL, NULL, &linking)));
#define ADD(kind, data, count) \
    CALL(cuLinkAddData_v2, (CUlinkState, int, const void *, size_t, const char *, unsigned, int *, \
                            void **), (linking, kind, data, count, NULL, 0, NULL, NULL))
    assert_int_equal(ADD(1, "nonsense", 8), RILL_ERROR_INVALID_IMAGE);
    assert_int_equal(ADD(1, image, 0), RILL_ERROR_INVALID_VALUE);
    OK(ADD(1, more, sizeof more));
    OK(ADD(1, image, sizeof image));
    assert_int_equal(ADD(1, image, sizeof image), RILL_ERROR_INVALID_PTX); /* all is twice */
    assert_int_equal(ADD(2, sample_both_zstd, sizeof sample_both_zstd), RILL_ERROR_NOT_SUPPORTED);
    OK(CALL(cuLinkComplete, (CUlinkState, void **, size_t *), (linking, &made, &bytes)));
    CUmodule module = load(made);
    OK(CALL(cuLinkDestroy, (CUlinkState), (linking)));
    OK(launch(function_of(module, "empty"), 1, 1, 0, NULL));
    OK(launch(function_of(module, "more"), 1, 1, 0, NULL));
    variable_of(module, "word", 4);
    OK(unload(module));
    assert_int_equal(CALL(cuLinkDestroy, (CUlinkState), (linking)), RILL_ERROR_INVALID_HANDLE);
}

static void the_compiler_says_what_is_wrong(void **state)
{
    (void)state;
    char said[100] = "x", room[8] = "1234567";
    int options[] = { CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, 99 };
    void *values[] = { said, (void *)sizeof said, NULL };
    CUmodule module;
#define LOAD(code, count) \
    CALL(cuModuleLoadDataEx, (CUmodule *, const void *, unsigned, int *, void **), \
         (&module, code, count, options, values))
    assert_int_equal(LOAD(HEAD ".entry x() { nonsense; }", 2), RILL_ERROR_INVALID_PTX);
    assert_string_equal(said, "line 4, column 14, at 'nonsense': there is no such instruction");
    assert_int_equal((uintptr_t)values[1], strlen(said));
    values[1] = (void *)sizeof said;
    assert_int_equal(LOAD(HEAD ".entry x() {\n cp.async.wait_all; ret; }", 2),
                     RILL_ERROR_NOT_SUPPORTED);
    assert_non_null(strstr(said, "line 5"));
    assert_non_null(strstr(said, "cp.async"));
    values[0] = room, values[1] = (void *)6;
    assert_int_equal(LOAD(HEAD ".entry x() { nonsense; }", 2), RILL_ERROR_INVALID_PTX);
    assert_memory_equal(room, "line \0007", 8);
    values[1] = (void *)6;
    OK(LOAD(image, 2));
    assert_string_equal(room, "");
    OK(unload(module));
    assert_int_equal(LOAD(image, 3), RILL_ERROR_INVALID_VALUE);
}

/* ---- Threads --------------------------------------------------------------------------------- */

enum { THREADS = 4, ROUNDS = 50 };

static void *load_and_launch(void *of_all)
{
    CUlibrary made = of_all;
    OK(CALL(cuCtxSetCurrent, (CUcontext), (context)));
    for (int i = 0; i < ROUNDS; i++) {
        CUmodule module = load(image);
        OK(launch(function_of(module, "empty"), 1, 1, 0, NULL));
        OK(launch((CUfunction)(void *)kernel_of(made, i % 2 ? "empty" : "small"), 1, 32, 0, NULL));
        OK(unload(module));
    }
    return NULL;
}

static void threads_load_and_launch_at_once(void **state)
{
    (void)state;
    pthread_t threads[THREADS];
    CUlibrary made = load_library();
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, load_and_launch, made), 0);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    OK(synchronize());
    OK(CALL(cuLibraryUnload, (CUlibrary), (made)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
        TEST(a_kernel_gets_its_arguments_as_the_image_lays_them_out),
        TEST(functions_are_what_the_image_says),
        TEST(occupancy_is_that_of_the_device),
        TEST(variables_begin_as_the_image_says),
        TEST(a_library_has_a_module_in_each_context),
        TEST(what_is_gone_is_refused),
        TEST(what_is_linked_can_be_loaded),
        TEST(the_compiler_says_what_is_wrong),
        TEST(threads_load_and_launch_at_once),
        TEST(a_kernel_without_a_function_runs_its_ptx),
        TEST(machine_code_without_a_function_is_not_launched),
        TEST(a_kernel_that_lacks_something_is_not_launched),
        TEST(a_function_that_fails_is_told), /* last: the device fails */
    };
    setenv("RILL_KERNELS", "tests/standin/kernels.so", 1);
    library_open();
    OK(CALL(cuInit, (unsigned), (0)));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
