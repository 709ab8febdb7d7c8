/* SPDX-License-Identifier: Apache-2.0
 *
 * CUDA C++ for clang, without any file of CUDA's: the runtime's interface, and for code for
 * devices its words, the variables of a thread, and what cuda_device.h has.
 */
#ifndef RILL_CUDA_RUNTIME_H
#define RILL_CUDA_RUNTIME_H

#include "cuda_runtime_api.h"

#if defined(__cplusplus) && defined(__CUDA__)

#if !defined(__clang__) || __clang_major__ < 14
#error "rill's headers are for clang 14 and later; nvcc has its own"
#endif

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __forceinline__ __inline__ __attribute__((always_inline))

#include <__clang_cuda_builtin_vars.h>

/* What `kernel<<<grid, block, bytes, stream>>>` calls before the stub. */
extern "C" unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes = 0,
                                                void *stream = 0);

/* ---- Names of CUDA 12 and before --------------------------------------------------------- */

static inline cudaError_t cudaThreadSynchronize() { return cudaDeviceSynchronize(); }
static inline cudaError_t cudaThreadExit() { return cudaDeviceReset(); }

/* ---- Calls that take pointers of any type, and variables ----------------------------------- */

template <typename T>
static inline cudaError_t cudaMalloc(T **address, size_t bytes)
{
    return cudaMalloc((void **)address, bytes);
}

template <typename T>
static inline cudaError_t cudaMallocHost(T **address, size_t bytes)
{
    return cudaMallocHost((void **)address, bytes);
}

template <typename T>
static inline cudaError_t cudaHostAlloc(T **address, size_t bytes, unsigned flags)
{
    return cudaHostAlloc((void **)address, bytes, flags);
}

template <typename T>
static inline cudaError_t cudaMallocManaged(T **address, size_t bytes,
                                            unsigned flags = cudaMemAttachGlobal)
{
    return cudaMallocManaged((void **)address, bytes, flags);
}

template <typename T>
static inline cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, T *address,
                                                   size_t bytes = 0,
                                                   unsigned flags = cudaMemAttachSingle)
{
    return cudaStreamAttachMemAsync(stream, (void *)address, bytes, flags);
}

template <typename T>
static inline cudaError_t cudaMallocAsync(T **address, size_t bytes, cudaStream_t stream)
{
    return cudaMallocAsync((void **)address, bytes, stream);
}

template <typename T>
static inline cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *src, size_t bytes,
                                             size_t offset = 0,
                                             cudaMemcpyKind kind = cudaMemcpyHostToDevice)
{
    return cudaMemcpyToSymbol((const void *)&symbol, src, bytes, offset, kind);
}

template <typename T>
static inline cudaError_t cudaMemcpyFromSymbol(void *dst, const T &symbol, size_t bytes,
                                               size_t offset = 0,
                                               cudaMemcpyKind kind = cudaMemcpyDeviceToHost)
{
    return cudaMemcpyFromSymbol(dst, (const void *)&symbol, bytes, offset, kind);
}

template <typename T>
static inline cudaError_t cudaGetSymbolAddress(void **address, const T &symbol)
{
    return cudaGetSymbolAddress(address, (const void *)&symbol);
}

template <typename T>
static inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, T kernel,
                                                                        int block_threads,
                                                                        size_t shared_bytes)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void *)kernel,
                                                         block_threads, shared_bytes);
}

/* ---- Kernels by their own types ------------------------------------------------------------ */

template <typename T>
static inline cudaError_t cudaLaunchKernel(T *kernel, dim3 grid, dim3 block, void **params,
                                           size_t shared_bytes = 0, cudaStream_t stream = 0)
{
    return cudaLaunchKernel((const void *)kernel, grid, block, params, shared_bytes, stream);
}

template <typename T>
static inline cudaError_t cudaLaunchCooperativeKernel(T *kernel, dim3 grid, dim3 block,
                                                      void **params, size_t shared_bytes = 0,
                                                      cudaStream_t stream = 0)
{
    return cudaLaunchCooperativeKernel((const void *)kernel, grid, block, params, shared_bytes,
                                       stream);
}

template <typename... Params, typename... Args>
static inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config,
                                             void (*kernel)(Params...), Args &&...args)
{
    return [&](Params... own) {
        void *params[] = { &own..., 0 };
        return cudaLaunchKernelExC(config, (const void *)kernel, params);
    }(static_cast<Args &&>(args)...);
}

template <typename T>
static inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, T *kernel)
{
    return cudaFuncGetAttributes(attributes, (const void *)kernel);
}

template <typename T>
static inline cudaError_t cudaFuncSetAttribute(T *kernel, cudaFuncAttribute attribute, int value)
{
    return cudaFuncSetAttribute((const void *)kernel, attribute, value);
}

template <typename T>
static inline cudaError_t cudaFuncSetCacheConfig(T *kernel, cudaFuncCache config)
{
    return cudaFuncSetCacheConfig((const void *)kernel, config);
}

/* Finds the size of a block with which most threads are resident: the largest one, if it is the
 * same with several. */
template <typename T>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int *blocks, int *block_threads,
                                                             T kernel, size_t shared_bytes = 0,
                                                             int most = 0)
{
    cudaFuncAttributes attributes;
    int device = 0, processors = 0, best = 0;
    cudaError_t error = cudaFuncGetAttributes(&attributes, (const void *)kernel);
    if (!error) error = cudaGetDevice(&device);
    if (!error)
        error = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    if (error) return error;
    int size = attributes.maxThreadsPerBlock;
    for (size = most && most < size ? most : size; size > 0; size -= size % 32 ? size % 32 : 32) {
        int resident = 0;
        error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, size,
                                                              shared_bytes);
        if (error) return error;
        if (resident * size <= best) continue;
        best = resident * size;
        *blocks = resident * processors;
        *block_threads = size;
    }
    return cudaSuccess;
}

#include "cuda_device.h"

#endif
#endif
