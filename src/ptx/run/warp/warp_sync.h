/* SPDX-License-Identifier: Apache-2.0
 *
 * Steps with .sync: taken once all lanes that the members name are at such a step, with the
 * same members, or have exited.
 */
#ifndef PTX_RUN_WARP_WARP_SYNC_H
#define PTX_RUN_WARP_WARP_SYNC_H

#include "ptx/run/machine.h"

/* Takes the step for some lanes of one warp of the group. */
void ptx_warp_op_take(struct ptx_group *group, const struct ptx_step *step, uint32_t warp,
                      uint32_t lanes);

/* Takes a step with .sync; the first of `more` is the column of the members. */
ptx_run ptx_warp_sync_step;

/* Lets lanes go on that waited for other lanes of their warps and have them by now. */
void ptx_warp_sync_wake(struct ptx_bundle *bundle);

#endif
