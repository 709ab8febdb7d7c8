/* SPDX-License-Identifier: Apache-2.0
 *
 * What single nodes of an exec do from its next launch on.
 */
#include "standin/exec.h"
#include "standin/node.h"

static CUresult set(CUgraphExec handle, CUgraphNode node, CUresult read, const rill_op *op)
{
    rill_exec *exec;
    int on;
    CUresult status = si_exec(handle, &exec);
    /* A node that is none of its own comes before a function that is none. */
    if (!status && read == RILL_ERROR_INVALID_HANDLE && rill_exec_get_enabled(exec, node, &on))
        read = RILL_ERROR_INVALID_VALUE;
    if (!status) status = read;
    return status ? status : rill_exec_set_op(exec, node, op);
}

ENTRY(cuGraphExecKernelNodeSetParams_v2,
      (CUgraphExec exec, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *params),
      (exec, node, params))
{
    rill_op op;
    struct si_room room;
    CUresult read = si_check_settable(node, RILL_OP_KERNEL);
    if (!read) read = si_kernel_op(params, &room, &op);
    return set(exec, node, read, &op);
}

ENTRY(cuGraphExecKernelNodeSetParams,
      (CUgraphExec exec, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS_v1 *params),
      (exec, node, params))
{
    CUDA_KERNEL_NODE_PARAMS now;
    if (params) now = si_kernel_params(params);
    return cuGraphExecKernelNodeSetParams_v2(exec, node, params ? &now : NULL);
}

ENTRY(cuGraphExecMemcpyNodeSetParams,
      (CUgraphExec exec, CUgraphNode node, const CUDA_MEMCPY3D *params, CUcontext context),
      (exec, node, params, context))
{
    rill_op op;
    CUresult read = si_copy_under(context, si_copy_op(params, &op), &op);
    return set(exec, node, read, &op);
}

ENTRY(cuGraphExecMemsetNodeSetParams,
      (CUgraphExec exec, CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS_v1 *params,
       CUcontext context),
      (exec, node, params, context))
{
    rill_op op;
    CUDA_MEMSET_NODE_PARAMS now;
    if (params) now = si_fill_params(params, context);
    CUresult read = si_under(context, si_fill_op(params ? &now : NULL, &op));
    return set(exec, node, read, &op);
}

ENTRY(cuGraphExecHostNodeSetParams,
      (CUgraphExec exec, CUgraphNode node, const CUDA_HOST_NODE_PARAMS *params),
      (exec, node, params))
{
    rill_op op;
    CUresult read = si_host_op(params, &op);
    return set(exec, node, read, &op);
}

ENTRY(cuGraphExecChildGraphNodeSetParams,
      (CUgraphExec exec, CUgraphNode node, CUgraph child), (exec, node, child))
{
    rill_op op;
    CUresult read = si_child_op(child, 0, &op);
    return set(exec, node, read, &op);
}

ENTRY(cuGraphExecEventRecordNodeSetEvent,
      (CUgraphExec exec, CUgraphNode node, CUevent event), (exec, node, event))
{
    rill_op op;
    CUresult read = si_event_op(RILL_OP_EVENT_RECORD, event, &op);
    return set(exec, node, read, &op);
}

ENTRY(cuGraphExecEventWaitNodeSetEvent,
      (CUgraphExec exec, CUgraphNode node, CUevent event), (exec, node, event))
{
    rill_op op;
    CUresult read = si_event_op(RILL_OP_EVENT_WAIT, event, &op);
    return set(exec, node, read, &op);
}

ENTRY(cuGraphExecBatchMemOpNodeSetParams,
      (CUgraphExec exec, CUgraphNode node, const CUDA_BATCH_MEM_OP_NODE_PARAMS *params),
      (exec, node, params))
{
    rill_op op;
    struct si_room room;
    CUresult read = si_values_op(params, &room, &op);
    return set(exec, node, read, &op);
}

ENTRY(cuGraphExecNodeSetParams,
      (CUgraphExec exec, CUgraphNode node, const CUgraphNodeParams *params),
      (exec, node, params))
{
    rill_op op;
    rill_exec *known;
    struct si_room room;
    CUresult read = si_check_params(params);
    if (!read) read = si_check_settable(node, params->type);
    if (!read) read = si_read_params(params, &room, &op);
    /* Of an empty node there is nothing to set, whatever graph it is in. */
    if (!read && params->type == RILL_OP_EMPTY) return si_exec(exec, &known);
    return set(exec, node, read, &op);
}

/* ---- Switched off and on ------------------------------------------------------------------ */

ENTRY(cuGraphNodeSetEnabled,
      (CUgraphExec handle, CUgraphNode node, unsigned enabled), (handle, node, enabled))
{
    rill_exec *exec;
    CUresult status = si_exec(handle, &exec);
    return status ? status : rill_exec_set_enabled(exec, node, enabled != 0);
}

ENTRY(cuGraphNodeGetEnabled,
      (CUgraphExec handle, CUgraphNode node, unsigned *enabled), (handle, node, enabled))
{
    rill_exec *exec;
    int on = 0;
    CUresult status = si_exec(handle, &exec);
    if (!status && !enabled) status = RILL_ERROR_INVALID_VALUE;
    if (!status) status = rill_exec_get_enabled(exec, node, &on);
    if (!status) *enabled = on != 0;
    return status;
}
