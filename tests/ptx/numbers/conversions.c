/* SPDX-License-Identifier: Apache-2.0
 *
 * What the kernels of cuda/numbers.cu convert.
 */
#include "edges.h"

#include <math.h>

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
    RUN(m, "conversions", &number_extents, 0, &params);
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

static const struct kernel_case rows[] = {
    { "numbers are converted and clamped", "numbers", conversions, false, 0 },
};

const struct kernel_cases conversion_kernels = { rows, sizeof rows / sizeof rows[0] };
