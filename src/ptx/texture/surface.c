/* SPDX-License-Identifier: Apache-2.0
 *
 * suld.b and sust.b: bytes of a surface, without any conversion.
 */
#include "ptx/texture/surface.h"

#include <string.h>

#include "ptx/run/fault.h"

void ptx_open_surface(struct ptx_surface *surface, struct ptx_group *group,
                      const struct ptx_step *step)
{
    const uint32_t *columns = group->frame->program->columns + step->more;
    *surface = (struct ptx_surface){ .group = group, .step = step };
    memcpy(&surface->plan, &step->immediate, sizeof surface->plan);
    if (surface->plan.layered) surface->layer = PTX_COLUMN(group, *columns++, uint32_t);
    for (unsigned d = 0; d < surface->plan.dimensions; d++)
        surface->coordinates[d] = PTX_COLUMN(group, *columns++, uint32_t);
    for (unsigned n = 0; n < step->width; n++)
        surface->elements[n] = PTX_COLUMN(group, *columns++, unsigned char);
}

enum found { INSIDE, NOWHERE, FAILED };

/* Brings a coordinate inside, or says what is to be done: at most `last` is inside. */
static enum found settle(const struct ptx_surface *surface, uint32_t lane, int64_t *at,
                         int64_t last)
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

/* The bytes of an access, and those from one step of the first coordinate to the next. */
struct extent {
    uint32_t bytes, step;
};

static struct extent extent_of(const struct ptx_surface *surface)
{
    const struct ptx_texture *texture = &surface->bound.texture;
    const uint32_t element = texture->channels * ptx_texel_bytes(texture->texel);
    const uint32_t bytes = surface->plan.bytes * surface->step->width;
    switch (surface->plan.unit) {
    case PTX_UNIT_BYTE: return (struct extent){ bytes, 1 };
    case PTX_UNIT_NUMBER: return (struct extent){ bytes, bytes };
    default: return (struct extent){ element, element };
    }
}

/* Finds the bytes of a lane's access, from the first of the surface on. */
static enum found find_bytes(const struct ptx_surface *surface, uint32_t lane,
                             struct extent extent, uint64_t *offset)
{
    const struct ptx_texture *texture = &surface->bound.texture;
    int64_t row = (int64_t)texture->extent[0] * texture->channels *
                  ptx_texel_bytes(texture->texel);
    int64_t last_x = row < extent.bytes ? -1 : (row - extent.bytes) / extent.step;
    int64_t at[3] = { 0, 0, 0 }, last[3] = { last_x, texture->extent[1] - 1,
                                             texture->extent[2] - 1 };
    for (unsigned d = 0; d < surface->plan.dimensions; d++)
        at[d] = (int32_t)surface->coordinates[d][lane];
    if (surface->plan.layered) at[2] = surface->layer[lane];
    for (unsigned d = 0; d < 3; d++) {
        enum found found = settle(surface, lane, &at[d], last[d]);
        if (found != INSIDE) return found;
    }
    *offset = (uint64_t)at[2] * texture->slice + (uint64_t)at[1] * texture->pitch +
              (uint64_t)at[0] * extent.step;
    return row < extent.bytes ? NOWHERE : INSIDE;
}

static void load_lane(struct ptx_surface *surface, uint32_t lane, const unsigned char *from)
{
    uint32_t bytes = surface->plan.bytes, reg = surface->plan.reg;
    for (unsigned n = 0; n < surface->step->width; n++) {
        unsigned char *to = surface->elements[n] + (size_t)lane * reg;
        memset(to, 0, reg);
        if (from) memcpy(to, from + n * bytes, bytes);
    }
}

static void store_lane(struct ptx_surface *surface, uint32_t lane, unsigned char *to)
{
    uint32_t bytes = surface->plan.bytes, reg = surface->plan.reg;
    for (unsigned n = 0; n < surface->step->width; n++)
        memcpy(to + n * bytes, surface->elements[n] + (size_t)lane * reg, bytes);
}

bool ptx_find_in_surface(struct ptx_surface *surface, uint32_t lane, bool write,
                         unsigned char **place)
{
    const struct ptx_step *step = surface->step;
    uint64_t offset = 0, handle = PTX_COLUMN(surface->group, step->a, uint64_t)[lane];
    if (!ptx_bind_texture(surface->group, step, lane, handle, true, write, &surface->bound))
        return false;
    const struct extent extent = extent_of(surface);
    enum found found = find_bytes(surface, lane, extent, &offset);
    if (found == FAILED) return false;
    *place = found == INSIDE ? surface->bound.host + offset : NULL;
    if (*place && surface->group->block->watched)
        ptx_note_texels(surface->group, step, &surface->bound, offset, extent.bytes, write);
    return true;
}

/* Returns false if the lane has failed. */
static bool load(struct ptx_surface *surface, uint32_t lane)
{
    unsigned char *place;
    if (!ptx_find_in_surface(surface, lane, false, &place)) return false;
    load_lane(surface, lane, place);
    return true;
}

static bool store(struct ptx_surface *surface, uint32_t lane)
{
    unsigned char *place;
    if (!ptx_find_in_surface(surface, lane, true, &place)) return false;
    if (place) store_lane(surface, lane, place);
    return true;
}

void ptx_surface_load_step(struct ptx_group *group, const struct ptx_step *step)
{
    struct ptx_surface surface;
    ptx_open_surface(&surface, group, step);
    PTX_IN_TURN(group, i)
        if (!load(&surface, i)) return;
}

/* Returns how many lanes store at once. */
static uint32_t lanes_at_once(const struct ptx_surface *surface)
{
    const uint32_t bytes = extent_of(surface).bytes;
    if (surface->plan.dimensions + surface->plan.layered == 3) return 8;
    return bytes <= 4 ? PTX_WARP : PTX_WARP * 4 / bytes;
}

/* Calls back for the lanes from one on to before another, the last one first.  `first` is the first
 * range that has any. */
static bool store_at_once(struct ptx_surface *surface, uint32_t first, uint32_t from, uint32_t to,
                          bool (*store_one)(struct ptx_surface *surface, uint32_t lane))
{
    const struct ptx_range *ranges = surface->group->ranges;
    uint32_t r = first;
    while (r < surface->group->range_count && ranges[r].from < to) r++;
    for (; r > first; r--) {
        const uint32_t least = ranges[r - 1].from > from ? ranges[r - 1].from : from;
        for (uint32_t i = ranges[r - 1].to < to ? ranges[r - 1].to : to; i > least; i--)
            if (!store_one(surface, i - 1)) return false;
    }
    return true;
}

void ptx_store_in_turn(struct ptx_surface *surface,
                       bool (*store_one)(struct ptx_surface *surface, uint32_t lane))
{
    const struct ptx_group *group = surface->group;
    const uint32_t lane = group->ranges[0].from;
    const uint64_t handle = PTX_COLUMN(group, surface->step->a, uint64_t)[lane];
    if (!ptx_bind_texture(surface->group, surface->step, lane, handle, true, true,
                          &surface->bound))
        return;
    const uint32_t pass = lanes_at_once(surface);
    uint32_t first = 0;
    for (uint32_t from = 0; first < group->range_count; from += pass) {
        while (first < group->range_count && group->ranges[first].to <= from) first++;
        if (!store_at_once(surface, first, from, from + pass, store_one)) return;
    }
}

void ptx_surface_store_step(struct ptx_group *group, const struct ptx_step *step)
{
    struct ptx_surface surface;
    ptx_open_surface(&surface, group, step);
    ptx_store_in_turn(&surface, store);
}
