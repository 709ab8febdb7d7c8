/* SPDX-License-Identifier: Apache-2.0
 *
 * bar and barrier: the step, for the table of control instructions.
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

#endif
