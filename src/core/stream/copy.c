/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies and fills, synchronous and in a stream: the same operations, run by the
 * backend's memory table or submitted to its stream table.
 */
#include "core/op/submit.h"

/* ---- Operands ----------------------------------------------------------- */

static rill_copy row_copy(rill_place dst, rill_place src, size_t bytes)
{
    return (rill_copy){ .dst = dst, .src = src, .width = bytes, .height = 1, .depth = 1 };
}

static rill_copy unified_copy(rill_devptr dst, rill_devptr src, size_t bytes)
{
    return row_copy((rill_place){ .kind = RILL_MEMORY_UNIFIED, .address = dst },
                    (rill_place){ .kind = RILL_MEMORY_UNIFIED, .address = src }, bytes);
}

static rill_copy htod_copy(rill_devptr dst, const void *src, size_t bytes)
{
    return row_copy(rill_device_place(dst), rill_host_place(src), bytes);
}

static rill_copy dtoh_copy(void *dst, rill_devptr src, size_t bytes)
{
    return row_copy(rill_host_place(dst), rill_device_place(src), bytes);
}

static rill_copy dtod_copy(rill_devptr dst, rill_devptr src, size_t bytes)
{
    return row_copy(rill_device_place(dst), rill_device_place(src), bytes);
}

static rill_copy peer_copy(rill_context *dst_context, rill_devptr dst, rill_context *src_context,
                           rill_devptr src, size_t bytes)
{
    rill_copy copy = dtod_copy(dst, src, bytes);
    copy.dst.context = dst_context;
    copy.src.context = src_context;
    return copy;
}

static rill_fill row_fill(rill_devptr dst, uint32_t value, uint32_t element_bytes, size_t count)
{
    return (rill_fill){ .dst = dst,
                        .value = value,
                        .element_bytes = element_bytes,
                        .width = count,
                        .height = 1 };
}

/* ---- Running and submitting what was checked ---------------------------- */

/* These fill only the member of the operation's kind: clearing the others would take longer
 * than the rest of the call up to the backend. */

static inline rill_status run_copy(rill_context *context, const rill_copy *copy)
{
    rill_op op;
    op.kind = RILL_OP_MEMCPY;
    op.memcpy = *copy;
    return rl_backend(context)->memory->run(context, &op);
}

static inline rill_status run_fill(rill_context *context, const rill_fill *given)
{
    rill_op op;
    op.kind = RILL_OP_MEMSET;
    op.memset = *given;
    return rl_backend(context)->memory->run(context, &op);
}

static inline rill_status submit_copy(rill_stream *stream, const rill_copy *copy)
{
    rill_op op;
    op.kind = RILL_OP_MEMCPY;
    op.memcpy = *copy;
    return rl_submit(stream, &op);
}

static inline rill_status submit_fill(rill_stream *stream, const rill_fill *given)
{
    rill_op op;
    op.kind = RILL_OP_MEMSET;
    op.memset = *given;
    return rl_submit(stream, &op);
}

/* ---- Checks ------------------------------------------------------------- */

static inline rill_status copy_now(const char *operation, rill_context *context, rill_copy copy)
{
    rill_status status = rl_check(context, RILL_OBJECT_CONTEXT, "context");
    if (!status) status = run_copy(context, &copy);
    return rl_finish(operation, context, status);
}

static inline rill_status fill_now(const char *operation, rill_context *context, rill_fill given)
{
    rill_status status = rl_check(context, RILL_OBJECT_CONTEXT, "context");
    if (!status) status = run_fill(context, &given);
    return rl_finish(operation, context, status);
}

/* Copies a row in a stream, without an operation if the backend has a slot for rows, which
 * takes half the time. */
static inline rill_status row_async(const char *operation, rill_stream *stream,
                                    rill_memory_kind dst_kind, rill_devptr dst,
                                    rill_memory_kind src_kind, rill_devptr src, size_t bytes)
{
    rill_status status = rl_check(stream, RILL_OBJECT_STREAM, "stream");
    if (status) return rl_finish(operation, stream, status);
    const struct rill_stream_ops *ops = rl_stream_ops(stream);
    if (ops->copy_row)
        return rl_finish(operation, stream,
                         ops->copy_row(stream, dst_kind, dst, src_kind, src, bytes));
    const rill_copy copy = row_copy((rill_place){ .kind = dst_kind, .address = dst },
                                    (rill_place){ .kind = src_kind, .address = src }, bytes);
    return rl_finish(operation, stream, submit_copy(stream, &copy));
}

static inline rill_status fill_async(const char *operation, rill_stream *stream, rill_devptr dst,
                                     uint32_t value, uint32_t element_bytes, size_t count)
{
    rill_status status = rl_check(stream, RILL_OBJECT_STREAM, "stream");
    if (status) return rl_finish(operation, stream, status);
    const struct rill_stream_ops *ops = rl_stream_ops(stream);
    if (ops->fill_row)
        return rl_finish(operation, stream,
                         ops->fill_row(stream, dst, value, element_bytes, count));
    const rill_fill given = row_fill(dst, value, element_bytes, count);
    return rl_finish(operation, stream, submit_fill(stream, &given));
}

/* ---- Synchronous -------------------------------------------------------- */

rill_status rill_memcpy(rill_context *context, rill_devptr dst, rill_devptr src, size_t bytes)
{
    return copy_now(__func__, context, unified_copy(dst, src, bytes));
}

rill_status rill_memcpy_htod(rill_context *context, rill_devptr dst, const void *src, size_t bytes)
{
    return copy_now(__func__, context, htod_copy(dst, src, bytes));
}

rill_status rill_memcpy_dtoh(rill_context *context, void *dst, rill_devptr src, size_t bytes)
{
    return copy_now(__func__, context, dtoh_copy(dst, src, bytes));
}

rill_status rill_memcpy_dtod(rill_context *context, rill_devptr dst, rill_devptr src, size_t bytes)
{
    return copy_now(__func__, context, dtod_copy(dst, src, bytes));
}

rill_status rill_memcpy_peer(rill_context *dst_context, rill_devptr dst, rill_context *src_context,
                             rill_devptr src, size_t bytes)
{
    const rill_copy copy = peer_copy(dst_context, dst, src_context, src, bytes);
    rill_status status = rl_check(dst_context, RILL_OBJECT_CONTEXT, "dst_context");
    if (!status)
        status = rl_check_with(src_context, RILL_OBJECT_CONTEXT, "src_context", dst_context);
    if (!status) status = run_copy(dst_context, &copy);
    return rl_finish(__func__, dst_context, status);
}

rill_status rill_memcpy_box(rill_context *context, const rill_copy *copy)
{
    rill_status status = rl_check(context, RILL_OBJECT_CONTEXT, "context");
    if (!status) status = rl_check_copy(copy, context);
    if (!status) status = run_copy(context, copy);
    return rl_finish(__func__, context, status);
}

rill_status rill_memset_d8(rill_context *context, rill_devptr dst, uint8_t value, size_t count)
{
    return fill_now(__func__, context, row_fill(dst, value, 1, count));
}

rill_status rill_memset_d16(rill_context *context, rill_devptr dst, uint16_t value, size_t count)
{
    return fill_now(__func__, context, row_fill(dst, value, 2, count));
}

rill_status rill_memset_d32(rill_context *context, rill_devptr dst, uint32_t value, size_t count)
{
    return fill_now(__func__, context, row_fill(dst, value, 4, count));
}

rill_status rill_memset_box(rill_context *context, const rill_fill *given)
{
    rill_status status = rl_check(context, RILL_OBJECT_CONTEXT, "context");
    if (!status) status = rl_required(given, "fill");
    if (!status) status = run_fill(context, given);
    return rl_finish(__func__, context, status);
}

/* ---- In a stream -------------------------------------------------------- */

rill_status rill_memcpy_async(rill_stream *stream, rill_devptr dst, rill_devptr src, size_t bytes)
{
    return row_async(__func__, stream, RILL_MEMORY_UNIFIED, dst, RILL_MEMORY_UNIFIED, src, bytes);
}

rill_status rill_memcpy_htod_async(rill_stream *stream, rill_devptr dst, const void *src,
                                   size_t bytes)
{
    return row_async(__func__, stream, RILL_MEMORY_DEVICE, dst, RILL_MEMORY_HOST,
                     (rill_devptr)(uintptr_t)src, bytes);
}

rill_status rill_memcpy_dtoh_async(rill_stream *stream, void *dst, rill_devptr src, size_t bytes)
{
    return row_async(__func__, stream, RILL_MEMORY_HOST, (rill_devptr)(uintptr_t)dst,
                     RILL_MEMORY_DEVICE, src, bytes);
}

rill_status rill_memcpy_dtod_async(rill_stream *stream, rill_devptr dst, rill_devptr src,
                                   size_t bytes)
{
    return row_async(__func__, stream, RILL_MEMORY_DEVICE, dst, RILL_MEMORY_DEVICE, src, bytes);
}

rill_status rill_memcpy_peer_async(rill_stream *stream, rill_context *dst_context, rill_devptr dst,
                                   rill_context *src_context, rill_devptr src, size_t bytes)
{
    const rill_copy copy = peer_copy(dst_context, dst, src_context, src, bytes);
    rill_status status = rl_check(stream, RILL_OBJECT_STREAM, "stream");
    if (!status) status = rl_check_with(dst_context, RILL_OBJECT_CONTEXT, "dst_context", stream);
    if (!status) status = rl_check_with(src_context, RILL_OBJECT_CONTEXT, "src_context", stream);
    if (!status) status = submit_copy(stream, &copy);
    return rl_finish(__func__, stream, status);
}

rill_status rill_memcpy_box_async(rill_stream *stream, const rill_copy *copy)
{
    rill_status status = rl_check(stream, RILL_OBJECT_STREAM, "stream");
    if (!status) status = rl_check_copy(copy, stream);
    if (!status) status = submit_copy(stream, copy);
    return rl_finish(__func__, stream, status);
}

rill_status rill_memset_d8_async(rill_stream *stream, rill_devptr dst, uint8_t value, size_t count)
{
    return fill_async(__func__, stream, dst, value, 1, count);
}

rill_status rill_memset_d16_async(rill_stream *stream, rill_devptr dst, uint16_t value,
                                  size_t count)
{
    return fill_async(__func__, stream, dst, value, 2, count);
}

rill_status rill_memset_d32_async(rill_stream *stream, rill_devptr dst, uint32_t value,
                                  size_t count)
{
    return fill_async(__func__, stream, dst, value, 4, count);
}

rill_status rill_memset_box_async(rill_stream *stream, const rill_fill *given)
{
    rill_status status = rl_check(stream, RILL_OBJECT_STREAM, "stream");
    if (!status) status = rl_required(given, "fill");
    if (!status) status = submit_fill(stream, given);
    return rl_finish(__func__, stream, status);
}
