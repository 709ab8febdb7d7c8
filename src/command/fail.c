/* SPDX-License-Identifier: Apache-2.0 */
#include "command/fail.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "command/process.h"
#include "command/trial.h"

static const char layers[] = "RILL_LAYERS", variable[] = "RILL_FAIL";

/* More calls than these are not tried. */
#define CALLS_MOST 1000000u

/* ---- Options ----------------------------------------------------------------------------- */

/* Puts the layer beneath those that are asked for already. */
static bool set_layer(void)
{
    const char *before = getenv(layers);
    char list[4096];
    if (!before || !*before) return !setenv(layers, "fail", 1);
    if (strstr(before, "fail")) return true;
    return snprintf(list, sizeof list, "%s,fail", before) < (int)sizeof list &&
           !setenv(layers, list, 1);
}

int command_set_fail(const char *fail, bool *each)
{
    char plan[64];
    *each = fail && !strcmp(fail, "each");
    if (!fail) return COMMAND_DONE;
    size_t digits = strspn(fail, "0123456789");
    if (!*each && (!digits || digits > 9 || fail[digits] || !atol(fail)))
        return command_fail(COMMAND_NOT_READY, "run", "--fail takes the number of a call, from 1, "
                            "or the word each, not \"%s\"", fail);
    snprintf(plan, sizeof plan, "call=%s say", fail);
    if (!set_layer() || (!*each && setenv(variable, plan, 1)))
        return command_fail(COMMAND_NOT_READY, "run", "out of memory");
    return COMMAND_DONE;
}

/* ---- Runs ---------------------------------------------------------------------------------- */

/* How a run ended. */
struct fail_result {
    enum trial_end end;
    int how;
    char name[256]; /* of the call, and its place */
};

/* Those that count. */
enum verdict { VERDICT_PASSED, VERDICT_STATUS, VERDICT_FINDINGS, VERDICT_CRASH, VERDICT_HANG };

struct failing {
    const struct command_line *line;
    struct trials trials;
    int findings;                /* the status that says so, or -1               */
    unsigned next;               /* call that is not begun yet                   */
    unsigned end;                /* a call that no run came to, as far as known  */
    struct fail_result *results; /* of call 1 on                                 */
    unsigned room;
    int refused;                 /* what starting the program failed with        */
};

/* Reads the name of the call that failed, from "call 7 cuMemAlloc_v2() at a.c:5 (memory->acquire)".
 * Returns false if none did. */
static bool read_name(const struct trial *trial, char name[256])
{
    FILE *log = fopen(trial->trail, "re");
    bool read = log && fscanf(log, "call %*u %255[^\n]", name) == 1;
    if (log) fclose(log);
    return read;
}

static bool make_room(struct failing *failing, unsigned call)
{
    if (call <= failing->room) return true;
    unsigned room = failing->room ? 2 * failing->room : 64;
    struct fail_result *more = rl_alloc(room * sizeof *more);
    if (!more) return false;
    if (failing->room) memcpy(more, failing->results, failing->room * sizeof *more);
    rl_free(failing->results);
    failing->results = more;
    failing->room = room;
    return true;
}

static void note_end(struct failing *failing, const struct trial *trial)
{
    struct fail_result *result = &failing->results[trial->number - 1];
    result->end = trial->end;
    result->how = trial->how;
    if (!read_name(trial, result->name) && trial->number < failing->end)
        failing->end = trial->number;
}

static bool start_run(struct failing *failing, struct trial *trial)
{
    char plan[4200];
    trial->number = failing->next++;
    snprintf(plan, sizeof plan, "call=%u log=%s", trial->number, trial->trail);
    failing->refused = make_room(failing, trial->number)
                           ? command_trial_start(&failing->trials, trial, plan) : ENOMEM;
    return !failing->refused;
}

static void run_all(struct failing *failing)
{
    struct trial *trial;
    for (;;) {
        while (failing->next < failing->end && (trial = command_trials_free_one(&failing->trials)))
            if (!start_run(failing, trial)) return;
        if (!(trial = command_trials_await(&failing->trials))) return;
        note_end(failing, trial);
    }
}

/* ---- What is told ------------------------------------------------------------------------ */

static enum verdict judge(const struct failing *failing, const struct fail_result *result)
{
    switch (result->end) {
    case TRIAL_PASSED: return VERDICT_PASSED;
    case TRIAL_STATUS:
        return result->how == failing->findings ? VERDICT_FINDINGS : VERDICT_STATUS;
    case TRIAL_SIGNAL: return VERDICT_CRASH;
    default: return VERDICT_HANG;
    }
}

/* Tells how each run ended, and counts. */
static void tell_runs(const struct failing *failing, unsigned counts[5])
{
    for (unsigned call = 1; call < failing->end; call++) {
        const struct fail_result *result = &failing->results[call - 1];
        const struct trial trial = { .end = result->end, .how = result->how };
        enum verdict verdict = judge(failing, result);
        char words[128];
        counts[verdict]++;
        command_trial_words(&trial, words);
        printf("call %u\t%s\t%s%s\n", call, result->name, words,
               verdict == VERDICT_FINDINGS ? ", findings" : "");
    }
    fflush(stdout);
}

/* Tells of the first run that is no way to take a failure.  Returns the status for it. */
static int tell_worst(const struct failing *failing)
{
    for (unsigned call = 1; call < failing->end; call++) {
        const struct fail_result *result = &failing->results[call - 1];
        enum verdict verdict = judge(failing, result);
        if (verdict < VERDICT_FINDINGS) continue;
        fputs("rill run: again: ", stderr);
        command_print_failing(failing->line, call);
        return verdict == VERDICT_CRASH ? 128 + result->how
               : verdict == VERDICT_HANG ? COMMAND_TIMED_OUT : result->how;
    }
    return COMMAND_DONE;
}

static int tell_all(const struct failing *failing)
{
    unsigned counts[5] = { 0 };
    tell_runs(failing, counts);
    fprintf(stderr, "rill run: %u calls failed, one in each run: %u ended with 0, %u with another "
            "status, %u with findings, %u by a signal, %u not at all\n", failing->end - 1,
            counts[VERDICT_PASSED], counts[VERDICT_STATUS], counts[VERDICT_FINDINGS],
            counts[VERDICT_CRASH], counts[VERDICT_HANG]);
    return tell_worst(failing);
}

int command_fail_each(const struct command_line *line, const struct command_search *asked,
                      const char *findings)
{
    struct failing failing = { .line = line, .next = 1, .end = CALLS_MOST,
                               .findings = findings ? atoi(findings) : -1 };
    int status = COMMAND_NOT_READY;
    if (command_trials_init(&failing.trials, line->program, asked->jobs, asked->timeout_s)) {
        failing.trials.variable = variable;
        run_all(&failing);
        status = failing.refused ? command_process_refused(*line->program, failing.refused)
                                 : tell_all(&failing);
    }
    command_trials_fini(&failing.trials);
    rl_free(failing.results);
    return status;
}
