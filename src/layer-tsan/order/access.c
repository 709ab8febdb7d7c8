/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-tsan/order/access.h"

#include "base/tsan.h"

struct ts_access ts_access_of_place(const rill_place *place, const rill_copy *copy, bool writes)
{
    const size_t pitch = place->pitch ? place->pitch : copy->width;
    const size_t slice = pitch * (place->rows ? place->rows : copy->height);
    return (struct ts_access){
        .writes = writes, .width = copy->width, .height = copy->height, .depth = copy->depth,
        .pitch = pitch, .slice = slice,
        .address = place->address + place->x + place->y * pitch + place->z * slice,
    };
}

struct ts_access ts_access_of_fill(const rill_fill *fill)
{
    const size_t width = fill->width * fill->element_bytes;
    return (struct ts_access){
        .writes = true, .address = fill->dst, .width = width, .height = fill->height, .depth = 1,
        .pitch = fill->height > 1 ? fill->pitch : width,
    };
}

static void tell_row(bool writes, uint64_t address, size_t bytes)
{
    if (!bytes) return;
    if (writes) __tsan_write_range((void *)(uintptr_t)address, (long)bytes);
    else __tsan_read_range((void *)(uintptr_t)address, (long)bytes);
}

void ts_access_tell(const struct ts_access *access)
{
    for (size_t z = 0; z < access->depth; z++) {
        const uint64_t slice = access->address + z * access->slice;
        if (access->pitch == access->width) {
            tell_row(access->writes, slice, access->width * access->height);
            continue;
        }
        for (size_t y = 0; y < access->height; y++)
            tell_row(access->writes, slice + y * access->pitch, access->width);
    }
}
