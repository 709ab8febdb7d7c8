/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-check/access/leaks.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/alloc.h"
#include "site/site.h"

/* ---- Counting ------------------------------------------------------------------------------ */

static struct ck_leak *find_leak(const struct ck_leaks *leaks, const struct ck_block *block)
{
    struct ck_leak *leak = leaks->first;
    while (leak && (leak->made != block->made || leak->kind != block->kind)) leak = leak->next;
    return leak;
}

/* Returns the entry of the block's call site.  Returns NULL if memory is short. */
static struct ck_leak *leak_of(struct ck_leaks *leaks, const struct ck_block *block)
{
    struct ck_leak *leak = find_leak(leaks, block);
    if (leak) return leak;
    leak = rl_alloc(sizeof *leak);
    if (!leak) {
        leaks->failed = true;
        return NULL;
    }
    *leak = (struct ck_leak){ .next = leaks->first, .made = block->made, .kind = block->kind,
                              .born = block->born };
    leaks->first = leak;
    return leak;
}

void ck_leaks_note(struct ck_leaks *leaks, const struct ck_block *block)
{
    if (block->gone || block->kind == CK_BLOCK_PLAIN || block->kind == CK_BLOCK_GRAPH ||
        block->kind == CK_BLOCK_VARIABLE)
        return;
    if (!block->range.base) return; /* no bytes, allocated in stream order */
    struct ck_leak *leak = leak_of(leaks, block);
    if (!leak) return;
    leak->count++;
    leak->bytes += block->range.bytes;
    if (block->born < leak->born) leak->born = block->born;
}

void ck_leaks_fini(struct ck_leaks *leaks)
{
    while (leaks->first) {
        struct ck_leak *leak = leaks->first;
        leaks->first = leak->next;
        rl_free(leak);
    }
}

/* ---- Adding up ------------------------------------------------------------------------------ */

void ck_leaks_collect(struct ck_leaks *leaks, const struct ck_memory *memory)
{
    for (const struct ck_leak *gone = memory->leaks->first; gone; gone = gone->next) {
        struct ck_leak *leak = rl_alloc(sizeof *leak);
        if (!leak) {
            leaks->failed = true;
            return;
        }
        *leak = *gone;
        leak->next = leaks->first;
        leaks->first = leak;
    }
    for (struct range *range = rl_ranges_from(&memory->blocks, 0); range;
         range = rl_range_next(range))
        ck_leaks_note(leaks, (const struct ck_block *)range);
    if (memory->leaks->failed) leaks->failed = true;
}

/* Adds to a leak the later ones in the list that are of the same line. */
static void merge_into(struct ck_leak *leak)
{
    for (struct ck_leak **link = &leak->next; *link;) {
        struct ck_leak *other = *link;
        if (other->kind != leak->kind || !cs_same_line(other->made, leak->made)) {
            link = &other->next;
            continue;
        }
        leak->count += other->count;
        leak->bytes += other->bytes;
        if (other->born < leak->born) leak->made = other->made, leak->born = other->born;
        *link = other->next;
        rl_free(other);
    }
}

void ck_leaks_merge(struct ck_leaks *leaks)
{
    for (struct ck_leak *leak = leaks->first; leak; leak = leak->next) merge_into(leak);
}

/* ---- Telling ------------------------------------------------------------------------------- */

static const struct {
    const char *memory, *freed, *left;
} words[] = {
    [CK_BLOCK_DEVICE] = { "device memory", "freed", " of the context" },
    [CK_BLOCK_PINNED] = { "pinned memory", "freed", "" },
    [CK_BLOCK_REGISTERED] = { "registered memory", "unregistered", "" },
    [CK_BLOCK_MANAGED] = { "managed memory", "freed", " of the context" },
    [CK_BLOCK_POOL] = { "pool memory", "freed", " of the pool" },
};

static bool tell_leak(const struct ck_leak *leak, struct ck_verdicts *verdicts)
{
    struct ck_verdict *verdict = ck_verdicts_add(verdicts, RILL_FINDING_LEAK);
    if (!verdict) return false;
    const struct ck_what what = { .host = true, .name = "the allocation", .site = leak->made };
    const bool many = leak->count > 1;
    char size[CK_SIZE_MAX];
    ck_verdict_set_call(verdict, 0, &what, NULL, 0);
    verdict->finding.ends[0].order = leak->born << 20;
    ck_write_size(leak->bytes, size);
    snprintf(verdict->sentence, sizeof verdict->sentence,
             "%s is never %s: %" PRIu64 " allocation%s, %s%s, left to the end%s",
             words[leak->kind].memory, words[leak->kind].freed, leak->count, many ? "s" : "", size,
             many ? " in all" : "", words[leak->kind].left);
    verdict->finding.sentence = verdict->sentence;
    verdict->finding.cause = words[leak->kind].memory;
    verdict->finding.bytes = leak->bytes;
    return true;
}

/* Takes the leak that was made first off the list. */
static struct ck_leak *take_first(struct ck_leaks *leaks)
{
    struct ck_leak **first = &leaks->first;
    for (struct ck_leak **link = first; *link; link = &(*link)->next)
        if ((*link)->born < (*first)->born) first = link;
    struct ck_leak *leak = *first;
    *first = leak->next;
    return leak;
}

bool ck_leaks_tell(struct ck_leaks *leaks, struct ck_verdicts *verdicts)
{
    bool fits = !leaks->failed;
    while (leaks->first) {
        struct ck_leak *leak = take_first(leaks);
        if (fits) fits = tell_leak(leak, verdicts);
        rl_free(leak);
    }
    return fits;
}
