/* SPDX-License-Identifier: Apache-2.0
 *
 * Steps that a warp takes as a whole, all 32 threads of it at once: mma, ldmatrix and what
 * else is .sync.aligned; or four warps together: wgmma.
 *
 *     if (!ptx_whole_warps(group, step)) return;
 *     PTX_EACH_WARP(group, w) ...
 *
 * Lanes that come without the others of their warp wait for them.  If one of the others has
 * ended, or passes the step since its guard says so, the launch fails.
 */
#ifndef PTX_RUN_WARP_WHOLE_WARP_H
#define PTX_RUN_WARP_WHOLE_WARP_H

#include "ptx/run/lane_group.h"

/* Returns true if lanes are left in the group that take the step now: whole warps.  The step
 * has PTX_STEP_CONTROL. */
bool ptx_whole_warps(struct ptx_group *group, const struct ptx_step *step);

/* The same of warpgroups: four warps, the first of which is one whose number in the block is a
 * multiple of four. */
bool ptx_whole_warpgroups(struct ptx_group *group, const struct ptx_step *step);

#define PTX_EACH_WARP(group, w) \
    for (uint32_t w = 0; w < (group)->lanes / PTX_WARP; w++) \
        if (ptx_warp_bits(&(group)->mask, w))

/* Lets lanes go on that waited for the others of their warps and have them by now. */
void ptx_whole_warps_wake(struct ptx_bundle *bundle);

#endif
