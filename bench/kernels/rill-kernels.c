/* SPDX-License-Identifier: Apache-2.0
 *
 * One kernel of kernels.cu, a number of times, for callgrind to count its instructions:
 * check.sh runs this.
 */
#include <stdint.h>
#include <string.h>

#include "../held.h"

#define ELEMENTS (UINT32_C(1) << 20) /* of each buffer; kernels have a quarter as many threads */
#define BUFFERS 3

static rill_context *context;
static rill_stream *stream;
static rill_module *module;
static rill_kernel *kernel;
static void *code;

/* Buffers of elements of 4 bytes.  `near` and `wide` are indices in any order, of the first 64 Ki
 * elements and of all. */
static rill_devptr in, more, out, near, wide;
static rill_devptr *const buffers[] = { &in, &more, &out, &near, &wide };

enum { ALL = ELEMENTS / 4, EDGE = 512, SMALL = 128, BODIES = 1024 };
#define LINE(blocks) { (blocks), 1, 1 }, { 256, 1, 1 }
#define SQUARE(edge) { (edge) / 16, (edge) / 16, 1 }, { 16, 16, 1 }

static const struct {
    const char *name, *kernel;
    uint32_t n;
    rill_dim3 grid, block;
    rill_devptr *buffers[BUFFERS];
} cases[] = {
    { "saxpy", "saxpy", ALL, LINE(ALL / 256), { &in, &out } },
    { "reduction", "reduce", 2 * ALL, LINE(16), { &in, &out } },
    { "matmul", "matmul", SMALL, SQUARE(SMALL), { &in, &more, &out } },
    { "matmul, tiled", "matmul_tiled", SMALL, SQUARE(SMALL), { &in, &more, &out } },
    { "stencil", "stencil", EDGE, SQUARE(EDGE), { &in, &out } },
    { "n-body", "nbody", BODIES, LINE(BODIES / 256), { &in, &out } },
    { "histogram", "histogram", ALL, LINE(16), { &near, &out } },
    { "transpose", "transpose", EDGE, { EDGE / 256, EDGE, 1 }, { 256, 1, 1 }, { &in, &out } },
    { "transpose, squares", "transpose_squares", EDGE, SQUARE(EDGE), { &in, &out } },
    { "column", "column", 1, LINE(ALL / 512), { &out } },
    { "gather, near", "gather", ALL, LINE(ALL / 256), { &near, &in, &out } },
    { "gather, wide", "gather", ALL, LINE(ALL / 256), { &wide, &in, &out } },
    { "gather, generic", "gather_any", ALL, LINE(ALL / 256), { &wide, &in, &out } },
    { "scatter, near", "scatter", ALL, LINE(ALL / 256), { &near, &in, &out } },
    { "scatter, wide", "scatter", ALL, LINE(ALL / 256), { &wide, &in, &out } },
    { "atomics, wide", "scatter_atomic", ALL, LINE(ALL / 256), { &wide, &out } },
};

#define CASES (sizeof cases / sizeof *cases)

/* ---- Setting up --------------------------------------------------------------------------- */

static void read_code(void)
{
    FILE *file = fopen(BENCH_KERNELS, "rb");
    const size_t room = 1 << 16;
    code = calloc(1, room);
    if (!file || !code || fread(code, 1, room - 1, file) == 0) {
        fprintf(stderr, "rill-kernels: cannot read %s\n", BENCH_KERNELS);
        exit(EXIT_FAILURE);
    }
    fclose(file);
}

/* Returns numbers that look random. */
static uint32_t draw_below(uint32_t limit)
{
    static uint64_t state = 17;
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((state >> 32) * limit >> 32);
}

static void fill_indices(rill_devptr buffer, uint32_t limit)
{
    uint32_t *numbers = malloc(ELEMENTS * sizeof *numbers);
    if (!numbers) exit(EXIT_FAILURE);
    for (uint32_t i = 0; i < ELEMENTS; i++) numbers[i] = draw_below(limit);
    TRY(rill_memcpy_htod(context, buffer, numbers, ELEMENTS * sizeof *numbers));
    free(numbers);
}

static rill_platform *open_all(const char *name)
{
    rill_platform *platform = held_open();
    read_code();
    const rill_image image = { .size = sizeof image, .code = code };
    TRY(rill_context_create(platform, NULL, &context));
    TRY(rill_stream_create(context, NULL, &stream));
    TRY(rill_module_load(context, &image, &module));
    TRY(rill_module_kernel(module, name, &kernel));
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++) {
        TRY(rill_mem_alloc(context, ELEMENTS * sizeof(float), buffers[i]));
        TRY(rill_memset_d32(context, *buffers[i], 0, ELEMENTS));
    }
    fill_indices(near, UINT32_C(1) << 16);
    fill_indices(wide, ELEMENTS);
    return platform;
}

static void close_all(rill_platform *platform)
{
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        TRY(rill_mem_free(context, *buffers[i]));
    TRY(rill_module_unload(&module));
    TRY(rill_stream_destroy(&stream));
    TRY(rill_context_destroy(&context));
    TRY(rill_close(&platform));
    free(code);
}

/* ---- What is counted ---------------------------------------------------------------------- */

static void launch(size_t number)
{
    const void *params[1 + BUFFERS] = { &cases[number].n };
    for (unsigned i = 0; i < BUFFERS; i++) params[1 + i] = cases[number].buffers[i];
    TRY(rill_launch_kernel(stream, kernel, cases[number].grid, cases[number].block, 0, params));
    TRY(rill_stream_synchronize(stream));
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        for (size_t i = 0; i < CASES; i++) puts(cases[i].name);
        return EXIT_SUCCESS;
    }
    size_t at = 0;
    while (at < CASES && strcmp(cases[at].name, argv[1]) != 0) at++;
    if (at == CASES) return fprintf(stderr, "rill-kernels: no case %s\n", argv[1]), 2;
    rill_platform *platform = open_all(cases[at].kernel);
    for (int runs = atoi(argv[2]); runs > 0; runs--) launch(at);
    close_all(platform);
    return EXIT_SUCCESS;
}
