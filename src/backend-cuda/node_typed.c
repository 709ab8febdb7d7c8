/* SPDX-License-Identifier: Apache-2.0
 *
 * Nodes for drivers that have a call for each kind, and not yet one for all: adding
 * before CUDA 12.3, setting before 12.2.  These calls know no context of a kernel or a
 * host function; the current one counts.
 */
#include "backend-cuda/graph.h"

#include <string.h>

/* ---- Forms ----------------------------------------------------------------------- */

static CUDA_KERNEL_NODE_PARAMS_v1 kernel_of(const struct cuda_kernel_params *params)
{
    return (CUDA_KERNEL_NODE_PARAMS_v1){
        .func = params->function,
        .gridDimX = params->grid[0], .gridDimY = params->grid[1], .gridDimZ = params->grid[2],
        .blockDimX = params->block[0], .blockDimY = params->block[1], .blockDimZ = params->block[2],
        .sharedMemBytes = params->shared_bytes,
        .kernelParams = params->params, .extra = params->extra,
    };
}

static CUDA_MEMSET_NODE_PARAMS fill_of(const struct cuda_memset_params *params)
{
    return (CUDA_MEMSET_NODE_PARAMS){
        .dst = params->dst, .pitch = params->pitch, .value = params->value,
        .elementSize = params->element_bytes, .width = params->width, .height = params->height,
    };
}

static CUDA_HOST_NODE_PARAMS host_of(const struct cuda_host_params *params)
{
    return (CUDA_HOST_NODE_PARAMS){ .fn = params->fn, .userData = params->data };
}

/* Sizes and places of the fields are compared in abi.h. */
static CUDA_BATCH_MEM_OP_NODE_PARAMS values_of(const struct cuda_values_params *params)
{
    CUDA_BATCH_MEM_OP_NODE_PARAMS raw;
    memcpy(&raw, params, sizeof raw);
    return raw;
}

/* ---- Adding ---------------------------------------------------------------------- */

static CUresult add_alloc(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                          size_t count, struct cuda_alloc_params *params)
{
    CUDA_MEM_ALLOC_NODE_PARAMS raw;
    memcpy(&raw, params, sizeof raw);
    CUresult result = cuda_api.GraphAddMemAllocNode(node, graph, dependencies, count, &raw);
    params->address = raw.dptr;
    return result;
}

CUresult cuda_typed_add(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                        size_t count, struct cuda_node_params *params)
{
    CUDA_KERNEL_NODE_PARAMS_v1 kernel;
    CUDA_MEMSET_NODE_PARAMS fill;
    CUDA_HOST_NODE_PARAMS host;
    CUDA_BATCH_MEM_OP_NODE_PARAMS values;
    switch ((int)params->type) {
    case RILL_OP_KERNEL:
        kernel = kernel_of(&params->kernel);
        return cuda_api.GraphAddKernelNode(node, graph, dependencies, count, &kernel);
    case RILL_OP_MEMCPY:
        return cuda_api.GraphAddMemcpyNode(node, graph, dependencies, count, &params->memcpy.copy,
                                           params->memcpy.context);
    case RILL_OP_MEMSET:
        fill = fill_of(&params->memset);
        return cuda_api.GraphAddMemsetNode(node, graph, dependencies, count, &fill,
                                           params->memset.context);
    case RILL_OP_HOST:
        host = host_of(&params->host);
        return cuda_api.GraphAddHostNode(node, graph, dependencies, count, &host);
    case RILL_OP_GRAPH:
        return cuda_api.GraphAddChildGraphNode(node, graph, dependencies, count,
                                               params->child.graph);
    case RILL_OP_EMPTY:
        return cuda_api.GraphAddEmptyNode(node, graph, dependencies, count);
    case RILL_OP_EVENT_WAIT:
        return cuda_api.GraphAddEventWaitNode(node, graph, dependencies, count,
                                              params->event.event);
    case RILL_OP_EVENT_RECORD:
        return cuda_api.GraphAddEventRecordNode(node, graph, dependencies, count,
                                                params->event.event);
    case RILL_OP_ALLOC: return add_alloc(node, graph, dependencies, count, &params->alloc);
    case RILL_OP_FREE:
        return cuda_api.GraphAddMemFreeNode(node, graph, dependencies, count,
                                            params->free.address);
    case RILL_OP_VALUES:
        values = values_of(&params->values);
        return cuda_api.GraphAddBatchMemOpNode(node, graph, dependencies, count, &values);
    }
    return CUDA_ERROR_NOT_SUPPORTED;
}

/* ---- Setting --------------------------------------------------------------------- */

CUresult cuda_typed_set(CUgraphNode node, const struct cuda_node_params *params)
{
    CUDA_KERNEL_NODE_PARAMS_v1 kernel;
    CUDA_MEMSET_NODE_PARAMS fill;
    CUDA_HOST_NODE_PARAMS host;
    CUDA_BATCH_MEM_OP_NODE_PARAMS values;
    switch ((int)params->type) {
    case RILL_OP_KERNEL:
        kernel = kernel_of(&params->kernel);
        return cuda_api.GraphKernelNodeSetParams(node, &kernel);
    case RILL_OP_MEMCPY: return cuda_api.GraphMemcpyNodeSetParams(node, &params->memcpy.copy);
    case RILL_OP_MEMSET:
        fill = fill_of(&params->memset);
        return cuda_api.GraphMemsetNodeSetParams(node, &fill);
    case RILL_OP_HOST:
        host = host_of(&params->host);
        return cuda_api.GraphHostNodeSetParams(node, &host);
    case RILL_OP_EVENT_WAIT:
        return cuda_api.GraphEventWaitNodeSetEvent(node, params->event.event);
    case RILL_OP_EVENT_RECORD:
        return cuda_api.GraphEventRecordNodeSetEvent(node, params->event.event);
    case RILL_OP_VALUES:
        values = values_of(&params->values);
        return cuda_api.GraphBatchMemOpNodeSetParams(node, &values);
    }
    return CUDA_ERROR_NOT_SUPPORTED;
}

CUresult cuda_typed_exec_set(CUgraphExec exec, CUgraphNode node,
                             const struct cuda_node_params *params)
{
    CUDA_KERNEL_NODE_PARAMS_v1 kernel;
    CUDA_MEMSET_NODE_PARAMS fill;
    CUDA_HOST_NODE_PARAMS host;
    CUDA_BATCH_MEM_OP_NODE_PARAMS values;
    switch ((int)params->type) {
    case RILL_OP_KERNEL:
        kernel = kernel_of(&params->kernel);
        return cuda_api.GraphExecKernelNodeSetParams_10010(exec, node, &kernel);
    case RILL_OP_MEMCPY:
        return cuda_api.GraphExecMemcpyNodeSetParams(exec, node, &params->memcpy.copy,
                                                     params->memcpy.context);
    case RILL_OP_MEMSET:
        fill = fill_of(&params->memset);
        return cuda_api.GraphExecMemsetNodeSetParams(exec, node, &fill, params->memset.context);
    case RILL_OP_HOST:
        host = host_of(&params->host);
        return cuda_api.GraphExecHostNodeSetParams(exec, node, &host);
    case RILL_OP_GRAPH:
        return cuda_api.GraphExecChildGraphNodeSetParams(exec, node, params->child.graph);
    case RILL_OP_EVENT_WAIT:
        return cuda_api.GraphExecEventWaitNodeSetEvent(exec, node, params->event.event);
    case RILL_OP_EVENT_RECORD:
        return cuda_api.GraphExecEventRecordNodeSetEvent(exec, node, params->event.event);
    case RILL_OP_VALUES:
        values = values_of(&params->values);
        return cuda_api.GraphExecBatchMemOpNodeSetParams(exec, node, &values);
    }
    return CUDA_ERROR_NOT_SUPPORTED;
}
