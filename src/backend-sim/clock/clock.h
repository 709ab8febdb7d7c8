/* SPDX-License-Identifier: Apache-2.0
 *
 * The virtual clock: a schedule (schedule/schedule.h) in which each step has a time.
 *
 * An operation, or a node of a launch, can begin once what it waits for has ended and an engine of
 * its device is free, and takes as long as it costs (costs.h).  Of all that can begin or end, the
 * policy `timed` takes what comes first; so what is seen while a program runs is what was so at
 * that time.  The host has a time, too: work that it submits can begin then, a wait takes it to the
 * end of what it waits for, and a call that asks again and again takes it to whatever happens next.
 *
 * Nothing of this depends on how fast anything runs here, but for costs that are `measured`.
 */
#ifndef SIM_CLOCK_H
#define SIM_CLOCK_H

#include "backend-sim/clock/history.h"
#include "backend-sim/clock/steps.h"
#include "backend-sim/schedule/policy.h"
#include "backend-sim/scheduler/virtual_time.h"
#include "base/lock.h"

struct virtual_clock {
    struct virtual_time time; /* first: what the engine knows of it */
    struct costs *costs;      /* owned; fixed */
    const struct sim_platform *platform;

    struct rl_lock lock;      /* protects the rest */
    uint64_t now;             /* of the step that was chosen last */
    uint64_t host;            /* of the host                      */
    uint64_t calls;           /* of the host, that were charged   */
    size_t host_after;        /* the span that the host waited for last, or NO_SPAN         */
    bool stepped;             /* a step was taken since steps were listed; what is new was
                                 made possible by it                                        */
    size_t stepped_after;     /* the span that this step ended, or comes after              */
    uint64_t orders;          /* given so far */
    struct steps steps;
    struct device_engines *engines;
    struct history history;
};

/* Makes the clock of a platform; takes the costs over.  Returns NULL if memory is short. */
struct virtual_clock *sim_clock_create(const struct sim_platform *platform, struct costs *costs);
void sim_clock_free(struct virtual_clock *clock);

/* Has a schedule follow the clock. */
void sim_clock_make_spec(struct virtual_clock *clock, struct schedule_spec *spec);

/* Has time pass for the host, in a call of its own. */
void sim_clock_let_pass(struct virtual_clock *clock, struct schedule *schedule, uint64_t ns);

#endif
