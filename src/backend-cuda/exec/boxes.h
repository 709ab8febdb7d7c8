/* SPDX-License-Identifier: Apache-2.0
 *
 * Host functions that an exec was given by itself, with a `destroy`.
 */
#ifndef CUDA_EXEC_BOXES_H
#define CUDA_EXEC_BOXES_H

#include "backend-cuda/exec/exec.h"

/* Makes room for a function that is about to be set.  Returns NULL if there is no memory. */
struct cuda_own_box *cuda_make_own_box(void);

/* Notes that the node runs the function of this box from the next launch on, or one without a
 * `destroy` if `box` is NULL. */
void cuda_exec_own(struct cuda_exec *exec, CUgraphNode node, struct cuda_own_box *own,
                   struct cuda_box *box);

/* Notes that no node runs such a function from the next launch on. */
void cuda_exec_disown_all(struct cuda_exec *exec);

/* Prepares a launch of an exec that has such functions, and notes what came of it.  `captured`
 * is the graph that captures the launch, or NULL. */
rill_status cuda_exec_before_launch(struct cuda_exec *exec, CUgraph captured);
void cuda_exec_after_launch(struct cuda_exec *exec, CUgraph captured, CUstream stream,
                            CUresult result);

/* Gives all functions back when the context ends and nothing runs any more. */
void cuda_end_retired(struct cuda_context *context);

#endif
