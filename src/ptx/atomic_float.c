/* SPDX-License-Identifier: Apache-2.0
 *
 * Atomic operations on floats, and on vectors of them, each element for itself.
 */
#include "ptx/atomic.h"

#include <math.h>
#include <string.h>

/* ---- Single values ------------------------------------------------------------------------ */

static float f32_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static uint32_t add_f32(uint32_t a, uint32_t b)
{
    float sum = f32_of(a) + f32_of(b);
    return isnan(sum) ? 0x7fffffff : bits_of(sum);
}

static uint32_t flush(uint32_t bits)
{
    return bits & 0x7f800000 ? bits : bits & 0x80000000;
}

/* Global memory knows no subnormal numbers, on hardware. */
static uint32_t add_f32_flushed(uint32_t a, uint32_t b)
{
    return flush(add_f32(flush(a), flush(b)));
}

static uint64_t add_f64(uint64_t a, uint64_t b)
{
    double x, y;
    memcpy(&x, &a, sizeof x);
    memcpy(&y, &b, sizeof y);
    x += y;
    memcpy(&a, &x, sizeof a);
    return a;
}

/* ---- Halves ------------------------------------------------------------------------------- */

/* A sum of two halves, rounded to f32 and then again, is the sum rounded once: f32 has more
 * than twice their digits. */
struct half {
    unsigned digits;   /* of the fraction that is stored */
    uint16_t infinity;
};

static const struct half f16 = { 10, 0x7c00 }, bf16 = { 7, 0x7f80 };

static float half_value(const struct half *half, uint16_t bits)
{
    unsigned magnitude = bits & 0x7fff, digits = half->digits;
    if (half == &bf16) return f32_of((uint32_t)bits << 16);
    float value;
    if (magnitude >= half->infinity)
        value = f32_of(0x7f800000 | (magnitude & ((1u << digits) - 1)) << (23 - digits));
    else if (magnitude >> digits == 0)
        value = ldexpf((float)magnitude, -24);
    else
        value = f32_of((magnitude << (23 - digits)) + ((127u - 15) << 23));
    return bits & 0x8000 ? -value : value;
}

/* To the nearest, ties to even. */
static uint32_t shift_rounded(uint32_t bits, unsigned by)
{
    if (by > 31) return 0;
    uint32_t low = bits & ((1u << by) - 1), tie = 1u << (by - 1), high = bits >> by;
    return high + (low > tie || (low == tie && (high & 1)));
}

static uint16_t half_bits(const struct half *half, float value)
{
    uint32_t bits = bits_of(value), magnitude = bits & 0x7fffffff;
    uint16_t sign = (uint16_t)(bits >> 16 & 0x8000);
    if (isnan(value)) return 0x7fff;
    if (half == &bf16) return (uint16_t)(sign | shift_rounded(magnitude, 16));
    if (magnitude >= (127u + 16) << 23) return sign | half->infinity;
    if (magnitude >= (127u - 14) << 23)
        return (uint16_t)(sign | shift_rounded(magnitude - ((127u - 15) << 23), 13));
    unsigned exponent = magnitude >> 23;
    uint32_t fraction = (magnitude & 0x7fffff) | 0x800000;
    return (uint16_t)(sign | (exponent < 102 ? 0 : shift_rounded(fraction, 126 - exponent)));
}

static uint16_t half_add(const struct half *half, uint16_t a, uint16_t b)
{
    return half_bits(half, half_value(half, a) + half_value(half, b));
}

/* The number of the two where one is none; -0 is less than +0. */
static uint16_t half_least(const struct half *half, uint16_t a, uint16_t b, bool most)
{
    bool no_a = (a & 0x7fff) > half->infinity, no_b = (b & 0x7fff) > half->infinity;
    if (no_a || no_b) return no_a && no_b ? 0x7fff : no_a ? b : a;
    int x = a & 0x8000 ? -(a & 0x7fff) - 1 : a, y = b & 0x8000 ? -(b & 0x7fff) - 1 : b;
    return (x < y) != most ? a : b;
}

#define HALVES(kind) \
    static uint16_t add_##kind(uint16_t a, uint16_t b) { return half_add(&kind, a, b); } \
    static uint16_t min_##kind(uint16_t a, uint16_t b) \
    { return half_least(&kind, a, b, false); } \
    static uint16_t max_##kind(uint16_t a, uint16_t b) \
    { return half_least(&kind, a, b, true); }

HALVES(f16)
HALVES(bf16)

#define PAIR(operation) \
    static uint32_t operation##x2(uint32_t a, uint32_t b) \
    { \
        return (uint32_t)operation((uint16_t)(a >> 16), (uint16_t)(b >> 16)) << 16 | \
               operation((uint16_t)a, (uint16_t)b); \
    }

PAIR(add_f16)
PAIR(min_f16)
PAIR(max_f16)
PAIR(add_bf16)
PAIR(min_bf16)
PAIR(max_bf16)

/* ---- Steps -------------------------------------------------------------------------------- */

#define ATOMIC(name, memory, reg, shared, global) \
    static inline reg name##_at(memory *at, reg b, bool alone) \
    { \
        if (alone) { \
            reg old = *at; \
            *at = shared(old, b); \
            return old; \
        } \
        reg old = __atomic_load_n(at, __ATOMIC_RELAXED); \
        while (!__atomic_compare_exchange_n(at, &old, global(old, b), true, __ATOMIC_ACQ_REL, \
                                            __ATOMIC_RELAXED)) \
            continue; \
        return old; \
    } \
    void ptx_atomic_##name(struct ptx_front *front, const struct ptx_step *step) \
    { \
        struct ptx_access access; \
        ptx_atomic_open(&access, front, step, (uint32_t)sizeof(memory) * step->width); \
        const uint32_t *columns = front->frame->program->columns + step->more; \
        PTX_IN_TURN(front, i) { \
            memory *at = (memory *)(void *)ptx_access_place(&access, i); \
            if (!at) return; \
            bool alone = ptx_atomic_alone(&access); \
            for (uint32_t n = 0; n < step->width; n++) { \
                uint32_t from = step->width == 1 ? step->b : columns[n]; \
                uint32_t to = step->width == 1 ? step->d : columns[step->width + n]; \
                reg old = name##_at(&at[n], PTX_COLUMN(front, from, const reg)[i], alone); \
                if (to != PTX_NO_COLUMN) PTX_COLUMN(front, to, reg)[i] = old; \
            } \
        } \
    }

ATOMIC(add_f32, ptx_mem32, uint32_t, add_f32, add_f32_flushed)
ATOMIC(add_f64, ptx_mem64, uint64_t, add_f64, add_f64)
ATOMIC(add_f16, ptx_mem16, uint16_t, add_f16, add_f16)
ATOMIC(min_f16, ptx_mem16, uint16_t, min_f16, min_f16)
ATOMIC(max_f16, ptx_mem16, uint16_t, max_f16, max_f16)
ATOMIC(add_bf16, ptx_mem16, uint16_t, add_bf16, add_bf16)
ATOMIC(min_bf16, ptx_mem16, uint16_t, min_bf16, min_bf16)
ATOMIC(max_bf16, ptx_mem16, uint16_t, max_bf16, max_bf16)
ATOMIC(add_f16x2, ptx_mem32, uint32_t, add_f16x2, add_f16x2)
ATOMIC(min_f16x2, ptx_mem32, uint32_t, min_f16x2, min_f16x2)
ATOMIC(max_f16x2, ptx_mem32, uint32_t, max_f16x2, max_f16x2)
ATOMIC(add_bf16x2, ptx_mem32, uint32_t, add_bf16x2, add_bf16x2)
ATOMIC(min_bf16x2, ptx_mem32, uint32_t, min_bf16x2, min_bf16x2)
ATOMIC(max_bf16x2, ptx_mem32, uint32_t, max_bf16x2, max_bf16x2)
