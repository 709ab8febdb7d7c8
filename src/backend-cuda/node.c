/* SPDX-License-Identifier: Apache-2.0
 *
 * Nodes: their kinds, what is inside them, and their end.
 */
#include "backend-cuda/graph.h"

#include "backend-cuda/host.h"

/* ---- Kinds ----------------------------------------------------------------------- */

/* Inside host functions the driver does not tell the kind, but some parameters. */
__attribute__((noinline))
static rill_op_kind guess_kind(CUgraphNode raw)
{
    CUDA_KERNEL_NODE_PARAMS_v2 kernel;
    CUDA_HOST_NODE_PARAMS host;
    CUDA_BATCH_MEM_OP_NODE_PARAMS values;
    CUevent event;
    if (cuda_api.GraphKernelNodeGetParams && !cuda_api.GraphKernelNodeGetParams(raw, &kernel))
        return RILL_OP_KERNEL;
    if (!cuda_api.GraphHostNodeGetParams(raw, &host)) return RILL_OP_HOST;
    if (!cuda_api.GraphEventRecordNodeGetEvent(raw, &event)) return RILL_OP_EVENT_RECORD;
    if (!cuda_api.GraphEventWaitNodeGetEvent(raw, &event)) return RILL_OP_EVENT_WAIT;
    if (!cuda_api.GraphBatchMemOpNodeGetParams(raw, &values)) return RILL_OP_VALUES;
    return CUDA_KIND_UNKNOWN;
}

rill_op_kind cuda_kind_of(CUgraphNode raw)
{
    CUgraphNodeType type = CU_GRAPH_NODE_TYPE_EMPTY;
    if (cuda_api.GraphNodeGetType(raw, &type)) return guess_kind(raw);
    return (rill_op_kind)type;
}

rill_status cuda_node_kind(rill_graph *handle, rill_node node, rill_op_kind *kind)
{
    CUgraphNodeType type = CU_GRAPH_NODE_TYPE_EMPTY;
    rill_status status = cuda_check_node(cuda_graph_of(handle), node, "node");
    if (!status)
        status = cuda_end(cuda_api.GraphNodeGetType(cuda_raw_node(node), &type),
                          "cuGraphNodeGetType");
    if (!status) *kind = (rill_op_kind)type;
    return status;
}

/* Some nodes need no context, and can so be had inside host functions, as measured. */
rill_status cuda_enter_for_op(struct cuda_context *context, const rill_op *op,
                              struct cuda_visit *visit)
{
    visit->pushed = false;
    switch ((int)op->kind) {
    case RILL_OP_HOST:
    case RILL_OP_EMPTY:
    case RILL_OP_EVENT_WAIT:
    case RILL_OP_EVENT_RECORD: return RILL_SUCCESS;
    case RILL_OP_VALUES:
    case RILL_OP_CONDITIONAL: return cuda_enter_to_set(context, op, visit);
    case RILL_OP_KERNEL: return cuda_enter(cuda_home(op->kernel.kernel), visit);
    }
    return context ? cuda_enter(context, visit) : RILL_SUCCESS;
}

/* Inside a host function no context can be made current, and the driver has an answer
 * of its own, as measured. */
rill_status cuda_enter_to_set(struct cuda_context *context, const rill_op *op,
                              struct cuda_visit *visit)
{
    if (op->kind == RILL_OP_KERNEL) context = cuda_home(op->kernel.kernel);
    visit->pushed = false;
    if (!context) return RILL_SUCCESS;
    rill_status status = cuda_enter(context, visit);
    return status == RILL_ERROR_NOT_PERMITTED ? RILL_SUCCESS : status;
}

/* ---- Boxes of host functions ----------------------------------------------------- */

/* What the node refers to, or NULL. */
struct cuda_box *cuda_box_of(CUgraphNode raw)
{
    CUDA_HOST_NODE_PARAMS params = { NULL, NULL };
    if (cuda_api.GraphHostNodeGetParams(raw, &params)) return NULL;
    return cuda_find_box(params.fn, params.userData);
}

void cuda_let_go(const struct cuda_graph *graph, struct cuda_box *box)
{
    if (box) cuda_api.GraphReleaseUserObject(graph->raw, box->object, 1);
}

/* What is inside the node goes, and a capture would go on into what is no more. */
rill_status cuda_check_inside(const struct cuda_graph *graph, CUgraphNode raw)
{
    for (const struct cuda_graph *inner = graph->inner; inner; inner = inner->beside)
        if (inner->holder == raw && cuda_graph_is_captured(inner))
            return rill_backend_fail(RILL_ERROR_ILLEGAL_STATE, "node",
                                     "a stream captures into a graph inside the node; end that "
                                     "first");
    return RILL_SUCCESS;
}

/* ---- Removing -------------------------------------------------------------------- */

static rill_status explain_removal(CUresult result)
{
    if (result == CUDA_ERROR_NOT_SUPPORTED)
        return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, "graph",
                                 "a graph that allocates or frees memory cannot lose nodes; build "
                                 "another one");
    if (result == CUDA_ERROR_ILLEGAL_STATE)
        return rill_backend_fail(RILL_ERROR_ILLEGAL_STATE, "graph",
                                 "a stream captures into this graph; remove nodes when the "
                                 "capture has ended");
    return cuda_fail(result, "cuGraphDestroyNode", "node");
}

rill_status cuda_graph_remove_node(rill_graph *handle, rill_node node)
{
    struct cuda_graph *graph = cuda_graph_of(handle);
    CUgraphNode raw = cuda_raw_node(node);
    rill_status status = cuda_check_node(graph, node, "node");
    if (!status) status = cuda_check_inside(graph, raw);
    if (status) return status;
    struct cuda_box *box = cuda_box_of(raw);
    CUresult result = cuda_api.GraphDestroyNode(raw);
    if (result) return explain_removal(result);
    cuda_forget_inner(graph, raw);
    cuda_nodes_take(&graph->nodes, raw);
    cuda_let_go(graph, box);
    return RILL_SUCCESS;
}

/* ---- What a node does ------------------------------------------------------------ */

rill_status cuda_node_get_op(rill_graph *handle, rill_node node, rill_op *op)
{
    struct cuda_graph *graph = cuda_graph_of(handle);
    rill_status status = cuda_check_node(graph, node, "node");
    return status ? status : cuda_read_op(graph, cuda_raw_node(node), op);
}

rill_status cuda_node_child(rill_graph *handle, rill_node node, rill_graph **child)
{
    struct cuda_graph *graph = cuda_graph_of(handle);
    CUgraphNode raw = cuda_raw_node(node);
    CUgraph inside;
    rill_status status = cuda_check_node(graph, node, "node");
    if (status) return status;
    CUresult result = cuda_api.GraphChildGraphNodeGetGraph(raw, &inside);
    if (result)
        return rill_backend_fail((rill_status)result, "node",
                                 "node is a %s node, which has no child graph",
                                 rl_op_name(cuda_kind_of(raw)));
    return cuda_inner_graph(graph, raw, inside, child);
}
