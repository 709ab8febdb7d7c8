/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-check/access/redzones.h"

#include <rill/backend.h>

#include <inttypes.h>
#include <stdio.h>

void ck_redzones_lay(struct ck_redzones *redzones, rill_platform *platform,
                     const struct rill_watch_ops *watch)
{
    if (!watch || !watch->guard || !watch->guard_broken || watch->guard(platform)) return;
    redzones->watch = watch;
    redzones->platform = platform;
}

uint64_t ck_redzones_broken(const struct ck_redzones *redzones, uint64_t base)
{
    rill_devptr broken = 0;
    if (!redzones->watch || redzones->watch->guard_broken(redzones->platform, base, &broken))
        return 0;
    return broken;
}

bool ck_redzones_tell(struct ck_verdicts *verdicts, const struct ck_block *block, uint64_t broken,
                      const struct ck_what *what, uint64_t serial)
{
    if (broken < rl_range_end(&block->range)) return true; /* of an older allocation there */
    struct ck_verdict *verdict = ck_verdicts_add(verdicts, RILL_FINDING_LIFETIME);
    if (!verdict) return false;
    ck_verdict_set_call(verdict, 0, what, NULL, 0);
    verdict->finding.ends[0].order = serial << 20;
    ck_verdict_set_memory(verdict, block, block->range.base, rl_range_end(&block->range));
    const bool device = block->kind == CK_BLOCK_DEVICE;
    snprintf(verdict->sentence, sizeof verdict->sentence,
             "%s writes behind an allocation, from the byte %" PRIu64 " after its end on",
             device ? "something of C" : "the host or something of C",
             broken - rl_range_end(&block->range));
    verdict->finding.sentence = verdict->sentence;
    verdict->finding.cause = "behind";
    verdict->finding.advice =
        device ? "look at the bounds in kernels and host functions of C that are given this "
                 "memory; AddressSanitizer says which one it is"
               : "look at the bounds where the program, and kernels and host functions of C, write "
                 "to this memory; AddressSanitizer says which line it is";
    return true;
}

static bool has_redzone(const struct ck_block *block)
{
    return block->kind == CK_BLOCK_DEVICE || block->kind == CK_BLOCK_PINNED ||
           block->kind == CK_BLOCK_MANAGED;
}

bool ck_redzones_look(const struct ck_redzones *redzones, const struct ck_memory *memory,
                      struct ck_verdicts *verdicts, uint64_t serial)
{
    struct range *range = redzones->watch ? rl_ranges_from(&memory->blocks, 0) : NULL;
    for (; range; range = rl_range_next(range)) {
        const struct ck_block *block = (const struct ck_block *)range;
        if (block->gone || !has_redzone(block)) continue;
        uint64_t broken = ck_redzones_broken(redzones, block->range.base);
        const struct ck_what what = { .host = true, .name = "the allocation", .site = block->made };
        if (broken && !ck_redzones_tell(verdicts, block, broken, &what, serial)) return false;
    }
    return true;
}
