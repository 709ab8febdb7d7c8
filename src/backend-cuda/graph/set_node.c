/* SPDX-License-Identifier: Apache-2.0
 *
 * Setting what a node does.
 */
#include "backend-cuda/graph/calls.h"
#include "backend-cuda/kind/host.h"
#include "backend-cuda/kind/kind.h"
#include "backend-cuda/object/graph_nodes.h"
#include "base/words/op_kind.h"

static rill_status check_kind(CUgraphNode raw, const struct cuda_kind *kind, const rill_op *op)
{
    rill_op_kind present = cuda_kind_of(raw);
    /* If the driver does not tell the kind, it refuses a wrong one itself. */
    if (present != CUDA_KIND_UNKNOWN && present != op->kind)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "op->kind",
                                 "op->kind is %d, but the node is of the kind %s, which it keeps",
                                 (int)op->kind, rl_op_name(present));
    if (kind->traits & CUDA_KIND_IS_FIXED)
        return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, "op->kind",
                                 "conditionals and memory stay as they are added; build another "
                                 "graph for others");
    if (!kind->typed_set && !(kind->traits & CUDA_KIND_SAYS_NOTHING))
        return cuda_need(GraphNodeSetParams, 12020);
    return RILL_SUCCESS;
}

static rill_status write_and_set(struct cuda_change *c)
{
    struct cuda_room room;
    struct cuda_visit visit;
    struct cuda_context *context;
    rill_status status = cuda_find_work(c->kind, c->graph, c->op, &context);
    const struct cuda_site site = { .platform = c->graph->platform, .context = context,
                                    .replaces = true };
    if (!status) status = cuda_write_params(c->kind, &site, c->op, &c->params, &room);
    if (status || (c->kind->traits & CUDA_KIND_SAYS_NOTHING)) return status;
    status = cuda_enter_to_set(c->kind, context, c->op, &visit);
    if (status) {
        cuda_box_drop(room.box);
        return status;
    }
    c->box = room.box;
    status = c->kind->set(c);
    cuda_leave(&visit);
    return status;
}

rill_status cuda_node_set_op(rill_graph *handle, rill_node node, const rill_op *op)
{
    struct cuda_change c = { .kind = cuda_find_kind(op->kind), .graph = cuda_graph_of(handle),
                             .node = cuda_raw_node(node), .op = op };
    rill_status status = cuda_check_node(c.graph, node, "node");
    if (!status) status = check_kind(c.node, c.kind, op);
    if (!status) return write_and_set(&c);
    rl_op_give_back(op);
    return status;
}
