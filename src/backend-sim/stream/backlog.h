/* SPDX-License-Identifier: Apache-2.0
 *
 * The backlog of a stream: what was submitted to it and has not run.  Threads that submit more than
 * the simulator can run would fill all memory, and whoever waits for the stream would wait for what
 * came in the meantime.  A driver lets them wait: it has room for a thousand operations or so.
 * Here they wait, too, but only while the stream gets on by itself.
 */
#ifndef SIM_BACKLOG_H
#define SIM_BACKLOG_H

#include "backend-sim/scheduler/strand.h"

/* A thread looks at the backlog once in so many operations: a power of two. */
#define BACKLOG_LOOK 1024u

/* Returns true if it is time to look, which is when few are left of so many: a submission may be
 * several operations. */
static inline bool sim_backlog_is_due(const struct strand *strand)
{
    const uint64_t few = 4;
    const uint64_t at = atomic_load_explicit(&strand->submitted, memory_order_relaxed);
    return (at & (BACKLOG_LOOK - few)) == BACKLOG_LOOK - few;
}

/* Waits until a strand with a long backlog has got on.  Returns at once for one that does not get
 * on by itself - it is parked, or calls a function of the program, which may wait for this thread -
 * and where a schedule or a virtual clock says what runs when.  Called without locks. */
void sim_backlog_wait(struct strand *strand);

#endif
