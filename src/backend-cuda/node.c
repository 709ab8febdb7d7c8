/* SPDX-License-Identifier: Apache-2.0
 *
 * Nodes: adding, removing, and what they do.
 */
#include "backend-cuda/graph.h"

#include <string.h>

#include "backend-cuda/host.h"
#include "base/alloc.h"

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

const char *cuda_kind_name(rill_op_kind kind)
{
    switch ((int)kind) {
    case RILL_OP_KERNEL: return "kernel";
    case RILL_OP_MEMCPY: return "copy";
    case RILL_OP_MEMSET: return "fill";
    case RILL_OP_HOST: return "host";
    case RILL_OP_GRAPH: return "child graph";
    case RILL_OP_EMPTY: return "empty";
    case RILL_OP_EVENT_WAIT: return "event wait";
    case RILL_OP_EVENT_RECORD: return "event record";
    case RILL_OP_ALLOC: return "alloc";
    case RILL_OP_FREE: return "free";
    case RILL_OP_VALUES: return "value";
    case RILL_OP_CONDITIONAL: return "conditional";
    }
    return "unknown";
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
    return cuda_enter(context, visit);
}

/* Inside a host function no context can be made current, and the driver has an answer
 * of its own, as measured. */
rill_status cuda_enter_to_set(struct cuda_context *context, const rill_op *op,
                              struct cuda_visit *visit)
{
    if (op->kind == RILL_OP_KERNEL) context = cuda_home(op->kernel.kernel);
    rill_status status = cuda_enter(context, visit);
    return status == RILL_ERROR_NOT_PERMITTED ? RILL_SUCCESS : status;
}

/* ---- Boxes of host functions ----------------------------------------------------- */

/* What the node refers to, or NULL. */
static struct cuda_box *box_of(CUgraphNode raw)
{
    CUDA_HOST_NODE_PARAMS params;
    if (cuda_api.GraphHostNodeGetParams(raw, &params)) return NULL;
    return cuda_find_box(params.fn, params.userData);
}

static void let_go(const struct cuda_graph *graph, struct cuda_box *box)
{
    if (box) cuda_api.GraphReleaseUserObject(graph->raw, box->object, 1);
}

/* ---- Adding ---------------------------------------------------------------------- */

struct addition {
    struct cuda_graph *graph;
    const rill_node *dependencies;
    const rill_edge *edges;
    size_t count;
    rill_op *op;
    CUgraphNode node; /* out */
    struct cuda_node_params params;
    struct cuda_bodies bodies; /* of a conditional */
};

static rill_status check_dependencies(const struct addition *a)
{
    static const rill_edge plain;
    rill_status status = RILL_SUCCESS;
    for (size_t i = 0; !status && i < a->count; i++)
        status = cuda_check_node(a->graph, a->dependencies[i], "dependencies");
    if (cuda_api.GraphAddNode) return status;
    for (size_t i = 0; !status && a->edges && i < a->count; i++)
        if (memcmp(&a->edges[i], &plain, sizeof plain)) status = cuda_need(GraphAddNode, 12030);
    return status;
}

/* Whether the child is the graph, or one around it. */
static bool is_around(const struct addition *a)
{
    const struct cuda_graph *graph = a->graph;
    while (graph && graph->handle != a->op->graph.graph) graph = graph->outer;
    return graph != NULL;
}

/* The driver would let a graph swallow itself, and then nobody could destroy it. */
static rill_status check_move(const struct addition *a)
{
    if (a->op->kind != RILL_OP_GRAPH || !(a->op->graph.flags & RILL_CHILD_MOVE) || !is_around(a))
        return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "op->graph.graph",
                             "op->graph.graph would move into itself; leave out "
                             "RILL_CHILD_MOVE to add a copy");
}

static rill_status check_flags(const struct addition *a)
{
    if (a->op->kind != RILL_OP_GRAPH || !(a->op->graph.flags & ~RILL_CHILD_MOVE))
        return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "op->graph.flags",
                             "op->graph.flags is 0x%x; it may be 0 or RILL_CHILD_MOVE",
                             (unsigned)a->op->graph.flags);
}

static bool named_twice(const struct addition *a)
{
    for (size_t i = 1; i < a->count; i++)
        for (size_t k = 0; k < i; k++)
            if (a->dependencies[i] == a->dependencies[k]) return true;
    return false;
}

static rill_status explain(const struct addition *a, CUresult result)
{
    static const rill_edge plain;
    if (result == CUDA_ERROR_INVALID_VALUE && a->count < 10000 && named_twice(a))
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "dependencies",
                                 "dependencies names a node twice");
    for (size_t i = 0; result == CUDA_ERROR_INVALID_VALUE && a->edges && i < a->count; i++)
        if (memcmp(&a->edges[i], &plain, sizeof plain) && a->op->kind != RILL_OP_KERNEL)
            return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "edges",
                                     "edge %zu carries data that does not go with its two nodes",
                                     i);
    return cuda_explain_op(a->graph->context, result, "cuGraphAddNode", a->op);
}

static rill_status add_raw(struct addition *a)
{
    const CUgraphNode *dependencies = cuda_const_raw_nodes(a->dependencies);
    CUgraph graph = a->graph->raw;
    CUresult result = cuda_api.GraphAddNode
                          ? cuda_api.GraphAddNode(&a->node, graph, dependencies, a->edges,
                                                  a->count, &a->params)
                          : cuda_typed_add(&a->node, graph, dependencies, a->count, &a->params);
    return __builtin_expect(result == CUDA_SUCCESS, 1) ? RILL_SUCCESS : explain(a, result);
}

static rill_status add_kernel(struct addition *a)
{
    size_t set;
    rill_status status = add_raw(a);
    if (status || !a->op->kernel.attribute_count) return status;
    status = cuda_set_node_attributes(a->node, &a->op->kernel, NULL, &set);
    if (status) cuda_api.GraphDestroyNode(a->node);
    return status;
}

static rill_status add_host(struct addition *a, struct cuda_box *box)
{
    rill_status status = cuda_box_keep(box, a->graph->raw);
    if (status) return status;
    status = add_raw(a);
    if (status) let_go(a->graph, box);
    return status;
}

/* The driver crashes when a graph is added to itself, but not when a clone is. */
static rill_status add_itself(struct addition *a)
{
    CUgraph copy;
    CUresult result = cuda_api.GraphClone(&copy, a->params.child.graph);
    if (result) return explain(a, result);
    a->params.child.graph = copy;
    rill_status status = add_raw(a);
    cuda_api.GraphDestroy(copy);
    return status;
}

static rill_status add_child(struct addition *a)
{
    const rill_graph_op *op = &a->op->graph;
    struct cuda_graph *child = cuda_graph_of(op->graph);
    if (is_around(a)) return add_itself(a);
    rill_status status = add_raw(a);
    if (status) return status;
    if (op->flags & RILL_CHILD_MOVE) {
        child->moved = true;
        cuda_settle_inner(a->graph, child, a->node, child->raw);
    }
    return status;
}

static rill_status add_conditional(struct addition *a)
{
    rill_status status = cuda_bodies_make(a->graph, &a->op->conditional, &a->bodies);
    if (status) return status;
    status = add_raw(a);
    if (status)
        cuda_bodies_drop(&a->bodies);
    else
        cuda_bodies_settle(a->graph, a->node, a->params.conditional.bodies, &a->op->conditional,
                           &a->bodies);
    return status;
}

static rill_status add_kind(struct addition *a, struct cuda_box *box)
{
    rill_status status;
    switch ((int)a->op->kind) {
    case RILL_OP_KERNEL: return add_kernel(a);
    case RILL_OP_HOST: return add_host(a, box);
    case RILL_OP_GRAPH: return add_child(a);
    case RILL_OP_CONDITIONAL: return add_conditional(a);
    case RILL_OP_ALLOC:
        status = add_raw(a);
        if (!status) a->op->alloc.address = a->params.alloc.address;
        return status;
    }
    return add_raw(a);
}

static rill_status add_written(struct addition *a)
{
    struct cuda_room room;
    struct cuda_visit visit;
    rill_status status = cuda_write_params(a->graph->context, a->op, &a->params, &room);
    if (status) return status;
    status = cuda_enter_for_op(a->graph->context, a->op, &visit);
    if (status) {
        cuda_box_drop(room.box);
        return status;
    }
    status = add_kind(a, room.box);
    cuda_leave(&visit);
    return status;
}

rill_status cuda_graph_add_node(rill_graph *handle, const rill_node *dependencies,
                                const rill_edge *edges, size_t count, rill_op *op,
                                rill_node *node)
{
    struct addition a = { .graph = cuda_graph_of(handle), .dependencies = dependencies,
                          .edges = edges, .count = count, .op = op };
    rill_status status = check_dependencies(&a);
    if (!status) status = check_flags(&a);
    if (!status) status = check_move(&a);
    if (status) {
        if (op->kind == RILL_OP_HOST) cuda_refuse_host(op);
        return status;
    }
    status = add_written(&a);
    if (status) return status;
    cuda_nodes_put(&a.graph->nodes, a.node); /* one that finds no room is found later */
    *node = cuda_node(a.node);
    return RILL_SUCCESS;
}

/* What is inside the node goes, and a capture would go on into what is no more. */
static rill_status check_inside(const struct cuda_graph *graph, CUgraphNode raw)
{
    for (const struct cuda_graph *inner = graph->inner; inner; inner = inner->beside)
        if (inner->holder == raw && cuda_capture_goes_into(inner))
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
    if (!status) status = check_inside(graph, raw);
    if (status) return status;
    struct cuda_box *box = box_of(raw);
    CUresult result = cuda_api.GraphDestroyNode(raw);
    if (result) return explain_removal(result);
    cuda_forget_inner(graph, raw);
    cuda_nodes_take(&graph->nodes, raw);
    let_go(graph, box);
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
                                 cuda_kind_name(cuda_kind_of(raw)));
    return cuda_inner_graph(graph, raw, inside, child);
}

/* ---- Changing it ----------------------------------------------------------------- */

static rill_status check_kind(CUgraphNode raw, const rill_op *op)
{
    rill_op_kind kind = cuda_kind_of(raw);
    if (kind == CUDA_KIND_UNKNOWN) kind = op->kind; /* the driver refuses another */
    if (op->kind != kind)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "op->kind",
                                 "op->kind is %d, but the node is a %s node and stays one",
                                 (int)op->kind, cuda_kind_name(kind));
    if (kind == RILL_OP_ALLOC || kind == RILL_OP_FREE || kind == RILL_OP_CONDITIONAL)
        return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, "op->kind",
                                 "conditionals and memory cannot be set; remove the node and add "
                                 "another");
    if (kind == RILL_OP_GRAPH) return cuda_need(GraphNodeSetParams, 12020);
    return RILL_SUCCESS;
}

static rill_status set_raw(struct cuda_graph *graph, CUgraphNode raw, const rill_op *op,
                           struct cuda_node_params *params)
{
    CUresult result = cuda_api.GraphNodeSetParams ? cuda_api.GraphNodeSetParams(raw, params)
                                                  : cuda_typed_set(raw, params);
    if (__builtin_expect(result == CUDA_SUCCESS, 1)) return RILL_SUCCESS;
    return cuda_explain_op(graph->context, result, "cuGraphNodeSetParams", op);
}

/* Attributes first: they can be taken back. */
static rill_status set_kernel(struct cuda_graph *graph, CUgraphNode raw, const rill_op *op,
                              struct cuda_node_params *params)
{
    size_t count = op->kernel.attribute_count, set = 0;
    if (!count) return set_raw(graph, raw, op, params);
    CUlaunchAttribute *before = rl_alloc(count * sizeof *before);
    if (!before) return RILL_ERROR_OUT_OF_MEMORY;
    rill_status status = cuda_set_node_attributes(raw, &op->kernel, before, &set);
    if (!status) status = set_raw(graph, raw, op, params);
    if (status) cuda_restore_attributes(raw, before, set);
    rl_free(before);
    return status;
}

static rill_status set_host(struct cuda_graph *graph, CUgraphNode raw, const rill_op *op,
                            struct cuda_node_params *params, struct cuda_box *box)
{
    struct cuda_box *before = box_of(raw);
    rill_status status = cuda_box_keep(box, graph->raw);
    if (status) return status;
    status = set_raw(graph, raw, op, params);
    let_go(graph, status ? box : before);
    return status;
}

/* The driver makes a copy, whatever it was told to do; what was inside is gone. */
static rill_status set_child(struct cuda_graph *graph, CUgraphNode raw, const rill_op *op,
                             struct cuda_node_params *params)
{
    params->child.ownership = CUDA_CHILD_CLONE;
    rill_status status = check_inside(graph, raw);
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
    rill_status status = cuda_write_params(graph->context, op, &params, &room);
    if (status || op->kind == RILL_OP_EMPTY) return status;
    status = cuda_enter_to_set(graph->context, op, &visit);
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
