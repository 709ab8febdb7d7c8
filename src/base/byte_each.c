/* SPDX-License-Identifier: Apache-2.0 */
#include "base/byte_each.h"

#define LAST_SLOT (RL_NODE_SLOTS - 1)

/* What nodes at levels 1 and 2 are about: addresses that are equal from these bits on. */
#define NEAR_BITS (RL_PAGE_BITS + 2 * RL_NODE_BITS)
#define WIDE_BITS (RL_PAGE_BITS + 3 * RL_NODE_BITS)

/* The nodes above the page that was looked up last; NULL where the way to it ends. */
struct surroundings {
    const union rl_node *near, *wide;
    uint64_t near_area, wide_area;
};

static struct surroundings look_around(const struct rl_byte_set *set)
{
    uint64_t address = set->page << RL_PAGE_BITS;
    return (struct surroundings){ set->path[1], set->path[2], address >> NEAR_BITS,
                                  address >> WIDE_BITS };
}

static bool is_node(uintptr_t slot)
{
    return slot && !rl_slot_is_row(slot);
}

static inline uintptr_t slot_at(const union rl_node *node, uint64_t address, uint32_t bits)
{
    return node->slots[address >> bits & LAST_SLOT];
}

/* Adds a row to the bitmap of a page below a node at level 1, or finds it there.  Returns false
 * if there is more to do than that. */
static inline bool add_below(const union rl_node *node, uint64_t address, uint64_t ones)
{
    uintptr_t slot = slot_at(node, address, RL_PAGE_BITS + RL_NODE_BITS);
    if (!is_node(slot)) return slot == RL_SLOT_FULL;
    slot = slot_at(rl_slot_node(slot), address, RL_PAGE_BITS);
    if (!is_node(slot)) return slot == RL_SLOT_FULL;
    uint64_t *word = &rl_slot_node(slot)->words[address >> 6 & LAST_SLOT];
    uint64_t before = *word, after = before | ones << (address & 63);
    if (after == before) return true;
    if (!~after) return false;
    *word = after;
    return true;
}

/* Does that if the page is not too far from the one that was looked up last. */
static bool add_around(struct surroundings *around, uint64_t address, uint64_t ones)
{
    if (!around->wide || address >> WIDE_BITS != around->wide_area) return false;
    uintptr_t slot = slot_at(around->wide, address, NEAR_BITS);
    if (!is_node(slot)) return slot == RL_SLOT_FULL;
    around->near = rl_slot_node(slot);
    around->near_area = address >> NEAR_BITS;
    return add_below(around->near, address, ones);
}

/* Adds rows as far as they lie in the word of a bitmap in which they begin, or more than that.
 * Returns the bits that are set in their addresses. */
static uint64_t add_begins(struct rl_byte_set *set, const uint64_t *addresses, size_t count,
                           uint64_t offset, uint64_t bytes)
{
    const uint64_t ones = ~UINT64_C(0) >> (-bytes & 63);
    struct surroundings around = look_around(set);
    uint64_t all = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t address = offset + addresses[i];
        all |= address;
        if (around.near && address >> NEAR_BITS == around.near_area) {
            if (add_below(around.near, address, ones)) continue;
        } else if (add_around(&around, address, ones)) {
            continue;
        }
        rl_byte_set_add(set, address, address + bytes - 1);
        around = look_around(set);
    }
    return all;
}

/* Most rows are aligned, and go to bitmaps near the page that was looked up last. */
void rl_byte_set_add_each(struct rl_byte_set *set, const uint64_t *addresses, size_t count,
                          uint64_t offset, uint64_t bytes)
{
    bool whole = bytes <= 64 && (bytes & (bytes - 1)) == 0 &&
                 (add_begins(set, addresses, count, offset, bytes) & (bytes - 1)) == 0;
    for (size_t i = 0; !whole && i < count; i++) {
        uint64_t address = offset + addresses[i];
        rl_byte_set_add(set, address, address + bytes - 1);
    }
}
