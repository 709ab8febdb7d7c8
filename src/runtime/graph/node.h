/* SPDX-License-Identifier: Apache-2.0
 *
 * The header of the room: what nodes do, in the driver's words and back.
 */
#ifndef RT_NODE_H
#define RT_NODE_H

#include "runtime/memory/copy.h"
#include "runtime/thread/entry.h"

/* The first parameters of a call that adds a node, and the arguments that pass them on. */
#define NODE cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *behind, size_t count
#define NODE_ARGUMENTS node, graph, behind, count

/* Gives the current context, in which nodes run that do not name another. */
static inline cudaError_t rt_current(CUcontext *context)
{
    return (cudaError_t)rt_driver.cuCtxGetCurrent(context);
}

cudaError_t rt_translate_kernel(const struct cudaKernelNodeParams *params,
                                CUDA_KERNEL_NODE_PARAMS *out);
cudaError_t rt_translate_fill(const struct cudaMemsetParams *params,
                              CUDA_MEMSET_NODE_PARAMS_v1 *out);

#endif
