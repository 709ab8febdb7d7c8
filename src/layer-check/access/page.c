/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-check/access/page.h"

#include <stdatomic.h>
#include <string.h>

#include "base/alloc.h"

/* ---- Maps ---------------------------------------------------------------------------------- */

bool ck_map_is_empty(const struct ck_map *map)
{
    for (uint32_t w = 0; w < CK_PAGE_WORDS; w++)
        if (map->words[w]) return false;
    return true;
}

bool ck_map_cut(struct ck_map *map, uint64_t page, uint64_t from, uint64_t to)
{
    uint64_t any = 0;
    from = from < page ? 0 : from - page;
    to = to - page > CK_PAGE_BYTES ? CK_PAGE_BYTES : to - page;
    for (uint64_t w = 0; w < from / 64; w++) map->words[w] = 0;
    for (uint64_t w = (to + 63) / 64; w < CK_PAGE_WORDS; w++) map->words[w] = 0;
    if (from % 64) map->words[from / 64] &= ~UINT64_C(0) << from % 64;
    if (to % 64) map->words[to / 64] &= ~UINT64_C(0) >> (64 - to % 64);
    for (uint32_t w = 0; w < CK_PAGE_WORDS; w++) any |= map->words[w];
    map->alike = 0;
    return any != 0;
}

/* Tells whether two maps have the same bytes, which is remembered. */
static bool are_maps_alike(struct ck_map *known, struct ck_map *map)
{
    static atomic_uint_least64_t numbers; /* that were given out */
    if (known->alike && known->alike == map->alike) return true;
    if (known->words[0] != map->words[0] ||
        memcmp(known->words, map->words, sizeof map->words) != 0)
        return false;
    if (!known->alike)
        known->alike = map->alike ? map->alike
                                  : 1 + atomic_fetch_add_explicit(&numbers, 1,
                                                                  memory_order_relaxed);
    map->alike = known->alike;
    return true;
}

uint64_t ck_map_first(const struct ck_map *map, uint64_t page)
{
    uint32_t w = 0;
    while (!map->words[w]) w++;
    return page + w * 64 + (uint32_t)__builtin_ctzll(map->words[w]);
}

uint64_t ck_map_last(const struct ck_map *map, uint64_t page)
{
    uint32_t w = CK_PAGE_WORDS - 1;
    while (!map->words[w]) w--;
    return page + w * 64 + 63 - (uint32_t)__builtin_clzll(map->words[w]);
}

/* Tells whether a map has all bytes from its first to its last one. */
static bool is_one_row(const struct ck_map *map)
{
    uint64_t carry = 0;
    uint32_t begins = 0;
    for (uint32_t w = 0; w < CK_PAGE_WORDS && begins < 2; w++) {
        uint64_t begin = map->words[w] & ~(map->words[w] << 1 | carry);
        begins += (begin != 0) + ((begin & (begin - 1)) != 0);
        carry = map->words[w] >> 63;
    }
    return begins == 1;
}

/* ---- Parts --------------------------------------------------------------------------------- */

struct ck_page *ck_page_create(uint64_t address)
{
    struct ck_page *page = rl_zalloc(sizeof *page);
    if (page) page->address = address;
    return page;
}

const struct ck_segment *ck_page_at(const struct ck_page *page, uint64_t address)
{
    const uint64_t byte = address - page->address;
    for (uint32_t i = 0; byte < CK_PAGE_BYTES && i < page->count; i++)
        if (page->parts[i].map.words[byte / 64] >> byte % 64 & 1) return &page->parts[i].bytes;
    return NULL;
}

void ck_page_destroy(struct ck_page *page)
{
    if (!page) return;
    for (uint32_t i = 0; i < page->count; i++) ck_segment_clear(&page->parts[i].bytes);
    rl_free(page->parts);
    rl_free(page);
}

/* Appends a part without bytes.  Returns NULL if memory is short. */
static struct ck_page_part *append_part(struct ck_page *page)
{
    if (page->count == page->room) {
        uint32_t room = page->room ? 2 * page->room : 1;
        struct ck_page_part *parts = rl_alloc(room * sizeof *parts);
        if (!parts) return NULL;
        if (page->count) memcpy(parts, page->parts, page->count * sizeof *parts);
        rl_free(page->parts);
        page->parts = parts;
        page->room = room;
    }
    struct ck_page_part *part = &page->parts[page->count++];
    part->bytes = (struct ck_segment){ .count = 0 };
    return part;
}

static void drop_part(struct ck_page *page, uint32_t number)
{
    ck_segment_clear(&page->parts[number].bytes);
    page->count--;
    for (uint32_t i = number; i < page->count; i++) page->parts[i] = page->parts[i + 1];
}

static void settle_bounds(const struct ck_page *page, struct ck_page_part *part)
{
    part->bytes.from = ck_map_first(&part->map, page->address);
    part->bytes.to = ck_map_last(&part->map, page->address) + 1;
}

/* Joins parts that were last touched by the same steps. */
static void join_parts(struct ck_page *page)
{
    for (uint32_t i = 0; i < page->count; i++)
        for (uint32_t k = page->count - 1; k > i; k--) {
            struct ck_page_part *part = &page->parts[i], *other = &page->parts[k];
            if (!ck_segment_same(&part->bytes, &other->bytes)) continue;
            for (uint32_t w = 0; w < CK_PAGE_WORDS; w++)
                part->map.words[w] |= other->map.words[w];
            part->map.alike = 0;
            settle_bounds(page, part);
            drop_part(page, k);
        }
}

bool ck_page_add(struct ck_page *page, struct ck_segment *segment)
{
    struct ck_page_part *part = append_part(page);
    if (!part) {
        ck_segment_clear(segment);
        return false;
    }
    part->bytes = *segment;
    memset(&part->map, 0xff, sizeof part->map);
    ck_map_cut(&part->map, page->address, segment->from, segment->to);
    join_parts(page);
    return true;
}

/* ---- Touching ------------------------------------------------------------------------------ */

/* Touches the bytes of a part that are in the map as well, and takes them out of it: all of the
 * part, or what becomes a part of its own. */
static bool touch_part(struct ck_page *page, uint32_t number, const struct ck_access *touch,
                       struct ck_map *map)
{
    struct ck_page_part *part = &page->parts[number];
    struct ck_map hit;
    uint64_t hits = 0, others = 0;
    for (uint32_t w = 0; w < CK_PAGE_WORDS; w++) {
        hits |= hit.words[w] = part->map.words[w] & map->words[w];
        others |= part->map.words[w] & ~map->words[w];
    }
    if (!hits) return true;
    for (uint32_t w = 0; w < CK_PAGE_WORDS; w++) map->words[w] &= ~hit.words[w];
    map->alike = hit.alike = 0;
    if (!others) return ck_segment_touch(&part->bytes, touch);
    struct ck_page_part *split = append_part(page);
    if (!split) return false;
    part = &page->parts[number];
    if (!ck_segment_copy(&split->bytes, &part->bytes)) {
        page->count--;
        return false;
    }
    split->map = hit;
    for (uint32_t w = 0; w < CK_PAGE_WORDS; w++) part->map.words[w] &= ~hit.words[w];
    part->map.alike = 0;
    settle_bounds(page, part);
    settle_bounds(page, split);
    return ck_segment_touch(&split->bytes, touch);
}

static bool touch_rest(struct ck_page *page, const struct ck_access *touch,
                       const struct ck_map *map)
{
    uint64_t any = 0;
    for (uint32_t w = 0; w < CK_PAGE_WORDS; w++) any |= map->words[w];
    if (!any) return true;
    struct ck_page_part *part = append_part(page);
    if (!part) return false;
    part->map = *map;
    settle_bounds(page, part);
    return ck_segment_touch(&part->bytes, touch);
}

void ck_page_bury(struct ck_page *page, const struct ck_clock *host)
{
    for (uint32_t i = 0; i < page->count; i++) ck_segment_bury(&page->parts[i].bytes, host);
    join_parts(page);
}

/* Returns the part that has the same bytes as a map, as after a kernel that runs again, or NULL. */
static struct ck_page_part *find_part(const struct ck_page *page, struct ck_map *map)
{
    for (uint32_t i = 0; i < page->count; i++)
        if (are_maps_alike(&page->parts[i].map, map)) return &page->parts[i];
    return NULL;
}

bool ck_page_touch(struct ck_page *page, const struct ck_access *touch, struct ck_map *map)
{
    struct ck_page_part *same = find_part(page, map);
    bool fits = true;
    if (same) {
        fits = ck_segment_touch(&same->bytes, touch);
        join_parts(page);
        return fits;
    }
    ck_page_bury(page, touch->host);
    struct ck_map left = *map;
    for (uint32_t i = 0, count = page->count; i < count; i++)
        fits = touch_part(page, i, touch, &left) && fits;
    fits = touch_rest(page, touch, &left) && fits;
    join_parts(page);
    return fits;
}

struct ck_segment *ck_page_whole(struct ck_page *page)
{
    if (page->count != 1) return NULL;
    struct ck_page_part *part = &page->parts[0];
    return is_one_row(&part->map) ? &part->bytes : NULL;
}
