/* SPDX-License-Identifier: Apache-2.0
 *
 * A picture is computed in four tiles side by side.  The step is written once,
 * for streams; it is captured, drawn (tiles.dot), and replayed, and timeline.c
 * shows how the threads share the nodes of the graph.  It prints:
 *
 *     the graph is drawn in tiles.dot
 *     …
 *     42 operations in … ms; one after the other they take … ms, … times as long
 *     6 frames replayed; the picture is that of the streams
 */
#include <rill/backend.h> /* RILL_TOUCH_* */
#include <rill/check.h>

#include "must.h"
#include "timeline.h"

enum { SIDE = 256, TILES = 4, ROWS = SIDE / TILES, FRAMES = 6 };

/* Kernel: some rows of the Mandelbrot set, as brightnesses.  The layer `check` would assume that
 * it touches all of them. */
static void mandelbrot(const rill_launch *launch)
{
    rill_devptr picture = RILL_ARGUMENT(launch, 0, rill_devptr);
    uint8_t *pixels = RILL_DEVICE_MEMORY(picture, uint8_t);
    int first = RILL_ARGUMENT(launch, 1, int);
    rill_touch(picture + first * SIDE, ROWS * SIDE, RILL_TOUCH_WRITE);
    for (int y = first; y < first + ROWS; y++) {
        for (int x = 0; x < SIDE; x++) {
            double a = x * 3.0 / SIDE - 2.2, b = y * 3.0 / SIDE - 1.5, re = 0, im = 0;
            int i = 0;
            for (; i < 255 && re * re + im * im < 4; i++) {
                double next = re * re - im * im + a;
                im = 2 * re * im + b;
                re = next;
            }
            pixels[y * SIDE + x] = (uint8_t)i;
        }
    }
}

struct step {
    rill_kernel *kernel;
    rill_stream *sides[TILES - 1];
    rill_devptr pixels;
    uint8_t *picture;             /* pinned host memory */
    unsigned long sum;
};

/* Host function. */
static void add_up(void *data)
{
    struct step *step = data;
    step->sum = 0;
    for (int i = 0; i < SIDE * SIDE; i++) step->sum += step->picture[i];
}

/* One step: the tiles fork off the stream, and join it again. */
static rill_status enqueue(rill_stream *stream, void *data)
{
    struct step *step = data;
    const rill_dim3 one = { 1, 1, 1 };
    rill_status status = rill_memset_d8_async(stream, step->pixels, 0, SIDE * SIDE);
    if (!status) status = rill_stream_fork(stream, step->sides, TILES - 1);
    for (int tile = 0; !status && tile < TILES; tile++) {
        const int first = tile * ROWS;
        status = rill_launch_kernel(tile ? step->sides[tile - 1] : stream, step->kernel, one, one,
                                    0, (const void *[]){ &step->pixels, &first });
    }
    if (!status) status = rill_stream_join_all(stream);
    if (!status) status = rill_memcpy_dtoh_async(stream, step->picture, step->pixels, SIDE * SIDE);
    return status ? status : rill_launch_host(stream, add_up, step, NULL);
}

static int put(void *file, const char *text, size_t bytes)
{
    return fwrite(text, 1, bytes, file) != bytes;
}

static void draw(rill_graph *graph)
{
    FILE *file = fopen("tiles.dot", "w");
    if (!file) return;
    MUST(rill_graph_write_dot(graph, 0, put, file));
    fclose(file);
    printf("the graph is drawn in tiles.dot\n");
}

static rill_module *load(rill_context *context, rill_kernel **kernel)
{
    static const rill_param params[] = { RILL_PARAM(rill_devptr), RILL_PARAM(int) };
    static const rill_function function = {
        .name = "mandelbrot", .over_grid = mandelbrot, .params = params, .param_count = 2,
    };
    const rill_image image = { .size = sizeof image, .functions = &function, .function_count = 1 };
    rill_module *module;
    MUST(rill_module_load(context, &image, &module));
    MUST(rill_module_kernel(module, "mandelbrot", kernel));
    return module;
}

int main(void)
{
    const rill_stream_options named = { .size = sizeof named, .label = "frames" };
    struct step step = { .sum = 0 };
    rill_platform *platform;
    rill_context *context;
    rill_stream *stream;
    rill_graph *graph;
    rill_exec *exec;
    MUST(rill_open(NULL, &platform));
    MUST(rill_context_create(platform, NULL, &context));
    MUST(rill_stream_create(context, &named, &stream));
    for (int i = 0; i < TILES - 1; i++) MUST(rill_stream_create(context, NULL, &step.sides[i]));
    MUST(rill_mem_alloc(context, SIDE * SIDE, &step.pixels));
    MUST(rill_host_alloc(context, SIDE * SIDE, 0, (void **)&step.picture));
    rill_module *module = load(context, &step.kernel);

    MUST(rill_capture(stream, NULL, enqueue, &step, &graph));
    draw(graph);
    MUST(rill_exec_create(graph, NULL, &exec));
    struct timeline *timeline = timeline_start(platform);
    for (int i = 0; i < FRAMES; i++) MUST(rill_exec_launch(exec, stream));
    MUST(rill_stream_synchronize(stream));
    timeline_finish(timeline, stdout);
    unsigned long replayed = step.sum;

    /* The same without a graph. */
    MUST(enqueue(stream, &step));
    MUST(rill_stream_synchronize(stream));
    printf("%d frames replayed; %s\n", FRAMES,
           replayed == step.sum ? "the picture is that of the streams" : "the picture is wrong");

    MUST(rill_exec_destroy(&exec));
    MUST(rill_graph_destroy(&graph));
    MUST(rill_module_unload(&module));
    MUST(rill_host_free(context, step.picture));
    MUST(rill_mem_free(context, step.pixels));
    for (int i = 0; i < TILES - 1; i++) MUST(rill_stream_destroy(&step.sides[i]));
    MUST(rill_stream_destroy(&stream));
    MUST(rill_context_destroy(&context));
    MUST(rill_close(&platform));
    return replayed != step.sum;
}
