/* SPDX-License-Identifier: Apache-2.0
 *
 * `rill run --trace`, `--timeline` and `--graphs`.
 */
#ifndef COMMAND_TRACE_H
#define COMMAND_TRACE_H

#include "command/command.h"

/* Has what follows run in a child of this process.  When that has ended, draws the graphs in the
 * folder, if there is a program that can, tells what was asked for and is not there, and ends as
 * the child did. */
void command_look_after(const struct command_trace *trace);

#endif
