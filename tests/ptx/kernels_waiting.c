/* SPDX-License-Identifier: Apache-2.0
 *
 * What the kernels of cuda/waiting.cu and cuda/opencl.cl do. */
#include "kernels.h"

#include <math.h>

static void votes_of_block(struct machine *m)
{
    EACH_EXTENT(odd_extents, x) {
        struct dice dice = { x->block };
        uint32_t n = x->grid * x->block;
        int *in = machine_memory(m, n * sizeof *in), *out = machine_memory(m, 3 * n * sizeof *out);
        for (uint32_t i = 0; i < n; i++) in[i] = dice_below(&dice, x->grid == 3 ? 80 : 100);
        struct { int *out, *in; } params = { out, in };
        RUN(m, "votes_of_block", x, 0, &params);
        for (uint32_t b = 0; b < x->grid; b++) {
            int wanted[3] = { 0, 1, 0 };
            for (uint32_t i = b * x->block; i < (b + 1) * x->block; i++) {
                wanted[0] += in[i] & 1;
                wanted[1] &= in[i] < 90;
                wanted[2] |= in[i] == 50;
            }
            for (uint32_t i = b * x->block; i < (b + 1) * x->block; i++)
                same_bytes("votes", out + 3 * i, wanted, sizeof wanted);
        }
    }
}

static void hand_over(struct machine *m)
{
    for (uint32_t block = 64; block <= 1024; block *= 4) {
        uint32_t half = block / 2, rounds = 20;
        uint32_t *out = machine_memory(m, 2 * half * sizeof *out);
        struct { uint32_t *out, rounds; } params = { out, rounds };
        RUN(m, "hand_over", (&(struct extents){ 2, block }), half * 4, &params);
        for (uint32_t i = 0; i < 2 * half; i++) {
            uint32_t sum = 0;
            for (uint32_t r = 0; r < rounds; r++) sum = sum * 3 + r * 1000 + (i % half + 1) % half;
            same_words("sum", &out[i], &sum, 1);
        }
    }
}

static void grid_barrier(struct machine *m)
{
    static const struct extents extents[] = { { 1, 100 }, { 4, 64 }, { 7, 33 }, { 16, 256 },
                                              { 0, 0 } };
    EACH_EXTENT(extents, x) {
        uint32_t n = x->grid * x->block, rounds = 9;
        uint32_t *a = machine_memory(m, n * 4), *b = machine_memory(m, n * 4);
        for (uint32_t i = 0; i < n; i++) a[i] = i * 100;
        struct { uint32_t *a, *b, rounds; } params = { a, b, rounds };
        struct machine_shape shape = { .grid = { x->grid }, .block = { x->block },
                                       .threads = next_threads(), .cooperative = true };
        machine_run(m, "grid_barrier", &shape, &params, sizeof params);
        for (uint32_t i = 0; i < n; i++) {
            uint32_t wanted = (i + rounds) % n * 100 + rounds;
            same_words("moved", &b[i], &wanted, 1);
        }
    }
}

static void last_block(struct machine *m)
{
    EACH_EXTENT(odd_extents, x) {
        uint32_t n = 3333;
        uint32_t *in = random_memory(m, n * 4, x->grid), *parts = machine_memory(m, x->grid * 4);
        uint64_t *out = machine_memory(m, sizeof *out), wanted = 0;
        struct { uint64_t *out; uint32_t *parts, *in, n; } params = { out, parts, in, n };
        RUN(m, "last_block", x, 0, &params);
        for (uint32_t i = 0; i < n; i++) wanted += in[i] & 0xffff;
        same_longs("total", out, &wanted, 1);
    }
}

static void lock(struct machine *m)
{
    static const struct extents extents[] = { { 1, 1 }, { 1, 32 }, { 3, 40 }, { 4, 256 },
                                              { 0, 0 } };
    EACH_EXTENT(extents, x) {
        uint32_t n = x->grid * x->block;
        uint32_t *mutex = machine_memory(m, 4), *count = machine_memory(m, 4);
        uint32_t *order = machine_memory(m, n * 4);
        struct { uint32_t *mutex, *count, *order; } params = { mutex, count, order };
        RUN(m, "lock", x, 0, &params);
        same_words("count", count, &n, 1);
        bool *seen = calloc(n, sizeof *seen);
        if (!seen) abort();
        for (uint32_t i = 0; i < n; i++) {
            if (order[i] >= n || seen[order[i]]) fail_msg("place %u: %u", i, order[i]);
            seen[order[i]] = true;
        }
        free(seen);
    }
}

static void times(struct machine *m)
{
    int64_t(*out)[2] = machine_memory(m, 64 * sizeof *out);
    struct { void *out; } params = { out };
    RUN(m, "times", (&(struct extents){ 1, 64 }), 0, &params);
    for (int i = 0; i < 64; i++) {
        if (out[i][0] <= 0) fail_msg("clock64 went %lld forward", (long long)out[i][0]);
        if (out[i][1] < 0) fail_msg("globaltimer went %lld forward", (long long)out[i][1]);
    }
}

static void meetings(struct machine *m)
{
    uint32_t *out = machine_memory(m, 32 * sizeof *out);
    struct { uint32_t *out; } params = { out };
    RUN(m, "meetings", (&(struct extents){ 1, 32 }), 0, &params);
    for (uint32_t me = 0; me < 32; me++) {
        uint32_t wanted = 0;
        if (me % 3 == 0) {
            for (uint32_t i = 0; i < me % 7; i++) wanted += i * me;
            wanted += 5; /* 3, 9, 15, 21 and 27 */
        } else if (me % 3 == 1) {
            wanted = me % 5 == 0 ? 12345 : me * me;
        }
        same_words("seen", &out[me], &wanted, 1);
    }
}

static void conditional(struct machine *m)
{
    struct { uint64_t handle; uint32_t value; } params = { 0x123456789abcull, 7 };
    RUN(m, "conditional", (&(struct extents){ 2, 40 }), 0, &params);
    uint32_t value;
    assert_true(machine_conditional(m, &value) == params.handle);
    assert_int_equal(value, 7);
}

static void reduce_warps(struct machine *m)
{
    uint32_t *in = random_memory(m, 64 * 4, 21), *out = machine_memory(m, 64 * 6 * 4);
    struct { uint32_t *out, *in; } params = { out, in };
    RUN(m, "reduce_warps", (&(struct extents){ 1, 64 }), 0, &params);
    for (uint32_t i = 0; i < 64; i++) {
        uint32_t wanted[6] = { 0, ~0u, 1u << 31, ~0u, 0, 0 };
        for (uint32_t k = i / 32 * 32; k < i / 32 * 32 + 32; k++) {
            wanted[0] += in[k];
            if (in[k] < wanted[1]) wanted[1] = in[k];
            if ((int32_t)in[k] > (int32_t)wanted[2]) wanted[2] = in[k];
            wanted[3] &= in[k] | 0xf;
            wanted[4] |= in[k];
            wanted[5] ^= in[k];
        }
        same_words("reduced", out + 6 * i, wanted, 6);
    }
}

static const struct kernel_case rows[] = {
    { "barriers count, and, or", "waiting", votes_of_block, false, 0 },
    { "half of a block hands over to the other half", "waiting", hand_over, false, 0 },
    { "all blocks of a grid wait for each other", "waiting", grid_barrier, false, 0 },
    { "the last block adds up what all left", "waiting", last_block, false, 0 },
    { "lanes take a lock from each other", "waiting", lock, false, 0 },
    { "time goes forward", "waiting", times, false, 0 },
    { "lanes leave early and meet again", "waiting", meetings, false, 0 },
    { "a kernel sets a conditional", "waiting", conditional, true, 90 },
    { "lanes reduce at once", "waiting", reduce_warps, false, 90 },
};

const struct kernel_cases waiting_kernels = { rows, sizeof rows / sizeof rows[0] };

/* ---- Another compiler's -------------------------------------------------------------- */

static void cl_saxpy(struct machine *m)
{
    uint32_t n = 1000;
    float *x = machine_memory(m, n * sizeof *x), *y = machine_memory(m, n * sizeof *y);
    for (uint32_t i = 0; i < n; i++) x[i] = (float)i * 0.3f, y[i] = 100.0f - (float)i;
    struct { float *y, *x, a; uint32_t n; } params = { y, x, -0.7f, n };
    RUN(m, "cl_saxpy", (&(struct extents){ 8, 128 }), 0, &params);
    for (uint32_t i = 0; i < n; i++) {
        float wanted = fmaf(-0.7f, x[i], 100.0f - (float)i);
        same_floats("y", &y[i], &wanted, 1);
    }
}

static void cl_sum(struct machine *m)
{
    EACH_EXTENT(odd_extents, x) {
        uint32_t n = x->grid * x->block - x->block / 3;
        uint32_t *in = random_memory(m, n * 4, x->block), *out = machine_memory(m, x->grid * 4);
        struct { uint32_t *out, *in, n; uint64_t parts; } params = { out, in, n, 0 };
        RUN(m, "cl_sum", x, x->block * 4, &params);
        for (uint32_t b = 0; b < x->grid; b++) {
            uint32_t sum = 0;
            for (uint32_t i = b * x->block; i < (b + 1) * x->block && i < n; i++) sum += in[i];
            same_words("sum", &out[b], &sum, 1);
        }
    }
}

static int32_t cl_step(int32_t v, int32_t k)
{
    static const int32_t primes[8] = { 2, 3, 5, 7, 11, 13, 17, 19 };
    uint32_t u = (uint32_t)v;
    switch (k & 7) {
    case 0: return (int32_t)(u + (uint32_t)primes[v & 7]);
    case 1: return (int32_t)(u * 3);
    case 2: return v / 7;
    case 3: return v ^ 0x55aa;
    case 5: return (int32_t)-u;
    case 6: return v >> 2;
    default: return (int32_t)(u - (uint32_t)k);
    }
}

static void cl_mixed(struct machine *m)
{
    struct mixed {
        _Alignas(16) int32_t a[4];
        int64_t b;
        signed char c[5]; /* as OpenCL's char is, and this processor's may not be */
    } mixed = { { 1, -20, 300, -4000 }, 0x987654321, { 1, 2, -3, 4, -5 } };
    uint32_t n = 210;
    int32_t rounds = 50, (*out)[4] = machine_memory(m, n * sizeof *out);
    struct { void *out; struct mixed m; int32_t rounds; } params = { out, mixed, rounds };
    RUN(m, "cl_mixed", (&(struct extents){ 3, 70 }), 0, &params);
    for (uint32_t i = 0; i < n; i++) {
        int32_t v = (int32_t)i, kept[16];
        for (int k = 0; k < 16; k++) kept[k] = v += mixed.c[k % 5] + k;
        for (int k = 0; k < rounds; k++) {
            v = cl_step(v, kept[((uint32_t)v + (uint32_t)k) & 15]);
            kept[k * 3 & 15] ^= v;
        }
        uint32_t wanted[4] = {
            (uint32_t)mixed.a[3] + (uint32_t)mixed.b, (uint32_t)mixed.a[2] + (uint32_t)kept[i & 15],
            (uint32_t)mixed.a[1] + (uint32_t)kept[1], (uint32_t)mixed.a[0] + (uint32_t)v,
        };
        same_words("mixed", (uint32_t *)out[i], wanted, 4);
    }
}

static const struct kernel_case cl_rows[] = {
    { "saxpy of another compiler", "opencl", cl_saxpy, false, 0 },
    { "a sum in shared memory of another compiler", "opencl", cl_sum, true, 0 },
    { "structs, switches and arrays of another compiler", "opencl", cl_mixed, false, 0 },
};

const struct kernel_cases opencl_kernels = { cl_rows, sizeof cl_rows / sizeof cl_rows[0] };
