/* SPDX-License-Identifier: Apache-2.0
 *
 * suld, sust and sured: bytes of a surface, without any conversion.  The first coordinate counts
 * bytes.
 */
#include "ptx/texture/bound.h"
#include "ptx/texture/steps.h"

#include <string.h>

#include "ptx/run/fault.h"

struct surface {
    struct ptx_group *group;
    const struct ptx_step *step;
    struct ptx_texture_plan plan;
    struct ptx_bound bound;
    const uint32_t *layer, *coordinates[3];
    unsigned char *elements[4];
};

static void open_surface(struct surface *surface, struct ptx_group *group,
                         const struct ptx_step *step)
{
    const uint32_t *columns = group->frame->program->columns + step->more;
    *surface = (struct surface){ .group = group, .step = step };
    memcpy(&surface->plan, &step->immediate, sizeof surface->plan);
    if (surface->plan.layered) surface->layer = PTX_COLUMN(group, *columns++, uint32_t);
    for (unsigned d = 0; d < surface->plan.dimensions; d++)
        surface->coordinates[d] = PTX_COLUMN(group, *columns++, uint32_t);
    for (unsigned n = 0; n < step->width; n++)
        surface->elements[n] = PTX_COLUMN(group, *columns++, unsigned char);
}

enum found { INSIDE, NOWHERE, FAILED };

/* Brings a coordinate inside, or says what is to be done: at most `last` is inside. */
static enum found settle(const struct surface *surface, uint32_t lane, int64_t *at, int64_t last)
{
    if (*at >= 0 && *at <= last) return INSIDE;
    if (surface->plan.edge == PTX_EDGE_IS_ZERO) return NOWHERE;
    if (surface->plan.edge == PTX_EDGE_TRAPS) {
        ptx_fail(surface->group, surface->step, lane, RILL_ERROR_ILLEGAL_ADDRESS, 0,
                 "access outside of a surface, at %lld of %lld", (long long)*at,
                 (long long)last + 1);
        return FAILED;
    }
    *at = *at < 0 || last < 0 ? 0 : last;
    return INSIDE;
}

/* Finds the bytes of a lane's access, from the first of the surface on. */
static enum found find_bytes(const struct surface *surface, uint32_t lane, uint64_t *offset)
{
    const struct ptx_texture *texture = &surface->bound.texture;
    uint32_t bytes = surface->plan.bytes * surface->step->width;
    int64_t row = (int64_t)texture->extent[0] * texture->channels *
                  ptx_texel_bytes(texture->texel);
    int64_t at[3] = { 0, 0, 0 }, last[3] = { row - bytes, texture->extent[1] - 1,
                                             texture->extent[2] - 1 };
    for (unsigned d = 0; d < surface->plan.dimensions; d++)
        at[d] = (int32_t)surface->coordinates[d][lane];
    if (surface->plan.layered) at[2] = surface->layer[lane];
    for (unsigned d = 0; d < 3; d++) {
        enum found found = settle(surface, lane, &at[d], last[d]);
        if (found != INSIDE) return found;
    }
    *offset = (uint64_t)at[2] * texture->slice + (uint64_t)at[1] * texture->pitch +
              (uint64_t)at[0];
    return row < bytes ? NOWHERE : INSIDE;
}

static void load_lane(struct surface *surface, uint32_t lane, const unsigned char *from)
{
    uint32_t bytes = surface->plan.bytes, reg = surface->plan.reg;
    for (unsigned n = 0; n < surface->step->width; n++) {
        unsigned char *to = surface->elements[n] + (size_t)lane * reg;
        memset(to, 0, reg);
        if (from) memcpy(to, from + n * bytes, bytes);
    }
}

static void store_lane(struct surface *surface, uint32_t lane, unsigned char *to)
{
    uint32_t bytes = surface->plan.bytes, reg = surface->plan.reg;
    for (unsigned n = 0; n < surface->step->width; n++)
        memcpy(to + n * bytes, surface->elements[n] + (size_t)lane * reg, bytes);
}

/* Finds the bytes of a lane's access in memory, NULL if there are none.  Returns false if the lane
 * has failed. */
static bool find_place(struct surface *surface, uint32_t lane, bool write, unsigned char **place)
{
    const struct ptx_step *step = surface->step;
    uint64_t offset = 0, handle = PTX_COLUMN(surface->group, step->a, uint64_t)[lane];
    if (!ptx_bind_texture(surface->group, step, lane, handle, true, write, &surface->bound))
        return false;
    enum found found = find_bytes(surface, lane, &offset);
    if (found == FAILED) return false;
    *place = found == INSIDE ? surface->bound.host + offset : NULL;
    if (*place && surface->group->block->watched)
        ptx_note_texels(surface->group, step, &surface->bound, offset,
                        (uint32_t)surface->plan.bytes * step->width, write);
    return true;
}

/* Returns false if the lane has failed. */
static bool access_lane(struct surface *surface, uint32_t lane, bool write)
{
    unsigned char *place;
    if (!find_place(surface, lane, write, &place)) return false;
    if (!write) load_lane(surface, lane, place);
    else if (place) store_lane(surface, lane, place);
    return true;
}

void ptx_surface_load_step(struct ptx_group *group, const struct ptx_step *step)
{
    struct surface surface;
    open_surface(&surface, group, step);
    PTX_IN_TURN(group, i)
        if (!access_lane(&surface, i, false)) return;
}

/* Of lanes that store to one element the first one wins, as on an H100. */
void ptx_surface_store_step(struct ptx_group *group, const struct ptx_step *step)
{
    struct surface surface;
    open_surface(&surface, group, step);
    for (uint32_t r = group->range_count; r > 0; r--)
        for (uint32_t i = group->ranges[r - 1].to; i > group->ranges[r - 1].from; i--)
            if (!access_lane(&surface, i - 1, true)) return;
}

/* ---- sured ------------------------------------------------------------------------------- */

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

/* Returns false if the lane has failed. */
static bool reduce_lane(struct surface *surface, uint32_t lane)
{
    const uint32_t bytes = surface->plan.bytes;
    unsigned char *place;
    if (!find_place(surface, lane, true, &place)) return false;
    if (!place) return true;
    if ((uintptr_t)place % bytes) {
        ptx_fail(surface->group, surface->step, lane, RILL_ERROR_MISALIGNED_ADDRESS, 0,
                 "a reduction of %u bytes in a surface, at what is no multiple of that", bytes);
        return false;
    }
    void *aligned = place;
    const unsigned char *with = surface->elements[0] + (size_t)lane * bytes;
    uint64_t number = 0;
    memcpy(&number, with, bytes);
    if (bytes == 4) reduce_word(surface->plan.asked, aligned, (uint32_t)number);
    else reduce_long_word(surface->plan.asked, aligned, number);
    return true;
}

void ptx_surface_reduce_step(struct ptx_group *group, const struct ptx_step *step)
{
    struct surface surface;
    open_surface(&surface, group, step);
    PTX_IN_TURN(group, i)
        if (!reduce_lane(&surface, i)) return;
}
