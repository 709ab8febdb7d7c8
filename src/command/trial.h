/* SPDX-License-Identifier: Apache-2.0
 *
 * Trials: runs of the program under a schedule, some at the same time, whose output is kept.
 */
#ifndef COMMAND_TRIAL_H
#define COMMAND_TRIAL_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* How a trial ended. */
enum trial_end {
    TRIAL_PASSED,
    TRIAL_STATUS,
    TRIAL_SIGNAL,
    TRIAL_HANG,   /* proved: nothing could run, and the program waited */
    TRIAL_TIMEOUT,
    TRIAL_STOPPED /* from here, since nobody asks any more */
};

#define TRIAL_SPEC_MAX 131000 /* a variable of the environment has little more */

struct trial {
    unsigned number;         /* the caller's */
    pid_t process;           /* 0 if it does not run */
    uint64_t deadline_ns;
    int out, err;            /* what the program wrote: file descriptors, or -1 */
    char *trail;             /* the name of a file */
    enum trial_end end;
    int how;                 /* the status or the signal */
};

/* Those that may run at the same time. */
struct trials {
    char **program;
    const char *variable;    /* that says what is to be; NULL: that of the schedule, whose trail is
                                kept then */
    uint64_t timeout_ns;
    unsigned count;
    struct trial *items;
    char *folder;
};

/* Makes room for `count` trials.  Returns false after saying why there is none. */
bool command_trials_init(struct trials *trials, char **program, unsigned count, unsigned timeout_s);

/* Stops those that run, and removes what was kept. */
void command_trials_fini(struct trials *trials);

/* Returns a trial that does not run, or NULL. */
struct trial *command_trials_free_one(struct trials *trials);

/* Starts the program under a schedule, or what the variable says.  Returns 0, or what spawning it
 * failed with. */
int command_trial_start(struct trials *trials, struct trial *trial, const char *spec);

/* Waits until one of those that run has ended, of itself or since its time was over.  Returns NULL
 * if none runs.  Ends this process if somebody asks for that. */
struct trial *command_trials_await(struct trials *trials);

/* Has a trial end at once. */
void command_trial_stop(struct trial *trial);

/* Writes how a trial ended, as "status 1"; returns `text`. */
const char *command_trial_words(const struct trial *trial, char text[128]);

/* Copies what the program wrote to the outputs of this process. */
void command_trial_show(const struct trial *trial);

#endif
