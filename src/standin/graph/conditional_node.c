/* SPDX-License-Identifier: Apache-2.0
 *
 * Conditional nodes, their handles and their bodies.
 */
#include <rill/sim.h>

#include "base/alloc.h"
#include "standin/graph/node_kind.h"

/* ---- Handles ------------------------------------------------------------------------- */

/* The context is that of the work in the bodies.  Programs get the number alone, which two
 * handles of a graph may share: nodes name the context as well, and kernels have one. */
ENTRY(cuGraphConditionalHandleCreate,
      (CUgraphConditionalHandle *conditional, CUgraph handle, CUcontext context_handle,
       unsigned initial, unsigned flags),
      (conditional, handle, context_handle, initial, flags))
{
    rill_graph *graph;
    rill_context *context;
    rill_conditional made = 0;
    CUresult status = si_check_ready();
    if (status) return status;
    if (!conditional) return RILL_ERROR_INVALID_VALUE;
    status = si_graph(handle, &graph);
    if (!status && flags & ~RILL_CONDITIONAL_ASSIGN) status = RILL_ERROR_INVALID_VALUE;
    if (!status) status = si_context(context_handle, &context);
    if (!status) status = rill_sim_conditional_create(graph, context, initial, flags, &made);
    if (!status) *conditional = (uint32_t)made;
    return status;
}

/* ---- Nodes --------------------------------------------------------------------------- */

enum { BODIES_MAX = 1 << 16 };

/* Makes handles for all bodies, stored with the node.  Returns NULL if there is no memory. */
static CUgraph *name_bodies(rill_graph *graph, CUgraph outer, CUgraphNode node,
                            const rill_conditional_op *op)
{
    size_t bytes = op->body_count * sizeof(CUgraph);
    CUgraph *handles = si_node_storage_put(si_node_storage_of(graph), node, bytes);
    for (uint32_t i = 0; handles && i < op->body_count; i++)
        if (si_graph_handle_in(op->bodies[i], outer, &handles[i])) return NULL;
    return handles;
}

static CUresult add_node(CUgraph handle, rill_context *context, const CUgraphNode *dependencies,
                         const CUgraphEdgeData *edges, size_t count, rill_op *op,
                         CUgraph **bodies, CUgraphNode *node)
{
    rill_graph *graph;
    CUgraphNode made;
    const uint64_t number = op->conditional.handle;
    CUresult status = si_graph(handle, &graph);
    if (!status && number >> 32) status = RILL_ERROR_INVALID_VALUE;
    if (!status)
        status = rill_sim_conditional_find(graph, context, (uint32_t)number,
                                           &op->conditional.handle);
    if (!status)
        status = rill_graph_add_node_with_edges(graph, dependencies, edges, count, op, &made);
    if (status) return status;
    CUgraph *handles = name_bodies(graph, handle, made, &op->conditional);
    if (!handles) {
        si_node_storage_drop(si_node_storage_of(graph), made);
        rill_graph_remove_node(graph, made);
        return RILL_ERROR_OUT_OF_MEMORY;
    }
    *bodies = handles;
    *node = made;
    return RILL_SUCCESS;
}

/* Adds a node; params->bodies receives the array of its bodies' handles, which is there as
 * long as they are. */
static CUresult add_conditional(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                                const CUgraphEdgeData *edges, size_t count,
                                CUgraphNodeParams *any)
{
    CUDA_CONDITIONAL_NODE_PARAMS *params = &any->conditional;
    rill_context *context;
    unsigned bodies = params->count;
    if (!node || !bodies) return RILL_ERROR_INVALID_VALUE;
    CUresult status = si_context(params->context, &context);
    if (status) return status;
    if (bodies > BODIES_MAX) return RILL_ERROR_OUT_OF_MEMORY;
    rill_graph **list = rl_alloc(bodies * sizeof *list);
    rill_op op = { .kind = RILL_OP_CONDITIONAL };
    op.conditional = (rill_conditional_op){
        params->handle, (rill_conditional_kind)params->type, bodies, list,
    };
    if (!list) return RILL_ERROR_OUT_OF_MEMORY;
    status = add_node(graph, context, dependencies, edges, count, &op, &params->bodies, node);
    rl_free(list);
    return status;
}

/* Reads what a node is to be set to.  None can be set: rill says so. */
static CUresult read_params(const CUgraphNodeParams *params, struct si_op_buffers *buffers,
                            rill_op *op)
{
    (void)buffers;
    *op = (rill_op){ .kind = RILL_OP_CONDITIONAL };
    op->conditional.handle = params->conditional.handle;
    op->conditional.kind = (rill_conditional_kind)params->conditional.type;
    return RILL_SUCCESS;
}

const struct si_node_kind si_conditional_kind = { .bytes = sizeof(CUDA_CONDITIONAL_NODE_PARAMS),
                                                  .read = read_params, .add = add_conditional };
