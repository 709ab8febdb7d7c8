/* SPDX-License-Identifier: Apache-2.0
 *
 * Where time is virtual: who knows what time it is, and how long an operation takes.
 *
 * An engine whose time is virtual is steered (steering.h).  An operation that takes time is two
 * steps: the first one runs it, at its start; the second one ends it, and does nothing else.  In
 * between, others run, and a thread that asks finds it not completed.  The clock (clock/clock.h) is
 * what there is of it; the scheduler knows only this table.
 */
#ifndef SIM_VIRTUAL_TIME_H
#define SIM_VIRTUAL_TIME_H

#include "backend-sim/scheduler/engine.h"

/* In place of a node's place: the operation itself. */
#define WHOLE_OPERATION UINT32_MAX

/* Each function is called by the thread that takes a step of the strand; `place` is that of a node
 * of the launch in front, or WHOLE_OPERATION. */
struct virtual_time {
    /* Returns the time: of the step that the calling thread is in, else that of the host. */
    uint64_t (*now)(struct virtual_time *time);
    /* Told that a step begins.  Returns whether it only ends what ran in an earlier one. */
    bool (*ends)(struct virtual_time *time, const struct strand *strand, uint32_t place);
    /* Told that it ran: for this thread, the time is that of its end from now on. */
    void (*ran)(struct virtual_time *time, const struct strand *strand, uint32_t place);
    /* Returns whether it takes time, so that another step is to end it. */
    bool (*lasts)(struct virtual_time *time, const struct strand *strand, uint32_t place);
};

/* Has the time of an engine that is steered be virtual. */
void sim_engine_set_virtual_time(struct engine *engine, struct virtual_time *time);

static inline bool sim_time_is_virtual(const struct strand *strand)
{
    return sim_strand_attention(strand) & ATTEND_VIRTUAL;
}

static inline bool sim_step_ends(const struct strand *strand, uint32_t place)
{
    struct virtual_time *time = strand->engine->virtual_time;
    return sim_time_is_virtual(strand) && time->ends(time, strand, place);
}

static inline void sim_step_ran(const struct strand *strand, uint32_t place)
{
    struct virtual_time *time = strand->engine->virtual_time;
    if (sim_time_is_virtual(strand)) time->ran(time, strand, place);
}

static inline bool sim_step_lasts(const struct strand *strand, uint32_t place)
{
    struct virtual_time *time = strand->engine->virtual_time;
    return sim_time_is_virtual(strand) && time->lasts(time, strand, place);
}

#endif
