/* SPDX-License-Identifier: Apache-2.0
 *
 * The barriers of a block, and the step of bar and barrier.
 */
#ifndef PTX_RUN_BARRIER_H
#define PTX_RUN_BARRIER_H

#include "ptx/run/machine.h"

/* The step's kind. */
enum ptx_barrier_kind {
    PTX_BARRIER_SYNC, PTX_BARRIER_ARRIVE, PTX_BARRIER_POPC, PTX_BARRIER_AND, PTX_BARRIER_OR
};

/* a: the number, b: the count or none, c: a predicate, d: the result. */
void ptx_barrier_step(struct ptx_group *group, const struct ptx_step *step);

/* In memory that is zeroed, of so many bytes. */
size_t ptx_barriers_bytes(uint32_t warps);
struct ptx_barriers *ptx_barriers_place(void *memory, uint32_t warps);
void ptx_barriers_reset(struct ptx_barriers *barriers);

/* Lanes have exited, which nobody waits for any more. */
void ptx_barriers_after_exit(struct ptx_block *block);

#endif
