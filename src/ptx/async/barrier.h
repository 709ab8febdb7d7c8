/* SPDX-License-Identifier: Apache-2.0
 *
 * Barriers in shared memory: the steps of mbarrier.
 *
 * a, `immediate` and `kind` are as those of ld (step/access.h), `target` is the operation.
 * d is the state before an arrival or a predicate, or none; b a count or a number of bytes
 * (none: 1), a state, or a parity.
 *
 * Such a barrier is a word of 64 bits.  PTX does not say what is in it.
 */
#ifndef PTX_ASYNC_BARRIER_H
#define PTX_ASYNC_BARRIER_H

#include "ptx/run/memory.h"

enum mbarrier_operation {
    MBARRIER_INIT, MBARRIER_INVAL, MBARRIER_ARRIVE, MBARRIER_DROP, MBARRIER_ARRIVE_EXPECT,
    MBARRIER_DROP_EXPECT, MBARRIER_EXPECT, MBARRIER_COMPLETE,
    MBARRIER_WAIT, MBARRIER_WAIT_PARITY
};

#define MBARRIER_STAYS 0x80u /* with one of them: an arrival that must not be the last       */

/* Takes one of them for each lane. */
ptx_run ptx_mbarrier_step;

/* Counts bytes that have come, at the barrier at a generic address, on behalf of a lane.  Returns
 * false if the lane has failed. */
bool ptx_mbarrier_complete(struct ptx_group *group, const struct ptx_step *step, uint32_t lane,
                           uint64_t address, uint32_t bytes);

/* d: how many arrivals a state in a waited for. */
ptx_run ptx_mbarrier_pending_step;

#endif
