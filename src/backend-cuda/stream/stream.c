/* SPDX-License-Identifier: Apache-2.0
 *
 * The calls on streams.
 */
#include "backend-cuda/stream/stream.h"

#include "backend-cuda/context/capture_list.h"
#include "backend-cuda/kind/copy.h"
#include "backend-cuda/kind/fill.h"
#include "backend-cuda/kind/kind.h"
#include "base/words/op_kind.h"

/* ---- Life ---------------------------------------------------------------------------- */

static struct cuda_stream *stream_of_part(struct cuda_part *part)
{
    return (struct cuda_stream *)((char *)part - offsetof(struct cuda_stream, part));
}

static void end_stream(struct cuda_part *part)
{
    struct cuda_stream *stream = stream_of_part(part);
    cuda_capture_forget_stream(stream);
    if (!stream->borrowed) cuda_api.StreamDestroy(stream->raw);
    stream->raw = NULL;
}

/* Returns the driver's number, or one of rill's if the driver has none.  The question would break
 * the capture of a borrowed stream, which is not asked then. */
static uint64_t find_number(const struct cuda_stream *stream, rill_stream *handle)
{
    CUstreamCaptureStatus state = CU_STREAM_CAPTURE_STATUS_NONE;
    unsigned long long number = 0;
    if (cuda_api.StreamIsCapturing(stream->raw, &state) || state || !cuda_api.StreamGetId ||
        cuda_api.StreamGetId(stream->raw, &number))
        return rill_object_of(handle)->id;
    return number;
}

static void add_stream(struct cuda_stream *stream, rill_stream *handle)
{
    stream->id = find_number(stream, handle);
    stream->part.first = true;
    cuda_add_part(stream->context, &stream->part, end_stream);
}

static rill_status create_stream(rill_stream *handle, const rill_stream_options *options)
{
    struct cuda_stream *stream = cuda_stream_of(handle);
    struct cuda_visit visit;
    if (options->flags & ~RILL_STREAM_NON_BLOCKING)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "options->flags",
                                 "0x%x holds unknown bits", options->flags);
    stream->context = cuda_home(handle);
    rill_status status = cuda_enter(stream->context, &visit);
    if (status) return status;
    status = cuda_end(cuda_api.StreamCreateWithPriority(&stream->raw, options->flags,
                                                        options->priority),
                      "cuStreamCreateWithPriority");
    cuda_leave(&visit);
    if (!status) add_stream(stream, handle);
    return status;
}

void cuda_take_stream(rill_stream *handle, struct cuda_context *context, CUstream raw,
                      bool borrowed)
{
    struct cuda_stream *stream = cuda_stream_of(handle);
    stream->context = context;
    stream->raw = raw;
    stream->borrowed = borrowed;
    add_stream(stream, handle);
}

static rill_status destroy_stream(rill_stream *handle)
{
    struct cuda_stream *stream = cuda_stream_of(handle);
    cuda_end_part(stream->context, &stream->part);
    return cuda_context_fault(stream->context);
}

/* ---- Default streams ------------------------------------------------------------------ */

static rill_status make_default_stream(struct cuda_context *context, CUstream raw,
                                       rill_stream **handle)
{
    void *made;
    rill_status status = rill_backend_own(RILL_OBJECT_STREAM, context->handle, context->handle,
                                          &made);
    if (status) return status;
    *handle = made;
    *cuda_stream_of(*handle) =
        (struct cuda_stream){ .raw = raw, .context = context, .is_default = true };
    return RILL_SUCCESS;
}

rill_status cuda_make_default_streams(struct cuda_context *context)
{
    rill_status status = make_default_stream(context, CU_STREAM_LEGACY, &context->legacy);
    if (!status) status = make_default_stream(context, CU_STREAM_PER_THREAD, &context->per_thread);
    if (status) cuda_forget_default_streams(context);
    return status;
}

void cuda_forget_default_streams(struct cuda_context *context)
{
    if (context->per_thread) cuda_capture_forget_stream(cuda_stream_of(context->per_thread));
    if (context->legacy) rill_backend_disown(context->legacy);
    if (context->per_thread) rill_backend_disown(context->per_thread);
    context->legacy = context->per_thread = NULL;
}

static rill_stream *get_legacy(rill_context *context)
{
    return cuda_context_of(context)->legacy;
}

static rill_stream *get_per_thread(rill_context *context)
{
    return cuda_context_of(context)->per_thread;
}

/* ---- Work ------------------------------------------------------------------------------- */

static inline rill_status submit_here(struct cuda_stream *stream, rill_op *op)
{
    return cuda_find_kind(op->kind)->submit(stream, op);
}

__attribute__((noinline))
static rill_status submit_to_default(struct cuda_stream *stream, rill_op *op)
{
    struct cuda_visit visit;
    rill_status status = cuda_enter(stream->context, &visit);
    if (status) {
        rl_op_give_back(op);
        return status;
    }
    status = submit_here(stream, op);
    cuda_leave(&visit);
    return status;
}

static rill_status submit_op(rill_stream *handle, rill_op *op)
{
    struct cuda_stream *stream = cuda_stream_of(handle);
    return __builtin_expect(stream->is_default, 0) ? submit_to_default(stream, op)
                                                   : submit_here(stream, op);
}

static rill_status submit_copy_row(rill_stream *handle, rill_memory_kind dst_kind, rill_devptr dst,
                                   rill_memory_kind src_kind, rill_devptr src, size_t bytes)
{
    return cuda_submit_copy_row(cuda_stream_of(handle), dst_kind, dst, src_kind, src, bytes);
}

static rill_status submit_fill_row(rill_stream *handle, rill_devptr dst, uint32_t value,
                                   uint32_t element_bytes, size_t count)
{
    struct cuda_stream *stream = cuda_stream_of(handle);
    if (!stream->is_default)
        return cuda_submit_fill_row(stream, dst, value, element_bytes, count);
    struct cuda_visit visit;
    rill_status status = cuda_enter(stream->context, &visit);
    if (status) return status;
    status = cuda_submit_fill_row(stream, dst, value, element_bytes, count);
    cuda_leave(&visit);
    return status;
}

/* ---- Waiting ------------------------------------------------------------------------------ */

static rill_status query_stream(rill_stream *handle)
{
    struct cuda_stream *stream = cuda_stream_of(handle);
    struct cuda_visit visit;
    rill_status status = cuda_enter_stream(stream, &visit);
    if (status) return status;
    status = cuda_end(cuda_api.StreamQuery(stream->raw), "cuStreamQuery");
    cuda_leave(&visit);
    return cuda_learn(stream->context, status);
}

static rill_status synchronize_stream(rill_stream *handle)
{
    struct cuda_stream *stream = cuda_stream_of(handle);
    struct cuda_visit visit;
    rill_status status = cuda_enter_stream(stream, &visit);
    if (status) return status;
    status = cuda_end(cuda_api.StreamSynchronize(stream->raw), "cuStreamSynchronize");
    cuda_leave(&visit);
    return cuda_learn(stream->context, status);
}

/* ---- What a stream is ------------------------------------------------------------------------ */

static rill_status ask_id(rill_stream *handle, uint64_t *id)
{
    struct cuda_stream *stream = cuda_stream_of(handle);
    struct cuda_visit visit;
    unsigned long long number = 0;
    if (!stream->is_default) {
        rill_status fault = cuda_context_fault(stream->context);
        if (!fault) *id = stream->id;
        return fault;
    }
    rill_status status = cuda_need(StreamGetId, 12000);
    if (!status) status = cuda_enter(stream->context, &visit);
    if (status) return status;
    status = cuda_end(cuda_api.StreamGetId(stream->raw, &number), "cuStreamGetId");
    cuda_leave(&visit);
    if (!status) *id = number;
    return status;
}

static rill_status ask_flags(rill_stream *handle, uint32_t *flags)
{
    struct cuda_stream *stream = cuda_stream_of(handle);
    struct cuda_visit visit;
    rill_status status = cuda_enter_stream(stream, &visit);
    if (status) return status;
    status = cuda_end(cuda_api.StreamGetFlags(stream->raw, flags), "cuStreamGetFlags");
    cuda_leave(&visit);
    return status;
}

static rill_status ask_priority(rill_stream *handle, int *priority)
{
    struct cuda_stream *stream = cuda_stream_of(handle);
    struct cuda_visit visit;
    rill_status status = cuda_enter_stream(stream, &visit);
    if (status) return status;
    status = cuda_end(cuda_api.StreamGetPriority(stream->raw, priority), "cuStreamGetPriority");
    cuda_leave(&visit);
    return status;
}

const struct rill_stream_ops cuda_stream_ops = {
    .private_bytes = sizeof(struct cuda_stream),
    .create = create_stream,
    .destroy = destroy_stream,
    .legacy = get_legacy,
    .per_thread = get_per_thread,
    .submit = submit_op,
    .copy_row = submit_copy_row,
    .fill_row = submit_fill_row,
    .query = query_stream,
    .synchronize = synchronize_stream,
    .id = ask_id,
    .flags = ask_flags,
    .priority = ask_priority,
    .get_attribute = cuda_stream_get_attribute,
    .set_attribute = cuda_stream_set_attribute,
    .copy_attributes = cuda_stream_copy_attributes,
    .add_callback = cuda_stream_add_callback,
    .attach = cuda_stream_attach,
};
