/* SPDX-License-Identifier: Apache-2.0 */
#include "base/bytes/page_index.h"

#include <stdbool.h>
#include <string.h>

#include "base/alloc.h"
#include "base/bytes/byte_set.h"

/* A map has no more words than these: 16 MiB, which is half a GiB of floats. */
#define WORDS_MOST (UINT64_C(1) << 21)

/* A map of so many pages is always worth it; a larger one is once it has not more than so many for
 * each element that was added.  So zeroing it costs less than adding them. */
#define PAGES_LEAST 256
#define PAGES_A_LANE 4

void rl_page_indexes_reset(struct rl_page_indexes *indexes)
{
    for (uint32_t i = 0; i < RL_PAGE_INDEXES; i++) {
        rl_free(indexes->each[i]);
        indexes->each[i] = NULL;
    }
}

/* ---- Making ------------------------------------------------------------------------------ */

static uint64_t words_of(uint64_t pages, uint32_t unit)
{
    return pages * (RL_NODE_SLOTS >> unit);
}

static bool is_near(const struct rl_page_index *index, uint64_t first, uint64_t last)
{
    return index && first <= index->first + index->count && last + 1 >= index->first;
}

/* Returns the place of an index that has some of these pages, or goes on where they end; else that
 * of the oldest one. */
static struct rl_page_index **find_place(struct rl_page_indexes *indexes, uint64_t first,
                                         uint64_t last)
{
    for (uint32_t i = 0; i < RL_PAGE_INDEXES; i++)
        if (is_near(indexes->each[i], first, last)) return &indexes->each[i];
    return &indexes->each[indexes->oldest++ % RL_PAGE_INDEXES];
}

/* Adds some pages to come on both sides of those that are asked for: the first elements of an array
 * seldom are near its ends. */
static void add_margins(uint64_t *first, uint64_t *last)
{
    const uint64_t more = (*last - *first) / 16;
    *first -= *first < more ? *first : more;
    *last += more;
}

/* Adds the pages of an index to those that are asked for, and as many to come where it grows.
 * Returns false, and adds none, if that is too many. */
static bool widen(const struct rl_page_index *index, uint64_t *first, uint64_t *last)
{
    const uint64_t end = index->first + index->count, more = index->count;
    uint64_t from = index->first, to = end - 1;
    if (*first < from) from = *first - (*first < more ? *first : more);
    if (*last > to) to = *last + more;
    if (to - from >= WORDS_MOST / words_of(1, index->unit)) return false;
    *first = from;
    *last = to;
    return true;
}

/* Makes an index that has these pages, too, and what the one has whose place it takes if it goes on
 * where that one ends. */
static struct rl_page_index *grow(struct rl_byte_set *set, uint64_t first, uint64_t last,
                                  uint32_t unit)
{
    struct rl_page_index **place = find_place(&set->indexes, first, last), *index = NULL;
    struct rl_page_index *old = is_near(*place, first, last) ? *place : NULL;
    if (old && old->unit <= unit && widen(old, &first, &last)) unit = old->unit;
    else old = NULL;
    if (!old) add_margins(&first, &last);
    const uint64_t count = last - first + 1;
    if (count <= WORDS_MOST / words_of(1, unit))
        index = rl_zalloc(sizeof *index + words_of(count, unit) * sizeof *index->words);
    if (!index) return NULL;
    index->first = first;
    index->count = count;
    index->unit = unit;
    if (old)
        memcpy(index->words + words_of(old->first - first, unit), old->words,
               words_of(old->count, unit) * sizeof *old->words);
    else if (*place)
        rl_byte_set_fold(set, set);
    rl_free(*place);
    return *place = index;
}

/* ---- For sets ---------------------------------------------------------------------------- */

struct rl_page_index *rl_page_indexes_look(const struct rl_page_indexes *indexes, uint64_t first,
                                           uint64_t last, uint32_t unit)
{
    for (uint32_t i = 0; i < RL_PAGE_INDEXES; i++) {
        struct rl_page_index *index = indexes->each[i];
        if (index && index->unit <= unit && first >= index->first &&
            last - index->first < index->count)
            return index;
    }
    return NULL;
}

struct rl_page_index *rl_page_indexes_find(struct rl_byte_set *set, uint64_t first, uint64_t last,
                                           uint32_t unit, size_t lanes)
{
    set->indexes.lanes += lanes;
    struct rl_page_index *index = rl_page_indexes_look(&set->indexes, first, last, unit);
    if (index) return index;
    if (last - first >= PAGES_LEAST + PAGES_A_LANE * set->indexes.lanes) return NULL;
    return grow(set, first, last, unit);
}
