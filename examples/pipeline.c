/* SPDX-License-Identifier: Apache-2.0
 *
 * Frames go through a pipeline of four streams:
 *
 *     load       the camera delivers a frame          (host function)
 *     upload     copies it to the device
 *     compute    smooths it, counts its brightnesses  (two kernels)
 *     download   copies the results back, files them  (copies, host function)
 *
 * Everything is submitted at once; events say what must wait for what.  Each
 * buffer exists twice, so that a stage works on one frame while its neighbours
 * work on others.  At the end the results are compared with those of a plain
 * loop, and timeline.c draws what ran where and when.
 */
#include <string.h>
#include <time.h>

#include "must.h"
#include "timeline.h"

enum { WIDTH = 1024, HEIGHT = 1024, BYTES = WIDTH * HEIGHT, LEVELS = 256 };
enum { ROWS_PER_BLOCK = 32, FRAMES = 8, SLOTS = 2 };

/* The buffers of every other frame, and how far they are. */
struct slot {
    uint8_t *in, *out;            /* pinned host memory     */
    uint32_t *levels;
    rill_devptr raw, smooth, counts;
    rill_event *loaded, *uploaded, *computed, *downloaded;
};

/* A frame, as the host functions know it. */
struct frame {
    int number;
    struct slot *slot;
    uint64_t digest;              /* of what came out       */
};

/* ---- The stages -------------------------------------------------------------- */

static void paint(uint8_t *pixels, int number)
{
    uint32_t noise = 12345u + (uint32_t)number;
    for (int i = 0; i < BYTES; i++) {
        noise = noise * 1664525u + 1013904223u;
        pixels[i] = (uint8_t)((i >> 12) + number * 8 + (int)(noise >> 27));
    }
}

/* The mean of nine; the frame's edge repeats itself. */
static void smooth_rows(const uint8_t *from, uint8_t *to, int first, int count)
{
    for (int y = first; y < first + count; y++) {
        const uint8_t *middle = from + y * WIDTH;
        const uint8_t *above = y > 0 ? middle - WIDTH : middle;
        const uint8_t *below = y < HEIGHT - 1 ? middle + WIDTH : middle;
        for (int x = 0; x < WIDTH; x++) {
            int l = x > 0 ? x - 1 : x, r = x < WIDTH - 1 ? x + 1 : x;
            to[y * WIDTH + x] = (uint8_t)((above[l] + above[x] + above[r] + middle[l] + middle[x] +
                                           middle[r] + below[l] + below[x] + below[r]) / 9);
        }
    }
}

static void count_levels(const uint8_t *pixels, uint32_t *levels)
{
    memset(levels, 0, LEVELS * sizeof *levels);
    for (int i = 0; i < BYTES; i++) levels[pixels[i]]++;
}

static uint64_t digest(const uint8_t *pixels, const uint32_t *levels)
{
    uint64_t sum = 14695981039346656037u;
    for (int i = 0; i < BYTES; i++) sum = (sum ^ pixels[i]) * 1099511628211u;
    for (int i = 0; i < LEVELS; i++) sum = (sum ^ levels[i]) * 1099511628211u;
    return sum;
}

/* Host function: a camera takes its time, most of it without the processor. */
static void load_frame(void *data)
{
    struct frame *frame = data;
    nanosleep(&(struct timespec){ .tv_nsec = 2000000 }, NULL);
    paint(frame->slot->in, frame->number);
}

/* Kernel, called once for each block: a band of rows. */
static void smooth_kernel(const rill_launch *launch)
{
    const uint8_t *from = RILL_DEVICE_MEMORY(RILL_ARGUMENT(launch, 0, rill_devptr), const uint8_t);
    uint8_t *to = RILL_DEVICE_MEMORY(RILL_ARGUMENT(launch, 1, rill_devptr), uint8_t);
    smooth_rows(from, to, (int)launch->index.y * ROWS_PER_BLOCK, ROWS_PER_BLOCK);
}

/* Kernel, called once for the whole grid. */
static void count_kernel(const rill_launch *launch)
{
    const uint8_t *from = RILL_DEVICE_MEMORY(RILL_ARGUMENT(launch, 0, rill_devptr), const uint8_t);
    uint32_t *to = RILL_DEVICE_MEMORY(RILL_ARGUMENT(launch, 1, rill_devptr), uint32_t);
    count_levels(from, to);
}

/* Host function: files what came out. */
static void file_frame(void *data)
{
    struct frame *frame = data;
    frame->digest = digest(frame->slot->out, frame->slot->levels);
}

/* ---- The pipeline -------------------------------------------------------------- */

static rill_stream *load, *upload, *compute, *download;
static rill_kernel *smooth, *count;

/* An event stands for its latest record, here that of the slot's last frame;
 * one that was never recorded holds nobody up.  So the first frames need no
 * special case. */
static void submit(struct frame *frame)
{
    struct slot *s = frame->slot;
    MUST(rill_stream_wait_event(load, s->uploaded, 0)); /* `in` has been read */
    MUST(rill_launch_host(load, load_frame, frame, NULL));
    MUST(rill_event_record(s->loaded, load, 0));

    MUST(rill_stream_wait_event(upload, s->loaded, 0));
    MUST(rill_stream_wait_event(upload, s->computed, 0)); /* `raw` has been read */
    MUST(rill_memcpy_htod_async(upload, s->raw, s->in, BYTES));
    MUST(rill_event_record(s->uploaded, upload, 0));

    const rill_dim3 bands = { 1, HEIGHT / ROWS_PER_BLOCK, 1 }, one = { 1, 1, 1 };
    const rill_dim3 threads = { 256, 1, 1 };
    MUST(rill_stream_wait_event(compute, s->uploaded, 0));
    MUST(rill_stream_wait_event(compute, s->downloaded, 0)); /* `smooth` has been read */
    MUST(rill_launch_kernel(compute, smooth, bands, threads, 0,
                            (const void *[]){ &s->raw, &s->smooth }));
    MUST(rill_launch_kernel(compute, count, one, threads, 0,
                            (const void *[]){ &s->smooth, &s->counts }));
    MUST(rill_event_record(s->computed, compute, 0));

    MUST(rill_stream_wait_event(download, s->computed, 0));
    MUST(rill_memcpy_dtoh_async(download, s->out, s->smooth, BYTES));
    MUST(rill_memcpy_dtoh_async(download, s->levels, s->counts, LEVELS * sizeof *s->levels));
    MUST(rill_event_record(s->downloaded, download, 0));
    MUST(rill_launch_host(download, file_frame, frame, NULL));
}

/* ---- Setting up, and giving back ---------------------------------------------- */

static rill_stream *make_stream(rill_context *context, const char *label)
{
    rill_stream *stream;
    const rill_stream_options options = {
        .size = sizeof options, .flags = RILL_STREAM_NON_BLOCKING, .label = label,
    };
    MUST(rill_stream_create(context, &options, &stream));
    return stream;
}

static void make_slot(rill_context *context, struct slot *s)
{
    MUST(rill_host_alloc(context, BYTES, 0, (void **)&s->in));
    MUST(rill_host_alloc(context, BYTES, 0, (void **)&s->out));
    MUST(rill_host_alloc(context, LEVELS * sizeof *s->levels, 0, (void **)&s->levels));
    MUST(rill_mem_alloc(context, BYTES, &s->raw));
    MUST(rill_mem_alloc(context, BYTES, &s->smooth));
    MUST(rill_mem_alloc(context, LEVELS * sizeof *s->levels, &s->counts));
    MUST(rill_event_create(context, NULL, &s->loaded));
    MUST(rill_event_create(context, NULL, &s->uploaded));
    MUST(rill_event_create(context, NULL, &s->computed));
    MUST(rill_event_create(context, NULL, &s->downloaded));
}

static void free_slot(rill_context *context, struct slot *s)
{
    MUST(rill_event_destroy(&s->loaded));
    MUST(rill_event_destroy(&s->uploaded));
    MUST(rill_event_destroy(&s->computed));
    MUST(rill_event_destroy(&s->downloaded));
    MUST(rill_mem_free(context, s->raw));
    MUST(rill_mem_free(context, s->smooth));
    MUST(rill_mem_free(context, s->counts));
    MUST(rill_host_free(context, s->in));
    MUST(rill_host_free(context, s->out));
    MUST(rill_host_free(context, s->levels));
}

static rill_module *load_kernels(rill_context *context)
{
    static const rill_param addresses[] = { RILL_PARAM(rill_devptr), RILL_PARAM(rill_devptr) };
    static const rill_function functions[] = {
        { .name = "smooth", .over_block = smooth_kernel, .params = addresses, .param_count = 2 },
        { .name = "count", .over_grid = count_kernel, .params = addresses, .param_count = 2 },
    };
    const rill_image image = { .size = sizeof image, .functions = functions, .function_count = 2 };
    rill_module *module;
    MUST(rill_module_load(context, &image, &module));
    MUST(rill_module_kernel(module, "smooth", &smooth));
    MUST(rill_module_kernel(module, "count", &count));
    return module;
}

/* The same, one step after the other. */
static int check(const struct frame *frames)
{
    static uint8_t raw[BYTES], smoothed[BYTES];
    static uint32_t levels[LEVELS];
    int wrong = 0;
    for (int i = 0; i < FRAMES; i++) {
        paint(raw, i);
        smooth_rows(raw, smoothed, 0, HEIGHT);
        count_levels(smoothed, levels);
        wrong += frames[i].digest != digest(smoothed, levels);
    }
    printf("%d of %d frames as a plain loop computes them\n", FRAMES - wrong, FRAMES);
    return wrong;
}

int main(void)
{
    rill_platform *platform;
    rill_context *context;
    MUST(rill_open(NULL, &platform));
    MUST(rill_context_create(platform, NULL, &context));
    rill_module *module = load_kernels(context);
    load = make_stream(context, "load");
    upload = make_stream(context, "upload");
    compute = make_stream(context, "compute");
    download = make_stream(context, "download");
    struct slot slots[SLOTS];
    for (int i = 0; i < SLOTS; i++) make_slot(context, &slots[i]);

    struct timeline *timeline = timeline_start(platform);
    struct frame frames[FRAMES] = { 0 };
    for (int i = 0; i < FRAMES; i++) {
        frames[i] = (struct frame){ .number = i, .slot = &slots[i % SLOTS] };
        submit(&frames[i]);
    }
    MUST(rill_stream_synchronize(download));
    timeline_finish(timeline, stdout);

    for (int i = 0; i < SLOTS; i++) free_slot(context, &slots[i]);
    MUST(rill_stream_destroy(&load));
    MUST(rill_stream_destroy(&upload));
    MUST(rill_stream_destroy(&compute));
    MUST(rill_stream_destroy(&download));
    MUST(rill_module_unload(&module));
    MUST(rill_context_destroy(&context));
    MUST(rill_close(&platform));
    return check(frames) ? EXIT_FAILURE : EXIT_SUCCESS;
}
