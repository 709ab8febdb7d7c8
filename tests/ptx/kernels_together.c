/* SPDX-License-Identifier: Apache-2.0
 *
 * What the kernels of cuda/together.cu compute. */
#include "kernels.h"

static void sum_shared(struct machine *m)
{
    EACH_EXTENT(odd_extents, x) {
        uint32_t n = x->grid * x->block - x->block / 2;
        uint32_t *in = random_memory(m, n * sizeof *in, x->block);
        uint64_t *out = machine_memory(m, x->grid * sizeof *out);
        struct { uint64_t *out; uint32_t *in, n; } params = { out, in, n };
        RUN(m, "sum_shared", x, x->block * 8, &params);
        for (uint32_t b = 0; b < x->grid; b++) {
            uint64_t sum = 0;
            for (uint32_t i = b * x->block; i < (b + 1) * x->block && i < n; i++) sum += in[i];
            same_longs("sum", &out[b], &sum, 1);
        }
    }
}

static void sum_shuffle(struct machine *m)
{
    EACH_EXTENT(warp_extents, x) {
        uint32_t n = 5000, sum = 0;
        uint32_t *in = random_memory(m, n * sizeof *in, x->block);
        uint32_t *out = machine_memory(m, sizeof *out);
        struct { uint32_t *out, *in, n; } params = { out, in, n };
        RUN(m, "sum_shuffle", x, 0, &params);
        for (uint32_t i = 0; i < n; i++) sum += in[i];
        same_words("sum", out, &sum, 1);
    }
}

struct tally {
    uint32_t sum, and_, or_, xor_;
    int32_t least, most;
    uint64_t wide;
    uint32_t wrapped, count;
};

static void tally_atomics(struct machine *m)
{
    EACH_EXTENT(odd_extents, x) {
        uint32_t n = 700;
        uint32_t *in = random_memory(m, n * sizeof *in, x->block);
        struct tally *t = machine_memory(m, sizeof *t), wanted = { .and_ = ~0u };
        t->and_ = ~0u;
        struct { struct tally *t; uint32_t *in, n; } params = { t, in, n };
        RUN(m, "tally_atomics", x, 0, &params);
        for (uint32_t i = 0; i < n; i++) {
            wanted.sum += in[i];
            wanted.and_ &= in[i] | 0xff;
            wanted.or_ |= in[i] & 0xf0f0;
            wanted.xor_ ^= in[i];
            if ((int32_t)in[i] < wanted.least) wanted.least = (int32_t)in[i];
            if ((int32_t)in[i] > wanted.most) wanted.most = (int32_t)in[i];
            wanted.wide += (uint64_t)in[i] << 16;
            wanted.count += in[i] & 1;
        }
        wanted.wrapped = n % 13;
        same_bytes("tally", t, &wanted, sizeof wanted);
    }
}

static void tally_floats(struct machine *m)
{
    uint32_t n = 1234;
    uint32_t *in = random_memory(m, n * sizeof *in, 8);
    double *wide = machine_memory(m, sizeof *wide), wide_sum = 0;
    float *narrow = machine_memory(m, sizeof *narrow), narrow_sum = 0;
    struct { double *wide; float *narrow; uint32_t *in, n; } params = { wide, narrow, in, n };
    RUN(m, "tally_floats", (&(struct extents){ 10, 130 }), 0, &params);
    for (uint32_t i = 0; i < n; i++) {
        wide_sum += (double)in[i] * 0.25;
        narrow_sum += (float)(in[i] & 0xff) * 0.5f;
    }
    same_doubles("sum", wide, &wide_sum, 1);
    same_floats("sum", narrow, &narrow_sum, 1);
}

static void scan_block(struct machine *m)
{
    EACH_EXTENT(odd_extents, x) {
        size_t bytes = (size_t)x->grid * x->block * 4;
        uint32_t *in = random_memory(m, bytes, x->block);
        uint32_t *inclusive = machine_memory(m, bytes), *exclusive = machine_memory(m, bytes);
        struct { uint32_t *inclusive, *exclusive, *in; } params = { inclusive, exclusive, in };
        RUN(m, "scan_block", x, x->block * 8 * 4, &params);
        for (uint32_t b = 0; b < x->grid; b++) {
            uint32_t sum = 0;
            for (uint32_t i = b * x->block; i < (b + 1) * x->block; i++) {
                same_words("exclusive", &exclusive[i], &sum, 1);
                sum += in[i];
                same_words("inclusive", &inclusive[i], &sum, 1);
            }
        }
    }
}

static void scan_grid(struct machine *m)
{
    static const struct extents extents[] = { { 1, 32 }, { 40, 64 }, { 13, 256 }, { 9, 512 },
                                              { 0, 0 } };
    EACH_EXTENT(extents, x) {
        uint32_t n = x->grid * x->block - 3, sum = 0;
        uint32_t *in = random_memory(m, n * 4, x->block), *out = machine_memory(m, n * 4);
        uint64_t *states = machine_memory(m, x->grid * sizeof *states);
        uint32_t *ticket = machine_memory(m, sizeof *ticket);
        struct { uint32_t *out, *in, n; uint64_t *states; uint32_t *ticket; } params =
            { out, in, n, states, ticket };
        RUN(m, "scan_grid", x, 0, &params);
        for (uint32_t i = 0; i < n; i++) {
            sum += in[i];
            same_words("scan", &out[i], &sum, 1);
        }
    }
}

static void histogram_shared(struct machine *m)
{
    EACH_EXTENT(odd_extents, x) {
        uint32_t n = 9999, wanted[256] = { 0 };
        unsigned char *in = random_memory(m, n, x->block);
        uint32_t *bins = machine_memory(m, 256 * sizeof *bins);
        struct { uint32_t *bins; unsigned char *in; uint32_t n; } params = { bins, in, n };
        RUN(m, "histogram_shared", x, 0, &params);
        for (uint32_t i = 0; i < n; i++) wanted[in[i]]++;
        same_words("bins", bins, wanted, 256);
    }
}

static int by_int(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static int by_word(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void sort_bitonic(struct machine *m)
{
    for (uint32_t block = 2; block <= 1024; block *= 4) {
        size_t bytes = 3 * block * sizeof(int);
        int *data = random_memory(m, bytes, block), *wanted = copied(data, bytes);
        struct { int *data; } params = { data };
        RUN(m, "sort_bitonic", (&(struct extents){ 3, block }), block * 4, &params);
        for (int b = 0; b < 3; b++) qsort(wanted + (size_t)b * block, block, sizeof(int), by_int);
        same_bytes("sorted", data, wanted, bytes);
        free(wanted);
    }
}

static void sort_radix(struct machine *m)
{
    for (uint32_t block = 32; block <= 1024; block *= 2) {
        size_t bytes = block * sizeof(uint32_t);
        uint32_t *data = random_memory(m, bytes, block), *wanted = copied(data, bytes);
        struct { uint32_t *data; } params = { data };
        RUN(m, "sort_radix", (&(struct extents){ 1, block }), 0, &params);
        qsort(wanted, block, sizeof *wanted, by_word);
        same_words("sorted", data, wanted, block);
        free(wanted);
    }
}

static void keep_odd(struct machine *m)
{
    EACH_EXTENT(warp_extents, x) {
        uint32_t n = x->grid * x->block - x->grid, warps = (n + 31) / 32;
        uint32_t *in = random_memory(m, n * 4, x->block), *out = machine_memory(m, n * 4);
        uint32_t *counts = machine_memory(m, warps * 4);
        struct { uint32_t *out, *counts, *in, n; } params = { out, counts, in, n };
        RUN(m, "keep_odd", x, 0, &params);
        for (uint32_t w = 0; w < warps; w++) {
            uint32_t wanted[32] = { 0 }, count = 0, seventh = 0;
            for (uint32_t i = w * 32; i < (w + 1) * 32 && i < n; i++) {
                if (in[i] & 1) wanted[count++] = in[i];
                seventh |= in[i] % 97 == 0;
            }
            same_words("kept", out + w * 32, wanted, n - w * 32 < 32 ? n - w * 32 : 32);
            count |= seventh << 8;
            same_words("count", counts + w, &count, 1);
        }
    }
}

/* What a lane gets from `from`, if that is in its segment, else its own. */
static int taken(const int *warp, int lane, int from, int width)
{
    return from >= lane / width * width && from < (lane / width + 1) * width ? warp[from]
                                                                            : warp[lane];
}

static void shuffles(struct machine *m)
{
    struct dice dice = { 2 };
    int *in = machine_memory(m, 96 * sizeof *in), *out = machine_memory(m, 96 * 8 * sizeof *out);
    for (int i = 0; i < 96; i++) in[i] = i / 32 == 1 ? 64 + i % 32 : dice_below(&dice, 200000);
    struct { int *out, *in; } params = { out, in };
    RUN(m, "shuffles", (&(struct extents){ 1, 96 }), 0, &params);
    for (int i = 0; i < 96; i++) {
        const int *warp = in + i / 32 * 32;
        int lane = i % 32, equal = 1, three = 0, low = 1;
        for (int k = 0; k < 32; k++) {
            equal &= warp[k] / 64 == warp[0] / 64;
            three |= warp[k] == 3;
            low &= warp[k] < 100000;
        }
        int64_t wide = (int64_t)taken(warp, lane, lane ^ 3, 4) << 20;
        int wanted[8] = {
            warp[5],
            warp[lane / 8 * 8 + lane * 7 % 8],
            taken(warp, lane, lane - 3, 16),
            taken(warp, lane, lane + 9, 32),
            warp[lane ^ 21],
            (int)wide >> 4,
            equal ? -1 + 2 : 0,
            three | low << 1,
        };
        same_bytes("shuffled", out + i * 8, wanted, sizeof wanted);
    }
}

static const struct kernel_case rows[] = {
    { "threads of a block sum in shared memory", "together", sum_shared, false, 0 },
    { "lanes of a warp sum by shuffles", "together", sum_shuffle, false, 0 },
    { "atomics lose nothing", "together", tally_atomics, false, 0 },
    { "atomics add floats and doubles", "together", tally_floats, false, 0 },
    { "a block scans its elements", "together", scan_block, false, 0 },
    { "blocks scan in one pass, waiting for those before", "together", scan_grid, false, 0 },
    { "a histogram is made in shared memory", "together", histogram_shared, false, 0 },
    { "a block sorts, bitonic", "together", sort_bitonic, false, 0 },
    { "a block sorts by digits that match", "together", sort_radix, false, 0 },
    { "ballots keep what is odd", "together", keep_odd, false, 0 },
    { "every kind of shuffle, vote and match", "together", shuffles, false, 0 },
};

const struct kernel_cases together_kernels = { rows, sizeof rows / sizeof rows[0] };
