/* SPDX-License-Identifier: Apache-2.0
 *
 * Nodes that call a function of the program.
 */
#include "standin/graph/exec.h"
#include "standin/graph/node_kind.h"

static CUresult read_host(const CUDA_HOST_NODE_PARAMS *params, rill_op *op)
{
    if (!params || !params->fn) return RILL_ERROR_INVALID_VALUE;
    *op = (rill_op){ .kind = RILL_OP_HOST };
    op->host = (rill_host_op){ .fn = params->fn, .data = params->data };
    return RILL_SUCCESS;
}

static CUresult read_params(const CUgraphNodeParams *params, struct si_op_buffers *buffers,
                            rill_op *op)
{
    (void)buffers;
    return read_host(&params->host, op);
}

const struct si_node_kind si_host_kind = { .bytes = sizeof(CUDA_HOST_NODE_PARAMS),
                                           .read = read_params };

/* ---- Calls for this kind alone ------------------------------------------------------------ */

ENTRY(cuGraphAddHostNode,
      (CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
       const CUDA_HOST_NODE_PARAMS *params),
      (node, graph, dependencies, count, params))
{
    rill_op op;
    CUresult read = read_host(params, &op);
    return si_node_add(node, graph, dependencies, count, NULL, read, &op);
}

ENTRY(cuGraphHostNodeGetParams, (CUgraphNode node, CUDA_HOST_NODE_PARAMS *params), (node, params))
{
    rill_op op;
    rill_graph *graph;
    CUresult status = si_node_get(node, RILL_OP_HOST, &graph, &op);
    if (!status && !params) status = RILL_ERROR_INVALID_VALUE;
    if (!status) *params = (CUDA_HOST_NODE_PARAMS){ op.host.fn, op.host.data };
    return status;
}

ENTRY(cuGraphHostNodeSetParams,
      (CUgraphNode node, const CUDA_HOST_NODE_PARAMS *params), (node, params))
{
    rill_op op;
    CUresult read = read_host(params, &op);
    return si_node_set(node, read, &op);
}

ENTRY(cuGraphExecHostNodeSetParams,
      (CUgraphExec exec, CUgraphNode node, const CUDA_HOST_NODE_PARAMS *params),
      (exec, node, params))
{
    rill_op op;
    CUresult read = read_host(params, &op);
    return si_exec_set_node(exec, node, read, &op);
}
