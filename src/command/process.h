/* SPDX-License-Identifier: Apache-2.0
 *
 * Processes that run the program, for the forms of `rill run` that stay until it ends.
 */
#ifndef COMMAND_PROCESS_H
#define COMMAND_PROCESS_H

#include <stdbool.h>
#include <sys/types.h>

struct process_files {
    int out, err; /* file descriptors */
};

/* Starts the program, with the environment of this process.  With `files`, that is where its output
 * goes, its input is empty, and it is the first of a group of processes; NULL has it share all that
 * this process has.  Returns 0, or what spawning it failed with. */
int command_process_start(char **program, const struct process_files *files, pid_t *process);

/* Says that the program could not be started.  Returns the status for that. */
int command_process_refused(const char *program, int reason);

/* Waits until a program ends that shares the terminal with this process.  What asks this process to
 * end is handed to the program.  Returns what waitpid() tells. */
int command_process_await(pid_t process);

/* Ends this process as another one ended. */
void command_process_end_like(int how) __attribute__((noreturn));

#endif
