/* SPDX-License-Identifier: Apache-2.0
 *
 * Operations on values in memory: what streams and the nodes of graphs do with
 * one of them.
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

/* Kind, flags and alignment; not whether there is memory. */
rill_status sim_value_check(const rill_value *value);

/* Count, flags and array of a batch. */
rill_status sim_values_check(const rill_values_op *op);

/* Whether the memory of a wait or write is still there.  A wait whose memory is
 * gone is over, and a fault. */
bool sim_value_is_there(struct sim_platform *platform, const rill_value *value);

/* Whether a wait is over. */
bool sim_value_holds(const rill_value *value);

/* Writes; nothing for a barrier, which asks for no more order than operations of
 * a stream, or a node and those behind it, have. */
void sim_value_write(const rill_value *value);

/* The operation of a strand that does it; false when memory is short. */
bool sim_value_submit(struct submission *submission, const rill_value *value);

#endif
