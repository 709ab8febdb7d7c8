/* SPDX-License-Identifier: Apache-2.0
 *
 * External nodes: nodes of a program that have to do with what is outside of it.  Each has a
 * timeline of its own.
 *
 * A node that waits, for an event or for a value in memory, waits as a strand does: the wait
 * stands in its timeline's queue, followed by the operation that lets the gang go on.
 *
 * A host function that a certain thread must call is external, too: the gang goes on when it
 * returns.
 *
 * A node that records an event is a point on its timeline for each launch, from the moment
 * when the launch is submitted; when the node runs, the point is reached.
 */
#ifndef SIM_EXTERNAL_NODE_H
#define SIM_EXTERNAL_NODE_H

#include "backend-sim/program/gang/gang.h"
#include "backend-sim/scheduler/host_thread.h"

struct event_state;

struct external_node {
    struct program *program;
    uint32_t place;
    bool records;             /* an event: nothing ever waits here; fixed           */
    struct strand *strand;    /* its timeline; NULL for a host function, which is
                                 called in another thread and returns               */
    struct host_call call;    /* of the host function                               */
    struct task *next_task;   /* what the next launch that is submitted will do here;
                                 retained; the exec's caller's                      */
    uint32_t item;            /* of a batch: the current one; the member's          */
    bool arrived;             /* what it waited for has come; the member's, through
                                 the gang's lock                                    */
    struct gang *gang;        /* that waits, until a member goes on here; NULL if
                                 none does; the member's, through the gang's lock   */
};

/* Makes an external node for every node of the program that has to be one. */
rill_status sim_external_create(struct program *program, struct sim_context *context);
void sim_external_free(struct program *program);

/* Returns the external node of a place that has one. */
struct external_node *sim_external_find(struct program *program, uint32_t place);

/* ---- Submitting a launch ------------------------------------------------------------ */

/* Lists, for a program with nodes that wait, what its event waits wait for: the events as they
 * are now, retained, by external node.  Returns false if memory is short. */
bool sim_external_snapshot(struct program *program, struct point **awaited);

/* Releases and frees the list; NULL is fine. */
void sim_external_release(const struct program *program, struct point *awaited);

/* Makes the recorded events stand for launch `number`, which ends at `end`. */
void sim_external_submit(struct program *program, uint64_t number, struct point end);

/* Sets what the node in a place, if it is external, does from the next launch on. */
void sim_external_set_next(struct program *program, uint32_t place, struct task *task);

/* ---- Running it ----------------------------------------------------------------------- */

/* Records the event: the entry of a node that records. */
void sim_external_record(void *node);

/* Returns true if what the node waits for has come.  Otherwise begins to wait: the gang is
 * resumed later. */
bool sim_external_wait(struct external_node *node, struct gang *gang);

/* Tells whether the node waits for an event; otherwise it has values. */
bool sim_external_awaits_event(const struct external_node *node);

/* Writes which value a node with values waits for. */
void sim_external_describe(const struct external_node *node, char *text, size_t bytes);

/* For a launch whose steps are chosen (stepper.h), where no thread resumes a gang.  Tells whether
 * the node can go on now. */
bool sim_external_can_go_on(const struct external_node *node, const struct launch *launch);

/* Lets it go on as far as it can.  Returns whether it is done. */
bool sim_external_go_on(struct external_node *node);

/* Returns whether a certain thread must call a host function of the program. */
bool sim_external_need_host_thread(const struct program *program);

/* Ends launch `number`: completes the points of records that did not run, so that nobody waits
 * for them. */
void sim_external_conclude(struct program *program, uint64_t number);

/* Finds a node of the launch that still waits, and returns it as a point to go to, retained.
 * Returns false if there is none.  Requires the park lock of the launch's strand, which is
 * taken before that of a node's timeline. */
bool sim_external_waiting(const struct program *program, struct point *point);

#endif
