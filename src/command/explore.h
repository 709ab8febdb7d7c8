/* SPDX-License-Identifier: Apache-2.0
 *
 * `rill run --explore`: the program once for each class of schedules.
 */
#ifndef COMMAND_EXPLORE_H
#define COMMAND_EXPLORE_H

#include "command/schedule.h"

/* Reads --shard and --runs, and puts the layer that gives an account into the environment.  Returns
 * COMMAND_DONE, or another status after saying what is wrong. */
int command_set_explore(const struct command_schedule *given, struct command_search *search);

/* Runs the program until each class had a run, or one shows that it fails. */
int command_explore(const struct command_line *line, const struct command_search *asked);

#endif
