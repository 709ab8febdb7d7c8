/* SPDX-License-Identifier: Apache-2.0
 *
 * Half floats, alone and in pairs.  Both sides convert them; the host computes with what they are
 * converted to.
 */
#ifndef RILL_CUDA_FP16_H
#define RILL_CUDA_FP16_H

#include "cuda_runtime.h"

#if defined(__cplusplus) && defined(__CUDA__)

#include "cuda_fp16_host.h"

struct __half;
static __host__ __device__ __forceinline__ __half __float2half(float x);
static __host__ __device__ __forceinline__ __half __double2half(double x);
static __host__ __device__ __forceinline__ float __half2float(__half x);

/* The bits of a half float. */
struct __half_raw {
    unsigned short x;
};

struct __align__(2) __half {
    __half() = default;
    __host__ __device__ __forceinline__ __half(__half_raw raw) : __x(raw.x) {}
    __host__ __device__ __forceinline__ __half(float x) { *this = __float2half(x); }
    __host__ __device__ __forceinline__ __half(double x) { *this = __double2half(x); }
    __host__ __device__ __forceinline__ __half(int x) { *this = __float2half((float)x); }
    __host__ __device__ __forceinline__ __half(unsigned x) { *this = __float2half((float)x); }
    __host__ __device__ __forceinline__ operator float() const { return __half2float(*this); }
    __host__ __device__ __forceinline__ operator __half_raw() const { return { __x }; }
    unsigned short __x;
};

struct __align__(4) __half2 {
    __half2() = default;
    __host__ __device__ __forceinline__ __half2(__half x, __half y) : x(x), y(y) {}
    __half x, y;
};

typedef __half half;
typedef __half2 half2;

#define RILL_HALF static __host__ __device__ __forceinline__

RILL_HALF __half __ushort_as_half(unsigned short bits)
{
    return __half_raw{ bits };
}
RILL_HALF unsigned short __half_as_ushort(__half x) { return x.__x; }
RILL_HALF __half __short_as_half(short bits) { return __half_raw{ (unsigned short)bits }; }
RILL_HALF short __half_as_short(__half x) { return (short)x.__x; }

#include "cuda_fp16_convert.h"
#include "cuda_fp16_compute.h"

#undef RILL_HALF

#endif
#endif
