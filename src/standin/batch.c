/* SPDX-License-Identifier: Apache-2.0
 *
 * Batches of copies.  They may run in any order among each other; here they run in the
 * order of the list.  All are looked at before the first is submitted.
 */
#include <string.h>

#include "base/alloc.h"
#include "standin/copy.h"

static int is_order(int order)
{
    return order >= CU_MEMCPY_SRC_ACCESS_ORDER_STREAM && order <= CU_MEMCPY_SRC_ACCESS_ORDER_ANY;
}

/* Batches want a stream that was made for them, and cannot be captured: a capture takes
 * no notice. */
static CUresult find_stream(CUstream handle, rill_stream **stream)
{
    rill_capture_info info = { .size = sizeof info };
    if (!handle || handle == CU_STREAM_LEGACY) return RILL_ERROR_INVALID_VALUE;
    CUresult status = si_stream(handle, stream);
    if (!status) status = rill_stream_capture_info(*stream, &info);
    if (status) return status;
    return info.state == RILL_CAPTURE_NONE ? RILL_SUCCESS : RILL_ERROR_STREAM_CAPTURE_UNSUPPORTED;
}

/* Host memory that is to be read before the call returns is read into memory of ours:
 * rill does the same with pageable memory. */
static CUresult copy_at_once(rill_stream *stream, CUdeviceptr dst, CUdeviceptr src, size_t bytes)
{
    void *read = rl_alloc(bytes);
    if (!read) return RILL_ERROR_OUT_OF_MEMORY;
    memcpy(read, (const void *)(uintptr_t)src, bytes);
    CUresult status = rill_memcpy_async(stream, dst, (uintptr_t)read, bytes);
    rl_free(read);
    return status;
}

static CUresult copy(rill_stream *stream, CUdeviceptr dst, CUdeviceptr src, size_t bytes,
                     int order)
{
    if (order == CU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL && bytes && src &&
        !si_is_device_memory(src))
        return copy_at_once(stream, dst, src, bytes);
    return rill_memcpy_async(stream, dst, src, bytes);
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

static CUresult check(const struct batch *batch)
{
    if (!batch->dst || !batch->src || !batch->bytes || !batch->count ||
        !batch->attributes || !batch->first || !batch->attribute_count ||
        batch->attribute_count > batch->count || batch->first[0])
        return RILL_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < batch->attribute_count; i++) {
        int behind = !i || batch->first[i] > batch->first[i - 1];
        if (!behind || batch->first[i] >= batch->count ||
            !is_order(batch->attributes[i].src_access_order) || batch->attributes[i].flags > 1)
            return RILL_ERROR_INVALID_VALUE;
    }
    return RILL_SUCCESS;
}

static CUresult run(const struct batch *batch, CUstream handle, size_t *failed)
{
    rill_stream *stream = NULL;
    size_t attribute = 0;
    if (failed) *failed = SIZE_MAX;
    CUresult status = si_check_ready();
    if (!status) status = check(batch);
    if (!status) status = find_stream(handle, &stream);
    for (size_t i = 0; !status && i < batch->count; i++) {
        while (attribute + 1 < batch->attribute_count && batch->first[attribute + 1] <= i)
            attribute++;
        status = copy(stream, batch->dst[i], batch->src[i], batch->bytes[i],
                      batch->attributes[attribute].src_access_order);
        if (status && failed) *failed = i;
    }
    return status;
}

ENTRY(cuMemcpyBatchAsync, CUdeviceptr *dst, CUdeviceptr *src, size_t *bytes, size_t count,
      CUmemcpyAttributes *attributes, size_t *first, size_t attribute_count, size_t *failed,
      CUstream stream)
{
    struct batch batch = { dst, src, bytes, count, attributes, first, attribute_count };
    return run(&batch, stream, failed);
}

ENTRY(cuMemcpyBatchAsync_v2, CUdeviceptr *dst, CUdeviceptr *src, size_t *bytes, size_t count,
      CUmemcpyAttributes *attributes, size_t *first, size_t attribute_count, CUstream stream)
{
    struct batch batch = { dst, src, bytes, count, attributes, first, attribute_count };
    return run(&batch, stream, NULL);
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

/* Rows are as long as the box is wide unless they are said to be longer. */
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

static CUresult run_boxes(size_t count, const CUDA_MEMCPY3D_BATCH_OP *list, size_t *failed,
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
        if (!status && i >= count) status = rill_memcpy_box_async(stream, &box);
        if (status && failed) *failed = i % count;
    }
    return status;
}

ENTRY(cuMemcpy3DBatchAsync, size_t count, CUDA_MEMCPY3D_BATCH_OP *list, size_t *failed,
      unsigned long long flags, CUstream stream)
{
    return run_boxes(count, list, failed, flags, stream);
}

ENTRY(cuMemcpy3DBatchAsync_v2, size_t count, CUDA_MEMCPY3D_BATCH_OP *list,
      unsigned long long flags, CUstream stream)
{
    return run_boxes(count, list, NULL, flags, stream);
}

PER_THREAD_FORM(cuMemcpy3DBatchAsync, _ptsz,
                (size_t count, CUDA_MEMCPY3D_BATCH_OP *list, size_t *failed,
                 unsigned long long flags, CUstream stream),
                (count, list, failed, flags, stream))
PER_THREAD_FORM(cuMemcpy3DBatchAsync_v2, _ptsz,
                (size_t count, CUDA_MEMCPY3D_BATCH_OP *list, unsigned long long flags,
                 CUstream stream),
                (count, list, flags, stream))
