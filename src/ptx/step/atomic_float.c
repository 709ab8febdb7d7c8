/* SPDX-License-Identifier: Apache-2.0
 *
 * Atomic operations on floats, and on vectors of them, each element for itself.
 */
#include "ptx/step/atomic.h"

#include "ptx/step/half_float.h"

/* ---- Single values ------------------------------------------------------------------------ */

static uint32_t add_f32(uint32_t a, uint32_t b)
{
    float sum = single_of(a) + single_of(b);
    return sum != sum ? SINGLE_NAN : single_bits(sum);
}

/* As measured, global memory knows no subnormal numbers. */
static uint32_t add_f32_flushed(uint32_t a, uint32_t b)
{
    uint32_t x = single_bits(single_flushed(single_of(a)));
    uint32_t sum = add_f32(x, single_bits(single_flushed(single_of(b))));
    return single_bits(single_flushed(single_of(sum)));
}

static uint64_t add_f64(uint64_t a, uint64_t b)
{
    const double x = double_of(a), y = double_of(b);
    return double_bits(double_result(x + y, x, y, 0));
}

/* ---- Halves ------------------------------------------------------------------------------- */

/* A sum of two halves, rounded to f32 and then again, is the sum rounded once: f32 has more
 * than twice their digits. */
static uint16_t add_f16(uint16_t a, uint16_t b)
{
    return half_of(half_value(a) + half_value(b));
}

static uint16_t add_bf16(uint16_t a, uint16_t b)
{
    return bfloat_of(bfloat_value(a) + bfloat_value(b));
}

/* Returns the number if one of the two is none; -0 is less than +0. */
static uint16_t least(uint16_t a, uint16_t b, uint16_t infinity, bool most)
{
    bool no_a = (a & 0x7fff) > infinity, no_b = (b & 0x7fff) > infinity;
    if (no_a || no_b) return no_a && no_b ? HALF_NAN : no_a ? b : a;
    int x = a & HALF_SIGN ? -(a & 0x7fff) - 1 : a, y = b & HALF_SIGN ? -(b & 0x7fff) - 1 : b;
    return (x < y) != most ? a : b;
}

#define EXTREMES(kind, infinity) \
    static uint16_t min_##kind(uint16_t a, uint16_t b) { return least(a, b, infinity, false); } \
    static uint16_t max_##kind(uint16_t a, uint16_t b) { return least(a, b, infinity, true); }

EXTREMES(f16, HALF_INFINITY)
EXTREMES(bf16, BFLOAT_INFINITY)

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

#define MOST_WIDE 8 /* elements of a vector */

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
    void ptx_atomic_##name(struct ptx_group *group, const struct ptx_step *step) \
    { \
        struct ptx_access access; \
        ptx_atomic_open(&access, group, step, (uint32_t)sizeof(memory) * step->width); \
        const uint32_t *columns = group->frame->program->columns + step->more; \
        PTX_IN_TURN(group, i) { \
            memory *at = (memory *)(void *)ptx_access_place(&access, i); \
            if (!at) return; \
            bool alone = ptx_atomic_alone(&access); \
            reg values[MOST_WIDE]; /* a result may be put where another value is read */ \
            for (uint32_t n = 0; n < step->width; n++) \
                values[n] = PTX_COLUMN(group, step->width == 1 ? step->b : columns[n], \
                                       const reg)[i]; \
            for (uint32_t n = 0; n < step->width; n++) { \
                uint32_t to = step->width == 1 ? step->d : columns[step->width + n]; \
                reg old = name##_at(&at[n], values[n], alone); \
                if (to != PTX_NO_COLUMN) PTX_COLUMN(group, to, reg)[i] = old; \
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
