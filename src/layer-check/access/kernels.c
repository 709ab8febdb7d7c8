/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-check/access/kernels.h"

#include <stdio.h>

bool ck_kernels_tell(struct ck_verdicts *verdicts, const struct ck_memory *memory,
                     const struct ck_step *step, const rill_kernel_finding *found)
{
    struct ck_verdict *verdict =
        ck_verdicts_add(verdicts, found->partial ? RILL_FINDING_HINT : RILL_FINDING_KERNEL);
    if (!verdict) return false;
    ck_verdict_set_end(verdict, 0, step, NULL);
    const struct ck_block *block = found->address ? ck_memory_find(memory, found->address) : NULL;
    if (block)
        ck_verdict_set_memory(verdict, block, found->address, found->address + found->bytes);
    snprintf(verdict->sentence, sizeof verdict->sentence, "%s", found->sentence);
    snprintf(verdict->cause, sizeof verdict->cause, "%s", found->cause);
    snprintf(verdict->advice, sizeof verdict->advice, "%s", found->advice);
    verdict->finding.sentence = verdict->sentence;
    verdict->finding.cause = verdict->cause;
    verdict->finding.advice = verdict->advice;
    verdict->finding.count = found->count;
    return true;
}
