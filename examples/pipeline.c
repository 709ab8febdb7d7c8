/* SPDX-License-Identifier: Apache-2.0
 *
 * Frames go through a pipeline of four streams:
 *
 *     load       the camera delivers a frame           (host function)
 *     upload     copies it to the device
 *     compute    smooths it, counts its brightnesses   (two kernels, see frames.c)
 *     download   copies the results back, files them   (copies, host function)
 *
 * Everything is submitted at once; events say what must wait for what.  Each buffer exists
 * twice, so that a stage works on one frame while its neighbours work on others.  At the
 * end the results are compared with those of a plain loop, and timeline.c draws what ran
 * where and when: the picture in the README.  Behind that the program prints:
 *
 *     …
 *     56 operations in … ms; one after the other they take … ms, … times as long
 *     8 of 8 frames as a plain loop computes them
 */
#include <time.h>

#include "frames.h"
#include "must.h"
#include "timeline.h"

enum { FRAMES = 8, SLOTS = 2, LEVELS_BYTES = FRAME_LEVELS * sizeof(uint32_t) };
enum stage { LOAD, UPLOAD, COMPUTE, DOWNLOAD, STAGES };

static const char *const stage_names[] = { "load", "upload", "compute", "download" };
static rill_stream *streams[STAGES];
static rill_kernel *smooth, *count;

/* The buffers of every other frame, and how far they are. */
struct slot {
    uint8_t *in, *out;          /* pinned host memory         */
    uint32_t *levels;
    rill_devptr raw, smooth, counts;
    rill_event *done[STAGES];
};

/* A frame, as the host functions know it. */
struct frame {
    int number;
    struct slot *slot;
    uint64_t digest;            /* of what came out           */
};

/* Host function: a camera takes its time, most of it without the processor. */
static void load_frame(void *data)
{
    struct frame *frame = data;
    nanosleep(&(struct timespec){ .tv_nsec = 2000000 }, NULL);
    frame_paint(frame->slot->in, frame->number);
}

/* Host function: files what came out. */
static void file_frame(void *data)
{
    struct frame *frame = data;
    frame->digest = frame_digest(frame->slot->out, frame->slot->levels);
}

/* An event stands for its latest record, here that of the slot's last frame; one that
 * was never recorded holds nobody up.  So the first frames need no special case. */
static void submit(struct frame *frame)
{
    struct slot *s = frame->slot;
    const rill_dim3 bands = { FRAME_BLOCKS, 1, 1 }, one = { 1, 1, 1 };

    MUST(rill_stream_wait_event(streams[LOAD], s->done[UPLOAD], 0)); /* `in` has been read */
    MUST(rill_launch_host(streams[LOAD], load_frame, frame, NULL));
    MUST(rill_event_record(s->done[LOAD], streams[LOAD], 0));

    MUST(rill_stream_wait_event(streams[UPLOAD], s->done[LOAD], 0));
    MUST(rill_stream_wait_event(streams[UPLOAD], s->done[COMPUTE], 0)); /* `raw` has been read */
    MUST(rill_memcpy_htod_async(streams[UPLOAD], s->raw, s->in, FRAME_BYTES));
    MUST(rill_event_record(s->done[UPLOAD], streams[UPLOAD], 0));

    MUST(rill_stream_wait_event(streams[COMPUTE], s->done[UPLOAD], 0));
    MUST(rill_stream_wait_event(streams[COMPUTE], s->done[DOWNLOAD], 0)); /* so has `smooth` */
    MUST(rill_launch_kernel(streams[COMPUTE], smooth, bands, one, 0,
                            (const void *[]){ &s->raw, &s->smooth }));
    MUST(rill_launch_kernel(streams[COMPUTE], count, one, one, 0,
                            (const void *[]){ &s->smooth, &s->counts }));
    MUST(rill_event_record(s->done[COMPUTE], streams[COMPUTE], 0));

    MUST(rill_stream_wait_event(streams[DOWNLOAD], s->done[COMPUTE], 0));
    MUST(rill_memcpy_dtoh_async(streams[DOWNLOAD], s->out, s->smooth, FRAME_BYTES));
    MUST(rill_memcpy_dtoh_async(streams[DOWNLOAD], s->levels, s->counts, LEVELS_BYTES));
    MUST(rill_event_record(s->done[DOWNLOAD], streams[DOWNLOAD], 0));
    MUST(rill_launch_host(streams[DOWNLOAD], file_frame, frame, NULL));
}

static void make_slot(rill_context *context, struct slot *s)
{
    MUST(rill_host_alloc(context, FRAME_BYTES, 0, (void **)&s->in));
    MUST(rill_host_alloc(context, FRAME_BYTES, 0, (void **)&s->out));
    MUST(rill_host_alloc(context, LEVELS_BYTES, 0, (void **)&s->levels));
    MUST(rill_mem_alloc(context, FRAME_BYTES, &s->raw));
    MUST(rill_mem_alloc(context, FRAME_BYTES, &s->smooth));
    MUST(rill_mem_alloc(context, LEVELS_BYTES, &s->counts));
    for (int i = 0; i < STAGES; i++) MUST(rill_event_create(context, NULL, &s->done[i]));
}

int main(void)
{
    rill_platform *platform;
    rill_context *context;
    struct slot slots[SLOTS];
    struct frame frames[FRAMES];
    int right = 0;
    MUST(rill_open(NULL, &platform));
    MUST(rill_context_create(platform, NULL, &context));
    rill_module *module = frame_kernels(context, &smooth, &count);
    for (int i = 0; i < STAGES; i++) {
        const rill_stream_options options = { .size = sizeof options, .label = stage_names[i],
                                              .flags = RILL_STREAM_NON_BLOCKING };
        MUST(rill_stream_create(context, &options, &streams[i]));
    }
    for (int i = 0; i < SLOTS; i++) make_slot(context, &slots[i]);

    struct timeline *timeline = timeline_start(platform);
    for (int i = 0; i < FRAMES; i++) {
        frames[i] = (struct frame){ .number = i, .slot = &slots[i % SLOTS] };
        submit(&frames[i]);
    }
    MUST(rill_stream_synchronize(streams[DOWNLOAD]));
    timeline_finish(timeline, stdout);
    for (int i = 0; i < FRAMES; i++) right += frames[i].digest == frame_expected(i);
    printf("%d of %d frames as a plain loop computes them\n", right, FRAMES);

    for (int i = 0; i < SLOTS * STAGES; i++)
        MUST(rill_event_destroy(&slots[i / STAGES].done[i % STAGES]));
    for (int i = 0; i < STAGES; i++) MUST(rill_stream_destroy(&streams[i]));
    MUST(rill_module_unload(&module));
    MUST(rill_context_destroy(&context)); /* with all its memory */
    MUST(rill_close(&platform));
    return right == FRAMES ? EXIT_SUCCESS : EXIT_FAILURE;
}
