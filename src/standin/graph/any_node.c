/* SPDX-License-Identifier: Apache-2.0
 *
 * The calls for nodes of any kind, by one struct of parameters.
 */
#include "standin/graph/exec.h"
#include "standin/graph/node_kind.h"

/* Refuses used bytes among the reserved ones and after the parameters of the kind. */
static CUresult check_params(const CUgraphNodeParams *params, const struct si_node_kind **kind)
{
    if (!params || params->reserved2) return RILL_ERROR_INVALID_VALUE;
    *kind = si_node_kind(params->type);
    const int *reserved = params->reserved0;
    long long used = reserved[0] | reserved[1] | reserved[2];
    size_t words = sizeof params->reserved1 / sizeof params->reserved1[0];
    for (size_t i = (*kind)->bytes / sizeof(long long); i < words; i++)
        used |= params->reserved1[i];
    return used ? RILL_ERROR_INVALID_VALUE : RILL_SUCCESS;
}

ENTRY(cuGraphAddNode_v2,
      (CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
       const CUgraphEdgeData *edges, size_t count, CUgraphNodeParams *params),
      (node, graph, dependencies, edges, count, params))
{
    rill_op op;
    struct si_op_buffers buffers;
    const struct si_node_kind *kind;
    CUresult read = check_params(params, &kind);
    if (!read && kind->add) return kind->add(node, graph, dependencies, edges, count, params);
    if (!read) read = kind->read(params, &buffers, &op);
    /* A kernel that is none comes before a missing graph. */
    if (read == RILL_ERROR_INVALID_HANDLE && !graph && kind == &si_kernel_kind) return read;
    CUresult status = si_node_add(node, graph, dependencies, count, edges, read, &op);
    if (!status && kind->answer) kind->answer(&op, params);
    return !status && kind->keep ? kind->keep(*node, params) : status;
}

SAME_AS(cuGraphAddNode, cuGraphAddNode_v2,
        (CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
         CUgraphNodeParams *params),
        (node, graph, dependencies, NULL, count, params))

ENTRY(cuGraphNodeSetParams, (CUgraphNode node, const CUgraphNodeParams *params), (node, params))
{
    rill_op op;
    rill_graph *graph;
    struct si_op_buffers buffers;
    const struct si_node_kind *kind;
    CUresult status = si_node_graph(node, &graph);
    if (!status) status = check_params(params, &kind);
    if (!status) status = si_node_check_settable(node, params->type, kind->fixed);
    if (!status) status = kind->read(params, &buffers, &op);
    if (!status) status = rill_node_set_op(graph, node, &op);
    return !status && kind->keep ? kind->keep(node, params) : status;
}

ENTRY(cuGraphExecNodeSetParams,
      (CUgraphExec exec, CUgraphNode node, const CUgraphNodeParams *params),
      (exec, node, params))
{
    rill_op op;
    rill_exec *known;
    struct si_op_buffers buffers;
    const struct si_node_kind *kind;
    CUresult read = check_params(params, &kind);
    if (!read) read = si_node_check_settable(node, params->type, kind->fixed);
    if (!read) read = kind->read(params, &buffers, &op);
    /* An empty node has nothing to set, whatever graph it is in. */
    if (!read && !kind->bytes) return si_exec(exec, &known);
    return si_exec_set_node(exec, node, read, &op);
}
