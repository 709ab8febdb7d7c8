/* SPDX-License-Identifier: Apache-2.0
 *
 * Execs.  The driver holds what they need of their graph, but for host functions that
 * they were given by themselves (boxes.h).
 */
#ifndef CUDA_EXEC_EXEC_H
#define CUDA_EXEC_EXEC_H

#include "backend-cuda/object/graph.h"

struct cuda_exec {
    struct cuda_part part;
    CUgraphExec raw; /* NULL once the context ended */
    struct cuda_context *context;
    uint32_t flags;
    CUresult ended; /* what the driver answered when the exec was destroyed */
    bool borrowed;  /* the driver's exec stays, see <rill/cuda.h> */
    bool foreign;   /* made by somebody else: its nodes are not known */
    struct cuda_nodes nodes; /* of its graph when the exec was made, and of all graphs inside, with
                                their kinds */
    struct cuda_own_box *boxes; /* set by rill_exec_set_op() */
    struct cuda_finish *finish; /* of the last launch that may run these; or NULL */
};

static inline struct cuda_exec *cuda_exec_of(const rill_exec *exec)
{
    return rill_private(exec);
}

extern const struct rill_exec_ops cuda_exec_ops;

/* Makes an object for an exec that somebody else made; `borrowed`: the driver's exec stays. */
void cuda_take_exec(rill_exec *exec, struct cuda_context *context, CUgraphExec raw, bool borrowed);

/* Slots of the table, for one node and for the whole exec. */
rill_status cuda_exec_set_op(rill_exec *handle, rill_node node, const rill_op *op);
rill_status cuda_exec_set_enabled(rill_exec *handle, rill_node node, int enabled);
rill_status cuda_exec_get_enabled(rill_exec *handle, rill_node node, int *enabled);
rill_status cuda_exec_update(rill_exec *handle, rill_graph *graph, rill_update_result *result);

#endif
