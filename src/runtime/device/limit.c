/* SPDX-License-Identifier: Apache-2.0
 *
 * Limits and settings of the current context.
 */
#include "runtime/thread/entry.h"

FORWARD(cudaDeviceGetLimit, cuCtxGetLimit, (size_t *value, int limit), (value, limit))
FORWARD(cudaDeviceSetLimit, cuCtxSetLimit, (int limit, size_t value), (limit, value))
FORWARD(cudaDeviceGetCacheConfig, cuCtxGetCacheConfig, (int *config), (config))
FORWARD(cudaDeviceSetCacheConfig, cuCtxSetCacheConfig, (int config), (config))
FORWARD(cudaDeviceGetSharedMemConfig, cuCtxGetSharedMemConfig, (int *config), (config))
FORWARD(cudaDeviceSetSharedMemConfig, cuCtxSetSharedMemConfig, (int config), (config))
FORWARD(cudaDeviceGetStreamPriorityRange, cuCtxGetStreamPriorityRange,
        (int *least, int *greatest), (least, greatest))
FORWARD(cudaCtxResetPersistingL2Cache, cuCtxResetPersistingL2Cache, (void), ())
FORWARD(cudaProfilerStart, cuProfilerStart, (void), ())
FORWARD(cudaProfilerStop, cuProfilerStop, (void), ())
