/* SPDX-License-Identifier: Apache-2.0
 *
 * What code for devices calls, by clang's builtins.  Part of cuda_runtime.h.
 */
#ifndef RILL_CUDA_DEVICE_H
#define RILL_CUDA_DEVICE_H

#include <stdlib.h>

extern "C" __device__ void *malloc(size_t bytes);
extern "C" __device__ void free(void *address);

#include <new> /* clang's has those for devices, by malloc() */

extern "C" __device__ int vprintf(const char *format, const char *arguments);
extern "C" __device__ int printf(const char *format, ...) __attribute__((format(printf, 1, 2)));

#ifdef __CUDA_ARCH__

#define RILL_ON_DEVICE static __device__ __forceinline__

/* ---- Barriers and fences ------------------------------------------------------------------- */

RILL_ON_DEVICE void __syncwarp(unsigned mask = 0xffffffff) { __nvvm_bar_warp_sync(mask); }
RILL_ON_DEVICE void __threadfence() { __nvvm_membar_gl(); }
RILL_ON_DEVICE void __threadfence_block() { __nvvm_membar_cta(); }
RILL_ON_DEVICE void __threadfence_system() { __nvvm_membar_sys(); }

/* ---- Clocks -------------------------------------------------------------------------------- */

extern "C" __device__ __forceinline__ long clock() { return __nvvm_read_ptx_sreg_clock(); }
RILL_ON_DEVICE long long clock64() { return __nvvm_read_ptx_sreg_clock64(); }

/* ---- Atomics ------------------------------------------------------------------------------- */

template <typename T>
RILL_ON_DEVICE T rill_atomic_add(T *at, T value)
{
    return __atomic_fetch_add(at, value, __ATOMIC_RELAXED);
}

RILL_ON_DEVICE int atomicAdd(int *at, int value) { return rill_atomic_add(at, value); }
RILL_ON_DEVICE unsigned atomicAdd(unsigned *at, unsigned value)
{
    return rill_atomic_add(at, value);
}
RILL_ON_DEVICE unsigned long long atomicAdd(unsigned long long *at, unsigned long long value)
{
    return rill_atomic_add(at, value);
}
RILL_ON_DEVICE float atomicAdd(float *at, float value)
{
    return __nvvm_atom_add_gen_f(at, value);
}
RILL_ON_DEVICE int atomicMax(int *at, int value) { return __nvvm_atom_max_gen_i(at, value); }
RILL_ON_DEVICE int atomicMin(int *at, int value) { return __nvvm_atom_min_gen_i(at, value); }
RILL_ON_DEVICE int atomicExch(int *at, int value) { return __nvvm_atom_xchg_gen_i(at, value); }
RILL_ON_DEVICE int atomicCAS(int *at, int expected, int value)
{
    return __nvvm_atom_cas_gen_i(at, expected, value);
}

/* ---- Warps --------------------------------------------------------------------------------- */

RILL_ON_DEVICE int __shfl_sync(unsigned mask, int value, int lane)
{
    return __nvvm_shfl_sync_idx_i32(mask, value, lane, 0x1f);
}
RILL_ON_DEVICE int __shfl_down_sync(unsigned mask, int value, unsigned lanes)
{
    return __nvvm_shfl_sync_down_i32(mask, value, lanes, 0x1f);
}
RILL_ON_DEVICE int __shfl_up_sync(unsigned mask, int value, unsigned lanes)
{
    return __nvvm_shfl_sync_up_i32(mask, value, lanes, 0);
}
RILL_ON_DEVICE int __shfl_xor_sync(unsigned mask, int value, int lanes)
{
    return __nvvm_shfl_sync_bfly_i32(mask, value, lanes, 0x1f);
}
RILL_ON_DEVICE float __shfl_down_sync(unsigned mask, float value, unsigned lanes)
{
    return __nvvm_shfl_sync_down_f32(mask, value, lanes, 0x1f);
}
RILL_ON_DEVICE unsigned __ballot_sync(unsigned mask, int truth)
{
    return __nvvm_vote_ballot_sync(mask, truth);
}

#else

/* Declared for the pass over the host's code, which reads kernels, too. */
__device__ void __syncwarp(unsigned mask = 0xffffffff);
__device__ void __threadfence();
__device__ void __threadfence_block();
__device__ void __threadfence_system();
extern "C" __device__ long clock();
__device__ long long clock64();
__device__ int atomicAdd(int *at, int value);
__device__ unsigned atomicAdd(unsigned *at, unsigned value);
__device__ unsigned long long atomicAdd(unsigned long long *at, unsigned long long value);
__device__ float atomicAdd(float *at, float value);
__device__ int atomicMax(int *at, int value);
__device__ int atomicMin(int *at, int value);
__device__ int atomicExch(int *at, int value);
__device__ int atomicCAS(int *at, int expected, int value);
__device__ int __shfl_sync(unsigned mask, int value, int lane);
__device__ int __shfl_down_sync(unsigned mask, int value, unsigned lanes);
__device__ int __shfl_up_sync(unsigned mask, int value, unsigned lanes);
__device__ int __shfl_xor_sync(unsigned mask, int value, int lanes);
__device__ float __shfl_down_sync(unsigned mask, float value, unsigned lanes);
__device__ unsigned __ballot_sync(unsigned mask, int truth);

#endif
#endif
