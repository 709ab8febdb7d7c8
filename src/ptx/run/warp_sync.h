/* SPDX-License-Identifier: Apache-2.0
 *
 * Lanes of a warp that take a step together, wherever each of them stands: a step with
 * .sync is taken once all lanes that its members name are at such a step, with the same
 * members, or have exited.
 */
#ifndef PTX_RUN_WARP_SYNC_H
#define PTX_RUN_WARP_SYNC_H

#include "ptx/run/machine.h"

/* Some lanes of one warp of the group take the step. */
void ptx_warp_op_take(struct ptx_group *group, const struct ptx_step *step, uint32_t warp,
                      uint32_t lanes);

/* The step, with the column of the members as the first of `more`. */
ptx_run ptx_warp_sync_step;

/* Lets those go on that wait for other lanes of their warps and have them by now. */
void ptx_warp_sync_wake(struct ptx_bundle *bundle);

#endif
