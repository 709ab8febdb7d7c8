/* SPDX-License-Identifier: Apache-2.0
 *
 * Conditional nodes, and their bodies, which the driver makes with the node and tells once.
 */
#include <inttypes.h>
#include <string.h>

#include "backend-cuda/kind/kind.h"
#include "backend-cuda/object/graph_nodes.h"
#include "base/alloc.h"

/* ---- Bodies ------------------------------------------------------------------------------- */

/* What a new node will need, made before the driver makes the node. */
struct bodies {
    struct cuda_note *note;
    rill_graph **handles; /* of the bodies, which are in no node yet; the note's, too */
    uint32_t count;
};

static void drop_bodies(struct bodies *bodies)
{
    for (uint32_t i = 0; i < bodies->count; i++) cuda_disown_graph(bodies->handles[i]);
    rl_free(bodies->handles);
    rl_free(bodies->note);
}

/* The driver checks the count as well, but only after an object was made for each body. */
static rill_status check_body_count(const rill_conditional_op *op)
{
    bool fits = op->kind == RILL_CONDITIONAL_IF      ? op->body_count <= 2
                : op->kind == RILL_CONDITIONAL_WHILE ? op->body_count <= 1
                                                     : true;
    if (fits) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "body_count",
                             "%" PRIu32 " bodies: RILL_CONDITIONAL_IF has 1 or 2 and "
                             "RILL_CONDITIONAL_WHILE has 1",
                             op->body_count);
}

static rill_status make_bodies(struct cuda_graph *graph, const rill_conditional_op *op,
                               struct bodies *bodies)
{
    rill_status status = check_body_count(op);
    if (status) return status;
    *bodies = (struct bodies){
        .note = rl_zalloc(sizeof *bodies->note),
        .handles = rl_zalloc(op->body_count * sizeof(rill_graph *)),
    };
    bool fits = bodies->note && bodies->handles && cuda_nodes_reserve(&graph->nodes);
    if (!fits) status = RILL_ERROR_OUT_OF_MEMORY;
    while (!status && bodies->count < op->body_count) {
        struct cuda_graph *inner;
        status = cuda_make_inner(graph, &inner);
        if (!status) bodies->handles[bodies->count++] = inner->handle;
    }
    if (status) drop_bodies(bodies);
    return status;
}

static void settle_bodies(struct cuda_graph *graph, CUgraphNode node, CUgraph *raw,
                          rill_conditional_op *op, struct bodies *bodies)
{
    for (uint32_t i = 0; i < bodies->count; i++)
        cuda_settle_inner(graph, cuda_graph_of(bodies->handles[i]), node, raw[i]);
    memcpy(op->bodies, bodies->handles, bodies->count * sizeof(rill_graph *));
    bodies->note->conditional = (rill_conditional_op){
        .handle = op->handle,
        .kind = op->kind,
        .body_count = op->body_count,
        .bodies = bodies->handles,
    };
    cuda_nodes_take(&graph->nodes, node); /* a node of this handle that went unseen */
    cuda_nodes_put(&graph->nodes, node)->note = bodies->note; /* there is room */
    graph->nodes.notes++;
}

/* ---- Nodes ------------------------------------------------------------------------------- */

/* A conditional names nothing that has a context. */
static struct cuda_context *find_no_context(const struct cuda_graph *graph, const rill_op *op)
{
    (void)graph;
    (void)op;
    return NULL;
}

static rill_status write_conditional(const struct cuda_site *site, const rill_op *op,
                                     struct cuda_node_params *params, struct cuda_room *room)
{
    (void)room;
    params->conditional.handle = op->conditional.handle;
    params->conditional.kind = (int)op->conditional.kind;
    params->conditional.count = op->conditional.body_count;
    params->conditional.context = site->context->raw;
    return cuda_need(GraphConditionalHandleCreate, 12030);
}

/* The driver tells nothing of conditional nodes, so the note does. */
static rill_status read_conditional(struct cuda_graph *graph, CUgraphNode raw, rill_op *op)
{
    const struct cuda_note *note = cuda_node_note(graph, raw, false);
    if (note && note->conditional.bodies) {
        op->conditional = note->conditional;
        return RILL_SUCCESS;
    }
    return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, "node",
                             "it was not added through rill, and the driver tells nothing of "
                             "conditional nodes");
}

static rill_status add_conditional(struct cuda_addition *a)
{
    struct bodies bodies;
    rill_status status = make_bodies(a->graph, &a->op->conditional, &bodies);
    if (status) return status;
    status = cuda_add_raw(a);
    if (status)
        drop_bodies(&bodies);
    else
        settle_bodies(a->graph, a->node, a->params.conditional.bodies, &a->op->conditional,
                      &bodies);
    return status;
}

static rill_status explain_conditional(const struct cuda_refusal *r)
{
    const rill_conditional_op *op = &r->op->conditional;
    if (op->kind < RILL_CONDITIONAL_IF || op->kind > RILL_CONDITIONAL_SWITCH)
        return cuda_fail(r->result, r->call, "kind");
    if (!op->body_count) return cuda_fail(r->result, r->call, "body_count");
    if (r->result != CUDA_ERROR_INVALID_VALUE) return cuda_fail(r->result, r->call, "handle");
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "handle",
                             "the handle is none of this graph or one around it, or another node "
                             "has it; make it with rill_conditional_create()");
}

const struct cuda_kind cuda_kind_conditional = {
    .op = RILL_OP_CONDITIONAL,
    .traits = CUDA_KIND_IS_FIXED,
    .entering = CUDA_ENTER_IF_PERMITTED,
    .find_context = find_no_context,
    .write = write_conditional,
    .read = read_conditional,
    .add = add_conditional,
    .set = cuda_set_raw,
    .explain = explain_conditional,
    .submit = cuda_refuse_in_stream,
};
