/* SPDX-License-Identifier: Apache-2.0 */
#include <rill/cuda.h>
#include <rill/rill.h>

/* Work of rill's in a stream that another library made. */
rill_status zero_in(struct CUstream_st *theirs, rill_context *context,
                    rill_devptr address, size_t bytes)
{
    rill_stream *stream;
    rill_status status = rill_cuda_wrap_stream(context, theirs, 0, &stream);
    if (!status) status = rill_memset_d8_async(stream, address, 0, bytes);
    rill_stream_destroy(&stream); /* theirs stays */
    return status;
}
