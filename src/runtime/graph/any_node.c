/* SPDX-License-Identifier: Apache-2.0
 *
 * Nodes of any kind by one struct.  A kernel, a copy, a fill and a condition have another form
 * in the driver; the others are passed on as they are.
 */
#include <string.h>

#include "runtime/graph/node.h"

enum { NODE_KERNEL = 0, NODE_MEMCPY = 1, NODE_MEMSET = 2, NODE_CONDITIONAL = 13 };

static cudaError_t translate_copy(const struct cudaMemcpyNodeParams *in,
                                  CUDA_MEMCPY_NODE_PARAMS *out)
{
    out->flags = in->flags;
    cudaError_t status = rt_translate_box(&in->copyParams, &out->copy);
    return status ? status : rt_current(&out->context);
}

static cudaError_t translate_fill(const struct cudaMemsetParams *in, CUDA_MEMSET_NODE_PARAMS *out)
{
    CUDA_MEMSET_NODE_PARAMS_v1 fill;
    cudaError_t status = rt_translate_fill(in, &fill);
    memcpy(out, &fill, sizeof fill);
    return status ? status : rt_current(&out->context);
}

static cudaError_t translate_conditional(const struct cudaConditionalNodeParams *in,
                                         CUDA_CONDITIONAL_NODE_PARAMS *out)
{
    out->handle = in->handle;
    out->type = in->type;
    out->count = in->size;
    out->bodies = NULL;
    return rt_current(&out->context);
}

static cudaError_t translate_node(const struct cudaGraphNodeParams *in, CUgraphNodeParams *out)
{
    if (!in || in->reserved0[0] || in->reserved0[1] || in->reserved0[2])
        return RILL_ERROR_INVALID_VALUE;
    memset(out, 0, sizeof *out);
    out->type = in->type;
    switch (in->type) {
    case NODE_KERNEL: return rt_translate_kernel(&in->kernel, &out->kernel);
    case NODE_MEMCPY: return translate_copy(&in->memcpy, &out->memcpy);
    case NODE_MEMSET: return translate_fill(&in->memset, &out->memset);
    case NODE_CONDITIONAL: return translate_conditional(&in->conditional, &out->conditional);
    default: memcpy(out, in, sizeof *out); return cudaSuccess;
    }
}

/* Gives back what the driver wrote: the bodies of a condition, the address of memory. */
static void translate_results(const CUgraphNodeParams *in, struct cudaGraphNodeParams *out)
{
    switch (in->type) {
    case NODE_KERNEL:
    case NODE_MEMCPY:
    case NODE_MEMSET: return;
    case NODE_CONDITIONAL: out->conditional.phGraph_out = in->conditional.bodies; return;
    default: memcpy(out, in, sizeof *out);
    }
}

ENTRY(cudaGraphAddNode_v1, (NODE, struct cudaGraphNodeParams *params), (NODE_ARGUMENTS, params))
{
    CUgraphNodeParams driver_params;
    cudaError_t status = translate_node(params, &driver_params);
    if (!status) status = (cudaError_t)rt_driver.cuGraphAddNode(NODE_ARGUMENTS, &driver_params);
    if (!status) translate_results(&driver_params, params);
    return status;
}

ENTRY(cudaGraphAddNode_v2,
      (cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *behind,
       const CUgraphEdgeData *edges, size_t count, struct cudaGraphNodeParams *params),
      (node, graph, behind, edges, count, params))
{
    CUgraphNodeParams driver_params;
    cudaError_t status = translate_node(params, &driver_params);
    if (!status)
        status = (cudaError_t)rt_driver.cuGraphAddNode_v2(node, graph, behind, edges, count,
                                                          &driver_params);
    if (!status) translate_results(&driver_params, params);
    return status;
}

ENTRY(cudaGraphNodeSetParams,
      (cudaGraphNode_t node, struct cudaGraphNodeParams *params), (node, params))
{
    CUgraphNodeParams driver_params;
    cudaError_t status = translate_node(params, &driver_params);
    return status ? status : (cudaError_t)rt_driver.cuGraphNodeSetParams(node, &driver_params);
}

ENTRY(cudaGraphExecNodeSetParams,
      (cudaGraphExec_t exec, cudaGraphNode_t node, struct cudaGraphNodeParams *params),
      (exec, node, params))
{
    CUgraphNodeParams driver_params;
    cudaError_t status = translate_node(params, &driver_params);
    if (status) return status;
    return (cudaError_t)rt_driver.cuGraphExecNodeSetParams(exec, node, &driver_params);
}
