/* SPDX-License-Identifier: Apache-2.0
 *
 * Steps on addresses that access no memory.
 */
#include "ptx/step/spaces.h"

#include "ptx/run/vectorize.h"
#include "ptx/run/memory.h"

void ptx_cvta_step(struct ptx_group *group, const struct ptx_step *step)
{
    uint64_t *d = PTX_COLUMN(group, step->d, uint64_t);
    const uint64_t *a = PTX_COLUMN(group, step->a, const uint64_t);
    uint64_t distance = (uint64_t)step->immediate;
    PTX_EACH_LANE(group, i) d[i] = a[i] + distance;
}

/* Whatever is in no window is global memory, or constant if the host says so. */
void ptx_is_space_step(struct ptx_group *group, const struct ptx_step *step)
{
    uint8_t *d = PTX_COLUMN(group, step->d, uint8_t);
    const uint64_t *a = PTX_COLUMN(group, step->a, const uint64_t);
    uint64_t window = (uint64_t)step->immediate;
    PTX_EACH_LANE(group, i) d[i] = PTX_WINDOW_OF(a[i]) == window;
}

void ptx_is_global_step(struct ptx_group *group, const struct ptx_step *step)
{
    uint8_t *d = PTX_COLUMN(group, step->d, uint8_t);
    const uint64_t *a = PTX_COLUMN(group, step->a, const uint64_t);
    PTX_EACH_LANE(group, i) d[i] = a[i] < PTX_PARAM_WINDOW && !ptx_is_constant(group, a[i]);
}

void ptx_is_constant_step(struct ptx_group *group, const struct ptx_step *step)
{
    uint8_t *d = PTX_COLUMN(group, step->d, uint8_t);
    const uint64_t *a = PTX_COLUMN(group, step->a, const uint64_t);
    PTX_EACH_LANE(group, i) d[i] = a[i] < PTX_PARAM_WINDOW && ptx_is_constant(group, a[i]);
}

void ptx_no_policy_step(struct ptx_group *group, const struct ptx_step *step)
{
    uint64_t *d = PTX_COLUMN(group, step->d, uint64_t);
    PTX_EACH_LANE(group, i) d[i] = 0;
}
