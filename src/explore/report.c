/* SPDX-License-Identifier: Apache-2.0 */
#include "explore/report.h"

#include <inttypes.h>
#include <stdio.h>

static const struct {
    uint32_t bound;
    const char *words;
} bounds[] = {
    { RILL_EXPLORE_RUNS, "; more runs were not allowed" },
    { RILL_EXPLORE_SECONDS, "; there was no more time" },
    { RILL_EXPLORE_STEPS, "; too much conflicts" },
    { RILL_EXPLORE_HOST, "; what the host does was not moved" },
    { RILL_EXPLORE_SHARDS, "; shards do not find all" },
    { RILL_EXPLORE_ENDED, "; it was ended" }, /* unless a run failed */
};

static const char *words_of(size_t number, bool failed)
{
    bool at_failure = failed && bounds[number].bound == RILL_EXPLORE_ENDED;
    return at_failure ? "; it ended with the run that failed" : bounds[number].words;
}

void xp_report_words(rill_explore_report *report, bool all)
{
    char *text = report->words;
    size_t used = (size_t)snprintf(text, sizeof report->words, "explored %" PRIu64 " of %s%" PRIu64
                                   " %s in %" PRIu64 " %s", report->explored,
                                   all ? "" : "more than ", report->classes,
                                   report->classes == 1 ? "class" : "classes", report->runs,
                                   report->runs == 1 ? "run" : "runs");
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++)
        if (report->bounds & bounds[i].bound && used < sizeof report->words)
            used += (size_t)snprintf(text + used, sizeof report->words - used, "%s",
                                     words_of(i, report->failed));
}

void xp_report_fill(rill_explore_report *report, const struct xp_explorer *explorer)
{
    if (explorer->too_many_runs) report->bounds |= RILL_EXPLORE_RUNS;
    if (explorer->too_many_steps) report->bounds |= RILL_EXPLORE_STEPS;
    if (explorer->others) report->bounds |= RILL_EXPLORE_HOST;
    if (explorer->varies && explorer->limits.parts > 1) report->bounds |= RILL_EXPLORE_SHARDS;
    report->explored = explorer->explored;
    report->classes = explorer->classes_known;
    report->varies = explorer->varies;
    report->complete = !report->bounds && xp_explorer_is_complete(explorer);
    xp_report_words(report, explorer->done);
}
