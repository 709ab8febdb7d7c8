/* SPDX-License-Identifier: Apache-2.0
 *
 * A surface that a step accesses, lane by lane.  The first coordinate counts bytes, or elements if
 * the access is formatted.
 */
#ifndef PTX_TEXTURE_SURFACE_H
#define PTX_TEXTURE_SURFACE_H

#include "ptx/texture/bound.h"
#include "ptx/texture/steps.h"

struct ptx_surface {
    struct ptx_group *group;
    const struct ptx_step *step;
    struct ptx_texture_plan plan;
    struct ptx_bound bound;
    const uint32_t *layer, *coordinates[3];
    unsigned char *elements[4]; /* columns of what is read or written */
};

void ptx_open_surface(struct ptx_surface *surface, struct ptx_group *group,
                      const struct ptx_step *step);

/* Finds the bytes of a lane's access in memory, NULL if there are none.  Returns false if the lane
 * has failed. */
bool ptx_find_in_surface(struct ptx_surface *surface, uint32_t lane, bool write,
                         unsigned char **place);

/* Calls back for the lanes of a group, the last one first: of lanes that store to one element the
 * first one wins, as on an H100.  Ends when it returns false: the lane has failed. */
void ptx_store_in_turn(struct ptx_surface *surface,
                       bool (*store)(struct ptx_surface *surface, uint32_t lane));

#endif
