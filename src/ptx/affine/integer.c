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

/* What is known of all of a step's sources: PTX_SLOPED if one of them has slopes, PTX_SAME if none
 * has, 0 if too little is known. */
static inline __attribute__((always_inline))
unsigned know_sources(const struct ptx_group *group, const struct ptx_step *step, unsigned sources)
{
    const uint8_t *known = group->frame->known;
    const uint32_t columns[] = { step->a, step->b, step->c };
    unsigned any = 0;
    if (!group->whole) return 0;
    for (unsigned i = 0; i < sources; i++) {
        const unsigned one = known[columns[i]] & (PTX_SAME | PTX_SLOPED);
        if (!one) return 0;
        any |= one;
    }
    return any & PTX_SLOPED ? PTX_SLOPED : PTX_SAME;
}

static __attribute__((noinline)) void take_lanes_1(struct ptx_group *group,
                                                   const struct ptx_step *step)
{
    ptx_take_lanewise(group, step, 1);
}

static __attribute__((noinline)) void take_lanes_2(struct ptx_group *group,
                                                   const struct ptx_step *step)
{
    ptx_take_lanewise(group, step, 2);
}

static __attribute__((noinline)) void take_lanes_3(struct ptx_group *group,
                                                   const struct ptx_step *step)
{
    ptx_take_lanewise(group, step, 3);
}

/* ---- Sums, differences, products ---------------------------------------------------------- */

/* Adds slopes to others, as often as `times` says. */
static inline void add_slope(uint64_t slope[3], const struct ptx_frame *frame, uint32_t column,
                             uint64_t times)
{
    const struct ptx_slope *more = &frame->slopes[column / 4];
    if (!(frame->known[column] & PTX_SLOPED)) return;
    for (unsigned k = 0; k < 3; k++) slope[k] += (uint64_t)more->along[k] * times;
}

/* Takes a step that adds `times` times the second source to the first. */
static inline __attribute__((always_inline))
void take_sum(struct ptx_group *group, const struct ptx_step *step, unsigned bytes, uint64_t times)
{
    const struct ptx_frame *frame = group->frame;
    const unsigned known = know_sources(group, step, 2);
    if (!known) {
        take_lanes_2(group, step);
        return;
    }
    const uint64_t first = ptx_read_once(frame, step->a, bytes) +
                           ptx_read_once(frame, step->b, bytes) * times;
    if (known == PTX_SAME) {
        ptx_write_same(frame, step->d, bytes, first);
        return;
    }
    uint64_t slope[3] = { 0 };
    add_slope(slope, frame, step->a, 1);
    add_slope(slope, frame, step->b, times);
    ptx_write_sloped(frame, step->d, bytes, first, slope);
}

/* Takes a step that multiplies its first two sources, and adds the third if there is one. */
static inline __attribute__((always_inline))
void take_product(struct ptx_group *group, const struct ptx_step *step, unsigned sources,
                  unsigned bytes)
{
    const struct ptx_frame *frame = group->frame;
    const unsigned known = know_sources(group, step, sources);
    if (!known || frame->known[step->a] & frame->known[step->b] & PTX_SLOPED) {
        if (sources == 2) take_lanes_2(group, step);
        else take_lanes_3(group, step);
        return;
    }
    const uint64_t x = ptx_read_once(frame, step->a, bytes);
    const uint64_t y = ptx_read_once(frame, step->b, bytes);
    const uint64_t first = x * y + (sources == 3 ? ptx_read_once(frame, step->c, bytes) : 0);
    if (known == PTX_SAME) {
        ptx_write_same(frame, step->d, bytes, first);
        return;
    }
    uint64_t slope[3] = { 0 };
    add_slope(slope, frame, step->a, y);
    add_slope(slope, frame, step->b, x);
    if (sources == 3) add_slope(slope, frame, step->c, 1);
    ptx_write_sloped(frame, step->d, bytes, first, slope);
}

/* Takes a step that multiplies its source by a number and adds another one; the result may have
 * fewer bytes. */
static inline __attribute__((always_inline))
void take_number(struct ptx_group *group, const struct ptx_step *step, unsigned from, unsigned to,
                 uint64_t times, uint64_t more)
{
    const struct ptx_frame *frame = group->frame;
    const unsigned known = know_sources(group, step, 1);
    if (!known) {
        take_lanes_1(group, step);
        return;
    }
    const uint64_t first = ptx_read_once(frame, step->a, from) * times + more;
    if (known == PTX_SAME) {
        ptx_write_same(frame, step->d, to, first);
        return;
    }
    uint64_t slope[3] = { 0 };
    add_slope(slope, frame, step->a, times);
    ptx_write_sloped(frame, step->d, to, first, slope);
}

#define OF_BYTES(bits, bytes) \
    void ptx_affine_add_##bits(struct ptx_group *group, const struct ptx_step *step) \
    { \
        take_sum(group, step, bytes, 1); \
    } \
    void ptx_affine_sub_##bits(struct ptx_group *group, const struct ptx_step *step) \
    { \
        take_sum(group, step, bytes, (uint64_t)-1); \
    } \
    void ptx_affine_mul_##bits(struct ptx_group *group, const struct ptx_step *step) \
    { \
        take_product(group, step, 2, bytes); \
    } \
    void ptx_affine_mad_##bits(struct ptx_group *group, const struct ptx_step *step) \
    { \
        take_product(group, step, 3, bytes); \
    } \
    void ptx_affine_mov_##bits(struct ptx_group *group, const struct ptx_step *step) \
    { \
        take_number(group, step, bytes, bytes, 1, 0); \
    } \
    void ptx_affine_plus_##bits(struct ptx_group *group, const struct ptx_step *step) \
    { \
        take_number(group, step, bytes, bytes, 1, (uint64_t)step->immediate); \
    } \
    void ptx_affine_shift_##bits(struct ptx_group *group, const struct ptx_step *step) \
    { \
        take_number(group, step, bytes, bytes, UINT64_C(1) << step->immediate, 0); \
    }
OF_BYTES(32, 4)
OF_BYTES(64, 8)

/* ---- From 32 to 64 bits, and back ---------------------------------------------------------- */

/* Reads a source of 32 bits as a number of 64, and says whether no lane wraps around. */
static inline __attribute__((always_inline))
bool widen(const struct ptx_group *group, uint32_t column, bool is_signed, uint64_t *first)
{
    const struct ptx_frame *frame = group->frame;
    *first = ptx_read_once(frame, column, 4);
    if (!is_signed) *first = (uint32_t)*first;
    if (!(frame->known[column] & PTX_SLOPED)) return true;
    struct ptx_bounds bounds =
        ptx_bounds_of(group->bundle, *first, &frame->slopes[column / 4]);
    return is_signed ? bounds.least >= INT32_MIN && bounds.most <= INT32_MAX
                     : bounds.least >= 0 && bounds.most <= UINT32_MAX;
}

static inline __attribute__((always_inline))
void take_wide(struct ptx_group *group, const struct ptx_step *step, unsigned sources,
               bool is_signed)
{
    const struct ptx_frame *frame = group->frame;
    const unsigned known = know_sources(group, step, sources);
    uint64_t x = 0, y = 1;
    if (!known || !widen(group, step->a, is_signed, &x) ||
        (sources > 1 && (!widen(group, step->b, is_signed, &y) ||
                         frame->known[step->a] & frame->known[step->b] & PTX_SLOPED))) {
        if (sources == 1) take_lanes_1(group, step);
        else if (sources == 2) take_lanes_2(group, step);
        else take_lanes_3(group, step);
        return;
    }
    const uint64_t first = x * y + (sources == 3 ? ptx_read_once(frame, step->c, 8) : 0);
    if (known == PTX_SAME) {
        ptx_write_same(frame, step->d, 8, first);
        return;
    }
    uint64_t slope[3] = { 0 };
    add_slope(slope, frame, step->a, y);
    if (sources > 1) add_slope(slope, frame, step->b, x);
    if (sources > 2) add_slope(slope, frame, step->c, 1);
    ptx_write_sloped(frame, step->d, 8, first, slope);
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

void ptx_affine_widen_address(struct ptx_group *group, const struct ptx_step *step)
{
    if (!(group->frame->known[step->a] & (PTX_SAME | PTX_SLOPED))) take_lanes_1(group, step);
}

void ptx_affine_narrow(struct ptx_group *group, const struct ptx_step *step)
{
    take_number(group, step, 8, 4, 1, 0);
}

/* ---- Where it begins ----------------------------------------------------------------------- */

void ptx_affine_thread_place(struct ptx_group *group, const struct ptx_step *step)
{
    const struct ptx_bundle *bundle = group->bundle;
    if (!group->whole || step->kind > 2) {
        ptx_affine_writing(group, step);
        return;
    }
    if (step->kind == 2 && group->block->abreast > 1) {
        ptx_write_same(group->frame, step->d, 4, 0);
        return;
    }
    uint64_t slope[3] = { 0 };
    slope[step->kind] = bundle->extent[step->kind] != 0;
    ptx_write_sloped(group->frame, step->d, 4, bundle->corner[step->kind], slope);
}

/* Of the block and the grid: the same for all threads. */
static inline void take_place(struct ptx_group *group, const struct ptx_step *step,
                              const uint32_t numbers[3])
{
    if (group->whole)
        ptx_write_same(group->frame, step->d, 4, step->kind < 3 ? numbers[step->kind] : 0);
    else
        ptx_affine_lanewise_0(group, step);
}

void ptx_affine_block_size(struct ptx_group *group, const struct ptx_step *step)
{
    take_place(group, step, group->block->launch->block);
}

void ptx_affine_block_place(struct ptx_group *group, const struct ptx_step *step)
{
    static const uint64_t across[3] = { 0, 0, 1 };
    const struct ptx_block *block = group->block;
    if (block->abreast == 1 || step->kind != 0) take_place(group, step, block->index);
    else if (group->whole) ptx_write_sloped(group->frame, step->d, 4, block->index[0], across);
    else ptx_affine_writing(group, step);
}

void ptx_affine_grid_size(struct ptx_group *group, const struct ptx_step *step)
{
    take_place(group, step, group->block->launch->grid);
}
