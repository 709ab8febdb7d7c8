/* SPDX-License-Identifier: Apache-2.0
 *
 * What copy nodes read from pageable memory: a launch reads it when it is submitted, as a
 * driver does, and brings the bytes along.  Whoever wrote them may write others as soon as
 * the call is over, however long the launch waits.
 */
#ifndef SIM_EARLY_H
#define SIM_EARLY_H

#include "backend-sim/program.h"

struct early_reads;

/* Reads what the promised nodes of a program want, of which there are some. */
rill_status sim_early_read(const struct program *program, struct early_reads **reads);
void sim_early_free(struct early_reads *reads);

/* The copy that the node does in this launch, or NULL. */
const struct sim_copy *sim_early_find(const struct early_reads *reads, const struct task *task);

#endif
