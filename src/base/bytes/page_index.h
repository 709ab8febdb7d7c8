/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the bitmaps of pages are, by the numbers of the pages: for those who add elements that lie
 * all over an area.
 */
#ifndef RL_PAGE_INDEX_H
#define RL_PAGE_INDEX_H

#include <stddef.h>
#include <stdint.h>

#include "base/node_pool.h"

/* Areas at once: kernels often gather from several arrays. */
#define RL_PAGE_INDEXES 8

struct rl_page_index {
    uint64_t first, count;   /* pages                                                    */
    union rl_node full;      /* stands for the bitmap of each full page: nobody reads it */
    uint64_t *words[];       /* NULL for a page that has no bitmap, or is not known      */
};

/* Those of a set. */
struct rl_page_indexes {
    struct rl_page_index *each[RL_PAGE_INDEXES]; /* or NULL                              */
    uint32_t oldest;                             /* the next one to be replaced          */
    uint64_t lanes;                              /* what was added so far                */
};

/* Returns an index that has the pages `first` to `last`, for `lanes` elements that are to be added.
 * NULL if there is none and the elements do not make one worth its memory, or that is short. */
struct rl_page_index *rl_page_indexes_find(struct rl_page_indexes *indexes, uint64_t first,
                                           uint64_t last, size_t lanes);

/* Forgets where the bitmaps of these pages are. */
void rl_page_indexes_forget(struct rl_page_indexes *indexes, uint64_t first, uint64_t last);

void rl_page_indexes_fini(struct rl_page_indexes *indexes);

#endif
