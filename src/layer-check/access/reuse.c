/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-check/access/reuse.h"

/* Returns who freed some of an allocation, unless that is promised to come before `step`. */
static const struct ck_step *find_unordered(const struct ck_block *block,
                                            const struct ck_step *step)
{
    const struct ck_segment *part;
    for (size_t i = 0; i < block->segments.count; i++)
        for (uint32_t n = 0; (part = ck_segment_part(&block->segments.items[i], n)); n++) {
            const struct ck_mark *mark = &part->write;
            if ((mark->how & CK_TOUCH_FREE) && mark->step.work && !mark->step.work->dead &&
                !ck_step_ordered(&mark->step, step))
                return &mark->step;
        }
    return NULL;
}

static bool tell_reuse(const struct ck_court *court, const struct ck_step *then,
                       const struct ck_step *first, const struct ck_log_entry *entry)
{
    struct ck_verdict *verdict = ck_verdicts_add(court->verdicts, RILL_FINDING_HINT);
    if (!verdict) return false;
    ck_verdict_set_end(verdict, 0, then, "allocates");
    ck_verdict_set_end(verdict, 1, first, "frees");
    verdict->finding.sentence = "the allocation gets memory whose free nothing orders before it: "
                                "the pool has to wait for the free, or to find other memory";
    verdict->finding.cause = "reuse";
    verdict->finding.bytes = entry->bytes;
    verdict->finding.mend = RILL_MEND_WAIT;
    return true;
}

bool ck_reuse_tell(const struct ck_court *court, const struct ck_log_entry *entry)
{
    const struct ck_step step = { .work = entry->work };
    const struct range *range = rl_ranges_at(&court->memory->blocks, entry->base);
    if (!range) range = rl_ranges_from(&court->memory->blocks, entry->base);
    for (; range && (range->base < entry->base || range->base - entry->base < entry->bytes);
         range = rl_range_next(range)) {
        const struct ck_block *block = (const struct ck_block *)range;
        const struct ck_step *first =
            block->gone && block->kind == CK_BLOCK_POOL ? find_unordered(block, &step) : NULL;
        if (first) return tell_reuse(court, &step, first, entry);
    }
    return true;
}
