/* SPDX-License-Identifier: Apache-2.0
 *
 * Execs.  The driver holds what they need of their graph, but for host functions that
 * they were given by themselves: exec_boxes.c.
 */
#ifndef CUDA_EXEC_H
#define CUDA_EXEC_H

#include "backend-cuda/graph.h"

struct cuda_exec {
    struct cuda_part part;
    CUgraphExec raw; /* NULL once the context ended */
    struct cuda_context *context;
    uint32_t flags;
    CUresult ended;   /* what the driver said to its end                             */
    bool borrowed;    /* the driver's exec stays, see <rill/cuda.h>                  */
    bool foreign;     /* made by somebody else: its nodes are not known              */
    struct cuda_nodes nodes;   /* of its graph when it was made, and in all inside, with
                                  their kinds                                         */
    struct cuda_own_box *boxes; /* set by rill_exec_set_op()                         */
    struct cuda_finish *finish; /* of the last launch that may run these; or NULL    */
};

static inline struct cuda_exec *cuda_exec_of(const rill_exec *exec)
{
    return rill_private(exec);
}

/* An exec that somebody else made; `borrowed`: it stays. */
void cuda_take_exec(rill_exec *exec, struct cuda_context *context, CUgraphExec raw, bool borrowed);

/* The exec_node.c and exec_update.c slots. */
rill_status cuda_exec_set_op(rill_exec *handle, rill_node node, const rill_op *op);
rill_status cuda_exec_set_enabled(rill_exec *handle, rill_node node, int enabled);
rill_status cuda_exec_get_enabled(rill_exec *handle, rill_node node, int *enabled);
rill_status cuda_exec_update(rill_exec *handle, rill_graph *graph, rill_update_result *result);

/* ---- Functions of its own (exec_boxes.c) ------------------------------------------------ */

/* Room for a function that is about to be set; NULL when memory is short. */
struct cuda_own_box *cuda_own_box_make(void);

/* The node runs this one from the next launch on, or none of ours when `box` is NULL. */
void cuda_exec_own(struct cuda_exec *exec, CUgraphNode node, struct cuda_own_box *own,
                   struct cuda_box *box);

/* From the next launch on no node runs any. */
void cuda_exec_disown_all(struct cuda_exec *exec);

/* Around a launch of an exec that has some. */
rill_status cuda_exec_before_launch(struct cuda_exec *exec, CUgraph captured);
void cuda_exec_after_launch(struct cuda_exec *exec, CUgraph captured, CUstream stream,
                            CUresult result);

/* The context ends, and nothing runs any more. */
void cuda_retired_end(struct cuda_context *context);

#endif
