/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls of old, which drivers still carry out and PyCUDA makes: launches that are set up call
 * by call, and uses of contexts that are counted.  And small things that programs rely on:
 * words for errors, what a look-up that fails leaves, the time that a load took.
 */
#include <pthread.h>

#include "standin/modules.h"

static const char text[] = HEAD
    ".visible .entry put(.param .u64 p, .param .u32 v, .param .f32 g)\n"
    "{ .reg .u64 %a; .reg .u32 %v, %t; .reg .f32 %g;\n"
    "ld.param.u64 %a, [p]; ld.param.u32 %v, [v]; ld.param.f32 %g, [g];\n"
    "st.global.u32 [%a], %v; st.global.f32 [%a+4], %g;\n"
    "mov.u32 %t, %ntid.x; st.global.u32 [%a+8], %t; mov.u32 %t, %ntid.y;\n"
    "st.global.u32 [%a+12], %t; mov.u32 %t, %nctaid.x; st.global.u32 [%a+16], %t;\n"
    "mov.u32 %t, %nctaid.y; st.global.u32 [%a+20], %t;\n"
    "mov.u32 %t, %dynamic_smem_size; st.global.u32 [%a+24], %t; ret; }\n"
    ".visible .entry none() { ret; }\n";

struct seen {
    uint32_t value;
    float number;
    uint32_t block[2], grid[2], shared;
};

static CUresult shape(CUfunction f, int x, int y, int z)
{
    return CALL(cuFuncSetBlockShape, (CUfunction, int, int, int), (f, x, y, z));
}

static CUresult set_integer(CUfunction f, int offset, unsigned value)
{
    return CALL(cuParamSeti, (CUfunction, int, unsigned), (f, offset, value));
}

static CUresult set_bytes(CUfunction f, int offset, void *from, unsigned bytes)
{
    return CALL(cuParamSetv, (CUfunction, int, void *, unsigned), (f, offset, from, bytes));
}

static CUresult launch_grid(CUfunction f, int width, int height)
{
    return CALL(cuLaunchGrid, (CUfunction, int, int), (f, width, height));
}

static CUdeviceptr memory_of(CUfunction f)
{
    CUdeviceptr memory = 0;
    OK(CALL(cuMemAlloc_v2, (CUdeviceptr *, size_t), (&memory, sizeof(struct seen))));
    OK(CALL(cuParamSetSize, (CUfunction, unsigned), (f, 16)));
    OK(set_bytes(f, 0, &memory, sizeof memory));
    OK(set_integer(f, 8, 42));
    OK(CALL(cuParamSetf, (CUfunction, int, float), (f, 12, 1.5f)));
    return memory;
}

static void saw(CUdeviceptr memory, uint32_t value, uint32_t x, uint32_t y, uint32_t width,
                uint32_t height, uint32_t shared)
{
    struct seen seen;
    OK(synchronize());
    read_back(&seen, memory, sizeof seen);
    assert_int_equal(seen.value, value);
    assert_true(seen.number == 1.5f);
    assert_int_equal(seen.block[0], x);
    assert_int_equal(seen.block[1], y);
    assert_int_equal(seen.grid[0], width);
    assert_int_equal(seen.grid[1], height);
    assert_int_equal(seen.shared, shared);
}

/* ---- Launches -------------------------------------------------------------------------------- */

static void a_function_keeps_what_was_set(void **state)
{
    (void)state;
    CUmodule module = load(text);
    CUfunction put = function_of(module, "put"), none = function_of(module, "none");
    OK(CALL(cuLaunch, (CUfunction), (none)));
    CUdeviceptr memory = memory_of(put);
    OK(shape(put, 2, 3, 1));
    OK(CALL(cuFuncSetSharedSize, (CUfunction, unsigned), (put, 64)));
    OK(launch_grid(put, 5, 2));
    saw(memory, 42, 2, 3, 5, 2, 64);
    OK(set_integer(put, 8, 43));
    OK(CALL(cuLaunch, (CUfunction), (put)));
    saw(memory, 43, 2, 3, 1, 1, 64);
    CUstream stream;
    OK(CALL(cuStreamCreate, (CUstream *, unsigned), (&stream, 1)));
    OK(CALL(cuFuncSetSharedSize, (CUfunction, unsigned), (put, 0)));
    OK(CALL(cuLaunchGridAsync, (CUfunction, int, int, CUstream), (put, 3, 1, stream)));
    OK(set_integer(put, 8, 44)); /* of the launch behind it: not of this one */
    saw(memory, 43, 2, 3, 3, 1, 0);
    OK(unload(module));
}

/* Nothing was set: repro/driver/deprecated.c. */
static void what_was_not_set_is_zero(void **state)
{
    (void)state;
    CUmodule module = load(text);
    OK(launch_grid(function_of(module, "put"), 1, 1));
    assert_int_equal(synchronize(), RILL_ERROR_ILLEGAL_ADDRESS);
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    CUmodule module = load(text);
    CUfunction put = function_of(module, "put");
    CUdeviceptr memory = memory_of(put);
    int wrong[][3] = { { 0, 1, 1 }, { 1, -1, 1 }, { 1, 1, 0 }, { 1025, 1, 1 }, { 1024, 2, 1 },
                       { 65536, 65536, 1 }, { 2147483647, 2147483647, 2147483647 } };
    OK(shape(put, 4, 1, 1));
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(shape(put, wrong[i][0], wrong[i][1], wrong[i][2]),
                         RILL_ERROR_INVALID_VALUE);
    assert_int_equal(set_integer(put, -4, 1), RILL_ERROR_INVALID_VALUE);
    assert_int_equal(set_integer(put, 4093, 1), RILL_ERROR_INVALID_VALUE);
    assert_int_equal(set_integer(put, 2147483647, 1), RILL_ERROR_INVALID_VALUE);
    assert_int_equal(set_bytes(put, 8, &memory, 0xffffffffu), RILL_ERROR_INVALID_VALUE);
    assert_int_equal(set_bytes(put, 8, NULL, 4), RILL_ERROR_INVALID_VALUE);
    assert_int_equal(CALL(cuFuncSetSharedSize, (CUfunction, unsigned), (put, 1 << 20)),
                     RILL_ERROR_INVALID_VALUE);
    assert_int_equal(launch_grid(put, 0, 1), RILL_ERROR_INVALID_VALUE);
    assert_int_equal(launch_grid(put, 1, -1), RILL_ERROR_INVALID_VALUE);
    assert_int_equal(CALL(cuParamSetTexRef, (CUfunction, int, void *), (put, 0, NULL)),
                     RILL_ERROR_INVALID_VALUE);
    OK(launch_grid(put, 1, 1));
    saw(memory, 42, 4, 1, 1, 1, 0);
    OK(unload(module));
    assert_int_equal(shape(put, 1, 1, 1), RILL_ERROR_INVALID_HANDLE);
    assert_int_equal(set_integer(put, 0, 1), RILL_ERROR_INVALID_HANDLE);
    assert_int_equal(launch_grid(put, 1, 1), RILL_ERROR_INVALID_HANDLE);
    assert_int_equal(launch_grid(NULL, 1, 1), RILL_ERROR_INVALID_HANDLE);
}

/* As an H200 answers. */
static void arguments_end_where_their_size_says(void **state)
{
    (void)state;
    CUmodule module = load(text);
    CUfunction put = function_of(module, "put");
    CUdeviceptr memory = memory_of(put);
    struct seen seen;
    OK(CALL(cuParamSetSize, (CUfunction, unsigned), (put, 8)));
    OK(launch_grid(put, 1, 1));
    OK(synchronize());
    read_back(&seen, memory, sizeof seen);
    assert_int_equal(seen.value, 0);
    assert_int_equal(seen.block[0], 1);
    OK(CALL(cuParamSetSize, (CUfunction, unsigned), (put, 5000)));
    assert_int_equal(launch_grid(put, 1, 1), RILL_ERROR_LAUNCH_OUT_OF_RESOURCES);
    OK(CALL(cuParamSetSize, (CUfunction, unsigned), (put, 16)));
    OK(launch_grid(put, 1, 1));
    saw(memory, 42, 1, 1, 1, 1, 0);
    OK(unload(module));
}

/* As an H200 answers.  A launch of old changes none of it. */
static void a_launch_of_today_sets_them(void **state)
{
    (void)state;
    CUmodule module = load(text);
    CUfunction put = function_of(module, "put");
    CUdeviceptr memory = memory_of(put);
    uint32_t value = 7;
    float number = 1.5f;
    void *params[] = { &memory, &value, &number };
    OK(shape(put, 2, 3, 1));
    OK(CALL(cuFuncSetSharedSize, (CUfunction, unsigned), (put, 64)));
    OK(launch_grid(put, 5, 2));
    OK(CALL(cuLaunchKernel,
            (CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
             CUstream, void **, void **), (put, 1, 1, 1, 4, 1, 1, 0, NULL, params, NULL)));
    saw(memory, 7, 4, 1, 1, 1, 0);
    OK(launch_grid(put, 3, 1));
    saw(memory, 7, 4, 1, 3, 1, 0);
    OK(set_integer(put, 8, 8));
    OK(launch_grid(put, 1, 1));
    saw(memory, 8, 4, 1, 1, 1, 0);
    struct { CUdeviceptr memory; uint32_t value; float number; } packed = { memory, 9, 1.5f };
    size_t bytes = sizeof packed;
    void *extra[] = { (void *)1, &packed, (void *)2, &bytes, NULL };
    OK(CALL(cuLaunchKernel,
            (CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
             CUstream, void **, void **), (put, 1, 1, 1, 1, 2, 1, 16, NULL, NULL, extra)));
    OK(launch_grid(put, 1, 1));
    saw(memory, 9, 1, 2, 1, 1, 16);
    OK(unload(module));
}

/* With what was set when it was captured. */
static void they_are_captured(void **state)
{
    (void)state;
    CUmodule module = load(text);
    CUfunction put = function_of(module, "put");
    CUdeviceptr memory = memory_of(put);
    CUstream stream;
    CUgraph graph = NULL;
    CUgraphExec exec = NULL;
    OK(CALL(cuStreamCreate, (CUstream *, unsigned), (&stream, 1)));
    OK(CALL(cuStreamBeginCapture_v2, (CUstream, int), (stream, 0)));
    OK(CALL(cuLaunchGridAsync, (CUfunction, int, int, CUstream), (put, 6, 7, stream)));
    OK(CALL(cuStreamEndCapture, (CUstream, CUgraph *), (stream, &graph)));
    OK(set_integer(put, 8, 1));
    OK(CALL(cuGraphInstantiateWithFlags, (CUgraphExec *, CUgraph, unsigned long long),
            (&exec, graph, 0)));
    OK(CALL(cuGraphLaunch, (CUgraphExec, CUstream), (exec, stream)));
    saw(memory, 42, 1, 1, 6, 7, 0);
    OK(CALL(cuGraphExecDestroy, (CUgraphExec), (exec)));
    OK(CALL(cuGraphDestroy, (CUgraph), (graph)));
    OK(unload(module));
}

enum { THREADS = 4, ROUNDS = 200 };

static CUdeviceptr shared_memory;

static void *set_and_launch(void *function)
{
    CUfunction put = function;
    OK(CALL(cuCtxSetCurrent, (CUcontext), (context)));
    for (unsigned i = 0; i < ROUNDS; i++) {
        OK(shape(put, 1 + (int)(i % 3), 1, 1));
        OK(set_bytes(put, 0, &shared_memory, sizeof shared_memory));
        OK(set_integer(put, 8, i));
        OK(CALL(cuParamSetSize, (CUfunction, unsigned), (put, 16)));
        OK(launch_grid(put, 1, 1));
    }
    return NULL;
}

/* Which of them a launch sees is theirs to order; a launch sees no half of one. */
static void threads_set_the_same_function(void **state)
{
    (void)state;
    CUmodule module = load(text);
    CUfunction put = function_of(module, "put");
    pthread_t threads[THREADS];
    OK(CALL(cuMemAlloc_v2, (CUdeviceptr *, size_t), (&shared_memory, sizeof(struct seen))));
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, set_and_launch, put), 0);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    OK(synchronize());
    OK(unload(module));
}

/* ---- Contexts -------------------------------------------------------------------------------- */

static CUresult attach(CUcontext *to, unsigned flags)
{
    return CALL(cuCtxAttach, (CUcontext *, unsigned), (to, flags));
}

static CUresult detach(CUcontext from)
{
    return CALL(cuCtxDetach, (CUcontext), (from));
}

static void the_last_use_ends_a_context(void **state)
{
    (void)state;
    CUcontext same = NULL, other = NULL, now = NULL;
    CUdeviceptr memory;
    OK(attach(&same, 0));
    assert_ptr_equal(same, context);
    assert_int_equal(attach(&same, 1), RILL_ERROR_INVALID_VALUE);
    assert_int_equal(attach(NULL, 0), RILL_ERROR_INVALID_VALUE);
    OK(CALL(cuCtxCreate_v2, (CUcontext *, unsigned, CUdevice), (&other, 0, 0)));
    assert_int_equal(detach(context), RILL_ERROR_INVALID_CONTEXT);
    OK(detach(other));
    OK(CALL(cuCtxGetCurrent, (CUcontext *), (&now)));
    assert_ptr_equal(now, context);
    OK(detach(context));
    OK(CALL(cuMemAlloc_v2, (CUdeviceptr *, size_t), (&memory, 4)));
    OK(detach(context));
    assert_int_equal(attach(&same, 0), RILL_ERROR_INVALID_CONTEXT);
    assert_int_equal(detach(context), RILL_ERROR_INVALID_CONTEXT);
}

static void a_primary_context_is_released_by_who_retained_it(void **state)
{
    (void)state;
    CUcontext primary = NULL, same = NULL;
    OK(CALL(cuDevicePrimaryCtxRetain, (CUcontext *, CUdevice), (&primary, 0)));
    OK(CALL(cuCtxPushCurrent_v2, (CUcontext), (primary)));
    OK(attach(&same, 0));
    OK(detach(primary));
    OK(detach(primary)); /* which ends nothing, as on an H200 */
    OK(synchronize());
    OK(CALL(cuCtxPopCurrent_v2, (CUcontext *), (&same)));
    OK(CALL(cuDevicePrimaryCtxRelease_v2, (CUdevice), (0)));
}

/* ---- Small things ---------------------------------------------------------------------------- */

/* As an H200 says them; programs compare. */
static void some_errors_have_the_drivers_words(void **state)
{
    (void)state;
    static const struct {
        int status;
        const char *words;
    } rows[] = {
        { 1, "invalid argument" }, { 2, "out of memory" }, { 3, "initialization error" },
        { 100, "no CUDA-capable device is detected" }, { 101, "invalid device ordinal" },
        { 201, "invalid device context" }, { 400, "invalid resource handle" },
        { 500, "named symbol not found" }, { 600, "device not ready" },
        { 700, "an illegal memory access was encountered" }, { 716, "misaligned address" },
        { 719, "unspecified launch failure" }, { 800, "operation not permitted" },
        { 801, "operation not supported" }, { 999, "unknown error" },
    };
    const char *words = NULL;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        OK(CALL(cuGetErrorString, (int, const char **), (rows[i].status, &words)));
        assert_string_equal(words, rows[i].words);
    }
    OK(CALL(cuGetErrorString, (int, const char **), (0, &words)));
    assert_non_null(words);
    assert_int_equal(CALL(cuGetErrorString, (int, const char **), (12345, &words)),
                     RILL_ERROR_INVALID_VALUE);
    assert_null(words);
}

static void a_lookup_that_fails_leaves_null(void **state)
{
    (void)state;
    CUmodule module = load(text);
    CUfunction function = (CUfunction)(void *)&module;
    CUdeviceptr address = 1;
    size_t bytes = 1;
    assert_int_equal(CALL(cuModuleGetFunction, (CUfunction *, CUmodule, const char *),
                          (&function, module, "nobody")), RILL_ERROR_NOT_FOUND);
    assert_null(function);
    assert_int_equal(CALL(cuModuleGetGlobal_v2, (CUdeviceptr *, size_t *, CUmodule, const char *),
                          (&address, &bytes, module, "nobody")), RILL_ERROR_NOT_FOUND);
    assert_int_equal(address, 0);
    OK(unload(module));
}

/* repro/driver/jit_wall_time.c */
static void a_load_says_how_long_it_took(void **state)
{
    (void)state;
    int option = 2; /* CU_JIT_WALL_TIME */
    union {
        void *value;
        float took;
    } slot = { .took = -1.0f };
    CUmodule module = NULL;
    CUlibrary made = NULL;
    OK(CALL(cuModuleLoadDataEx, (CUmodule *, const void *, unsigned, int *, void **),
            (&module, text, 1, &option, &slot.value)));
    assert_true(slot.took >= 0.0f && slot.took < 1e6f);
    OK(unload(module));
    float out = -1.0f;
    slot.value = &out;
    OK(CALL(cuLibraryLoadData,
            (CUlibrary *, const void *, int *, void **, unsigned, int *, void **, unsigned),
            (&made, text, &option, &slot.value, 1, NULL, NULL, 0)));
    assert_ptr_equal(slot.value, &out);
    assert_true(out == -1.0f);
    OK(CALL(cuLibraryUnload, (CUlibrary), (made)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_function_keeps_what_was_set),
        TEST(what_cannot_be_is_refused),
        TEST(arguments_end_where_their_size_says),
        TEST(a_launch_of_today_sets_them),
        TEST(they_are_captured),
        TEST(threads_set_the_same_function),
        TEST(the_last_use_ends_a_context),
        TEST(a_primary_context_is_released_by_who_retained_it),
        TEST(some_errors_have_the_drivers_words),
        TEST(a_lookup_that_fails_leaves_null),
        TEST(a_load_says_how_long_it_took),
        TEST(what_was_not_set_is_zero), /* the last: the device fails */
    };
    begin_with_kernels();
    return cmocka_run_group_tests_name("standin/old-calls", tests, NULL, NULL);
}
