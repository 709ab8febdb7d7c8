/* SPDX-License-Identifier: Apache-2.0
 *
 * Conditional nodes, their handles and their bodies.
 */
#include "standin/conditional.h"

#include <rill/sim.h>

#include "base/alloc.h"

/* ---- Handles ------------------------------------------------------------------------- */

/* The context is that of what bodies hold.  A handle that could not be bound to it stays
 * with the graph, where nobody knows it. */
ENTRY(cuGraphConditionalHandleCreate, CUgraphConditionalHandle *conditional, CUgraph handle,
      CUcontext context_handle, unsigned initial, unsigned flags)
{
    rill_graph *graph;
    rill_context *context;
    rill_conditional made = 0;
    CUresult status = si_check_ready();
    if (status) return status;
    if (!conditional) return RILL_ERROR_INVALID_VALUE;
    status = si_graph(handle, &graph);
    if (!status) status = si_context(context_handle, &context);
    if (!status) status = rill_conditional_create(graph, initial, flags, &made);
    if (!status) status = rill_sim_conditional_bind(graph, made, context);
    if (!status) *conditional = made;
    return status;
}

/* ---- Nodes --------------------------------------------------------------------------- */

enum { BODIES_MAX = 1 << 16 }; /* that anybody could want */

/* Handles for all of them, or for none. */
static CUresult name_bodies(CUgraph outer, rill_graph *const *bodies, CUgraph *handles,
                            unsigned count)
{
    CUresult status = RILL_SUCCESS;
    for (unsigned i = 0; !status && i < count; i++)
        status = si_graph_handle_in(bodies[i], outer, &handles[i]);
    if (!status) si_graph_keep(handles[0], handles);
    return status;
}

static CUresult add(CUgraph handle, rill_context *context, const CUgraphNode *dependencies,
                    const CUgraphEdgeData *edges, size_t count, rill_op *op, CUgraph *handles,
                    CUgraphNode *node)
{
    rill_graph *graph;
    CUgraphNode made;
    CUresult status = si_graph(handle, &graph);
    if (!status) status = rill_sim_conditional_check(graph, op->conditional.handle, context);
    if (!status)
        status = rill_graph_add_node_with_edges(graph, dependencies, edges, count, op, &made);
    if (status) return status;
    status = name_bodies(handle, op->conditional.bodies, handles, op->conditional.body_count);
    if (status)
        rill_graph_remove_node(graph, made);
    else
        *node = made;
    return status;
}

CUresult si_conditional_add(CUgraph graph, const CUgraphNode *dependencies,
                            const CUgraphEdgeData *edges, size_t count,
                            CUDA_CONDITIONAL_NODE_PARAMS *params, CUgraphNode *node)
{
    rill_context *context;
    unsigned bodies = params->count;
    CUcontext given = params->context;
    if (!node) return RILL_ERROR_INVALID_VALUE;
    CUresult status = given ? si_context(given, &context) : si_here(&context);
    if (status) return status;
    if (bodies > BODIES_MAX) return RILL_ERROR_OUT_OF_MEMORY;
    rill_graph **list = rl_alloc(bodies * sizeof *list);
    CUgraph *handles = rl_alloc(bodies * sizeof *handles);
    rill_op op = { .kind = RILL_OP_CONDITIONAL };
    op.conditional = (rill_conditional_op){
        params->handle, (rill_conditional_kind)params->type, bodies, list,
    };
    if (!list || !handles) status = RILL_ERROR_OUT_OF_MEMORY;
    if (!status) status = add(graph, context, dependencies, edges, count, &op, handles, node);
    if (status)
        rl_free(handles);
    else
        params->bodies = handles;
    rl_free(list);
    return status;
}
