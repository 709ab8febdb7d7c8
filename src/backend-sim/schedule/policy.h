/* SPDX-License-Identifier: Apache-2.0
 *
 * Policies: which of the steps that are possible is taken next, or whether the host goes first.
 */
#ifndef SIM_SCHEDULE_POLICY_H
#define SIM_SCHEDULE_POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backend-sim/schedule/spec.h"

struct strand;

/* A step that is possible. */
struct candidate {
    struct strand *strand;
    uint32_t stream; /* the strand's ordinal                                        */
    uint64_t number; /* of the operation                                            */
    uint32_t place;  /* of the node, if the operation is a launch that has begun, or
                        HOLD_ANY_PLACE                                              */
    bool needed;     /* the point that the host waits for comes after it            */
    bool oldest;     /* of all that is pending on its device, it was submitted first */
};

/* What the host does while steps are taken. */
enum moment_kind {
    MOMENT_CALL,  /* ends a call, and goes on when the policy says so          */
    MOMENT_QUERY, /* polls, and must see something change at some time         */
    MOMENT_WAIT   /* waits, and goes on when what it waits for is over         */
};

/* What a policy knows and keeps. */
struct policy_state {
    struct schedule_spec spec;
    uint64_t random;         /* the state of its random numbers */
    uint64_t bits;           /* random: bits not used yet, below the highest one that is set */
    uint64_t calls, steps;   /* so far                          */
    uint64_t sure_before;    /* while calls + steps is less, the policy takes the only possible step
                                if the host waits, without a change of its state; the least of
                                `changes` for pct */
    uint64_t changes[16];    /* pct: the decisions at which somebody loses its turn */
    uint32_t change_count;
    uint64_t *priorities;    /* pct: of streams, by ordinal; 0: of the host */
    uint32_t priority_room;
    uint64_t lowest;         /* pct: the priority of the last one that lost its turn */
    uint32_t next;           /* order: the first step left in the list      */
};

struct kernel_manner;

/* The host goes first. */
#define CHOOSE_HOST UINT32_MAX

struct schedule_policy {
    const char *name;
    int numbers;       /* that follow the name           */
    int more_numbers;  /* that may follow those          */
    bool holds;        /* a list of what is held follows */
    bool orders;       /* a list of steps follows, which come in that order */
    bool same_numbers; /* operations have the same numbers whatever ran: ATTEND_NUMBERS */
    bool keeps_order;  /* needs to know what was submitted first */
    bool waits_only;   /* takes no step at a MOMENT_CALL */
    bool takes_only;   /* takes the only possible step whenever the host waits: `sure_before` */
    bool sees_all;     /* is asked when a call begins and after each step, even if no step is
                          possible */
    const char *form;  /* tells how the spec is written, for one that cannot be read */
    /* Returns the index of one of `count` candidates, which come in the order in which they became
     * possible, or CHOOSE_HOST, also to wait for a step that is not possible yet.  There is at
     * least one candidate unless the policy sees all. */
    uint32_t (*choose)(struct policy_state *state, const struct candidate *candidates,
                       uint32_t count, enum moment_kind moment);
    /* Returns true if the host goes first at a MOMENT_CALL at which this stream has the only step,
     * which is not in a launch.  If it returns false, it has changed nothing, and `choose` has to
     * be asked.  NULL if `choose` is always asked. */
    bool (*lets_host_go)(struct policy_state *state, uint32_t stream);
    /* Returns how the kernel of the step runs.  NULL if it runs as without a schedule. */
    struct kernel_manner (*manner)(const struct policy_state *state, const struct candidate *step);
};

/* Returns the policy of that name, or NULL. */
const struct schedule_policy *sim_schedule_policy(const char *name, size_t length);

/* Tells whether the policy takes the only step that is possible, if the host waits. */
static inline bool sim_policy_is_sure(const struct policy_state *state)
{
    return state->steps + state->calls < state->sure_before;
}

/* Sets up what the policy keeps.  Takes the spec over. */
void sim_policy_init(struct policy_state *state, const struct schedule_spec *spec);
void sim_policy_fini(struct policy_state *state);

#endif
