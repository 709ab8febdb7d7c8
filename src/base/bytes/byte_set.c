/* SPDX-License-Identifier: Apache-2.0 */
#include "base/bytes/byte_set.h"

#include <string.h>

#include "base/alloc.h"

#define TOP (RL_SET_LEVELS - 1)
#define LAST_SLOT (RL_NODE_SLOTS - 1)

void rl_byte_set_init(struct rl_byte_set *set, struct rl_node_pool *pool)
{
    *set = (struct rl_byte_set){ .pool = pool };
}

void rl_byte_set_fini(struct rl_byte_set *set)
{
    rl_page_indexes_reset(&set->indexes);
}

void rl_byte_set_miss(struct rl_byte_set *set, uint64_t first, uint64_t last)
{
    if (!set->missing || first < set->missing_first) set->missing_first = first;
    if (!set->missing || last > set->missing_last) set->missing_last = last;
    set->missing = true;
}

static void miss_pages(struct rl_byte_set *set, uint64_t first, uint64_t last)
{
    rl_byte_set_miss(set, first << RL_PAGE_BITS, last << RL_PAGE_BITS | (RL_PAGE_BYTES - 1));
}

/* ---- Bitmaps ---------------------------------------------------------------------------- */

static inline bool add_bits(uint64_t *words, uint32_t from, uint32_t to)
{
    uint32_t first = from >> 6, last = (to - 1) >> 6;
    if (first == last) return !~(words[first] |= rl_bits_from(from) & rl_bits_to(to));
    bool full = !~(words[first] |= rl_bits_from(from));
    for (uint32_t i = first + 1; i < last; i++) words[i] = ~UINT64_C(0);
    full |= !~(words[last] |= rl_bits_to(to));
    return full || last - first > 1;
}

bool rl_bitmap_add(uint64_t *words, uint32_t from, uint32_t to)
{
    return add_bits(words, from, to);
}

bool rl_bitmap_is_full(const uint64_t *words)
{
    for (uint32_t i = 0; i < RL_NODE_SLOTS; i++)
        if (~words[i]) return false;
    return true;
}

/* ---- Pages ------------------------------------------------------------------------------ */

uint64_t *rl_byte_set_open(struct rl_byte_set *set, uintptr_t *slot)
{
    if (rl_slot_is_own(*slot)) return rl_slot_node(*slot)->words;
    union rl_node *node = rl_node_take(set->pool);
    if (!node) return NULL;
    if (rl_slot_is_shared(*slot)) *node = *rl_slot_node(*slot);
    else if (*slot) add_bits(node->words, rl_slot_from(*slot), rl_slot_to(*slot));
    *slot = (uintptr_t)node;
    return node->words;
}

void rl_byte_set_settle(struct rl_byte_set *set, uintptr_t *slot)
{
    union rl_node *node = rl_slot_node(*slot);
    if (!rl_bitmap_is_full(node->words)) return;
    rl_node_give(set->pool, node);
    *slot = RL_SLOT_FULL;
}

/* Adds a row to a page.  Returns false if there is no memory. */
static inline bool add_to_page(struct rl_byte_set *set, uintptr_t *slot, uint32_t from, uint32_t to)
{
    if (*slot == 0) {
        *slot = RL_SLOT_ROW(from, to);
        return true;
    }
    if (rl_slot_is_row(*slot)) {
        uint32_t begin = rl_slot_from(*slot), end = rl_slot_to(*slot);
        if (from <= end && to >= begin) {
            *slot = RL_SLOT_ROW(from < begin ? from : begin, to > end ? to : end);
            return true;
        }
    }
    uint64_t *words = rl_byte_set_open(set, slot);
    if (!words) return false;
    if (add_bits(words, from, to)) rl_byte_set_settle(set, slot);
    return true;
}

/* ---- The way to a page ------------------------------------------------------------------ */

static uint32_t slot_of(uint64_t page, uint32_t level)
{
    return (uint32_t)(page >> (level * RL_NODE_BITS)) & LAST_SLOT;
}

/* Returns the lowest node on the way to the page that was looked up last that is also on the
 * way to this one; its level is *level.  NULL if there is no such node. */
static union rl_node *find_common(const struct rl_byte_set *set, uint64_t page, uint32_t *level)
{
    uint64_t other = (page ^ set->page) >> RL_NODE_BITS;
    *level = other ? (uint32_t)(63 - __builtin_clzll(other)) / RL_NODE_BITS + 1 : 0;
    while (*level < TOP && !set->path[*level]) ++*level;
    return set->path[*level];
}

/* Returns the node of a slot, which becomes one if it is empty.  NULL if memory is short. */
static union rl_node *open_node(struct rl_byte_set *set, uintptr_t *slot)
{
    if (*slot == 0) *slot = (uintptr_t)rl_node_take(set->pool);
    return rl_slot_node(*slot);
}

uintptr_t *rl_byte_set_slot(struct rl_byte_set *set, uint64_t page)
{
    uint32_t level;
    union rl_node *node = find_common(set, page, &level);
    if (!node) node = set->path[TOP] = open_node(set, &set->root);
    if (!node) return NULL;
    set->page = page;
    for (uint32_t below = 0; below < level; below++) set->path[below] = NULL;
    for (; level > 0; level--) {
        uintptr_t *slot = &node->slots[slot_of(page, level)];
        if (*slot == RL_SLOT_FULL) return slot;
        if (!(node = open_node(set, slot))) return NULL;
        set->path[level - 1] = node;
    }
    return &node->slots[slot_of(page, 0)];
}

/* Forgets where nodes are that may be given back. */
static void forget_path(struct rl_byte_set *set)
{
    memset(set->path, 0, sizeof set->path);
}

static bool is_node_full(const union rl_node *node)
{
    for (uint32_t i = RL_NODE_SLOTS; i-- > 0;)
        if (node->slots[i] != RL_SLOT_FULL) return false;
    return true;
}

/* The node at the top has more slots than there are addresses, and is never full. */
void rl_byte_set_settle_path(struct rl_byte_set *set)
{
    for (uint32_t level = 0; is_node_full(set->path[level]); level++) {
        rl_node_give(set->pool, set->path[level]);
        set->path[level] = NULL;
        set->path[level + 1]->slots[slot_of(set->page, level + 1)] = RL_SLOT_FULL;
    }
}

static inline void add_in_page(struct rl_byte_set *set, uint64_t page, uint32_t from, uint32_t to)
{
    uint64_t base = page << RL_PAGE_BITS;
    uintptr_t *slot = rl_byte_set_slot(set, page);
    if (slot && *slot == RL_SLOT_FULL) return;
    if (!slot || !add_to_page(set, slot, from, to))
        rl_byte_set_miss(set, base + from, base + to - 1);
    else if (*slot == RL_SLOT_FULL)
        rl_byte_set_settle_path(set);
}

/* ---- Whole pages ------------------------------------------------------------------------ */

/* Gives back the nodes of a slot of a node at `level`. */
static void drop_slot(struct rl_byte_set *set, uintptr_t slot, uint32_t level)
{
    if (slot == 0 || rl_slot_is_row(slot) || rl_slot_is_shared(slot)) return;
    union rl_node *node = rl_slot_node(slot);
    if (level > 0)
        for (uint32_t i = 0; i < RL_NODE_SLOTS; i++) drop_slot(set, node->slots[i], level - 1);
    rl_node_give(set->pool, node);
}

static void fill_slot(struct rl_byte_set *set, uintptr_t *slot, uint32_t level, uint64_t first,
                      uint64_t last);

/* Fills pages below a node at `level`. */
static void fill_node(struct rl_byte_set *set, union rl_node *node, uint32_t level,
                      uint64_t first, uint64_t last)
{
    uint64_t below = (UINT64_C(1) << (level * RL_NODE_BITS)) - 1;
    for (uint64_t end; first <= last; first = end + 1) {
        end = (first | below) < last ? first | below : last;
        fill_slot(set, &node->slots[slot_of(first, level)], level, first, end);
    }
}

/* Fills pages below a slot of a node at `level`, or the slot itself if they are all there. */
static void fill_slot(struct rl_byte_set *set, uintptr_t *slot, uint32_t level, uint64_t first,
                      uint64_t last)
{
    if (*slot == RL_SLOT_FULL) return;
    if (last - first == (UINT64_C(1) << (level * RL_NODE_BITS)) - 1) {
        drop_slot(set, *slot, level);
        *slot = RL_SLOT_FULL;
        return;
    }
    union rl_node *node = open_node(set, slot);
    if (!node) {
        miss_pages(set, first, last);
        return;
    }
    fill_node(set, node, level - 1, first, last);
    if (!is_node_full(node)) return;
    rl_node_give(set->pool, node);
    *slot = RL_SLOT_FULL;
}

/* ---- Adding ----------------------------------------------------------------------------- */

/* Whole pages come first, since they may set nodes free that the others need. */
void rl_byte_set_add(struct rl_byte_set *set, uint64_t first, uint64_t last)
{
    uint64_t page = first >> RL_PAGE_BITS, last_page = last >> RL_PAGE_BITS;
    uint32_t from = first & (RL_PAGE_BYTES - 1), to = (last & (RL_PAGE_BYTES - 1)) + 1;
    if (page == last_page) {
        add_in_page(set, page, from, to);
        return;
    }
    uint64_t whole = page + (from > 0), end = last_page + (to == RL_PAGE_BYTES);
    if (whole < end) {
        forget_path(set);
        fill_slot(set, &set->root, RL_SET_LEVELS, whole, end - 1);
    }
    if (from > 0) add_in_page(set, page, from, RL_PAGE_BYTES);
    if (to < RL_PAGE_BYTES) add_in_page(set, last_page, 0, to);
}

/* ---- Absorbing -------------------------------------------------------------------------- */

/* What was made of a page that shares its bitmap: slots; `from` is 0 at first. */
struct absorbed {
    uintptr_t before, from, after;
};

#define ABSORBED_KEPT 32

/* The set that absorbs another one, and what it made last, from where the shared bitmap says on. */
struct absorber {
    struct rl_byte_set *set;
    struct absorbed last[ABSORBED_KEPT];
    uint32_t replaced; /* how often one had to make room */
};

/* Returns what was made of these two, or a place for it, whose `from` is 0.  Some
 * bitmaps take turns, wherever they are in memory: those that would have the same place move on,
 * and do not replace each other page by page. */
static struct absorbed *find_absorbed(struct absorber *absorber, uintptr_t before, uintptr_t from)
{
    const size_t home = from / sizeof(union rl_node);
    for (size_t i = 0; i < ABSORBED_KEPT; i++) {
        struct absorbed *made = &absorber->last[(home + i) % ABSORBED_KEPT];
        if (!made->from || (made->from == from && made->before == before)) return made;
    }
    struct absorbed *oldest = &absorber->last[absorber->replaced++ % ABSORBED_KEPT];
    oldest->from = 0;
    return oldest;
}

/* Pages that shared a bitmap still do, if they shared another one or had none before. */
static void absorb_shared(struct absorber *absorber, uintptr_t *slot, uintptr_t from,
                          uint64_t page)
{
    struct rl_byte_set *set = absorber->set;
    struct absorbed *last = find_absorbed(absorber, *slot, from);
    if (!last->from) {
        union rl_node *node = rl_node_take(set->pool);
        if (!node) {
            miss_pages(set, page, page);
            return;
        }
        *node = *rl_slot_node(from);
        for (uint32_t i = 0; *slot && i < RL_NODE_SLOTS; i++)
            node->words[i] |= rl_slot_node(*slot)->words[i];
        *last = (struct absorbed){ *slot, from, (uintptr_t)node | RL_SLOT_SHARED };
        if (rl_bitmap_is_full(node->words)) {
            rl_node_give(set->pool, node);
            last->after = RL_SLOT_FULL;
        }
    }
    *slot = last->after;
}

static void absorb_page(struct absorber *absorber, uintptr_t *slot, uintptr_t from, uint64_t page)
{
    struct rl_byte_set *set = absorber->set;
    if (rl_slot_is_shared(from) && (*slot == 0 || rl_slot_is_shared(*slot))) {
        absorb_shared(absorber, slot, from, page);
        return;
    }
    if (rl_slot_is_row(from)) {
        if (!add_to_page(set, slot, rl_slot_from(from), rl_slot_to(from)))
            miss_pages(set, page, page);
        return;
    }
    uint64_t *words = rl_byte_set_open(set, slot);
    if (!words) {
        miss_pages(set, page, page);
        return;
    }
    for (uint32_t i = 0; i < RL_NODE_SLOTS; i++) words[i] |= rl_slot_node(from)->words[i];
    rl_byte_set_settle(set, slot);
}

/* Adds a slot to one at the same place, both of a node at `level`; `page` is their first. */
static void absorb_slot(struct absorber *absorber, uintptr_t *slot, uintptr_t from,
                        uint32_t level, uint64_t page)
{
    struct rl_byte_set *set = absorber->set;
    if (from == 0 || *slot == RL_SLOT_FULL) return;
    if (from == RL_SLOT_FULL) {
        drop_slot(set, *slot, level);
        *slot = RL_SLOT_FULL;
        return;
    }
    if (level == 0) {
        absorb_page(absorber, slot, from, page);
        return;
    }
    uint32_t below = (level - 1) * RL_NODE_BITS;
    union rl_node *node = open_node(set, slot);
    if (!node) {
        uint64_t last = page + (UINT64_C(64) << below) - 1, most = UINT64_MAX >> RL_PAGE_BITS;
        miss_pages(set, page, last < most ? last : most);
        return;
    }
    for (uint64_t i = 0; i < RL_NODE_SLOTS; i++)
        absorb_slot(absorber, &node->slots[i], rl_slot_node(from)->slots[i], level - 1,
                    page + (i << below));
    if (!is_node_full(node)) return;
    rl_node_give(set->pool, node);
    *slot = RL_SLOT_FULL;
}

void rl_byte_set_absorb(struct rl_byte_set *set, struct rl_byte_set *from)
{
    rl_byte_set_fold(from, set);
    forget_path(set);
    absorb_slot(&(struct absorber){ .set = set }, &set->root, from->root, RL_SET_LEVELS, 0);
    if (from->missing) rl_byte_set_miss(set, from->missing_first, from->missing_last);
}
