/* SPDX-License-Identifier: Apache-2.0
 *
 * What the words and options are.
 */
#include "command/command.h"

#include <stdio.h>
#include <string.h>

static const char overview[] =
    "usage: rill run [OPTION...] PROGRAM [ARGUMENT...]\n"
    "       rill cc [OPTION...] FILE...\n"
    "       rill info [--driver VERSION] [--devices N] [--device MODEL]\n"
    "       rill explore --sum FILE...\n"
    "       rill help [run | cc | info | explore]\n"
    "       rill --version | --help\n"
    "\n"
    "  run      runs PROGRAM on simulated GPUs: the libcuda that it loads is rill's\n"
    "  cc       compiles CUDA C++ with clang, without anything of CUDA's\n"
    "  info     says what PROGRAM would find, and which backends work here\n"
    "  explore  adds up what shards of rill run --explore wrote to files\n"
    "  help     says what the options of a command are\n"
    "\n"
    "  rill run --check PROGRAM          tells where the order of PROGRAM is wrong\n"
    "  rill run --schedules 30 PROGRAM   runs it under schedules until one shows that it fails\n"
    "  rill run --trace FILE PROGRAM     writes down what ran when\n"
    "\n"
    "See rill(1), and rill(7) for the variables RILL_SIM_*.\n";

static const char machine[] =
    "  --driver VERSION     a driver of that version of CUDA, such as 12.4\n"
    "  --devices N          that many GPUs\n"
    "  --device MODEL,...   GPUs of that model, such as a100, or of those, one after the other;\n"
    "                       rill info lists the models\n";

static const char info[] =
    "usage: rill info [--driver VERSION] [--devices N] [--device MODEL]\n"
    "\n"
    "Says what a program would find under rill run, and which backends work here.\n"
    "\n";

static const char cc[] =
    "usage: rill cc [OPTION...] FILE...\n"
    "\n"
    "Compiles programs of CUDA C++ with clang, 14 or later, and rill's own headers.\n"
    "\n"
    "  -o FILE      the program, or with -c the object; a.out if not given\n"
    "  -c           compiles one .cu and does not link\n"
    "  --gpu=sm_75  what to compile for\n"
    "\n"
    "All other words are clang's. CLANG in the environment names another clang.\n";

static const char sum[] =
    "usage: rill explore --sum FILE...\n"
    "\n"
    "Adds up what shards of rill run --explore --shard I/N --result FILE found, and says\n"
    "which are missing. Ends with 0 if each class had a run and none failed.\n";

static const char run[] =
    "usage: rill run [OPTION...] PROGRAM [ARGUMENT...]\n"
    "\n"
    "Runs PROGRAM on simulated GPUs: the libcuda that it loads is rill's.\n"
    "\n";

static const char run_options[] =
    "  -q, --quiet          writes no line when a kernel makes a device fail\n"
    "  --check[=KINDS]      tells where the order of PROGRAM is wrong; KINDS are words with\n"
    "                       commas between: race, life, capture and hang, which are looked\n"
    "                       for without KINDS, init, leak, hints, kernel: what threads of a\n"
    "                       kernel do to each other, and managed: what devices\n"
    "                       that take turns with the host at managed memory forbid\n"
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
    "  --schedule SPEC      runs PROGRAM under that schedule: early, late, overlap, serial,\n"
    "                       random:SEED, pct:SEED:DEPTH[:DECISIONS], starve:STREAM,\n"
    "                       order:STEP,... or replay:HELD,...\n"
    "  --schedules N        runs it under N schedules until one shows that it fails, which is\n"
    "                       then made smaller; with --check also for what that reports\n"
    "  --explore            runs it once for each class of schedules that can make a difference,\n"
    "                       until one shows that it fails, with --check also for what that\n"
    "                       reports; --shard I/N takes a part of them, --runs N so many at most\n"
    "  --result FILE        writes what came out there, for rill explore --sum\n"
    "  --fail K             has the K-th call of those that can fail do so, or, with the word\n"
    "                       each, one after the other, each in a run of its own\n"
    "  --jobs N             so many at a time; one for each processor if not given\n"
    "  --timeout SECONDS    for each run; 60 if not given\n"
    "  --clock virtual      has all that PROGRAM runs take the time that it costs, so that\n"
    "                       elapsed times are exact, and the same on each machine\n"
    "  --sleeps             with that, sleeps and clocks of a PROGRAM of one thread are\n"
    "                       virtual, too, and take no time\n"
    "  --costs FILE         what it costs; what FILE does not name costs what is built in\n"
    "\n"
    "See rill(1), and rill(7) for the variables RILL_SIM_*.\n";

int command_usage(void)
{
    fputs(overview, stderr);
    return COMMAND_MISUSED;
}

int command_help(const char *verb)
{
    if (!verb || !strcmp(verb, "help")) {
        fputs(overview, stdout);
    } else if (!strcmp(verb, "run")) {
        printf("%s%s%s", run, machine, run_options);
    } else if (!strcmp(verb, "cc")) {
        fputs(cc, stdout);
    } else if (!strcmp(verb, "explore")) {
        fputs(sum, stdout);
    } else if (!strcmp(verb, "info")) {
        printf("%s%s", info, machine);
    } else {
        return command_fail(COMMAND_MISUSED, "help", "there is no command \"%s\"; there are run, "
                            "cc, info, explore and help", verb);
    }
    return COMMAND_DONE;
}
