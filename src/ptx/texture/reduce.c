/* SPDX-License-Identifier: Apache-2.0
 *
 * sured: reductions into words of a surface.  Those of sured.p are counted from the beginning of a
 * row, whatever its elements are, which only say whether there are signs: so an H100 does it.
 */
#include "ptx/texture/surface.h"

#include <string.h>

#include "ptx/run/fault.h"

static uint64_t signed_least(uint64_t a, uint64_t b, bool most)
{
    return ((int64_t)a < (int64_t)b) != most ? a : b;
}

/* Numbers of 32 bits have been extended, by their sign if they have one. */
static uint64_t reduced(uint8_t how, uint64_t old, uint64_t with)
{
    switch (how) {
    case PTX_SURFACE_ADD: return old + with;
    case PTX_SURFACE_MIN: return old < with ? old : with;
    case PTX_SURFACE_MAX: return old > with ? old : with;
    case PTX_SURFACE_SIGNED_MIN: return signed_least(old, with, false);
    case PTX_SURFACE_SIGNED_MAX: return signed_least(old, with, true);
    case PTX_SURFACE_AND: return old & with;
    default: return old | with;
    }
}

static uint64_t extended(uint8_t how, uint32_t number)
{
    const bool is_signed = how == PTX_SURFACE_SIGNED_MIN || how == PTX_SURFACE_SIGNED_MAX;
    return is_signed ? (uint64_t)(int32_t)number : number;
}

/* Other blocks may reduce into the same element at the same time. */
static void reduce_word(uint8_t how, uint32_t *place, uint32_t with)
{
    uint32_t old = __atomic_load_n(place, __ATOMIC_RELAXED), now;
    do now = (uint32_t)reduced(how, extended(how, old), extended(how, with));
    while (!__atomic_compare_exchange_n(place, &old, now, true, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED));
}

static void reduce_long_word(uint8_t how, uint64_t *place, uint64_t with)
{
    uint64_t old = __atomic_load_n(place, __ATOMIC_RELAXED), now;
    do now = reduced(how, old, with);
    while (!__atomic_compare_exchange_n(place, &old, now, true, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED));
}

/* Returns the reduction of a lane: with signs if the elements say so. */
static uint8_t reduction_of(const struct ptx_surface *surface)
{
    const uint8_t how = surface->plan.asked;
    if (surface->plan.unit != PTX_UNIT_NUMBER ||
        surface->bound.texture.texel != PTX_TEXEL_S32) return how;
    return how == PTX_SURFACE_MIN   ? PTX_SURFACE_SIGNED_MIN
           : how == PTX_SURFACE_MAX ? PTX_SURFACE_SIGNED_MAX : how;
}

/* Returns false if the lane has failed. */
static bool check_place(struct ptx_surface *surface, uint32_t lane, const unsigned char *place)
{
    const uint32_t bytes = surface->plan.bytes;
    if ((uintptr_t)place % bytes == 0) return true;
    ptx_fail(surface->group, surface->step, lane, RILL_ERROR_MISALIGNED_ADDRESS, 0,
             "a reduction of %u bytes in a surface, at what is no multiple of that", bytes);
    return false;
}

/* Returns false if the lane has failed. */
static bool reduce_lane(struct ptx_surface *surface, uint32_t lane)
{
    const uint32_t bytes = surface->plan.bytes;
    unsigned char *place;
    uint64_t number = 0;
    if (!ptx_find_in_surface(surface, lane, true, &place)) return false;
    if (!place) return true;
    if (!check_place(surface, lane, place)) return false;
    void *aligned = place;
    memcpy(&number, surface->elements[0] + (size_t)lane * bytes, bytes);
    if (bytes == 4) reduce_word(reduction_of(surface), aligned, (uint32_t)number);
    else reduce_long_word(reduction_of(surface), aligned, number);
    return true;
}

void ptx_surface_reduce_step(struct ptx_group *group, const struct ptx_step *step)
{
    struct ptx_surface surface;
    ptx_open_surface(&surface, group, step);
    PTX_IN_TURN(group, i)
        if (!reduce_lane(&surface, i)) return;
}
