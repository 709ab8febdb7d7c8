/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx/async/reduce.h"

#include <string.h>

#include "ptx/step/half_float.h"

/* ---- One element -------------------------------------------------------------------------- */

static uint64_t reduce_bits(enum reduction how, uint64_t a, uint64_t b)
{
    return how == REDUCE_AND ? a & b : how == REDUCE_OR ? a | b : a ^ b;
}

static uint64_t reduce_unsigned(enum reduction how, uint64_t a, uint64_t b)
{
    switch (how) {
    case REDUCE_ADD: return a + b;
    case REDUCE_MIN: return a < b ? a : b;
    case REDUCE_MAX: return a > b ? a : b;
    case REDUCE_INC: return a >= b ? 0 : a + 1;
    default: return a == 0 || a > b ? b : a - 1;
    }
}

static uint64_t reduce_signed(enum reduction how, int64_t a, int64_t b)
{
    if (how == REDUCE_ADD) return (uint64_t)a + (uint64_t)b;
    return (uint64_t)((a < b) == (how == REDUCE_MIN) ? a : b);
}

/* As measured, these keep subnormal numbers, which atom in global memory does not. */
static uint32_t add_single(uint32_t a, uint32_t b)
{
    float sum = single_of(a) + single_of(b);
    return sum != sum ? SINGLE_NAN : single_bits(sum);
}

/* Returns the number if one of the two is none; -0 is less than +0. */
static uint16_t extreme_half(uint16_t a, uint16_t b, uint16_t infinity, bool most)
{
    const bool no_a = (a & 0x7fff) > infinity, no_b = (b & 0x7fff) > infinity;
    if (no_a || no_b) return no_a && no_b ? HALF_NAN : no_a ? b : a;
    const int x = a & HALF_SIGN ? -(a & 0x7fff) - 1 : a, y = b & HALF_SIGN ? -(b & 0x7fff) - 1 : b;
    return (x < y) != most ? a : b;
}

static uint16_t reduce_half(enum reduction how, uint16_t a, uint16_t b, bool brain)
{
    if (how != REDUCE_ADD)
        return extreme_half(a, b, brain ? BFLOAT_INFINITY : HALF_INFINITY, how == REDUCE_MAX);
    return brain ? bfloat_of(bfloat_value(a) + bfloat_value(b))
                 : half_of(half_value(a) + half_value(b));
}

static uint64_t reduce_element(enum reduction how, enum ptx_type type, uint64_t a, uint64_t b)
{
    switch (type) {
    case PTX_F16: return reduce_half(how, (uint16_t)a, (uint16_t)b, false);
    case PTX_BF16: return reduce_half(how, (uint16_t)a, (uint16_t)b, true);
    case PTX_F32: return add_single((uint32_t)a, (uint32_t)b);
    case PTX_F64: return double_bits(double_of(a) + double_of(b));
    case PTX_S32: return (uint32_t)reduce_signed(how, (int32_t)(uint32_t)a, (int32_t)(uint32_t)b);
    case PTX_S64: return reduce_signed(how, (int64_t)a, (int64_t)b);
    case PTX_B32: case PTX_B64: return reduce_bits(how, a, b);
    default: return reduce_unsigned(how, a, b);
    }
}

/* ---- All of them -------------------------------------------------------------------------- */

#define HAS(how) (1u << REDUCE_##how)

bool ptx_reduces(enum reduction how, enum ptx_type type)
{
    static const uint16_t those[PTX_PRED] = {
        [PTX_F16] = HAS(ADD) | HAS(MIN) | HAS(MAX), [PTX_BF16] = HAS(ADD) | HAS(MIN) | HAS(MAX),
        [PTX_F32] = HAS(ADD), [PTX_F64] = HAS(ADD),
        [PTX_U32] = HAS(ADD) | HAS(MIN) | HAS(MAX) | HAS(INC) | HAS(DEC),
        [PTX_S32] = HAS(ADD) | HAS(MIN) | HAS(MAX),
        [PTX_U64] = HAS(ADD) | HAS(MIN) | HAS(MAX), [PTX_S64] = HAS(MIN) | HAS(MAX),
        [PTX_B32] = HAS(AND) | HAS(OR) | HAS(XOR), [PTX_B64] = HAS(AND) | HAS(OR) | HAS(XOR),
    };
    return type < PTX_PRED && those[type] >> how & 1;
}

#define REDUCE(bits) \
    static void reduce_##bits(enum reduction how, enum ptx_type type, void *to, const void *from, \
                              uint32_t count, bool alone) \
    { \
        typedef uint##bits##_t __attribute__((may_alias)) element; \
        element *at = to; \
        for (uint32_t i = 0; i < count; i++, at++) { \
            uint##bits##_t value, old = alone ? *at : __atomic_load_n(at, __ATOMIC_RELAXED); \
            memcpy(&value, (const char *)from + i * sizeof value, sizeof value); \
            if (alone) \
                *at = (uint##bits##_t)reduce_element(how, type, old, value); \
            else \
                while (!__atomic_compare_exchange_n( \
                    at, &old, (uint##bits##_t)reduce_element(how, type, old, value), true, \
                    __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) \
                    continue; \
        } \
    }

REDUCE(16)
REDUCE(32)
REDUCE(64)

void ptx_reduce(enum reduction how, enum ptx_type type, void *to, const void *from, uint32_t count,
                bool alone)
{
    switch (ptx_type_bytes(type)) {
    case 2: reduce_16(how, type, to, from, count, alone); break;
    case 4: reduce_32(how, type, to, from, count, alone); break;
    default: reduce_64(how, type, to, from, count, alone); break;
    }
}
