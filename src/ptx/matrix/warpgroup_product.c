/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>
#include <string.h>

#include "ptx/matrix/float_sum.h"
#include "ptx/matrix/warpgroup.h"

/* ---- Floating-point numbers --------------------------------------------------------------- */

/* Some rows of a and all of b; `chosen` is of b, for a row of a that is sparse. */
struct factors {
    struct float_factor a, b, chosen;
};

size_t ptx_warpgroup_product_bytes(const struct warpgroup_plan *plan)
{
    if (plan->d == PTX_S32) return 0;
    return plan->flags & WARPGROUP_SPARSE ? sizeof(struct factors)
                                          : offsetof(struct factors, chosen);
}

/* Reads rows of a factor as numbers. */
static void unpack_rows(unsigned char (*rows)[WARPGROUP_ROW], uint32_t count, uint32_t length,
                        enum ptx_type type, bool negate, struct float_factor *to)
{
    const struct float_format format = float_format_of(type);
    const uint32_t bits = 1u + format.exponent + format.mantissa + format.unused, bytes = bits / 8;
    const uint32_t sign = negate ? UINT32_C(1) << (bits - 1) : 0;
    for (uint32_t row = 0; row < count; row++) {
        to->special[row] = false;
        for (uint32_t k = 0; k < length / bytes; k++) {
            uint32_t word = 0;
            memcpy(&word, rows[row] + k * bytes, bytes);
            ptx_float_put(to, row, k, float_number_of(format, word ^ sign));
        }
    }
}

/* Products of 8-bit numbers are cut earlier than others, and so are what they are added to, and
 * the sum. */
static struct float_rule rule_of(const struct warpgroup_plan *plan)
{
    const bool bytes = plan->a == PTX_E4M3 || plan->a == PTX_E5M2;
    return (struct float_rule){
        .depth = bytes ? 32 : plan->a == PTX_TF32 ? 8 : 16,
        .fraction = bytes ? 13 : 25,
        .unused = bytes ? 0x3ff : 0,
        .half = plan->d == PTX_F16,
    };
}

static void multiply_floats(const struct warpgroup_plan *plan, struct warpgroup_slice *slice)
{
    const struct float_rule rule = rule_of(plan);
    struct factors *factors = slice->scratch;
    struct float_factor *a = &factors->a, *b = &factors->b, *chosen = &factors->chosen;
    unpack_rows(slice->b, slice->columns, ptx_warpgroup_row(plan), (enum ptx_type)plan->b, false,
                b);
    for (uint32_t from = 0; from < WARPGROUP_M; from += FLOAT_ROWS) {
        unpack_rows(slice->a + from, FLOAT_ROWS, WARPGROUP_KEPT, (enum ptx_type)plan->a,
                    plan->flags & WARPGROUP_NEGATES, a);
        for (uint32_t row = 0; row < FLOAT_ROWS; row++) {
            const uint8_t *places = ptx_warpgroup_places(slice, from + row);
            if (places) ptx_float_choose(b, slice->columns, places, rule.depth, chosen);
            for (uint32_t column = 0; column < slice->columns; column++) {
                uint32_t *d = &slice->d[from + row][column];
                *d = ptx_float_sum(&rule, a, row, places ? chosen : b, column, rule.depth, *d);
            }
        }
    }
}

/* ---- Integers ----------------------------------------------------------------------------- */

static int32_t byte_of(unsigned char byte, uint8_t type)
{
    return type == PTX_S8 ? (int8_t)byte : byte;
}

static int32_t sum_of_bytes(const struct warpgroup_plan *plan, const unsigned char *a,
                            const unsigned char *b, const uint8_t *places)
{
    int32_t sum = 0;
    for (uint32_t k = 0; k < WARPGROUP_KEPT; k++)
        sum += byte_of(a[k], plan->a) * byte_of(b[places ? places[k] : k], plan->b);
    return sum;
}

/* Returns how many bits are set in both. */
static int32_t sum_of_bits(const unsigned char *a, const unsigned char *b)
{
    uint64_t left[WARPGROUP_KEPT / 8], right[WARPGROUP_KEPT / 8];
    int32_t sum = 0;
    memcpy(left, a, sizeof left);
    memcpy(right, b, sizeof right);
    for (uint32_t i = 0; i < WARPGROUP_KEPT / 8; i++)
        sum += __builtin_popcountll(left[i] & right[i]);
    return sum;
}

static uint32_t added(uint32_t d, int32_t sum, bool saturates)
{
    const int64_t exact = (int64_t)(int32_t)d + sum;
    if (saturates && exact > INT32_MAX) return INT32_MAX;
    if (saturates && exact < INT32_MIN) return (uint32_t)INT32_MIN;
    return (uint32_t)exact;
}

static void multiply_integers(const struct warpgroup_plan *plan, struct warpgroup_slice *slice)
{
    for (uint32_t row = 0; row < WARPGROUP_M; row++) {
        const uint8_t *places = ptx_warpgroup_places(slice, row);
        for (uint32_t column = 0; column < slice->columns; column++) {
            const unsigned char *a = slice->a[row], *b = slice->b[column];
            const int32_t sum = plan->a == PTX_B1 ? sum_of_bits(a, b)
                                                  : sum_of_bytes(plan, a, b, places);
            uint32_t *d = &slice->d[row][column];
            *d = added(*d, sum, plan->flags & WARPGROUP_SATURATES);
        }
    }
}

void ptx_warpgroup_multiply(const struct warpgroup_plan *plan, struct warpgroup_slice *slice)
{
    if (plan->d == PTX_S32) multiply_integers(plan, slice);
    else multiply_floats(plan, slice);
}
