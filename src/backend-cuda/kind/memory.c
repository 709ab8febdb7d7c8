/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory that is allocated and freed in stream order, or by a graph.
 */
#include <string.h>

#include "backend-cuda/context/capture_list.h"
#include "backend-cuda/kind/kind.h"
#include "backend-cuda/memory/pointer.h"
#include "backend-cuda/memory/pool.h"

static rill_status refuse_inside(void)
{
    return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, "graph",
                             "a graph inside another cannot get nodes that allocate or free "
                             "memory");
}

/* ---- Allocating -------------------------------------------------------------------------- */

static rill_status explain_submission(CUresult result, const char *call, const rill_alloc_op *alloc)
{
    if (result != CUDA_ERROR_OUT_OF_MEMORY) return cuda_fail(result, call, NULL);
    return cuda_blame(result, call, "bytes",
                      "%zu bytes do not fit into the device, or not into the maximum of the pool",
                      alloc->bytes);
}

static rill_status submit_alloc(struct cuda_stream *stream, rill_op *op)
{
    rill_alloc_op *alloc = &op->alloc;
    CUdeviceptr made = 0;
    CUresult result =
        alloc->pool ? cuda_api.MemAllocFromPoolAsync(&made, alloc->bytes,
                                                     cuda_pool_of(alloc->pool)->raw, stream->raw)
                    : cuda_api.MemAllocAsync(&made, alloc->bytes, stream->raw);
    if (result) {
        const char *call = alloc->pool ? "cuMemAllocFromPoolAsync" : "cuMemAllocAsync";
        return cuda_submitted(stream, explain_submission(result, call, alloc));
    }
    alloc->address = made;
    return RILL_SUCCESS;
}

/* A graph takes its memory from the device.  A pool only says which device that is, and which
 * others may reach the memory. */
static size_t copy_access(const struct cuda_platform *platform, const struct cuda_pool *pool,
                          struct cuda_room *room)
{
    size_t count = 0, most = sizeof room->access / sizeof *room->access;
    for (int device = 0; device < platform->device_count && count < most; device++) {
        CUmemLocation place = { .type = CU_MEM_LOCATION_TYPE_DEVICE, .id = device };
        CUmemAccess_flags flags = CU_MEM_ACCESS_FLAGS_PROT_NONE;
        if (device == pool->device || cuda_api.MemPoolGetAccess(&flags, pool->raw, &place) ||
            flags == CU_MEM_ACCESS_FLAGS_PROT_NONE)
            continue;
        room->access[count++] = (CUmemAccessDesc){ .location = place, .flags = flags };
    }
    return count;
}

static rill_status write_alloc(const struct cuda_site *site, const rill_op *op,
                               struct cuda_node_params *params, struct cuda_room *room)
{
    struct cuda_alloc_params *raw = &params->alloc;
    const struct cuda_pool *pool = op->alloc.pool ? cuda_pool_of(op->alloc.pool) : NULL;
    raw->pool.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    raw->pool.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    raw->pool.location.id = pool ? pool->device : op->alloc.device;
    raw->bytes = op->alloc.bytes;
    raw->access_count = pool ? copy_access(site->platform, pool, room) : 0;
    raw->access = raw->access_count ? room->access : NULL;
    return RILL_SUCCESS;
}

static rill_status read_alloc(struct cuda_graph *graph, CUgraphNode raw, rill_op *op)
{
    CUDA_MEM_ALLOC_NODE_PARAMS params;
    (void)graph;
    rill_status status = cuda_end(cuda_api.GraphMemAllocNodeGetParams(raw, &params),
                                  "cuGraphMemAllocNodeGetParams");
    if (status) return status;
    op->alloc.bytes = params.bytesize;
    op->alloc.device = params.poolProps.location.id;
    op->alloc.address = params.dptr;
    return RILL_SUCCESS;
}

static rill_status add_alloc(struct cuda_addition *a)
{
    rill_status status = cuda_add_raw(a);
    if (!status) a->op->alloc.address = a->params.alloc.address;
    return status;
}

static CUresult typed_add_alloc(struct cuda_addition *a)
{
    CUDA_MEM_ALLOC_NODE_PARAMS raw;
    memcpy(&raw, &a->params.alloc, sizeof raw);
    CUresult result = cuda_api.GraphAddMemAllocNode(&a->node, a->graph->raw,
                                                    cuda_raw_dependencies(a), a->count, &raw);
    a->params.alloc.address = raw.dptr;
    return result;
}

static rill_status explain_alloc(const struct cuda_refusal *r)
{
    const rill_alloc_op *op = &r->op->alloc;
    if (r->result == CUDA_ERROR_OUT_OF_MEMORY) return cuda_fail(r->result, r->call, "bytes");
    if (r->result == CUDA_ERROR_NOT_SUPPORTED) return refuse_inside();
    if (!op->pool && (op->device < 0 || op->device >= r->platform->device_count))
        return rill_backend_fail((rill_status)r->result, "op->alloc.device",
                                 "there is no device %d; the platform has %d", op->device,
                                 r->platform->device_count);
    if (!op->bytes)
        return rill_backend_fail((rill_status)r->result, "op->alloc.bytes",
                                 "bytes is 0; an allocation has at least 1");
    return cuda_fail(r->result, r->call, "op->alloc.bytes");
}

const struct cuda_kind cuda_kind_alloc = {
    .op = RILL_OP_ALLOC,
    .traits = CUDA_KIND_IS_FIXED,
    .write = write_alloc,
    .read = read_alloc,
    .add = add_alloc,
    .set = cuda_set_raw,
    .typed_add = typed_add_alloc,
    .explain = explain_alloc,
    .submit = submit_alloc,
};

/* ---- Freeing ----------------------------------------------------------------------------- */

static rill_status submit_free(struct cuda_stream *stream, rill_op *op)
{
    rill_devptr address = op->free.address;
    CUresult result = cuda_api.MemFreeAsync(address, stream->raw);
    if (!result) return RILL_SUCCESS;
    return cuda_submitted(stream, cuda_explain_free(stream->context, result, "cuMemFreeAsync",
                                                    address));
}

static rill_status write_free(const struct cuda_site *site, const rill_op *op,
                              struct cuda_node_params *params, struct cuda_room *room)
{
    (void)site;
    (void)room;
    params->free.address = op->free.address;
    return RILL_SUCCESS;
}

static rill_status read_free(struct cuda_graph *graph, CUgraphNode raw, rill_op *op)
{
    CUdeviceptr address;
    (void)graph;
    rill_status status = cuda_end(cuda_api.GraphMemFreeNodeGetParams(raw, &address),
                                  "cuGraphMemFreeNodeGetParams");
    if (!status) op->free.address = address;
    return status;
}

static CUresult typed_add_free(struct cuda_addition *a)
{
    return cuda_api.GraphAddMemFreeNode(&a->node, a->graph->raw, cuda_raw_dependencies(a),
                                        a->count, a->params.free.address);
}

static rill_status explain_free(const struct cuda_refusal *r)
{
    if (r->result == CUDA_ERROR_NOT_SUPPORTED) return refuse_inside();
    if (r->result == CUDA_ERROR_INVALID_VALUE)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "op->free.address",
                                 "it is no address that an alloc node gave, or a node of this "
                                 "graph frees it already");
    return cuda_fail(r->result, r->call, "op->free.address");
}

const struct cuda_kind cuda_kind_free = {
    .op = RILL_OP_FREE,
    .traits = CUDA_KIND_IS_FIXED,
    .write = write_free,
    .read = read_free,
    .add = cuda_add_raw,
    .set = cuda_set_raw,
    .typed_add = typed_add_free,
    .explain = explain_free,
    .submit = submit_free,
};
