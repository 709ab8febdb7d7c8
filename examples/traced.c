/* SPDX-License-Identifier: Apache-2.0
 *
 * A trace of a part of a program: two streams hand work to each other, and the file shows when
 * each did what, and who waited.  It prints:
 *
 *     8 rounds are in traced.json; open it in https://ui.perfetto.dev
 */
#include <rill/trace.h>

#include "must.h"

enum { ROUNDS = 8, BYTES = 1 << 20 };

/* What the second stream does with each block; the simulator calls it in one of its threads. */
static void digest(void *data)
{
    unsigned *sum = data;
    for (unsigned i = 0; i < 200000; i++) *sum = *sum * 1664525u + 1013904223u;
}

int main(void)
{
    const rill_open_options options = { .size = sizeof options, .layers = "trace" };
    const rill_stream_options first = { .size = sizeof first, .label = "fill" },
                              second = { .size = sizeof second, .label = "digest" };
    const rill_trace_options trace = { .size = sizeof trace, .file = "traced.json" };
    rill_platform *platform;
    rill_context *context;
    rill_stream *fill, *consume;
    rill_event *filled, *used;
    rill_devptr memory;
    unsigned sum = 1;

    MUST(rill_open(&options, &platform));
    MUST(rill_context_create(platform, NULL, &context));
    MUST(rill_stream_create(context, &first, &fill));
    MUST(rill_stream_create(context, &second, &consume));
    MUST(rill_event_create(context, NULL, &filled));
    MUST(rill_event_create(context, NULL, &used));
    MUST(rill_mem_alloc(context, BYTES, &memory));

    MUST(rill_trace_start(platform, &trace));
    for (int i = 0; i < ROUNDS; i++) {
        MUST(rill_stream_wait_event(fill, used, 0));
        MUST(rill_memset_d8_async(fill, memory, (uint8_t)i, BYTES));
        MUST(rill_event_record(filled, fill, 0));
        MUST(rill_stream_wait_event(consume, filled, 0));
        MUST(rill_launch_host(consume, digest, &sum, NULL));
        MUST(rill_event_record(used, consume, 0));
    }
    MUST(rill_context_synchronize(context));
    MUST(rill_trace_stop(platform));
    printf("%d rounds are in %s; open it in https://ui.perfetto.dev\n", ROUNDS, trace.file);

    MUST(rill_mem_free(context, memory));
    MUST(rill_event_destroy(&filled));
    MUST(rill_event_destroy(&used));
    MUST(rill_stream_destroy(&fill));
    MUST(rill_stream_destroy(&consume));
    MUST(rill_context_destroy(&context));
    MUST(rill_close(&platform));
    return 0;
}
