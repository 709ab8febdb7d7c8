/* SPDX-License-Identifier: Apache-2.0
 *
 * Nodes that write values and wait for them.
 */
#include "standin/graph/exec.h"
#include "standin/graph/node_kind.h"

static CUresult read_values(const CUDA_BATCH_MEM_OP_NODE_PARAMS *params,
                            struct si_op_buffers *buffers, rill_op *op)
{
    rill_context *context;
    if (!params || !params->context) return RILL_ERROR_INVALID_VALUE;
    if (params->count > SI_VALUES_MAX || !params->items) return RILL_ERROR_INVALID_VALUE;
    CUresult status = si_context(params->context, &context);
    if (status) return status;
    for (unsigned i = 0; i < params->count; i++)
        buffers->values[i] = si_value_read(&params->items[i]);
    *op = (rill_op){ .kind = RILL_OP_VALUES };
    op->values = (rill_values_op){ buffers->values, params->count, params->flags };
    return RILL_SUCCESS;
}

static CUresult read_params(const CUgraphNodeParams *params, struct si_op_buffers *buffers,
                            rill_op *op)
{
    return read_values(&params->values, buffers, op);
}

const struct si_node_kind si_values_kind = { .bytes = sizeof(CUDA_BATCH_MEM_OP_NODE_PARAMS),
                                             .read = read_params };

/* ---- Calls for this kind alone ------------------------------------------------------------ */

ENTRY(cuGraphAddBatchMemOpNode,
      (CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
       const CUDA_BATCH_MEM_OP_NODE_PARAMS *params),
      (node, graph, dependencies, count, params))
{
    rill_op op;
    struct si_op_buffers buffers;
    CUresult read = read_values(params, &buffers, &op);
    return si_node_add(node, graph, dependencies, count, NULL, read, &op);
}

/* The driver's form of the items is stored with the node, anew by each call that asks. */
ENTRY(cuGraphBatchMemOpNodeGetParams,
      (CUgraphNode node, CUDA_BATCH_MEM_OP_NODE_PARAMS *params), (node, params))
{
    rill_op op;
    rill_graph *graph;
    CUresult status = si_node_get(node, RILL_OP_VALUES, &graph, &op);
    if (!status && !params) status = RILL_ERROR_INVALID_VALUE;
    if (status) return status;
    size_t count = op.values.count;
    CUstreamBatchMemOpParams *items =
        si_node_storage_put(si_node_storage_of(graph), node, count * sizeof *items);
    if (!items) return RILL_ERROR_OUT_OF_MEMORY;
    for (size_t i = 0; i < count; i++) si_value_write(&op.values.items[i], &items[i]);
    const struct si_slot *slot = si_handle_of(graph);
    *params = (CUDA_BATCH_MEM_OP_NODE_PARAMS){
        .context = slot && slot->context ? si_context_handle(slot->context) : NULL,
        .count = (unsigned)count,
        .items = items,
        .flags = op.values.flags,
    };
    return RILL_SUCCESS;
}

ENTRY(cuGraphBatchMemOpNodeSetParams,
      (CUgraphNode node, const CUDA_BATCH_MEM_OP_NODE_PARAMS *params), (node, params))
{
    rill_op op;
    struct si_op_buffers buffers;
    CUresult read = read_values(params, &buffers, &op);
    return si_node_set(node, read, &op);
}

ENTRY(cuGraphExecBatchMemOpNodeSetParams,
      (CUgraphExec exec, CUgraphNode node, const CUDA_BATCH_MEM_OP_NODE_PARAMS *params),
      (exec, node, params))
{
    rill_op op;
    struct si_op_buffers buffers;
    CUresult read = read_values(params, &buffers, &op);
    return si_exec_set_node(exec, node, read, &op);
}
