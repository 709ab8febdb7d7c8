/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies.  One row from address to address takes the driver's flat calls, which are
 * its quickest; everything else is a box.
 */
#include "backend-cuda/copy.h"

#include "backend-cuda/capture_list.h"
#include "backend-cuda/stream.h"

/* ---- What a copy is to the driver ------------------------------------------------------ */

_Static_assert(RILL_MEMORY_HOST == (int)CU_MEMORYTYPE_HOST, "the driver's number");
_Static_assert(RILL_MEMORY_DEVICE == (int)CU_MEMORYTYPE_DEVICE, "the driver's number");
_Static_assert(RILL_MEMORY_UNIFIED == (int)CU_MEMORYTYPE_UNIFIED, "the driver's number");

static void *host_of(const rill_place *place)
{
    return place->kind == RILL_MEMORY_HOST ? (void *)(uintptr_t)place->address : NULL;
}

static CUdeviceptr device_of(const rill_place *place)
{
    return place->kind == RILL_MEMORY_HOST ? 0 : place->address;
}

void cuda_write_copy(const rill_copy *copy, CUDA_MEMCPY3D *raw)
{
    const rill_place *dst = &copy->dst, *src = &copy->src;
    *raw = (CUDA_MEMCPY3D){
        .srcXInBytes = src->x,
        .srcY = src->y,
        .srcZ = src->z,
        .srcMemoryType = (CUmemorytype)src->kind,
        .srcHost = host_of(src),
        .srcDevice = device_of(src),
        .srcPitch = src->pitch,
        .srcHeight = src->rows,
        .dstXInBytes = dst->x,
        .dstY = dst->y,
        .dstZ = dst->z,
        .dstMemoryType = (CUmemorytype)dst->kind,
        .dstHost = host_of(dst),
        .dstDevice = device_of(dst),
        .dstPitch = dst->pitch,
        .dstHeight = dst->rows,
        .WidthInBytes = copy->width,
        .Height = copy->height,
        .Depth = copy->depth,
    };
}

void cuda_read_copy(const CUDA_MEMCPY3D *raw, rill_copy *copy)
{
    bool to_host = raw->dstMemoryType == CU_MEMORYTYPE_HOST;
    bool from_host = raw->srcMemoryType == CU_MEMORYTYPE_HOST;
    *copy = (rill_copy){
        .dst = { (rill_memory_kind)raw->dstMemoryType,
                 to_host ? (rill_devptr)(uintptr_t)raw->dstHost : raw->dstDevice, raw->dstPitch,
                 raw->dstHeight, raw->dstXInBytes, raw->dstY, raw->dstZ, NULL },
        .src = { (rill_memory_kind)raw->srcMemoryType,
                 from_host ? (rill_devptr)(uintptr_t)raw->srcHost : raw->srcDevice, raw->srcPitch,
                 raw->srcHeight, raw->srcXInBytes, raw->srcY, raw->srcZ, NULL },
        .width = raw->WidthInBytes,
        .height = raw->Height,
        .depth = raw->Depth,
    };
}

/* Places without a context are in this one. */
static CUcontext raw_context(const struct cuda_context *context, const rill_place *place)
{
    return place->context ? cuda_context_of(place->context)->raw : context->raw;
}

static void write_peer_copy(const struct cuda_context *context, const rill_copy *copy,
                            CUDA_MEMCPY3D_PEER *raw)
{
    const rill_place *dst = &copy->dst, *src = &copy->src;
    *raw = (CUDA_MEMCPY3D_PEER){
        .srcXInBytes = src->x,
        .srcY = src->y,
        .srcZ = src->z,
        .srcMemoryType = (CUmemorytype)src->kind,
        .srcHost = host_of(src),
        .srcDevice = device_of(src),
        .srcContext = raw_context(context, src),
        .srcPitch = src->pitch,
        .srcHeight = src->rows,
        .dstXInBytes = dst->x,
        .dstY = dst->y,
        .dstZ = dst->z,
        .dstMemoryType = (CUmemorytype)dst->kind,
        .dstHost = host_of(dst),
        .dstDevice = device_of(dst),
        .dstContext = raw_context(context, dst),
        .dstPitch = dst->pitch,
        .dstHeight = dst->rows,
        .WidthInBytes = copy->width,
        .Height = copy->height,
        .Depth = copy->depth,
    };
}

/* ---- Which call it takes ---------------------------------------------------------------- */

static inline bool is_plain(const rill_place *place)
{
    return !(place->x | place->y | place->z | place->pitch | place->rows);
}

static inline bool is_row(const rill_copy *copy)
{
    return copy->height == 1 && copy->depth == 1 && is_plain(&copy->dst) && is_plain(&copy->src);
}

static inline bool names_contexts(const rill_copy *copy)
{
    return copy->dst.context || copy->src.context;
}

#define PAIR(dst, src) (RILL_MEMORY_##dst << 4 | RILL_MEMORY_##src)

/* From what to what, where there is a flat call for it, else 0.  Kinds may be any numbers. */
static inline int pair_of(const rill_copy *copy)
{
    unsigned dst = (unsigned)copy->dst.kind, src = (unsigned)copy->src.kind;
    return is_row(copy) && (dst | src) < 16 ? (int)(dst << 4 | src) : 0;
}

/* ---- At once ---------------------------------------------------------------------------- */

/* The end of a copy. */
static inline rill_status end(const struct cuda_context *context, CUresult result,
                              const char *call, const rill_copy *copy)
{
    return __builtin_expect(result == CUDA_SUCCESS, 1)
               ? RILL_SUCCESS
               : cuda_explain_copy(context, result, call, copy);
}

static rill_status run_peer(struct cuda_context *context, const rill_copy *copy)
{
    const rill_place *dst = &copy->dst, *src = &copy->src;
    CUDA_MEMCPY3D_PEER raw;
    if (pair_of(copy) == PAIR(DEVICE, DEVICE))
        return end(context,
                   cuda_api.MemcpyPeer(dst->address, raw_context(context, dst), src->address,
                                       raw_context(context, src), copy->width),
                   "cuMemcpyPeer", copy);
    write_peer_copy(context, copy, &raw);
    return end(context, cuda_api.Memcpy3DPeer(&raw), "cuMemcpy3DPeer", copy);
}

static rill_status run_box(struct cuda_context *context, const rill_copy *copy)
{
    CUDA_MEMCPY3D raw;
    cuda_write_copy(copy, &raw);
    return end(context, cuda_api.Memcpy3D(&raw), "cuMemcpy3D", copy);
}

rill_status cuda_run_copy(struct cuda_context *context, const rill_copy *copy)
{
    rill_devptr dst = copy->dst.address, src = copy->src.address;
    if (names_contexts(copy)) return run_peer(context, copy);
    switch (pair_of(copy)) {
    case PAIR(UNIFIED, UNIFIED):
        return end(context, cuda_api.Memcpy(dst, src, copy->width), "cuMemcpy", copy);
    case PAIR(DEVICE, HOST):
        return end(context, cuda_api.MemcpyHtoD(dst, (const void *)(uintptr_t)src, copy->width),
                   "cuMemcpyHtoD", copy);
    case PAIR(HOST, DEVICE):
        return end(context, cuda_api.MemcpyDtoH((void *)(uintptr_t)dst, src, copy->width),
                   "cuMemcpyDtoH", copy);
    case PAIR(DEVICE, DEVICE):
        return end(context, cuda_api.MemcpyDtoD(dst, src, copy->width), "cuMemcpyDtoD", copy);
    default: return run_box(context, copy);
    }
}

/* ---- In a stream -------------------------------------------------------------------------- */

/* Apart, for the sake of the stack that a row does without. */
__attribute__((noinline))
static rill_status submit_peer(struct cuda_stream *stream, const rill_copy *copy)
{
    struct cuda_context *context = stream->context;
    const rill_place *dst = &copy->dst, *src = &copy->src;
    CUDA_MEMCPY3D_PEER raw;
    if (pair_of(copy) == PAIR(DEVICE, DEVICE))
        return end(context,
                   cuda_api.MemcpyPeerAsync(dst->address, raw_context(context, dst),
                                            src->address, raw_context(context, src),
                                            copy->width, stream->raw),
                   "cuMemcpyPeerAsync", copy);
    write_peer_copy(context, copy, &raw);
    return end(context, cuda_api.Memcpy3DPeerAsync(&raw, stream->raw), "cuMemcpy3DPeerAsync",
               copy);
}

__attribute__((noinline))
static rill_status submit_box(struct cuda_stream *stream, const rill_copy *copy)
{
    CUDA_MEMCPY3D raw;
    cuda_write_copy(copy, &raw);
    return end(stream->context, cuda_api.Memcpy3DAsync(&raw, stream->raw), "cuMemcpy3DAsync",
               copy);
}

/* The flat call of a pair, and its name. */
static inline CUresult call_row(const struct cuda_stream *stream, int pair, rill_devptr dst,
                                rill_devptr src, size_t bytes)
{
    switch (pair) {
    case PAIR(DEVICE, HOST):
        return cuda_api.MemcpyHtoDAsync(dst, (const void *)(uintptr_t)src, bytes, stream->raw);
    case PAIR(HOST, DEVICE):
        return cuda_api.MemcpyDtoHAsync((void *)(uintptr_t)dst, src, bytes, stream->raw);
    case PAIR(DEVICE, DEVICE): return cuda_api.MemcpyDtoDAsync(dst, src, bytes, stream->raw);
    default: return cuda_api.MemcpyAsync(dst, src, bytes, stream->raw);
    }
}

static const char *name_of_row(int pair)
{
    switch (pair) {
    case PAIR(DEVICE, HOST): return "cuMemcpyHtoDAsync";
    case PAIR(HOST, DEVICE): return "cuMemcpyDtoHAsync";
    case PAIR(DEVICE, DEVICE): return "cuMemcpyDtoDAsync";
    case PAIR(UNIFIED, UNIFIED): return "cuMemcpyAsync";
    default: return NULL; /* there is none */
    }
}

static rill_status submit(struct cuda_stream *stream, const rill_copy *copy)
{
    int pair = pair_of(copy);
    const char *name = name_of_row(pair);
    if (names_contexts(copy)) return submit_peer(stream, copy);
    if (!name) return submit_box(stream, copy);
    return end(stream->context,
               call_row(stream, pair, copy->dst.address, copy->src.address, copy->width), name,
               copy);
}

/* The driver looks at the current context when memory is of another device, and crashes
 * where there is none, as measured.  A default stream is the current context's. */
static inline rill_status enter_to_copy(const struct cuda_stream *stream, struct cuda_visit *visit)
{
    visit->pushed = false;
    bool needs = stream->context->platform->device_count > 1 || stream->is_default;
    return needs ? cuda_enter(stream->context, visit) : RILL_SUCCESS;
}

rill_status cuda_submit_copy(struct cuda_stream *stream, rill_op *op)
{
    struct cuda_visit visit;
    rill_status status = enter_to_copy(stream, &visit);
    if (status) return cuda_submitted(stream, status);
    status = submit(stream, &op->memcpy);
    cuda_leave(&visit);
    return cuda_submitted(stream, status);
}

__attribute__((noinline, cold))
static rill_status explain_row(const struct cuda_stream *stream, CUresult result, int pair,
                               rill_devptr dst, rill_devptr src, size_t bytes)
{
    const rill_copy copy = {
        .dst = { .kind = (rill_memory_kind)(pair >> 4), .address = dst },
        .src = { .kind = (rill_memory_kind)(pair & 15), .address = src },
        .width = bytes, .height = 1, .depth = 1,
    };
    return cuda_submitted(stream,
                          cuda_explain_copy(stream->context, result, name_of_row(pair), &copy));
}

rill_status cuda_submit_row(struct cuda_stream *stream, rill_memory_kind dst_kind, rill_devptr dst,
                            rill_memory_kind src_kind, rill_devptr src, size_t bytes)
{
    const int pair = (int)dst_kind << 4 | (int)src_kind;
    struct cuda_visit visit;
    rill_status status = enter_to_copy(stream, &visit);
    if (status) return cuda_submitted(stream, status);
    CUresult result = call_row(stream, pair, dst, src, bytes);
    if (__builtin_expect(result != CUDA_SUCCESS, 0))
        status = explain_row(stream, result, pair, dst, src, bytes);
    cuda_leave(&visit);
    return status;
}
