/* SPDX-License-Identifier: Apache-2.0
 *
 * Orders for a series of schedules, from what a run touched.
 */
#ifndef COMMAND_TURNS_H
#define COMMAND_TURNS_H

#include "backend-sim/schedule/series.h"
#include "command/trial.h"

/* Runs the program once more, in a trial that does not run, with the layer `check` keeping an
 * account of what each operation touches, and adds orders to the series: each has one pair of
 * operations, which conflict and which nothing orders, the other way around.  Adds none if there
 * is no account.  Returns 0, or what spawning the program failed with. */
int command_turns_add(struct trials *trials, struct trial *trial, struct series *series);

#endif
