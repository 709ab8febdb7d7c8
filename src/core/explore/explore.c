/* SPDX-License-Identifier: Apache-2.0
 *
 * rill_explore(): a function of the program once for each class of schedules.
 */
#include <rill/explore.h>

#include <string.h>

#include <rill/sim.h>

#include "base/alloc.h"
#include "base/thread.h"
#include "core/object/error.h"
#include "core/object/options.h"
#include "explore/report.h"
#include "explore/words.h"
#include "layer-check/access/account.h"
#include "layer-check/report/session.h"

#define RUNS_MOST 100000u
#define STEPS_MOST 256u
#define STEPS_LIMIT 4096u /* what an outcome has room for goes with the square */

struct exploration {
    rill_explore_options options;
    rill_explore_fn fn;
    void *data;
    rill_open_options open;  /* as each run has it, but for ... */
    rill_sim_options sim;    /* ... the schedule in here        */
    struct ck_session *session;
    struct xp_explorer explorer;
    uint64_t deadline_ns;    /* 0 if there is none */
    bool left;               /* a platform lives on, since a context was left, and has the account
                                and the session */
    rill_explore_report report;
};

/* ---- Options ------------------------------------------------------------------------------- */

static rill_status refuse_option(const char *name, const char *why)
{
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, name, "%s %s", name, why);
}

static rill_status read_open(struct exploration *ex)
{
    const rill_open_options *given = ex->options.open;
    rill_status status = rl_read_options(given, &ex->open, sizeof ex->open, "options->open->size");
    if (!status)
        status = rl_read_options(ex->open.sim, &ex->sim, sizeof ex->sim,
                                 "options->open->sim->size");
    if (status) return status;
    if (ex->open.backend && strcmp(ex->open.backend, "sim") != 0)
        return refuse_option("options->open->backend", "can be \"sim\" alone");
    if (ex->open.layers && *ex->open.layers)
        return refuse_option("options->open->layers", "must be NULL: exploring has its own");
    if (ex->sim.schedule || ex->sim.clock)
        return refuse_option("options->open->sim", "has a schedule or a clock, of which exploring "
                             "has its own");
    ex->open.size = sizeof ex->open;
    ex->open.backend = "sim";
    ex->open.layers = "check";
    ex->open.sim = &ex->sim;
    ex->sim.size = sizeof ex->sim;
    ex->sim.clock = "real";
    return RILL_SUCCESS;
}

static rill_status read_options(struct exploration *ex, const rill_explore_options *given)
{
    rill_explore_options *options = &ex->options;
    rill_status status = rl_read_options(given, options, sizeof *options, "options->size");
    if (!status) status = read_open(ex);
    if (status) return status;
    if (!options->runs) options->runs = RUNS_MOST;
    if (!options->steps) options->steps = STEPS_MOST;
    if (!options->shards) options->shards = options->shard = 1;
    if (options->steps > STEPS_LIMIT)
        return refuse_option("options->steps", "can be 4096 at most");
    if (!options->shard || options->shard > options->shards)
        return refuse_option("options->shard", "must be from 1 to options->shards");
    return RILL_SUCCESS;
}

/* ---- One run ------------------------------------------------------------------------------- */

static rill_status take_account(struct exploration *ex, const struct xp_plan *plan,
                                struct ck_account *account)
{
    if (!account->settled)
        return rill_backend_fail(RILL_ERROR_ILLEGAL_STATE, "fn",
                                 "fn returned and left a context; it must destroy all of them");
    if (account->failed) return RILL_ERROR_OUT_OF_MEMORY;
    if (account->too_much) ex->report.bounds |= RILL_EXPLORE_STEPS;
    else xp_explorer_tell(&ex->explorer, plan, &account->outcome);
    return RILL_SUCCESS;
}

static rill_status run_function(struct exploration *ex, const struct xp_plan *plan,
                                struct ck_account *account, int *result)
{
    rill_platform *platform = NULL;
    ck_account_want(account);
    rill_status status = rill_open(&ex->open, &platform);
    ck_account_want(NULL);
    if (status) return status;
    *result = ex->fn(platform, ex->data);
    rill_close(&platform);
    ex->left = !account->settled;
    account->left = ex->left;
    return take_account(ex, plan, account);
}

/* Notes how a run ended.  Returns whether more are wanted. */
static bool note_run(struct exploration *ex, const char *schedule, int result)
{
    rill_explore_report *report = &ex->report;
    report->runs++;
    if (result && !report->failed++) {
        report->result = result;
        if (strlen(schedule) < sizeof report->schedule) strcpy(report->schedule, schedule);
    }
    const rill_explored explored = { sizeof explored, report->runs, schedule, result };
    if (!ex->options.told || !ex->options.told(ex->data, &explored)) return true;
    report->bounds |= RILL_EXPLORE_ENDED;
    return false;
}

/* Runs the function as planned.  Stores whether more runs are wanted. */
static rill_status run_plan(struct exploration *ex, const struct xp_plan *plan, bool *more)
{
    int result = 0;
    struct ck_account *account = rl_zalloc(sizeof *account);
    char *schedule = xp_words_of(plan->order.items, plan->order.count);
    rill_status status = account && schedule ? RILL_SUCCESS : RILL_ERROR_OUT_OF_MEMORY;
    if (!status) {
        account->session = ex->session;
        ex->sim.schedule = schedule;
        status = run_function(ex, plan, account, &result);
    }
    if (!status)
        *more = note_run(ex, schedule, result) && !(ex->report.bounds & RILL_EXPLORE_STEPS);
    if (account && !ex->left) {
        ck_account_fini(account);
        rl_free(account);
    }
    rl_free(schedule);
    return status;
}

/* ---- All runs ------------------------------------------------------------------------------ */

static bool is_late(struct exploration *ex)
{
    if (!ex->deadline_ns || rl_monotonic_ns() < ex->deadline_ns) return false;
    ex->report.bounds |= RILL_EXPLORE_SECONDS;
    return true;
}

static rill_status run_all(struct exploration *ex)
{
    struct xp_plan plan = { .key = 0 };
    rill_status status = RILL_SUCCESS;
    bool more = true;
    while (!status && more && xp_explorer_next(&ex->explorer, &plan) && !is_late(ex))
        status = run_plan(ex, &plan, &more);
    xp_order_fini(&plan.order);
    return !status && ex->explorer.failed ? RILL_ERROR_OUT_OF_MEMORY : status;
}

/* ---- The call ------------------------------------------------------------------------------ */

static rill_status explore(const rill_explore_options *options, rill_explore_fn fn, void *data,
                           rill_explore_report *report)
{
    char why[CK_WHY_MAX];
    struct exploration ex = { .fn = fn, .data = data };
    rill_status status = report ? rl_check_output(report, sizeof *report, "report->size")
                                : rill_backend_fail(RILL_ERROR_INVALID_VALUE, "report",
                                                    "report is NULL");
    if (!status && !fn) status = rill_backend_fail(RILL_ERROR_INVALID_VALUE, "fn", "fn is NULL");
    if (!status) status = read_options(&ex, options);
    if (status) return status;
    ex.session = ck_session_create(NULL, why);
    if (!ex.session) return rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, NULL, "%.200s", why);
    if (ex.options.seconds)
        ex.deadline_ns = rl_monotonic_ns() + ex.options.seconds * UINT64_C(1000000000);
    xp_explorer_init(&ex.explorer, &(struct xp_limits){
        .runs = ex.options.runs, .steps = ex.options.steps, .part = ex.options.shard - 1,
        .parts = ex.options.shards });
    status = run_all(&ex);
    if (!status) {
        xp_report_fill(&ex.report, &ex.explorer);
        ex.report.size = report->size;
        rl_write_output(report, &ex.report, sizeof ex.report);
    }
    xp_explorer_fini(&ex.explorer);
    if (!ex.left) ck_session_destroy(ex.session);
    return status;
}

rill_status rill_explore(const rill_explore_options *options, rill_explore_fn fn, void *data,
                         rill_explore_report *report)
{
    return rl_finish(__func__, NULL, explore(options, fn, data, report));
}
