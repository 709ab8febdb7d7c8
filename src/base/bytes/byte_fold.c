/* SPDX-License-Identifier: Apache-2.0
 *
 * Moves what was added all over, which is in maps of its own (page_index.h), to where the rest is.
 */
#include "base/bytes/byte_set.h"

#include <config.h>

/* Makes vectors of loops at -O2, too. */
#if defined __OPTIMIZE__ && !defined __clang__
#pragma GCC optimize("tree-vectorize", "vect-cost-model=dynamic")
#endif

/* ---- Maps -------------------------------------------------------------------------------- */

/* Return 16 bits, or 8, each of them 4 or 8 times. */
static inline uint64_t repeat_4(uint64_t bits)
{
    bits = (bits | bits << 24) & UINT64_C(0x000000ff000000ff);
    bits = (bits | bits << 12) & UINT64_C(0x000f000f000f000f);
    bits = (bits | bits << 6) & UINT64_C(0x0303030303030303);
    bits = (bits | bits << 3) & UINT64_C(0x1111111111111111);
    return (bits << 4) - bits;
}

static inline uint64_t repeat_8(uint64_t bits)
{
    bits = (bits | bits << 28) & UINT64_C(0x0000000f0000000f);
    bits = (bits | bits << 14) & UINT64_C(0x0003000300030003);
    bits = (bits | bits << 7) & UINT64_C(0x0101010101010101);
    return (bits << 8) - bits;
}

/* Adds the bytes of a map.  What each word becomes of is cut out first, so that the rest is done in
 * vectors. */
static inline __attribute__((always_inline))
void add_map(uint64_t *words, const uint64_t *map, uint32_t unit)
{
    uint64_t cut[RL_NODE_SLOTS];
    switch (unit) {
    case 0:
        for (uint32_t w = 0; w < RL_NODE_SLOTS; w++) words[w] |= map[w];
        return;
    case 2:
        for (uint32_t w = 0; w < RL_NODE_SLOTS; w++) cut[w] = map[w / 4] >> w % 4 * 16;
        for (uint32_t w = 0; w < RL_NODE_SLOTS; w++) words[w] |= repeat_4(cut[w] & 0xffff);
        return;
    default:
        for (uint32_t w = 0; w < RL_NODE_SLOTS; w++) cut[w] = map[w / 8] >> w % 8 * 8;
        for (uint32_t w = 0; w < RL_NODE_SLOTS; w++) words[w] |= repeat_8(cut[w] & 0xff);
    }
}

#if RILL_HAVE_AVX2
__attribute__((target("avx2")))
static void add_map_avx2(uint64_t *words, const uint64_t *map, uint32_t unit)
{
    add_map(words, map, unit);
}
#endif

static void add_map_any(uint64_t *words, const uint64_t *map, uint32_t unit)
{
#if RILL_HAVE_AVX2
    if (__builtin_cpu_supports("avx2")) {
        add_map_avx2(words, map, unit);
        return;
    }
#endif
    add_map(words, map, unit);
}

/* ---- Pages ------------------------------------------------------------------------------- */

static void fold_page(struct rl_byte_set *set, uint64_t page, const uint64_t *map, uint32_t unit)
{
    uintptr_t *slot = rl_byte_set_slot(set, page);
    if (slot && *slot == RL_SLOT_FULL) return;
    uint64_t *words = slot ? rl_byte_set_open(set, slot) : NULL;
    if (!words) {
        rl_byte_set_miss(set, page << RL_PAGE_BITS, page << RL_PAGE_BITS | (RL_PAGE_BYTES - 1));
        return;
    }
    add_map_any(words, map, unit);
    rl_byte_set_settle(set, slot);
    if (*slot == RL_SLOT_FULL) rl_byte_set_settle_path(set);
}

static bool is_empty(const uint64_t *map, uint32_t words)
{
    uint64_t any = 0;
    for (uint32_t w = 0; w < words; w++) any |= map[w];
    return !any;
}

void rl_byte_set_fold(struct rl_byte_set *set, struct rl_byte_set *to)
{
    for (uint32_t i = 0; i < RL_PAGE_INDEXES; i++) {
        const struct rl_page_index *index = set->indexes.each[i];
        const uint64_t *map = index ? index->words : NULL;
        const uint32_t words = index ? RL_NODE_SLOTS >> index->unit : 0;
        for (uint64_t page = 0; index && page < index->count; page++, map += words)
            if (!is_empty(map, words)) fold_page(to, index->first + page, map, index->unit);
    }
    rl_page_indexes_reset(&set->indexes);
}
