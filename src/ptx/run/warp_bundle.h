/* SPDX-License-Identifier: Apache-2.0
 *
 * Bundles of warps: which of their groups runs next, and for how long.
 */
#ifndef PTX_RUN_WARP_BUNDLE_H
#define PTX_RUN_WARP_BUNDLE_H

#include "ptx/run/machine.h"

/* Makes the bundle of `threads` threads of the block from `first` on; its memory is the
 * block's. */
void ptx_bundle_place(struct ptx_bundle *bundle, struct ptx_block *block, uint32_t first,
                      uint32_t threads);

/* Leaves the blocks abreast from this one on out of a bundle that begins: there are no more. */
void ptx_bundle_leave_out(struct ptx_bundle *bundle, uint32_t from);

/* Returns the lanes of whole warps. */
static inline uint32_t ptx_lanes_of(uint32_t threads)
{
    return (threads + PTX_WARP - 1) / PTX_WARP * PTX_WARP;
}

/* Prepare a bundle for a new block, of which so many threads are there, and begin it with all of
 * them alive. */
void ptx_bundle_reset(struct ptx_bundle *bundle, uint32_t threads);
bool ptx_bundle_begin(struct ptx_bundle *bundle);

/* Frees the groups that a failed launch has left. */
void ptx_bundle_clear(struct ptx_bundle *bundle);

/* Notes whether what the group waits for was there.  After a few times in vain the group lets
 * others go on, at the next jump: one of them may have what it waits for. */
void ptx_group_note_vain(struct ptx_group *group, bool vain);

/* Runs groups for about `steps` steps, or until none can run; returns how many steps it were. */
uint64_t ptx_bundle_run(struct ptx_bundle *bundle, uint64_t steps);

#endif
