/* SPDX-License-Identifier: Apache-2.0
 *
 * Running a kernel while a watcher wants to know what it touches, and what is wrong within it.
 */
#include <stdio.h>

#include "backend-sim/kernel/code.h"
#include "backend-sim/kernel/kernel.h"
#include "backend-sim/scheduler/watch/watcher.h"
#include "base/bytes/footprint.h"
#include "ptx/check/findings.h"

/* Kernels that touch more rows than this are not told of exactly. */
#define ROWS_MAX ((size_t)1 << 20)

/* Tells of the end of a kernel of PTX, with all that it touched unless something is missing. */
static void tell_touched(struct rl_footprint *print, const struct kernel_fault *fault,
                         const struct told *told)
{
    struct rl_footprint_list list;
    if (!print || atomic_load_explicit(&fault->status, memory_order_relaxed)) {
        sim_watch_ends(told);
        return;
    }
    bool exact = rl_footprint_list_init(&list, print, ROWS_MAX);
    told->watcher->ends(told->watcher->data, &told->running, exact ? &list.touches : NULL);
    rl_footprint_list_fini(&list);
}

/* Tells of one thing that is wrong within the kernel. */
static void tell_finding(const struct ptx_finding *finding, const struct told *told)
{
    static const struct {
        const char *word, *advice;
    } wrongs[] = {
        [PTX_WRONG_RACE] = { "race", "let one of the two threads come after the other: by a "
                             "barrier that both come to, or by a fence and an atomic operation; or "
                             "make both accesses atomic" },
        [PTX_WRONG_UNWRITTEN] = { "unwritten", "write the memory before it is read" },
        [PTX_WRONG_BARRIER] = { "barrier", "let all threads that have not ended come to the same "
                                "barrier" },
    };
    char cause[48];
    snprintf(cause, sizeof cause, "%s %u %u", wrongs[finding->wrong].word, finding->line,
             finding->other);
    const rill_kernel_finding found = {
        .sentence = finding->sentence, .cause = cause, .advice = wrongs[finding->wrong].advice,
        .address = finding->address, .bytes = finding->bytes, .count = finding->count,
    };
    told->watcher->found(told->watcher->data, &told->running, &found);
}

static void tell_findings(const struct ptx_findings *findings, const struct told *told)
{
    const rill_kernel_finding partial = {
        .sentence = "this launch was not looked into in full: what is known of its accesses takes "
                    "too much memory",
        .cause = "partial", .advice = "look into a launch with fewer blocks", .count = 1,
        .partial = 1,
    };
    for (const struct ptx_finding *at = findings->first; at; at = at->next)
        tell_finding(at, told);
    if (findings->partial || findings->left_out)
        told->watcher->found(told->watcher->data, &told->running, &partial);
}

void sim_kernel_run_watched(const struct kernel_launch *launch, struct kernel_fault *fault,
                            const struct told *told)
{
    struct kernel_launch seen = *launch;
    seen.told = told;
    struct ptx_findings findings = { .first = NULL };
    struct rl_footprint *freed = NULL;
    if (launch->function->ptx) seen.footprint = rl_footprint_create(0);
    if (seen.footprint) seen.freed = &freed;
    if (launch->function->ptx && told->watcher->found) seen.findings = &findings;
    sim_watch_begins(told);
    sim_kernel_run(&seen, fault);
    if (seen.findings) tell_findings(&findings, told);
    if (told->watcher->failed && atomic_load_explicit(&fault->status, memory_order_relaxed))
        told->watcher->failed(told->watcher->data, &told->running);
    ptx_findings_fini(&findings);
    if (freed) rl_footprint_subtract(seen.footprint, freed);
    rl_footprint_destroy(freed);
    tell_touched(seen.footprint, fault, told);
    rl_footprint_destroy(seen.footprint);
}
