/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory that a node names.  It was there when the node was made; whether it
 * still is must be seen each time the node runs, since nothing keeps a program
 * from freeing it meanwhile.
 */
#ifndef SIM_OPERAND_H
#define SIM_OPERAND_H

#include "backend-sim/machine/machine.h"

struct task;

struct operand {
    uint64_t address, bytes; /* 0 bytes: not memory that the map knows */
};

/* Two operands, and the number of removals at which they were last seen: while
 * nothing left the map since, one load tells that they are there. */
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

/* NULL: all are there.  Else one that is not. */
const struct operand *sim_operands_missing(struct sim_platform *platform,
                                           struct operands *operands);

/* Fails the device: the task, an `operation`, names memory that is gone. */
void sim_operand_raise(const struct task *task, struct sim_platform *platform,
                       const struct operand *operand, const char *operation);

#endif
