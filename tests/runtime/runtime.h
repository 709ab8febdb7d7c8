/* SPDX-License-Identifier: Apache-2.0
 *
 * The built runtime as a program meets it, over the stand-in: a library that is loaded, calls
 * by name, and the glue that a compiler writes into a program, written by hand.
 */
#ifndef RUNTIME_RUNTIME_H
#define RUNTIME_RUNTIME_H

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/abi/abi.h"
#include "runtime/abi/error.h"
#include "runtime/abi/fatbin.h"
#include "support/cmocka_all.h"

static void *library;

/* The driver is found by its name once it is there. */
static inline void runtime_open(const char *name)
{
    if (!dlopen("./src/standin/libcuda.so.1", RTLD_NOW | RTLD_LOCAL)) fail_msg("%s", dlerror());
    library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!library) fail_msg("%s", dlerror());
}

#define RUNTIME_11 "./src/runtime/libcudart.so.11.0"
#define RUNTIME_12 "./src/runtime/libcudart.so.12"
#define RUNTIME_13 "./src/runtime/libcudart.so.13"

static inline void find(const char *name, void *address_of_pointer)
{
    void *address = dlsym(library, name);
    if (!address) fail_msg("%s is not there", name);
    memcpy(address_of_pointer, &address, sizeof address);
}

/* CALL(cudaFree, (void *), (address)): calls it by name. */
#define CALL(name, parameters, arguments) \
    __extension__({ \
        cudaError_t(*call_) parameters; \
        find(#name, &call_); \
        call_ arguments; \
    })

/* One that returns nothing, or something else. */
#define CALL_AS(type, name, parameters, arguments) \
    __extension__({ \
        type(*call_) parameters; \
        find(#name, &call_); \
        call_ arguments; \
    })

#define OK(status) assert_int_equal((status), cudaSuccess)
#define LAST() CALL(cudaGetLastError, (void), ())

/* ---- A program --------------------------------------------------------------------------- */

static const char program_text[] =
    ".version 7.0\n.target sm_75\n.address_size 64\n"
    ".visible .global .align 4 .u32 total = 7;\n"
    ".visible .const .align 4 .b8 table[16];\n"
    ".visible .entry store(.param .u64 p, .param .u32 v)\n"
    "{ .reg .b64 a; .reg .b32 r; ld.param.u64 a, [p]; ld.param.u32 r, [v];\n"
    "  st.global.u32 [a], r; ret; }\n"
    ".visible .entry add(.param .u64 p, .param .u32 v)\n"
    "{ .reg .b64 a; .reg .b32 r, o; ld.param.u64 a, [p]; ld.param.u32 r, [v];\n"
    "  atom.global.add.u32 o, [a], r; ret; }\n"
    ".visible .entry trap_here() { trap; }\n";

static struct rt_fatbin program_fatbin = { RT_FATBIN_MAGIC, 1, program_text, NULL };

/* The host's sides: nothing is ever done with them but to take their addresses. */
static char store_stub, add_stub, trap_stub, missing_stub, total_symbol, table_symbol;

static inline void register_function(void **image, const void *stub, const char *name)
{
    CALL_AS(void, __cudaRegisterFunction,
            (void **, const void *, char *, const char *, int, void *, void *, void *, void *,
             int *),
            (image, stub, NULL, name, -1, NULL, NULL, NULL, NULL, NULL));
}

static inline void register_variable(void **image, const void *symbol, const char *name,
                                     size_t bytes)
{
    CALL_AS(void, __cudaRegisterVar,
            (void **, const void *, char *, const char *, int, size_t, int, int),
            (image, symbol, NULL, name, 0, bytes, 0, 0));
}

static inline void **register_program(void)
{
    void **image = CALL_AS(void **, __cudaRegisterFatBinary, (void *), (&program_fatbin));
    register_function(image, &store_stub, "store");
    register_function(image, &add_stub, "add");
    register_function(image, &trap_stub, "trap_here");
    register_function(image, &missing_stub, "not_in_the_image");
    register_variable(image, &total_symbol, "total", 4);
    register_variable(image, &table_symbol, "table", 16);
    CALL_AS(void, __cudaRegisterFatBinaryEnd, (void **), (image));
    return image;
}

static inline void unregister_program(void **image)
{
    CALL_AS(void, __cudaUnregisterFatBinary, (void **), (image));
}

/* ---- Calls that many tests make ---------------------------------------------------------- */

static inline cudaError_t launch_sized(const void *stub, dim3 grid, dim3 block, void **params,
                                       cudaStream_t stream)
{
    return CALL(cudaLaunchKernel, (const void *, dim3, dim3, void **, size_t, cudaStream_t),
                (stub, grid, block, params, 0, stream));
}

/* Launches `store` or `add`. */
static inline cudaError_t launch(const void *stub, uint32_t *at, uint32_t value,
                                 cudaStream_t stream)
{
    void *params[] = { &at, &value };
    const dim3 one = { 1, 1, 1 };
    return launch_sized(stub, one, one, params, stream);
}

static inline void *allocate(size_t bytes)
{
    void *address = NULL;
    OK(CALL(cudaMalloc, (void **, size_t), (&address, bytes)));
    return address;
}

static inline cudaError_t copy(void *dst, const void *src, size_t bytes, int kind)
{
    return CALL(cudaMemcpy, (void *, const void *, size_t, int), (dst, src, bytes, kind));
}

static inline uint32_t word_at(const void *address)
{
    uint32_t word = 0;
    OK(copy(&word, address, sizeof word, cudaMemcpyDeviceToHost));
    return word;
}

static inline cudaError_t synchronize(void)
{
    return CALL(cudaDeviceSynchronize, (void), ());
}

#endif
