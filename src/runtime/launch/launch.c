/* SPDX-License-Identifier: Apache-2.0
 *
 * Launches of kernels.
 */
#include "runtime/driver/version.h"
#include "runtime/glue/image.h"
#include "runtime/glue/reference.h"
#include "runtime/launch/config.h"
#include "runtime/thread/entry.h"

enum {
    MAX_THREADS_PER_BLOCK = 1, /* attributes of a device; these six follow each other */
    MAX_BLOCK_X = 2,
    MAX_GRID_X = 5
};

static uint64_t size_at(const dim3 *size, int i)
{
    return i == 0 ? size->x : i == 1 ? size->y : size->z;
}

/* Tells whether a device can launch a grid of such blocks. */
static int is_possible(dim3 grid, dim3 block)
{
    int limit, device = rt_device();
    for (int i = 0; i < 3; i++) {
        if (!size_at(&grid, i) || !size_at(&block, i)) return 0;
        if (!rt_driver.cuDeviceGetAttribute(&limit, MAX_BLOCK_X + i, device) &&
            size_at(&block, i) > (uint64_t)limit)
            return 0;
        if (!rt_driver.cuDeviceGetAttribute(&limit, MAX_GRID_X + i, device) &&
            size_at(&grid, i) > (uint64_t)limit)
            return 0;
    }
    return rt_driver.cuDeviceGetAttribute(&limit, MAX_THREADS_PER_BLOCK, device) ||
           (uint64_t)block.x * block.y * block.z <= (uint64_t)limit;
}

/* The driver has one status for all values that are wrong; so has the runtime since 13, and
 * before that it had one of its own for sizes. */
static cudaError_t explain_refusal(CUresult status, dim3 grid, dim3 block)
{
    if (rt_version < 13000 && status == RILL_ERROR_INVALID_VALUE && !is_possible(grid, block))
        return cudaErrorInvalidConfiguration;
    return (cudaError_t)status;
}

/* The stream has the first word if the stub is none. */
static cudaError_t explain_stub(cudaError_t status, cudaStream_t stream)
{
    cudaError_t refused = rt_capture_refuses(stream);
    return refused ? refused : status;
}

static inline cudaError_t open_launch(const void *stub, cudaStream_t stream, CUkernel *kernel)
{
    cudaError_t status = rt_kernel(stub, kernel);
    return __builtin_expect(!status, 1) ? rt_textures_ready() : explain_stub(status, stream);
}

static inline cudaError_t launch_kernel(CUkernel kernel, dim3 grid, dim3 block, void **params,
                                        size_t shared_bytes, cudaStream_t stream)
{
    if (__builtin_expect(shared_bytes > UINT_MAX, 0)) return RILL_ERROR_INVALID_VALUE;
    CUresult status = rt_driver.cuLaunchKernel((CUfunction)kernel, grid.x, grid.y, grid.z, block.x,
                                               block.y, block.z, (unsigned)shared_bytes, stream,
                                               params, NULL);
    return __builtin_expect(!status, 1) ? cudaSuccess : explain_refusal(status, grid, block);
}

ENTRY(cudaLaunchKernel,
      (const void *stub, dim3 grid, dim3 block, void **params, size_t shared_bytes,
       cudaStream_t stream),
      (stub, grid, block, params, shared_bytes, stream))
{
    CUkernel kernel;
    cudaError_t status = open_launch(stub, stream, &kernel);
    return status ? status : launch_kernel(kernel, grid, block, params, shared_bytes, stream);
}

PER_THREAD_FORM(cudaLaunchKernel, _ptsz,
                (const void *stub, dim3 grid, dim3 block, void **params, size_t shared_bytes,
                 cudaStream_t stream),
                (stub, grid, block, params, shared_bytes, stream))

/* What code of nvcc 13 calls with what it got from __cudaGetKernel().  If that failed, its
 * status stays the last error, since it says more. */
ENTRY(__cudaLaunchKernel,
      (CUkernel kernel, dim3 grid, dim3 block, void **params, size_t shared_bytes,
       cudaStream_t stream),
      (kernel, grid, block, params, shared_bytes, stream))
{
    if (!kernel) return rt_thread.last ? rt_thread.last : cudaErrorInvalidDeviceFunction;
    return launch_kernel(kernel, grid, block, params, shared_bytes, stream);
}

PER_THREAD_FORM(__cudaLaunchKernel, _ptsz,
                (CUkernel kernel, dim3 grid, dim3 block, void **params, size_t shared_bytes,
                 cudaStream_t stream),
                (kernel, grid, block, params, shared_bytes, stream))

cudaError_t rt_launch_cooperative(const void *stub, dim3 grid, dim3 block, void **params,
                                  size_t shared_bytes, cudaStream_t stream)
{
    CUkernel kernel;
    cudaError_t status = open_launch(stub, stream, &kernel);
    if (status) return status;
    if (shared_bytes > UINT_MAX) return RILL_ERROR_INVALID_VALUE;
    CUresult answer = rt_driver.cuLaunchCooperativeKernel(
        (CUfunction)kernel, grid.x, grid.y, grid.z, block.x, block.y, block.z,
        (unsigned)shared_bytes, stream, params);
    return explain_refusal(answer, grid, block);
}

ENTRY(cudaLaunchCooperativeKernel,
      (const void *stub, dim3 grid, dim3 block, void **params, size_t shared_bytes,
       cudaStream_t stream),
      (stub, grid, block, params, shared_bytes, stream))
{
    return rt_launch_cooperative(stub, grid, block, params, shared_bytes, stream);
}

PER_THREAD_FORM(cudaLaunchCooperativeKernel, _ptsz,
                (const void *stub, dim3 grid, dim3 block, void **params, size_t shared_bytes,
                 cudaStream_t stream),
                (stub, grid, block, params, shared_bytes, stream))

static cudaError_t launch_config(const cudaLaunchConfig_t *config, cudaStream_t stream,
                                 const void *stub, void **params)
{
    CUkernel kernel;
    cudaError_t status = open_launch(stub, stream, &kernel);
    if (status) return status;
    CUlaunchConfig driver_config;
    if ((status = rt_translate_config(config, &driver_config))) return status;
    driver_config.stream = stream;
    CUresult answer = rt_driver.cuLaunchKernelEx(&driver_config, (CUfunction)kernel, params, NULL);
    return explain_refusal(answer, config->gridDim, config->blockDim);
}

ENTRY(cudaLaunchKernelExC,
      (const cudaLaunchConfig_t *config, const void *stub, void **params), (config, stub, params))
{
    if (!config) return RILL_ERROR_INVALID_VALUE;
    return launch_config(config, config->stream, stub, params);
}

ENTRY(cudaLaunchKernelExC_ptsz,
      (const cudaLaunchConfig_t *config, const void *stub, void **params), (config, stub, params))
{
    if (!config) return RILL_ERROR_INVALID_VALUE;
    cudaStream_t stream = config->stream ? config->stream : CU_STREAM_PER_THREAD;
    return launch_config(config, stream, stub, params);
}

/* ---- What CUDA 11 has -------------------------------------------------------------------- */

/* Every device has doubles: arguments stay as they are. */
RT_EXPORT cudaError_t cudaSetDoubleForDevice(double *number);
RT_EXPORT cudaError_t cudaSetDoubleForDevice(double *number)
{
    (void)number;
    return cudaSuccess;
}

RT_EXPORT cudaError_t cudaSetDoubleForHost(double *number);
RT_EXPORT cudaError_t cudaSetDoubleForHost(double *number)
{
    (void)number;
    return cudaSuccess;
}
