/* SPDX-License-Identifier: Apache-2.0 */
#include "rounding.h"

#include <stdio.h>
#include <string.h>

#include "arithmetic.h"

#define COUNT 16384

struct exact rounding_add(const struct exact x[3], enum exact_mode mode)
{
    return exact_add(x[0], x[1], mode);
}

struct exact rounding_sub(const struct exact x[3], enum exact_mode mode)
{
    struct exact y = x[1];
    y.negative = !y.negative;
    return exact_add(x[0], y, mode);
}

struct exact rounding_mul(const struct exact x[3], enum exact_mode mode)
{
    (void)mode;
    return exact_multiply(x[0], x[1]);
}

struct exact rounding_fma(const struct exact x[3], enum exact_mode mode)
{
    return exact_add(exact_multiply(x[0], x[1]), x[2], mode);
}

struct exact rounding_div(const struct exact x[3], enum exact_mode mode)
{
    (void)mode;
    return exact_divide(x[0], x[1]);
}

struct exact rounding_sqrt(const struct exact x[3], enum exact_mode mode)
{
    (void)mode;
    return exact_root(x[0]);
}

struct exact rounding_rcp(const struct exact x[3], enum exact_mode mode)
{
    (void)mode;
    return exact_divide((struct exact){ .m = 1 }, x[0]);
}

/* ---- Arrays -------------------------------------------------------------------------- */

static unsigned bytes_of(struct exact_format format)
{
    return (1 + format.exponent + format.mantissa) / 8;
}

void rounding_store(void *array, const uint64_t *bits, size_t count, struct exact_format format)
{
    for (size_t i = 0; i < count; i++)
        switch (bytes_of(format)) {
        case 2: ((uint16_t *)array)[i] = (uint16_t)bits[i]; break;
        case 4: ((uint32_t *)array)[i] = (uint32_t)bits[i]; break;
        default: ((uint64_t *)array)[i] = bits[i];
        }
}

void rounding_load(const void *array, uint64_t *bits, size_t count, struct exact_format format)
{
    for (size_t i = 0; i < count; i++)
        switch (bytes_of(format)) {
        case 2: bits[i] = ((const uint16_t *)array)[i]; break;
        case 4: bits[i] = ((const uint32_t *)array)[i]; break;
        default: bits[i] = ((const uint64_t *)array)[i];
        }
}

/* ---- Checks --------------------------------------------------------------------------- */

static uint64_t operands[3][COUNT], results[COUNT];
static _Alignas(8) unsigned char arrays[4][8 * COUNT];

/* In every fifth row c is what rounding takes from -a * b, or next to it. */
static void fill(struct exact_format format)
{
    struct dice dice = { 1 };
    for (size_t i = 0; i < COUNT; i++) {
        for (int k = 0; k < 3; k++) operands[k][i] = exact_any(&dice, format);
        if (i % 5) continue;
        struct exact product = exact_multiply(exact_of(operands[0][i], format),
                                              exact_of(operands[1][i], format));
        product.negative = !product.negative;
        operands[2][i] = exact_round(product, format, EXACT_NEAREST);
        if (operands[2][i] & (exact_sign(format) - 1))
            operands[2][i] += (uint64_t)dice_below(&dice, 3) - 1;
    }
    for (int k = 0; k < 3; k++) rounding_store(arrays[1 + k], operands[k], COUNT, format);
}

/* Rounded to as many digits as normal numbers have, it is smaller than all of them. */
static bool is_small(struct exact x, const struct rounding *how)
{
    const struct exact_format wide = { how->format.mantissa, exact_f64.exponent };
    const uint64_t bias = (1 << (exact_f64.exponent - 1)) - (1 << (how->format.exponent - 1));
    const uint64_t size = exact_round(x, wide, how->mode) & (exact_sign(wide) - 1);
    return size < (bias + 1) << wide.mantissa;
}

static uint64_t expected(const struct rounding *how, const uint64_t bits[3])
{
    struct exact x[3];
    for (int k = 0; k < 3; k++)
        x[k] = exact_of(how->flush ? exact_flushed(bits[k], how->format) : bits[k], how->format);
    const struct exact result = how->operation(x, how->mode);
    if (how->saturate && (result.nan || result.negative)) return 0;
    if (how->relu && result.negative && !result.nan) return 0;
    if (result.nan && how->nan) return how->nan(bits);
    uint64_t rounded = exact_round(result, how->format, how->mode);
    const uint64_t one = ((UINT64_C(1) << (how->format.exponent - 1)) - 1) << how->format.mantissa;
    if (how->saturate && rounded > one) rounded = one;
    if (how->flush && how->small_first && is_small(result, how))
        return rounded & exact_sign(how->format);
    return how->flush ? exact_flushed(rounded, how->format) : rounded;
}

/* A product that is fused with a sum, below the least normal number of its format. */
static bool underflows(const struct rounding *how, const uint64_t bits[3])
{
    if (how->operation != rounding_fma) return false;
    const struct exact product = exact_multiply(exact_of(bits[0], how->format),
                                                exact_of(bits[1], how->format));
    const uint64_t size = exact_round(product, how->format, EXACT_ZERO) &
                          (exact_sign(how->format) - 1);
    return size >> how->format.mantissa == 0;
}

static void check_set(const char *text, const struct rounding *how, enum steps_set set)
{
    steps_apply(text, set, how->pairs ? COUNT / 2 : COUNT, arrays[0], arrays[1], arrays[2],
                arrays[3]);
    rounding_load(arrays[0], results, COUNT, how->format);
    const bool fuses = arithmetic_fuses();
    for (size_t i = 0; i < COUNT; i++) {
        const uint64_t x[3] = { operands[0][i], operands[1][i], operands[2][i] };
        const uint64_t right = expected(how, x);
        if (!fuses && underflows(how, x)) continue;
        if (results[i] != right)
            fail_msg("%s (set %d) of %llx %llx %llx is %llx, not %llx", text, set,
                     (unsigned long long)x[0], (unsigned long long)x[1], (unsigned long long)x[2],
                     (unsigned long long)results[i], (unsigned long long)right);
    }
}

void rounding_check(const char *text, const struct rounding *how)
{
    if (how->mode != EXACT_NEAREST && !arithmetic_rounds()) return;
    fill(how->format);
    for (int set = STEPS_PLAIN; set <= STEPS_AVX2; set++)
        if (steps_has((enum steps_set)set)) check_set(text, how, (enum steps_set)set);
}

void rounding_check_modes(const char *name, const char *type, bool flush,
                          const struct rounding *how)
{
    static const char *const modes[] = { "rn", "rz", "rm", "rp" };
    struct rounding one = *how;
    for (int mode = 0; mode < 4; mode++)
        for (int with = 0; with <= flush; with++) {
            char text[48];
            snprintf(text, sizeof text, "%s.%s%s.%s", name, modes[mode], with ? ".ftz" : "", type);
            one.mode = (enum exact_mode)mode;
            one.flush = with;
            rounding_check(text, &one);
        }
}
