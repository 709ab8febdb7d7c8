/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies of rows and slices.  All are the driver's copy of slices.  In a copy that names arrays,
 * widths count elements, and so do places in arrays.
 */
#include "runtime/memory/array.h"
#include "runtime/memory/copy.h"
#include "runtime/thread/entry.h"

/* ---- In the driver's words --------------------------------------------------------------- */

static int memory_type(int kind, int is_dst)
{
    int host = is_dst ? kind == cudaMemcpyDeviceToHost : kind == cudaMemcpyHostToDevice;
    if (kind == cudaMemcpyDefault) return CU_MEMORYTYPE_UNIFIED;
    return host || kind == cudaMemcpyHostToHost ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
}

static si_slices translate_end(struct cudaPitchedPtr memory, struct cudaPos at, int type)
{
    return (si_slices){
        .x = at.x,
        .y = at.y,
        .z = at.z,
        .kind = type,
        .host = type == CU_MEMORYTYPE_HOST ? memory.ptr : NULL,
        .device = type == CU_MEMORYTYPE_HOST ? 0 : rt_address(memory.ptr),
        .pitch = memory.pitch,
        .rows = memory.ysize,
    };
}

/* Tells whether rows lie behind each other, and slices. */
static int is_in_pitch(const struct cudaPitchedPtr *memory, const struct cudaExtent *extent)
{
    if (extent->depth > 1 && memory->ysize < extent->height) return 0;
    return (extent->height <= 1 && extent->depth <= 1) || memory->pitch >= extent->width;
}

/* Gives the bytes of an element of the arrays that a copy names, 1 if it names none. */
static cudaError_t find_element_bytes(const struct cudaMemcpy3DParms *box, size_t *bytes)
{
    size_t other = 1;
    *bytes = 1;
    if (!box->srcArray && !box->dstArray) return cudaSuccess;
    cudaError_t status = rt_element_bytes(box->srcArray ? box->srcArray : box->dstArray, bytes);
    if (!status && box->srcArray && box->dstArray)
        status = rt_element_bytes(box->dstArray, &other);
    if (!status && box->srcArray && box->dstArray && other != *bytes)
        status = RILL_ERROR_INVALID_VALUE;
    return status;
}

static si_slices end_in_array(cudaArray_t array, struct cudaPos at, size_t element)
{
    return (si_slices){ .x = at.x * element, .y = at.y, .z = at.z, .kind = CU_MEMORYTYPE_ARRAY,
                        .array = array };
}

cudaError_t rt_translate_box(const struct cudaMemcpy3DParms *box, CUDA_MEMCPY3D *out)
{
    size_t element;
    if (!box) return RILL_ERROR_INVALID_VALUE;
    if (box->kind < cudaMemcpyHostToHost || box->kind > cudaMemcpyDefault)
        return cudaErrorInvalidMemcpyDirection;
    if ((box->srcArray && box->srcPtr.ptr) || (box->dstArray && box->dstPtr.ptr))
        return RILL_ERROR_INVALID_VALUE;
    cudaError_t status = find_element_bytes(box, &element);
    if (status) return status;
    const struct cudaExtent extent = { box->extent.width * element, box->extent.height,
                                       box->extent.depth };
    if ((!box->srcArray && !is_in_pitch(&box->srcPtr, &extent)) ||
        (!box->dstArray && !is_in_pitch(&box->dstPtr, &extent)))
        return cudaErrorInvalidPitchValue;
    *out = (CUDA_MEMCPY3D){
        .src = box->srcArray ? end_in_array(box->srcArray, box->srcPos, element)
                             : translate_end(box->srcPtr, box->srcPos, memory_type(box->kind, 0)),
        .dst = box->dstArray ? end_in_array(box->dstArray, box->dstPos, element)
                             : translate_end(box->dstPtr, box->dstPos, memory_type(box->kind, 1)),
        .width = extent.width,
        .height = extent.height,
        .depth = extent.depth,
    };
    return cudaSuccess;
}

/* The driver does not know how wide a row is. */
static struct cudaPitchedPtr translate_end_back(const si_slices *end)
{
    if (end->kind == CU_MEMORYTYPE_ARRAY) return (struct cudaPitchedPtr){ NULL, 0, 0, 0 };
    void *pointer = end->kind == CU_MEMORYTYPE_HOST ? end->host : (void *)(uintptr_t)end->device;
    return (struct cudaPitchedPtr){ pointer, end->pitch, 0, end->rows };
}

void rt_translate_box_back(const CUDA_MEMCPY3D *box, struct cudaMemcpy3DParms *out)
{
    static const int kinds[2][2] = { { cudaMemcpyDeviceToDevice, cudaMemcpyDeviceToHost },
                                     { cudaMemcpyHostToDevice, cudaMemcpyHostToHost } };
    int unified = box->src.kind == CU_MEMORYTYPE_UNIFIED || box->dst.kind == CU_MEMORYTYPE_UNIFIED;
    *out = (struct cudaMemcpy3DParms){
        .srcPos = { box->src.x, box->src.y, box->src.z },
        .srcPtr = translate_end_back(&box->src),
        .dstPos = { box->dst.x, box->dst.y, box->dst.z },
        .dstPtr = translate_end_back(&box->dst),
        .extent = { box->width, box->height, box->depth },
        .kind = kinds[box->src.kind == CU_MEMORYTYPE_HOST][box->dst.kind == CU_MEMORYTYPE_HOST],
    };
    if (unified) out->kind = cudaMemcpyDefault;
    size_t element = 1;
    out->srcArray = box->src.kind == CU_MEMORYTYPE_ARRAY ? box->src.array : NULL;
    out->dstArray = box->dst.kind == CU_MEMORYTYPE_ARRAY ? box->dst.array : NULL;
    if (find_element_bytes(out, &element) || element <= 1) return;
    if (out->srcArray) out->srcPos.x /= element;
    if (out->dstArray) out->dstPos.x /= element;
    out->extent.width /= element;
}

cudaError_t rt_box_of_bytes(void *dst, const void *src, size_t bytes, int kind,
                            CUDA_MEMCPY3D *out)
{
    const struct cudaMemcpy3DParms box = {
        .srcPtr = { (void *)(uintptr_t)src, 0, bytes, 0 },
        .dstPtr = { dst, 0, bytes, 0 },
        .extent = { bytes, 1, 1 },
        .kind = kind,
    };
    return rt_translate_box(&box, out);
}

/* ---- The calls --------------------------------------------------------------------------- */

static cudaError_t copy_box(const struct cudaMemcpy3DParms *box, struct rt_order order)
{
    CUDA_MEMCPY3D copy;
    if (box && (!box->extent.width || !box->extent.height || !box->extent.depth)) /* of any kind */
        return order.how == RT_ASYNC ? rt_capture_refuses(order.stream) : cudaSuccess;
    cudaError_t status = rt_translate_box(box, &copy);
    if (status) return status;
    switch (order.how) {
    case RT_WAIT: return (cudaError_t)rt_driver.cuMemcpy3D_v2(&copy);
    case RT_WAIT_PER_THREAD: return (cudaError_t)rt_driver.cuMemcpy3D_v2_ptds(&copy);
    default: return (cudaError_t)rt_driver.cuMemcpy3DAsync_v2(&copy, order.stream);
    }
}

ENTRY(cudaMemcpy3D, (const struct cudaMemcpy3DParms *box), (box))
{
    return copy_box(box, (struct rt_order){ RT_WAIT, NULL });
}

ENTRY(cudaMemcpy3D_ptds, (const struct cudaMemcpy3DParms *box), (box))
{
    return copy_box(box, (struct rt_order){ RT_WAIT_PER_THREAD, NULL });
}

ENTRY(cudaMemcpy3DAsync, (const struct cudaMemcpy3DParms *box, cudaStream_t stream), (box, stream))
{
    return copy_box(box, (struct rt_order){ RT_ASYNC, stream });
}

PER_THREAD_FORM(cudaMemcpy3DAsync, _ptsz,
                (const struct cudaMemcpy3DParms *box, cudaStream_t stream), (box, stream))

static cudaError_t copy_rows(void *dst, size_t dst_pitch, const void *src, size_t src_pitch,
                             size_t width, size_t height, int kind, struct rt_order order)
{
    const struct cudaMemcpy3DParms box = {
        .srcPtr = { (void *)(uintptr_t)src, src_pitch, width, 0 },
        .dstPtr = { dst, dst_pitch, width, 0 },
        .extent = { width, height, 1 },
        .kind = kind,
    };
    if (!width || !height) return cudaSuccess; /* of whatever kind */
    return copy_box(&box, order);
}

#define ROWS \
    void *dst, size_t dst_pitch, const void *src, size_t src_pitch, size_t width, \
        size_t height, int kind

ENTRY(cudaMemcpy2D, (ROWS), (dst, dst_pitch, src, src_pitch, width, height, kind))
{
    return copy_rows(dst, dst_pitch, src, src_pitch, width, height, kind,
                     (struct rt_order){ RT_WAIT, NULL });
}

ENTRY(cudaMemcpy2D_ptds, (ROWS), (dst, dst_pitch, src, src_pitch, width, height, kind))
{
    return copy_rows(dst, dst_pitch, src, src_pitch, width, height, kind,
                     (struct rt_order){ RT_WAIT_PER_THREAD, NULL });
}

ENTRY(cudaMemcpy2DAsync,
      (ROWS, cudaStream_t stream), (dst, dst_pitch, src, src_pitch, width, height, kind, stream))
{
    return copy_rows(dst, dst_pitch, src, src_pitch, width, height, kind,
                     (struct rt_order){ RT_ASYNC, stream });
}

PER_THREAD_FORM(cudaMemcpy2DAsync, _ptsz, (ROWS, cudaStream_t stream),
                (dst, dst_pitch, src, src_pitch, width, height, kind, stream))

/* ---- Between devices --------------------------------------------------------------------- */

static cudaError_t translate_peer_box(const struct cudaMemcpy3DPeerParms *box,
                                      CUDA_MEMCPY3D_PEER *out)
{
    if (!box) return RILL_ERROR_INVALID_VALUE;
    const struct cudaMemcpy3DParms plain = {
        .srcArray = box->srcArray,
        .srcPos = box->srcPos,
        .srcPtr = box->srcPtr,
        .dstArray = box->dstArray,
        .dstPos = box->dstPos,
        .dstPtr = box->dstPtr,
        .extent = box->extent,
        .kind = cudaMemcpyDeviceToDevice,
    };
    cudaError_t status = rt_translate_box(&plain, out);
    if (!status) status = rt_primary(box->srcDevice, &out->src.context);
    return status ? status : rt_primary(box->dstDevice, &out->dst.context);
}

ENTRY(cudaMemcpy3DPeer, (const struct cudaMemcpy3DPeerParms *box), (box))
{
    CUDA_MEMCPY3D_PEER copy;
    cudaError_t status = translate_peer_box(box, &copy);
    return status ? status : (cudaError_t)rt_driver.cuMemcpy3DPeer(&copy);
}

ENTRY(cudaMemcpy3DPeer_ptds, (const struct cudaMemcpy3DPeerParms *box), (box))
{
    CUDA_MEMCPY3D_PEER copy;
    cudaError_t status = translate_peer_box(box, &copy);
    return status ? status : (cudaError_t)rt_driver.cuMemcpy3DPeer_ptds(&copy);
}

ENTRY(cudaMemcpy3DPeerAsync,
      (const struct cudaMemcpy3DPeerParms *box, cudaStream_t stream), (box, stream))
{
    CUDA_MEMCPY3D_PEER copy;
    cudaError_t status = translate_peer_box(box, &copy);
    return status ? status : (cudaError_t)rt_driver.cuMemcpy3DPeerAsync(&copy, stream);
}

PER_THREAD_FORM(cudaMemcpy3DPeerAsync, _ptsz,
                (const struct cudaMemcpy3DPeerParms *box, cudaStream_t stream), (box, stream))
