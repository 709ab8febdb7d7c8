/* SPDX-License-Identifier: Apache-2.0
 *
 * Columns of which something is known (enum ptx_known in run/machine.h).
 *
 * It comes from steps of groups that have all lanes of the bundle that have not exited
 * (group->whole); there is no other group then.  A column that is PTX_STALE is spread before its
 * lanes are read, or some of them written.  A step that writes lanes says that nothing is known.
 */
#ifndef PTX_AFFINE_KNOWN_H
#define PTX_AFFINE_KNOWN_H

#include "ptx/ptx.h"
#include "ptx/run/machine.h"

/* Writes the lanes of a column that is stale. */
void ptx_spread(const struct ptx_group *group, uint32_t column);

/* Takes the steps that were put off: before lanes are written, and memory is accessed. */
static inline void ptx_catch_up(const struct ptx_group *group)
{
    if (group->chain->take) group->chain->take(group);
}

static inline void ptx_settle(const struct ptx_group *group, uint32_t column)
{
    if (group->frame->known[column] & PTX_STALE) ptx_spread(group, column);
}

/* Readies a column whose lanes are written: all of them, or some. */
static inline void ptx_forget(const struct ptx_group *group, uint32_t column)
{
    ptx_catch_up(group);
    if (!group->whole) ptx_settle(group, column);
    group->frame->known[column] = 0;
}

/* Returns true if what has these slopes is as far from lane to lane everywhere, rows of the block
 * or not. */
bool ptx_is_line(const struct ptx_bundle *bundle, const struct ptx_slope *slope, int64_t *distance);

/* Returns what slopes add up to at a lane. */
static inline uint64_t ptx_rise(const struct ptx_bundle *bundle, const struct ptx_slope *slope,
                                uint32_t lane)
{
    uint64_t rise = 0;
    for (unsigned k = 0; k < 3; k++) {
        uint32_t place = bundle->places[(size_t)k * bundle->lanes + lane];
        rise += (uint64_t)slope->along[k] * (place - bundle->corner[k]);
    }
    return rise;
}

/* Returns how many lanes from this one on, up to `to`, are in one row of the block. */
static inline uint32_t ptx_row_lanes(const struct ptx_bundle *bundle, uint32_t lane, uint32_t to)
{
    uint32_t left = bundle->block->launch->block[0] - bundle->places[lane];
    return left < to - lane ? left : to - lane;
}

#endif
