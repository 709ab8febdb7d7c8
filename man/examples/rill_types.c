/* SPDX-License-Identifier: Apache-2.0 */
#include <rill/rill.h>
#include <stdlib.h>

/* A stream that knows what the program thinks of it, and frees that with itself. */
rill_status example(rill_context *context)
{
    rill_stream *stream = NULL;
    rill_status status = rill_stream_create(context, NULL, &stream);
    if (!status) rill_set_data(stream, malloc(64), free);
    if (!status && !rill_data(stream)) status = RILL_ERROR_OUT_OF_MEMORY;
    rill_stream_destroy(&stream);
    return status;
}
