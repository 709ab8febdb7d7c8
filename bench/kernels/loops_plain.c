/* SPDX-License-Identifier: Apache-2.0
 *
 * Compiled apart from what calls the loops, so that none of them goes away.
 */
#include "loops_plain.h"

#include <math.h>
#include <string.h>

#define TILE 16

void plain_saxpy(int first, int end, float a, const float *x, float *y)
{
    for (int i = first; i < end; i++) y[i] = a * x[i] + y[i];
}

void plain_matmul(int first, int end, int n, const float *a, const float *b, float *c)
{
    for (int y = first; y < end; y++)
        for (int x = 0; x < n; x++) {
            float sum = 0;
            for (int k = 0; k < n; k++) sum += a[y * n + k] * b[k * n + x];
            c[y * n + x] = sum;
        }
}

/* Adds the product of a row of tiles and a column of tiles. */
static void add_tiles(int n, const float *a, const float *b, float sums[TILE][TILE])
{
    float left[TILE][TILE], right[TILE][TILE];
    for (int t = 0; t < n; t += TILE) {
        for (int i = 0; i < TILE; i++)
            for (int j = 0; j < TILE; j++) {
                left[i][j] = a[i * n + t + j];
                right[i][j] = b[(t + i) * n + j];
            }
        for (int i = 0; i < TILE; i++)
            for (int j = 0; j < TILE; j++)
                for (int k = 0; k < TILE; k++) sums[i][j] += left[i][k] * right[k][j];
    }
}

void plain_matmul_tiled(int first, int end, int n, const float *a, const float *b, float *c)
{
    for (int y = first * TILE; y < end * TILE; y += TILE)
        for (int x = 0; x < n; x += TILE) {
            float sums[TILE][TILE];
            memset(sums, 0, sizeof sums);
            add_tiles(n, a + y * n, b + x, sums);
            for (int i = 0; i < TILE; i++)
                for (int j = 0; j < TILE; j++) c[(y + i) * n + x + j] = sums[i][j];
        }
}

float plain_reduce(int first, int end, const float *in)
{
    float sum = 0;
    for (int i = first; i < end; i++) sum += in[i];
    return sum;
}

void plain_histogram(int first, int end, const unsigned char *in, unsigned *counts)
{
    for (int i = first; i < end; i++) counts[in[i]]++;
}

void plain_nbody(int first, int end, int n, const float *bodies, float *pulls)
{
    for (int i = first; i < end; i++) {
        const float *own = &bodies[4 * i];
        float x = 0, y = 0, z = 0;
        for (int j = 0; j < n; j++) {
            const float *other = &bodies[4 * j];
            float dx = other[0] - own[0], dy = other[1] - own[1], dz = other[2] - own[2];
            float near = 1 / sqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
            float pull = other[3] * near * near * near;
            x += dx * pull;
            y += dy * pull;
            z += dz * pull;
        }
        pulls[4 * i] = x;
        pulls[4 * i + 1] = y;
        pulls[4 * i + 2] = z;
        pulls[4 * i + 3] = 0;
    }
}

void plain_stencil(int first, int end, int w, int h, const float *in, float *out)
{
    if (first < 1) first = 1;
    if (end > h - 1) end = h - 1;
    for (int y = first; y < end; y++)
        for (int x = 1; x < w - 1; x++)
            out[y * w + x] = 0.2f * (in[y * w + x] + in[y * w + x - 1] + in[y * w + x + 1] +
                                     in[(y - 1) * w + x] + in[(y + 1) * w + x]);
}

void plain_scan(int first, int end, const float *in, float *out)
{
    for (int row = first * 256; row < end * 256; row += 256) {
        float sum = 0;
        for (int i = row; i < row + 256; i++) out[i] = sum += in[i];
    }
}

/* Sorts a row of 512 by the kernel's network. */
static void sort_row(float *row)
{
    for (int size = 2; size <= 512; size *= 2)
        for (int apart = size / 2; apart > 0; apart /= 2)
            for (int t = 0; t < 256; t++) {
                int i = 2 * t - (t & (apart - 1));
                float a = row[i], b = row[i + apart];
                float least = a < b ? a : b, most = a < b ? b : a;
                row[i] = i & size ? most : least;
                row[i + apart] = i & size ? least : most;
            }
}

void plain_sort(int first, int end, const float *in, float *out)
{
    const int from = first * 512, to = end * 512;
    memcpy(out + from, in + from, (size_t)(to - from) * sizeof *out);
    for (int row = from; row < to; row += 512) sort_row(out + row);
}

void plain_transpose(int first, int end, int n, const float *in, float *out)
{
    for (int y = first; y < end; y++)
        for (int x = 0; x < n; x++) out[x * n + y] = in[y * n + x];
}

void plain_softmax(int first, int end, int n, const float *in, float *out)
{
    in += first * n;
    out += first * n;
    for (int y = first; y < end; y++, in += n, out += n) {
        float top = in[0], sum = 0;
        for (int x = 1; x < n; x++) top = in[x] > top ? in[x] : top;
        for (int x = 0; x < n; x++) sum += out[x] = expf(in[x] - top);
        for (int x = 0; x < n; x++) out[x] /= sum;
    }
}
