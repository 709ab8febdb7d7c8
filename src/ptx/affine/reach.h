/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the lanes of an access are whose address is affine: row by row.
 */
#ifndef PTX_AFFINE_REACH_H
#define PTX_AFFINE_REACH_H

#include "ptx/affine/known.h"
#include "ptx/run/memory.h"

/* Readies the addresses of an access whose lanes are looked at one by one. */
void ptx_ready_address(struct ptx_group *group, const struct ptx_step *step);

struct ptx_reach {
    const struct ptx_bundle *bundle;
    const struct ptx_slope *slope;
    unsigned char *corner;       /* where a lane at the corner, were it lane 0, would be */
    size_t lane_bytes;           /* that each lane is further on, besides slopes         */
    ptrdiff_t stride;            /* from lane to lane of a row                          */
    ptrdiff_t pitch;             /* from row to row                                     */
    uint32_t row;                /* lanes of a row                                      */
    uint32_t rows;               /* so many are as far from each other                  */
    bool line;                   /* all lanes are one row                               */
    bool even;                   /* all rows are as far from each other                 */
    bool same;                   /* all lanes are at one place                          */
};

/* Finds where the lanes of a step are, each of which touches `bytes` bytes.  Returns false if that
 * is not known, not worth it, looked at by lane, or wrong for any of them: then the lanes are to be
 * looked at one by one.  Notes what they touch if that is asked for. */
bool ptx_find_reach(struct ptx_group *group, const struct ptx_step *step, uint32_t bytes,
                    bool write, struct ptx_reach *reach);

/* Rows of the same number of lanes, one after the other. */
struct ptx_box {
    unsigned char *first;
    ptrdiff_t stride, pitch;
    uint32_t width, rows;
};

/* Finds the lanes from `lane` to `to` - 1 of a reach that is a line. */
static inline void ptx_line_box(const struct ptx_reach *reach, uint32_t lane, uint32_t to,
                                struct ptx_box *box)
{
    const struct ptx_bundle *bundle = reach->bundle;
    box->first = reach->corner + lane * reach->lane_bytes;
    if (lane || !bundle->upright) box->first += (ptrdiff_t)ptx_rise(bundle, reach->slope, lane);
    box->stride = reach->stride;
    box->pitch = 0;
    box->width = to - lane;
    box->rows = 1;
}

/* Finds the largest box of lanes from `lane` on, up to `to`, and returns how many they are. */
uint32_t ptx_next_box(const struct ptx_reach *reach, uint32_t lane, uint32_t to,
                      struct ptx_box *box);

/* Returns true if the lanes that take a step are one row, in one range. */
static inline bool ptx_is_one_row(const struct ptx_group *group, const struct ptx_reach *reach)
{
    return reach->line && group->range_count == 1;
}

/* Loops over the boxes of the lanes that take a step: `count` lanes from `at` on. */
#define PTX_EACH_BOX(group, reach, at, box) \
    for (const struct ptx_range *range_ = (group)->ranges, *ranges_end_ = range_ + \
         (group)->range_count; range_ < ranges_end_; range_++) \
        for (uint32_t at = range_->from, count_; at < range_->to && \
             (count_ = ptx_next_box(reach, at, range_->to, box)) != 0; at += count_)

#endif
