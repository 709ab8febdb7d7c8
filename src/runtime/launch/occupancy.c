/* SPDX-License-Identifier: Apache-2.0
 *
 * How many blocks and clusters of a kernel run at a time.
 */
#include "runtime/glue/image.h"
#include "runtime/launch/config.h"
#include "runtime/thread/entry.h"

enum { CACHING_OVERRIDE = 1 }; /* the only flag */

ENTRY(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags,
      (int *blocks, const void *stub, int block_threads, size_t shared_bytes, unsigned flags),
      (blocks, stub, block_threads, shared_bytes, flags))
{
    CUkernel kernel;
    if (!blocks || flags > CACHING_OVERRIDE) return RILL_ERROR_INVALID_VALUE;
    cudaError_t status = rt_kernel(stub, &kernel);
    if (status) return status;
    return (cudaError_t)rt_driver.cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        blocks, (CUfunction)kernel, block_threads, shared_bytes, flags);
}

ENTRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor,
      (int *blocks, const void *stub, int block_threads, size_t shared_bytes),
      (blocks, stub, block_threads, shared_bytes))
{
    CUkernel kernel;
    cudaError_t status = rt_kernel(stub, &kernel);
    if (status) return status;
    return (cudaError_t)rt_driver.cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        blocks, (CUfunction)kernel, block_threads, shared_bytes, 0);
}

ENTRY(cudaOccupancyAvailableDynamicSMemPerBlock,
      (size_t *bytes, const void *stub, int blocks, int block_threads),
      (bytes, stub, blocks, block_threads))
{
    CUkernel kernel;
    if (!bytes || blocks <= 0) return RILL_ERROR_INVALID_VALUE;
    cudaError_t status = rt_kernel(stub, &kernel);
    if (status) return status;
    return (cudaError_t)rt_driver.cuOccupancyAvailableDynamicSMemPerBlock(
        bytes, (CUfunction)kernel, blocks, block_threads);
}

ENTRY(cudaOccupancyMaxPotentialClusterSize,
      (int *blocks, const void *stub, const cudaLaunchConfig_t *config), (blocks, stub, config))
{
    CUkernel kernel;
    CUlaunchConfig driver_config;
    cudaError_t status = rt_kernel(stub, &kernel);
    if (!status) status = rt_translate_config(config, &driver_config);
    if (status) return status;
    return (cudaError_t)rt_driver.cuOccupancyMaxPotentialClusterSize(blocks, (CUfunction)kernel,
                                                                     &driver_config);
}

ENTRY(cudaOccupancyMaxActiveClusters,
      (int *clusters, const void *stub, const cudaLaunchConfig_t *config),
      (clusters, stub, config))
{
    CUkernel kernel;
    CUlaunchConfig driver_config;
    cudaError_t status = rt_kernel(stub, &kernel);
    if (!status) status = rt_translate_config(config, &driver_config);
    if (status) return status;
    return (cudaError_t)rt_driver.cuOccupancyMaxActiveClusters(clusters, (CUfunction)kernel,
                                                               &driver_config);
}
