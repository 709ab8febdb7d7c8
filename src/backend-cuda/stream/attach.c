/* SPDX-License-Identifier: Apache-2.0
 *
 * Attaching managed memory to a stream.
 *
 * The driver does not survive being asked for a part of an allocation, so what is managed
 * memory is looked at before it is asked.  A stream that captures is the driver's to refuse,
 * whatever the arguments are.
 */
#include <inttypes.h>

#include "backend-cuda/memory/pointer.h"
#include "backend-cuda/stream/stream.h"

static rill_status check_range(const struct cuda_address *found, rill_devptr address, size_t bytes)
{
    if (address != found->base)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "address",
                                 "0x%" PRIx64 " is inside the allocation at 0x%" PRIx64
                                 ", and not its begin", address, found->base);
    if (bytes && bytes != found->bytes)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "bytes",
                                 "%zu bytes are neither 0 nor all %zu of the allocation", bytes,
                                 found->bytes);
    return RILL_SUCCESS;
}

static rill_status check_flags(const struct cuda_stream *stream, uint32_t flags)
{
    if (flags != RILL_ATTACH_GLOBAL && flags != RILL_ATTACH_HOST && flags != RILL_ATTACH_SINGLE)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "flags",
                                 "0x%" PRIx32 " is none of RILL_ATTACH_GLOBAL, RILL_ATTACH_HOST "
                                 "and RILL_ATTACH_SINGLE", flags);
    if (flags == RILL_ATTACH_SINGLE && stream->raw == CU_STREAM_LEGACY)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "stream",
                                 "the legacy stream stands for all streams, so nothing can be "
                                 "attached to it alone");
    return RILL_SUCCESS;
}

/* Memory that is not managed is the driver's to refuse as well. */
static rill_status check_attachment(const struct cuda_stream *stream, rill_devptr address,
                                    size_t bytes, uint32_t flags)
{
    CUstreamCaptureStatus capture = CU_STREAM_CAPTURE_STATUS_NONE;
    struct cuda_address found;
    if (cuda_api.StreamIsCapturing(stream->raw, &capture) || capture) return RILL_SUCCESS;
    CUresult result = cuda_lookup(stream->context, address, &found);
    if (result) return cuda_end_with(result, "cuPointerGetAttributes", "address");
    if (!found.known || !found.managed) return RILL_SUCCESS;
    rill_status status = check_range(&found, address, bytes);
    return status ? status : check_flags(stream, flags);
}

rill_status cuda_stream_attach(rill_stream *handle, rill_devptr address, size_t bytes,
                               uint32_t flags)
{
    struct cuda_stream *stream = cuda_stream_of(handle);
    struct cuda_visit visit;
    rill_status status = cuda_enter(stream->context, &visit);
    if (status) return status;
    status = check_attachment(stream, address, bytes, flags);
    if (!status)
        status = cuda_end_with(cuda_api.StreamAttachMemAsync(stream->raw, address, bytes, flags),
                               "cuStreamAttachMemAsync", "address");
    cuda_leave(&visit);
    return status;
}
