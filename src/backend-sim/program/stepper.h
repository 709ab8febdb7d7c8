/* SPDX-License-Identifier: Apache-2.0
 *
 * A run of a program node by node, in an order that somebody else chooses.
 *
 * Slower than a loop or a gang, and for one thread alone: for engines whose schedule is given
 * (schedule/schedule.h).  The nodes of bodies are chosen as all others are: a conditional node
 * begins a body, and stays until that is over.  An exec has one stepper, since its launches run
 * one after the other.
 *
 * A node is named by its number among those of the exec, from 0 (sim_conditional_runs_number()):
 * for nodes that are in no body, that is their place.
 */
#ifndef SIM_STEPPER_H
#define SIM_STEPPER_H

#include "backend-sim/node/running_launch.h"
#include "backend-sim/program/program.h"

struct stepper;

/* Makes what steps through the program and the bodies in it.  Returns NULL if memory is short; no
 * run ever lacks any. */
struct stepper *sim_stepper_create(struct program *program);
void sim_stepper_free(struct stepper *stepper);

/* Begins a run as part of the launch. */
void sim_stepper_begin(struct stepper *stepper, struct launch *launch);

/* Returns the numbers of the nodes that can run now, of each program in ascending order, and how
 * many there are.  They stay until the next step. */
const uint32_t *sim_stepper_choices(struct stepper *stepper, uint32_t *count);

/* Stores what the first of the nodes waits for that wait for an event outside, retained.  Returns
 * false if there is none. */
bool sim_stepper_held_up_by(const struct stepper *stepper, struct point *point);

/* Writes what the first of the nodes waits for that wait for a value in memory, or nothing. */
void sim_stepper_waits_for(const struct stepper *stepper, char *text, size_t bytes);

/* Tells what a node demands that can run. */
struct demand;
void sim_stepper_demand(struct stepper *stepper, uint32_t number, struct demand *demand);

/* Runs a node that can run, or ends it where time is virtual, in the launch's context.  Returns
 * whether the run is over. */
bool sim_stepper_run(struct stepper *stepper, uint32_t number);

#endif
