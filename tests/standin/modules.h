/* SPDX-License-Identifier: Apache-2.0
 *
 * What the tests of modules and of libraries share: an image in PTX, for some kernels of
 * which kernels.c has functions, and a context for each test.
 */
#ifndef STANDIN_MODULES_H
#define STANDIN_MODULES_H

#include <stdlib.h>

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
    ".entry other_params(.param .u64 p)\n"
    "{ .reg .b64 a; ld.param.u64 a, [p]; st.global.u32 [a], 88; ret; }\n"
    ".entry empty() { .reg .b32 r; ret; }\n"
    ".entry small() .reqntid 32 { ret; }\n"
    ".entry store(.param .u64 p, .param .u32 v) { .reg .b64 a; .reg .b32 r;\n"
    "  ld.param.u64 a, [p]; ld.param.u32 r, [v]; st.global.u32 [a], r; ret; }";

static CUcontext context;

static inline int setup(void **state)
{
    (void)state;
    OK(CALL(cuCtxCreate_v2, (CUcontext *, unsigned, CUdevice), (&context, 0, 0)));
    return 0;
}

static inline int teardown(void **state)
{
    (void)state;
    CALL(cuCtxDestroy_v2, (CUcontext), (context));
    return 0;
}

static inline CUmodule load(const void *code)
{
    CUmodule module = NULL;
    OK(CALL(cuModuleLoadData, (CUmodule *, const void *), (&module, code)));
    return module;
}

static inline CUresult unload(CUmodule module)
{
    return CALL(cuModuleUnload, (CUmodule), (module));
}

static inline CUfunction function_of(CUmodule module, const char *name)
{
    CUfunction function = NULL;
    OK(CALL(cuModuleGetFunction, (CUfunction *, CUmodule, const char *),
            (&function, module, name)));
    return function;
}

static inline CUdeviceptr variable_of(CUmodule module, const char *name, size_t expected)
{
    CUdeviceptr address = 0;
    size_t bytes = 0;
    OK(CALL(cuModuleGetGlobal_v2, (CUdeviceptr *, size_t *, CUmodule, const char *),
            (&address, &bytes, module, name)));
    assert_int_equal(bytes, expected);
    return address;
}

static inline void read_back(void *to, CUdeviceptr from, size_t bytes)
{
    OK(CALL(cuMemcpyDtoH_v2, (void *, CUdeviceptr, size_t), (to, from, bytes)));
}

static inline CUresult launch(CUfunction function, unsigned grid, unsigned block, unsigned shared,
                       void **params)
{
    return CALL(cuLaunchKernel,
                (CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                 CUstream, void **, void **),
                (function, grid, 1, 1, block, 1, 1, shared, NULL, params, NULL));
}

static inline CUresult synchronize(void)
{
    return CALL(cuCtxSynchronize, (void), ());
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

static inline void begin_with_kernels(void)
{
    setenv("RILL_KERNELS", "tests/standin/kernels.so", 1);
    library_begin();
}

#endif
