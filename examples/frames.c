/* SPDX-License-Identifier: Apache-2.0
 *
 * The work of pipeline.c, as functions that know nothing of streams; no example by itself.
 */
#include "frames.h"

#include <string.h>

#include "must.h"

enum { WIDTH = 1024, HEIGHT = FRAME_BYTES / WIDTH, ROWS_PER_BLOCK = HEIGHT / FRAME_BLOCKS };

void frame_paint(uint8_t *pixels, int number)
{
    uint32_t noise = 12345u + (uint32_t)number;
    for (int i = 0; i < FRAME_BYTES; i++) {
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
    memset(levels, 0, FRAME_LEVELS * sizeof *levels);
    for (int i = 0; i < FRAME_BYTES; i++) levels[pixels[i]]++;
}

/* Kernel, called once for each block: a band of rows. */
static void smooth_kernel(const rill_launch *launch)
{
    const uint8_t *from = RILL_DEVICE_MEMORY(RILL_ARGUMENT(launch, 0, rill_devptr), const uint8_t);
    uint8_t *to = RILL_DEVICE_MEMORY(RILL_ARGUMENT(launch, 1, rill_devptr), uint8_t);
    smooth_rows(from, to, (int)launch->index.x * ROWS_PER_BLOCK, ROWS_PER_BLOCK);
}

/* Kernel, called once for the whole grid. */
static void count_kernel(const rill_launch *launch)
{
    const uint8_t *from = RILL_DEVICE_MEMORY(RILL_ARGUMENT(launch, 0, rill_devptr), const uint8_t);
    uint32_t *to = RILL_DEVICE_MEMORY(RILL_ARGUMENT(launch, 1, rill_devptr), uint32_t);
    count_levels(from, to);
}

rill_module *frame_kernels(rill_context *context, rill_kernel **smooth, rill_kernel **count)
{
    static const rill_param addresses[] = { RILL_PARAM(rill_devptr), RILL_PARAM(rill_devptr) };
    static const rill_function functions[] = {
        { .name = "smooth", .over_block = smooth_kernel, .params = addresses, .param_count = 2 },
        { .name = "count", .over_grid = count_kernel, .params = addresses, .param_count = 2 },
    };
    const rill_image image = { .size = sizeof image, .functions = functions, .function_count = 2 };
    rill_module *module;
    MUST(rill_module_load(context, &image, &module));
    MUST(rill_module_kernel(module, "smooth", smooth));
    MUST(rill_module_kernel(module, "count", count));
    return module;
}

uint64_t frame_digest(const uint8_t *pixels, const uint32_t *levels)
{
    uint64_t sum = 14695981039346656037u;
    for (int i = 0; i < FRAME_BYTES; i++) sum = (sum ^ pixels[i]) * 1099511628211u;
    for (int i = 0; i < FRAME_LEVELS; i++) sum = (sum ^ levels[i]) * 1099511628211u;
    return sum;
}

uint64_t frame_expected(int number)
{
    static uint8_t raw[FRAME_BYTES], smoothed[FRAME_BYTES];
    static uint32_t levels[FRAME_LEVELS];
    frame_paint(raw, number);
    smooth_rows(raw, smoothed, 0, HEIGHT);
    count_levels(smoothed, levels);
    return frame_digest(smoothed, levels);
}
