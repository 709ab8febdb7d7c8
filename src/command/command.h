/* SPDX-License-Identifier: Apache-2.0
 *
 * The `rill` command.  `rill run` starts a program so that the libcuda that it loads
 * is the stand-in; `rill cc` compiles such a program; `rill info` says what it would find.
 */
#ifndef COMMAND_H
#define COMMAND_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/* ---- How it ends ---------------------------------------------------------- */

/* As with env(1) and its like: what `rill run` itself could not do is apart from what
 * the program answers. */
enum command_exit {
    COMMAND_DONE = 0,
    COMMAND_FAILED = 1,      /* `rill info`: something that should work does not */
    COMMAND_MISUSED = 2,     /* a wrong word on the command line, but for `rill run` */
    COMMAND_TIMED_OUT = 124, /* `rill run --schedules`: the program did not end in time */
    COMMAND_NOT_READY = 125, /* `rill run`: a wrong option, or no stand-in;
                                `rill cc`: no clang                              */
    COMMAND_NOT_RUN = 126,   /* the program is there and cannot be run           */
    COMMAND_NOT_FOUND = 127
};

/* "rill run: …" on stderr; returns `status`. */
int command_fail(int status, const char *verb, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Prints what the commands are, or the options of one. */
int command_help(const char *verb);

/* Prints to stderr what the commands are, for somebody who named none. */
int command_usage(void);

/* The verbs get what stands behind them, with themselves as argv[0]. */
int command_run(int argc, char **argv);
int command_cc(int argc, char **argv);
int command_info(int argc, char **argv);
int command_sum(int argc, char **argv);

/* ---- Options -------------------------------------------------------------- */

/* What `rill run --check` and the options that need it take; NULL: not given. */
struct command_check {
    const char *kinds; /* "" for those that are looked for without a word */
    const char *hints, *stack, *exitcode, *log, *json, *suppressions;
};

/* What `rill run --schedule`, `--schedules`, `--explore` and `--fail` take; NULL: not given. */
struct command_schedule {
    const char *spec, *count, *explore, *shard, *runs, *result, *fail, *jobs, *timeout;
};

/* What `rill run --trace`, `--timeline` and `--graphs` take; NULL: not given. */
struct command_trace {
    const char *file, *timeline, *graphs;
};

/* What `rill run --clock` and `--costs` take; NULL: not given. */
struct command_clock {
    bool sleeps; /* --sleeps */
    const char *kind, *costs;
};

/* What `rill run` and `rill info` take. */
struct command_options {
    const char *driver; /* the version, or NULL: the stand-in's own */
    bool help;          /* asked for: nothing else counts           */
    bool quiet;         /* for `rill run` alone, as what follows    */
    struct command_check check;
    struct command_schedule schedule;
    struct command_trace trace;
    struct command_clock clock;
    int words;          /* of argv that were read, the verb included */
};

/* Reads the options in front and puts those for the simulator into the environment.
 * Returns COMMAND_DONE, or `wrong` after saying what is wrong. */
int command_read(struct command_options *options, int argc, char **argv, int wrong);

/* The value of option `name` at argv[*at], as the next word or behind "=", or NULL if
 * that word is something else.  A value that is missing is "". */
const char *command_value(const char *name, int argc, char **argv, int *at);

/* Reads the option at argv[*at] if it is one of checking.  Returns false if it is none. */
bool command_read_check(struct command_check *check, int argc, char **argv, int *at);

/* Puts what is to be checked into the environment, beside what is there.  Returns
 * COMMAND_DONE, or `wrong` after saying what is wrong. */
int command_set_check(const struct command_check *check, const char *verb, int wrong);

/* Reads an option of clocks at argv[*at].  Returns false if it is none. */
bool command_read_clock(struct command_clock *clock, int argc, char **argv, int *at);

/* Checks them, and puts them into the environment; `scheduled` if a schedule is asked for as well.
 * Returns COMMAND_DONE, or the status to end with after saying what is wrong. */
int command_set_clock(const struct command_clock *given, bool scheduled);

/* The same for options of schedules (schedule.h). */
struct command_search;
bool command_read_schedule(struct command_schedule *schedule, int argc, char **argv, int *at);
int command_set_schedule(const struct command_schedule *given, struct command_search *search);

/* The same for options of traces (trace.h). */
bool command_read_trace(struct command_trace *trace, int argc, char **argv, int *at);
int command_set_trace(const struct command_trace *trace);

/* ---- Where the stand-in is -------------------------------------------------- */

#define COMMAND_PATH_MAX 4096

/* What programs get that do not ask for a version. */
#define COMMAND_NEWEST "13.0"

/* The folder with the libcuda.so.1 of that driver version (NULL: the newest).
 * False, after saying so for `verb`, when there is none. */
bool command_find_standin(const char *verb, const char *driver, char folder[COMMAND_PATH_MAX]);

/* The folder with libcudart.so.11.0, .12 and .13.  False if there is none. */
bool command_find_runtime(char folder[COMMAND_PATH_MAX]);

/* Finds the library that takes a program's sleeps where time is virtual.  Returns false if it is
 * not there. */
bool command_find_sleep(char file[COMMAND_PATH_MAX]);

/* The other versions that can be asked for, each behind a blank: " 12.4 11.8". */
void command_list_drivers(char *text, size_t size);

#endif
