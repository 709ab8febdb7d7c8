/* SPDX-License-Identifier: Apache-2.0
 *
 * A run of a program node by node, in an order that somebody else chooses.
 *
 * Slower than a loop or a gang, and for one thread alone: for engines whose schedule is given
 * (schedule/schedule.h).  Bodies of conditionals run from end to end, as one node.
 */
#ifndef SIM_STEPPER_H
#define SIM_STEPPER_H

#include "backend-sim/node/running_launch.h"
#include "backend-sim/program/program.h"

struct stepper;

/* Begins a run as part of the launch.  Returns NULL if memory is short. */
struct stepper *sim_stepper_create(struct program *program, struct launch *launch);
void sim_stepper_free(struct stepper *stepper);

/* Returns the places of the nodes that can run now, in ascending order, and how many there are.
 * They stay until the next step. */
const uint32_t *sim_stepper_choices(struct stepper *stepper, uint32_t *count);

/* Runs a node that can run, in the launch's context.  Returns whether the run is over. */
bool sim_stepper_run(struct stepper *stepper, uint32_t place);

#endif
