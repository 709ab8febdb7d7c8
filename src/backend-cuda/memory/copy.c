/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies in the driver's form, and copies at once.
 */
#include "backend-cuda/memory/copy.h"

/* ---- What a copy is to the driver ------------------------------------------------------ */

_Static_assert(RILL_MEMORY_HOST == (int)CU_MEMORYTYPE_HOST, "the driver's number");
_Static_assert(RILL_MEMORY_DEVICE == (int)CU_MEMORYTYPE_DEVICE, "the driver's number");
_Static_assert(RILL_MEMORY_UNIFIED == (int)CU_MEMORYTYPE_UNIFIED, "the driver's number");

static void *host_address(const rill_place *place)
{
    return place->kind == RILL_MEMORY_HOST ? (void *)(uintptr_t)place->address : NULL;
}

static CUdeviceptr device_address(const rill_place *place)
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
        .srcHost = host_address(src),
        .srcDevice = device_address(src),
        .srcPitch = src->pitch,
        .srcHeight = src->rows,
        .dstXInBytes = dst->x,
        .dstY = dst->y,
        .dstZ = dst->z,
        .dstMemoryType = (CUmemorytype)dst->kind,
        .dstHost = host_address(dst),
        .dstDevice = device_address(dst),
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

void cuda_write_peer_copy(const struct cuda_context *context, const rill_copy *copy,
                          CUDA_MEMCPY3D_PEER *raw)
{
    const rill_place *dst = &copy->dst, *src = &copy->src;
    *raw = (CUDA_MEMCPY3D_PEER){
        .srcXInBytes = src->x,
        .srcY = src->y,
        .srcZ = src->z,
        .srcMemoryType = (CUmemorytype)src->kind,
        .srcHost = host_address(src),
        .srcDevice = device_address(src),
        .srcContext = cuda_copy_context(context, src),
        .srcPitch = src->pitch,
        .srcHeight = src->rows,
        .dstXInBytes = dst->x,
        .dstY = dst->y,
        .dstZ = dst->z,
        .dstMemoryType = (CUmemorytype)dst->kind,
        .dstHost = host_address(dst),
        .dstDevice = device_address(dst),
        .dstContext = cuda_copy_context(context, dst),
        .dstPitch = dst->pitch,
        .dstHeight = dst->rows,
        .WidthInBytes = copy->width,
        .Height = copy->height,
        .Depth = copy->depth,
    };
}

/* ---- At once ---------------------------------------------------------------------------- */

static rill_status run_peer_copy(struct cuda_context *context, const rill_copy *copy)
{
    const rill_place *dst = &copy->dst, *src = &copy->src;
    CUDA_MEMCPY3D_PEER raw;
    if (cuda_copy_pair(copy) == CUDA_PAIR(DEVICE, DEVICE))
        return cuda_end_copy(context,
                             cuda_api.MemcpyPeer(dst->address, cuda_copy_context(context, dst),
                                                 src->address, cuda_copy_context(context, src),
                                                 copy->width),
                             "cuMemcpyPeer", copy);
    cuda_write_peer_copy(context, copy, &raw);
    return cuda_end_copy(context, cuda_api.Memcpy3DPeer(&raw), "cuMemcpy3DPeer", copy);
}

static rill_status run_box_copy(struct cuda_context *context, const rill_copy *copy)
{
    CUDA_MEMCPY3D raw;
    cuda_write_copy(copy, &raw);
    return cuda_end_copy(context, cuda_api.Memcpy3D(&raw), "cuMemcpy3D", copy);
}

rill_status cuda_run_copy(struct cuda_context *context, const rill_copy *copy)
{
    rill_devptr dst = copy->dst.address, src = copy->src.address;
    if (cuda_names_contexts(copy)) return run_peer_copy(context, copy);
    switch (cuda_copy_pair(copy)) {
    case CUDA_PAIR(UNIFIED, UNIFIED):
        return cuda_end_copy(context, cuda_api.Memcpy(dst, src, copy->width), "cuMemcpy", copy);
    case CUDA_PAIR(DEVICE, HOST):
        return cuda_end_copy(context,
                             cuda_api.MemcpyHtoD(dst, (const void *)(uintptr_t)src, copy->width),
                             "cuMemcpyHtoD", copy);
    case CUDA_PAIR(HOST, DEVICE):
        return cuda_end_copy(context,
                             cuda_api.MemcpyDtoH((void *)(uintptr_t)dst, src, copy->width),
                             "cuMemcpyDtoH", copy);
    case CUDA_PAIR(DEVICE, DEVICE):
        return cuda_end_copy(context, cuda_api.MemcpyDtoD(dst, src, copy->width),
                             "cuMemcpyDtoD", copy);
    default: return run_box_copy(context, copy);
    }
}
