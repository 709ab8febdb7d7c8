/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-check/slots/checker.h"

void ck_set_wishes(struct ck_checker *checker, const struct ck_settings *settings)
{
    checker->life = ck_wants(settings, RILL_FINDING_LIFETIME);
    checker->capture = ck_wants(settings, RILL_FINDING_CAPTURE);
    checker->hints = ck_wants(settings, RILL_FINDING_HINT);
    checker->protection = settings->protection;
    if (checker->life) checker->quarantine = (uint64_t)settings->quarantine << 20;
    checker->hangs = ck_wants(settings, RILL_FINDING_HANG);
    checker->kernels = ck_wants(settings, RILL_FINDING_KERNEL);
    if (ck_wants(settings, RILL_FINDING_LEAK)) checker->memory.leaks = &checker->leaks;
    checker->court.races = ck_wants(settings, RILL_FINDING_RACE);
    if (checker->court.races) checker->managed = CK_MANAGED_WHERE_TRUE;
    if (ck_wants(settings, RILL_FINDING_MANAGED)) checker->managed = CK_MANAGED_EVERYWHERE;
    checker->court.lives = checker->life;
    checker->court.inits = ck_wants(settings, RILL_FINDING_INIT);
    checker->court.hints = checker->hints;
}
