/* SPDX-License-Identifier: Apache-2.0
 *
 * Nodes that are the driver's as they are: host functions, child graphs, events, memory.
 */
#include "runtime/graph/node.h"

FORWARD(cudaGraphAddEmptyNode, cuGraphAddEmptyNode, (NODE), (NODE_ARGUMENTS))

FORWARD(cudaGraphAddHostNode, cuGraphAddHostNode,
        (NODE, const CUDA_HOST_NODE_PARAMS *params), (NODE_ARGUMENTS, params))
FORWARD(cudaGraphHostNodeGetParams, cuGraphHostNodeGetParams,
        (cudaGraphNode_t node, CUDA_HOST_NODE_PARAMS *params), (node, params))
FORWARD(cudaGraphHostNodeSetParams, cuGraphHostNodeSetParams,
        (cudaGraphNode_t node, const CUDA_HOST_NODE_PARAMS *params), (node, params))
FORWARD(cudaGraphExecHostNodeSetParams, cuGraphExecHostNodeSetParams,
        (cudaGraphExec_t exec, cudaGraphNode_t node, const CUDA_HOST_NODE_PARAMS *params),
        (exec, node, params))

FORWARD(cudaGraphAddChildGraphNode, cuGraphAddChildGraphNode,
        (NODE, cudaGraph_t child), (NODE_ARGUMENTS, child))
FORWARD(cudaGraphChildGraphNodeGetGraph, cuGraphChildGraphNodeGetGraph,
        (cudaGraphNode_t node, cudaGraph_t *child), (node, child))
FORWARD(cudaGraphExecChildGraphNodeSetParams, cuGraphExecChildGraphNodeSetParams,
        (cudaGraphExec_t exec, cudaGraphNode_t node, cudaGraph_t child), (exec, node, child))

/* ---- Events ------------------------------------------------------------------------------ */

FORWARD(cudaGraphAddEventRecordNode, cuGraphAddEventRecordNode,
        (NODE, cudaEvent_t event), (NODE_ARGUMENTS, event))
FORWARD(cudaGraphEventRecordNodeGetEvent, cuGraphEventRecordNodeGetEvent,
        (cudaGraphNode_t node, cudaEvent_t *event), (node, event))
FORWARD(cudaGraphEventRecordNodeSetEvent, cuGraphEventRecordNodeSetEvent,
        (cudaGraphNode_t node, cudaEvent_t event), (node, event))
FORWARD(cudaGraphExecEventRecordNodeSetEvent, cuGraphExecEventRecordNodeSetEvent,
        (cudaGraphExec_t exec, cudaGraphNode_t node, cudaEvent_t event), (exec, node, event))
FORWARD(cudaGraphAddEventWaitNode, cuGraphAddEventWaitNode,
        (NODE, cudaEvent_t event), (NODE_ARGUMENTS, event))
FORWARD(cudaGraphEventWaitNodeGetEvent, cuGraphEventWaitNodeGetEvent,
        (cudaGraphNode_t node, cudaEvent_t *event), (node, event))
FORWARD(cudaGraphEventWaitNodeSetEvent, cuGraphEventWaitNodeSetEvent,
        (cudaGraphNode_t node, cudaEvent_t event), (node, event))
FORWARD(cudaGraphExecEventWaitNodeSetEvent, cuGraphExecEventWaitNodeSetEvent,
        (cudaGraphExec_t exec, cudaGraphNode_t node, cudaEvent_t event), (exec, node, event))

/* ---- Memory ------------------------------------------------------------------------------ */

FORWARD(cudaGraphAddMemAllocNode, cuGraphAddMemAllocNode,
        (NODE, CUDA_MEM_ALLOC_NODE_PARAMS *params), (NODE_ARGUMENTS, params))
FORWARD(cudaGraphMemAllocNodeGetParams, cuGraphMemAllocNodeGetParams,
        (cudaGraphNode_t node, CUDA_MEM_ALLOC_NODE_PARAMS *params), (node, params))

ENTRY(cudaGraphAddMemFreeNode, (NODE, void *address), (NODE_ARGUMENTS, address))
{
    return (cudaError_t)rt_driver.cuGraphAddMemFreeNode(NODE_ARGUMENTS, rt_address(address));
}

ENTRY(cudaGraphMemFreeNodeGetParams, (cudaGraphNode_t node, void *address), (node, address))
{
    return (cudaError_t)rt_driver.cuGraphMemFreeNodeGetParams(node, address);
}
