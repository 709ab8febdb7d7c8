/* SPDX-License-Identifier: Apache-2.0
 *
 * The end: what nobody can know before.
 */
#include "layer-check/slots/calls.h"
#include "layer-check/slots/objects.h"

struct ending {
    struct ck_leaks leaks;
    struct ck_call_site *sites;
};

/* Requires checker->lock. */
static void collect_ending(struct ck_checker *checker, struct ending *ending)
{
    if (checker->memory.leaks) {
        ck_log_settle(&checker->log, &checker->memory);
        ck_leaks_collect(&ending->leaks, &checker->memory);
    }
    ck_objects_tell(checker);
    ending->sites = ck_calls_take(checker);
}

void ck_ending_tell(struct ck_checker *checker)
{
    struct ending ending = { .sites = NULL };
    struct ck_checker *entered = ck_enter(checker->platform);
    if (!entered) return;
    collect_ending(checker, &ending);
    ck_leave(checker);
    ck_leaks_merge(&ending.leaks);
    ck_calls_merge(ending.sites);
    rl_lock(&checker->lock);
    if (!ck_leaks_tell(&ending.leaks, &checker->verdicts)) checker->order.failed = true;
    if (!ck_calls_tell(checker, ending.sites)) checker->order.failed = true;
    ck_leave(checker);
}
