/* SPDX-License-Identifier: Apache-2.0
 *
 * `rill run --schedules`: the program under many schedules, until one shows that it fails.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "backend-sim/schedule/series.h"
#include "base/alloc.h"
#include "command/process.h"
#include "command/schedule.h"
#include "command/shrink.h"
#include "command/steps.h"
#include "command/trial.h"
#include "command/turns.h"

struct search {
    const struct command_line *line;
    struct trials trials;
    struct series series;
    unsigned done;
    unsigned next;       /* that is not begun yet, from 0            */
    struct trial *worst; /* the first in the list that fails, so far */
    char serial[512];    /* how the program hangs under `serial`, or "" */
    bool serial_hangs;
    bool idle;           /* the program gave its GPUs nothing to run */
    int refused;         /* what starting the program failed with    */
};

/* ---- Progress ---------------------------------------------------------------------------- */

/* Writes over the line before, or clears it (NULL).  Nothing of this is for a file. */
static void show_progress(const struct search *search, const char *doing)
{
    if (!isatty(STDERR_FILENO)) return;
    if (doing)
        fprintf(stderr, "\r\033[Krill run: %u of %u schedules, %s", search->done,
                search->series.count, doing);
    else
        fputs("\r\033[K", stderr);
    fflush(stderr);
}

/* ---- Running them ------------------------------------------------------------------------ */

static bool start_trial(struct search *search, struct trial *trial, unsigned number)
{
    char spec[SERIES_SPEC_MAX];
    sim_series_write(&search->series, number, spec);
    trial->number = number;
    search->refused = command_trial_start(&search->trials, trial, spec);
    return !search->refused;
}

/* A right program may need streams that run beside each other: what hangs with one queue alone is
 * told, and no failure. */
static bool hangs_by_serial(const struct search *search, const struct trial *trial)
{
    char spec[SERIES_SPEC_MAX];
    sim_series_write(&search->series, trial->number, spec);
    return !strcmp(spec, "serial") && (trial->end == TRIAL_HANG || trial->end == TRIAL_TIMEOUT);
}

/* Stops what comes after the trial in the list. */
static void stop_later(struct search *search, const struct trial *worst)
{
    for (unsigned i = 0; i < search->trials.count; i++)
        if (search->trials.items[i].number > worst->number)
            command_trial_stop(&search->trials.items[i]);
}

static void judge_trial(struct search *search, struct trial *trial)
{
    search->done++;
    if (trial->end == TRIAL_PASSED) return;
    if (hangs_by_serial(search, trial)) {
        search->serial_hangs = true;
        command_steps_tell_hang(trial->trail, search->serial);
    } else if (!search->worst || trial->number < search->worst->number) {
        search->worst = trial;
        stop_later(search, trial);
    }
}

/* Runs the program under `early`, and notes what it has to do.  One whose trail cannot be read, as
 * it is too long, is taken to have a few streams. */
static void run_probe(struct search *search)
{
    struct steps steps;
    struct trial *trial = search->trials.items;
    search->next = 1;
    if (!start_trial(search, trial, 0)) return;
    show_progress(search, "early");
    judge_trial(search, command_trials_await(&search->trials));
    if (!command_steps_read(&steps, trial->trail)) {
        search->idle = access(trial->trail, F_OK);
        for (uint32_t i = 1; i <= 4; i++) sim_series_note(&search->series, i, 60);
        return;
    }
    search->idle = !steps.count;
    for (size_t i = 0; i < steps.count; i++)
        sim_series_note(&search->series, steps.items[i].stream, steps.items[i].call);
    command_steps_free(&steps);
}

/* Runs the program once more, which is no schedule of the list, for orders that are worth a try. */
static void find_orders(struct search *search)
{
    if (!sim_series_room(&search->series)) return;
    show_progress(search, "looking at what it touches");
    search->refused = command_turns_add(&search->trials, search->trials.items, &search->series);
}

/* Runs the others, several at a time.  One that fails ends those that come after it in the list,
 * not those before, so that the result is the same with any number of processes. */
static void run_others(struct search *search)
{
    struct trial *trial;
    char doing[SERIES_SPEC_MAX];
    for (;;) {
        while (!search->worst && search->next < search->series.count &&
               (trial = command_trials_free_one(&search->trials))) {
            sim_series_write(&search->series, search->next, doing);
            show_progress(search, doing);
            if (!start_trial(search, trial, search->next++)) return;
        }
        if (!(trial = command_trials_await(&search->trials))) return;
        judge_trial(search, trial);
    }
}

/* ---- What is told ------------------------------------------------------------------------ */

static void tell_serial(const struct search *search)
{
    if (!search->serial_hangs) return;
    fprintf(stderr, "rill run: it hangs where streams share a queue, as under --schedule serial");
    fprintf(stderr, "%s%s\n", *search->serial ? ": " : "", search->serial);
}

static void tell_shrunk(enum shrink_result result, const struct shrunk *shrunk, const char *spec)
{
    switch (result) {
    case SHRINK_DONE:
        fprintf(stderr, "rill run: made smaller in %u runs: %zu of %zu steps held back\n",
                shrunk->runs, shrunk->holds, shrunk->before);
        break;
    case SHRINK_ONCE:
        fprintf(stderr, "rill run: under %s again it did not end like that: what differs is not "
                "in the schedule, as threads of the program and time are not\n", spec);
        break;
    case SHRINK_NOT:
        fprintf(stderr, "rill run: %u runs did not find a smaller schedule\n", shrunk->runs);
        break;
    default: fprintf(stderr, "rill run: memory is too short to make it smaller\n"); break;
    }
}

/* Returns the schedule of a trial with the order in which the program's threads made their calls,
 * to be freed, or NULL if memory is short. */
static char *spec_with_threads(const struct search *search, const struct trial *trial)
{
    char *spec = rl_alloc(TRIAL_SPEC_MAX);
    if (!spec) return NULL;
    sim_series_write(&search->series, trial->number, spec);
    size_t used = strlen(spec);
    command_steps_threads(trial->trail, spec + used, TRIAL_SPEC_MAX - used);
    return spec;
}

/* Makes the schedule smaller, tells of that, and how to have the same again. */
static void tell_again(struct search *search, struct trial *trial, const char *spec)
{
    struct shrunk shrunk = { .spec = NULL };
    if (sim_series_is_order(&search->series, trial->number)) {
        fputs("rill run: one pair of steps the other way around is enough\n", stderr);
    } else if (trial->number) {
        show_progress(search, "making it smaller");
        enum shrink_result result = command_shrink(&search->trials, trial, spec, &shrunk);
        show_progress(search, NULL);
        tell_shrunk(result, &shrunk, spec);
    }
    const char *again = shrunk.spec ? shrunk.spec : spec;
    fputs("rill run: in gdb: ", stderr);
    command_print_again(search->line, again, " gdb --args");
    fputs("rill run: again: ", stderr);
    command_print_again(search->line, again, "");
    command_shrunk_free(&shrunk);
}

/* Tells of the trial that fails.  Returns the status for that. */
static int tell_failure(struct search *search, struct trial *trial)
{
    char spec[SERIES_SPEC_MAX], words[512], hang[512] = "";
    int status = trial->end == TRIAL_TIMEOUT ? COMMAND_TIMED_OUT
               : trial->end == TRIAL_SIGNAL  ? 128 + trial->how : trial->how;
    sim_series_write(&search->series, trial->number, spec);
    if (trial->end == TRIAL_HANG) command_steps_tell_hang(trial->trail, hang);
    show_progress(search, NULL);
    command_trial_show(trial);
    fprintf(stderr, "rill run: schedule %u of %u, %s: %s%s%s\n", trial->number + 1,
            search->series.count, spec, command_trial_words(trial, words), *hang ? ": " : "", hang);
    tell_serial(search);
    char *again = spec_with_threads(search, trial);
    tell_again(search, trial, again ? again : spec);
    rl_free(again);
    return status ? status : COMMAND_FAILED;
}

int command_search(const struct command_line *line, const struct command_search *asked)
{
    struct search search = { .line = line };
    int status = COMMAND_DONE;
    unsigned jobs = asked->jobs < asked->schedules ? asked->jobs : asked->schedules;
    if (!command_trials_init(&search.trials, line->program, jobs, asked->timeout_s)) {
        command_trials_fini(&search.trials);
        return COMMAND_NOT_READY;
    }
    sim_series_begin(&search.series, asked->schedules);
    run_probe(&search);
    if (!search.refused && !search.worst) find_orders(&search);
    if (!search.refused && !search.worst) run_others(&search);
    if (search.refused) {
        show_progress(&search, NULL);
        status = command_process_refused(*line->program, search.refused);
    } else if (search.worst) {
        status = tell_failure(&search, search.worst);
    } else {
        show_progress(&search, NULL);
        tell_serial(&search);
        fprintf(stderr, "rill run: %u of %u schedules passed\n",
                search.done - search.serial_hangs, search.series.count);
        if (search.idle)
            fputs("rill run: there was nothing to decide: the program had nothing for a GPU\n",
                  stderr);
    }
    command_trials_fini(&search.trials);
    return status;
}
