/* SPDX-License-Identifier: Apache-2.0
 *
 * Fences.
 */
#include "ptx/step/atomic.h"

#include "base/fence.h"
#include "ptx/run/checks.h"

/* Orders everything, whatever was asked for: less is not cheaper where it matters. */
void ptx_fence_step(struct ptx_group *group, const struct ptx_step *step)
{
    rl_fence_full();
    if (group->block->checks)
        ptx_checks_fence(group, step->kind & PTX_NARROW ? PTX_IN_BLOCK : PTX_IN_GRID);
}
