/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions of libdevice that a text declares and does not define.
 */
#include <math.h>
#include <stdio.h>

#include "ptx/machine.h"

enum { COUNT = 40, TEXT = 512 };

/* A text whose threads make %d of %a and %b by a function. */
static char *calling(const char *name, const char *types)
{
    char d[8], a[8], b[8], declared[TEXT], instructions[TEXT];
    const bool two = sscanf(types, "%7s %7s %7s", d, a, b) == 3;
    snprintf(declared, sizeof declared, ".extern .func (.param .%s r) %s(.param .%s x%s%s%s);\n",
             d, name, a, two ? ", .param ." : "", two ? b : "", two ? " y" : "");
    snprintf(instructions, sizeof instructions,
             "{ .param .%s r; .param .%s x; .param .%s y; st.param.%s [x], %%a;\n%s%s%s"
             "call.uni (r), %s, (x%s);\nld.param.%s %%d, [r]; }", d, a, two ? b : "b32", a,
             two ? "st.param." : "", two ? b : "", two ? " [y], %b;\n" : "", name,
             two ? ", y" : "", d);
    char *text = machine_apply_text(instructions, types, "sm_100"), *whole = NULL;
    char *body = strstr(text, ".visible");
    size_t bytes;
    FILE *to = open_memstream(&whole, &bytes);
    if (!to) abort();
    fprintf(to, "%.*s%s%s", (int)(body - text), text, declared, body);
    fclose(to);
    free(text);
    return whole;
}

static void *copied(struct machine *machine, const void *numbers, size_t bytes)
{
    void *copy = machine_memory(machine, bytes);
    if (numbers) memcpy(copy, numbers, bytes);
    return copy;
}

/* Runs it over COUNT rows, of up to 8 bytes each. */
static void apply(const char *name, const char *types, void *d, size_t bytes, const void *a,
                  size_t a_bytes, const void *b, size_t b_bytes)
{
    struct machine *machine = machine_open();
    char *text = calling(name, types);
    machine_load(machine, text);
    free(text);
    struct {
        void *d, *a, *b, *c;
        uint32_t count;
    } params = { copied(machine, NULL, COUNT * bytes), copied(machine, a, COUNT * a_bytes),
                 copied(machine, b, COUNT * b_bytes), NULL, COUNT };
    machine_run(machine, "apply", &(struct machine_shape){ .block = { 64 } }, &params,
                sizeof params);
    memcpy(d, params.d, COUNT * bytes);
    machine_close(machine);
}

static void fill(float *singles, double *doubles, int32_t *integers)
{
    for (int i = 0; i < COUNT; i++) {
        doubles[i] = singles[i] = (float)i / 8 - 1;
        integers[i] = i - 20;
    }
}

static bool same(double found, double wanted)
{
    return found == wanted || (isnan(found) && isnan(wanted));
}

/* ---- Of one number ------------------------------------------------------------------------- */

#define ONE(name) { "__nv_" #name "f", "__nv_" #name, name##f, name }

static void functions_of_one_number_are_the_hosts(void **state)
{
    (void)state;
    static const struct {
        const char *single_name, *name;
        float (*single)(float);
        double (*wide)(double);
    } rows[] = {
        ONE(acos), ONE(acosh), ONE(asin), ONE(asinh), ONE(atan), ONE(atanh), ONE(cbrt), ONE(cos),
        ONE(cosh), ONE(erf), ONE(erfc), ONE(exp), ONE(exp2), ONE(expm1), ONE(lgamma), ONE(log),
        ONE(log10), ONE(log1p), ONE(log2), ONE(logb), ONE(sin), ONE(sinh), ONE(tan), ONE(tanh),
        ONE(tgamma),
    };
    float a[COUNT], d[COUNT];
    double wide_a[COUNT], wide_d[COUNT];
    int32_t integers[COUNT];
    fill(a, wide_a, integers);
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        apply(rows[n].single_name, "f32 f32", d, 4, a, 4, NULL, 4);
        apply(rows[n].name, "f64 f64", wide_d, 8, wide_a, 8, NULL, 4);
        for (int i = 0; i < COUNT; i++)
            if (!same((double)d[i], (double)rows[n].single(a[i])) ||
                !same(wide_d[i], rows[n].wide(wide_a[i])))
                fail_msg("%s of %g is %g, and %g", rows[n].name, wide_a[i], (double)d[i],
                         wide_d[i]);
    }
}

/* ---- Of two -------------------------------------------------------------------------------- */

#define TWO(name) { "__nv_" #name "f", "__nv_" #name, name##f, name }

static void functions_of_two_numbers_are_the_hosts(void **state)
{
    (void)state;
    static const struct {
        const char *single_name, *name;
        float (*single)(float, float);
        double (*wide)(double, double);
    } rows[] = {
        TWO(atan2), TWO(fmod), TWO(hypot), TWO(nextafter), TWO(pow), TWO(remainder),
    };
    float a[COUNT], b[COUNT], d[COUNT];
    double wide_a[COUNT], wide_b[COUNT], wide_d[COUNT];
    int32_t integers[COUNT];
    fill(a, wide_a, integers);
    for (int i = 0; i < COUNT; i++) wide_b[i] = b[i] = a[COUNT - 1 - i];
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        apply(rows[n].single_name, "f32 f32 f32", d, 4, a, 4, b, 4);
        apply(rows[n].name, "f64 f64 f64", wide_d, 8, wide_a, 8, wide_b, 8);
        for (int i = 0; i < COUNT; i++)
            if (!same((double)d[i], (double)rows[n].single(a[i], b[i])) ||
                !same(wide_d[i], rows[n].wide(wide_a[i], wide_b[i])))
                fail_msg("%s of %g and %g is %g, and %g", rows[n].name, wide_a[i], wide_b[i],
                         (double)d[i], wide_d[i]);
    }
}

static void powers_of_two_are_whole_numbers(void **state)
{
    (void)state;
    float a[COUNT], d[COUNT];
    double wide_a[COUNT], wide_d[COUNT];
    int32_t integers[COUNT], power[COUNT], wide_power[COUNT];
    fill(a, wide_a, integers);
    apply("__nv_ldexpf", "f32 f32 s32", d, 4, a, 4, integers, 4);
    apply("__nv_ldexp", "f64 f64 s32", wide_d, 8, wide_a, 8, integers, 4);
    apply("__nv_ilogbf", "s32 f32", power, 4, a, 4, NULL, 4);
    apply("__nv_ilogb", "s32 f64", wide_power, 4, wide_a, 8, NULL, 4);
    for (int i = 0; i < COUNT; i++) {
        assert_true(same((double)d[i], (double)ldexpf(a[i], integers[i])));
        assert_true(same(wide_d[i], ldexp(wide_a[i], integers[i])));
        assert_int_equal(power[i], ilogbf(a[i]));
        assert_int_equal(wide_power[i], ilogb(wide_a[i]));
    }
}

/* ---- Those that C does not have ------------------------------------------------------------ */

static void half_turns_are_exact(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double at[4];
    } rows[] = {
        /* at 0, 0.5, 1 and 1.5 */
        { "__nv_sinpi", { 0, 1, 0, -1 } },
        { "__nv_cospi", { 1, 0, -1, 0 } },
    };
    double a[COUNT], d[COUNT];
    for (int i = 0; i < COUNT; i++) a[i] = (i - 20) / 2.0;
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        apply(rows[n].name, "f64 f64", d, 8, a, 8, NULL, 4);
        for (int i = 0; i < COUNT; i++) assert_true(d[i] == rows[n].at[i % 4]);
    }
}

static void powers_of_ten_and_shares_of_the_normal_curve(void **state)
{
    (void)state;
    double a[COUNT], d[COUNT];
    for (int i = 0; i < COUNT; i++) a[i] = i - 20;
    apply("__nv_exp10", "f64 f64", d, 8, a, 8, NULL, 4);
    assert_true(d[20] == 1 && d[23] == 1000);
    apply("__nv_normcdf", "f64 f64", d, 8, a, 8, NULL, 4);
    assert_true(d[20] == 0.5 && fabs(d[21] - 0.84134474606854293) < 1e-15);
}

/* Returns what a function of doubles makes of x. */
static double at(const char *name, double x)
{
    double a[COUNT], d[COUNT];
    for (int i = 0; i < COUNT; i++) a[i] = x;
    apply(name, "f64 f64", d, 8, a, 8, NULL, 4);
    return d[0];
}

static bool near(double found, double wanted)
{
    return fabs(found - wanted) <= 1e-14 * fabs(wanted);
}

static void inverses_undo_what_they_are_of(void **state)
{
    (void)state;
    double a[COUNT], d[COUNT];
    for (int i = 0; i < COUNT; i++) a[i] = (i + 1) / 41.0;
    apply("__nv_erfinv", "f64 f64", d, 8, a, 8, NULL, 4);
    for (int i = 0; i < COUNT; i++) assert_true(near(erf(d[i]), a[i]));
    for (int i = 0; i < COUNT; i++) a[i] = pow(10, -7.5 * i) * 1.5;
    apply("__nv_erfcinv", "f64 f64", d, 8, a, 8, NULL, 4);
    for (int i = 0; i < COUNT; i++) assert_true(fabs(erfc(d[i]) - a[i]) <= 1e-12 * a[i]);
    apply("__nv_normcdfinv", "f64 f64", d, 8, a, 8, NULL, 4);
    assert_true(isnan(d[0]));
    assert_true(near(at("__nv_normcdfinv", 0.975), 1.959963984540054));
}

static void inverses_end_in_infinities(void **state)
{
    (void)state;
    assert_true(at("__nv_erfinv", 1) == INFINITY && at("__nv_erfinv", -1) == -INFINITY);
    assert_true(at("__nv_erfcinv", 0) == INFINITY && at("__nv_erfcinv", 2) == -INFINITY);
    assert_true(at("__nv_erfinv", 0) == 0 && at("__nv_erfcinv", 1) == 0);
    assert_true(isnan(at("__nv_erfinv", 1.5)) && isnan(at("__nv_erfcinv", -1)));
}

static void scaled_functions_do_not_vanish(void **state)
{
    (void)state;
    assert_true(near(at("__nv_erfcx", 1), 0.42758357615580700));
    assert_true(near(at("__nv_erfcx", 1e10), 1e-10 * 0.56418958354775629));
    /* On both sides of where it changes its way. */
    for (double x = 9.5; x < 11; x += 0.5)
        assert_true(fabs(at("__nv_erfcx", x) / (exp(x * x) * erfc(x)) - 1) < 1e-12);
    assert_true(at("__nv_erfcx", -30) == INFINITY && at("__nv_erfcx", INFINITY) == 0);
}

static void bessel_functions(void **state)
{
    (void)state;
    double x[COUNT], d[COUNT];
    int32_t orders[COUNT];
    for (int i = 0; i < COUNT; i++) x[i] = i / 4.0 + 0.25, orders[i] = i % 5;
    apply("__nv_jn", "f64 s32 f64", d, 8, orders, 4, x, 8);
    for (int i = 0; i < COUNT; i++) assert_true(d[i] == jn(orders[i], x[i]));
    apply("__nv_yn", "f64 s32 f64", d, 8, orders, 4, x, 8);
    for (int i = 0; i < COUNT; i++) assert_true(d[i] == yn(orders[i], x[i]));
    assert_true(near(at("__nv_cyl_bessel_i0", 1), 1.2660658777520084));
    assert_true(near(at("__nv_cyl_bessel_i1", -2), -1.5906368546373291));
    assert_true(at("__nv_cyl_bessel_i0", 1e300) == INFINITY && at("__nv_cyl_bessel_i0", 0) == 1);
}

/* ---- Names --------------------------------------------------------------------------------- */

static void refuses(const char *name, const char *types, const char *words)
{
    struct machine *machine = machine_open();
    char *text = calling(name, types);
    machine_refuses(machine, text, RILL_ERROR_INVALID_PTX, name, words);
    free(text);
    machine_close(machine);
}

static void other_names_and_other_shapes_are_refused(void **state)
{
    (void)state;
    refuses("__nv_expo", "f32 f32", "nowhere defined");
    refuses("__nv_exp", "f32 f32", "");
    refuses("__nv_expf", "f32 f32 f32", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_of_one_number_are_the_hosts),
        cmocka_unit_test(functions_of_two_numbers_are_the_hosts),
        cmocka_unit_test(powers_of_two_are_whole_numbers),
        cmocka_unit_test(half_turns_are_exact),
        cmocka_unit_test(powers_of_ten_and_shares_of_the_normal_curve),
        cmocka_unit_test(inverses_undo_what_they_are_of),
        cmocka_unit_test(inverses_end_in_infinities),
        cmocka_unit_test(scaled_functions_do_not_vanish),
        cmocka_unit_test(bessel_functions),
        cmocka_unit_test(other_names_and_other_shapes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
