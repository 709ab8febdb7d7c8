/* SPDX-License-Identifier: Apache-2.0
 *
 * Batches of copies.  A batch may run in any order; here it runs in the order of the list.
 * All of its copies are checked before the first is submitted.
 */
#include <string.h>

#include "base/alloc.h"
#include "standin/context/current.h"

static int is_order(int order)
{
    return order >= CU_MEMCPY_SRC_ACCESS_ORDER_STREAM && order <= CU_MEMCPY_SRC_ACCESS_ORDER_ANY;
}

/* Batches need a stream that a program made, and cannot be captured: the capture is not
 * broken by one. */
static CUresult find_stream(CUstream handle, rill_stream **stream)
{
    rill_capture_info info = { .size = sizeof info };
    if (!handle || handle == CU_STREAM_LEGACY) return RILL_ERROR_INVALID_VALUE;
    CUresult status = si_stream(handle, stream);
    if (!status) status = rill_stream_capture_info(*stream, &info);
    if (status) return status;
    return info.state == RILL_CAPTURE_NONE ? RILL_SUCCESS : RILL_ERROR_STREAM_CAPTURE_UNSUPPORTED;
}

/* ---- Sources that are read during the call -------------------------------------------- */

/* Tells whether the source must be read here: rill reads other host memory during the call
 * anyway, and refuses what exceeds an allocation. */
static int is_pinned(CUdeviceptr address, size_t bytes)
{
    rill_context *context;
    rill_pointer_info info = { .size = sizeof info };
    if (si_here(&context) || rill_pointer_get_info(context, address, &info)) return 0;
    return info.known && info.kind == RILL_MEMORY_HOST && bytes <= info.bytes &&
           address - info.base <= info.bytes - bytes;
}

static CUresult copy_at_once(rill_stream *stream, CUdeviceptr dst, CUdeviceptr src, size_t bytes)
{
    void *read = rl_alloc(bytes);
    if (!read) return RILL_ERROR_OUT_OF_MEMORY;
    memcpy(read, (const void *)(uintptr_t)src, bytes);
    CUresult status = rill_memcpy_async(stream, dst, (uintptr_t)read, bytes);
    rl_free(read);
    return status;
}

static CUresult copy_row(rill_stream *stream, CUdeviceptr dst, CUdeviceptr src, size_t bytes,
                         int order)
{
    if (order == CU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL && bytes && is_pinned(src, bytes))
        return copy_at_once(stream, dst, src, bytes);
    return rill_memcpy_async(stream, dst, src, bytes);
}

/* Returns the distance from the first byte of a box's source to the end of the last; 0 if it
 * has no bytes, or if the place cannot be, which rill will say. */
static size_t source_extent(const rill_copy *box, size_t pitch, size_t rows)
{
    size_t all, bytes;
    if (!box->width || !box->height || !box->depth) return 0;
    if (pitch < box->width || rows < box->height) return 0;
    if (__builtin_mul_overflow(rows, box->depth - 1, &all) ||
        __builtin_add_overflow(all, box->height - 1, &all) ||
        __builtin_mul_overflow(all, pitch, &bytes) ||
        __builtin_add_overflow(bytes, box->width, &bytes))
        return 0;
    return bytes;
}

/* Reads the rows of the source, packed, and copies from there. */
static CUresult copy_box_at_once(rill_stream *stream, rill_copy box, size_t pitch, size_t rows)
{
    const char *from = (const char *)(uintptr_t)box.src.address;
    char *read = rl_alloc(box.width * box.height * box.depth), *to = read;
    if (!read) return RILL_ERROR_OUT_OF_MEMORY;
    for (size_t z = 0; z < box.depth; z++)
        for (size_t y = 0; y < box.height; y++, to += box.width)
            memcpy(to, from + (z * rows + y) * pitch, box.width);
    box.src = (rill_place){ .kind = RILL_MEMORY_UNIFIED, .address = (uintptr_t)read };
    CUresult status = rill_memcpy_box_async(stream, &box);
    rl_free(read);
    return status;
}

static CUresult copy_box(rill_stream *stream, const rill_copy *box, int order)
{
    size_t pitch = box->src.pitch ? box->src.pitch : box->width;
    size_t rows = box->src.rows ? box->src.rows : box->height;
    size_t extent = order == CU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL
        ? source_extent(box, pitch, rows) : 0;
    if (extent && is_pinned(box->src.address, extent))
        return copy_box_at_once(stream, *box, pitch, rows);
    return rill_memcpy_box_async(stream, box);
}

/* ---- Rows of bytes ------------------------------------------------------------------ */

struct batch {
    const CUdeviceptr *dst, *src;
    const size_t *bytes;
    size_t count;
    const CUmemcpyAttributes *attributes; /* attributes[i] holds from copy first[i] on */
    const size_t *first;
    size_t attribute_count;
};

static CUresult check_batch(const struct batch *batch)
{
    if (!batch->dst || !batch->src || !batch->bytes || !batch->count ||
        !batch->attributes || !batch->first || !batch->attribute_count ||
        batch->attribute_count > batch->count || batch->first[0])
        return RILL_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < batch->attribute_count; i++) {
        int ascends = !i || batch->first[i] > batch->first[i - 1];
        if (!ascends || batch->first[i] >= batch->count ||
            !is_order(batch->attributes[i].src_access_order) || batch->attributes[i].flags > 1)
            return RILL_ERROR_INVALID_VALUE;
    }
    return RILL_SUCCESS;
}

static CUresult submit_batch(const struct batch *batch, CUstream handle, size_t *failed)
{
    rill_stream *stream = NULL;
    size_t attribute = 0;
    if (failed) *failed = SIZE_MAX;
    CUresult status = si_check_ready();
    if (!status) status = check_batch(batch);
    if (!status) status = find_stream(handle, &stream);
    for (size_t i = 0; !status && i < batch->count; i++) {
        while (attribute + 1 < batch->attribute_count && batch->first[attribute + 1] <= i)
            attribute++;
        status = copy_row(stream, batch->dst[i], batch->src[i], batch->bytes[i],
                          batch->attributes[attribute].src_access_order);
        if (status && failed) *failed = i;
    }
    return status;
}

ENTRY(cuMemcpyBatchAsync,
      (CUdeviceptr *dst, CUdeviceptr *src, size_t *bytes, size_t count,
       CUmemcpyAttributes *attributes, size_t *first, size_t attribute_count, size_t *failed,
       CUstream stream),
      (dst, src, bytes, count, attributes, first, attribute_count, failed, stream))
{
    struct batch batch = { dst, src, bytes, count, attributes, first, attribute_count };
    return submit_batch(&batch, stream, failed);
}

ENTRY(cuMemcpyBatchAsync_v2,
      (CUdeviceptr *dst, CUdeviceptr *src, size_t *bytes, size_t count,
       CUmemcpyAttributes *attributes, size_t *first, size_t attribute_count, CUstream stream),
      (dst, src, bytes, count, attributes, first, attribute_count, stream))
{
    struct batch batch = { dst, src, bytes, count, attributes, first, attribute_count };
    return submit_batch(&batch, stream, NULL);
}

PER_THREAD_FORM(cuMemcpyBatchAsync, _ptsz,
                (CUdeviceptr *dst, CUdeviceptr *src, size_t *bytes, size_t count,
                 CUmemcpyAttributes *attributes, size_t *first, size_t attribute_count,
                 size_t *failed, CUstream stream),
                (dst, src, bytes, count, attributes, first, attribute_count, failed, stream))
PER_THREAD_FORM(cuMemcpyBatchAsync_v2, _ptsz,
                (CUdeviceptr *dst, CUdeviceptr *src, size_t *bytes, size_t count,
                 CUmemcpyAttributes *attributes, size_t *first, size_t attribute_count,
                 CUstream stream),
                (dst, src, bytes, count, attributes, first, attribute_count, stream))

/* ---- Boxes ---------------------------------------------------------------------------- */

/* A row is as long as the box is wide unless a length is given. */
static CUresult read_operand(const CUmemcpy3DOperand *given, rill_place *place)
{
    if (given->type == CU_MEMCPY_OPERAND_TYPE_ARRAY) return RILL_ERROR_NOT_SUPPORTED;
    if (given->type != CU_MEMCPY_OPERAND_TYPE_POINTER) return RILL_ERROR_INVALID_VALUE;
    *place = (rill_place){ .kind = RILL_MEMORY_UNIFIED,
                           .address = given->pointer.pointer,
                           .pitch = given->pointer.row_length,
                           .rows = given->pointer.layer_height };
    return RILL_SUCCESS;
}

static CUresult read_box(const CUDA_MEMCPY3D_BATCH_OP *given, rill_copy *box)
{
    if (!is_order(given->src_access_order) || given->flags > 1) return RILL_ERROR_INVALID_VALUE;
    *box = (rill_copy){ .width = given->extent.width,
                        .height = given->extent.height,
                        .depth = given->extent.depth };
    CUresult status = read_operand(&given->dst, &box->dst);
    return status ? status : read_operand(&given->src, &box->src);
}

static CUresult submit_boxes(size_t count, const CUDA_MEMCPY3D_BATCH_OP *list, size_t *failed,
                             unsigned long long flags, CUstream handle)
{
    rill_stream *stream = NULL;
    rill_copy box;
    if (failed) *failed = SIZE_MAX;
    CUresult status = si_check_ready();
    if (!status && (!count || !list || flags)) status = RILL_ERROR_INVALID_VALUE;
    if (!status) status = find_stream(handle, &stream);
    for (size_t i = 0; !status && i < 2 * count; i++) {
        status = read_box(&list[i % count], &box);
        if (!status && i >= count)
            status = copy_box(stream, &box, list[i - count].src_access_order);
        if (status && failed) *failed = i % count;
    }
    return status;
}

ENTRY(cuMemcpy3DBatchAsync,
      (size_t count, CUDA_MEMCPY3D_BATCH_OP *list, size_t *failed, unsigned long long flags,
       CUstream stream),
      (count, list, failed, flags, stream))
{
    return submit_boxes(count, list, failed, flags, stream);
}

ENTRY(cuMemcpy3DBatchAsync_v2,
      (size_t count, CUDA_MEMCPY3D_BATCH_OP *list, unsigned long long flags, CUstream stream),
      (count, list, flags, stream))
{
    return submit_boxes(count, list, NULL, flags, stream);
}

PER_THREAD_FORM(cuMemcpy3DBatchAsync, _ptsz,
                (size_t count, CUDA_MEMCPY3D_BATCH_OP *list, size_t *failed,
                 unsigned long long flags, CUstream stream),
                (count, list, failed, flags, stream))
PER_THREAD_FORM(cuMemcpy3DBatchAsync_v2, _ptsz,
                (size_t count, CUDA_MEMCPY3D_BATCH_OP *list, unsigned long long flags,
                 CUstream stream),
                (count, list, flags, stream))
