/* SPDX-License-Identifier: Apache-2.0
 *
 * What the kernels of cuda/arrays.cu compute. */
#include "kernels.h"

#include <math.h>

#define TILE 16

static void fill_floats(float *to, size_t count, struct dice *dice)
{
    for (size_t i = 0; i < count; i++) to[i] = (float)BETWEEN(dice, -30000, 30000) / 256.0f;
}

static void fill_doubles(double *to, size_t count, struct dice *dice)
{
    for (size_t i = 0; i < count; i++) to[i] = (double)BETWEEN(dice, -30000, 30000) / 37.0;
}

static void saxpy(struct machine *m)
{
    EACH_EXTENT(odd_extents, x) {
        struct dice dice = { x->block };
        uint32_t n = x->grid * x->block - x->block / 3;
        float *in = machine_memory(m, n * sizeof *in), *out = machine_memory(m, n * sizeof *out);
        fill_floats(in, n, &dice);
        fill_floats(out, n, &dice);
        float *wanted = copied(out, n * sizeof *out);
        struct { float *y; const float *x; float a; uint32_t n; } params = { out, in, 1.1f, n };
        RUN(m, "saxpy", x, 0, &params);
        for (uint32_t i = 0; i < n; i++) wanted[i] = fmaf(1.1f, in[i], wanted[i]);
        same_floats("y", out, wanted, n);
        free(wanted);
    }
}

static void grid_stride(struct machine *m)
{
    EACH_EXTENT(odd_extents, x) {
        uint32_t n = x->grid * x->block * 3 + 5;
        uint32_t *in = random_memory(m, n * sizeof *in, x->block);
        uint32_t *out = machine_memory(m, n * sizeof *out), *wanted = copied(in, n * sizeof *in);
        struct { uint32_t *out; const uint32_t *in; uint64_t n; } params = { out, in, n };
        RUN(m, "grid_stride", x, 0, &params);
        for (uint32_t i = 0; i < n; i++) wanted[i] = in[i] * 2654435761u + i;
        same_words("out", out, wanted, n);
        free(wanted);
    }
}

static void scale_vectors(struct machine *m)
{
    struct dice dice = { 3 };
    uint32_t n = 300;
    float(*in)[4] = machine_memory(m, n * sizeof *in);
    float(*out)[4] = machine_memory(m, n * sizeof *out);
    double(*wide)[2] = machine_memory(m, n * sizeof *wide);
    unsigned char(*narrow)[4] = random_memory(m, n * sizeof *narrow, 4);
    fill_floats(in[0], n * 4, &dice);
    fill_doubles(wide[0], n * 2, &dice);
    double(*wide_before)[2] = copied(wide, n * sizeof *wide);
    unsigned char(*narrow_before)[4] = copied(narrow, n * sizeof *narrow);
    struct { void *out, *in, *wide, *narrow; uint32_t n; } params = { out, in, wide, narrow, n };
    RUN(m, "scale_vectors", (&(struct extents){ 4, 96 }), 0, &params);
    for (uint32_t i = 0; i < n; i++) {
        const float *v = in[i];
        float floats[4] = { v[3] * 2.0f, v[2] + v[0], v[1] - v[3], -v[0] };
        same_floats("float4", out[i], floats, 4);
        const double *d = wide_before[i];
        double doubles[2] = { d[1], d[0] * d[1] };
        same_doubles("double2", wide[i], doubles, 2);
        const unsigned char *b = narrow_before[i];
        unsigned char bytes[4] = { b[3], (unsigned char)(b[0] + b[1]), b[2] ^ 0x55, b[0] };
        same_bytes("uchar4", narrow[i], bytes, 4);
    }
    free(wide_before);
    free(narrow_before);
}

static void run_plane(struct machine *m, const char *kernel, uint32_t width, uint32_t height,
                      uint32_t block_x, uint32_t block_y, const void *params, size_t bytes)
{
    struct machine_shape shape = {
        .grid = { (width + block_x - 1) / block_x, (height + block_y - 1) / block_y },
        .block = { block_x, block_y },
        .threads = next_threads(),
    };
    machine_run(m, kernel, &shape, params, bytes);
}

static const struct { int width, height; uint32_t block_x, block_y; } planes[] = {
    { 1, 1, 1, 1 }, { 33, 7, 8, 4 }, { 50, 41, 32, 8 }, { 100, 3, 5, 7 }, { 64, 64, 16, 16 },
};
#define PLANES (sizeof planes / sizeof planes[0])

static void stencil(struct machine *m)
{
    for (size_t p = 0; p < PLANES; p++) {
        struct dice dice = { p };
        int w = planes[p].width, h = planes[p].height;
        size_t n = (size_t)(w * h);
        float *in = machine_memory(m, n * sizeof *in), *out = machine_memory(m, n * sizeof *out);
        fill_floats(in, n, &dice);
        struct { float *out, *in; int width, height; } params = { out, in, w, h };
        run_plane(m, "stencil", (uint32_t)w, (uint32_t)h, planes[p].block_x, planes[p].block_y,
                  &params, sizeof params);
        for (int y = 0; y < h; y++)
            for (int x = 0; x < w; x++) {
                float sum = 4.0f * in[y * w + x];
                if (x > 0) sum += in[y * w + x - 1];
                if (x < w - 1) sum += in[y * w + x + 1];
                if (y > 0) sum += in[(y - 1) * w + x];
                if (y < h - 1) sum += in[(y + 1) * w + x];
                sum *= 0.125f;
                same_floats("stencil", &out[y * w + x], &sum, 1);
            }
    }
}

static void transpose(struct machine *m)
{
    for (size_t p = 0; p < PLANES; p++) {
        int w = planes[p].width, h = planes[p].height;
        size_t n = (size_t)(w * h);
        uint32_t *in = random_memory(m, n * sizeof *in, p);
        uint32_t *out = machine_memory(m, n * sizeof *out);
        struct { uint32_t *out, *in; int width, height; } params = { out, in, w, h };
        run_plane(m, "transpose", (uint32_t)w, (uint32_t)h, TILE, TILE, &params, sizeof params);
        for (int y = 0; y < h; y++)
            for (int x = 0; x < w; x++)
                same_words("transposed", &out[x * h + y], &in[y * w + x], 1);
    }
}

static void multiply_floats(struct machine *m)
{
    for (int n = 1; n < 60; n += 13) {
        struct dice dice = { (uint64_t)n };
        size_t count = (size_t)(n * n);
        float *a = machine_memory(m, count * sizeof *a), *b = machine_memory(m, count * sizeof *b),
              *c = machine_memory(m, count * sizeof *c);
        fill_floats(a, count, &dice);
        fill_floats(b, count, &dice);
        struct { float *c, *a, *b; int n; } params = { c, a, b, n };
        run_plane(m, "multiply_floats", (uint32_t)n, (uint32_t)n, TILE, TILE, &params,
                  sizeof params);
        for (int i = 0; i < n * n; i++) {
            float sum = 0;
            for (int k = 0; k < n; k++) sum = fmaf(a[i / n * n + k], b[k * n + i % n], sum);
            same_floats("product", &c[i], &sum, 1);
        }
    }
}

static void multiply_doubles(struct machine *m)
{
    for (int n = 1; n < 60; n += 19) {
        struct dice dice = { (uint64_t)n };
        size_t count = (size_t)(n * n);
        double *a = machine_memory(m, count * sizeof *a), *b = machine_memory(m, count * sizeof *b),
               *c = machine_memory(m, count * sizeof *c);
        fill_doubles(a, count, &dice);
        fill_doubles(b, count, &dice);
        struct { double *c, *a, *b; int n; } params = { c, a, b, n };
        run_plane(m, "multiply_doubles", (uint32_t)n, (uint32_t)n, TILE, TILE, &params,
                  sizeof params);
        for (int i = 0; i < n * n; i++) {
            double sum = 0;
            for (int k = 0; k < n; k++) sum = fma(a[i / n * n + k], b[k * n + i % n], sum);
            same_doubles("product", &c[i], &sum, 1);
        }
    }
}

static void mandelbrot(struct machine *m)
{
    int w = 61, h = 23, most = 200;
    uint16_t *out = machine_memory(m, (size_t)(w * h) * sizeof *out);
    struct { uint16_t *out; int width, height, most; } params = { out, w, h, most };
    run_plane(m, "mandelbrot", (uint32_t)w, (uint32_t)h, 32, 3, &params, sizeof params);
    for (int at = 0; at < w * h; at++) {
        float cr = (float)(at % w) * 3.0f / (float)w - 2.0f;
        float ci = (float)(at / w) * 2.0f / (float)h - 1.0f, zr = 0, zi = 0;
        int i = 0;
        for (; i < most && zr * zr + zi * zi < 4.0f; i++) {
            float r = zr * zr - zi * zi + cr;
            zi = 2.0f * zr * zi + ci;
            zr = r;
        }
        if (out[at] != i) fail_msg("pixel %d needs %d rounds, not %d", at, out[at], i);
    }
}

/* rsqrt.approx is good to two units or so: forces are near what they should be. */
static void attract(struct machine *m)
{
    struct dice dice = { 11 };
    int n = 150;
    float(*bodies)[4] = machine_memory(m, (size_t)n * sizeof *bodies);
    float(*forces)[4] = machine_memory(m, (size_t)n * sizeof *forces);
    for (int i = 0; i < 4 * n; i++)
        bodies[i / 4][i % 4] = (float)BETWEEN(&dice, 1, 1000) * 0.01f;
    struct { void *forces, *bodies; int n; } params = { forces, bodies, n };
    RUN(m, "attract", (&(struct extents){ 3, 64 }), 64 * 16, &params);
    for (int i = 0; i < n; i++) {
        double f[3] = { 0, 0, 0 }, sum = 0;
        for (int k = 0; k < n; k++) {
            double d[3], square = 0.01;
            for (int c = 0; c < 3; c++) {
                d[c] = (double)bodies[k][c] - (double)bodies[i][c];
                square += d[c] * d[c];
            }
            double s = (double)bodies[k][3] / (square * sqrt(square));
            for (int c = 0; c < 3; c++) f[c] += s * d[c];
            sum += s;
        }
        for (int c = 0; c < 3; c++)
            near_float("force", (float)i, forces[i][c], f[c], 0, 1e-4 * sum);
    }
}

static void sparse_multiply(struct machine *m)
{
    struct dice dice = { 5 };
    int n = 333;
    int *rows = machine_memory(m, (size_t)(n + 1) * sizeof *rows);
    for (int i = 0; i < n; i++)
        rows[i + 1] = rows[i] + (dice_chance(&dice, 5) ? 200 : dice_below(&dice, 9));
    size_t count = (size_t)rows[n];
    int *columns = machine_memory(m, count * sizeof *columns);
    double *values = machine_memory(m, count * sizeof *values);
    double *x = machine_memory(m, (size_t)n * sizeof *x);
    double *y = machine_memory(m, (size_t)n * sizeof *y);
    for (size_t i = 0; i < count; i++) columns[i] = dice_below(&dice, n);
    fill_doubles(values, count, &dice);
    fill_doubles(x, (size_t)n, &dice);
    struct { void *y, *x, *values, *columns, *rows; int n; } params = { y, x, values, columns,
                                                                       rows, n };
    RUN(m, "sparse_multiply", (&(struct extents){ 4, 100 }), 0, &params);
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int k = rows[i]; k < rows[i + 1]; k++) sum = fma(values[k], x[columns[k]], sum);
        same_doubles("row", &y[i], &sum, 1);
    }
}

static const struct kernel_case rows[] = {
    { "saxpy adds a times x to y", "arrays", saxpy, false, 0 },
    { "a grid-stride loop gets to every element", "arrays", grid_stride, false, 0 },
    { "vectors of two and four are loaded and stored", "arrays", scale_vectors, false, 0 },
    { "a stencil looks at its neighbours but not over the edge", "arrays", stencil, false, 0 },
    { "a matrix is transposed through shared memory", "arrays", transpose, false, 0 },
    { "matrices of floats are multiplied in tiles", "arrays", multiply_floats, false, 0 },
    { "matrices of doubles are multiplied in tiles", "arrays", multiply_doubles, false, 0 },
    { "the Mandelbrot set has its edge where it is", "arrays", mandelbrot, false, 0 },
    { "bodies attract each other", "arrays", attract, false, 0 },
    { "a sparse matrix times a vector", "arrays", sparse_multiply, false, 0 },
};

const struct kernel_cases array_kernels = { rows, sizeof rows / sizeof rows[0] };
