/* SPDX-License-Identifier: Apache-2.0
 *
 * What code for devices calls, by clang's builtins and its own headers.  Part of cuda_runtime.h.
 */
#ifndef RILL_CUDA_DEVICE_H
#define RILL_CUDA_DEVICE_H

/* Before the host's: functions that have a form for devices are not taken from the host. */
#include <__clang_cuda_math_forward_declares.h>

/* Those of the host that nvcc includes as well. */
#include <assert.h>
#include <cmath>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

extern "C" __device__ void *malloc(size_t bytes);
extern "C" __device__ void free(void *address);

#include <new> /* clang's has those for devices, by malloc() */

extern "C" __device__ int vprintf(const char *format, const char *arguments);
extern "C" __device__ int printf(const char *format, ...) __attribute__((format(printf, 1, 2)));

extern "C" __device__ void __assertfail(const char *words, const char *file, unsigned line,
                                        const char *function, size_t char_bytes);
extern "C" __device__ __inline__ void __assert_fail(const char *words, const char *file,
                                                       unsigned line, const char *function)
{
    __assertfail(words, file, line, function, 1);
}

#define RILL_ON_DEVICE static __device__ __forceinline__

#include "cuda_math.h"
#include "cuda_atomics.h"
#include "cuda_warp.h"

/* ---- Loads and stores that tell what becomes of a line of the cache ------------------------- */

/* Here they are the same, but that one of __ldcv() is never spared. */
#define RILL_LOAD(name, first)                                                               \
    template <typename T>                                                                    \
    RILL_ON_DEVICE T name(const T *at)                                                       \
    {                                                                                        \
        first;                                                                               \
        return *at;                                                                          \
    }
#define RILL_STORE(name)                                                                     \
    template <typename T>                                                                    \
    RILL_ON_DEVICE void name(T *at, T value)                                                 \
    {                                                                                        \
        *at = value;                                                                         \
    }
RILL_LOAD(__ldg, )
RILL_LOAD(__ldca, )
RILL_LOAD(__ldcg, )
RILL_LOAD(__ldcs, )
RILL_LOAD(__ldlu, )
RILL_LOAD(__ldcv, asm volatile("" ::: "memory"))
RILL_STORE(__stwb)
RILL_STORE(__stcg)
RILL_STORE(__stcs)
RILL_STORE(__stwt)
#undef RILL_LOAD
#undef RILL_STORE

/* ---- The variables of a thread, as vectors ------------------------------------------------- */

#define RILL_VARIABLE(name)                                                                  \
    __device__ inline name::operator dim3() const { return dim3(x, y, z); }                  \
    __device__ inline name::operator uint3() const { return make_uint3(x, y, z); }
RILL_VARIABLE(__cuda_builtin_threadIdx_t)
RILL_VARIABLE(__cuda_builtin_blockIdx_t)
RILL_VARIABLE(__cuda_builtin_blockDim_t)
RILL_VARIABLE(__cuda_builtin_gridDim_t)
#undef RILL_VARIABLE

#endif
