/* SPDX-License-Identifier: Apache-2.0
 *
 * Fill nodes, which have the same layout in the driver.
 */
#include "runtime/graph/node.h"

cudaError_t rt_translate_fill(const struct cudaMemsetParams *params,
                              CUDA_MEMSET_NODE_PARAMS_v1 *out)
{
    if (!params) return RILL_ERROR_INVALID_VALUE;
    *out = (CUDA_MEMSET_NODE_PARAMS_v1){
        .dst = rt_address(params->dst),
        .pitch = params->pitch,
        .value = params->value,
        .element_bytes = params->elementSize,
        .width = params->width,
        .height = params->height,
    };
    return cudaSuccess;
}

ENTRY(cudaGraphAddMemsetNode,
      (NODE, const struct cudaMemsetParams *params), (NODE_ARGUMENTS, params))
{
    CUDA_MEMSET_NODE_PARAMS_v1 fill;
    CUcontext context;
    cudaError_t status = rt_translate_fill(params, &fill);
    if (!status) status = rt_current(&context);
    if (status) return status;
    return (cudaError_t)rt_driver.cuGraphAddMemsetNode(NODE_ARGUMENTS, &fill, context);
}

ENTRY(cudaGraphMemsetNodeGetParams,
      (cudaGraphNode_t node, struct cudaMemsetParams *params), (node, params))
{
    CUDA_MEMSET_NODE_PARAMS_v1 fill;
    if (!params) return RILL_ERROR_INVALID_VALUE;
    CUresult status = rt_driver.cuGraphMemsetNodeGetParams(node, &fill);
    if (status) return (cudaError_t)status;
    *params = (struct cudaMemsetParams){
        .dst = (void *)(uintptr_t)fill.dst,
        .pitch = fill.pitch,
        .value = fill.value,
        .elementSize = fill.element_bytes,
        .width = fill.width,
        .height = fill.height,
    };
    return cudaSuccess;
}

ENTRY(cudaGraphMemsetNodeSetParams,
      (cudaGraphNode_t node, const struct cudaMemsetParams *params), (node, params))
{
    CUDA_MEMSET_NODE_PARAMS_v1 fill;
    cudaError_t status = rt_translate_fill(params, &fill);
    return status ? status : (cudaError_t)rt_driver.cuGraphMemsetNodeSetParams(node, &fill);
}

ENTRY(cudaGraphExecMemsetNodeSetParams,
      (cudaGraphExec_t exec, cudaGraphNode_t node, const struct cudaMemsetParams *params),
      (exec, node, params))
{
    CUDA_MEMSET_NODE_PARAMS_v1 fill;
    CUcontext context;
    cudaError_t status = rt_translate_fill(params, &fill);
    if (!status) status = rt_current(&context);
    if (status) return status;
    return (cudaError_t)rt_driver.cuGraphExecMemsetNodeSetParams(exec, node, &fill, context);
}
