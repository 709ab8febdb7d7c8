/* SPDX-License-Identifier: Apache-2.0 */
#include "base/bytes/footprint.h"

#include <string.h>

#include "base/alloc.h"
#include "base/bytes/byte_each.h"
#include "base/bytes/byte_walk.h"

/* Set i has the bytes that were touched in the way 1 << i: a walk's numbers are those of
 * RILL_TOUCH_*. */
#define ALL_WAYS (RILL_TOUCH_READ | RILL_TOUCH_WRITE | RILL_TOUCH_ATOMIC)
_Static_assert(ALL_WAYS == (1 << RL_WALK_SETS) - 1, "each way to touch a byte has its set");

struct rl_footprint {
    struct rl_node_pool pool;
    struct rl_byte_set sets[RL_WALK_SETS];
    rill_touched signals[RL_SIGNALS_MOST];
    uint32_t signal_count;
};

static void init_sets(struct rl_footprint *print)
{
    for (unsigned i = 0; i < RL_WALK_SETS; i++) rl_byte_set_init(&print->sets[i], &print->pool);
    print->signal_count = 0;
}

static void fini_sets(struct rl_footprint *print)
{
    for (unsigned i = 0; i < RL_WALK_SETS; i++) rl_byte_set_fini(&print->sets[i]);
}

struct rl_footprint *rl_footprint_create(size_t most)
{
    struct rl_footprint *print = rl_alloc(sizeof *print);
    if (!print) return NULL;
    rl_node_pool_init(&print->pool, most ? most : RL_FOOTPRINT_MOST);
    init_sets(print);
    return print;
}

void rl_footprint_destroy(struct rl_footprint *print)
{
    if (!print) return;
    fini_sets(print);
    rl_node_pool_fini(&print->pool);
    rl_free(print);
}

void rl_footprint_clear(struct rl_footprint *print)
{
    fini_sets(print);
    rl_node_pool_reset(&print->pool);
    init_sets(print);
}

/* ---- Adding ----------------------------------------------------------------------------- */

/* Returns the last of `bytes` bytes, at least one, as far as there are addresses. */
static uint64_t last_of(uint64_t address, uint64_t bytes)
{
    return bytes - 1 > UINT64_MAX - address ? UINT64_MAX : address + (bytes - 1);
}

void rl_footprint_add(struct rl_footprint *print, uint64_t address, uint64_t bytes, uint32_t how)
{
    if (bytes == 0) return;
    for (how &= ALL_WAYS; how; how &= how - 1)
        rl_byte_set_add(&print->sets[__builtin_ctz(how)], address, last_of(address, bytes));
}

/* Adds pieces one by one, which may lie anywhere. */
static void add_pieces(struct rl_footprint *print, uint64_t address, uint64_t bytes,
                       uint64_t stride, uint64_t count, uint32_t how)
{
    for (; count > 0; count--, address += stride) rl_footprint_add(print, address, bytes, how);
}

void rl_footprint_add_stride(struct rl_footprint *print, uint64_t address, uint64_t bytes,
                             int64_t stride, uint64_t count, uint32_t how)
{
    uint64_t step = stride < 0 ? -(uint64_t)stride : (uint64_t)stride;
    uint64_t way, span;
    if (count == 0 || bytes == 0) return;
    if (__builtin_mul_overflow(step, count - 1, &way) ||
        __builtin_add_overflow(way, bytes, &span) ||
        (stride < 0 ? way > address : span - 1 > UINT64_MAX - address)) {
        add_pieces(print, address, bytes, (uint64_t)stride, count, how);
        return;
    }
    if (stride < 0) address -= way;
    if (step <= bytes) {
        rl_footprint_add(print, address, span, how);
        return;
    }
    for (unsigned i = 0; i < RL_WALK_SETS; i++)
        if (how >> i & 1) rl_byte_set_add_stride(&print->sets[i], address, bytes, step, count);
}

void rl_footprint_add_each(struct rl_footprint *print, const uint64_t *addresses, size_t count,
                           uint64_t offset, uint64_t bytes, uint32_t how)
{
    if (bytes == 0) return;
    for (how &= ALL_WAYS; how; how &= how - 1)
        rl_byte_set_add_each(&print->sets[__builtin_ctz(how)], addresses, count, offset, bytes);
}

void rl_footprint_signal(struct rl_footprint *print, const rill_touched *word)
{
    for (uint32_t i = 0; i < print->signal_count; i++) {
        rill_touched *known = &print->signals[i];
        if (known->address != word->address || known->bytes != word->bytes) continue;
        known->how |= word->how;
        return;
    }
    if (print->signal_count < RL_SIGNALS_MOST) print->signals[print->signal_count++] = *word;
}

static bool is_empty(const struct rl_footprint *print)
{
    for (unsigned i = 0; i < RL_WALK_SETS; i++)
        if (print->sets[i].root || print->sets[i].indexes.lanes || print->sets[i].missing)
            return false;
    return !print->signal_count;
}

/* Exchanges all that is in two footprints, but for how much they may take. */
static void swap_prints(struct rl_footprint *a, struct rl_footprint *b)
{
    struct rl_footprint was = *a;
    *a = *b;
    *b = was;
    b->pool.most = a->pool.most;
    a->pool.most = was.pool.most;
    for (unsigned i = 0; i < RL_WALK_SETS; i++) {
        a->sets[i].pool = &a->pool;
        b->sets[i].pool = &b->pool;
    }
}

void rl_footprint_absorb(struct rl_footprint *print, struct rl_footprint *from)
{
    if (is_empty(print) && from->pool.bytes <= print->pool.most) {
        swap_prints(print, from);
        return;
    }
    for (unsigned i = 0; i < RL_WALK_SETS; i++)
        rl_byte_set_absorb(&print->sets[i], &from->sets[i]);
    for (uint32_t i = 0; i < from->signal_count; i++) rl_footprint_signal(print, &from->signals[i]);
    rl_footprint_clear(from);
}

/* ---- What is missing -------------------------------------------------------------------- */

size_t rl_footprint_bytes(const struct rl_footprint *print)
{
    return sizeof *print + print->pool.bytes;
}

static void fold_sets(struct rl_footprint *print)
{
    for (unsigned i = 0; i < RL_WALK_SETS; i++) rl_byte_set_fold(&print->sets[i], &print->sets[i]);
}

void rl_footprint_miss(struct rl_footprint *print, uint64_t address, uint64_t bytes, uint32_t how)
{
    if (bytes == 0) return;
    for (unsigned i = 0; i < RL_WALK_SETS; i++)
        if (how >> i & 1) rl_byte_set_miss(&print->sets[i], address, last_of(address, bytes));
}

bool rl_footprint_exact(struct rl_footprint *print, struct rill_touched *missing)
{
    uint64_t first = UINT64_MAX, last = 0;
    uint32_t how = 0;
    fold_sets(print);
    for (unsigned i = 0; i < RL_WALK_SETS; i++) {
        const struct rl_byte_set *set = &print->sets[i];
        if (!set->missing) continue;
        how |= 1u << i;
        if (set->missing_first < first) first = set->missing_first;
        if (set->missing_last > last) last = set->missing_last;
    }
    if (how && missing)
        *missing = (struct rill_touched){ .address = first, .bytes = last - first + 1, .how = how };
    return how == 0;
}

/* ---- Rows ------------------------------------------------------------------------------- */

bool rl_footprint_each(struct rl_footprint *print,
                       bool (*visit)(void *data, const struct rill_touched *row), void *data)
{
    fold_sets(print);
    return rl_byte_walk(print->sets, &(struct rl_byte_visitor){ .data = data, .row = visit });
}

/* ---- Lists ------------------------------------------------------------------------------ */

/* Returns an array with room for more items in place of another one, or NULL if memory is short. */
static void *grow_items(void *items, size_t count, size_t *room, size_t bytes)
{
    size_t more = *room ? 2 * *room : 16;
    void *grown = rl_alloc(more * bytes);
    if (!grown) return NULL;
    if (count) memcpy(grown, items, count * bytes);
    rl_free(items);
    *room = more;
    return grown;
}

static bool append_row(void *data, const struct rill_touched *row)
{
    struct rl_footprint_list *list = data;
    if (list->row_count == list->row_most) return false;
    if (list->row_count == list->row_room) {
        void *rows = grow_items(list->rows, list->row_count, &list->row_room, sizeof *row);
        if (!rows) return false;
        list->rows = rows;
    }
    list->rows[list->row_count++] = *row;
    return true;
}

static bool append_page(struct rl_footprint_list *list, const rill_touched_page *page)
{
    if (list->page_count == list->page_room) {
        void *pages = grow_items(list->pages, list->page_count, &list->page_room, sizeof *page);
        if (!pages) return false;
        list->pages = pages;
    }
    list->pages[list->page_count++] = *page;
    return true;
}

/* Appends the bytes of a page that are in exactly the sets that `how` says. */
static bool append_ways(struct rl_footprint_list *list, uint64_t address, uint32_t how,
                        const uint64_t *const words[RL_WALK_SETS])
{
    union rl_node *map = rl_node_take(&list->maps);
    uint64_t any = 0;
    if (!map) return false;
    memset(map->words, 0xff, sizeof map->words);
    for (unsigned i = 0; i < RL_WALK_SETS; i++) {
        const uint64_t *set = words[i], others = how >> i & 1 ? 0 : ~UINT64_C(0);
        if (!set) continue;
        for (uint32_t w = 0; w < RL_NODE_SLOTS; w++) map->words[w] &= set[w] ^ others;
    }
    for (uint32_t w = 0; w < RL_NODE_SLOTS; w++) any |= map->words[w];
    if (any) return append_page(list, &(rill_touched_page){ address, how, map->words });
    rl_node_give(&list->maps, map);
    return true;
}

/* The bitmap of a page all bytes of which were touched in the same ways is the footprint's own. */
static bool append_bitmaps(void *data, uint64_t address, const uint64_t *const words[RL_WALK_SETS],
                           bool again)
{
    struct rl_footprint_list *list = data;
    const uint64_t *map = NULL;
    uint32_t ways = 0;
    bool alike = true;
    if (again && list->alike) {
        const rill_touched_page *last = &list->pages[list->page_count - 1];
        return append_page(list, &(rill_touched_page){ address, last->how, last->map });
    }
    for (unsigned i = 0; i < RL_WALK_SETS; i++) {
        if (!words[i]) continue;
        if (map) alike = alike && memcmp(map, words[i], RL_PAGE_BYTES / 8) == 0;
        map = words[i];
        ways |= 1u << i;
    }
    list->alike = alike;
    if (alike) return append_page(list, &(rill_touched_page){ address, ways, map });
    for (uint32_t how = 1; how <= ways; how++)
        if ((how & ~ways) == 0 && !append_ways(list, address, how, words)) return false;
    return true;
}

bool rl_footprint_list_init(struct rl_footprint_list *list, struct rl_footprint *print,
                            size_t most)
{
    *list = (struct rl_footprint_list){ .row_most = most };
    rl_node_pool_init(&list->maps, SIZE_MAX);
    bool all = rl_footprint_exact(print, NULL) &&
               rl_byte_walk(print->sets, &(struct rl_byte_visitor){
                                             .data = list, .row = append_row,
                                             .page = append_bitmaps });
    list->touches = (struct rill_touches){
        .rows = list->rows, .row_count = list->row_count,
        .pages = list->pages, .page_count = list->page_count,
        .signals = print->signals, .signal_count = print->signal_count,
    };
    return all;
}

void rl_footprint_list_fini(struct rl_footprint_list *list)
{
    rl_free(list->rows);
    rl_free(list->pages);
    rl_node_pool_fini(&list->maps);
}

bool rl_footprint_rows(struct rl_footprint *print, size_t most, struct rill_touched **rows,
                       size_t *count)
{
    struct rl_footprint_list list = { .row_most = most };
    bool all = rl_footprint_each(print, append_row, &list);
    *rows = list.rows;
    *count = list.row_count;
    return all;
}

/* ---- Taking out ------------------------------------------------------------------------- */

struct remainder {
    struct rl_footprint *kept;
    const struct rill_touched *out; /* sorted */
    size_t count, next;
};

/* Keeps what is left of a row.  Rows come in the order of their addresses. */
static bool keep_rest(void *data, const struct rill_touched *row)
{
    struct remainder *rest = data;
    const uint64_t last = last_of(row->address, row->bytes);
    uint64_t at = row->address;
    while (rest->next < rest->count &&
           last_of(rest->out[rest->next].address, rest->out[rest->next].bytes) < at)
        rest->next++;
    for (size_t i = rest->next; i < rest->count && rest->out[i].address <= last; i++) {
        const struct rill_touched *out = &rest->out[i];
        if (out->address > at) rl_footprint_add(rest->kept, at, out->address - at, row->how);
        if (last_of(out->address, out->bytes) >= last) return true;
        at = out->address + out->bytes;
    }
    rl_footprint_add(rest->kept, at, last - at + 1, row->how);
    return true;
}

void rl_footprint_subtract(struct rl_footprint *print, struct rl_footprint *other)
{
    struct rill_touched *out;
    struct remainder rest = { .next = 0 };
    bool fits = rl_footprint_rows(other, SIZE_MAX, &out, &rest.count);
    rest.out = out;
    if (fits && rest.count && rl_footprint_exact(print, NULL))
        rest.kept = rl_footprint_create(print->pool.most);
    if (rest.kept && rl_footprint_each(print, keep_rest, &rest)) {
        memcpy(rest.kept->signals, print->signals, sizeof print->signals);
        rest.kept->signal_count = print->signal_count;
        swap_prints(print, rest.kept);
    }
    rl_footprint_destroy(rest.kept);
    rl_free(out);
}
