/* SPDX-License-Identifier: Apache-2.0
 *
 * What the kernels of cuda/numbers.cu compute. */
#include "halves.h"
#include "kernels.h"

#include <fenv.h>
#include <stdio.h>

/* Numbers at the edges of their range, with chances, else any bits. */
static uint64_t edge_bits(struct dice *dice, int bits)
{
    static const uint64_t edges[] = { 0, 1, 2, 3, 7, 10, 31, 32, 100, 0x7f, 0x80, 0xff, 0x7fff,
                                      0x8000, 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xffffffff,
                                      0x100000000, 0x7fffffffffffffff, 0x8000000000000000 };
    uint64_t mask = bits == 64 ? ~UINT64_C(0) : (UINT64_C(1) << bits) - 1;
    uint64_t value = dice_chance(dice, 40) ? edges[dice_below(dice, 22)]
                                           : dice_next(dice) >> dice_below(dice, 64);
    if (dice_chance(dice, 30)) value = -value;
    return value & mask;
}

static const double double_edges[] = { 0.0, -0.0, 1.0, -1.0, 0.5, 1.5, 2.5, -2.5, 1e300, -1e-300,
                                       4e-320, INFINITY, -INFINITY, NAN, 3.0, 0x1p31, -0x1p31,
                                       0x1p32, 0x1p63, -0x1p63, 0x1p64, 0x1.fffffffffffffp-1 };

static double edge_double(struct dice *dice)
{
    if (dice_chance(dice, 30)) return double_edges[dice_below(dice, 22)];
    double value = ldexp((double)(int64_t)dice_next(dice), -dice_below(dice, 90));
    return dice_chance(dice, 20) ? floor(value) + 0.5 : value;
}

static float edge_float(struct dice *dice)
{
    static const float edges[] = { 0x1p-149f, -0x1p-140f, 0x1p-126f, 0x1.fffffep127f, 65504,
                                   1e-8f };
    if (dice_chance(dice, 15)) return edges[dice_below(dice, 6)];
    return (float)edge_double(dice);
}

#define COUNT 600
static const struct extents shape = { 5, 128 };

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
    RUN(m, "divide_wide", &shape, 0, &params);
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
    RUN(m, "bits", &shape, 0, &params);
    for (int i = 0; i < COUNT; i++) {
        uint32_t wanted[16];
        wanted_bits(a[i], b[i], wanted);
        same_words("bits", out[i], wanted, 16);
    }
}

/* What a float becomes as an integer from `low` to `high`; NaN is `nan`. */
static int64_t clamped(double value, double low, double high, int64_t least, int64_t most,
                       int64_t nan)
{
    if (isnan(value)) return nan;
    return value <= low ? least : value >= high ? most : (int64_t)value;
}

static uint64_t bits_of_double(double value)
{
    uint64_t b;
    memcpy(&b, &value, sizeof b);
    return b;
}

static uint32_t bits_of_float(float value)
{
    uint32_t b;
    memcpy(&b, &value, sizeof b);
    return b;
}

static float float_down(double value)
{
    float nearest = (float)value;
    return (double)nearest > value ? nextafterf(nearest, -INFINITY) : nearest;
}

static double double_up(uint64_t value)
{
    double nearest = (double)value;
    if (nearest >= 0x1p64) return nearest;
    return (uint64_t)nearest < value ? nextafter(nearest, INFINITY) : nearest;
}

static int64_t sign_extended(float value)
{
    return (int32_t)bits_of_float(value);
}

static void wanted_conversions(float f, double d, int64_t o[12])
{
    double whole = (double)f;
    int64_t nothing = INT64_MIN;
    o[0] = clamped(nearbyint(whole), -0x1p31, 0x1p31, INT32_MIN, INT32_MAX, 0);
    o[1] = clamped(trunc(whole), -0x1p31, 0x1p31, INT32_MIN, INT32_MAX, 0);
    o[2] = clamped(ceil(whole), 0, 0x1p32, 0, UINT32_MAX, 0);
    o[3] = clamped(floor(whole), -0x1p63, 0x1p63, INT64_MIN, INT64_MAX, nothing);
    o[4] = clamped(nearbyint(d), -0x1p31, 0x1p31, INT32_MIN, INT32_MAX, INT32_MIN);
    o[5] = clamped(trunc(d), -0x1p63, 0x1p63, INT64_MIN, INT64_MAX, nothing);
    o[6] = sign_extended(float_down(d));
    o[7] = sign_extended((float)(int64_t)bits_of_double(d));
    o[8] = (int64_t)bits_of_double(double_up(bits_of_double(d)));
    o[9] = (int32_t)(bits_of_float(rintf(f)) ^ bits_of_float(floorf(f)));
    o[10] = (int64_t)bits_of_double(trunc(d));
    o[11] = (int8_t)bits_of_float(f) * 256 + (uint8_t)bits_of_float(f);
}

static void conversions(struct machine *m)
{
    struct dice dice = { 3 };
    float *f = machine_memory(m, COUNT * sizeof *f);
    double *d = machine_memory(m, COUNT * sizeof *d);
    int64_t(*out)[12] = machine_memory(m, COUNT * sizeof *out);
    for (int i = 0; i < COUNT; i++) {
        f[i] = edge_float(&dice);
        d[i] = edge_double(&dice);
    }
    struct { void *out, *f, *d; uint32_t n; } params = { out, f, d, COUNT };
    RUN(m, "conversions", &shape, 0, &params);
    for (int i = 0; i < COUNT; i++) {
        int64_t wanted[12];
        wanted_conversions(f[i], d[i], wanted);
        for (int k = 0; k < 12; k++) {
            bool is_nan = (k == 6 || k == 9 || k == 10 || k == 11) && (isnan(d[i]) || isnan(f[i]));
            if (!is_nan && out[i][k] != wanted[k])
                fail_msg("conversion %d of %a and %a is %llx, not %llx", k, (double)f[i], d[i],
                         (long long)out[i][k], (long long)wanted[k]);
        }
    }
}

static uint16_t edge_half(struct dice *dice)
{
    static const uint16_t edges[] = { 0, 0x8000, 1, 0x8001, 0x3ff, 0x400, 0x3c00, 0xbc00, 0x7bff,
                                      0x7c00, 0xfc00, 0x7e00, 0x7f80, 0xff80, 0x7fc0, 0x0080 };
    if (dice_chance(dice, 30)) return edges[dice_below(dice, 16)];
    return (uint16_t)dice_next(dice);
}

static void wanted_halves(uint16_t xb, uint16_t yb, uint16_t o[8])
{
    double x = narrow_value(xb, HALF), y = narrow_value(yb, HALF);
    o[0] = narrow_bits(x + y, HALF);
    o[1] = narrow_bits(x * y, HALF);
    o[2] = narrow_bits(sum_to_odd(x * y, x), HALF);
    o[3] = narrow_bits(x - y, HALF);
    o[4] = narrow_bits(x * 1.0009765625, HALF);
    o[5] = x < y ? xb : yb;
    o[6] = narrow_bits(sum_to_odd(x * y, x), HALF);
    o[7] = o[6];
}

static void wanted_brains(uint16_t xb, uint16_t yb, uint16_t o[4], bool fused)
{
    double x = narrow_value(xb, BRAIN), y = narrow_value(yb, BRAIN);
    o[0] = narrow_bits(x + y, BRAIN);
    o[1] = narrow_bits(x * y, BRAIN);
    o[2] = fused ? narrow_bits(sum_to_odd(x * y, x), BRAIN) : 0;
    o[3] = narrow_bits((double)((float)x * 1.01f), BRAIN);
}

static bool is_nan_of(uint16_t bits, int fraction)
{
    return isnan(narrow_value(bits, fraction));
}

static void run_narrow(struct machine *m, const char *kernel, int fraction, int each)
{
    struct dice dice = { (uint64_t)each };
    uint16_t *a = machine_memory(m, COUNT * 2), *b = machine_memory(m, COUNT * 2);
    uint16_t *out = machine_memory(m, (size_t)(COUNT * each) * 2);
    for (int i = 0; i < COUNT; i++) {
        a[i] = edge_half(&dice);
        b[i] = edge_half(&dice);
    }
    struct { void *out, *a, *b; uint32_t n; } params = { out, a, b, COUNT };
    RUN(m, kernel, &shape, 0, &params);
    for (int i = 0; i < COUNT; i++) {
        uint16_t wanted[8], *got = out + i * each;
        if (fraction == HALF) wanted_halves(a[i], b[i], wanted);
        else wanted_brains(a[i], b[i], wanted, machine_module(m)->target >= 80);
        for (int k = 0; k < each; k++)
            if (got[k] != wanted[k] &&
                !(is_nan_of(got[k], fraction) && is_nan_of(wanted[k], fraction)))
                fail_msg("%s %d of 0x%04x and 0x%04x is 0x%04x, not 0x%04x", kernel, k, a[i], b[i],
                         got[k], wanted[k]);
    }
}

static void halves(struct machine *m)
{
    run_narrow(m, "halves", HALF, 8);
}

static void brains(struct machine *m)
{
    run_narrow(m, "brains", BRAIN, 4);
}

/* The host's arithmetic with a direction.  Volatile: the compiler must not compute it
 * where there is another one. */
#define ROUNDED(mode, expression) \
    do { fesetround(mode); expression; fesetround(FE_TONEAREST); } while (0)

static void wanted_rounding(float xv, float yv, float o[12])
{
    volatile float x = xv, y = yv, one = 1, r[12];
    ROUNDED(FE_DOWNWARD, r[0] = x + y);
    ROUNDED(FE_UPWARD, r[1] = x + y);
    ROUNDED(FE_TOWARDZERO, r[2] = x * y);
    ROUNDED(FE_DOWNWARD, r[3] = fmaf(x, y, x));
    r[4] = x / y;
    r[5] = sqrtf(fabsf(x));
    r[6] = one / y;
    ROUNDED(FE_UPWARD, r[7] = x / y);
    r[8] = isnan(x) ? y : isnan(y) ? x : x < y || (x == y && signbit(x)) ? x : y;
    r[9] = isnan(x) ? -y : isnan(y) ? x : x > -y || (x == -y && !signbit(x)) ? x : -y;
    r[10] = x > 0 ? x < 1 ? x : 1 : 0;
    r[11] = copysignf(x, y);
    for (int k = 0; k < 12; k++) o[k] = r[k];
}

static void rounding(struct machine *m)
{
    struct dice dice = { 4 };
    float *a = machine_memory(m, COUNT * 4), *b = machine_memory(m, COUNT * 4);
    float(*out)[12] = machine_memory(m, COUNT * sizeof *out);
    for (int i = 0; i < COUNT; i++) {
        a[i] = edge_float(&dice);
        b[i] = edge_float(&dice);
    }
    struct { void *out, *a, *b; uint32_t n; } params = { out, a, b, COUNT };
    RUN(m, "rounding", &shape, 0, &params);
    for (int i = 0; i < COUNT; i++) {
        float wanted[12];
        char what[80];
        wanted_rounding(a[i], b[i], wanted);
        snprintf(what, sizeof what, "of %a and %a", (double)a[i], (double)b[i]);
        same_floats(what, out[i], wanted, 12);
    }
}

static void wanted_doubles(double xv, double yv, double o[8])
{
    volatile double x = xv, y = yv, one = 1, r[8];
    ROUNDED(FE_DOWNWARD, r[0] = x + y);
    ROUNDED(FE_UPWARD, r[1] = x * y);
    ROUNDED(FE_TOWARDZERO, r[2] = fma(x, y, x));
    r[3] = x / y;
    r[4] = sqrt(fabs(x));
    r[5] = one / y;
    r[6] = isnan(x) ? y : isnan(y) ? x : x < y || (x == y && signbit(x)) ? x : y;
    r[7] = fmod(x, y);
    for (int k = 0; k < 8; k++) o[k] = r[k];
}

static void rounding_doubles(struct machine *m)
{
    struct dice dice = { 5 };
    double *a = machine_memory(m, COUNT * 8), *b = machine_memory(m, COUNT * 8);
    double(*out)[8] = machine_memory(m, COUNT * sizeof *out);
    for (int i = 0; i < COUNT; i++) {
        a[i] = edge_double(&dice);
        b[i] = edge_double(&dice);
    }
    struct { void *out, *a, *b; uint32_t n; } params = { out, a, b, COUNT };
    RUN(m, "rounding_doubles", &shape, 0, &params);
    for (int i = 0; i < COUNT; i++) {
        double wanted[8];
        char what[80];
        wanted_doubles(a[i], b[i], wanted);
        snprintf(what, sizeof what, "of %a and %a", a[i], b[i]);
        same_doubles(what, out[i], wanted, 8);
    }
}

/* ---- Mathematical functions: within the error that their makers state ------------------- */

static void math_doubles(struct machine *m)
{
    struct dice dice = { 6 };
    double *in = machine_memory(m, COUNT * 8), (*out)[8] = machine_memory(m, COUNT * sizeof *out);
    for (int i = 0; i < COUNT; i++) in[i] = (double)BETWEEN(&dice, -4000000, 4000000) / 65537.0;
    struct { void *out, *in; uint32_t n; } params = { out, in, COUNT };
    RUN(m, "math_doubles", &shape, 0, &params);
    for (int i = 0; i < COUNT; i++) {
        double x = in[i];
        near_double("sin", x, out[i][0], sin(x), 3);
        near_double("cos", x, out[i][1], cos(x), 3);
        near_double("exp", x, out[i][2], exp(x), 2);
        near_double("log", x, out[i][3], log(fabs(x)), 2);
        near_double("pow(1.7)", x, out[i][4], pow(fabs(x), 1.7), 3);
        near_double("atan2(2)", x, out[i][5], atan2(x, 2), 3);
        near_double("tanh", x, out[i][6], tanh(x), 3);
        near_double("cbrt", x, out[i][7], cbrt(x), 4);
    }
}

static void math_floats(struct machine *m)
{
    struct dice dice = { 7 };
    float *in = machine_memory(m, COUNT * 4), (*out)[8] = machine_memory(m, COUNT * sizeof *out);
    for (int i = 0; i < COUNT; i++) in[i] = (float)BETWEEN(&dice, -4000000, 4000000) / 65537.0f;
    struct { void *out, *in; uint32_t n; } params = { out, in, COUNT };
    RUN(m, "math_floats", &shape, 0, &params);
    for (int i = 0; i < COUNT; i++) {
        double x = (double)in[i];
        near_float("sinf", in[i], out[i][0], sin(x), 2.5, 0);
        near_float("cosf", in[i], out[i][1], cos(x), 2.5, 0);
        near_float("expf", in[i], out[i][2], exp(x), 2.5, 0);
        near_float("logf", in[i], out[i][3], log(fabs(x)), 1.5, 0);
        near_float("powf(1.7)", in[i], out[i][4], pow(fabs(x), (double)1.7f), 4.5, 0);
        near_float("atanf", in[i], out[i][5], atan(x), 2.5, 0);
        near_float("tanhf", in[i], out[i][6], tanh(x), 2.5, 0);
        near_float("erff", in[i], out[i][7], erf(x), 2.5, 0);
    }
}

static void math_fast(struct machine *m)
{
    struct dice dice = { 8 };
    float *in = machine_memory(m, COUNT * 4), (*out)[8] = machine_memory(m, COUNT * sizeof *out);
    for (int i = 0; i < COUNT; i++) in[i] = (float)BETWEEN(&dice, -200000, 200000) / 65537.0f;
    struct { void *out, *in; uint32_t n; } params = { out, in, COUNT };
    RUN(m, "math_fast", &shape, 0, &params);
    for (int i = 0; i < COUNT; i++) {
        double x = (double)in[i];
        near_float("sin.approx", in[i], out[i][0], sin(x), 0, 0x1p-20);
        near_float("cos.approx", in[i], out[i][1], cos(x), 0, 0x1p-20);
        near_float("__expf", in[i], out[i][2], exp(x), 6, 0);
        near_float("lg2.approx", in[i], out[i][3], log2(fabs(x)), 3, 0x1p-21);
        near_float("__fdividef(3)", in[i], out[i][4], x / 3, 2.5, 0);
        if (in[i] != 0) near_float("rsqrt", in[i], out[i][5], 1 / sqrt(fabs(x)), 2.5, 0);
        if (fabs(cos(x)) > 0.1) near_float("__tanf", in[i], out[i][6], tan(x), 0, 0x1p-12);
        near_float("ex2.approx", in[i], out[i][7], exp2(x), 2.5, 0);
    }
}

static const struct kernel_case rows[] = {
    { "integers of 64 bits are divided", "numbers", divide_wide, false, 0 },
    { "bits are counted, turned and picked", "numbers", bits, false, 0 },
    { "numbers are converted and clamped", "numbers", conversions, false, 0 },
    { "numbers of 16 bits are rounded once", "numbers", halves, false, 0 },
    { "numbers of 16 bits with a wide exponent are rounded once", "numbers", brains, false, 0 },
    { "floats are rounded in every direction", "numbers", rounding, false, 0 },
    { "doubles are rounded in every direction", "numbers", rounding_doubles, false, 0 },
    { "functions of doubles are near enough", "numbers", math_doubles, false, 0 },
    { "functions of floats are near enough", "numbers", math_floats, false, 0 },
    { "fast functions are near enough", "numbers", math_fast, false, 0 },
};

const struct kernel_cases number_kernels = { rows, sizeof rows / sizeof rows[0] };
