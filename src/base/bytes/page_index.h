/* SPDX-License-Identifier: Apache-2.0
 *
 * Maps of areas where elements are added all over, each of them in one piece: no tree is gone
 * through for an element.
 *
 * A bit stands for 1, 4 or 8 bytes, whatever all elements are made of: the map of an array of
 * floats is a quarter of that of its bytes, so that more of it stays in the processor's caches.
 * What is in the maps is in the set; rl_byte_set_fold() moves it to the tree before anybody looks
 * there.
 */
#ifndef RL_PAGE_INDEX_H
#define RL_PAGE_INDEX_H

#include <stddef.h>
#include <stdint.h>

struct rl_byte_set;

/* Areas at once: kernels often gather from several arrays. */
#define RL_PAGE_INDEXES 8

struct rl_page_index {
    uint64_t first, count;   /* pages                                                    */
    uint32_t unit;           /* a bit stands for 1 << unit bytes                         */
    uint64_t words[];        /* 64 >> unit of each page                                  */
};

/* Those of a set. */
struct rl_page_indexes {
    struct rl_page_index *each[RL_PAGE_INDEXES]; /* or NULL                              */
    uint32_t oldest;                             /* the next one to be replaced          */
    uint64_t lanes;                              /* what was added so far                */
};

/* Returns the index that is to have the pages `first` to `last`, for `lanes` elements of a multiple
 * of 1 << unit bytes, aligned so.  NULL if there is none and the elements do not make one worth its
 * memory, or that is short. */
struct rl_page_index *rl_page_indexes_find(struct rl_byte_set *set, uint64_t first, uint64_t last,
                                           uint32_t unit, size_t lanes);

/* Returns the index that has these pages already, for such elements, or NULL. */
struct rl_page_index *rl_page_indexes_look(const struct rl_page_indexes *indexes, uint64_t first,
                                           uint64_t last, uint32_t unit);

/* Forgets all of them. */
void rl_page_indexes_reset(struct rl_page_indexes *indexes);

#endif
