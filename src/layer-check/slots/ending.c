/* SPDX-License-Identifier: Apache-2.0
 *
 * The end: what nobody can know before.
 */
#include "layer-check/slots/checker.h"

static void tell_leaks(struct ck_checker *checker)
{
    ck_log_settle(&checker->log, &checker->memory);
    if (!ck_leaks_tell(&checker->memory, &checker->verdicts)) checker->order.failed = true;
}

void ck_ending_tell(struct ck_checker *checker)
{
    struct ck_checker *entered = ck_enter(checker->platform);
    if (!entered) return;
    if (checker->memory.leaks) tell_leaks(checker);
    ck_leave(checker);
}
