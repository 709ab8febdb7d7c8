/* SPDX-License-Identifier: Apache-2.0
 *
 * The barriers of a block, and the step of bar and barrier.
 */
#ifndef PTX_RUN_BARRIER_H
#define PTX_RUN_BARRIER_H

#include "ptx/run/machine.h"

/* What a barrier step does; the step's `kind`. */
enum ptx_barrier_kind {
    PTX_BARRIER_SYNC, PTX_BARRIER_ARRIVE, PTX_BARRIER_POPC, PTX_BARRIER_AND, PTX_BARRIER_OR
};

/* Takes bar or barrier.  a: the number, b: the count or no column, c: a predicate, d: the
 * result. */
void ptx_barrier_step(struct ptx_group *group, const struct ptx_step *step);

/* Takes barrier.cluster; `kind` says whether threads wait for the phase in which they arrived, or
 * arrive. */
enum ptx_cluster_barrier_kind { PTX_CLUSTER_ARRIVE, PTX_CLUSTER_WAIT };
void ptx_cluster_barrier_step(struct ptx_group *group, const struct ptx_step *step);

/* Returns how many bytes the barriers of a block need.  ptx_barriers_place() wants them
 * zeroed. */
size_t ptx_barriers_bytes(uint32_t warps);
struct ptx_barriers *ptx_barriers_place(void *memory, uint32_t warps);
void ptx_barriers_reset(struct ptx_barriers *barriers);

/* Completes the barriers that waited only for the lanes that have just exited. */
void ptx_barriers_after_exit(struct ptx_block *block);

#endif
