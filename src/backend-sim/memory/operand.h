/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory that a node names.  It existed when the node was made; whether it still
 * does is checked each time the node runs, since a program may free it at any time.
 */
#ifndef SIM_OPERAND_H
#define SIM_OPERAND_H

#include "backend-sim/machine/machine.h"

struct task;

struct operand {
    uint64_t address, bytes; /* 0 bytes if the map does not know it */
};

/* Two operands, and the map's number of removals when they were last found: as long as
 * nothing has left the map since, one load tells that they are there. */
struct operands {
    struct operand items[2];
    atomic_uint_least64_t seen;
};

static inline void sim_operands_init(struct operands *operands, struct operand first,
                                     struct operand second)
{
    operands->items[0] = first;
    operands->items[1] = second;
    atomic_init(&operands->seen, UINT64_MAX);
}

/* Returns an operand that is not there, or NULL if all are. */
const struct operand *sim_operands_missing(struct sim_platform *platform,
                                           struct operands *operands);

/* Fails the device because the task, an `operation`, names memory that was freed. */
void sim_operand_raise(const struct task *task, struct sim_platform *platform,
                       const struct operand *operand, const char *operation);

#endif
