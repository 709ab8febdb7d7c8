/* SPDX-License-Identifier: Apache-2.0
 *
 * Steps on addresses that access no memory.
 */
#include "ptx/step/spaces.h"

#include "ptx/run/block.h"
#include "ptx/run/fault.h"
#include "ptx/run/memory.h"
#include "ptx/run/vectorize.h"

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

/* ---- Blocks of a cluster ------------------------------------------------------------------ */

/* Returns the rank that an address in shared memory names, or that of the block itself. */
static uint32_t rank_of(const struct ptx_block *block, uint64_t address)
{
    return PTX_RANK_OF(address) ? PTX_RANK_OF(address) - 1 : block->rank;
}

void ptx_is_own_shared_step(struct ptx_group *group, const struct ptx_step *step)
{
    uint8_t *d = PTX_COLUMN(group, step->d, uint8_t);
    const uint64_t *a = PTX_COLUMN(group, step->a, const uint64_t);
    PTX_EACH_LANE(group, i)
        d[i] = PTX_WINDOW_OF(a[i]) == PTX_SHARED_WINDOW &&
               rank_of(group->block, a[i]) == group->block->rank;
}

/* Returns the same place in the block of a rank.  What is not in shared memory, or in no block,
 * becomes an address that nothing can be at. */
static uint64_t map_address(uint64_t address, uint32_t rank, uint64_t window)
{
    const uint32_t most = (1u << PTX_RANK_BIT) - 1;
    const bool sound = (!window || PTX_WINDOW_OF(address) == window) && rank < 255;
    return window + ((uint64_t)((sound ? rank : 254) + 1) << PTX_RANK_BIT) +
           (sound ? (uint32_t)address & most : most);
}

void ptx_map_shared_step(struct ptx_group *group, const struct ptx_step *step)
{
    const uint64_t window = (uint64_t)step->immediate;
    const uint32_t *b = PTX_COLUMN(group, step->b, const uint32_t);
    if (step->width == 8) {
        uint64_t *d = PTX_COLUMN(group, step->d, uint64_t);
        const uint64_t *a = PTX_COLUMN(group, step->a, const uint64_t);
        PTX_EACH_LANE(group, i) d[i] = map_address(a[i], b[i], window);
    } else {
        uint32_t *d = PTX_COLUMN(group, step->d, uint32_t);
        const uint32_t *a = PTX_COLUMN(group, step->a, const uint32_t);
        PTX_EACH_LANE(group, i) d[i] = (uint32_t)map_address(a[i], b[i], window);
    }
}

void ptx_rank_step(struct ptx_group *group, const struct ptx_step *step)
{
    uint32_t *d = PTX_COLUMN(group, step->d, uint32_t);
    if (step->width == 8) {
        const uint64_t *a = PTX_COLUMN(group, step->a, const uint64_t);
        PTX_EACH_LANE(group, i) d[i] = rank_of(group->block, a[i]);
    } else {
        const uint32_t *a = PTX_COLUMN(group, step->a, const uint32_t);
        PTX_EACH_LANE(group, i) d[i] = rank_of(group->block, a[i]);
    }
}

/* ---- The stack ---------------------------------------------------------------------------- */

/* Returns the bytes that a lane has taken with `more` of them, or more than there can be. */
static uint64_t taken_with(const struct ptx_frame *frame, uint64_t start, uint64_t more)
{
    const uint64_t end = start - ptx_local_end(frame);
    return more > PTX_MOST_LOCAL ? UINT64_MAX : end + more;
}

static void fail_taking(struct ptx_group *group, const struct ptx_step *step, uint32_t lane,
                        uint64_t more)
{
    ptx_fail(group, step, lane, RILL_ERROR_HARDWARE_STACK_ERROR, 0,
             "the stack is full: alloca of %llu bytes", (unsigned long long)more);
}

void ptx_take_stack_step(struct ptx_group *group, const struct ptx_step *step)
{
    struct ptx_frame *frame = group->frame;
    const uint64_t *a = PTX_COLUMN(group, step->a, const uint64_t);
    uint64_t *d = PTX_COLUMN(group, step->d, uint64_t), boundary = (uint64_t)step->immediate;
    uint32_t *taken = PTX_COLUMN(group, step->e, uint32_t);
    PTX_IN_TURN(group, i) {
        const uint64_t more = a[i];
        uint64_t start = ptx_local_end(frame) + (uint64_t)taken[i];
        start = (start + boundary - 1) / boundary * boundary;
        const uint64_t all = taken_with(frame, start, more);
        if (all > PTX_MOST_LOCAL ||
            !ptx_local_reserve(group->block, ptx_local_end(frame) + (uint32_t)all)) {
            fail_taking(group, step, i, more);
            return;
        }
        d[i] = start;
        taken[i] = (uint32_t)all;
        if (taken[i] > frame->taken) frame->taken = taken[i];
    }
}

void ptx_save_stack_step(struct ptx_group *group, const struct ptx_step *step)
{
    uint64_t *d = PTX_COLUMN(group, step->d, uint64_t);
    const uint32_t *taken = PTX_COLUMN(group, step->e, const uint32_t);
    PTX_EACH_LANE(group, i) d[i] = ptx_local_end(group->frame) + (uint64_t)taken[i];
}

void ptx_restore_stack_step(struct ptx_group *group, const struct ptx_step *step)
{
    const uint64_t *a = PTX_COLUMN(group, step->a, const uint64_t);
    uint32_t *taken = PTX_COLUMN(group, step->e, uint32_t);
    PTX_IN_TURN(group, i) {
        const uint64_t end = a[i] - ptx_local_end(group->frame);
        if (end > taken[i]) {
            ptx_fail(group, step, i, RILL_ERROR_HARDWARE_STACK_ERROR, 0,
                     "stackrestore is given what stacksave has not said here");
            return;
        }
        taken[i] = (uint32_t)end;
    }
}

/* ---- multimem ----------------------------------------------------------------------------- */

void ptx_no_multicast_step(struct ptx_group *group, const struct ptx_step *step)
{
    const uint32_t lane = group->ranges[0].from;
    uint64_t address = (uint64_t)step->immediate;
    if (step->a != PTX_NO_COLUMN) address += PTX_COLUMN(group, step->a, const uint64_t)[lane];
    ptx_fail(group, step, lane, RILL_ERROR_ILLEGAL_ADDRESS, address,
             "multimem, but no multicast object is there: the simulator has none");
}

/* ---- Caches ------------------------------------------------------------------------------- */

void ptx_no_policy_step(struct ptx_group *group, const struct ptx_step *step)
{
    uint64_t *d = PTX_COLUMN(group, step->d, uint64_t);
    PTX_EACH_LANE(group, i) d[i] = 0;
}
