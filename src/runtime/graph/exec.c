/* SPDX-License-Identifier: Apache-2.0
 *
 * Execs.
 */
#include "runtime/thread/entry.h"

/* Since 12, one form under two names.  That of 11 tells which node failed, and why. */
FORWARD(cudaGraphInstantiate_v1, cuGraphInstantiate_v2,
        (cudaGraphExec_t *exec, cudaGraph_t graph, cudaGraphNode_t *failing, char *words,
         size_t bytes),
        (exec, graph, failing, words, bytes))

/* Flags that there are not have the first word, before captures. */
static cudaError_t instantiate(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long flags)
{
    const unsigned long long known = RILL_EXEC_AUTO_FREE | RILL_EXEC_UPLOAD |
                                     RILL_EXEC_DEVICE_LAUNCH | RILL_EXEC_NODE_PRIORITY;
    if (flags & ~known) return RILL_ERROR_INVALID_VALUE;
    return (cudaError_t)rt_driver.cuGraphInstantiateWithFlags(exec, graph, flags);
}

ENTRY(cudaGraphInstantiate_v2,
      (cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long flags), (exec, graph, flags))
{
    return instantiate(exec, graph, flags);
}

ENTRY(cudaGraphInstantiateWithFlags,
      (cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long flags), (exec, graph, flags))
{
    return instantiate(exec, graph, flags);
}

FORWARD(cudaGraphInstantiateWithParams, cuGraphInstantiateWithParams,
        (cudaGraphExec_t *exec, cudaGraph_t graph, CUDA_GRAPH_INSTANTIATE_PARAMS *params),
        (exec, graph, params))

/* The upload of this form is on the thread's own stream if no other is named. */
ENTRY(cudaGraphInstantiateWithParams_ptsz,
      (cudaGraphExec_t *exec, cudaGraph_t graph, CUDA_GRAPH_INSTANTIATE_PARAMS *params),
      (exec, graph, params))
{
    if (!params) return RILL_ERROR_INVALID_VALUE;
    CUDA_GRAPH_INSTANTIATE_PARAMS own = *params;
    if (!own.upload_stream) own.upload_stream = CU_STREAM_PER_THREAD;
    CUresult status = rt_driver.cuGraphInstantiateWithParams(exec, graph, &own);
    params->failing_node = own.failing_node;
    params->result = own.result;
    return (cudaError_t)status;
}

FORWARD(cudaGraphExecGetFlags, cuGraphExecGetFlags,
        (cudaGraphExec_t exec, unsigned long long *flags), (exec, flags))

/* Tells why an update was refused, and nothing where there was none.  A graph with another number
 * of nodes is not supported, in the words of an H200. */
ENTRY(cudaGraphExecUpdate_v1,
      (cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphNode_t *failing, int *result),
      (exec, graph, failing, result))
{
    CUgraphExecUpdateResultInfo info = { 0, NULL, NULL };
    CUresult status = rt_driver.cuGraphExecUpdate_v2(exec, graph, &info);
    if (status && status != RILL_ERROR_GRAPH_EXEC_UPDATE_FAILURE) return (cudaError_t)status;
    if (failing) *failing = info.node;
    if (info.result == RILL_UPDATE_TOPOLOGY_CHANGED && !info.node)
        info.result = RILL_UPDATE_NOT_SUPPORTED;
    if (result) *result = info.result;
    return (cudaError_t)status;
}

FORWARD(cudaGraphExecUpdate_v2, cuGraphExecUpdate_v2,
        (cudaGraphExec_t exec, cudaGraph_t graph, CUgraphExecUpdateResultInfo *result),
        (exec, graph, result))
FORWARD(cudaGraphExecDestroy, cuGraphExecDestroy, (cudaGraphExec_t exec), (exec))
FORWARD_STREAM(cudaGraphUpload, cuGraphUpload,
               (cudaGraphExec_t exec, cudaStream_t stream), (exec, stream))
FORWARD_STREAM(cudaGraphLaunch, cuGraphLaunch,
               (cudaGraphExec_t exec, cudaStream_t stream), (exec, stream))
FORWARD(cudaGraphNodeSetEnabled, cuGraphNodeSetEnabled,
        (cudaGraphExec_t exec, cudaGraphNode_t node, unsigned enabled), (exec, node, enabled))
FORWARD(cudaGraphNodeGetEnabled, cuGraphNodeGetEnabled,
        (cudaGraphExec_t exec, cudaGraphNode_t node, unsigned *enabled), (exec, node, enabled))
