/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies of rows, and of bytes in a row, to and from arrays.  Offsets and widths are in bytes.
 */
#include "runtime/memory/array.h"
#include "runtime/memory/copy.h"
#include "runtime/thread/entry.h"

/* ---- Ends -------------------------------------------------------------------------------- */

static si_slices end_in_array(cudaArray_t array, size_t x, size_t y)
{
    return (si_slices){ .x = x, .y = y, .kind = CU_MEMORYTYPE_ARRAY, .array = array };
}

/* Memory at the other end of an array; `kind` says where it is. */
static si_slices end_in_memory(const void *memory, size_t pitch, int kind)
{
    int host = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToHost;
    si_slices end = { .pitch = pitch };
    end.kind = kind == cudaMemcpyDefault ? CU_MEMORYTYPE_UNIFIED
               : host                    ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
    if (host) end.host = (void *)(uintptr_t)memory;
    else end.device = rt_address(memory);
    return end;
}

static cudaError_t copy_rows(si_slices dst, si_slices src, size_t width, size_t height,
                             struct rt_order order)
{
    CUDA_MEMCPY3D box = { .dst = dst, .src = src, .width = width, .height = height, .depth = 1 };
    if (!width || !height) return cudaSuccess;
    switch (order.how) {
    case RT_WAIT: return (cudaError_t)rt_driver.cuMemcpy3D_v2(&box);
    case RT_WAIT_PER_THREAD: return (cudaError_t)rt_driver.cuMemcpy3D_v2_ptds(&box);
    default: return (cudaError_t)rt_driver.cuMemcpy3DAsync_v2(&box, order.stream);
    }
}

/* ---- Rows -------------------------------------------------------------------------------- */

#define TO_ROWS \
    cudaArray_t dst, size_t x, size_t y, const void *src, size_t pitch, size_t width, \
        size_t height, int kind
#define FROM_ROWS \
    void *dst, size_t pitch, cudaArray_t src, size_t x, size_t y, size_t width, size_t height, \
        int kind

static cudaError_t rows_to_array(TO_ROWS, struct rt_order order)
{
    if (!width || !height) return cudaSuccess; /* of whatever kind */
    if (!rt_kind_writes_device(kind)) return cudaErrorInvalidMemcpyDirection;
    if (height > 1 && pitch < width) return cudaErrorInvalidPitchValue;
    return copy_rows(end_in_array(dst, x, y), end_in_memory(src, pitch, kind), width, height,
                     order);
}

static cudaError_t rows_from_array(FROM_ROWS, struct rt_order order)
{
    if (!rt_kind_reads_device(kind)) return cudaErrorInvalidMemcpyDirection;
    if (height > 1 && pitch < width) return cudaErrorInvalidPitchValue;
    return copy_rows(end_in_memory(dst, pitch, kind), end_in_array(src, x, y), width, height,
                     order);
}

/* ---- Bytes in a row ---------------------------------------------------------------------- */

#define TO_BYTES cudaArray_t dst, size_t x, size_t y, const void *src, size_t bytes, int kind
#define FROM_BYTES void *dst, cudaArray_t src, size_t x, size_t y, size_t bytes, int kind

static cudaError_t bytes_of_row(cudaArray_t array, size_t *bytes)
{
    CUDA_ARRAY3D_DESCRIPTOR told;
    cudaError_t status = rt_element_bytes(array, bytes);
    if (!status) status = (cudaError_t)rt_driver.cuArray3DGetDescriptor_v2(&told, array);
    if (!status) *bytes *= told.width;
    return status;
}

/* Copies what begins within a row of an array, and may go on in the next ones: the rest of the
 * first row, whole rows, the begin of another. */
static cudaError_t copy_through(cudaArray_t array, size_t x, size_t y, si_slices memory,
                                size_t bytes, int to_array, struct rt_order order)
{
    size_t row;
    cudaError_t status = bytes_of_row(array, &row);
    if (!status && x >= row && bytes) status = RILL_ERROR_INVALID_VALUE;
    while (!status && bytes) {
        size_t width = bytes < row - x ? bytes : row - x;
        size_t height = x == 0 && bytes >= row ? bytes / row : 1;
        memory.pitch = width;
        status = to_array ? copy_rows(end_in_array(array, x, y), memory, width, height, order)
                          : copy_rows(memory, end_in_array(array, x, y), width, height, order);
        if (memory.kind == CU_MEMORYTYPE_HOST) memory.host = (char *)memory.host + width * height;
        else memory.device += width * height;
        bytes -= width * height;
        y += height;
        x = 0;
    }
    return status;
}

static cudaError_t bytes_to_array(TO_BYTES, struct rt_order order)
{
    if (!rt_kind_writes_device(kind)) return cudaErrorInvalidMemcpyDirection;
    return copy_through(dst, x, y, end_in_memory(src, 0, kind), bytes, 1, order);
}

static cudaError_t bytes_from_array(FROM_BYTES, struct rt_order order)
{
    if (!rt_kind_reads_device(kind)) return cudaErrorInvalidMemcpyDirection;
    return copy_through(src, x, y, end_in_memory(dst, 0, kind), bytes, 0, order);
}

/* ---- The calls --------------------------------------------------------------------------- */

/* One that waits, in the order of the legacy stream and of the thread's own, and its form in a
 * stream: with parameters and arguments in parentheses. */
#define BOTH(name, work, parameters, ...) \
    ENTRY(name, (parameters), (__VA_ARGS__)) \
    { \
        return work(__VA_ARGS__, (struct rt_order){ RT_WAIT, NULL }); \
    } \
    ENTRY(name##_ptds, (parameters), (__VA_ARGS__)) \
    { \
        return work(__VA_ARGS__, (struct rt_order){ RT_WAIT_PER_THREAD, NULL }); \
    } \
    ENTRY(name##Async, (parameters, cudaStream_t stream), (__VA_ARGS__, stream)) \
    { \
        return work(__VA_ARGS__, (struct rt_order){ RT_ASYNC, stream }); \
    } \
    PER_THREAD_FORM(name##Async, _ptsz, (parameters, cudaStream_t stream), (__VA_ARGS__, stream))

BOTH(cudaMemcpy2DToArray, rows_to_array, TO_ROWS, dst, x, y, src, pitch, width, height, kind)
BOTH(cudaMemcpy2DFromArray, rows_from_array, FROM_ROWS, dst, pitch, src, x, y, width, height, kind)
BOTH(cudaMemcpyToArray, bytes_to_array, TO_BYTES, dst, x, y, src, bytes, kind)
BOTH(cudaMemcpyFromArray, bytes_from_array, FROM_BYTES, dst, src, x, y, bytes, kind)

#define BETWEEN \
    cudaArray_t dst, size_t dst_x, size_t dst_y, cudaArray_t src, size_t src_x, size_t src_y, \
        size_t width, size_t height, int kind

static cudaError_t rows_between(BETWEEN, struct rt_order order)
{
    if (kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
        return cudaErrorInvalidMemcpyDirection;
    return copy_rows(end_in_array(dst, dst_x, dst_y), end_in_array(src, src_x, src_y), width,
                     height, order);
}

ENTRY(cudaMemcpy2DArrayToArray,
      (BETWEEN), (dst, dst_x, dst_y, src, src_x, src_y, width, height, kind))
{
    return rows_between(dst, dst_x, dst_y, src, src_x, src_y, width, height, kind,
                        (struct rt_order){ RT_WAIT, NULL });
}

ENTRY(cudaMemcpy2DArrayToArray_ptds,
      (BETWEEN), (dst, dst_x, dst_y, src, src_x, src_y, width, height, kind))
{
    return rows_between(dst, dst_x, dst_y, src, src_x, src_y, width, height, kind,
                        (struct rt_order){ RT_WAIT_PER_THREAD, NULL });
}
