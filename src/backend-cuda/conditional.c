/* SPDX-License-Identifier: Apache-2.0
 *
 * Conditional nodes: their handles, and their bodies, which the driver makes with the
 * node and tells once.
 */
#include "backend-cuda/graph.h"

#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"

rill_status cuda_conditional_create(rill_graph *handle, uint32_t initial, uint32_t flags,
                                    rill_conditional *conditional)
{
    struct cuda_graph *graph = cuda_graph_of(handle);
    uint64_t made = 0;
    const struct cuda_context *home = cuda_graph_home(graph);
    rill_status status = cuda_need(GraphConditionalHandleCreate, 12030);
    if (!status && !home) status = cuda_refuse_homeless(graph, "graph");
    if (status) return status;
    CUresult result = cuda_api.GraphConditionalHandleCreate(&made, graph->raw, home->raw, initial,
                                                            flags);
    if (result && flags & ~RILL_CONDITIONAL_ASSIGN)
        return rill_backend_fail((rill_status)result, "flags",
                                 "flags is 0x%x; it may be 0 or RILL_CONDITIONAL_ASSIGN",
                                 (unsigned)flags);
    if (result) return cuda_fail(result, "cuGraphConditionalHandleCreate", "graph");
    *conditional = made;
    return RILL_SUCCESS;
}

/* ---- Bodies ------------------------------------------------------------------------------- */

void cuda_bodies_drop(struct cuda_bodies *bodies)
{
    for (uint32_t i = 0; i < bodies->count; i++) cuda_disown_graph(bodies->handles[i]);
    rl_free(bodies->handles);
    rl_free(bodies->note);
}

/* The driver knows it, too, but it is asked when there is an object for each body. */
static rill_status check_count(const rill_conditional_op *op)
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

rill_status cuda_bodies_make(struct cuda_graph *graph, const rill_conditional_op *op,
                             struct cuda_bodies *bodies)
{
    rill_status status = check_count(op);
    if (status) return status;
    *bodies = (struct cuda_bodies){
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
    if (status) cuda_bodies_drop(bodies);
    return status;
}

void cuda_bodies_settle(struct cuda_graph *graph, CUgraphNode node, CUgraph *raw,
                        rill_conditional_op *op, struct cuda_bodies *bodies)
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
    cuda_nodes_take(&graph->nodes, node); /* what was there before, and went unseen */
    cuda_nodes_put(&graph->nodes, node)->note = bodies->note; /* there is room */
    graph->nodes.notes++;
}
