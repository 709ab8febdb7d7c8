/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the lanes of an access are whose address is affine: row by row.
 */
#ifndef PTX_AFFINE_REACH_H
#define PTX_AFFINE_REACH_H

#include "ptx/affine/known.h"
#include "ptx/run/memory.h"

struct ptx_reach {
    const struct ptx_bundle *bundle;
    const struct ptx_slope *slope;
    unsigned char *corner;       /* where a lane at the corner, were it lane 0, would be */
    size_t lane_bytes;           /* that each lane is further on, besides slopes         */
    ptrdiff_t stride;            /* from lane to lane                                   */
    bool line;                   /* all lanes are one row                               */
    bool same;                   /* all lanes are at one place                          */
};

/* Finds where the lanes of a step are, each of which touches `bytes` bytes in elements of
 * `element`.  Returns false if that is not known, not worth it, watched, or wrong for any of
 * them: then the lanes are to be looked at one by one. */
bool ptx_find_reach(struct ptx_group *group, const struct ptx_step *step, uint32_t bytes,
                    bool write, struct ptx_reach *reach);

/* Returns where a lane is. */
static inline unsigned char *ptx_reach_of(const struct ptx_reach *reach, uint32_t lane)
{
    return reach->corner + lane * reach->lane_bytes +
           (ptrdiff_t)ptx_rise(reach->bundle, reach->slope, lane);
}

/* Returns how many lanes from this one on, up to `to`, are in one row. */
static inline uint32_t ptx_reach_lanes(const struct ptx_reach *reach, uint32_t lane, uint32_t to)
{
    return reach->line ? to - lane : ptx_row_lanes(reach->bundle, lane, to);
}

/* Loops over the rows of the lanes that take a step: `count` lanes from `at` on. */
#define PTX_EACH_ROW(group, reach, at, count) \
    for (const struct ptx_range *range_ = (group)->ranges, *ranges_end_ = range_ + \
         (group)->range_count; range_ < ranges_end_; range_++) \
        for (uint32_t at = range_->from, count; at < range_->to && \
             (count = ptx_reach_lanes(reach, at, range_->to)) != 0; at += count)

#endif
