/* SPDX-License-Identifier: Apache-2.0
 *
 * What all atomic operations begin with, and fences.
 */
#include "ptx/step/atomic.h"

#include "base/fence.h"
#include "ptx/run/races.h"

void ptx_atomic_open(struct ptx_access *access, struct ptx_group *group,
                     const struct ptx_step *step, uint32_t bytes)
{
    ptx_access_open(access, group, step, bytes, true, "atomic operation");
    access->atomic = true;
    if (group->block->races) ptx_races_atomic(access);
}

/* Orders everything, whatever was asked for: less is not cheaper where it matters. */
void ptx_fence_step(struct ptx_group *group, const struct ptx_step *step)
{
    (void)step;
    rl_fence_full();
    if (group->block->races) ptx_races_sync(group, true);
}
