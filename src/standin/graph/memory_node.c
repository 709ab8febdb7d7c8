/* SPDX-License-Identifier: Apache-2.0
 *
 * Nodes that allocate memory of their graph, and nodes that free it.
 */
#include <string.h>

#include "standin/graph/node_kind.h"

/* ---- Allocating --------------------------------------------------------------------------- */

static CUresult check_access(const CUDA_MEM_ALLOC_NODE_PARAMS *params)
{
    if (params->access_count && !params->access) return RILL_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < params->access_count; i++) {
        const CUmemAccessDesc *access = &params->access[i];
        if (access->location.type != CU_MEM_LOCATION_TYPE_DEVICE) return RILL_ERROR_INVALID_VALUE;
        if (!si_device(access->location.id)) return RILL_ERROR_INVALID_DEVICE;
        if (access->flags == CU_MEM_ACCESS_FLAGS_PROT_READ) return RILL_ERROR_NOT_SUPPORTED;
        if (access->flags != CU_MEM_ACCESS_FLAGS_PROT_READWRITE) return RILL_ERROR_INVALID_VALUE;
    }
    return RILL_SUCCESS;
}

/* A graph has pinned memory of a device, which no other process can use.  Managed memory of one it
 * could have, too, but has not here. */
static CUresult check_properties(const CUmemPoolProps *pool)
{
    const CUmemLocation *place = &pool->location;
    const int device = place->type == CU_MEM_LOCATION_TYPE_DEVICE,
              host = place->type == CU_MEM_LOCATION_TYPE_HOST,
              node = place->type == CU_MEM_LOCATION_TYPE_HOST_NUMA,
              managed = pool->allocation_type == CU_MEM_ALLOCATION_TYPE_MANAGED;
    if (!managed && pool->allocation_type != CU_MEM_ALLOCATION_TYPE_PINNED)
        return RILL_ERROR_INVALID_VALUE;
    if (!managed && !device && !host && !node) return RILL_ERROR_INVALID_VALUE;
    if (pool->handle_types && (managed || host)) return RILL_ERROR_INVALID_VALUE;
    if (node && place->id) return RILL_ERROR_INVALID_VALUE; /* there is one node */
    if (pool->handle_types) return RILL_ERROR_NOT_SUPPORTED;
    if (device && !si_device(place->id)) return RILL_ERROR_INVALID_VALUE;
    return device && !managed ? RILL_SUCCESS : RILL_ERROR_NOT_SUPPORTED;
}

static CUresult read_alloc(const CUDA_MEM_ALLOC_NODE_PARAMS *params, rill_op *op)
{
    if (!params) return RILL_ERROR_INVALID_VALUE;
    const CUmemPoolProps *pool = &params->pool;
    CUresult status = check_properties(pool);
    if (status) return status;
    *op = (rill_op){ .kind = RILL_OP_ALLOC };
    op->alloc = (rill_alloc_op){ .bytes = params->bytes, .device = pool->location.id };
    return check_access(params);
}

/* What is stored for a node that allocates. */
struct access_list {
    size_t count;
    CUmemAccessDesc items[];
};

/* Stores which other devices may reach the memory: rill does not ask. */
static CUresult keep_access(CUgraphNode node, const CUDA_MEM_ALLOC_NODE_PARAMS *params)
{
    rill_graph *graph;
    if (!params->access_count) return RILL_SUCCESS;
    CUresult status = si_node_graph(node, &graph);
    size_t bytes = params->access_count * sizeof *params->access;
    struct access_list *list = NULL;
    if (!status)
        list = si_node_storage_put(si_node_storage_of(graph), node, sizeof *list + bytes);
    if (!list) return RILL_ERROR_OUT_OF_MEMORY;
    list->count = params->access_count;
    memcpy(list->items, params->access, bytes);
    return RILL_SUCCESS;
}

static CUresult read_alloc_params(const CUgraphNodeParams *params, struct si_op_buffers *buffers,
                                  rill_op *op)
{
    (void)buffers;
    return read_alloc(&params->alloc, op);
}

static void answer_address(const rill_op *op, CUgraphNodeParams *params)
{
    params->alloc.address = op->alloc.address;
}

static CUresult keep_alloc_params(CUgraphNode node, const CUgraphNodeParams *params)
{
    return keep_access(node, &params->alloc);
}

const struct si_node_kind si_alloc_kind = {
    .bytes = sizeof(CUDA_MEM_ALLOC_NODE_PARAMS), .fixed = 1,
    .read = read_alloc_params, .answer = answer_address, .keep = keep_alloc_params,
};

ENTRY(cuGraphAddMemAllocNode,
      (CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
       CUDA_MEM_ALLOC_NODE_PARAMS *params),
      (node, graph, dependencies, count, params))
{
    rill_op op;
    CUresult read = read_alloc(params, &op);
    CUresult status = si_node_add(node, graph, dependencies, count, NULL, read, &op);
    if (status) return status;
    params->address = op.alloc.address;
    return keep_access(*node, params);
}

ENTRY(cuGraphMemAllocNodeGetParams,
      (CUgraphNode node, CUDA_MEM_ALLOC_NODE_PARAMS *params), (node, params))
{
    static const CUmemAccessDesc none;
    rill_op op;
    rill_graph *graph;
    CUresult status = si_node_get(node, RILL_OP_ALLOC, &graph, &op);
    if (!status && !params) status = RILL_ERROR_INVALID_VALUE;
    if (status) return status;
    const struct access_list *list = si_node_storage_find(si_node_storage_of(graph), node);
    *params = (CUDA_MEM_ALLOC_NODE_PARAMS){
        .pool = { .allocation_type = CU_MEM_ALLOCATION_TYPE_PINNED,
                  .location = { CU_MEM_LOCATION_TYPE_DEVICE, op.alloc.device } },
        .access = list ? list->items : &none,
        .access_count = list ? list->count : 0,
        .bytes = op.alloc.bytes,
        .address = op.alloc.address,
    };
    return RILL_SUCCESS;
}

/* ---- Freeing ------------------------------------------------------------------------------ */

static CUresult read_free(const CUgraphNodeParams *params, struct si_op_buffers *buffers,
                          rill_op *op)
{
    (void)buffers;
    *op = (rill_op){ .kind = RILL_OP_FREE, .free = { .address = params->free.address } };
    return RILL_SUCCESS;
}

const struct si_node_kind si_free_kind = { .bytes = sizeof(CUDA_MEM_FREE_NODE_PARAMS), .fixed = 1,
                                           .read = read_free };

ENTRY(cuGraphAddMemFreeNode,
      (CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
       CUdeviceptr address),
      (node, graph, dependencies, count, address))
{
    rill_op op = { .kind = RILL_OP_FREE, .free = { .address = address } };
    return si_node_add(node, graph, dependencies, count, NULL, RILL_SUCCESS, &op);
}

ENTRY(cuGraphMemFreeNodeGetParams, (CUgraphNode node, CUdeviceptr *address), (node, address))
{
    rill_op op;
    rill_graph *graph;
    CUresult status = si_node_get(node, RILL_OP_FREE, &graph, &op);
    if (!status && !address) status = RILL_ERROR_INVALID_VALUE;
    if (!status) *address = op.free.address;
    return status;
}
