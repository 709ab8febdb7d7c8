/* SPDX-License-Identifier: Apache-2.0
 *
 * Integers that are affine in the place of the thread.
 *
 * Sums, differences and products with what is the same for all lanes are affine again, modulo
 * the size of the register.  A number of 32 bits that becomes one of 64 must not wrap around
 * within the bundle, which its least and its largest value tell.
 */
#include "ptx/affine/lanewise.h"
#include "ptx/affine/value.h"

#include <string.h>

/* What a step computes of its sources: true if the result is affine. */
typedef bool function(struct ptx_value *d, const struct ptx_value *x, const struct ptx_value *y,
                      const struct ptx_value *z);

/* Takes a step of sources of `from` bytes, the last one and the result of `to`. */
static inline __attribute__((always_inline))
void take(struct ptx_group *group, const struct ptx_step *step, unsigned sources, unsigned from,
          unsigned to, function *compute)
{
    const struct ptx_frame *frame = group->frame;
    const uint32_t columns[] = { step->a, step->b, step->c };
    unsigned all = PTX_SAME | PTX_SLOPED, known = 0, any = 0;
    for (unsigned i = 0; i < sources; i++) {
        any |= frame->known[columns[i]];
        known += (frame->known[columns[i]] & all) != 0;
    }
    if (group->whole && known == sources && any & PTX_SLOPED) {
        struct ptx_value x[3], d;
        for (unsigned i = 0; i < sources; i++)
            ptx_read_value(frame, columns[i], i == 2 ? to : from, &x[i]);
        if (compute(&d, &x[0], &x[1], &x[2])) {
            ptx_write_value(frame, step->d, to, &d);
            return;
        }
    }
    ptx_take_lanewise(group, step, sources);
}

/* ---- Sums, differences, products ---------------------------------------------------------- */

static inline void add_to(struct ptx_value *d, const struct ptx_value *y, uint64_t times)
{
    d->first += y->first * times;
    for (unsigned k = 0; k < 3; k++) d->slope[k] += y->slope[k] * times;
}

static inline bool sum(struct ptx_value *d, const struct ptx_value *x, const struct ptx_value *y,
                       const struct ptx_value *z)
{
    (void)z;
    *d = *x;
    add_to(d, y, 1);
    return true;
}

static inline bool difference(struct ptx_value *d, const struct ptx_value *x,
                              const struct ptx_value *y, const struct ptx_value *z)
{
    (void)z;
    *d = *x;
    add_to(d, y, (uint64_t)-1);
    return true;
}

static inline bool product(struct ptx_value *d, const struct ptx_value *x,
                           const struct ptx_value *y, const struct ptx_value *z)
{
    (void)z;
    if (x->sloped && y->sloped) return false;
    *d = (struct ptx_value){ .first = 0 };
    if (y->sloped) add_to(d, y, x->first);
    else add_to(d, x, y->first);
    return true;
}

static inline bool product_and_sum(struct ptx_value *d, const struct ptx_value *x,
                                   const struct ptx_value *y, const struct ptx_value *z)
{
    if (!product(d, x, y, z)) return false;
    add_to(d, z, 1);
    return true;
}

static inline bool same(struct ptx_value *d, const struct ptx_value *x, const struct ptx_value *y,
                        const struct ptx_value *z)
{
    (void)y, (void)z;
    *d = *x;
    return true;
}

#define OF_BYTES(bits, bytes) \
    void ptx_affine_add_##bits(struct ptx_group *group, const struct ptx_step *step) \
    { \
        take(group, step, 2, bytes, bytes, sum); \
    } \
    void ptx_affine_sub_##bits(struct ptx_group *group, const struct ptx_step *step) \
    { \
        take(group, step, 2, bytes, bytes, difference); \
    } \
    void ptx_affine_mul_##bits(struct ptx_group *group, const struct ptx_step *step) \
    { \
        take(group, step, 2, bytes, bytes, product); \
    } \
    void ptx_affine_mad_##bits(struct ptx_group *group, const struct ptx_step *step) \
    { \
        take(group, step, 3, bytes, bytes, product_and_sum); \
    } \
    void ptx_affine_mov_##bits(struct ptx_group *group, const struct ptx_step *step) \
    { \
        take(group, step, 1, bytes, bytes, same); \
    }
OF_BYTES(32, 4)
OF_BYTES(64, 8)

/* ---- With a number of the step ------------------------------------------------------------- */

static inline __attribute__((always_inline))
void take_number(struct ptx_group *group, const struct ptx_step *step, unsigned bytes,
                 uint64_t times, uint64_t more)
{
    const struct ptx_frame *frame = group->frame;
    if (group->whole && frame->known[step->a] & PTX_SLOPED) {
        struct ptx_value x, d = { .first = more };
        ptx_read_value(frame, step->a, bytes, &x);
        add_to(&d, &x, times);
        ptx_write_value(frame, step->d, bytes, &d);
        return;
    }
    ptx_take_lanewise(group, step, 1);
}

#define OF_NUMBER(bits, bytes) \
    void ptx_affine_plus_##bits(struct ptx_group *group, const struct ptx_step *step) \
    { \
        take_number(group, step, bytes, 1, (uint64_t)step->immediate); \
    } \
    void ptx_affine_shift_##bits(struct ptx_group *group, const struct ptx_step *step) \
    { \
        take_number(group, step, bytes, UINT64_C(1) << step->immediate, 0); \
    }
OF_NUMBER(32, 4)
OF_NUMBER(64, 8)

/* ---- From 32 to 64 bits, and back ---------------------------------------------------------- */

/* Makes 64 bits of 32, as if no lane wrapped around, and says whether that is so. */
static inline bool widen(const struct ptx_bundle *bundle, struct ptx_value *x, bool is_signed)
{
    if (!is_signed) x->first = (uint32_t)x->first;
    struct ptx_bounds bounds = ptx_bounds_of(bundle, x);
    return is_signed ? bounds.least >= INT32_MIN && bounds.most <= INT32_MAX
                     : bounds.least >= 0 && bounds.most <= UINT32_MAX;
}

static inline __attribute__((always_inline))
void take_wide(struct ptx_group *group, const struct ptx_step *step, unsigned sources,
               bool is_signed)
{
    const struct ptx_frame *frame = group->frame;
    const uint32_t columns[] = { step->a, step->b, step->c };
    struct ptx_value x[3] = { { 0 } }, d;
    unsigned known = 0, any = 0;
    for (unsigned i = 0; i < sources; i++) {
        any |= frame->known[columns[i]];
        known += (frame->known[columns[i]] & (PTX_SAME | PTX_SLOPED)) != 0;
    }
    bool affine = group->whole && known == sources && any & PTX_SLOPED;
    for (unsigned i = 0; i < sources && affine; i++) {
        ptx_read_value(frame, columns[i], i == 2 ? 8 : 4, &x[i]);
        if (i < 2) affine = widen(group->bundle, &x[i], is_signed);
    }
    if (affine && sources == 1) d = x[0];
    else if (affine) affine = product(&d, &x[0], &x[1], NULL);
    if (!affine) {
        ptx_take_lanewise(group, step, sources);
        return;
    }
    if (sources == 3) add_to(&d, &x[2], 1);
    ptx_write_value(frame, step->d, 8, &d);
}

#define WIDE(sign, is_signed) \
    void ptx_affine_widen_##sign##32(struct ptx_group *group, const struct ptx_step *step) \
    { \
        take_wide(group, step, 1, is_signed); \
    } \
    void ptx_affine_mul_wide_##sign##32(struct ptx_group *group, const struct ptx_step *step) \
    { \
        take_wide(group, step, 2, is_signed); \
    } \
    void ptx_affine_mad_wide_##sign##32(struct ptx_group *group, const struct ptx_step *step) \
    { \
        take_wide(group, step, 3, is_signed); \
    }
WIDE(s, true)
WIDE(u, false)

void ptx_affine_narrow(struct ptx_group *group, const struct ptx_step *step)
{
    take(group, step, 1, 8, 4, same);
}

/* ---- Where it begins ----------------------------------------------------------------------- */

void ptx_affine_thread_place(struct ptx_group *group, const struct ptx_step *step)
{
    const struct ptx_bundle *bundle = group->bundle;
    if (!group->whole || step->kind > 2) {
        ptx_affine_writing(group, step);
        return;
    }
    struct ptx_value d = { .first = bundle->corner[step->kind] };
    d.slope[step->kind] = bundle->extent[step->kind] != 0;
    ptx_write_value(group->frame, step->d, 4, &d);
}
