/* SPDX-License-Identifier: Apache-2.0
 *
 * Approximations: how far they are from what libm says in more bits, and what they are of
 * special values.  The greatest error of each is printed.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ptx/exact.h"
#include "ptx/steps.h"

#define COUNT 65536

static float single(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static uint32_t bits_of(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* ---- Errors ---------------------------------------------------------------------------- */

enum measure { ABSOLUTE, RELATIVE, ULPS };

struct error {
    const char *instruction;
    double (*function)(double);
    double low, high; /* of the operands */
    enum measure measure;
    double most;      /* that is right; in ulps or 2^-n */
};

static double spacing(double value)
{
    int exponent;
    frexp(value, &exponent);
    return ldexp(1, (exponent < -125 ? -125 : exponent) - 24);
}

static double error_of(const struct error *error, float x, float got)
{
    const double right = error->function(x), off = fabs(got - right);
    if (isnan(right) || isnan(got)) return isnan(right) && isnan(got) ? 0 : INFINITY;
    if (isinf(right) || isinf(got)) return (float)right == got ? 0 : INFINITY;
    switch (error->measure) {
    case ABSOLUTE: return off;
    case RELATIVE: return off == 0 ? 0 : off / fabs(right);
    default: return off / spacing(right);
    }
}

/* Evenly between the bounds, and as evenly among the numbers there are. */
static void operands_of(const struct error *error, float x[COUNT])
{
    struct dice dice = { 11 };
    for (size_t i = 0; i < COUNT; i++) {
        const double part = (double)(dice_next(&dice) >> 11) * 0x1p-53;
        x[i] = (float)(error->low + (error->high - error->low) * part);
        if (i % 2) {
            float any;
            do any = single((uint32_t)dice_next(&dice));
            while (!(any >= error->low && any <= error->high));
            x[i] = any;
        }
    }
}

static void measure(const struct error *error)
{
    static float x[COUNT], got[2][COUNT];
    operands_of(error, x);
    double most = 0;
    float worst = 0;
    steps_apply(error->instruction, STEPS_PLAIN, COUNT, got[0], x, NULL, NULL);
    for (size_t i = 0; i < COUNT; i++) {
        const double off = error_of(error, x[i], got[0][i]);
        if (off > most) most = off, worst = x[i];
    }
    if (error->measure == ULPS) print_message("# %s: %.3f ulp\n", error->instruction, most);
    else print_message("# %s: 2^%.2f\n", error->instruction, log2(most));
    if (most > error->most)
        fail_msg("%s of %08x (%g) is wrong by %g", error->instruction, bits_of(worst),
                 (double)worst, most);
    if (!steps_has(STEPS_AVX2)) return;
    steps_apply(error->instruction, STEPS_AVX2, COUNT, got[1], x, NULL, NULL);
    assert_memory_equal(got[0], got[1], sizeof got[0]);
}

static double reciprocal(double x)
{
    return 1 / x;
}

static double root_reciprocal(double x)
{
    return 1 / sqrt(x);
}

/* x in turns, as hardware has it: a product in f32 that is cut off, and 25 bits of it. */
static double turns(double x)
{
    const double product = x * 0x1.45f306p-3;
    int exponent;
    frexp(product, &exponent);
    const double cut = ldexp(trunc(ldexp(product, 24 - exponent)), exponent - 24);
    return trunc(fmod(cut, 1) * 0x1p25) * 0x1p-25;
}

static double sine(double x)
{
    return sin(turns(x) * 6.283185307179586);
}

static double cosine(double x)
{
    return cos(turns(x) * 6.283185307179586);
}

static void errors_are_within_what_is_allowed(void **state)
{
    (void)state;
    const double pi = 3.141592653589793;
    const struct error errors[] = {
        { "ex2.approx.f32", exp2, -160, 140, ULPS, 1.5 },
        { "ex2.approx.ftz.f32", exp2, -125, 140, ULPS, 1.5 },
        { "lg2.approx.f32", log2, 0.5, 2, ABSOLUTE, 0x1p-22 },
        { "lg2.approx.f32", log2, 0, INFINITY, ULPS, 2.5 },
        { "lg2.approx.ftz.f32", log2, 0x1p-126, 0x1p127, RELATIVE, 0x1p-22 },
        { "sin.approx.f32", sin, -pi, pi, ABSOLUTE, 0x1.6ap-21 }, /* as PTX has it: 2^-20.5 */
        { "cos.approx.f32", cos, -pi, pi, ABSOLUTE, 0x1.6ap-21 },
        { "sin.approx.f32", sine, -pi, pi, ABSOLUTE, 0x1p-24 },
        { "sin.approx.ftz.f32", sine, -INFINITY, INFINITY, ABSOLUTE, 0x1p-24 },
        { "cos.approx.f32", cosine, -pi, pi, ABSOLUTE, 0x1p-24 },
        { "cos.approx.ftz.f32", cosine, -INFINITY, INFINITY, ABSOLUTE, 0x1p-24 },
        { "tanh.approx.f32", tanh, -20, 20, RELATIVE, 0x1p-21 },
        { "sqrt.approx.f32", sqrt, 0, INFINITY, ULPS, 0.5 },
        { "rcp.approx.f32", reciprocal, -INFINITY, INFINITY, ULPS, 0.5 },
        { "rsqrt.approx.f32", root_reciprocal, 0, INFINITY, RELATIVE, 0x1p-22 },
    };
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) measure(&errors[i]);
}

/* Of f16 and bf16 every operand is asked. */
static void narrow(const char *text, double function(double), bool brain, double most)
{
    static uint16_t x[65536], got[65536];
    const int bias = brain ? 127 : 15, fraction = brain ? 7 : 10;
    double worst = 0;
    for (int i = 0; i < 65536; i++) x[i] = (uint16_t)i;
    steps_apply(text, STEPS_PLAIN, 65536, got, x, NULL, NULL);
    for (int i = 0; i < 65536; i++) {
        double value[2];
        for (int k = 0; k < 2; k++) {
            const int bits = k ? got[i] : x[i], exponent = (bits & 0x7fff) >> fraction;
            const int rest = bits & ((1 << fraction) - 1);
            value[k] = ldexp(exponent ? rest + (1 << fraction) : rest,
                             (exponent ? exponent : 1) - bias - fraction);
            if (exponent == 2 * bias + 1) value[k] = rest ? NAN : INFINITY;
            if (bits & 0x8000) value[k] = -value[k];
        }
        if (isnan(value[0])) assert_int_equal(got[i], 0x7fff);
        const double right = function(value[0]), most_finite = brain ? 0x1.ffp127 : 0x1.ffep15;
        if (isnan(value[0]) || isinf(right) || right > most_finite) continue;
        const double least = brain ? 0x1p-126 : 0x1p-14;
        const double off = fabs(value[1] - right) / fmax(fabs(right), least);
        if (!(off <= most)) fail_msg("%s of %04x is %04x", text, x[i], got[i]);
        if (off > worst) worst = off;
    }
    print_message("# %s: 2^%.2f\n", text, log2(worst));
}

static void halves_are_rounded_well(void **state)
{
    (void)state;
    narrow("ex2.approx.f16", exp2, false, 0x1.01p-11);
    narrow("tanh.approx.f16", tanh, false, 0x1.01p-11);
    narrow("ex2.approx.ftz.bf16", exp2, true, 0x1.01p-8);
    narrow("tanh.approx.bf16", tanh, true, 0x1.01p-8);
}

/* ---- Special values ---------------------------------------------------------------------- */

#define NONE UINT32_C(0x7fffffff)
#define INF UINT32_C(0x7f800000)

static void is(const char *text, uint32_t x, uint32_t right)
{
    for (int set = STEPS_PLAIN; set <= STEPS_AVX2; set++) {
        uint32_t got;
        if (!steps_has((enum steps_set)set)) continue;
        steps_apply(text, (enum steps_set)set, 1, &got, &x, NULL, NULL);
        if (got != right) fail_msg("%s of %08x is %08x, not %08x", text, x, got, right);
    }
}

static void zeros_infinities_and_nans_have_their_results(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t of_minus_infinity, of_minus_one, of_minus_zero, of_zero, of_infinity;
    } all[] = {
        { "rcp.approx.f32", 0x80000000, 0xbf800000, 0xff800000, INF, 0 },
        { "sqrt.approx.f32", NONE, NONE, 0x80000000, 0, INF },
        { "rsqrt.approx.f32", NONE, NONE, 0xff800000, INF, 0 },
        { "lg2.approx.f32", NONE, NONE, 0xff800000, 0xff800000, INF },
        { "ex2.approx.f32", 0, 0x3f000000, 0x3f800000, 0x3f800000, INF },
        { "sin.approx.f32", NONE, 0xbf576aa3, 0x80000000, 0, NONE },
        { "cos.approx.f32", NONE, 0x3f0a5142, 0x3f800000, 0x3f800000, NONE },
        { "tanh.approx.f32", 0xbf800000, 0xbf42f7d5, 0x80000000, 0, 0x3f800000 },
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        is(all[i].text, 0xff800000, all[i].of_minus_infinity);
        is(all[i].text, 0xbf800000, all[i].of_minus_one);
        is(all[i].text, 0x80000000, all[i].of_minus_zero);
        is(all[i].text, 0x00000000, all[i].of_zero);
        is(all[i].text, 0x7f800000, all[i].of_infinity);
        is(all[i].text, 0x7fc12345, NONE);
        is(all[i].text, 0xff800001, NONE);
    }
}

static void ftz_takes_subnormal_numbers_for_zero(void **state)
{
    (void)state;
    is("rcp.approx.ftz.f32", 0x80000001, 0xff800000);
    is("rcp.approx.ftz.f32", 0x7f7fffff, 0);
    is("rcp.approx.f32", 0x7f7fffff, 0x00200000);
    is("rsqrt.approx.ftz.f32", 0x807fffff, 0xff800000);
    is("rsqrt.approx.f32", 0x00000001, 0x64b504f3);
    is("sqrt.approx.ftz.f32", 0x007fffff, 0);
    is("lg2.approx.ftz.f32", 0x00000001, 0xff800000);
    is("lg2.approx.f32", 0x00000001, 0xc3150000);
    is("ex2.approx.ftz.f32", 0xc2fe0000, 0);
    is("ex2.approx.f32", 0xc2fe0000, 0x00400000);
    is("sin.approx.ftz.f32", 0x80000001, 0x80000000);
    is("sin.approx.f32", 0x80000001, 0x80000000);
    is("tanh.approx.f32", 0x80000001, 0x80000001);
}

static void waves_of_vast_angles_stay_waves(void **state)
{
    (void)state;
    for (uint32_t bits = 0x40000000; bits < INF; bits += 0x12345) {
        float x = single(bits), wave[2];
        steps_apply("sin.approx.f32", STEPS_PLAIN, 1, &wave[0], &x, NULL, NULL);
        steps_apply("cos.approx.f32", STEPS_PLAIN, 1, &wave[1], &x, NULL, NULL);
        assert_true(fabsf(wave[0]) <= 1 && fabsf(wave[1]) <= 1);
        assert_true(fabsf(wave[0] * wave[0] + wave[1] * wave[1] - 1) < 1e-5f);
    }
}

static void angles_are_counted_from_a_turn_by_2_to_the_25th_on(void **state)
{
    (void)state;
    is("sin.approx.f32", 0x3448ffff, 0);
    is("sin.approx.f32", 0xb4491000, 0xb4490fdb);
    is("sin.approx.f32", 0x4b800000 + (100 << 23), 0); /* vast: whole turns */
    is("sin.approx.f32", 0xcb800000 + (100 << 23), 0x80000000);
    is("cos.approx.f32", 0x4b800000 + (100 << 23), 0x3f800000);
}

static void quotients_by_vast_divisors_are_zero(void **state)
{
    (void)state;
    static const struct {
        uint32_t x, y, approx, full;
    } all[] = {
        { 0x40400000, 0x40000000, 0x3fc00000, 0x3fc00000 },
        { 0x7f000000, 0x7f000000, 0, 0x3f800000 },
        { 0xff000000, 0x7f000000, 0x80000000, 0xbf800000 },
        { 0x7e800000, 0x7e800000, 0x3f800000, 0x3f800000 },
        { 0x7f800000, 0x7f000000, NONE, 0x7f800000 },
        { 0x3f800000, 0x00000000, 0x7f800000, 0x7f800000 },
        { 0x00000000, 0x00000000, NONE, NONE },
        { 0x3f800000, 0xff800000, 0x80000000, 0x80000000 },
        { 0x7fc00001, 0x7f000000, NONE, NONE },
        { 0x7f000000, 0xffc00001, NONE, NONE },
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        uint32_t got;
        steps_apply("div.approx.f32", STEPS_PLAIN, 1, &got, &all[i].x, &all[i].y, NULL);
        assert_int_equal(got, all[i].approx);
        steps_apply("div.full.f32", STEPS_PLAIN, 1, &got, &all[i].x, &all[i].y, NULL);
        assert_int_equal(got, all[i].full);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_are_within_what_is_allowed),
        cmocka_unit_test(halves_are_rounded_well),
        cmocka_unit_test(zeros_infinities_and_nans_have_their_results),
        cmocka_unit_test(ftz_takes_subnormal_numbers_for_zero),
        cmocka_unit_test(waves_of_vast_angles_stay_waves),
        cmocka_unit_test(angles_are_counted_from_a_turn_by_2_to_the_25th_on),
        cmocka_unit_test(quotients_by_vast_divisors_are_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
