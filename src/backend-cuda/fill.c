/* SPDX-License-Identifier: Apache-2.0
 *
 * Fills.  One row takes the driver's flat calls, for which the pitch does not matter.
 */
#include <inttypes.h>

#include "backend-cuda/capture_list.h"
#include "backend-cuda/copy.h"
#include "backend-cuda/stream.h"

/* The driver takes a count that wraps around, and the device fails. */
__attribute__((noinline, cold))
static rill_status refuse_long(const rill_fill *fill)
{
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "dst",
                             "%zu rows of %zu elements of %" PRIu32 " bytes at 0x%" PRIx64
                             " end beyond the last address",
                             fill->height, fill->width, fill->element_bytes, fill->dst);
}

__attribute__((noinline, cold))
static rill_status refuse_element(const rill_fill *fill)
{
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "element_bytes",
                             "%" PRIu32 " is not 1, 2 or 4", fill->element_bytes);
}

static inline bool ends(const rill_fill *fill)
{
    size_t row, rows, bytes, end;
    if (!fill->width || !fill->height) return true;
    return !__builtin_mul_overflow(fill->width, fill->element_bytes, &row) &&
           !__builtin_mul_overflow(fill->height - 1, fill->height > 1 ? fill->pitch : 0, &rows) &&
           !__builtin_add_overflow(row, rows, &bytes) &&
           !__builtin_add_overflow(fill->dst, bytes, &end);
}

static inline rill_status end(const struct cuda_context *context, CUresult result,
                              const char *call, const rill_fill *fill)
{
    return __builtin_expect(result == CUDA_SUCCESS, 1)
               ? RILL_SUCCESS
               : cuda_explain_fill(context, result, call, fill);
}

/* ---- At once -------------------------------------------------------------------------- */

static rill_status run_rows(const struct cuda_context *context, const rill_fill *fill)
{
    uint32_t value = fill->value;
    switch (fill->element_bytes) {
    case 1:
        return end(context,
                   cuda_api.MemsetD2D8(fill->dst, fill->pitch, (unsigned char)value, fill->width,
                                       fill->height),
                   "cuMemsetD2D8", fill);
    case 2:
        return end(context,
                   cuda_api.MemsetD2D16(fill->dst, fill->pitch, (unsigned short)value, fill->width,
                                        fill->height),
                   "cuMemsetD2D16", fill);
    case 4:
        return end(context,
                   cuda_api.MemsetD2D32(fill->dst, fill->pitch, value, fill->width, fill->height),
                   "cuMemsetD2D32", fill);
    default: return refuse_element(fill);
    }
}

rill_status cuda_run_fill(struct cuda_context *context, const rill_fill *fill)
{
    uint32_t value = fill->value;
    if (__builtin_expect(!ends(fill), 0)) return refuse_long(fill);
    if (fill->height != 1) return run_rows(context, fill);
    switch (fill->element_bytes) {
    case 1:
        return end(context, cuda_api.MemsetD8(fill->dst, (unsigned char)value, fill->width),
                   "cuMemsetD8", fill);
    case 2:
        return end(context, cuda_api.MemsetD16(fill->dst, (unsigned short)value, fill->width),
                   "cuMemsetD16", fill);
    case 4:
        return end(context, cuda_api.MemsetD32(fill->dst, value, fill->width), "cuMemsetD32",
                   fill);
    default: return refuse_element(fill);
    }
}

/* ---- In a stream ------------------------------------------------------------------------ */

static inline rill_status end_in(const struct cuda_stream *stream, CUresult result,
                                 const char *call, const rill_fill *fill)
{
    return cuda_submitted(stream, end(stream->context, result, call, fill));
}

static rill_status submit_rows(struct cuda_stream *stream, const rill_fill *fill)
{
    uint32_t value = fill->value;
    switch (fill->element_bytes) {
    case 1:
        return end_in(stream,
                      cuda_api.MemsetD2D8Async(fill->dst, fill->pitch, (unsigned char)value,
                                               fill->width, fill->height, stream->raw),
                      "cuMemsetD2D8Async", fill);
    case 2:
        return end_in(stream,
                      cuda_api.MemsetD2D16Async(fill->dst, fill->pitch, (unsigned short)value,
                                                fill->width, fill->height, stream->raw),
                      "cuMemsetD2D16Async", fill);
    case 4:
        return end_in(stream,
                      cuda_api.MemsetD2D32Async(fill->dst, fill->pitch, value, fill->width,
                                                fill->height, stream->raw),
                      "cuMemsetD2D32Async", fill);
    default: return refuse_element(fill);
    }
}

/* A row that was refused by the driver, or, with CUDA_SUCCESS, before it got there. */
__attribute__((noinline, cold))
static rill_status refuse_row(const struct cuda_stream *stream, CUresult result, rill_devptr dst,
                              uint32_t value, uint32_t element_bytes, size_t count)
{
    static const char *const calls[] = { NULL, "cuMemsetD8Async", "cuMemsetD16Async", NULL,
                                         "cuMemsetD32Async" };
    const rill_fill row = { .dst = dst, .value = value, .element_bytes = element_bytes,
                            .width = count, .height = 1 };
    if (!ends(&row)) return refuse_long(&row);
    return result ? end_in(stream, result, calls[element_bytes], &row) : refuse_element(&row);
}

rill_status cuda_submit_fill_row(struct cuda_stream *stream, rill_devptr dst, uint32_t value,
                                 uint32_t element_bytes, size_t count)
{
    CUresult result = CUDA_SUCCESS;
    size_t bytes, last;
    bool fits = !__builtin_mul_overflow(count, element_bytes, &bytes) &&
                !__builtin_add_overflow(dst, bytes, &last);
    if (fits && element_bytes == 4)
        result = cuda_api.MemsetD32Async(dst, value, count, stream->raw);
    else if (fits && element_bytes == 2)
        result = cuda_api.MemsetD16Async(dst, (unsigned short)value, count, stream->raw);
    else if (fits && element_bytes == 1)
        result = cuda_api.MemsetD8Async(dst, (unsigned char)value, count, stream->raw);
    else
        return refuse_row(stream, result, dst, value, element_bytes, count);
    return __builtin_expect(result == CUDA_SUCCESS, 1)
               ? RILL_SUCCESS
               : refuse_row(stream, result, dst, value, element_bytes, count);
}

rill_status cuda_submit_fill(struct cuda_stream *stream, rill_op *op)
{
    const rill_fill *fill = &op->memset;
    if (fill->height == 1)
        return cuda_submit_fill_row(stream, fill->dst, fill->value, fill->element_bytes,
                                    fill->width);
    if (__builtin_expect(!ends(fill), 0)) return refuse_long(fill);
    return submit_rows(stream, fill);
}
