/* SPDX-License-Identifier: Apache-2.0
 *
 * A texture or surface in the hands of a step: found by its handle, with its memory.
 */
#ifndef PTX_TEXTURE_BOUND_H
#define PTX_TEXTURE_BOUND_H

#include "ptx/run/memory.h"
#include "ptx/texture/texture.h"

struct ptx_bound {
    uint64_t handle;
    bool known;                 /* whether the rest is there for the handle               */
    bool nothing;               /* the handle is a reference's to which nothing is bound  */
    struct ptx_texture texture;
    unsigned char *host;        /* of its first element                                   */
};

/* Finds what a lane has the handle of, unless it is bound already.  Returns false if there is no
 * such thing, or its memory is gone; the lane has failed then. */
bool ptx_bind_texture(struct ptx_group *group, const struct ptx_step *step, uint32_t lane,
                      uint64_t handle, bool surface, bool write, struct ptx_bound *bound);

/* Notes that bytes of it are read or written, if the launch has a footprint. */
void ptx_note_texels(struct ptx_group *group, const struct ptx_step *step,
                     const struct ptx_bound *bound, uint64_t offset, uint32_t bytes, bool write);

#endif
