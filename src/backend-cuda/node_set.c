/* SPDX-License-Identifier: Apache-2.0
 *
 * Setting what a node does.
 */
#include "backend-cuda/graph.h"

#include "backend-cuda/attribute.h"
#include "backend-cuda/host.h"

static rill_status check_kind(CUgraphNode raw, const rill_op *op)
{
    rill_op_kind kind = cuda_kind_of(raw);
    if (kind == CUDA_KIND_UNKNOWN) kind = op->kind; /* the driver refuses another */
    if (op->kind != kind)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "op->kind",
                                 "op->kind is %d, but the node is a %s node and stays one",
                                 (int)op->kind, rl_op_name(kind));
    if (kind == RILL_OP_ALLOC || kind == RILL_OP_FREE || kind == RILL_OP_CONDITIONAL)
        return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, "op->kind",
                                 "conditionals and memory stay as they are added; build another "
                                 "graph for others");
    if (kind == RILL_OP_GRAPH) return cuda_need(GraphNodeSetParams, 12020);
    return RILL_SUCCESS;
}

static rill_status set_raw(struct cuda_graph *graph, CUgraphNode raw, const rill_op *op,
                           struct cuda_node_params *params)
{
    CUresult result = cuda_api.GraphNodeSetParams ? cuda_api.GraphNodeSetParams(raw, params)
                                                  : cuda_typed_set(raw, params);
    if (__builtin_expect(result == CUDA_SUCCESS, 1)) return RILL_SUCCESS;
    struct cuda_context *context;
    cuda_find_work(graph, op, &context);
    return cuda_explain_op(graph->platform, context, result, "cuGraphNodeSetParams", op);
}

/* Attributes first: they can be taken back. */
static rill_status set_kernel(struct cuda_graph *graph, CUgraphNode raw, const rill_op *op,
                              struct cuda_node_params *params)
{
    CUlaunchAttribute before[CUDA_ATTRIBUTES_MAX];
    size_t set = 0;
    if (!op->kernel.attribute_count) return set_raw(graph, raw, op, params);
    rill_status status = cuda_set_node_attributes(raw, &op->kernel, before, &set);
    if (!status) status = set_raw(graph, raw, op, params);
    if (status) cuda_restore_attributes(raw, before, set);
    return status;
}

static rill_status set_host(struct cuda_graph *graph, CUgraphNode raw, const rill_op *op,
                            struct cuda_node_params *params, struct cuda_box *box)
{
    struct cuda_box *before = cuda_box_of(raw);
    rill_status status = cuda_box_keep(box, graph->raw);
    if (status) return status;
    status = set_raw(graph, raw, op, params);
    cuda_let_go(graph, status ? box : before);
    return status;
}

/* The driver makes a copy, whatever it was told to do; what was inside is gone. */
static rill_status set_child(struct cuda_graph *graph, CUgraphNode raw, const rill_op *op,
                             struct cuda_node_params *params)
{
    params->child.ownership = CUDA_CHILD_CLONE;
    rill_status status = cuda_check_inside(graph, raw);
    if (!status) status = set_raw(graph, raw, op, params);
    if (!status) cuda_forget_inner(graph, raw);
    return status;
}

static rill_status set_in_context(struct cuda_graph *graph, CUgraphNode raw, const rill_op *op,
                                  struct cuda_node_params *params, struct cuda_box *box)
{
    switch ((int)op->kind) {
    case RILL_OP_KERNEL: return set_kernel(graph, raw, op, params);
    case RILL_OP_HOST: return set_host(graph, raw, op, params, box);
    case RILL_OP_GRAPH: return set_child(graph, raw, op, params);
    }
    return set_raw(graph, raw, op, params);
}

static rill_status set_written(struct cuda_graph *graph, CUgraphNode raw, const rill_op *op)
{
    struct cuda_node_params params;
    struct cuda_room room;
    struct cuda_visit visit;
    struct cuda_context *context;
    rill_status status = cuda_find_work(graph, op, &context);
    if (!status) status = cuda_write_params(graph->platform, context, op, &params, &room);
    if (status || op->kind == RILL_OP_EMPTY) return status;
    status = cuda_enter_to_set(context, op, &visit);
    if (status) {
        cuda_box_drop(room.box);
        return status;
    }
    status = set_in_context(graph, raw, op, &params, room.box);
    cuda_leave(&visit);
    return status;
}

rill_status cuda_node_set_op(rill_graph *handle, rill_node node, const rill_op *op)
{
    struct cuda_graph *graph = cuda_graph_of(handle);
    rill_status status = cuda_check_node(graph, node, "node");
    if (!status) status = check_kind(cuda_raw_node(node), op);
    if (!status) return set_written(graph, cuda_raw_node(node), op);
    if (op->kind == RILL_OP_HOST) cuda_refuse_host(op);
    return status;
}
