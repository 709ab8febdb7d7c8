/* SPDX-License-Identifier: Apache-2.0
 *
 * Libraries of the stand-in, images that are linked, what is said of those that are wrong,
 * and modules that come and go on several threads.
 */
#include <pthread.h>

#include "standin/image/images.h"
#include "standin/modules.h"

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

/* As an H200 answers (driver 580.159.04), whatever the bytes are. */
static void what_is_wrong_with_an_image_is_told_when_it_is_looked_at(void **state)
{
    (void)state;
    static const struct {
        const char *image;
        CUresult status;
    } rows[] = { { "nonsense", RILL_ERROR_INVALID_IMAGE }, { "", RILL_ERROR_INVALID_IMAGE },
                 { HEAD ".visible .entry f() { nonsense; }", RILL_ERROR_INVALID_PTX },
                 { ".version 99.0\n.target sm_70\n", RILL_ERROR_UNSUPPORTED_PTX_VERSION } };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        CUlibrary made = NULL;
        CUkernel kernel = NULL;
        CUmodule module = NULL;
        CUdeviceptr address = 77;
        size_t bytes = 77;
        unsigned count = 77;
        OK(CALL(cuLibraryLoadData,
                (CUlibrary *, const void *, int *, void **, unsigned, int *, void **, unsigned),
                (&made, rows[i].image, NULL, NULL, 0, NULL, NULL, 0)));
        for (int again = 0; again < 2; again++)
            assert_int_equal(CALL(cuLibraryGetKernel, (CUkernel *, CUlibrary, const char *),
                                  (&kernel, made, "f")), rows[i].status);
        assert_int_equal(CALL(cuLibraryGetModule, (CUmodule *, CUlibrary), (&module, made)),
                         rows[i].status);
        assert_int_equal(CALL(cuLibraryGetGlobal,
                              (CUdeviceptr *, size_t *, CUlibrary, const char *),
                              (&address, &bytes, made, "x")), rows[i].status);
        assert_true(address == 77 && bytes == 77);
        OK(CALL(cuLibraryGetKernelCount, (unsigned *, CUlibrary), (&count, made)));
        assert_int_equal(count, 0);
        OK(CALL(cuLibraryUnload, (CUlibrary), (made)));
    }
}

static int attribute_of_kernel(CUkernel kernel, int attribute)
{
    int value = 77;
    OK(CALL(cuKernelGetAttribute, (int *, int, CUkernel, CUdevice),
            (&value, attribute, kernel, 0)));
    return value;
}

static void a_kernel_says_what_it_was_set_to_and_not_its_function(void **state)
{
    (void)state;
    enum { WIDTH = CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH,
           LARGE = CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED };
    CUlibrary made = load_library();
    CUkernel kernel = kernel_of(made, "count_blocks");
    CUfunction function = NULL;
    OK(CALL(cuKernelGetFunction, (CUfunction *, CUkernel), (&function, kernel)));
    OK(CALL(cuFuncSetAttribute, (CUfunction, int, int), (function, LARGE, 1)));
    OK(CALL(cuFuncSetAttribute, (CUfunction, int, int), (function, WIDTH, 2)));
    assert_int_equal(attribute_of_kernel(kernel, LARGE), 0);
    assert_int_equal(attribute_of_kernel(kernel, WIDTH), 0);
    OK(CALL(cuKernelSetAttribute, (int, int, CUkernel, CUdevice), (LARGE, 100000, kernel, 0)));
    OK(CALL(cuKernelSetAttribute, (int, int, CUkernel, CUdevice), (WIDTH, 232448, kernel, 0)));
    assert_int_equal(attribute_of_kernel(kernel, LARGE), 100000);
    assert_int_equal(attribute_of_kernel(kernel, WIDTH), 232448);
    OK(CALL(cuLibraryUnload, (CUlibrary), (made)));
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

/* What a launch found last is used again, unless it is of another context or another time.
 * Libraries and contexts come and go until their handles, and their addresses, are used again. */
static void a_launch_finds_the_function_of_its_own_library(void **state)
{
    (void)state;
    enum { TIMES = 600 };
    CUlibrary stays = load_library();
    CUkernel kernel = kernel_of(stays, "count_blocks");
    CUdeviceptr first = counted(stays, kernel);
    uint32_t before = 0, word = 0;
    read_back(&before, first, 4);
    for (int i = 0; i < TIMES; i++) {
        CUcontext other;
        CUlibrary comes = load_library();
        CUkernel coming = kernel_of(comes, "count_blocks");
        counted(comes, coming);
        OK(CALL(cuCtxCreate_v2, (CUcontext *, unsigned, CUdevice), (&other, 0, 0)));
        CUdeviceptr there = counted(i % 2 ? stays : comes, i % 2 ? kernel : coming);
        read_back(&word, there, 4);
        assert_int_equal(word, 8);
        if (i % 3) OK(CALL(cuLibraryUnload, (CUlibrary), (comes)));
        OK(CALL(cuCtxDestroy_v2, (CUcontext), (other)));
        if (!(i % 3)) OK(CALL(cuLibraryUnload, (CUlibrary), (comes)));
        assert_int_equal(launch((CUfunction)(void *)coming, 1, 1, 0, NULL),
                         RILL_ERROR_INVALID_HANDLE);
        assert_true(counted(stays, kernel) == first);
    }
    read_back(&word, first, 4);
    assert_int_equal(word, before + TIMES * 3);
    OK(CALL(cuLibraryUnload, (CUlibrary), (stays)));
}

/* As programs do that set an attribute before each launch. */
static void only_what_a_kernel_was_set_to_last_is_kept(void **state)
{
    (void)state;
    enum { TIMES = 200000 };
    const int shared = RILL_KERNEL_MAX_DYNAMIC_SHARED_BYTES;
    CUlibrary made = load_library();
    CUkernel kernel = kernel_of(made, "empty");
    CUresult (*set)(int attribute, int value, CUkernel of, CUdevice device);
    CUfunction function;
    CUcontext other;
    int value = 0;
    find("cuKernelSetAttribute", &set);
    for (int i = 0; i < TIMES; i++) OK(set(shared, 50000 + i % 1000, kernel, 0));
    OK(CALL(cuCtxCreate_v2, (CUcontext *, unsigned, CUdevice), (&other, 0, 0)));
    OK(CALL(cuKernelGetFunction, (CUfunction *, CUkernel), (&function, kernel)));
    OK(CALL(cuFuncGetAttribute, (int *, int, CUfunction), (&value, shared, function)));
    assert_int_equal(value, 50000 + (TIMES - 1) % 1000);
    OK(CALL(cuCtxDestroy_v2, (CUcontext), (other)));
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
    assert_int_equal(launch(function, 1, 1, 0, NULL), RILL_ERROR_INVALID_CONTEXT); /* none now */
    assert_int_equal(CALL(cuModuleGetFunctionCount, (unsigned *, CUmodule), (&count, module)),
                     RILL_ERROR_INVALID_HANDLE);
}

static CUlinkState linking_with(unsigned count, int *options, void **values)
{
    CUlinkState linking = NULL;
    OK(CALL(cuLinkCreate_v2, (unsigned, int *, void **, CUlinkState *),
            (count, options, values, &linking)));
    return linking;
}

static CUresult link_in(CUlinkState linking, int kind, const void *data, size_t bytes)
{
    return CALL(cuLinkAddData_v2, (CUlinkState, int, const void *, size_t, const char *, unsigned,
                                   int *, void **),
                (linking, kind, data, bytes, NULL, 0, NULL, NULL));
}

static void what_is_linked_can_be_loaded(void **state)
{
    (void)state;
    static const char more[] = "// first\n.version 7.1\n.target sm_75, debug\n"
        ".extern .global .u32 word;\n.extern .func f();\n.entry more() { ret; }";
    CUlinkState linking = linking_with(0, NULL, NULL);
    void *made = NULL;
    size_t bytes = 0;
    assert_int_equal(link_in(linking, 1, "nonsense", 8), RILL_ERROR_INVALID_IMAGE);
    assert_int_equal(link_in(linking, 1, image, 0), RILL_ERROR_INVALID_VALUE);
    OK(link_in(linking, 1, more, sizeof more));
    OK(link_in(linking, 1, image, sizeof image));
    assert_int_equal(link_in(linking, 0, sample_cubin, sizeof sample_cubin),
                     RILL_ERROR_NOT_SUPPORTED); /* machine code alone */
    assert_int_equal(link_in(linking, 4, image, sizeof image), RILL_ERROR_INVALID_IMAGE);
    OK(CALL(cuLinkComplete, (CUlinkState, void **, size_t *), (linking, &made, &bytes)));
    CUmodule module = load(made);
    OK(CALL(cuLinkDestroy, (CUlinkState), (linking)));
    OK(launch(function_of(module, "empty"), 1, 1, 0, NULL));
    OK(launch(function_of(module, "more"), 1, 1, 0, NULL));
    variable_of(module, "word", 4);
    OK(unload(module));
    assert_int_equal(CALL(cuLinkDestroy, (CUlinkState), (linking)), RILL_ERROR_INVALID_HANDLE);
}

static void more_bytes_than_there_can_be_are_not_linked(void **state)
{
    (void)state;
    const size_t sizes[] = { SIZE_MAX, SIZE_MAX - 1, SIZE_MAX - 2, (size_t)1 << 63 };
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        CUlinkState linking = linking_with(0, NULL, NULL);
        assert_int_equal(link_in(linking, 0, sample_cubin, sizes[i]), RILL_ERROR_INVALID_VALUE);
        assert_int_equal(link_in(linking, 2, sample_both_zstd, sizes[i]),
                         RILL_ERROR_INVALID_VALUE);
        assert_int_equal(link_in(linking, 1, image, sizes[i]), RILL_ERROR_INVALID_VALUE);
        OK(CALL(cuLinkDestroy, (CUlinkState), (linking)));
    }
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
    assert_int_equal(LOAD(HEAD ".entry x() {\n cp.async.bulk.wait_all; ret; }", 2),
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

/* Also behind texts with which nothing was wrong. */
static void a_linker_says_what_is_wrong(void **state)
{
    (void)state;
    static const char wrong[] = HEAD ".entry x() { nonsense; }";
    char said[100] = "x";
    int options[] = { CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES };
    void *values[] = { said, (void *)sizeof said }, *made = NULL;
    CUlinkState linking = linking_with(2, options, values);
    OK(link_in(linking, 1, image, sizeof image));
    assert_int_equal(link_in(linking, 1, wrong, sizeof wrong), RILL_ERROR_INVALID_PTX);
    assert_string_equal(said, "line 4, column 14, at 'nonsense': there is no such instruction");
    assert_int_equal((uintptr_t)values[1], strlen(said));
    OK(CALL(cuLinkComplete, (CUlinkState, void **, size_t *), (linking, &made, NULL)));
    assert_string_equal(said, "");
    OK(CALL(cuLinkDestroy, (CUlinkState), (linking)));
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
        TEST(what_is_wrong_with_an_image_is_told_when_it_is_looked_at),
        TEST(a_kernel_says_what_it_was_set_to_and_not_its_function),
        TEST(a_library_has_a_module_in_each_context),
        TEST(a_launch_finds_the_function_of_its_own_library),
        TEST(only_what_a_kernel_was_set_to_last_is_kept),
        TEST(what_is_gone_is_refused),
        TEST(what_is_linked_can_be_loaded),
        TEST(more_bytes_than_there_can_be_are_not_linked),
        TEST(the_compiler_says_what_is_wrong),
        TEST(a_linker_says_what_is_wrong),
        TEST(threads_load_and_launch_at_once),
    };
    begin_with_kernels();
    return cmocka_run_group_tests_name("standin/libraries", tests, NULL, NULL);
}
