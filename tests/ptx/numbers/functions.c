/* SPDX-License-Identifier: Apache-2.0
 *
 * Mathematical functions of cuda/numbers.cu: within the error that their makers state.
 */
#include "edges.h"

#include <math.h>

static void math_doubles(struct machine *m)
{
    struct dice dice = { 6 };
    double *in = machine_memory(m, COUNT * 8), (*out)[8] = machine_memory(m, COUNT * sizeof *out);
    for (int i = 0; i < COUNT; i++) in[i] = (double)BETWEEN(&dice, -4000000, 4000000) / 65537.0;
    struct { void *out, *in; uint32_t n; } params = { out, in, COUNT };
    RUN(m, "math_doubles", &number_extents, 0, &params);
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
    RUN(m, "math_floats", &number_extents, 0, &params);
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
    RUN(m, "math_fast", &number_extents, 0, &params);
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
    { "functions of doubles are near enough", "numbers", math_doubles, false, 0 },
    { "functions of floats are near enough", "numbers", math_floats, false, 0 },
    { "fast functions are near enough", "numbers", math_fast, false, 0 },
};

const struct kernel_cases function_kernels = { rows, sizeof rows / sizeof rows[0] };
