/* SPDX-License-Identifier: Apache-2.0
 *
 * Nodes: adding those of each kind, and what all kinds share.  Parameters of nodes
 * that are there already: node_params.c; those that take a node of any kind:
 * node_any.c.
 */
#include "standin/node.h"

#include <string.h>

/* ---- Adding ------------------------------------------------------------------------------- */

CUresult si_add(CUgraphNode *node, CUgraph handle, const CUgraphNode *dependencies, size_t count,
                const rill_edge *edges, CUresult read, rill_op *op)
{
    rill_graph *graph;
    rill_node made = NULL;
    CUresult status = si_graph(handle, &graph);
    if (!status && !node) status = RILL_ERROR_INVALID_VALUE;
    if (!status) status = read;
    if (!status) status = rill_graph_add_node_with_edges(graph, dependencies, edges, count, op,
                                                         &made);
    if (!status) *node = made;
    return status;
}

ENTRY(cuGraphAddEmptyNode,
      (CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count),
      (node, graph, dependencies, count))
{
    rill_op op = { .kind = RILL_OP_EMPTY };
    return si_add(node, graph, dependencies, count, NULL, RILL_SUCCESS, &op);
}

ENTRY(cuGraphAddKernelNode_v2,
      (CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
       const CUDA_KERNEL_NODE_PARAMS *params),
      (node, graph, dependencies, count, params))
{
    rill_op op;
    struct si_room room;
    CUresult read = si_kernel_op(params, &room, &op);
    CUresult status = si_add(node, graph, dependencies, count, NULL, read, &op);
    if (!status) si_note_kernel(*node, params);
    return status;
}

ENTRY(cuGraphAddKernelNode,
      (CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
       const CUDA_KERNEL_NODE_PARAMS_v1 *params),
      (node, graph, dependencies, count, params))
{
    CUDA_KERNEL_NODE_PARAMS now;
    if (params) now = si_kernel_params(params);
    return cuGraphAddKernelNode_v2(node, graph, dependencies, count, params ? &now : NULL);
}

ENTRY(cuGraphAddMemcpyNode,
      (CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
       const CUDA_MEMCPY3D *params, CUcontext context),
      (node, graph, dependencies, count, params, context))
{
    rill_op op;
    CUresult read = si_copy_under(context, si_copy_op(params, &op), &op);
    return si_add(node, graph, dependencies, count, NULL, read, &op);
}

ENTRY(cuGraphAddMemsetNode,
      (CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
       const CUDA_MEMSET_NODE_PARAMS_v1 *params, CUcontext context),
      (node, graph, dependencies, count, params, context))
{
    rill_op op;
    CUDA_MEMSET_NODE_PARAMS now;
    if (params) now = si_fill_params(params, context);
    CUresult read = si_under(context, si_fill_op(params ? &now : NULL, &op));
    return si_add(node, graph, dependencies, count, NULL, read, &op);
}

ENTRY(cuGraphAddHostNode,
      (CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
       const CUDA_HOST_NODE_PARAMS *params),
      (node, graph, dependencies, count, params))
{
    rill_op op;
    CUresult read = si_host_op(params, &op);
    return si_add(node, graph, dependencies, count, NULL, read, &op);
}

ENTRY(cuGraphAddChildGraphNode,
      (CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
       CUgraph child),
      (node, graph, dependencies, count, child))
{
    rill_op op;
    CUresult read = si_child_op(child, 0, &op);
    return si_add(node, graph, dependencies, count, NULL, read, &op);
}

ENTRY(cuGraphAddEventRecordNode,
      (CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
       CUevent event),
      (node, graph, dependencies, count, event))
{
    rill_op op;
    CUresult read = si_event_op(RILL_OP_EVENT_RECORD, event, &op);
    return si_add(node, graph, dependencies, count, NULL, read, &op);
}

ENTRY(cuGraphAddEventWaitNode,
      (CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
       CUevent event),
      (node, graph, dependencies, count, event))
{
    rill_op op;
    CUresult read = si_event_op(RILL_OP_EVENT_WAIT, event, &op);
    return si_add(node, graph, dependencies, count, NULL, read, &op);
}

ENTRY(cuGraphAddBatchMemOpNode,
      (CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
       const CUDA_BATCH_MEM_OP_NODE_PARAMS *params),
      (node, graph, dependencies, count, params))
{
    rill_op op;
    struct si_room room;
    CUresult read = si_values_op(params, &room, &op);
    return si_add(node, graph, dependencies, count, NULL, read, &op);
}

/* Who else may reach the memory has no place in rill: it is noted for those who ask. */
CUresult si_note_access(CUgraphNode node, const CUDA_MEM_ALLOC_NODE_PARAMS *params)
{
    rill_graph *graph;
    if (!params->access_count) return RILL_SUCCESS;
    CUresult status = si_node_graph(node, &graph);
    size_t bytes = params->access_count * sizeof *params->access;
    struct si_access *note = NULL;
    if (!status) note = si_node_storage_put(si_node_storage_of(graph), node, sizeof *note + bytes);
    if (!note) return RILL_ERROR_OUT_OF_MEMORY;
    note->count = params->access_count;
    memcpy(note->items, params->access, bytes);
    return RILL_SUCCESS;
}

ENTRY(cuGraphAddMemAllocNode,
      (CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
       CUDA_MEM_ALLOC_NODE_PARAMS *params),
      (node, graph, dependencies, count, params))
{
    rill_op op;
    CUresult read = si_alloc_op(params, &op);
    CUresult status = si_add(node, graph, dependencies, count, NULL, read, &op);
    if (status) return status;
    params->address = op.alloc.address;
    return si_note_access(*node, params);
}

ENTRY(cuGraphAddMemFreeNode,
      (CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
       CUdeviceptr address),
      (node, graph, dependencies, count, address))
{
    rill_op op;
    CUresult read = si_free_op(address, &op);
    return si_add(node, graph, dependencies, count, NULL, read, &op);
}

/* ---- What all kinds share ----------------------------------------------------------------- */

ENTRY(cuGraphDestroyNode, (CUgraphNode node), (node))
{
    rill_graph *graph;
    CUresult status = si_node_graph(node, &graph);
    if (!status) status = rill_graph_remove_node(graph, node);
    if (!status) si_node_storage_drop(si_node_storage_of(graph), node);
    return status;
}

ENTRY(cuGraphNodeGetType, (CUgraphNode node, int *type), (node, type))
{
    rill_graph *graph;
    rill_op_kind kind;
    CUresult status = si_node_graph(node, &graph);
    if (!status && !type) status = RILL_ERROR_INVALID_VALUE;
    if (!status) status = rill_node_kind(graph, node, &kind);
    if (!status) *type = kind;
    return status;
}

ENTRY(cuGraphChildGraphNodeGetGraph, (CUgraphNode node, CUgraph *out), (node, out))
{
    rill_graph *graph, *child;
    CUresult status = si_node_graph(node, &graph);
    if (!status && !out) status = RILL_ERROR_INVALID_VALUE;
    if (!status) status = rill_node_child_graph(graph, node, &child);
    return status ? status : si_graph_handle_in(child, si_handle_of(graph), out);
}
