/* SPDX-License-Identifier: Apache-2.0
 *
 * Shared variables of more than 48 KiB, and what kernels are told of their shared memory: as an
 * H200 answered (driver of CUDA 13.0).
 */
#include "standin/modules.h"

enum { SHARED_BYTES = 1, MOST_DYNAMIC = 8 };

#define TEXT(variables, use) \
    ".version 8.1\n.target sm_90\n.address_size 64\n" variables \
    ".visible .entry k(.param .u64 p)\n{ .reg .b64 %a; .reg .b32 %r; ld.param.u64 %a, [p];\n" use \
    "mov.u32 %r, %total_smem_size; st.global.u32 [%a], %r;\n" \
    "mov.u32 %r, %dynamic_smem_size; st.global.u32 [%a+4], %r;\n" \
    "mov.u32 %r, %aggr_smem_size; st.global.u32 [%a+8], %r; ret; }\n"
#define STORE(variable) "mov.u32 %r, " variable "; st.shared.u8 [%r], 7; "

static int ask(CUfunction function, int attribute)
{
    int value = -1;
    OK(CALL(cuFuncGetAttribute, (int *, int, CUfunction), (&value, attribute, function)));
    return value;
}

struct told {
    uint32_t total, dynamic, with_reserved;
};

static CUresult run(CUfunction function, unsigned dynamic, struct told *told)
{
    CUdeviceptr memory;
    OK(CALL(cuMemAlloc_v2, (CUdeviceptr *, size_t), (&memory, sizeof *told)));
    void *params[] = { &memory };
    const CUlaunchConfig config = { .grid = { 1, 1, 1 }, .block = { 1, 1, 1 },
                                    .shared_bytes = dynamic };
    CUresult status = CALL(cuLaunchKernelEx,
                           (const CUlaunchConfig *, CUfunction, void **, void **),
                           (&config, function, params, NULL));
    OK(CALL(cuMemcpyDtoH_v2, (void *, CUdeviceptr, size_t), (told, memory, sizeof *told)));
    OK(CALL(cuMemFree_v2, (CUdeviceptr), (memory)));
    return status;
}

static void a_kernel_may_have_all_that_a_block_can(void **state)
{
    (void)state;
    struct told told;
    CUfunction k = function_of(load(TEXT(".shared .b8 a[60000];\n", STORE("a"))), "k");
    assert_int_equal(ask(k, SHARED_BYTES), 60000);
    assert_int_equal(ask(k, MOST_DYNAMIC), 172448);
    OK(run(k, 100000, &told));
    assert_int_equal(told.total, 160000);
    assert_int_equal(run(k, 172449, &told), RILL_ERROR_INVALID_VALUE);
    k = function_of(load(TEXT(".shared .b8 a[232448];\n", STORE("a"))), "k");
    assert_int_equal(ask(k, MOST_DYNAMIC), 0);
    OK(run(k, 0, &told));
    assert_int_equal(run(k, 1, &told), RILL_ERROR_INVALID_VALUE);
}

static void more_is_refused(void **state)
{
    (void)state;
    CUmodule module;
    assert_int_equal(CALL(cuModuleLoadData, (CUmodule *, const void *),
                          (&module, TEXT(".shared .b8 a[232449];\n", STORE("a")))),
                     RILL_ERROR_INVALID_PTX);
}

static void sizes_are_told_in_whole_grains(void **state)
{
    (void)state;
    static const struct {
        unsigned dynamic;
        struct told told;
    } rows[] = {
        { 0, { 128, 0, 1026 } },     { 16, { 128, 16, 1042 } },
        { 127, { 256, 127, 1153 } }, { 128, { 256, 128, 1154 } },
    };
    CUfunction k = function_of(load(TEXT(".shared .b8 a[2];\n", STORE("a"))), "k");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct told told;
        OK(run(k, rows[i].dynamic, &told));
        assert_memory_equal(&told, &rows[i].told, sizeof told);
    }
}

/* What a kernel has itself ends where its dynamic memory begins, if it names that. */
static void variables_end_where_dynamic_memory_begins(void **state)
{
    (void)state;
    CUfunction far = function_of(load(TEXT(".shared .b8 a[5];\n"
                                           ".extern .shared .align 1024 .b8 x[];\n",
                                           STORE("a") "mov.u32 %r, x; ")), "k");
    CUfunction near = function_of(load(TEXT(".shared .b8 a[5];\n"
                                            ".extern .shared .align 4 .b8 x[];\n",
                                            STORE("a") "mov.u32 %r, x; ")), "k");
    CUfunction without = function_of(load(TEXT(".shared .b8 a[5];\n", STORE("a"))), "k");
    assert_int_equal(ask(far, SHARED_BYTES), 1024);
    assert_int_equal(ask(near, SHARED_BYTES), 16);
    assert_int_equal(ask(near, MOST_DYNAMIC), 49136);
    assert_int_equal(ask(without, SHARED_BYTES), 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_kernel_may_have_all_that_a_block_can),
        TEST(more_is_refused),
        TEST(sizes_are_told_in_whole_grains),
        TEST(variables_end_where_dynamic_memory_begins),
    };
    return cmocka_run_group_tests(tests, library_setup, library_teardown);
}
