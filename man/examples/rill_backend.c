/* SPDX-License-Identifier: Apache-2.0 */
#include <rill/backend.h>

extern const struct rill_backend my_backend;
extern rill_status beep(void *data_of_the_stream);

/* A call that only this backend has. */
rill_status my_stream_beep(rill_stream *stream)
{
    rill_status status =
        rill_backend_check(&my_backend, stream, RILL_OBJECT_STREAM, "stream");
    if (!status && beep(rill_private(stream)))
        status = rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, NULL, "there is no horn");
    return rill_backend_finish("my_stream_beep", stream, status);
}
