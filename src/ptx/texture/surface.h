/* SPDX-License-Identifier: Apache-2.0
 *
 * A surface that a step accesses, lane by lane.
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

/* Calls back for the lanes of a group, so that of lanes that store to one element the one wins that
 * wins on an H100: the first of the last lanes that store at once.  Those are as many as store 128
 * bytes, or 8 where three numbers say where.  Ends when it returns false: the lane has failed. */
void ptx_store_in_turn(struct ptx_surface *surface,
                       bool (*store)(struct ptx_surface *surface, uint32_t lane));

#endif
