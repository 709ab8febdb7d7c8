/* SPDX-License-Identifier: Apache-2.0
 *
 * Floating-point instructions from their text on: what the whole way gives is what their
 * steps give by themselves, which other tests compare with integers.
 */
#include <stdio.h>
#include <string.h>

#include "ptx/arithmetic.h"
#include "ptx/machine.h"
#include "ptx/rounding.h"

#define COUNT 300

/* Instructions of a type, with so many sources. */
struct family {
    const char *type, *memory; /* of the text, and of machine_apply */
    struct exact_format format;
    int sources;
    const char *names[20];
};

static const struct family families[] = {
    { "f32", "f32", { 23, 8 }, 1,
      { "neg", "neg.ftz", "abs", "abs.ftz", "sqrt.rn", "sqrt.rz.ftz", "sqrt.rm", "sqrt.rp",
        "rcp.rn", "rcp.rz", "rcp.rm.ftz", "rcp.rp" } },
    { "f32", "f32", { 23, 8 }, 1,
      { "sqrt.approx", "sqrt.approx.ftz", "rcp.approx", "rcp.approx.ftz", "rsqrt.approx",
        "rsqrt.approx.ftz", "sin.approx", "sin.approx.ftz", "cos.approx", "cos.approx.ftz",
        "lg2.approx", "lg2.approx.ftz", "ex2.approx", "ex2.approx.ftz", "tanh.approx" } },
    { "f32", "f32", { 23, 8 }, 2,
      { "add", "add.rn.ftz", "add.rz", "add.rm", "add.rp.ftz", "sub", "sub.rz", "sub.rm.ftz",
        "sub.rp", "mul", "mul.rz.ftz", "mul.rm", "mul.rp", "copysign" } },
    { "f32", "f32", { 23, 8 }, 2,
      { "div.rn", "div.rz", "div.rm", "div.rp.ftz", "div.approx", "div.approx.ftz", "div.full",
        "div.full.ftz", "min", "max.ftz", "min.NaN", "max.ftz.NaN", "min.xorsign.abs",
        "max.NaN.xorsign.abs", "max.ftz.NaN.xorsign.abs" } },
    { "f32", "f32", { 23, 8 }, 3,
      { "fma.rn", "fma.rz.ftz", "fma.rm", "fma.rp", "mad.rn", "mad.rz", "mad.rm", "mad.rp.ftz" } },
    { "f64", "f64", { 52, 11 }, 1,
      { "neg", "abs", "sqrt.rn", "sqrt.rz", "sqrt.rm", "sqrt.rp", "rcp.rn", "rcp.rz", "rcp.rm",
        "rcp.rp", "rcp.approx.ftz", "rsqrt.approx", "rsqrt.approx.ftz" } },
    { "f64", "f64", { 52, 11 }, 2,
      { "add", "add.rz", "add.rm", "add.rp", "sub", "sub.rm", "mul", "mul.rz", "mul.rp", "div.rn",
        "div.rz", "div.rm", "div.rp", "min", "max", "copysign" } },
    { "f64", "f64", { 52, 11 }, 3,
      { "fma.rn", "fma.rz", "fma.rm", "fma.rp", "mad.rn", "mad.rp" } },
    { "f16", "f16", { 10, 5 }, 1,
      { "neg", "neg.ftz", "abs", "abs.ftz", "tanh.approx", "ex2.approx" } },
    { "f16", "f16", { 10, 5 }, 2,
      { "add", "add.rn.ftz", "sub", "mul.ftz", "add.sat", "mul.rn.ftz.sat", "min", "max.ftz.NaN",
        "min.xorsign.abs" } },
    { "f16", "f16", { 10, 5 }, 3, { "fma.rn", "fma.rn.ftz", "fma.rn.sat", "fma.rn.ftz.relu" } },
    { "bf16", "bf16", { 7, 8 }, 1, { "neg", "abs", "tanh.approx", "ex2.approx.ftz" } },
    { "bf16", "bf16", { 7, 8 }, 2, { "add", "sub.rn", "mul", "min.NaN", "max.xorsign.abs" } },
    { "bf16", "bf16", { 7, 8 }, 3, { "fma.rn", "fma.rn.relu" } },
};

static uint64_t bits[3][2 * COUNT];
static _Alignas(8) unsigned char from[3][16 * COUNT];
static _Alignas(8) unsigned char text_result[8 * COUNT], step_result[8 * COUNT];

static void fill(struct exact_format format)
{
    struct dice dice = { 5 };
    for (int k = 0; k < 3; k++) {
        for (size_t i = 0; i < 2 * COUNT; i++) bits[k][i] = exact_any(&dice, format);
        rounding_store(from[k], bits[k], 2 * COUNT, format);
    }
}

/* "fma.rn.f32 %d, %a, %b, %c;" and "f32 f32 f32 f32". */
static void spell(char text[96], char types[48], const char *name, const char *type,
                  const char *memory, int sources)
{
    static const char *const operands[] = { "%a", "%a, %b", "%a, %b, %c" };
    snprintf(text, 96, "%s.%s %%d, %s;", name, type, operands[sources - 1]);
    types[0] = '\0';
    for (int i = 0; i <= sources; i++) {
        if (i) strcat(types, " ");
        strcat(types, memory);
    }
}

static void compare(const char *name, const char *type, const char *memory, int sources,
                    size_t bytes)
{
    char text[96], types[48], instruction[48];
    spell(text, types, name, type, memory, sources);
    machine_apply(text, types, COUNT, text_result, from[0], from[1], from[2]);
    snprintf(instruction, sizeof instruction, "%s.%s", name, type);
    steps_apply_of(instruction, steps_has(STEPS_AVX2) ? STEPS_AVX2 : STEPS_PLAIN, sources, COUNT,
                   step_result, from[0], from[1], from[2]);
    if (memcmp(text_result, step_result, bytes * COUNT) != 0)
        fail_msg("%s gives something else than its step", text);
}

static void texts_give_what_steps_give(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        const struct family *family = &families[i];
        const size_t size = (1 + family->format.exponent + family->format.mantissa) / 8;
        fill(family->format);
        for (const char *const *name = family->names; *name; name++)
            compare(*name, family->type, family->memory, family->sources, size);
    }
}

static void pairs_give_what_steps_give(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        const struct family *family = &families[i];
        if (family->format.mantissa > 10) continue;
        char type[8];
        snprintf(type, sizeof type, "%sx2", family->type);
        fill(family->format);
        for (const char *const *name = family->names; *name; name++)
            compare(*name, type, "f16x2", family->sources, 4);
    }
}

/* Clamped to 0 and 1, NaN to 0: in every rounding. */
static void sat_clamps(void **state)
{
    (void)state;
    static const char *const names[] = { "add", "add.rz", "sub.rm.ftz", "mul.rp", "fma.rn",
                                         "fma.rz" };
    fill(exact_f32);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const int sources = names[i][0] == 'f' ? 3 : 2;
        if (strstr(names[i], ".r") && !strstr(names[i], ".rn") && !arithmetic_rounds()) continue;
        char name[48], text[96], types[48];
        snprintf(name, sizeof name, "%s.sat", names[i]);
        spell(text, types, name, "f32", "f32", sources);
        machine_apply(text, types, COUNT, text_result, from[0], from[1], from[2]);
        snprintf(name, sizeof name, "%s.f32", names[i]);
        steps_apply(name, STEPS_PLAIN, COUNT, step_result, from[0], from[1], from[2]);
        for (size_t row = 0; row < COUNT; row++) {
            float got, right;
            memcpy(&got, text_result + 4 * row, 4);
            memcpy(&right, step_result + 4 * row, 4);
            right = right > 0 ? right > 1 ? 1 : right : 0;
            assert_memory_equal(&got, &right, 4);
        }
    }
}

static void constants_are_operands(void **state)
{
    (void)state;
    float a[64], d[64];
    for (int i = 0; i < 64; i++) a[i] = (float)i;
    machine_apply("fma.rn.f32 %d, %a, 0f3F000000, 0fBF800000;", "f32 f32", 64, d, a, NULL, NULL);
    for (int i = 0; i < 64; i++) assert_true(d[i] == (float)i * 0.5f - 1);
    double wide[64], sum[64];
    for (int i = 0; i < 64; i++) wide[i] = i;
    machine_apply("add.f64 %d, %a, 0d3FE0000000000000;", "f64 f64", 64, sum, wide, NULL, NULL);
    for (int i = 0; i < 64; i++) assert_true(sum[i] == i + 0.5);
}

static void least_of_three_and_properties(void **state)
{
    (void)state;
    fill(exact_f32);
    compare("min.NaN", "f32", "f32", 3, 4);
    compare("max.ftz.abs", "f32", "f32", 3, 4);
    uint8_t got[COUNT], right[COUNT];
    machine_apply("testp.subnormal.f32 %d, %a;", "pred f32", COUNT, got, from[0], NULL, NULL);
    steps_apply("testp.subnormal.f32", STEPS_PLAIN, COUNT, right, from[0], NULL, NULL);
    assert_memory_equal(got, right, COUNT);
}

static void sums_of_f32_and_narrow_operands(void **state)
{
    (void)state;
    static uint16_t a[COUNT], b[COUNT];
    float c[COUNT], d[COUNT], right[COUNT];
    struct dice dice = { 8 };
    for (int i = 0; i < COUNT; i++) {
        a[i] = (uint16_t)(0x3c00 + dice_below(&dice, 1024));
        b[i] = (uint16_t)(0xc000 + dice_below(&dice, 1024));
        c[i] = (float)dice_below(&dice, 1000) / 7;
    }
    if (arithmetic_rounds()) {
        machine_apply("fma.rz.f32.f16 %d, %a, %b, %c;", "f32 f16 f16 f32", COUNT, d, a, b, c);
        steps_apply("fma.rz.f32.f16", STEPS_PLAIN, COUNT, right, a, b, c);
        assert_memory_equal(d, right, sizeof d);
    }
    machine_apply("sub.f32.bf16 %d, %a, %b;", "f32 bf16 f32", COUNT, d, a, c, NULL);
    for (int i = 0; i < COUNT; i++) {
        const uint32_t wide = (uint32_t)a[i] << 16;
        float x;
        memcpy(&x, &wide, sizeof x);
        assert_true(d[i] == x - c[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_give_what_steps_give),
        cmocka_unit_test(pairs_give_what_steps_give),
        cmocka_unit_test(sat_clamps),
        cmocka_unit_test(constants_are_operands),
        cmocka_unit_test(least_of_three_and_properties),
        cmocka_unit_test(sums_of_f32_and_narrow_operands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
