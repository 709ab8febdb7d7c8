/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernel nodes, whose kernel is named by its stub.
 */
#include "runtime/glue/image.h"
#include "runtime/graph/node.h"

cudaError_t rt_translate_kernel(const struct cudaKernelNodeParams *params,
                                CUDA_KERNEL_NODE_PARAMS *out)
{
    if (!params) return RILL_ERROR_INVALID_VALUE;
    *out = (CUDA_KERNEL_NODE_PARAMS){
        .grid = params->gridDim,
        .block = params->blockDim,
        .shared_bytes = params->sharedMemBytes,
        .params = params->kernelParams,
        .extra = params->extra,
    };
    return rt_kernel(params->func, &out->kernel);
}

ENTRY(cudaGraphAddKernelNode,
      (NODE, const struct cudaKernelNodeParams *params), (NODE_ARGUMENTS, params))
{
    CUDA_KERNEL_NODE_PARAMS driver_params;
    cudaError_t status = rt_translate_kernel(params, &driver_params);
    if (status) return status;
    return (cudaError_t)rt_driver.cuGraphAddKernelNode_v2(NODE_ARGUMENTS, &driver_params);
}

ENTRY(cudaGraphKernelNodeGetParams,
      (cudaGraphNode_t node, struct cudaKernelNodeParams *params), (node, params))
{
    CUDA_KERNEL_NODE_PARAMS found;
    if (!params) return RILL_ERROR_INVALID_VALUE;
    CUresult status = rt_driver.cuGraphKernelNodeGetParams_v2(node, &found);
    if (status) return (cudaError_t)status;
    const void *handle = found.kernel ? (const void *)found.kernel : found.function;
    *params = (struct cudaKernelNodeParams){
        .func = (void *)(uintptr_t)rt_kernel_stub(handle),
        .gridDim = found.grid,
        .blockDim = found.block,
        .sharedMemBytes = found.shared_bytes,
        .kernelParams = found.params,
        .extra = found.extra,
    };
    return cudaSuccess;
}

ENTRY(cudaGraphKernelNodeSetParams,
      (cudaGraphNode_t node, const struct cudaKernelNodeParams *params), (node, params))
{
    CUDA_KERNEL_NODE_PARAMS driver_params;
    cudaError_t status = rt_translate_kernel(params, &driver_params);
    if (status) return status;
    return (cudaError_t)rt_driver.cuGraphKernelNodeSetParams_v2(node, &driver_params);
}

ENTRY(cudaGraphExecKernelNodeSetParams,
      (cudaGraphExec_t exec, cudaGraphNode_t node, const struct cudaKernelNodeParams *params),
      (exec, node, params))
{
    CUDA_KERNEL_NODE_PARAMS driver_params;
    cudaError_t status = rt_translate_kernel(params, &driver_params);
    if (status) return status;
    return (cudaError_t)rt_driver.cuGraphExecKernelNodeSetParams_v2(exec, node, &driver_params);
}

FORWARD(cudaGraphKernelNodeCopyAttributes, cuGraphKernelNodeCopyAttributes,
        (cudaGraphNode_t dst, cudaGraphNode_t src), (dst, src))
FORWARD(cudaGraphKernelNodeGetAttribute, cuGraphKernelNodeGetAttribute,
        (cudaGraphNode_t node, int attribute, CUlaunchAttributeValue *value),
        (node, attribute, value))
FORWARD(cudaGraphKernelNodeSetAttribute, cuGraphKernelNodeSetAttribute,
        (cudaGraphNode_t node, int attribute, const CUlaunchAttributeValue *value),
        (node, attribute, value))
