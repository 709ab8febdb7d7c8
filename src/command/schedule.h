/* SPDX-License-Identifier: Apache-2.0
 *
 * `rill run --schedule` and `rill run --schedules`.
 */
#ifndef COMMAND_SCHEDULE_H
#define COMMAND_SCHEDULE_H

#include "command/command.h"

/* The schedule, and where its steps are written. */
#define COMMAND_SCHEDULE "RILL_SIM_SCHEDULE"
#define COMMAND_TRAIL "RILL_SIM_SCHEDULE_TRAIL"

/* The command line, from the word `run` on. */
struct command_line {
    char **words;
    int options;    /* words before the program, `run` among them */
    char **program; /* ends with NULL */
};

/* What --schedules, --explore and --fail each ask for. */
struct command_search {
    bool fails;    /* each call */
    bool explores;
    unsigned schedules, jobs, timeout_s;
    unsigned shard, shards, runs; /* to explore */
    const char *result;           /* the file for what came out, or NULL */
};

/* Reads a number from 1 to `most`; NULL is `otherwise`.  Returns false after saying what is
 * wrong. */
bool command_read_count(const char *option, const char *text, unsigned most, unsigned otherwise,
                        unsigned *count);

/* Prints the command that runs the program under a schedule; `before`, as " gdb --args", comes
 * before the program. */
void command_print_again(const struct command_line *line, const char *spec, const char *before);

/* Prints the command that runs the program with that call failing. */
void command_print_failing(const struct command_line *line, unsigned call);

/* Runs the program under the schedule that the environment gives, says how to have the same again
 * if it fails, and ends as it does.  Returns only if the program cannot be started. */
int command_run_scheduled(const struct command_line *line, const char *spec);

/* Runs the program under many schedules, until one shows that it fails. */
int command_search(const struct command_line *line, const struct command_search *search);

#endif
