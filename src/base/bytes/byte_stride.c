/* SPDX-License-Identifier: Apache-2.0
 *
 * Adds rows at equal distances, as those of a column of a matrix.
 */
#include "base/bytes/byte_set.h"

#define LAST_SLOT (RL_NODE_SLOTS - 1)

/* ---- Bitmaps ---------------------------------------------------------------------------- */

/* Adds rows `stride` apart, the first of which begins at `from`, if the stride divides a
 * word: then each word has the same pattern.  The last row ends at `to`. */
static bool add_pattern(uint64_t *words, uint32_t from, uint32_t to, uint32_t bytes,
                        uint32_t stride)
{
    uint64_t pattern = 0;
    uint32_t first = from >> 6, last = (to - 1) >> 6, turn = from & 63;
    bool full = false;
    for (uint32_t at = 0; at < 64; at += stride) pattern |= rl_bits_to(bytes) << at;
    pattern = pattern << turn | pattern >> (-turn & 63);
    if (first == last)
        return !~(words[first] |= pattern & rl_bits_from(from) & rl_bits_to(to));
    full = !~(words[first] |= pattern & rl_bits_from(from));
    for (uint32_t i = first + 1; i < last; i++) full |= !~(words[i] |= pattern);
    return full | !~(words[last] |= pattern & rl_bits_to(to));
}

/* What rows have in one page: the end of a row that begins in the page before, and those that begin
 * in this one, the last of which may leave it. */
struct rows {
    uint32_t tail; /* bytes of the row from the page before */
    uint32_t from, bytes, stride, count;
};

/* Returns where the last row ends, or the page. */
static inline uint32_t end_of(const struct rows *rows)
{
    const uint32_t end = rows->from + (rows->count - 1) * rows->stride + rows->bytes;
    return end < RL_PAGE_BYTES ? end : (uint32_t)RL_PAGE_BYTES;
}

static bool add_rows(uint64_t *words, const struct rows *rows)
{
    const uint32_t end = end_of(rows);
    uint32_t from = rows->from;
    bool full = rows->tail && rl_bitmap_add(words, 0, rows->tail);
    if (rows->stride <= 32 && 64 % rows->stride == 0)
        return full | add_pattern(words, from, end, rows->bytes, rows->stride);
    for (uint32_t i = 1; i < rows->count; i++, from += rows->stride)
        full |= rl_bitmap_add(words, from, from + rows->bytes);
    return full | rl_bitmap_add(words, from, end);
}

/* ---- Pages that are alike ----------------------------------------------------------------- */

#define TURNS_MOST 32

/* What rows make of a page that they go through from end to end depends on where the first of them
 * begins, and on what was there.  So pages share bitmaps, a few of which take turns. */
struct weave {
    uint32_t turns;                          /* 0 if no pages are to share anything          */
    uint32_t shift;                          /* the first row of turn i begins at i << shift,
                                                or a bit later                               */
    uintptr_t before[TURNS_MOST], after[TURNS_MOST]; /* slots; after[i] is 0 until it is known */
    uint32_t begun[TURNS_MOST];              /* rows of a page; 0 until it is known          */
};

static void begin_weave(struct weave *weave, uint64_t stride, uint64_t count)
{
    weave->turns = 0;
    weave->shift = (uint32_t)__builtin_ctzll(stride);
    const uint64_t turns = stride >> weave->shift;
    if (turns > TURNS_MOST || count < 2 * turns * RL_PAGE_BYTES / stride) return;
    weave->turns = (uint32_t)turns;
    for (uint64_t i = 0; i < turns; i++) weave->after[i] = weave->begun[i] = 0;
}

/* Makes the shared bitmap of a turn.  Returns false if memory is short. */
static bool make_turn(struct rl_byte_set *set, struct weave *weave, uint32_t turn, uintptr_t slot,
                      const struct rows *rows)
{
    union rl_node *node = rl_node_take(set->pool);
    if (!node) return false;
    if (slot) *node = *rl_slot_node(slot);
    weave->before[turn] = slot;
    weave->after[turn] = (uintptr_t)node | RL_SLOT_SHARED;
    if (!add_rows(node->words, rows) || !rl_bitmap_is_full(node->words)) return true;
    rl_node_give(set->pool, node);
    weave->after[turn] = RL_SLOT_FULL;
    return true;
}

/* Adds rows to a page that they go through.  Returns false if memory is short. */
static bool add_woven(struct rl_byte_set *set, struct weave *weave, uintptr_t *slot,
                      const struct rows *rows)
{
    const uint32_t turn = rows->from >> weave->shift;
    if ((!weave->after[turn] || weave->before[turn] != *slot) &&
        !make_turn(set, weave, turn, *slot, rows))
        return false;
    *slot = weave->after[turn];
    return true;
}

/* ---- Adding ------------------------------------------------------------------------------ */

/* Returns the slot of a page, which is mostly near the one that was looked up last. */
static inline uintptr_t *find_slot(struct rl_byte_set *set, uint64_t page)
{
    if ((page ^ set->page) >> RL_NODE_BITS || !set->path[0]) return rl_byte_set_slot(set, page);
    set->page = page;
    return &set->path[0]->slots[page & LAST_SLOT];
}

/* Adds what rows have in a page; `through` if they go through it from end to end. */
static void add_to_page(struct rl_byte_set *set, struct weave *weave, uint64_t page,
                        const struct rows *rows, bool through)
{
    const uint64_t address = page << RL_PAGE_BITS;
    uintptr_t *slot = find_slot(set, page);
    bool added = slot != NULL;
    if (slot && *slot == RL_SLOT_FULL) return;
    if (slot && through && weave->turns && (*slot == 0 || rl_slot_is_shared(*slot))) {
        added = add_woven(set, weave, slot, rows);
    } else if (slot) {
        uint64_t *words = rl_byte_set_open(set, slot);
        added = words != NULL;
        if (words && add_rows(words, rows)) rl_byte_set_settle(set, slot);
    }
    if (!added)
        rl_byte_set_miss(set, address + (rows->tail ? 0 : rows->from), address + end_of(rows) - 1);
    else if (*slot == RL_SLOT_FULL) rl_byte_set_settle_path(set);
}

/* Returns how many rows would begin in a page, the first of them at `from`, if they went on for
 * ever.  There are few places where the first row of a page begins: each is divided once. */
static inline uint32_t count_begun(struct weave *weave, uint32_t from, uint32_t stride)
{
    uint32_t once = 0, *known = &once;
    if (weave->turns && from < stride) known = &weave->begun[from >> weave->shift];
    if (!*known) *known = ((uint32_t)RL_PAGE_BYTES - 1 - from) / stride + 1;
    return *known;
}

/* Adds what rows have in the pages from this one on, up to `most` of them, for as long as they had
 * the same in them as the page before and lie in its node.  The rows went through that page, as
 * they do through these.  Returns how many pages that are. */
static uint64_t add_alike(struct rl_byte_set *set, const struct weave *weave, uint64_t page,
                          uint64_t most)
{
    const uintptr_t before = weave->before[0], after = weave->after[0];
    const uint64_t left = RL_NODE_SLOTS - (page & LAST_SLOT);
    uint64_t count = 0;
    if (weave->turns != 1 || !after || after == RL_SLOT_FULL) return 0; /* none that are alike */
    if (!set->path[0] || (page ^ set->page) >> RL_NODE_BITS) return 0;
    if (most > left) most = left;
    uintptr_t *slots = &set->path[0]->slots[page & LAST_SLOT];
    for (; count < most && slots[count] == before; count++) slots[count] = after;
    return count;
}

/* Adds rows page by page: some begin in each. */
static void add_by_pages(struct rl_byte_set *set, uint64_t address, uint32_t bytes,
                         uint32_t stride, uint64_t count)
{
    struct weave weave;
    struct rows rows = { .tail = 0, .bytes = bytes, .stride = stride };
    begin_weave(&weave, stride, count);
    for (bool first = true; count > 0; first = false) {
        uint64_t page = address >> RL_PAGE_BITS;
        rows.from = (uint32_t)(address & (RL_PAGE_BYTES - 1));
        rows.count = count_begun(&weave, rows.from, stride);
        const bool through = !first && rows.count <= count;
        if (rows.count > count) rows.count = (uint32_t)count;
        add_to_page(set, &weave, page, &rows, through);
        const uint32_t end = rows.from + (rows.count - 1) * stride + bytes;
        rows.tail = end > RL_PAGE_BYTES ? end - (uint32_t)RL_PAGE_BYTES : 0;
        address += (uint64_t)rows.count * stride;
        count -= rows.count;
        if (through) {
            const uint64_t alike = add_alike(set, &weave, page + 1, count / rows.count);
            page += alike;
            address += alike << RL_PAGE_BITS;
            count -= alike * rows.count;
        }
        if (count == 0 && rows.tail) {
            const uint64_t next = (page + 1) << RL_PAGE_BITS;
            rl_byte_set_add(set, next, next + rows.tail - 1);
        }
    }
}

void rl_byte_set_add_stride(struct rl_byte_set *set, uint64_t address, uint64_t bytes,
                            uint64_t stride, uint64_t count)
{
    if (stride <= RL_PAGE_BYTES / 2 && count > 1) {
        add_by_pages(set, address, (uint32_t)bytes, (uint32_t)stride, count);
        return;
    }
    for (; count > 0; count--, address += stride)
        rl_byte_set_add(set, address, address + bytes - 1);
}
