/* SPDX-License-Identifier: Apache-2.0 */
#include "base/bytes/byte_walk.h"

#include <string.h>

/* A page with more rows than this is visited as such. */
#define PAGE_ROWS_MOST 12

#define EDGES_MOST (2 * PAGE_ROWS_MOST)

/* Where the bytes of a page begin to be in other sets than those before: of the page that was gone
 * through last.  A page with the same slots has the same edges. */
struct edges {
    uintptr_t slots[RL_WALK_SETS];
    uint32_t count;
    uint16_t at[EDGES_MOST];
    uint8_t how[EDGES_MOST]; /* from there on */
};

struct walk {
    const struct rl_byte_visitor *visitor;
    struct edges edges;
    struct rill_touched row; /* that may go on; no bytes at first */
    uintptr_t like[RL_WALK_SETS]; /* the slots of the page that was visited last, if all that it
                                     has is shared; else 0 */
    const uint64_t *words[RL_WALK_SETS]; /* its bitmaps */
};

/* Bytes that follow on what was seen before. */
static inline bool see_row(struct walk *walk, uint64_t address, uint64_t bytes, uint32_t how)
{
    struct rill_touched *row = &walk->row;
    if (how == 0 || bytes == 0) return true;
    if (row->how == how && row->address + row->bytes == address) {
        row->bytes += bytes;
        return true;
    }
    if (row->bytes > 0 && !walk->visitor->row(walk->visitor->data, row)) return false;
    *row = (struct rill_touched){ address, bytes, how };
    return true;
}

/* ---- Pages ------------------------------------------------------------------------------ */

/* Goes through a page that is at most a row in each of the sets. */
static bool walk_rows(struct walk *walk, const uintptr_t *slots, uint64_t address)
{
    uint32_t at = 0, end;
    for (; at < RL_PAGE_BYTES; at = end) {
        uint32_t how = 0;
        end = RL_PAGE_BYTES;
        for (unsigned i = 0; i < RL_WALK_SETS; i++) {
            uint32_t from = rl_slot_from(slots[i]), to = rl_slot_to(slots[i]);
            if (at >= from && at < to) how |= 1u << i;
            if (from > at && from < end) end = from;
            if (to > at && to < end) end = to;
        }
        if (!see_row(walk, address + at, end - at, how)) return false;
    }
    return true;
}

/* The bitmaps of a page, of the sets that have any of it: mostly a single one. */
struct page {
    const uint64_t *words[RL_WALK_SETS];
    uint32_t how[RL_WALK_SETS];
    uint64_t carry[RL_WALK_SETS]; /* of each, the last bit of the word before */
    unsigned count;
};

static inline uint64_t edges_in(struct page *page, unsigned i, uint32_t w)
{
    const uint64_t word = page->words[i][w], edges = word ^ (word << 1 | page->carry[i]);
    page->carry[i] = word >> 63;
    return edges;
}

static inline uint64_t edges_of(struct page *page, uint32_t w)
{
    uint64_t edges = edges_in(page, 0, w);
    for (unsigned i = 1; i < page->count; i++) edges |= edges_in(page, i, w);
    return edges;
}

static inline uint32_t ways_at(const struct page *page, uint32_t w, uint32_t bit)
{
    uint32_t how = 0;
    for (unsigned i = 0; i < page->count; i++)
        if (page->words[i][w] >> bit & 1) how |= page->how[i];
    return how;
}

/* Finds the edges of a page.  Returns false if there are too many: most such pages show it in their
 * first words. */
static bool find_edges(struct edges *edges, struct page page)
{
    edges->count = 0;
    for (uint32_t w = 0; w < RL_NODE_SLOTS; w++) {
        /* Most words of a page with few rows go on with what was before. */
        if (page.count == 1 && page.words[0][w] == 0 - page.carry[0]) continue;
        for (uint64_t left = edges_of(&page, w); left; left &= left - 1) {
            const uint32_t bit = (uint32_t)__builtin_ctzll(left);
            if (edges->count == EDGES_MOST) return false;
            edges->at[edges->count++] = (uint16_t)(w * 64 + bit);
        }
    }
    for (uint32_t i = 0; i < edges->count; i++)
        edges->how[i] = (uint8_t)ways_at(&page, edges->at[i] / 64, edges->at[i] % 64);
    return true;
}

static bool walk_edges(struct walk *walk, uint64_t address)
{
    const struct edges *edges = &walk->edges;
    for (uint32_t i = 0; i < edges->count; i++) {
        const uint32_t at = edges->at[i];
        const uint32_t end = i + 1 < edges->count ? edges->at[i + 1] : (uint32_t)RL_PAGE_BYTES;
        if (!see_row(walk, address + at, end - at, edges->how[i])) return false;
    }
    return true;
}

static bool walk_words(struct walk *walk, struct page page, uint64_t address)
{
    uint32_t begin = 0, how = 0;
    for (uint32_t w = 0; w < RL_NODE_SLOTS; w++)
        for (uint64_t edges = edges_of(&page, w); edges; edges &= edges - 1) {
            uint32_t bit = (uint32_t)__builtin_ctzll(edges), at = w * 64 + bit;
            if (!see_row(walk, address + begin, at - begin, how)) return false;
            begin = at;
            how = ways_at(&page, w, bit);
        }
    return see_row(walk, address + begin, RL_PAGE_BYTES - begin, how);
}

/* Visits a page.  The next one may be like it. */
static bool visit_page(struct walk *walk, const uintptr_t *slots, uint64_t address,
                       const uint64_t *const words[RL_WALK_SETS])
{
    bool shared = true;
    for (unsigned i = 0; i < RL_WALK_SETS; i++)
        shared = shared && (!slots[i] || rl_slot_is_shared(slots[i]));
    for (unsigned i = 0; i < RL_WALK_SETS; i++) {
        walk->like[i] = shared ? slots[i] : 0;
        walk->words[i] = words[i];
    }
    return walk->visitor->page(walk->visitor->data, address, words, false);
}

/* Visits a page that is like the one before. */
static bool visit_again(const struct walk *walk, uint64_t address)
{
    return walk->visitor->page(walk->visitor->data, address, walk->words, true);
}

static bool is_like(const struct walk *walk, const uintptr_t *slots)
{
    uintptr_t others = 0;
    for (unsigned i = 0; i < RL_WALK_SETS; i++) others |= walk->like[i] ^ slots[i];
    return !others;
}

static bool walk_page(struct walk *walk, const uintptr_t *slots, uint64_t address)
{
    uint64_t rows[RL_WALK_SETS][RL_NODE_SLOTS];
    const uint64_t *words[RL_WALK_SETS] = { NULL };
    struct page page = { .count = 0 };
    bool bitmap = false;
    for (unsigned i = 0; i < RL_WALK_SETS; i++) bitmap |= slots[i] && !rl_slot_is_row(slots[i]);
    if (!bitmap) return walk_rows(walk, slots, address);
    if (memcmp(slots, walk->edges.slots, sizeof walk->edges.slots) == 0)
        return walk_edges(walk, address);
    for (unsigned i = 0; i < RL_WALK_SETS; i++) {
        uintptr_t slot = slots[i];
        if (!slot) continue;
        if (!rl_slot_is_row(slot)) {
            words[i] = rl_slot_node(slot)->words;
        } else {
            memset(rows[i], 0, sizeof rows[i]);
            rl_bitmap_add(rows[i], rl_slot_from(slot), rl_slot_to(slot));
            words[i] = rows[i];
        }
        page.how[page.count] = 1u << i;
        page.words[page.count++] = words[i];
    }
    const bool few = find_edges(&walk->edges, page);
    for (unsigned i = 0; i < RL_WALK_SETS; i++) walk->edges.slots[i] = few ? slots[i] : 0;
    if (few) return walk_edges(walk, address);
    return walk->visitor->page ? visit_page(walk, slots, address, words)
                               : walk_words(walk, page, address);
}

/* ---- Nodes ------------------------------------------------------------------------------ */

/* Goes through slots, one of each set, of nodes at `level`. */
static bool walk_slots(struct walk *walk, const uintptr_t *slots, uint32_t level, uint64_t address)
{
    uint32_t how = 0, shift = RL_PAGE_BITS + level * RL_NODE_BITS;
    bool nodes = false;
    for (unsigned i = 0; i < RL_WALK_SETS; i++) {
        if (slots[i]) how |= 1u << i;
        nodes |= slots[i] && slots[i] != RL_SLOT_FULL;
    }
    if (!nodes) return see_row(walk, address, UINT64_C(1) << shift, how);
    if (level == 0) return walk_page(walk, slots, address);
    /* A slot that is no node is what is below it as well. */
    const uintptr_t *next[RL_WALK_SETS];
    size_t pace[RL_WALK_SETS];
    for (unsigned i = 0; i < RL_WALK_SETS; i++) {
        pace[i] = slots[i] && slots[i] != RL_SLOT_FULL;
        next[i] = pace[i] ? rl_slot_node(slots[i])->slots : &slots[i];
    }
    for (uint64_t n = 0; n < RL_NODE_SLOTS; n++) {
        uintptr_t below[RL_WALK_SETS];
        uintptr_t any = 0;
        for (unsigned i = 0; i < RL_WALK_SETS; i++) any |= below[i] = next[i][n * pace[i]];
        if (!any) continue;
        const uint64_t at = address + (n << (shift - RL_NODE_BITS));
        if (level == 1 && is_like(walk, below) ? !visit_again(walk, at)
                                               : !walk_slots(walk, below, level - 1, at))
            return false;
    }
    return true;
}

bool rl_byte_walk(const struct rl_byte_set *sets, const struct rl_byte_visitor *visitor)
{
    struct walk walk = { .visitor = visitor };
    uintptr_t roots[RL_WALK_SETS];
    uintptr_t any = 0;
    for (unsigned i = 0; i < RL_WALK_SETS; i++) any |= roots[i] = sets[i].root;
    if (any && !walk_slots(&walk, roots, RL_SET_LEVELS, 0)) return false;
    return walk.row.bytes == 0 || visitor->row(visitor->data, &walk.row);
}
