/* SPDX-License-Identifier: Apache-2.0
 *
 * A launch in the driver's words.
 */
#ifndef RT_CONFIG_H
#define RT_CONFIG_H

#include <limits.h>

#include "runtime/thread/thread.h"

static inline cudaError_t rt_translate_config(const cudaLaunchConfig_t *config,
                                              CUlaunchConfig *out)
{
    if (!config || config->dynamicSmemBytes > UINT_MAX) return RILL_ERROR_INVALID_VALUE;
    *out = (CUlaunchConfig){
        .grid = config->gridDim,
        .block = config->blockDim,
        .shared_bytes = (unsigned)config->dynamicSmemBytes,
        .stream = config->stream,
        .attributes = config->attrs,
        .attribute_count = config->numAttrs,
    };
    return cudaSuccess;
}

cudaError_t rt_launch_cooperative(const void *stub, dim3 grid, dim3 block, void **params,
                                  size_t shared_bytes, cudaStream_t stream);

#endif
