/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-check/access/hangs.h"

#include <inttypes.h>
#include <stdio.h>

#include "layer-check/order/hole.h"

static void tell_wait(const struct ck_hole *hole, const struct ck_value_write *write,
                      struct ck_verdicts *verdicts)
{
    struct ck_verdict *verdict = ck_verdicts_add(verdicts, RILL_FINDING_HANG);
    if (!verdict) return;
    const struct ck_step wait = { .work = hole->work, .node = hole->node };
    ck_verdict_set_end(verdict, 0, &wait, "waits");
    if (write) ck_verdict_set_end(verdict, 1, &write->step, "writes last");
    int used = snprintf(verdict->sentence, sizeof verdict->sentence,
                        "nothing can run any more, and a stream waits for the value %" PRIu64,
                        hole->value);
    if (write)
        snprintf(verdict->sentence + used, sizeof verdict->sentence - (size_t)used,
                 ", where %" PRIu64 " was written last", write->value);
    else
        snprintf(verdict->sentence + used, sizeof verdict->sentence - (size_t)used,
                 ", where nothing was written");
    verdict->finding.sentence = verdict->sentence;
    verdict->finding.cause = "value";
    verdict->finding.advice =
        "have a stream that does not come after this wait write the value, or wait for another one";
}

static void tell_waits(const struct ck_value_place *place, struct ck_verdicts *verdicts)
{
    const struct ck_value_write *last = ck_value_place_last(place);
    for (const struct ck_hole *hole = place->holes; hole; hole = hole->next)
        tell_wait(hole, last, verdicts);
    for (const struct ck_hole *hole = place->blocked; hole; hole = hole->next)
        tell_wait(hole, last, verdicts);
}

void ck_hangs_tell(const struct ck_values *values, const rill_devptr *addresses, size_t count,
                   struct ck_verdicts *verdicts)
{
    for (size_t i = 0; i < count; i++) {
        const struct ck_value_place *place = NULL;
        while ((place = ck_values_at(values, addresses[i], place))) tell_waits(place, verdicts);
    }
}

void ck_hangs_tell_function(struct ck_work *work, struct ck_verdicts *verdicts)
{
    struct ck_verdict *verdict = ck_verdicts_add(verdicts, RILL_FINDING_HANG);
    if (!verdict) return;
    const struct ck_step function = { .work = work };
    ck_verdict_set_end(verdict, 0, &function, "waits");
    snprintf(verdict->sentence, sizeof verdict->sentence,
             "nothing can run any more, and a host function waits for another thread");
    verdict->finding.sentence = verdict->sentence;
    verdict->finding.cause = "function";
    verdict->finding.advice =
        "have it wait for nothing that comes after it, in its stream or in the thread that waits";
}
