/* SPDX-License-Identifier: Apache-2.0
 *
 * What a node does: the driver's parameters as rill's operations.
 *
 * Parameters of each kind fill an operation, which points at the caller's arrays and at
 * `room`.  A NULL struct is INVALID_VALUE.  Values are rill's to check.  The way back is
 * beside the calls that ask (node_params.c).
 */
#ifndef SI_PARAMS_H
#define SI_PARAMS_H

#include "standin/graph_handle.h"
#include "standin/value.h"

/* What an operation points at that has another form with the driver. */
struct si_room {
    rill_value values[SI_VALUES_MAX];
    rill_attribute attributes[1]; /* that a kernel asks for by itself */
};

CUresult si_kernel_op(const CUDA_KERNEL_NODE_PARAMS *params, struct si_room *room, rill_op *op);
CUresult si_copy_op(const CUDA_MEMCPY3D *params, rill_op *op);
CUresult si_fill_op(const CUDA_MEMSET_NODE_PARAMS *params, rill_op *op);
CUresult si_host_op(const CUDA_HOST_NODE_PARAMS *params, rill_op *op);
CUresult si_child_op(CUgraph child, int ownership, rill_op *op);
CUresult si_event_op(rill_op_kind kind, CUevent event, rill_op *op);
CUresult si_alloc_op(const CUDA_MEM_ALLOC_NODE_PARAMS *params, rill_op *op);
CUresult si_free_op(CUdeviceptr address, rill_op *op);
CUresult si_values_op(const CUDA_BATCH_MEM_OP_NODE_PARAMS *params, struct si_room *room,
                      rill_op *op);

/* `read`, or what is wrong with the context that the driver wants for a node and rill
 * knows by itself: by the kernel, or by the memory.  NULL is the current one. */
CUresult si_under(CUcontext context, CUresult read);

/* The same for a copy, which reaches what that context does. */
CUresult si_copy_under(CUcontext context, CUresult read, rill_op *op);

/* Reserved bytes, and those behind the parameters of the kind, must be zero. */
CUresult si_check_params(const CUgraphNodeParams *params);

/* Any of them, by its type; a conditional without its bodies. */
CUresult si_read_params(const CUgraphNodeParams *params, struct si_room *room, rill_op *op);

/* The first forms of two of them. */
static inline CUDA_KERNEL_NODE_PARAMS si_kernel_params(const CUDA_KERNEL_NODE_PARAMS_v1 *old)
{
    return (CUDA_KERNEL_NODE_PARAMS){ old->function, old->grid, old->block, old->shared_bytes,
                                      old->params, old->extra, NULL, NULL };
}

static inline CUDA_MEMSET_NODE_PARAMS si_fill_params(const CUDA_MEMSET_NODE_PARAMS_v1 *old,
                                                     CUcontext context)
{
    return (CUDA_MEMSET_NODE_PARAMS){ old->dst, old->pitch, old->value, old->element_bytes,
                                      old->width, old->height, context };
}

#endif
