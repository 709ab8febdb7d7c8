/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-check/slots/guards.h"

#include <inttypes.h>
#include <stdio.h>

void ck_guards_lay(struct ck_checker *checker)
{
    const struct rill_watch_ops *watch = checker->beneath->watch;
    checker->guards = checker->life && watch && watch->guard && watch->guard_broken &&
                      !watch->guard(checker->platform);
}

/* Returns the first byte behind the allocation that was written, or 0. */
static uint64_t find_broken(struct ck_checker *checker, uint64_t base)
{
    rill_devptr broken = 0;
    if (checker->beneath->watch->guard_broken(checker->platform, base, &broken)) return 0;
    return broken;
}

/* Requires checker->lock. */
static void tell_broken(struct ck_checker *checker, const struct ck_block *block, uint64_t broken,
                        const struct ck_what *what)
{
    struct ck_verdict *verdict = ck_verdicts_add(&checker->verdicts, RILL_FINDING_LIFETIME);
    if (!verdict) {
        checker->order.failed = true;
        return;
    }
    ck_verdict_set_call(verdict, 0, what, NULL, 0);
    verdict->finding.ends[0].order = checker->order.serial << 20;
    ck_verdict_set_memory(verdict, block, block->range.base, rl_range_end(&block->range));
    snprintf(verdict->sentence, sizeof verdict->sentence,
             "something of C writes behind an allocation, from the byte %" PRIu64 " after its end "
             "on", broken - rl_range_end(&block->range));
    verdict->finding.sentence = verdict->sentence;
    verdict->finding.cause = "behind";
    verdict->finding.advice =
        "look at the bounds in kernels and host functions of C that are given this memory; "
        "AddressSanitizer says which one it is";
}

void ck_guards_look_freed(rill_context *context, rill_devptr base, const void *site)
{
    struct ck_checker *checker = ck_checker_of(context);
    uint64_t broken = checker->guards ? find_broken(checker, base) : 0;
    if (!broken || !(checker = ck_enter(context))) return;
    const struct ck_block *block = ck_memory_find(&checker->memory, base);
    const struct ck_what what = { .host = true, .name = "the host", .site = site };
    if (block && broken >= rl_range_end(&block->range)) tell_broken(checker, block, broken, &what);
    ck_leave(checker);
}

void ck_guards_look(struct ck_checker *checker)
{
    if (!checker->guards) return;
    for (struct range *range = rl_ranges_from(&checker->memory.blocks, 0); range;
         range = rl_range_next(range)) {
        const struct ck_block *block = (const struct ck_block *)range;
        if (block->gone || block->kind != CK_BLOCK_DEVICE) continue;
        uint64_t broken = find_broken(checker, block->range.base);
        const struct ck_what what = { .host = true, .name = "the allocation", .site = block->made };
        if (broken) tell_broken(checker, block, broken, &what);
    }
}
