/* SPDX-License-Identifier: Apache-2.0
 *
 * The steps that are possible, or were begun and go on: found by what they are steps of.
 */
#ifndef SIM_STEPS_H
#define SIM_STEPS_H

#include "backend-sim/clock/engines.h"

enum step_state {
    STEP_READY, /* can begin                                                */
    STEP_RUNS,  /* was chosen: a thread is in it                            */
    STEP_LASTS, /* ran, and ends at `end`                                   */
    STEP_ENDS   /* was chosen again, to end                                 */
};

struct step {
    struct step *next;   /* of its bucket, or free                              */
    uint64_t number;     /* of the operation                                    */
    uint32_t stream;     /* the strand's ordinal                                */
    uint32_t place;      /* of a node, or WHOLE_OPERATION                       */
    enum step_state state;
    uint64_t order;      /* in which steps became possible                      */
    uint64_t ready, start, end;
    uint64_t begun_real; /* what the system's clock said at `start`             */
    struct demand demand;
    struct cost cost;
    size_t after;        /* the span whose end made it possible, or NO_SPAN     */
    size_t span;         /* its own, or NO_SPAN                                 */
    struct engine_place *engine; /* that it keeps busy, or NULL                 */
};

struct steps {
    struct step **buckets;
    size_t count, room;  /* room is a power of 2 */
    struct step *spare;
};

/* Returns the step, or NULL. */
struct step *sim_steps_find(const struct steps *steps, uint32_t stream, uint64_t number,
                            uint32_t place);

/* Adds one that is not there.  Returns NULL if memory is short. */
struct step *sim_steps_add(struct steps *steps, uint32_t stream, uint64_t number, uint32_t place);

void sim_steps_remove(struct steps *steps, struct step *step);
void sim_steps_fini(struct steps *steps);

#endif
