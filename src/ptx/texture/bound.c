/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx/texture/bound.h"

#include <inttypes.h>
#include <string.h>

#include "ptx/run/fault.h"
#include "ptx/run/touches.h"

/* Returns the bytes from the first element to the end of the last. */
static uint64_t span_of(const struct ptx_texture *texture)
{
    uint64_t row = (uint64_t)texture->extent[0] * texture->channels *
                   ptx_texel_bytes(texture->texel);
    return (texture->extent[2] - 1) * texture->slice + (texture->extent[1] - 1) * texture->pitch +
           row;
}

static bool is_reference(const struct ptx_group *group, uint64_t handle)
{
    return handle - PTX_REFERENCE_WINDOW < group->block->kernel->reference_count;
}

/* Returns the handle that the launch has for a reference, or 0 if nothing was bound to it. */
static uint64_t bound_to(const struct ptx_group *group, uint64_t reference)
{
    const struct ptx_block *block = group->block;
    uint64_t handle;
    memcpy(&handle, block->params + block->kernel->references_at +
                        8 * (reference - PTX_REFERENCE_WINDOW), sizeof handle);
    return handle;
}

/* Kernels may look at a reference to which nothing is bound, and find zeros. */
static bool bind_nothing(struct ptx_bound *bound, uint64_t handle)
{
    *bound = (struct ptx_bound){ .handle = handle, .known = true, .nothing = true };
    return true;
}

bool ptx_bind_texture(struct ptx_group *group, const struct ptx_step *step, uint32_t lane,
                      uint64_t handle, bool surface, bool write, struct ptx_bound *bound)
{
    const uint64_t given = handle;
    const char *kind = surface ? "surface" : "texture";
    struct ptx_texture *texture = &bound->texture;
    struct ptx_window window;
    if (bound->known && bound->handle == handle) return true;
    bound->known = bound->nothing = false;
    if (is_reference(group, handle)) handle = bound_to(group, handle);
    if (!handle && given && !surface) return bind_nothing(bound, given);
    if (!ptx_texture_find(handle, texture) || texture->surface != surface) {
        ptx_fail(group, step, lane, RILL_ERROR_ILLEGAL_ADDRESS, 0,
                 "no %s has the handle 0x%" PRIx64 ", or its array was destroyed", kind, handle);
        return false;
    }
    uint64_t bytes = span_of(texture);
    if (!ptx_find_window(group, step, texture->address, write, &window) ||
        bytes > window.bytes || texture->address - window.base > window.bytes - bytes) {
        ptx_fail(group, step, lane, RILL_ERROR_ILLEGAL_ADDRESS, 0,
                 "the memory of the %s with the handle 0x%" PRIx64
                 " was freed, or the device has no access to it", kind, handle);
        return false;
    }
    bound->host = window.host + (texture->address - window.base);
    bound->handle = given;
    return bound->known = true;
}

void ptx_note_texels(struct ptx_group *group, const struct ptx_step *step,
                     const struct ptx_bound *bound, uint64_t offset, uint32_t bytes, bool write)
{
    const struct ptx_access access = { .group = group, .step = step, .bytes = bytes,
                                       .where = PTX_TO_GLOBAL, .write = write };
    if (group->block->touches)
        ptx_touches_note_bytes(&access, bound->texture.address + offset, bytes);
}
