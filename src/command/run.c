/* SPDX-License-Identifier: Apache-2.0
 *
 * `rill run`: the program takes this process over, or is its child where a schedule is
 * asked for, with the folders of the stand-in and the runtime first where the loader
 * looks for libraries.  That serves programs that are linked with libcuda.so.1 or a
 * libcudart, that load one of them at run time, and those that they start.
 */
#include "command/command.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/words/log_words.h"
#include "command/explore.h"
#include "command/fail.h"
#include "command/process.h"
#include "command/schedule.h"
#include "command/settings.h"
#include "command/trace.h"
#include "command/words.h"

/* Variables of the loader. */
static const char loader_path[] = "LD_LIBRARY_PATH";
static const char loader_preload[] = "LD_PRELOAD";

/* Puts an entry before those of a variable, which have colons between them.  An empty one would
 * mean the current folder. */
static bool put_first(const char *variable, const char *entry)
{
    const char *before = getenv(variable);
    if (!before || !*before) return !setenv(variable, entry, 1);
    size_t size = strlen(entry) + strlen(before) + 2;
    char *list = malloc(size);
    if (!list) return false;
    snprintf(list, size, "%s:%s", entry, before);
    bool done = !setenv(variable, list, 1);
    free(list);
    return done;
}

/* The loader takes both for separators. */
static bool can_be_in_path(const char *folder)
{
    return !strpbrk(folder, ":;");
}

/* A runtime inside the program, or a library, is redirected to rill's when that is loaded.  What
 * is loaded for that comes before a sanitizer, whose check of the order would end the program. */
static bool put_runtime_first(const char *runtime, const char *driver)
{
    char redirect[COMMAND_PATH_MAX + 32];
    if (strcmp(runtime, driver) && !put_first(loader_path, runtime)) return false;
    if (strchr(runtime, ' ')) return true;
    snprintf(redirect, sizeof redirect, "%s/libcudart-redirect.so", runtime);
    return put_first("ASAN_OPTIONS", "verify_asan_link_order=0") &&
           put_first(loader_preload, redirect);
}

/* The driver comes first: beside the runtime there is a driver, too, perhaps another one. */
static bool put_libraries_first(const char *driver)
{
    char runtime[COMMAND_PATH_MAX];
    if (command_find_runtime(runtime) && can_be_in_path(runtime) &&
        !put_runtime_first(runtime, driver))
        return false;
    return put_first(loader_path, driver);
}

/* Has what takes a program's sleeps loaded before it. */
static int put_sleep_first(void)
{
    char file[COMMAND_PATH_MAX];
    if (!command_find_sleep(file))
        return command_fail(COMMAND_NOT_READY, "run", "librill-sleep.so is not next to the "
                            "stand-in, or in a folder whose name the loader cannot be told");
    return put_first(loader_preload, file)
               ? COMMAND_DONE : command_fail(COMMAND_NOT_READY, "run", "out of memory");
}

/* Has the stand-in tell of faults of kernels. */
static bool ask_for_faults(void)
{
    const char *before = getenv(COMMAND_LOG);
    char *list;
    if (rl_log_has(before, "faults")) return true;
    if (asprintf(&list, "%s%sfaults", before ? before : "", before && *before ? "," : "") < 0)
        return false;
    bool done = !setenv(COMMAND_LOG, list, 1);
    free(list);
    return done;
}

/* Of many runs, one with findings is to be told by its status. */
static void let_findings_fail(struct command_check *check)
{
    if (check->kinds && !check->exitcode) check->exitcode = "99";
}

/* Has the loader find the stand-in before any other library of its name, and what goes with it.
 * Returns COMMAND_DONE, or the status to end with after saying what is wrong. */
static int put_standin_first(const struct command_options *options)
{
    char folder[COMMAND_PATH_MAX];
    if (!command_find_standin("run", options->driver, folder)) return COMMAND_NOT_READY;
    if (!can_be_in_path(folder))
        return command_fail(COMMAND_NOT_READY, "run",
                            "the loader cannot be told of %s, which has a colon or a semicolon "
                            "in its name", folder);
    if (!put_libraries_first(folder) || (!options->quiet && !ask_for_faults()))
        return command_fail(COMMAND_NOT_READY, "run", "out of memory");
    return options->clock.sleeps ? put_sleep_first() : COMMAND_DONE;
}

int command_run(int argc, char **argv)
{
    struct command_options options;
    struct command_search search;
    int status = command_read(&options, argc, argv, COMMAND_NOT_READY);
    if (status) return status;
    if (options.help) return command_help(argv[0]);
    if ((status = command_set_schedule(&options.schedule, &search))) return status;
    bool many = search.schedules || search.fails || search.explores;
    /* With settings the layer would report; here nobody has asked for that. */
    if (search.explores && !options.check.kinds) unsetenv("RILL_CHECK");
    if (many &&
        (options.trace.file || options.trace.timeline || options.trace.graphs))
        return command_fail(COMMAND_NOT_READY, "run",
                            "--trace, --timeline and --graphs are for one run; give them with the "
                            "--schedule that --schedules or --explore finds, or without --fail "
                            "each");
    if ((status = command_set_trace(&options.trace))) return status;
    bool scheduled = options.schedule.spec || options.schedule.count || search.explores;
    if ((status = command_set_clock(&options.clock, scheduled))) return status;
    if (many) let_findings_fail(&options.check);
    if ((status = command_set_check(&options.check, "run", COMMAND_NOT_READY))) return status;
    if ((status = command_check_settings())) return status;
    char **program = argv + options.words;
    if (!*program)
        return command_fail(COMMAND_NOT_READY, "run", "name the program that is to run");
    if ((status = put_standin_first(&options))) return status;
    const struct command_line line = { argv, options.words, program };
    if (search.schedules) return command_search(&line, &search);
    if (search.explores) return command_explore(&line, &search);
    if (search.fails) return command_fail_each(&line, &search, options.check.exitcode);
    if (options.trace.graphs || options.trace.file || options.trace.timeline)
        command_look_after(&options.trace);
    if (options.schedule.spec) return command_run_scheduled(&line, options.schedule.spec);
    execvp(*program, program);
    return command_process_refused(*program, errno);
}
