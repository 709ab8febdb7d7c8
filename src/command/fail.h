/* SPDX-License-Identifier: Apache-2.0
 *
 * `rill run --fail`: a call of the program fails that could, or each of them in a run of its own.
 */
#ifndef COMMAND_FAIL_H
#define COMMAND_FAIL_H

#include "command/schedule.h"

/* Reads --fail, and puts a single call into the environment.  Stores whether each call is asked
 * for.  Returns COMMAND_DONE, or another status after saying what is wrong. */
int command_set_fail(const char *fail, bool *each);

/* Runs the program with call 1 failing, then with call 2, and so on until a run has fewer, and says
 * how each ended. */
int command_fail_each(const struct command_line *line, const struct command_search *asked,
                      const char *findings);

#endif
