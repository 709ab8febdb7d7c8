/* SPDX-License-Identifier: Apache-2.0 */
#include "base/bytes/byte_each.h"

#include <config.h>

#include <stdbool.h>

/* Makes vectors of loops at -O2, too. */
#if defined __OPTIMIZE__ && !defined __clang__
#pragma GCC optimize("tree-vectorize", "vect-cost-model=dynamic")
#endif

/* ---- Where the elements are -------------------------------------------------------------- */

/* Numbers with a sign, which vectors compare faster: `least` is negative if any address has the top
 * bit. */
struct survey {
    int64_t least, most;
    uint64_t bits; /* those that are set in any of the addresses */
};

/* Compiled for wider vectors as well. */
static inline __attribute__((always_inline))
struct survey survey(const uint64_t *addresses, size_t count, uint64_t offset)
{
    struct survey all = { .least = INT64_MAX, .most = INT64_MIN };
    for (size_t i = 0; i < count; i++) {
        const int64_t address = (int64_t)(offset + addresses[i]);
        all.least = address < all.least ? address : all.least;
        all.most = address > all.most ? address : all.most;
        all.bits |= (uint64_t)address;
    }
    return all;
}

/* Tells whether all elements are in the pages of an index, aligned.  That takes less than to find
 * where they are. */
static inline __attribute__((always_inline))
bool are_within(const struct rl_page_index *index, const uint64_t *addresses, size_t count,
                uint64_t offset, uint64_t bytes)
{
    const uint64_t shift = offset - (index->first << RL_PAGE_BITS);
    const uint64_t last = (index->count << RL_PAGE_BITS) - 1;
    uint64_t bits = 0, left = 0; /* the top bit is set if one is before the pages, or behind */
    for (size_t i = 0; i < count; i++) {
        const uint64_t at = addresses[i] + shift;
        bits |= at;
        left |= last - at;
    }
    return !((bits | left) >> 63) && !(bits & (bytes - 1));
}

/* ---- Adding ------------------------------------------------------------------------------ */

/* Adds rows, each of which lies in one word of a map.  Pages that become full are seen to be so
 * once their maps are folded. */
static inline __attribute__((always_inline))
void add_words(struct rl_page_index *index, const uint64_t *addresses, size_t count,
               uint64_t offset, uint64_t bytes, const uint32_t unit)
{
    const uint64_t ones = ~UINT64_C(0) >> (-(bytes >> unit) & 63);
    const uint64_t shift = offset - (index->first << RL_PAGE_BITS);
    uint64_t *words = index->words;
#pragma GCC unroll 4
    for (size_t i = 0; i < count; i++) {
        const uint64_t at = addresses[i] + shift;
        words[at >> (6 + unit)] |= ones << (at >> unit & 63);
    }
}

/* The loop is compiled for each unit, and for elements that are one. */
static inline __attribute__((always_inline))
void add_in_index(struct rl_page_index *index, const uint64_t *addresses, size_t count,
                  uint64_t offset, uint64_t bytes)
{
    switch (index->unit) {
    case 0: add_words(index, addresses, count, offset, bytes, 0); return;
    case 2:
        if (bytes == 4) add_words(index, addresses, count, offset, 4, 2);
        else add_words(index, addresses, count, offset, bytes, 2);
        return;
    default: add_words(index, addresses, count, offset, bytes, 3);
    }
}

/* Returns how many bytes a bit of a map may stand for, as a shift: most elements have 4 or 8. */
static inline uint32_t unit_of(uint64_t bytes)
{
    return bytes >= 8 ? 3 : bytes == 4 ? 2 : 0;
}

/* Returns an index that has all elements, or NULL.  Most of the time that is the one that has the
 * first. */
static inline __attribute__((always_inline))
struct rl_page_index *find_index(struct rl_byte_set *set, const uint64_t *addresses, size_t count,
                                 uint64_t offset, uint64_t bytes)
{
    const uint64_t page = (offset + addresses[0]) >> RL_PAGE_BITS;
    const uint32_t unit = unit_of(bytes);
    struct rl_page_index *index = rl_page_indexes_look(&set->indexes, page, page, unit);
    if (index && are_within(index, addresses, count, offset, bytes)) {
        set->indexes.lanes += count;
        return index;
    }
    const struct survey all = survey(addresses, count, offset);
    if ((all.bits & (bytes - 1)) != 0 || all.least < 0) return NULL;
    return rl_page_indexes_find(set, (uint64_t)all.least >> RL_PAGE_BITS,
                                (uint64_t)all.most >> RL_PAGE_BITS, unit, count);
}

/* Most rows are aligned, so that they lie in one word. */
static inline __attribute__((always_inline))
void add_each(struct rl_byte_set *set, const uint64_t *addresses, size_t count, uint64_t offset,
              uint64_t bytes)
{
    struct rl_page_index *index = NULL;
    if (count && bytes <= 64 && (bytes & (bytes - 1)) == 0)
        index = find_index(set, addresses, count, offset, bytes);
    if (index) {
        add_in_index(index, addresses, count, offset, bytes);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        const uint64_t address = offset + addresses[i];
        rl_byte_set_add(set, address, address + bytes - 1);
    }
}

#if RILL_HAVE_AVX2
__attribute__((target("avx2,bmi,bmi2")))
static void add_each_avx2(struct rl_byte_set *set, const uint64_t *addresses, size_t count,
                          uint64_t offset, uint64_t bytes)
{
    add_each(set, addresses, count, offset, bytes);
}
#endif

void rl_byte_set_add_each(struct rl_byte_set *set, const uint64_t *addresses, size_t count,
                          uint64_t offset, uint64_t bytes)
{
#if RILL_HAVE_AVX2
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2")) {
        add_each_avx2(set, addresses, count, offset, bytes);
        return;
    }
#endif
    add_each(set, addresses, count, offset, bytes);
}
