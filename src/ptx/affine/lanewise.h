/* SPDX-License-Identifier: Apache-2.0
 *
 * What steps on known columns have in common.
 */
#ifndef PTX_AFFINE_LANEWISE_H
#define PTX_AFFINE_LANEWISE_H

#include "ptx/affine/affine.h"

/* Takes a step for a single lane whose columns are those in `once`. */
static inline void ptx_take_once(struct ptx_group *group, const struct ptx_step *step)
{
    static const struct ptx_range one = { 0, 1 };
    unsigned char *const columns = group->columns;
    const struct ptx_range *const ranges = group->ranges;
    const uint32_t lanes = group->lanes, count = group->range_count;
    group->columns = group->frame->once;
    group->lanes = 1;
    group->ranges = &one;
    group->range_count = 1;
    step->lanes(group, step);
    group->columns = columns;
    group->lanes = lanes;
    group->ranges = ranges;
    group->range_count = count;
}

/* Takes a step that computes d from the first `sources` of a, b and c: once if they are the same
 * for all lanes. */
static inline __attribute__((always_inline))
void ptx_take_lanewise(struct ptx_group *group, const struct ptx_step *step, unsigned sources)
{
    const uint32_t columns[] = { step->a, step->b, step->c };
    uint8_t *known = group->frame->known;
    unsigned all = PTX_SAME, any = 0;
    for (unsigned i = 0; i < sources; i++) {
        all &= known[columns[i]];
        any |= known[columns[i]];
    }
    if (group->whole && all) {
        ptx_take_once(group, step);
        known[step->d] = PTX_SAME | PTX_STALE;
        return;
    }
    if (any & PTX_STALE)
        for (unsigned i = 0; i < sources; i++) ptx_settle(group, columns[i]);
    ptx_forget(group, step->d);
    step->lanes(group, step);
}

#endif
