/* SPDX-License-Identifier: Apache-2.0
 *
 * Arithmetic of f32 against integers: all roundings, with and without .ftz.
 */
#include <stdio.h>
#include <string.h>

#include "exact.h"
#include "steps.h"

#define COUNT 20000

typedef struct exact reference(struct exact a, struct exact b, struct exact c,
                               enum exact_mode mode);

static struct exact add(struct exact a, struct exact b, struct exact c, enum exact_mode mode)
{
    (void)c;
    return exact_add(a, b, mode);
}

static struct exact sub(struct exact a, struct exact b, struct exact c, enum exact_mode mode)
{
    (void)c;
    b.negative = !b.negative;
    return exact_add(a, b, mode);
}

static struct exact mul(struct exact a, struct exact b, struct exact c, enum exact_mode mode)
{
    (void)c, (void)mode;
    return exact_multiply(a, b);
}

static struct exact fma_(struct exact a, struct exact b, struct exact c, enum exact_mode mode)
{
    return exact_add(exact_multiply(a, b), c, mode);
}

static struct exact quotient(struct exact a, struct exact b, struct exact c, enum exact_mode mode)
{
    (void)c, (void)mode;
    return exact_divide(a, b);
}

static struct exact root(struct exact a, struct exact b, struct exact c, enum exact_mode mode)
{
    (void)b, (void)c, (void)mode;
    return exact_root(a);
}

static struct exact reciprocal(struct exact a, struct exact b, struct exact c,
                               enum exact_mode mode)
{
    (void)b, (void)c, (void)mode;
    return exact_divide(exact_of(UINT32_C(0x3f800000), exact_f32), a);
}

static uint32_t expected(reference *refer, const uint32_t x[3], enum exact_mode mode, bool flush)
{
    struct exact from[3];
    for (int i = 0; i < 3; i++)
        from[i] = exact_of(flush ? exact_flushed(x[i], exact_f32) : x[i], exact_f32);
    const uint64_t bits = exact_round(refer(from[0], from[1], from[2], mode), exact_f32, mode);
    return (uint32_t)(flush ? exact_flushed(bits, exact_f32) : bits);
}

static uint32_t operands[3][COUNT], results[COUNT];

static void fill(uint64_t seed)
{
    struct dice dice = { seed };
    for (int k = 0; k < 3; k++)
        for (size_t i = 0; i < COUNT; i++)
            operands[k][i] = (uint32_t)exact_any(&dice, exact_f32);
    /* c near to -a * b: what is left of the product shows. */
    for (size_t i = 0; i < COUNT; i += 5) {
        float x, y, z;
        memcpy(&x, &operands[0][i], 4), memcpy(&y, &operands[1][i], 4);
        z = -x * y;
        memcpy(&operands[2][i], &z, 4);
        operands[2][i] += (uint32_t)dice_below(&dice, 3) - 1;
    }
}

static void check(const char *text, enum steps_set set, reference *refer, enum exact_mode mode,
                  bool flush)
{
    steps_apply(text, set, COUNT, results, operands[0], operands[1], operands[2]);
    for (size_t i = 0; i < COUNT; i++) {
        const uint32_t x[3] = { operands[0][i], operands[1][i], operands[2][i] };
        const uint32_t right = expected(refer, x, mode, flush);
        if (results[i] != right)
            fail_msg("%s (set %d) of %08x %08x %08x is %08x, not %08x", text, set, x[0], x[1],
                     x[2], results[i], right);
    }
}

static void in_all_modes(const char *name, reference *refer)
{
    static const char *const modes[] = { "rn", "rz", "rm", "rp" };
    fill(1);
    for (int set = 0; set < 2; set++)
        for (int mode = 0; steps_has((enum steps_set)set) && mode < 8; mode++) {
            char text[32];
            snprintf(text, sizeof text, "%s.%s%s.f32", name, modes[mode / 2],
                     mode % 2 ? ".ftz" : "");
            check(text, (enum steps_set)set, refer, (enum exact_mode)(mode / 2), mode % 2);
        }
}

static void sums_are_rounded_once(void **state)
{
    (void)state;
    in_all_modes("add", add);
    in_all_modes("sub", sub);
}

static void products_are_rounded_once(void **state)
{
    (void)state;
    in_all_modes("mul", mul);
}

static void what_is_fused_is_rounded_once(void **state)
{
    (void)state;
    in_all_modes("fma", fma_);
    in_all_modes("mad", fma_);
}

static void quotients_and_reciprocals_are_rounded_once(void **state)
{
    (void)state;
    in_all_modes("div", quotient);
    in_all_modes("rcp", reciprocal);
}

static void roots_are_rounded_once(void **state)
{
    (void)state;
    in_all_modes("sqrt", root);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_are_rounded_once),
        cmocka_unit_test(products_are_rounded_once),
        cmocka_unit_test(what_is_fused_is_rounded_once),
        cmocka_unit_test(quotients_and_reciprocals_are_rounded_once),
        cmocka_unit_test(roots_are_rounded_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
