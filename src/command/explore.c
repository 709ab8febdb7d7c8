/* SPDX-License-Identifier: Apache-2.0 */
#include "command/explore.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "command/process.h"
#include "command/steps.h"
#include "command/trial.h"
#include "command/words.h"
#include "explore/account.h"
#include "explore/report.h"
#include "explore/result.h"
#include "explore/words.h"

static const char layer[] = "check", variable[] = "RILL_EXPLORE";

#define RUNS_MOST 100000u
#define STEPS_MOST 256u

/* A run, in the trial of the same number. */
struct explored {
    struct xp_plan plan;
    char *spec;
    char *account; /* the name of a file */
};

struct exploring {
    const struct command_line *line;
    struct trials trials;
    struct xp_explorer explorer;
    struct explored *runs;
    unsigned begun;       /* runs */
    struct trial *worst;  /* the first that fails, so far */
    rill_explore_report report;
    FILE *result;         /* for what came out, or NULL */
    int refused;          /* what starting the program failed with */
    bool stopped;         /* nothing more can be learnt */
    const char *why;      /* then: or NULL */
};

/* ---- Options ----------------------------------------------------------------------------- */

static bool read_shard(const char *text, struct command_search *search)
{
    int used = 0;
    search->shard = search->shards = 1;
    if (!text) return true;
    if (sscanf(text, "%9u/%9u%n", &search->shard, &search->shards, &used) == 2 && !text[used] &&
        search->shard && search->shard <= search->shards && search->shards <= 1000000)
        return true;
    command_fail(0, "run", "--shard takes I/N, the I-th of N parts, such as 2/8, not \"%s\"", text);
    return false;
}

int command_set_explore(const struct command_schedule *given, struct command_search *search)
{
    const char *idle = given->shard ? "--shard" : given->runs ? "--runs"
                     : given->result ? "--result" : NULL;
    if (!given->explore)
        return idle ? command_fail(COMMAND_NOT_READY, "run", "%s is for runs with --explore", idle)
                    : COMMAND_DONE;
    search->explores = true;
    search->runs = RUNS_MOST;
    if (given->spec || given->count || given->fail)
        return command_fail(COMMAND_NOT_READY, "run", "--explore tries all orders: give it without "
                            "--schedule, --schedules and --fail");
    if (!read_shard(given->shard, search) ||
        !command_read_count("--runs", given->runs, 1000000000, RUNS_MOST, &search->runs))
        return COMMAND_NOT_READY;
    search->result = given->result;
    if (given->result && !*given->result)
        return command_fail(COMMAND_NOT_READY, "run", "--result takes the name of a file");
    return COMMAND_DONE;
}

/* ---- Runs ---------------------------------------------------------------------------------- */

static void show_progress(const struct exploring *all, bool some)
{
    if (!isatty(STDERR_FILENO)) return;
    if (some)
        fprintf(stderr, "\r\033[Krill run: explored %" PRIu64 " classes", all->explorer.explored);
    else
        fputs("\r\033[K", stderr);
    fflush(stderr);
}

static bool start_run(struct exploring *all, struct trial *trial)
{
    struct explored *run = &all->runs[trial - all->trials.items];
    rl_free(run->spec);
    run->spec = xp_words_of(run->plan.order.items, run->plan.order.count);
    unlink(run->account);
    if (!run->spec || strlen(run->spec) >= TRIAL_SPEC_MAX || setenv(variable, run->account, 1)) {
        all->stopped = true;
        all->why = "an order is too long for a variable of the environment";
        return false;
    }
    trial->number = all->begun++;
    all->refused = command_trial_start(&all->trials, trial, run->spec);
    return !all->refused;
}

/* Stops what was begun after a trial. */
static void stop_later(struct exploring *all, const struct trial *worst)
{
    for (unsigned i = 0; i < all->trials.count; i++)
        if (all->trials.items[i].number > worst->number)
            command_trial_stop(&all->trials.items[i]);
}

/* Tells the explorer what a run showed. */
static void take_account(struct exploring *all, const struct trial *trial)
{
    struct explored *run = &all->runs[trial - all->trials.items];
    struct xp_outcome outcome;
    enum xp_account read = xp_account_read(run->account, &outcome);
    if (read == XP_ACCOUNT_READ) {
        xp_explorer_tell(&all->explorer, &run->plan, &outcome);
        return;
    }
    all->stopped = true;
    if (read == XP_ACCOUNT_MUCH) all->report.bounds |= RILL_EXPLORE_STEPS;
    else all->why = read == XP_ACCOUNT_SHORT ? "memory is too short"
                                             : "the program uses no GPU, or ends without exit()";
}

static void judge_run(struct exploring *all, struct trial *trial)
{
    all->report.runs++;
    if (trial->end == TRIAL_STOPPED) return;
    if (trial->end == TRIAL_PASSED) {
        take_account(all, trial);
        return;
    }
    all->report.failed++;
    if (all->worst && trial->number > all->worst->number) return;
    all->worst = trial;
    stop_later(all, trial);
}

/* Keeps as many processes busy as there are plans.  One that fails ends what was begun later, not
 * what was begun before. */
static void run_all(struct exploring *all)
{
    struct trial *trial;
    for (;;) {
        show_progress(all, true);
        while (!all->worst && !all->stopped && (trial = command_trials_free_one(&all->trials)) &&
               xp_explorer_next(&all->explorer, &all->runs[trial - all->trials.items].plan))
            if (!start_run(all, trial)) return;
        if (!(trial = command_trials_await(&all->trials))) return;
        judge_run(all, trial);
    }
}

/* ---- What is told -------------------------------------------------------------------------- */

static int tell_failure(struct exploring *all)
{
    struct trial *trial = all->worst;
    const char *spec = all->runs[trial - all->trials.items].spec;
    char words[128], hang[512] = "";
    int status = trial->end == TRIAL_TIMEOUT ? COMMAND_TIMED_OUT
               : trial->end == TRIAL_SIGNAL  ? 128 + trial->how : trial->how;
    if (trial->end == TRIAL_HANG) command_steps_tell_hang(trial->trail, hang);
    command_trial_show(trial);
    fprintf(stderr, "rill run: run %u: %s%s%s\n", trial->number + 1,
            command_trial_words(trial, words), *hang ? ": " : "", hang);
    fputs("rill run: in gdb: ", stderr);
    command_print_again(all->line, spec, " gdb --args");
    fputs("rill run: again: ", stderr);
    command_print_again(all->line, spec, "");
    return status ? status : COMMAND_FAILED;
}

/* Returns the name of the program without its folder. */
static const char *name_program(const struct exploring *all)
{
    const char *program = *all->line->program, *slash = strrchr(program, '/');
    return slash ? slash + 1 : program;
}

/* Writes what came out, for those who add it up.  Returns false, with errno, if that fails. */
static bool write_result(struct exploring *all)
{
    const struct xp_explorer *explorer = &all->explorer;
    const struct trial *worst = all->worst;
    char end[128] = "success";
    if (!all->result) return true;
    if (worst) command_trial_words(worst, end);
    const struct xp_result result = {
        .shard = explorer->limits.part + 1, .shards = explorer->limits.parts,
        .explored = explorer->explored, .classes = explorer->classes_known,
        .all = explorer->done && !(explorer->varies && explorer->limits.parts > 1),
        .keys = explorer->keys, .runs = all->report.runs, .failed = all->report.failed,
        .bounds = all->report.bounds, .varies = explorer->varies,
        .program = name_program(all), .end = end,
        .schedule = worst ? all->runs[worst - all->trials.items].spec : "",
    };
    return xp_result_write(all->result, &result);
}

/* Tells how far it came.  Returns the status for that. */
static int tell_explored(struct exploring *all)
{
    const struct xp_limits *limits = &all->explorer.limits;
    if (all->worst) all->report.bounds |= RILL_EXPLORE_ENDED;
    xp_report_fill(&all->report, &all->explorer);
    if (all->why) {
        fprintf(stderr, "rill run: cannot explore: %s\n", all->why);
        return COMMAND_NOT_READY;
    }
    fprintf(stderr, "rill run: %s", all->report.words);
    if (limits->parts > 1) fprintf(stderr, " (shard %u of %u)", limits->part + 1, limits->parts);
    fputc('\n', stderr);
    return write_result(all) ? COMMAND_DONE
                             : command_fail(COMMAND_NOT_READY, "run", "--result: the file cannot "
                                            "be written: %s", strerror(errno));
}

/* ---- Life ---------------------------------------------------------------------------------- */

static bool make_runs(struct exploring *all, unsigned jobs)
{
    all->runs = rl_zalloc(jobs * sizeof *all->runs);
    for (unsigned i = 0; all->runs && i < jobs; i++) {
        size_t room = strlen(all->trials.folder) + 32;
        char *name = all->runs[i].account = rl_alloc(room);
        if (!name) return false;
        snprintf(name, room, "%s/account.%u", all->trials.folder, i);
    }
    return all->runs;
}

static void free_runs(struct exploring *all)
{
    for (unsigned i = 0; all->runs && i < all->trials.count; i++) {
        struct explored *run = &all->runs[i];
        if (run->account) unlink(run->account);
        rl_free(run->account);
        rl_free(run->spec);
        xp_order_fini(&run->plan.order);
    }
    rl_free(all->runs);
}

/* Empties the file: one that stays empty is of an exploration that did not come to its end. */
static bool open_result(struct exploring *all, const char *name)
{
    if (!name || (all->result = fopen(name, "we"))) return true;
    command_fail(0, "run", "--result: %s cannot be written: %s", name, strerror(errno));
    return false;
}

/* Returns the status of the whole. */
static int explore(struct exploring *all)
{
    if (!command_add_layer(layer)) return command_fail(COMMAND_NOT_READY, "run", "out of memory");
    run_all(all);
    show_progress(all, false);
    if (all->refused) return command_process_refused(*all->line->program, all->refused);
    int failure = all->worst ? tell_failure(all) : COMMAND_DONE;
    int told = tell_explored(all);
    return failure ? failure : told;
}

int command_explore(const struct command_line *line, const struct command_search *asked)
{
    struct exploring all = { .line = line };
    int status = COMMAND_NOT_READY;
    xp_explorer_init(&all.explorer, &(struct xp_limits){
        .runs = asked->runs, .steps = STEPS_MOST, .part = asked->shard - 1,
        .parts = asked->shards });
    if (command_trials_init(&all.trials, line->program, asked->jobs, asked->timeout_s)) {
        if (!make_runs(&all, asked->jobs)) command_fail(0, "run", "out of memory");
        else if (open_result(&all, asked->result)) status = explore(&all);
        if (all.result) fclose(all.result);
        free_runs(&all);
    }
    command_trials_fini(&all.trials);
    xp_explorer_fini(&all.explorer);
    return status;
}
