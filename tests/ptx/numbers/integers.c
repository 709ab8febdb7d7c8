/* SPDX-License-Identifier: Apache-2.0
 *
 * What the kernels of cuda/numbers.cu compute with integers.
 */
#include "edges.h"

static void divide_wide(struct machine *m)
{
    struct dice dice = { 1 };
    int64_t *a = machine_memory(m, COUNT * 8), *b = machine_memory(m, COUNT * 8);
    uint64_t(*out)[4] = machine_memory(m, COUNT * sizeof *out);
    for (int i = 0; i < COUNT; i++) {
        a[i] = (int64_t)edge_bits(&dice, 64);
        do b[i] = (int64_t)edge_bits(&dice, 64); while (!b[i] || (b[i] == -1 && a[i] == INT64_MIN));
    }
    struct { void *out, *a, *b; uint32_t n; } params = { out, a, b, COUNT };
    RUN(m, "divide_wide", &number_extents, 0, &params);
    for (int i = 0; i < COUNT; i++) {
        uint64_t ua = (uint64_t)a[i], ub = (uint64_t)b[i];
        uint64_t wanted[4] = { (uint64_t)(a[i] / b[i]), (uint64_t)(a[i] % b[i]), ua / ub, ua % ub };
        same_longs("quotients", out[i], wanted, 4);
    }
}

static uint32_t permuted(uint32_t x, uint32_t y, uint32_t by)
{
    uint64_t both = (uint64_t)y << 32 | x;
    uint32_t result = 0;
    for (int i = 0; i < 4; i++, by >>= 4) {
        uint32_t byte = both >> (by & 7) * 8 & 0xff;
        if (by & 8) byte = byte & 0x80 ? 0xff : 0;
        result |= byte << 8 * i;
    }
    return result;
}

static uint32_t zeros(uint32_t x)
{
    return x ? (uint32_t)__builtin_clz(x) : 32;
}

static uint32_t reversed(uint32_t x)
{
    uint32_t r = 0;
    for (int i = 0; i < 32; i++) r |= (x >> i & 1) << (31 - i);
    return r;
}

static void wanted_bits(uint32_t x, uint32_t y, uint32_t o[16])
{
    uint64_t both = (uint64_t)x << 32 | y, shifted = (uint64_t)x << 20 | y;
    int32_t dot = 100, sx = (int32_t)x, sy = (int32_t)y;
    for (int i = 0; i < 32; i += 8) dot += (int8_t)(x >> i) * (int8_t)(y >> i);
    uint32_t by = (x & 63) > 32 ? 32 : x & 63, part = y & 31;
    o[0] = reversed(x);
    o[1] = zeros(x) << 8 | (uint32_t)__builtin_ffs(sy);
    o[2] = (uint32_t)__builtin_popcount(x) * 64;
    o[2] += shifted ? (uint32_t)__builtin_clzll(shifted) : 64;
    o[3] = permuted(x, y, 0x5172);
    /* __byte_perm() minds no sign: it takes three bits of each. */
    o[4] = permuted(x, y, y & 0x7777);
    o[5] = part ? y << part | x >> (32 - part) : y;
    o[6] = (uint32_t)(((uint64_t)y << 32 | x) >> by);
    o[7] = (uint32_t)((uint64_t)x * y >> 32);
    o[8] = (uint32_t)((uint64_t)((int64_t)sx * sy) >> 32);
    o[9] = (uint32_t)dot;
    o[10] = (x > y ? x - y : y - x) + 7;
    o[11] = (x & y) ^ (~x | (y & 0xff00ff)) ^ (x ^ y);
    o[12] = (uint32_t)((int64_t)((int32_t)(x << 8) >> 8) * ((int32_t)(y << 8) >> 8));
    o[13] = (uint32_t)((uint64_t)((unsigned __int128)both * 0x123456789abcdefull >> 64) >> 7);
    o[14] = (uint32_t)(int16_t)x * (uint8_t)y - (x >> part) - (uint32_t)(sx >> 5);
    o[15] = (uint32_t)(sx < sy ? sx : sy) ^ (x > y ? x : y) ^ (sy < 0 ? -y : y);
}

static void bits(struct machine *m)
{
    struct dice dice = { 2 };
    uint32_t *a = machine_memory(m, COUNT * 4), *b = machine_memory(m, COUNT * 4);
    uint32_t(*out)[16] = machine_memory(m, COUNT * sizeof *out);
    for (int i = 0; i < COUNT; i++) {
        a[i] = (uint32_t)edge_bits(&dice, 32);
        b[i] = (uint32_t)edge_bits(&dice, 32);
    }
    struct { void *out, *a, *b; uint32_t n; } params = { out, a, b, COUNT };
    RUN(m, "bits", &number_extents, 0, &params);
    for (int i = 0; i < COUNT; i++) {
        uint32_t wanted[16];
        wanted_bits(a[i], b[i], wanted);
        same_words("bits", out[i], wanted, 16);
    }
}

static const struct kernel_case rows[] = {
    { "integers of 64 bits are divided", "numbers", divide_wide, false, 0 },
    { "bits are counted, turned and picked", "numbers", bits, false, 0 },
};

const struct kernel_cases integer_kernels = { rows, sizeof rows / sizeof rows[0] };
