/* SPDX-License-Identifier: Apache-2.0
 *
 * Limits and settings of the current context.
 */
#include "runtime/thread/entry.h"

FORWARD(cudaDeviceGetLimit, cuCtxGetLimit, (size_t *value, int limit), (value, limit))
ENTRY(cudaDeviceSetLimit, (int limit, size_t value), (limit, value))
{
    cudaError_t forbidden = rt_capture_forbids();
    return forbidden ? forbidden : (cudaError_t)rt_driver.cuCtxSetLimit(limit, value);
}

FORWARD(cudaDeviceGetCacheConfig, cuCtxGetCacheConfig, (int *config), (config))

ENTRY(cudaDeviceSetCacheConfig, (int config), (config))
{
    cudaError_t forbidden = rt_capture_forbids();
    return forbidden ? forbidden : (cudaError_t)rt_driver.cuCtxSetCacheConfig(config);
}

FORWARD(cudaDeviceGetSharedMemConfig, cuCtxGetSharedMemConfig, (int *config), (config))
FORWARD(cudaDeviceSetSharedMemConfig, cuCtxSetSharedMemConfig, (int config), (config))
FORWARD(cudaDeviceGetStreamPriorityRange, cuCtxGetStreamPriorityRange,
        (int *least, int *greatest), (least, greatest))
FORWARD(cudaCtxResetPersistingL2Cache, cuCtxResetPersistingL2Cache, (void), ())
FORWARD(cudaProfilerStart, cuProfilerStart, (void), ())
FORWARD(cudaProfilerStop, cuProfilerStop, (void), ())
