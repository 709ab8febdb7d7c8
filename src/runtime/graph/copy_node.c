/* SPDX-License-Identifier: Apache-2.0
 *
 * Copy nodes: of boxes, of bytes, to and from variables.  All become the driver's copy of a
 * box.
 */
#include "runtime/graph/node.h"

/* ---- What happens with a copy that was put into the driver's words ----------------------- */

/* Where a copy goes: a new node, a node, or a node of an exec. */
struct place {
    cudaGraphNode_t *node; /* out; NULL for a node that there is */
    cudaGraph_t graph;
    const cudaGraphNode_t *behind;
    size_t count;
    cudaGraphExec_t exec; /* NULL for a node of a graph */
    cudaGraphNode_t there;
};

static cudaError_t put_copy(const struct place *place, cudaError_t status,
                            const CUDA_MEMCPY3D *copy)
{
    CUcontext context;
    if (!status) status = rt_current(&context);
    if (status) return status;
    if (place->exec)
        return (cudaError_t)rt_driver.cuGraphExecMemcpyNodeSetParams(place->exec, place->there,
                                                                     copy, context);
    if (place->there)
        return (cudaError_t)rt_driver.cuGraphMemcpyNodeSetParams(place->there, copy);
    return (cudaError_t)rt_driver.cuGraphAddMemcpyNode(place->node, place->graph, place->behind,
                                                       place->count, copy, context);
}

#define NEW_NODE { .node = node, .graph = graph, .behind = behind, .count = count }
#define NODE_THERE { .there = node }
#define NODE_OF_EXEC { .exec = exec, .there = node }

/* ---- Boxes ------------------------------------------------------------------------------- */

static cudaError_t put_box(struct place place, const struct cudaMemcpy3DParms *box)
{
    CUDA_MEMCPY3D copy;
    cudaError_t status = rt_translate_box(box, &copy);
    return put_copy(&place, status, &copy);
}

ENTRY(cudaGraphAddMemcpyNode,
      (NODE, const struct cudaMemcpy3DParms *box), (NODE_ARGUMENTS, box))
{
    return put_box((struct place)NEW_NODE, box);
}

ENTRY(cudaGraphMemcpyNodeSetParams,
      (cudaGraphNode_t node, const struct cudaMemcpy3DParms *box), (node, box))
{
    return put_box((struct place)NODE_THERE, box);
}

ENTRY(cudaGraphExecMemcpyNodeSetParams,
      (cudaGraphExec_t exec, cudaGraphNode_t node, const struct cudaMemcpy3DParms *box),
      (exec, node, box))
{
    return put_box((struct place)NODE_OF_EXEC, box);
}

ENTRY(cudaGraphMemcpyNodeGetParams,
      (cudaGraphNode_t node, struct cudaMemcpy3DParms *box), (node, box))
{
    CUDA_MEMCPY3D copy;
    if (!box) return RILL_ERROR_INVALID_VALUE;
    CUresult status = rt_driver.cuGraphMemcpyNodeGetParams(node, &copy);
    if (!status) rt_translate_box_back(&copy, box);
    return (cudaError_t)status;
}

/* ---- Bytes ------------------------------------------------------------------------------- */

#define BYTES void *dst, const void *src, size_t bytes, int kind

static cudaError_t put_bytes(struct place place, BYTES)
{
    CUDA_MEMCPY3D copy;
    cudaError_t status = rt_box_of_bytes(dst, src, bytes, kind, &copy);
    return put_copy(&place, status, &copy);
}

ENTRY(cudaGraphAddMemcpyNode1D, (NODE, BYTES), (NODE_ARGUMENTS, dst, src, bytes, kind))
{
    return put_bytes((struct place)NEW_NODE, dst, src, bytes, kind);
}

ENTRY(cudaGraphMemcpyNodeSetParams1D, (cudaGraphNode_t node, BYTES), (node, dst, src, bytes, kind))
{
    return put_bytes((struct place)NODE_THERE, dst, src, bytes, kind);
}

ENTRY(cudaGraphExecMemcpyNodeSetParams1D,
      (cudaGraphExec_t exec, cudaGraphNode_t node, BYTES), (exec, node, dst, src, bytes, kind))
{
    return put_bytes((struct place)NODE_OF_EXEC, dst, src, bytes, kind);
}

/* ---- Variables --------------------------------------------------------------------------- */

#define TO const void *symbol, const void *src, size_t bytes, size_t offset, int kind
#define FROM void *dst, const void *symbol, size_t bytes, size_t offset, int kind

static cudaError_t put_to(struct place place, TO)
{
    void *dst;
    if (!rt_kind_writes_device(kind)) return cudaErrorInvalidMemcpyDirection;
    cudaError_t status = rt_symbol_part(symbol, offset, bytes, &dst);
    return status ? status : put_bytes(place, dst, src, bytes, kind);
}

static cudaError_t put_from(struct place place, FROM)
{
    void *src;
    if (!rt_kind_reads_device(kind)) return cudaErrorInvalidMemcpyDirection;
    cudaError_t status = rt_symbol_part(symbol, offset, bytes, &src);
    return status ? status : put_bytes(place, dst, src, bytes, kind);
}

ENTRY(cudaGraphAddMemcpyNodeToSymbol,
      (NODE, TO), (NODE_ARGUMENTS, symbol, src, bytes, offset, kind))
{
    return put_to((struct place)NEW_NODE, symbol, src, bytes, offset, kind);
}

ENTRY(cudaGraphMemcpyNodeSetParamsToSymbol,
      (cudaGraphNode_t node, TO), (node, symbol, src, bytes, offset, kind))
{
    return put_to((struct place)NODE_THERE, symbol, src, bytes, offset, kind);
}

ENTRY(cudaGraphExecMemcpyNodeSetParamsToSymbol,
      (cudaGraphExec_t exec, cudaGraphNode_t node, TO),
      (exec, node, symbol, src, bytes, offset, kind))
{
    return put_to((struct place)NODE_OF_EXEC, symbol, src, bytes, offset, kind);
}

ENTRY(cudaGraphAddMemcpyNodeFromSymbol,
      (NODE, FROM), (NODE_ARGUMENTS, dst, symbol, bytes, offset, kind))
{
    return put_from((struct place)NEW_NODE, dst, symbol, bytes, offset, kind);
}

ENTRY(cudaGraphMemcpyNodeSetParamsFromSymbol,
      (cudaGraphNode_t node, FROM), (node, dst, symbol, bytes, offset, kind))
{
    return put_from((struct place)NODE_THERE, dst, symbol, bytes, offset, kind);
}

ENTRY(cudaGraphExecMemcpyNodeSetParamsFromSymbol,
      (cudaGraphExec_t exec, cudaGraphNode_t node, FROM),
      (exec, node, dst, symbol, bytes, offset, kind))
{
    return put_from((struct place)NODE_OF_EXEC, dst, symbol, bytes, offset, kind);
}
