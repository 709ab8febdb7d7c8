/* SPDX-License-Identifier: Apache-2.0
 *
 * Linking as programs meet it: what the image is good for, and what is said of inputs that do
 * not fit.  Which definition stands is tested with the linker (tests/ptx/lower/test_link.c).
 */
#include <stdio.h>
#include <unistd.h>

#include "standin/image/images.h"
#include "standin/modules.h"

enum { CUBIN, PTX, FATBIN };

/* Those of repro/driver/link_extern.c, which an H200 (driver 580.159.04) links. */
static const char take[] = HEAD ".extern .func (.param .u32 r) give;\n.const .u32 tab = 5;\n"
    ".visible .entry k(.param .u64 out)\n{ .reg .u64 %o; .reg .u32 %v, %w;\n"
    "ld.param.u64 %o, [out];\n{ .param .u32 r; call (r), give; ld.param.u32 %v, [r]; }\n"
    "ld.const.u32 %w, [tab]; add.u32 %v, %v, %w; st.global.u32 [%o], %v; ret; }\n";
static const char give[] = HEAD ".const .u32 tab = 7;\n"
    ".visible .func (.param .u32 r) give\n{ .reg .u32 %v; ld.const.u32 %v, [tab]; "
    "st.param.u32 [r], %v; ret; }\n";

static char said[300];
static int options[] = { CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES };
static void *values[2];

static CUlinkState begin(void)
{
    CUlinkState linking = NULL;
    values[0] = said;
    values[1] = (void *)sizeof said;
    said[0] = 0;
    OK(CALL(cuLinkCreate_v2, (unsigned, int *, void **, CUlinkState *),
            (2, options, values, &linking)));
    return linking;
}

static CUresult add(CUlinkState linking, int kind, const void *data, size_t bytes)
{
    return CALL(cuLinkAddData_v2, (CUlinkState, int, const void *, size_t, const char *, unsigned,
                                   int *, void **),
                (linking, kind, data, bytes, kind == PTX ? "a text" : NULL, 0, NULL, NULL));
}

static CUresult complete(CUlinkState linking, void **made, size_t *bytes)
{
    return CALL(cuLinkComplete, (CUlinkState, void **, size_t *), (linking, made, bytes));
}

static void end(CUlinkState linking)
{
    OK(CALL(cuLinkDestroy, (CUlinkState), (linking)));
}

/* A copy of what comes out, which outlives the linking. */
static void *end_with(CUlinkState linking, size_t *bytes)
{
    void *made = NULL;
    OK(complete(linking, &made, bytes));
    void *copy = malloc(*bytes);
    assert_non_null(copy);
    memcpy(copy, made, *bytes);
    end(linking);
    return copy;
}

static uint32_t run(CUfunction function)
{
    CUdeviceptr out = 0;
    uint32_t value = 0;
    void *params[] = { &out };
    OK(CALL(cuMemAlloc_v2, (CUdeviceptr *, size_t), (&out, 4)));
    OK(launch(function, 1, 1, 0, params));
    read_back(&value, out, 4);
    OK(CALL(cuMemFree_v2, (CUdeviceptr), (out)));
    return value;
}

/* ---- What comes out ---------------------------------------------------------------------- */

static void texts_are_linked_in_either_order(void **state)
{
    (void)state;
    for (int order = 0; order < 2; order++) {
        CUlinkState linking = begin();
        OK(add(linking, PTX, order ? give : take, order ? sizeof give : sizeof take));
        OK(add(linking, PTX, order ? take : give, order ? sizeof take - 1 : sizeof give - 1));
        size_t bytes = 0;
        void *made = end_with(linking, &bytes);
        assert_string_equal(said, "");
        CUmodule module = load(made);
        CUlibrary from = NULL;
        OK(CALL(cuLibraryLoadData,
                (CUlibrary *, const void *, int *, void **, unsigned, int *, void **, unsigned),
                (&from, made, NULL, NULL, 0, NULL, NULL, 0)));
        free(made);
        CUkernel kernel = NULL;
        OK(CALL(cuLibraryGetKernel, (CUkernel *, CUlibrary, const char *), (&kernel, from, "k")));
        assert_int_equal(run(function_of(module, "k")), 12);
        assert_int_equal(run((CUfunction)(void *)kernel), 12);
        OK(unload(module));
        OK(CALL(cuLibraryUnload, (CUlibrary), (from)));
    }
}

/* In a file, and into another linking. */
static void what_was_linked_is_an_image(void **state)
{
    (void)state;
    static const char more[] = HEAD ".visible .entry more() { ret; }\n";
    CUlinkState linking = begin();
    size_t bytes = 0;
    OK(add(linking, PTX, take, sizeof take));
    OK(add(linking, PTX, give, sizeof give));
    void *made = end_with(linking, &bytes);
    char path[] = "tests/standin/linked.XXXXXX";
    int file = mkstemp(path);
    assert_int_equal(write(file, made, bytes), (ssize_t)bytes);
    close(file);
    CUmodule module = NULL;
    OK(CALL(cuModuleLoad, (CUmodule *, const char *), (&module, path)));
    unlink(path);
    assert_int_equal(run(function_of(module, "k")), 12);
    OK(unload(module));
    linking = begin();
    OK(add(linking, CUBIN, made, bytes));
    OK(add(linking, PTX, more, sizeof more));
    free(made);
    made = end_with(linking, &bytes);
    module = load(made);
    assert_int_equal(run(function_of(module, "k")), 12);
    OK(launch(function_of(module, "more"), 1, 1, 0, NULL));
    OK(unload(module));
    /* Cut off. */
    linking = begin();
    for (size_t i = 1; i < bytes; i += i < 40 ? 1 : 37)
        assert_int_not_equal(add(linking, CUBIN, made, i), RILL_SUCCESS);
    end(linking);
    free(made);
}

/* A fatbin's PTX is linked like any other. */
static void containers_are_opened(void **state)
{
    (void)state;
    size_t bytes = 0;
    CUlinkState linking = begin();
    OK(add(linking, FATBIN, sample_text_lz4, sizeof sample_text_lz4));
    OK(add(linking, PTX, give, sizeof give));
    OK(add(linking, PTX, take, sizeof take));
    void *made = end_with(linking, &bytes);
    CUmodule module = load(made);
    assert_int_equal(run(function_of(module, "k")), 12);
    function_of(module, "nop");
    OK(unload(module));
    free(made);
    linking = begin();
    OK(add(linking, FATBIN, sample_text_lz4, sizeof sample_text_lz4));
    assert_int_equal(add(linking, FATBIN, sample_both_zstd, sizeof sample_both_zstd),
                     RILL_ERROR_INVALID_SOURCE); /* the same kernels again */
    end(linking);
}

static void machine_code_comes_out_as_it_went_in(void **state)
{
    (void)state;
    size_t bytes = 0;
    CUlinkState linking = begin();
    OK(add(linking, CUBIN, sample_cubin, sizeof sample_cubin));
    assert_int_equal(add(linking, PTX, give, sizeof give), RILL_ERROR_NOT_SUPPORTED);
    assert_non_null(strstr(said, "only PTX"));
    void *made = end_with(linking, &bytes);
    assert_int_equal(bytes, sizeof sample_cubin);
    assert_memory_equal(made, sample_cubin, bytes);
    free(made);
    linking = begin();
    OK(add(linking, PTX, give, sizeof give));
    assert_int_equal(add(linking, CUBIN, sample_cubin, sizeof sample_cubin),
                     RILL_ERROR_NOT_SUPPORTED);
    end(linking);
    linking = begin();
    OK(add(linking, FATBIN, sample_both_zstd, sizeof sample_both_zstd));
    made = end_with(linking, &bytes);
    assert_int_equal(bytes, sizeof sample_both_zstd);
    free(made);
}

/* ---- What is refused ------------------------------------------------------------------------ */

static void what_does_not_fit_is_said(void **state)
{
    (void)state;
    void *made = NULL;
    size_t bytes = 0;
    CUlinkState linking = begin();
    OK(add(linking, PTX, give, sizeof give));
    assert_int_equal(add(linking, PTX, give, sizeof give), RILL_ERROR_INVALID_SOURCE);
    assert_string_equal(said, "'give' in a text, line 5, and in a text, line 5: it is defined "
                              "twice");
    assert_int_equal(complete(linking, &made, &bytes), RILL_ERROR_INVALID_SOURCE);
    assert_null(made);
    end(linking);
    linking = begin();
    OK(add(linking, PTX, take, sizeof take));
    assert_int_equal(complete(linking, &made, &bytes), RILL_ERROR_INVALID_SOURCE);
    assert_string_equal(said, "'give', which 'k' in a text uses, is nowhere defined");
    values[1] = (void *)sizeof said;
    OK(add(linking, PTX, give, sizeof give));
    OK(complete(linking, &made, &bytes));
    assert_int_equal(add(linking, PTX, give, sizeof give), RILL_ERROR_INVALID_VALUE);
    void *again = NULL;
    OK(complete(linking, &again, NULL));
    assert_ptr_equal(again, made);
    end(linking);
}

/* Each row was asked of an H200 (driver 580); `second` may be NULL. */
static void an_h200_answers_so(void **state)
{
    (void)state;
#define IDLE ".visible .entry idle() { ret; }\n"
#define COMMON ".common .global .u32 x"
    static const struct {
        const char *first, *second;
        CUresult add_first, add_second, complete;
    } rows[] = {
        { HEAD IDLE, HEAD IDLE, 0, 300, 300 },
        { HEAD ".visible .global .u32 x = 1;", HEAD ".visible .global .u32 x = 2;", 0, 300, 300 },
        { HEAD ".extern .global .u32 x;" IDLE, HEAD ".visible .global .u64 x;", 0, 300, 300 },
        { HEAD ".extern .global .u32 x;" IDLE, HEAD ".visible .const .u32 x;", 0, 300, 300 },
        { HEAD COMMON "[2];", HEAD COMMON "[4] = { 5 };", 0, 0, 0 },
        { HEAD COMMON "[2] = { 5 };", HEAD COMMON "[4];", 0, 999, 999 },
        { take, NULL, 0, 0, 300 },
        { HEAD ".extern .global .u32 x;" IDLE, NULL, 0, 0, 300 },
        { HEAD ".extern .func f;" IDLE, NULL, 0, 0, 0 },
        { HEAD ".extern .func f; .visible .func g { call f; ret; }", HEAD IDLE, 0, 0, 0 },
        { HEAD ".visible .entry k() { nonsense; }", NULL, 218, 0, 0 },
        { "nonsense", NULL, 200, 0, 0 },
        { HEAD IDLE, HEAD ".visible .entry k() { nonsense; }", 0, 218, 0 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        void *made = NULL;
        size_t bytes = 0;
        CUlinkState linking = begin();
        const char *first = rows[i].first, *second = rows[i].second;
        assert_int_equal(add(linking, PTX, first, strlen(first) + 1), rows[i].add_first);
        if (second)
            assert_int_equal(add(linking, PTX, second, strlen(second) + 1), rows[i].add_second);
        assert_int_equal(complete(linking, &made, &bytes), rows[i].complete);
        assert_int_equal(!made, rows[i].complete != RILL_SUCCESS);
        if (made) OK(unload(load(made)));
        end(linking);
    }
}

/* It can be put into another linking, too. */
static void of_nothing_an_empty_image_is_made(void **state)
{
    (void)state;
    size_t bytes = 0;
    void *made = end_with(begin(), &bytes);
    OK(unload(load(made)));
    CUlinkState linking = begin();
    OK(add(linking, CUBIN, made, bytes));
    OK(add(linking, PTX, give, sizeof give));
    OK(add(linking, PTX, take, sizeof take));
    free(made);
    made = end_with(linking, &bytes);
    CUmodule module = load(made);
    assert_int_equal(run(function_of(module, "k")), 12);
    OK(unload(module));
    free(made);
}

static CUresult add_file(CUlinkState linking, const char *path)
{
    return CALL(cuLinkAddFile_v2, (CUlinkState, int, const char *, unsigned, int *, void **),
                (linking, PTX, path, 0, NULL, NULL));
}

/* repro/driver/link_empty_file.c */
static void an_empty_file_is_no_image(void **state)
{
    (void)state;
    char path[] = "tests/standin/empty.XXXXXX";
    CUlinkState linking = begin();
    int file = mkstemp(path);
    assert_int_equal(add_file(linking, path), RILL_ERROR_INVALID_IMAGE);
    assert_int_equal(write(file, give, sizeof give - 1), (ssize_t)sizeof give - 1);
    close(file);
    OK(add_file(linking, path));
    unlink(path);
    assert_int_equal(add_file(linking, path), RILL_ERROR_FILE_NOT_FOUND);
    end(linking);
}

/* CUDA 11 and 12 bring it as PTX, over functions that only a GPU has. */
static void the_device_runtime_is_here_already(void **state)
{
    (void)state;
    static const char runtime[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
        ".extern .func __cuda_syscall_cnpv2GetParameterBufferV2;\n"
        ".visible .func __cudaCDP2GetParameterBufferV2\n"
        "{ call __cuda_syscall_cnpv2GetParameterBufferV2; ret; }\n";
    size_t bytes = 0;
    CUlinkState linking = begin();
    OK(add(linking, PTX, take, sizeof take));
    OK(add(linking, PTX, runtime, sizeof runtime));
    OK(add(linking, PTX, give, sizeof give));
    free(end_with(linking, &bytes));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(texts_are_linked_in_either_order),
        TEST(what_was_linked_is_an_image),
        TEST(containers_are_opened),
        TEST(machine_code_comes_out_as_it_went_in),
        TEST(what_does_not_fit_is_said),
        TEST(an_h200_answers_so),
        TEST(of_nothing_an_empty_image_is_made),
        TEST(an_empty_file_is_no_image),
        TEST(the_device_runtime_is_here_already),
    };
    begin_with_kernels();
    return cmocka_run_group_tests_name("standin/links", tests, NULL, NULL);
}
