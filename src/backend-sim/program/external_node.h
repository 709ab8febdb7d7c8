/* SPDX-License-Identifier: Apache-2.0
 *
 * The sides of a program: nodes that have to do with what is outside of it.
 * Each has a timeline of its own.
 *
 * A node that waits, for an event or for a value in memory, waits as a strand
 * does: what it waits for stands in its timeline's queue, and behind it the
 * operation that lets the gang go on.
 *
 * So does a host function that one thread is to call: the gang goes on when it returns.
 *
 * A node that records an event is a point on its timeline for each launch, from
 * the moment when the launch is submitted; when the node runs, it is reached.
 */
#ifndef SIM_EXTERNAL_NODE_H
#define SIM_EXTERNAL_NODE_H

#include "backend-sim/program/gang.h"
#include "backend-sim/scheduler/host_thread.h"

struct event_state;

struct side {
    struct program *program;
    uint32_t place;
    bool records;             /* an event: nothing ever waits here; fixed        */
    struct strand *strand;    /* its timeline; NULL of a host function, which is
                                 called in another thread and returns            */
    struct host_call call;    /* of that; host_thread.h                          */
    struct task *next_task;   /* what a launch that is submitted now will do here;
                                 retained; the exec's caller's                   */
    uint32_t item;            /* of a batch: the one that it is at; the member's */
    bool arrived;             /* what it waited for has come; the same, through the
                                 gang's lock                                     */
    struct gang *gang;        /* that waits, until a member goes on here; NULL: none
                                 does; the same                                  */
};

/* For every node that needs one. */
rill_status sim_sides_create(struct program *program, struct sim_context *context);
void sim_sides_free(struct program *program);
struct side *sim_side_find(struct program *program, uint32_t place);

/* ---- Submitting a launch ------------------------------------------------------------ */

/* What the event waits of a program that has any kind of waits wait for: the events
 * as they are now, retained, by side.  False when memory is short. */
bool sim_sides_look(struct program *program, struct point **awaited);
void sim_sides_forget(const struct program *program, struct point *awaited);

/* From now on the events stand for launch `number`, which ends at `end`. */
void sim_sides_promise(struct program *program, uint64_t number, struct point end);

/* From the next launch on the node does that. */
void sim_side_change(struct program *program, uint32_t place, struct task *task);

/* ---- Running it ----------------------------------------------------------------------- */

/* The entry of a node that records. */
void sim_side_record(void *side);

/* Whether what the node waits for has come; when not, the gang is told later. */
bool sim_side_arrived(struct side *side, struct gang *gang);

/* Whether there are host functions among them. */
bool sim_sides_are_away(const struct program *program);

/* Launch `number` is over: whatever did not run, nobody waits for it. */
void sim_sides_conclude(struct program *program, uint64_t number);

/* A node of the launch that still waits, as a point to go to, retained; false:
 * there is none.  The caller has the park lock of the launch's strand; that of a
 * side's comes after it. */
bool sim_sides_waiting(const struct program *program, struct point *point);

#endif
