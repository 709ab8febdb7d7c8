/* SPDX-License-Identifier: Apache-2.0
 *
 * Callbacks, which the driver calls itself, and which it tells of a failure.
 */
#include "backend-cuda/context/host_box.h"
#include "backend-cuda/stream/stream.h"
#include "base/alloc.h"

static void CUDA_CB run_callback(CUstream raw, CUresult result, void *data)
{
    struct cuda_box *box = data;
    (void)raw;
    if (!cuda_take_box(box)) return;
    box->callback(box->stream, (rill_status)result, box->data);
    rl_free(box);
}

rill_status cuda_stream_add_callback(rill_stream *handle, rill_stream_callback callback,
                                     void *data, uint32_t flags)
{
    struct cuda_stream *stream = cuda_stream_of(handle);
    struct cuda_visit visit;
    const rill_host_op op = { .data = data };
    struct cuda_box *box = cuda_make_box(stream->context, &op);
    if (!box) return RILL_ERROR_OUT_OF_MEMORY;
    box->callback = callback;
    box->stream = handle;
    rill_status status = cuda_enter_stream(stream, &visit);
    if (!status) {
        cuda_list_box(box);
        status = cuda_end_with(cuda_api.StreamAddCallback(stream->raw, run_callback, box, flags),
                               "cuStreamAddCallback", flags ? "flags" : NULL);
        if (status) cuda_take_box(box);
        cuda_leave(&visit);
    }
    if (status) rl_free(box);
    return status;
}
