/* SPDX-License-Identifier: Apache-2.0
 *
 * The steps of tex, tld4, suld, sust, sured, txq and suq.
 *
 * A step has the handles in `a`, and a plan in `immediate`.  The columns of `more` are the sample
 * and the layer, if there are any, the coordinates, the level or the gradients, if they are given,
 * how far the elements are from there, if that is said, and the elements that are read or written.
 */
#ifndef PTX_TEXTURE_STEPS_H
#define PTX_TEXTURE_STEPS_H

#include "ptx/run/machine.h"

enum ptx_surface_edge { PTX_EDGE_TRAPS, PTX_EDGE_CLAMPS, PTX_EDGE_IS_ZERO };

/* What the first coordinate counts: bytes, what is reduced, elements. */
enum ptx_surface_unit { PTX_UNIT_BYTE, PTX_UNIT_NUMBER, PTX_UNIT_ELEMENT };

enum ptx_surface_reduction {
    PTX_SURFACE_ADD, PTX_SURFACE_MIN, PTX_SURFACE_MAX, PTX_SURFACE_SIGNED_MIN,
    PTX_SURFACE_SIGNED_MAX, PTX_SURFACE_AND, PTX_SURFACE_OR
};

struct ptx_texture_plan {
    uint8_t dimensions;
    bool layered : 1;
    bool sampled : 1;  /* the number of a sample comes first                             */
    bool integers : 1; /* are the coordinates of a texture                               */
    bool cube : 1;     /* they are a direction                                           */
    bool leveled : 1;  /* a level follows them                                           */
    bool graded : 1;   /* two gradients follow them                                      */
    bool shifted : 1;  /* by whole elements, which follow                                */
    bool halves : 1;   /* results are four .f16, or two pairs of them                    */
    uint8_t unit;      /* of surfaces: enum ptx_surface_unit                             */
    uint8_t gathered;  /* of tld4: the channel, from 1; else 0                           */
    uint8_t edge;      /* of surfaces: enum ptx_surface_edge                             */
    uint8_t bytes;     /* of surfaces: an element's in memory ...                        */
    uint8_t reg;       /* ... and in its register                                        */
    uint8_t asked;     /* of txq and suq: 0 to 2 an extent; of sured:
                          enum ptx_surface_reduction                                     */
};

_Static_assert(sizeof(struct ptx_texture_plan) == 8, "a plan is an immediate");

void ptx_texture_look_step(struct ptx_group *group, const struct ptx_step *step);

/* Writes true to d: there is memory wherever a texture is looked at. */
void ptx_texture_reside_step(struct ptx_group *group, const struct ptx_step *step);

/* Tell an extent, of a texture at the level in b if there is a column. */
void ptx_texture_ask_step(struct ptx_group *group, const struct ptx_step *step);
void ptx_surface_ask_step(struct ptx_group *group, const struct ptx_step *step);
void ptx_surface_load_step(struct ptx_group *group, const struct ptx_step *step);
void ptx_surface_store_step(struct ptx_group *group, const struct ptx_step *step);
void ptx_surface_format_step(struct ptx_group *group, const struct ptx_step *step);
void ptx_surface_reduce_step(struct ptx_group *group, const struct ptx_step *step);

#endif
