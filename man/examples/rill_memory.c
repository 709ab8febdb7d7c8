/* SPDX-License-Identifier: Apache-2.0 */
#include <rill/rill.h>
#include <string.h>

/* To the device and back, through pinned memory: neither copy waits. */
rill_status example(rill_context *context)
{
    rill_stream *stream = rill_stream_legacy(context);
    rill_devptr device = 0;
    void *pinned = NULL;

    rill_status status = rill_mem_alloc(context, 64, &device);
    if (!status) status = rill_host_alloc(context, 64, 0, &pinned);
    if (!status) {
        memset(pinned, 7, 64);
        status = rill_memcpy_htod_async(stream, device, pinned, 64);
    }
    if (!status) status = rill_memset_d8_async(stream, device, 8, 32);
    if (!status) status = rill_memcpy_dtoh_async(stream, pinned, device, 64);
    if (!status) status = rill_stream_synchronize(stream);

    if (pinned) rill_host_free(context, pinned);
    if (device) rill_mem_free(context, device);
    return status;
}
