/* SPDX-License-Identifier: Apache-2.0
 *
 * All orders of a small pipeline that can make a difference.  Two parts of a buffer are filled in
 * streams of their own, and a third stream adds them up.  Where a wait is missing some orders give
 * a wrong sum, and the first of them is told; with both waits there is only one.  It prints:
 *
 *     no wait: explored 4 of 4 classes in 4 runs, wrong in 3, first under order:2.2,3.1,1.2
 *     one wait: explored 2 of 2 classes in 2 runs, wrong in 1, first under order:3.2,2.2
 *     both: explored 1 of 1 class in 1 run, wrong in 0
 */
#include <rill/check.h>
#include <rill/explore.h>
#include <stdint.h>

#include "must.h"

enum { PARTS = 2, BYTES = 64 };

struct sum {
    unsigned char *parts[PARTS];
    unsigned result;
};

/* A host function says itself what it touches. */
static void add_up(void *data)
{
    struct sum *sum = data;
    for (int i = 0; i < PARTS; i++) {
        rill_touch((rill_devptr)(uintptr_t)sum->parts[i], BYTES, RILL_TOUCH_READ);
        sum->result += sum->parts[i][0];
    }
}

/* Runs once; `data` has how many of the waits there are. */
static int pipeline(rill_platform *platform, void *data)
{
    const rill_stream_options apart = { .size = sizeof apart, .flags = RILL_STREAM_NON_BLOCKING };
    int waits = *(const int *)data;
    rill_context *context;
    rill_stream *streams[PARTS + 1];
    rill_event *filled;
    rill_devptr parts[PARTS];
    struct sum sum = { .result = 0 };

    MUST(rill_context_create(platform, 0, &context));
    MUST(rill_event_create(context, NULL, &filled));
    for (int i = 0; i <= PARTS; i++) MUST(rill_stream_create(context, &apart, &streams[i]));
    for (int i = 0; i < PARTS; i++) {
        MUST(rill_mem_alloc(context, BYTES, &parts[i]));
        MUST(rill_memset_d8_async(streams[i], parts[i], 0, BYTES));
        sum.parts[i] = (unsigned char *)(uintptr_t)parts[i];
    }
    MUST(rill_context_synchronize(context));

    for (int i = 0; i < PARTS; i++) {
        MUST(rill_memset_d8_async(streams[i], parts[i], 1, BYTES));
        if (i >= waits) continue;
        MUST(rill_event_record(filled, streams[i], 0));
        MUST(rill_stream_wait_event(streams[PARTS], filled, 0));
    }
    MUST(rill_launch_host(streams[PARTS], add_up, &sum, NULL));
    MUST(rill_context_synchronize(context));

    for (int i = 0; i < PARTS; i++) MUST(rill_mem_free(context, parts[i]));
    for (int i = 0; i <= PARTS; i++) MUST(rill_stream_destroy(&streams[i]));
    MUST(rill_event_destroy(&filled));
    MUST(rill_context_destroy(&context));
    return sum.result != PARTS;
}

int main(void)
{
    static const char *const names[] = { "no wait", "one wait", "both" };
    for (int waits = 0; waits <= PARTS; waits++) {
        rill_explore_report report = { .size = sizeof report };
        MUST(rill_explore(NULL, pipeline, &waits, &report));
        printf("%s: %s, wrong in %u", names[waits], report.words, (unsigned)report.failed);
        printf(report.failed ? ", first under %s\n" : "\n", report.schedule);
    }
    return 0;
}
