/* SPDX-License-Identifier: Apache-2.0
 *
 * Writing a value into memory and waiting for one, for streams and for nodes of graphs.
 */
#ifndef SIM_VALUE_OP_H
#define SIM_VALUE_OP_H

#include "backend-sim/guard/call_guard.h"

struct submission;

static inline bool sim_value_waits(const rill_value *value)
{
    return value->kind == RILL_VALUE_WAIT_32 || value->kind == RILL_VALUE_WAIT_64;
}

static inline bool sim_value_writes(const rill_value *value)
{
    return value->kind == RILL_VALUE_WRITE_32 || value->kind == RILL_VALUE_WRITE_64;
}

/* Checks the count, the flags and the array of a batch. */
rill_status sim_values_check(const rill_values_op *op);

/* Tells whether the memory of a wait or write still exists.  A wait whose memory was freed is over,
 * and a fault. */
bool sim_value_is_there(struct sim_platform *platform, const rill_value *value);

/* Tells whether a wait is over.  `seen` is the wait with the address that the simulator uses
 * (memory/views.h). */
bool sim_value_holds(const rill_value *value, const rill_value *seen);

/* Writes what a wait waits for: "the value at 0x... to be at least 2 (it is 1)". */
void sim_value_describe(const rill_value *value, char *text, size_t bytes);

/* Writes the value.  Does nothing for a barrier, which asks for no more order than there is between
 * operations of a stream, or between a node and its successors. */
void sim_value_write(const rill_value *value);

/* Adds the operation to a submission.  Returns false if memory is short. */
bool sim_value_submit(struct submission *submission, const rill_value *value);

#endif
