/* SPDX-License-Identifier: Apache-2.0 */
#include "base/bytes/byte_each.h"

#include "base/alloc.h"

#define LAST_SLOT (RL_NODE_SLOTS - 1)

/* What a node at level 2 is about: addresses that are equal from these bits on. */
#define AREA_BITS (RL_PAGE_BITS + 3 * RL_NODE_BITS)

static struct rl_page_cache *create_cache(void)
{
    struct rl_page_cache *cache = rl_alloc(sizeof *cache);
    for (uint32_t i = 0; cache && i < RL_CACHE_PAGES; i++) cache->entries[i].page = RL_NO_PAGE;
    return cache;
}

/* Adds a row to the bitmap of a page, or finds it there.  Returns false if there is more to do than
 * that: the page may be full now. */
static inline bool add_to_words(uint64_t *words, uint64_t address, uint64_t ones)
{
    uint64_t *word = &words[address >> 6 & LAST_SLOT];
    uint64_t before = *word, after = before | ones << (address & 63);
    *word = after;
    return ~after || after == before;
}

/* Returns the slot of a page in the area around the page that was looked up last, or 0 if there is
 * none. */
static uintptr_t find_slot(const struct rl_byte_set *set, uint64_t address)
{
    const union rl_node *node = set->path[2];
    if (!node || address >> AREA_BITS != set->page >> (AREA_BITS - RL_PAGE_BITS)) return 0;
    for (uint32_t level = 2; level > 0; level--) {
        uint32_t bits = RL_PAGE_BITS + level * RL_NODE_BITS;
        uintptr_t slot = node->slots[address >> bits & LAST_SLOT];
        if (slot == 0 || rl_slot_is_row(slot)) return slot;
        node = rl_slot_node(slot);
    }
    return node->slots[address >> RL_PAGE_BITS & LAST_SLOT];
}

/* Adds a row to a page that is not in the cache. */
static void add_uncached(struct rl_byte_set *set, uint64_t address, uint64_t bytes, uint64_t ones)
{
    uint64_t page = address >> RL_PAGE_BITS;
    uintptr_t slot = find_slot(set, address);
    if (slot == RL_SLOT_FULL) return;
    if (slot && !rl_slot_is_row(slot)) {
        uint64_t *words = rl_slot_node(slot)->words;
        set->cache->entries[page % RL_CACHE_PAGES].page = page;
        set->cache->entries[page % RL_CACHE_PAGES].words = words;
        if (add_to_words(words, address, ones)) return;
    }
    rl_byte_set_add(set, address, address + bytes - 1);
}

/* Adds rows as far as they lie in the word of a bitmap in which they begin, or more than that.
 * None has a whole page, so the cache stays.  Returns the bits that are set in their addresses. */
static uint64_t add_begins(struct rl_byte_set *set, const uint64_t *addresses, size_t count,
                           uint64_t offset, uint64_t bytes)
{
    const uint64_t ones = ~UINT64_C(0) >> (-bytes & 63);
    const struct rl_page_cache *cache = set->cache;
    uint64_t all = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t address = offset + addresses[i], page = address >> RL_PAGE_BITS;
        all |= address;
        if (cache->entries[page % RL_CACHE_PAGES].page != page)
            add_uncached(set, address, bytes, ones);
        else if (!add_to_words(cache->entries[page % RL_CACHE_PAGES].words, address, ones))
            rl_byte_set_add(set, address, address + bytes - 1);
    }
    return all;
}

/* Most rows are aligned, so that they lie in one word. */
void rl_byte_set_add_each(struct rl_byte_set *set, const uint64_t *addresses, size_t count,
                          uint64_t offset, uint64_t bytes)
{
    bool whole = bytes <= 64 && (bytes & (bytes - 1)) == 0;
    if (whole && !set->cache) set->cache = create_cache();
    if (!set->cache) whole = false;
    if (whole) whole = (add_begins(set, addresses, count, offset, bytes) & (bytes - 1)) == 0;
    for (size_t i = 0; !whole && i < count; i++) {
        uint64_t address = offset + addresses[i];
        rl_byte_set_add(set, address, address + bytes - 1);
    }
}
