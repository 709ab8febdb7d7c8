/* SPDX-License-Identifier: Apache-2.0
 *
 * The options of schedules, and `rill run --schedule`: the program under one of them.
 */
#include "command/schedule.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "backend-sim/schedule/spec.h"
#include "command/explore.h"
#include "command/fail.h"
#include "command/process.h"
#include "command/steps.h"
#include "command/words.h"
#include "core/object/error.h"

/* ---- Options ----------------------------------------------------------------------------- */

/* How many schedules, processes and seconds can be asked for. */
#define SCHEDULES_MOST 1000000u
#define JOBS_MOST 1024u
#define TIMEOUT_MOST_S 86400u

#define TIMEOUT_S 60u /* if none is asked for */

static const struct {
    const char *option;
    size_t at; /* in struct command_schedule */
} values[] = {
    { "--schedule", offsetof(struct command_schedule, spec) },
    { "--schedules", offsetof(struct command_schedule, count) },
    { "--shard", offsetof(struct command_schedule, shard) },
    { "--runs", offsetof(struct command_schedule, runs) },
    { "--result", offsetof(struct command_schedule, result) },
    { "--fail", offsetof(struct command_schedule, fail) },
    { "--jobs", offsetof(struct command_schedule, jobs) },
    { "--timeout", offsetof(struct command_schedule, timeout) },
};
enum { VALUES = sizeof values / sizeof *values };

static const char explore[] = "--explore";

/* Returns the number of the option at argv[*at] in the table, with its value, or -1. */
static int find_option(int argc, char **argv, int *at, const char **value)
{
    for (int i = 0; i < VALUES; i++)
        if ((*value = command_value(values[i].option, argc, argv, at))) return i;
    return -1;
}

bool command_read_schedule(struct command_schedule *schedule, int argc, char **argv, int *at)
{
    const char *value;
    if (!strcmp(argv[*at], explore)) {
        schedule->explore = explore;
        return true;
    }
    int option = find_option(argc, argv, at, &value);
    if (option < 0) return false;
    *(const char **)((char *)schedule + values[option].at) = value;
    return true;
}

bool command_read_count(const char *option, const char *text, unsigned most, unsigned otherwise,
                        unsigned *count)
{
    *count = otherwise;
    if (!text) return true;
    size_t digits = strspn(text, "0123456789");
    unsigned long number = digits && digits < 10 && !text[digits] ? strtoul(text, NULL, 10) : 0;
    *count = (unsigned)number;
    if (number >= 1 && number <= most) return true;
    command_fail(0, "run", "%s takes a number from 1 to %u, not \"%s\"", option, most, text);
    return false;
}

/* Returns false after saying what is wrong with the schedule. */
static bool is_schedule(const char *text, const char *from)
{
    struct schedule_spec spec;
    char why[RILL_ERROR_MESSAGE_MAX];
    rill_status status = sim_schedule_read(text, from, &spec);
    if (!status) {
        sim_schedule_spec_free(&spec);
        return true;
    }
    rl_noted_message(why);
    rl_drop_note();
    command_fail(0, "run", "%s", *why ? why : "out of memory");
    return false;
}

int command_set_schedule(const struct command_schedule *given, struct command_search *search)
{
    const char *idle = given->jobs ? "--jobs" : given->timeout ? "--timeout" : NULL;
    long long processors = sysconf(_SC_NPROCESSORS_ONLN);
    unsigned jobs = processors < 1 ? 1 : processors > JOBS_MOST ? JOBS_MOST : (unsigned)processors;
    const char *already = getenv(COMMAND_SCHEDULE);
    *search = (struct command_search){ .schedules = 0 };
    int status = command_set_fail(given->fail, &search->fails);
    if (!status) status = command_set_explore(given, search);
    if (status) return status;
    bool many = given->count || search->fails || search->explores;
    if (!many && idle)
        return command_fail(COMMAND_NOT_READY, "run", "%s is for runs with --schedules, --explore "
                            "or --fail each", idle);
    if (given->count && search->fails)
        return command_fail(COMMAND_NOT_READY, "run", "--schedules and --fail each both ask for "
                            "many runs: give one of the two");
    if (given->count && given->spec)
        return command_fail(COMMAND_NOT_READY, "run", "--schedule names one schedule, "
                            "--schedules asks for many: give one of the two");
    if (given->count &&
        !command_read_count("--schedules", given->count, SCHEDULES_MOST, 1, &search->schedules))
        return COMMAND_NOT_READY;
    if (many &&
        (!command_read_count("--jobs", given->jobs, JOBS_MOST, jobs, &search->jobs) ||
         !command_read_count("--timeout", given->timeout, TIMEOUT_MOST_S, TIMEOUT_S,
                             &search->timeout_s)))
        return COMMAND_NOT_READY;
    if (given->spec && !is_schedule(given->spec, "--schedule")) return COMMAND_NOT_READY;
    if (!given->spec && !given->count && already && *already &&
        !is_schedule(already, COMMAND_SCHEDULE))
        return COMMAND_NOT_READY;
    if (given->spec && setenv(COMMAND_SCHEDULE, given->spec, 1))
        return command_fail(COMMAND_NOT_READY, "run", "out of memory");
    return COMMAND_DONE;
}

/* ---- The command that runs the same again ------------------------------------------------ */

/* Prints a blank and the word, as a shell reads it back. */
static void print_word(const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-+=./,:@%";
    if (*word && !word[strspn(word, plain)]) {
        fprintf(stderr, " %s", word);
        return;
    }
    fputs(" '", stderr);
    for (; *word; word++) {
        if (*word == '\'') fputs("'\\''", stderr);
        else fputc(*word, stderr);
    }
    fputc('\'', stderr);
}

/* Tells whether the option says how many runs there are, which the command that runs one of them
 * again leaves out. */
static bool asks_for_runs(int option, const char *value, bool schedule)
{
    size_t at = values[option].at;
    if (at == offsetof(struct command_schedule, spec)) return !schedule;
    if (at == offsetof(struct command_schedule, fail)) return !strcmp(value, "each");
    return true;
}

/* Prints the words in front of the program, but for those that ask for runs; `schedule` tells
 * whether a schedule stays. */
static void print_options(const struct command_line *line, bool schedule)
{
    const char *value;
    fputs("rill run", stderr);
    for (int at = 1; at < line->options; at++) {
        int word = at;
        if (!strcmp(line->words[at], "--")) break;
        if (!strcmp(line->words[at], explore)) continue;
        int option = find_option(line->options, line->words, &at, &value);
        if (option >= 0 && asks_for_runs(option, value, schedule)) continue;
        for (; word <= at; word++) print_word(line->words[word]);
    }
}

static void print_program(const struct command_line *line, const char *before)
{
    if (**line->program == '-' && !*before) fputs(" --", stderr);
    fputs(before, stderr);
    for (char **word = line->program; *word; word++) print_word(*word);
    fputc('\n', stderr);
}

void command_print_again(const struct command_line *line, const char *spec, const char *before)
{
    print_options(line, false);
    fputs(" --schedule", stderr);
    print_word(spec);
    print_program(line, before);
}

void command_print_failing(const struct command_line *line, unsigned call)
{
    print_options(line, true);
    fprintf(stderr, " --fail %u", call);
    print_program(line, "");
}

/* ---- One schedule ------------------------------------------------------------------------ */

/* Has the trail of the run go to a file of its own, where nobody has asked for one.  Returns false
 * if there is none. */
static bool keep_trail(char *name, size_t room)
{
    const char *already = getenv(COMMAND_TRAIL);
    if (already && *already) return false;
    if (!command_make_file("rill-trail", name, room)) return false;
    if (!setenv(COMMAND_TRAIL, name, 1)) return true;
    unlink(name);
    return false;
}

/* Tells which steps the schedule names and the run did not come to: it may be of another program,
 * or of what this one was. */
static void tell_missing(const struct schedule_spec *spec, const char *trail)
{
    struct steps steps;
    char names[256];
    if (!command_steps_read(&steps, trail)) return;
    if (command_steps_missing(&steps, spec->holds, spec->hold_count, names, sizeof names))
        fprintf(stderr, "rill run: the schedule names steps that the program did not come to: "
                "%s\n", names);
    command_steps_free(&steps);
}

int command_run_scheduled(const struct command_line *line, const char *text)
{
    pid_t process;
    struct schedule_spec spec;
    char trail[COMMAND_PATH_MAX];
    if (sim_schedule_read(text, "--schedule", &spec)) return COMMAND_NOT_READY;
    bool kept = spec.hold_count && keep_trail(trail, sizeof trail);
    int error = command_process_start(line->program, NULL, &process);
    int how = error ? 0 : command_process_await(process);
    if (kept && !error) tell_missing(&spec, trail);
    if (kept) unlink(trail);
    sim_schedule_spec_free(&spec);
    if (error) return command_process_refused(*line->program, error);
    if (!WIFEXITED(how))
        fprintf(stderr, "rill run: signal %d (%s) under %s; again: ", WTERMSIG(how),
                strsignal(WTERMSIG(how)), text);
    else if (WEXITSTATUS(how))
        fprintf(stderr, "rill run: status %d under %s; again: ", WEXITSTATUS(how), text);
    if (how) command_print_again(line, text, "");
    command_process_end_like(how);
}
