/* SPDX-License-Identifier: Apache-2.0
 *
 * Deterministic mode: the schedule is data.
 *
 * One thread, the runner, takes all steps; nothing else runs operations.  It takes them while the
 * host is inside a call: each call of the host is a moment at which a policy (policy.h) decides
 * what runs before the call returns, and a call that waits lets steps run until what it waits for
 * is over.  So a program with one thread runs the same way each time, with any number of workers,
 * and what happened is told by a number (trail.h).
 *
 *     host thread                              runner
 *     enter: takes the turn among threads
 *     ...the call...                           sleeps
 *     leave: moment -------------------------> asks the policy, takes steps
 *            <---- done, or the host is first  sleeps
 *     gives the turn back
 *
 * Where the program promises that its host functions wait for no thread of it (`runs_here`), the
 * thread in the call stands in for the runner, as long as steps are host functions, copies and
 * fills: that spares the way to another thread and back, and what is decided is the same.
 *
 * A function of the program may wait for what the host does later.  The host is let go then, and
 * another runner takes the place of the one that is away, which ends once the function returned;
 * what such a program does between two calls is not in the schedule's hands.
 */
#ifndef SIM_SCHEDULE_H
#define SIM_SCHEDULE_H

#include <rill/backend.h>

#include "backend-sim/schedule/spec.h"

struct engine;
struct schedule;

/* Gives the schedule of an engine that was just created.  Takes the spec over, also if it fails. */
rill_status sim_schedule_create(struct engine *engine, struct schedule_spec *spec,
                                const char *trail_path, struct schedule **schedule);

/* Has the threads in calls take steps, since functions wait for no thread of the program. */
void sim_schedule_run_here(struct schedule *schedule);

/* Ends the runner, and runs or drops what is held.  Returns false if the runner is in a function
 * and does not end within `patience_ns`; it is left to itself then. */
bool sim_schedule_stop(struct schedule *schedule, uint64_t patience_ns);

/* Frees a schedule that was stopped; NULL is fine. */
void sim_schedule_free(struct schedule *schedule);

/* ---- Around each call of the host (the layer `schedule`) ---------------------------------- */

/* Takes the turn, and notes that a call begins that asks again and again, or another one. */
void sim_schedule_enter(struct schedule *schedule, bool asks);

/* Lets steps run, and gives the turn back. */
void sim_schedule_leave(struct schedule *schedule);

/* Forgets the calls that asked again and again.  Requires the turn. */
void sim_schedule_forget_queries(struct schedule *schedule);

/* Tells whether the calling thread takes the steps of the schedule now. */
bool sim_schedule_steps_here(const struct schedule *schedule);

/* Has a function called for each step.  Requires that the platform was just opened. */
void sim_schedule_listen(struct schedule *schedule, rill_taken_fn taken, void *data);

#endif
