/* SPDX-License-Identifier: Apache-2.0
 *
 * Attributes of streams.
 */
#include <string.h>

#include "backend-cuda/kind/attribute.h"
#include "backend-cuda/stream/stream.h"

rill_status cuda_stream_get_attribute(rill_stream *handle, rill_attribute *attribute)
{
    struct cuda_stream *stream = cuda_stream_of(handle);
    struct cuda_visit visit;
    CUlaunchAttributeValue value;
    memset(&value, 0, sizeof value);
    rill_status status = cuda_enter_stream(stream, &visit);
    if (status) return status;
    status = cuda_end_with(cuda_api.StreamGetAttribute(
                               stream->raw, (CUlaunchAttributeID)attribute->id, &value),
                           "cuStreamGetAttribute", "attribute->id");
    cuda_leave(&visit);
    if (!status) cuda_read_attribute(&value, attribute);
    return status;
}

rill_status cuda_stream_set_attribute(rill_stream *handle, const rill_attribute *attribute)
{
    struct cuda_stream *stream = cuda_stream_of(handle);
    struct cuda_visit visit;
    CUlaunchAttribute raw;
    if (cuda_has_event(attribute->id)) /* whose event was not checked */
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "attribute->id",
                                 "%d is not an attribute of streams", (int)attribute->id);
    cuda_write_attribute(attribute, &raw);
    rill_status status = cuda_enter_stream(stream, &visit);
    if (status) return status;
    CUresult result = cuda_api.StreamSetAttribute(stream->raw, raw.id, &raw.value);
    cuda_leave(&visit);
    if (!result) return RILL_SUCCESS;
    return cuda_fail(result, "cuStreamSetAttribute", cuda_blame_attribute(attribute));
}

rill_status cuda_stream_copy_attributes(rill_stream *dst, rill_stream *src)
{
    struct cuda_stream *to = cuda_stream_of(dst), *from = cuda_stream_of(src);
    struct cuda_visit visit;
    rill_status status = cuda_enter_stream(to->is_default ? to : from, &visit);
    if (status) return status;
    status = cuda_end(cuda_api.StreamCopyAttributes(to->raw, from->raw), "cuStreamCopyAttributes");
    cuda_leave(&visit);
    return status;
}
