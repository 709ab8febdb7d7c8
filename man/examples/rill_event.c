/* SPDX-License-Identifier: Apache-2.0 */
#include <rill/rill.h>
#include <stdio.h>

/* How long a fill of 1 MiB takes. */
rill_status example(rill_context *context)
{
    const rill_event_options timing = { .size = sizeof timing,
                                        .flags = RILL_EVENT_TIMING };
    rill_stream *stream = rill_stream_legacy(context);
    rill_event *start = NULL, *end = NULL;
    rill_devptr memory = 0;
    float milliseconds = 0;

    rill_status status = rill_mem_alloc(context, 1 << 20, &memory);
    if (!status) status = rill_event_create(context, &timing, &start);
    if (!status) status = rill_event_create(context, &timing, &end);
    if (!status) status = rill_event_record(start, stream, 0);
    if (!status) status = rill_memset_d8_async(stream, memory, 1, 1 << 20);
    if (!status) status = rill_event_record(end, stream, 0);
    if (!status) status = rill_event_synchronize(end);
    if (!status) status = rill_event_elapsed(start, end, &milliseconds);
    if (!status) printf("%.3f ms\n", (double)milliseconds);

    rill_event_destroy(&start);
    rill_event_destroy(&end);
    if (memory) rill_mem_free(context, memory);
    return status;
}
