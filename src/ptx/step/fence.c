/* SPDX-License-Identifier: Apache-2.0
 *
 * Fences.
 */
#include "ptx/step/atomic.h"

#include "base/fence.h"
#include "ptx/run/races.h"

/* Orders everything, whatever was asked for: less is not cheaper where it matters. */
void ptx_fence_step(struct ptx_group *group, const struct ptx_step *step)
{
    (void)step;
    rl_fence_full();
    if (group->block->races) ptx_races_sync(group, true);
}
