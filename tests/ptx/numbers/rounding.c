/* SPDX-License-Identifier: Apache-2.0
 *
 * What the kernels of cuda/numbers.cu round, in every direction.
 */
#include "edges.h"

#include <fenv.h>
#include <math.h>
#include <stdio.h>

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
    RUN(m, "rounding", &number_extents, 0, &params);
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
    RUN(m, "rounding_doubles", &number_extents, 0, &params);
    for (int i = 0; i < COUNT; i++) {
        double wanted[8];
        char what[80];
        wanted_doubles(a[i], b[i], wanted);
        snprintf(what, sizeof what, "of %a and %a", a[i], b[i]);
        same_doubles(what, out[i], wanted, 8);
    }
}

static const struct kernel_case rows[] = {
    { "floats are rounded in every direction", "numbers", rounding, false, 0 },
    { "doubles are rounded in every direction", "numbers", rounding_doubles, false, 0 },
};

const struct kernel_cases rounding_kernels = { rows, sizeof rows / sizeof rows[0] };
