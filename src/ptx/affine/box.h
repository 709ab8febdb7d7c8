/* SPDX-License-Identifier: Apache-2.0
 *
 * Predicates that hold in a box of lanes, or outside of it: what compares affine numbers along the
 * rows of a block, or across them, and what such predicates come to together.  A branch on
 * `x > 0 && y > 0 && x < w - 1 && y < h - 1` looks at no lane.
 */
#ifndef PTX_AFFINE_BOX_H
#define PTX_AFFINE_BOX_H

#include "ptx/run/machine.h"
#include "ptx/step/compare.h"

/* A number that climbs through a bundle from its corner on. */
struct ptx_distance {
    int64_t first, along[3];
};

/* Finds the lanes where a distance answers a question with yes (of PTX_APART: with no).  Returns
 * false if they are no box. */
bool ptx_box_where(const struct ptx_bundle *bundle, enum ptx_question question,
                   const struct ptx_distance *distance, struct ptx_lane_box *box);

#endif
