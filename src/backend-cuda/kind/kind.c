/* SPDX-License-Identifier: Apache-2.0
 *
 * What all kinds of operations have in common.
 */
#include "backend-cuda/kind/kind.h"

#include <string.h>

/* ---- Contexts -------------------------------------------------------------------------- */

/* The driver wants to be told a context for copies, fills, values and conditionals.  Its graphs
 * have none, but those of rill know where they were made. */
rill_status cuda_find_work(const struct cuda_kind *kind, const struct cuda_graph *graph,
                           const rill_op *op, struct cuda_context **context)
{
    *context = cuda_graph_home(graph);
    if (*context || !kind->find_context) return RILL_SUCCESS;
    *context = kind->find_context(graph, op);
    return *context ? RILL_SUCCESS : cuda_refuse_homeless(graph, "op");
}

rill_status cuda_enter_if_permitted(const struct cuda_context *context, struct cuda_visit *visit)
{
    rill_status status = cuda_enter(context, visit);
    return status == RILL_ERROR_NOT_PERMITTED ? RILL_SUCCESS : status;
}

rill_status cuda_enter_to_add(const struct cuda_kind *kind, struct cuda_context *context,
                              const rill_op *op, struct cuda_visit *visit)
{
    visit->pushed = false;
    if (kind->context_of) context = kind->context_of(op);
    if (!context || kind->entering == CUDA_ENTER_NEVER) return RILL_SUCCESS;
    return kind->entering == CUDA_ENTER ? cuda_enter(context, visit)
                                        : cuda_enter_if_permitted(context, visit);
}

rill_status cuda_enter_to_set(const struct cuda_kind *kind, struct cuda_context *context,
                              const rill_op *op, struct cuda_visit *visit)
{
    visit->pushed = false;
    if (kind->context_of) context = kind->context_of(op);
    return context ? cuda_enter_if_permitted(context, visit) : RILL_SUCCESS;
}

/* ---- Parameters ------------------------------------------------------------------------ */

rill_status cuda_write_params(const struct cuda_kind *kind, const struct cuda_site *site,
                              const rill_op *op, struct cuda_node_params *params,
                              struct cuda_room *room)
{
    memset(params, 0, sizeof *params);
    params->type = (CUgraphNodeType)op->kind;
    room->box = NULL;
    return kind->write(site, op, params, room);
}

/* ---- Adding ---------------------------------------------------------------------------- */

static bool named_twice(const struct cuda_addition *a)
{
    for (size_t i = 1; i < a->count; i++)
        for (size_t k = 0; k < i; k++)
            if (a->dependencies[i] == a->dependencies[k]) return true;
    return false;
}

rill_status cuda_explain_addition(const struct cuda_addition *a, CUresult result)
{
    if (result == CUDA_ERROR_INVALID_VALUE && a->count < 10000 && named_twice(a))
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "dependencies",
                                 "dependencies names a node twice");
    for (size_t i = 0; result == CUDA_ERROR_INVALID_VALUE && a->edges && i < a->count; i++)
        if (cuda_has_data(&a->edges[i]) && a->op->kind != RILL_OP_KERNEL)
            return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "edges",
                                     "edge %zu carries data that does not go with its two nodes",
                                     i);
    const struct cuda_refusal refusal = { .platform = a->graph->platform, .context = a->context,
                                          .result = result, .call = "cuGraphAddNode",
                                          .op = a->op };
    return cuda_explain_op(a->kind, &refusal);
}

static CUresult typed_add(struct cuda_addition *a)
{
    return a->kind->typed_add ? a->kind->typed_add(a) : CUDA_ERROR_NOT_SUPPORTED;
}

rill_status cuda_add_raw(struct cuda_addition *a)
{
    CUresult result = cuda_api.GraphAddNode
                          ? cuda_api.GraphAddNode(&a->node, a->graph->raw,
                                                  cuda_raw_dependencies(a), a->edges, a->count,
                                                  &a->params)
                          : typed_add(a);
    return __builtin_expect(result == CUDA_SUCCESS, 1) ? RILL_SUCCESS
                                                       : cuda_explain_addition(a, result);
}

/* ---- Setting --------------------------------------------------------------------------- */

static CUresult typed_set(const struct cuda_change *c)
{
    return c->kind->typed_set ? c->kind->typed_set(c->node, &c->params)
                              : CUDA_ERROR_NOT_SUPPORTED;
}

rill_status cuda_set_raw(struct cuda_change *c)
{
    CUresult result = cuda_api.GraphNodeSetParams
                          ? cuda_api.GraphNodeSetParams(c->node, &c->params)
                          : typed_set(c);
    if (__builtin_expect(result == CUDA_SUCCESS, 1)) return RILL_SUCCESS;
    struct cuda_context *context;
    cuda_find_work(c->kind, c->graph, c->op, &context);
    const struct cuda_refusal refusal = { .platform = c->graph->platform, .context = context,
                                          .result = result, .call = "cuGraphNodeSetParams",
                                          .op = c->op };
    return cuda_explain_op(c->kind, &refusal);
}

/* ---- Refusing --------------------------------------------------------------------------- */

rill_status cuda_explain_op(const struct cuda_kind *kind, const struct cuda_refusal *refusal)
{
    return kind->explain ? kind->explain(refusal) : cuda_fail(refusal->result, refusal->call, NULL);
}

rill_status cuda_refuse_in_stream(struct cuda_stream *stream, rill_op *op)
{
    (void)stream;
    return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, "op->kind",
                             "the driver does not run operations of kind %d in a stream",
                             (int)op->kind);
}

/* ---- What is no kind -------------------------------------------------------------------- */

static rill_status refuse_to_write(const struct cuda_site *site, const rill_op *op,
                                   struct cuda_node_params *params, struct cuda_room *room)
{
    (void)site;
    (void)params;
    (void)room;
    return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, "op->kind",
                             "there are no nodes of kind %d", (int)op->kind);
}

static rill_status refuse_to_read(struct cuda_graph *graph, CUgraphNode node, rill_op *op)
{
    (void)graph;
    (void)node;
    return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, "node",
                             "rill has no operation for nodes of kind %d", (int)op->kind);
}

static CUresult refuse_to_set(CUgraphNode node, const struct cuda_node_params *params)
{
    (void)node;
    (void)params;
    return CUDA_ERROR_NOT_SUPPORTED;
}

const struct cuda_kind cuda_kind_none = {
    .op = CUDA_KIND_UNKNOWN,
    .write = refuse_to_write,
    .read = refuse_to_read,
    .add = cuda_add_raw,
    .set = cuda_set_raw,
    .typed_set = refuse_to_set, /* there is one, so that `write` is asked and refuses */
    .submit = cuda_refuse_in_stream,
};
