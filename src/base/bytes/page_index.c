/* SPDX-License-Identifier: Apache-2.0 */
#include "base/bytes/page_index.h"

#include <stdbool.h>
#include <string.h>

#include "base/alloc.h"

/* An index has no more pages than these: 4 GiB. */
#define PAGES_MOST (UINT64_C(1) << 20)

/* An index of so many pages is always worth it; a larger one is once it has not more than so many
 * for each element that was added.  So zeroing it costs less than adding them. */
#define PAGES_LEAST 256
#define PAGES_A_LANE 4

/* ---- Making ------------------------------------------------------------------------------ */

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

/* Adds the pages of an index to those that are asked for, and as many to come where it grows; not
 * if that is too many. */
static void widen(const struct rl_page_index *index, uint64_t *first, uint64_t *last)
{
    const uint64_t end = index->first + index->count, more = index->count;
    uint64_t from = index->first, to = end - 1;
    if (*first < from) from = *first - (*first < more ? *first : more);
    if (*last > to) to = *last + more;
    if (to - from >= PAGES_MOST) return;
    *first = from;
    *last = to;
}

/* Makes an index that has these pages, too.  It knows none of them yet. */
static struct rl_page_index *grow(struct rl_page_indexes *indexes, uint64_t first, uint64_t last)
{
    struct rl_page_index **place = find_place(indexes, first, last), *index = NULL;
    if (is_near(*place, first, last)) widen(*place, &first, &last);
    const uint64_t count = last - first + 1;
    if (count <= PAGES_MOST) index = rl_zalloc(sizeof *index + count * sizeof *index->words);
    if (!index) return NULL;
    index->first = first;
    index->count = count;
    rl_free(*place);
    return *place = index;
}

/* ---- For sets ---------------------------------------------------------------------------- */

struct rl_page_index *rl_page_indexes_find(struct rl_page_indexes *indexes, uint64_t first,
                                           uint64_t last, size_t lanes)
{
    indexes->lanes += lanes;
    for (uint32_t i = 0; i < RL_PAGE_INDEXES; i++) {
        struct rl_page_index *index = indexes->each[i];
        if (index && first >= index->first && last - index->first < index->count) return index;
    }
    if (last - first >= PAGES_LEAST + PAGES_A_LANE * indexes->lanes) return NULL;
    return grow(indexes, first, last);
}

void rl_page_indexes_forget(struct rl_page_indexes *indexes, uint64_t first, uint64_t last)
{
    for (uint32_t i = 0; i < RL_PAGE_INDEXES; i++) {
        struct rl_page_index *index = indexes->each[i];
        if (!index || last < index->first || first >= index->first + index->count) continue;
        const uint64_t from = first > index->first ? first - index->first : 0;
        const uint64_t to = last - index->first < index->count ? last - index->first + 1
                                                               : index->count;
        memset(index->words + from, 0, (to - from) * sizeof *index->words);
    }
}

void rl_page_indexes_fini(struct rl_page_indexes *indexes)
{
    for (uint32_t i = 0; i < RL_PAGE_INDEXES; i++) {
        rl_free(indexes->each[i]);
        indexes->each[i] = NULL;
    }
}
