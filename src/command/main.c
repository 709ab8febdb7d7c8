/* SPDX-License-Identifier: Apache-2.0
 *
 * The words behind `rill`.
 */
#include "command/command.h"

#include <rill/rill.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: rill run [OPTION...] PROGRAM [ARGUMENT...]\n"
    "       rill info [--driver VERSION] [--devices N]\n"
    "       rill --version | --help\n"
    "\n"
    "  run    runs PROGRAM on simulated GPUs: the libcuda that it loads is rill's\n"
    "  info   says what PROGRAM would find, and which backends work here\n"
    "\n"
    "  --driver VERSION     a driver of that version of CUDA, such as 12.4\n"
    "  --devices N          that many GPUs\n"
    "\n"
    "For run alone:\n"
    "  -q, --quiet          writes no line when a kernel makes a device fail\n"
    "  --check[=KINDS]      tells where the order of PROGRAM is wrong; KINDS are words with\n"
    "                       commas between: race, life, capture and hang, which are looked\n"
    "                       for without KINDS, init, leak and hints\n"
    "  --hints              tells of what is no bug as well, such as a wait for nothing\n"
    "  --stack N            tells up to N callers of each call that it names, at most 15\n"
    "  --error-exitcode N   ends with N if something was found, hints aside; 0, the\n"
    "                       default, leaves the status to PROGRAM\n"
    "  --log-file FILE      writes the report there instead of to the standard error output;\n"
    "                       %p in FILE stands for the number of the process\n"
    "  --json-file FILE     writes it as lines of JSON, too\n"
    "  --suppressions FILE  leaves out the findings that FILE lists\n"
    "  --trace FILE         writes down what ran when, for Perfetto and chrome://tracing;\n"
    "                       %p in FILE stands for the number of the process\n"
    "  --timeline           draws what ran when, in the end, to the standard error output\n"
    "  --graphs DIR         writes each graph that is instantiated there, as DOT, and as SVG\n"
    "                       where graphviz is installed\n"
    "  --schedule SPEC      runs PROGRAM under that schedule: early, late, serial, random:SEED,\n"
    "                       pct:SEED:DEPTH[:DECISIONS], starve:STREAM or replay:HELD,...\n"
    "  --schedules N        runs it under N schedules until one shows that it fails, which is\n"
    "                       then made smaller; with --check also for what that reports\n"
    "  --fail K             has the K-th call of those that can fail do so, or, with the word\n"
    "                       each, one after the other, each in a run of its own\n"
    "  --jobs N             so many at a time; one for each processor if not given\n"
    "  --timeout SECONDS    for each run; 60 if not given\n"
    "  --clock virtual      has all that PROGRAM runs take the time that it costs, so that\n"
    "                       elapsed times are exact, and the same on each machine\n"
    "  --costs FILE         what it costs; what FILE does not name costs what is built in\n"
    "\n"
    "See rill(1), and rill(7) for the variables RILL_SIM_*.\n";

int command_help(void)
{
    fputs(help, stdout);
    return COMMAND_DONE;
}

int command_fail(int status, const char *verb, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fflush(stdout);
    fprintf(stderr, "rill%s%s: ", *verb ? " " : "", verb);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    return status;
}

/* What was printed has to arrive: a full disk is a failure. */
static int finish(int status)
{
    if (!fflush(stdout) && !ferror(stdout)) return status;
    return status ? status : command_fail(COMMAND_FAILED, "", "cannot write to the output");
}

int main(int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : "";
    if (!strcmp(word, "run")) return finish(command_run(argc - 1, argv + 1));
    if (!strcmp(word, "info")) return finish(command_info(argc - 1, argv + 1));
    if (!strcmp(word, "--version") || !strcmp(word, "-V")) {
        printf("rill %s\n", rill_version());
        return finish(COMMAND_DONE);
    }
    if (!strcmp(word, "--help") || !strcmp(word, "-h")) return finish(command_help());
    if (!*word) {
        fputs(help, stderr);
        return COMMAND_MISUSED;
    }
    return command_fail(COMMAND_MISUSED, "", "there is no \"%s\"; rill --help says what there is",
                        word);
}
