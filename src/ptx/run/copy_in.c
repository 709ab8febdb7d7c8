/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx/run/copy_in.h"

#include <string.h>

#include "ptx/run/memory.h"
#include "ptx/run/touches.h"

/* Returns an access for bytes that a lane reads piece by piece, at generic addresses. */
static struct ptx_access open_pieces(struct ptx_group *group, const struct ptx_step *step)
{
    return (struct ptx_access){ .group = group, .step = step, .bytes = 1, .where = PTX_TO_ANY,
                                .verb = "load" };
}

/* Returns the bytes at an address that lie in one piece, and how many they are, at least one; or
 * NULL if there are none, and the lane has failed. */
static const unsigned char *piece_at(struct ptx_access *access, uint32_t lane, uint64_t address,
                                     uint64_t *bytes)
{
    access->offset = address;
    const unsigned char *place = ptx_access_place(access, lane);
    if (place) *bytes = access->window.bytes - (address - access->window.base);
    return place;
}

bool ptx_copy_in(struct ptx_group *group, const struct ptx_step *step, uint32_t lane,
                 uint64_t address, void *to, size_t bytes)
{
    struct ptx_access access = open_pieces(group, step);
    while (bytes > 0) {
        uint64_t there;
        const unsigned char *place = piece_at(&access, lane, address, &there);
        if (!place) return false;
        size_t part = there < bytes ? (size_t)there : bytes;
        if (group->block->touches) ptx_touches_note_bytes(&access, address, part);
        memcpy(to, place, part);
        to = (unsigned char *)to + part;
        address += part;
        bytes -= part;
    }
    return true;
}

size_t ptx_copy_text(struct ptx_group *group, const struct ptx_step *step, uint32_t lane,
                     uint64_t address, char *to, size_t room)
{
    size_t length = 0;
    struct ptx_access access = open_pieces(group, step);
    while (length + 1 < room) {
        uint64_t there;
        const unsigned char *place = piece_at(&access, lane, address, &there);
        if (!place) return SIZE_MAX;
        size_t part = there < room - 1 - length ? (size_t)there : room - 1 - length;
        const unsigned char *zero = memchr(place, 0, part);
        if (zero) part = (size_t)(zero - place);
        if (group->block->touches) ptx_touches_note_bytes(&access, address, part + (zero != NULL));
        memcpy(to + length, place, part);
        length += part;
        address += part;
        if (zero) break;
    }
    to[length] = '\0';
    return length;
}
