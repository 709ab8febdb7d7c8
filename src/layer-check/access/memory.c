/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-check/access/memory.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/alloc.h"
#include "layer-check/access/attached.h"
#include "layer-check/access/leaks.h"

/* How many freed allocations are remembered. */
#define GONE_MAX 4096u

/* Memory of the host that is no allocation here is taken in pieces of this size. */
#define PLAIN_BYTES (UINT64_C(1) << 16)

static struct ck_block *block_of(struct range *range)
{
    return (struct ck_block *)range;
}

/* ---- Blocks -------------------------------------------------------------------------------- */

static void list_gone(struct ck_memory *memory, struct ck_block *block)
{
    block->older = memory->newest_gone;
    if (block->older) block->older->newer = block;
    else memory->oldest_gone = block;
    memory->newest_gone = block;
    memory->gone_count++;
}

static void unlist_gone(struct ck_memory *memory, struct ck_block *block)
{
    if (block->older) block->older->newer = block->newer;
    else memory->oldest_gone = block->newer;
    if (block->newer) block->newer->older = block->older;
    else memory->newest_gone = block->older;
    memory->gone_count--;
}

static void drop_block(struct ck_memory *memory, struct ck_block *block)
{
    if (memory->leaks) ck_leaks_note(memory->leaks, block);
    if (block->gone) unlist_gone(memory, block);
    rl_ranges_remove(&memory->blocks, &block->range);
    ck_segments_clear(&block->segments);
    ck_attached_end(block);
    rl_free(block);
}

void ck_memory_fini(struct ck_memory *memory)
{
    while (memory->blocks.root) drop_block(memory, block_of(memory->blocks.root));
}

struct ck_block *ck_memory_find(const struct ck_memory *memory, uint64_t address)
{
    struct range *range = rl_ranges_at(&memory->blocks, address);
    return range ? block_of(range) : NULL;
}

/* Makes room for an allocation.  What overlaps is gone, or was never one. */
static void drop_overlapped(struct ck_memory *memory, uint64_t base, uint64_t bytes)
{
    struct range *range;
    while ((range = rl_ranges_from(&memory->blocks, base)) && range->base - base < bytes)
        drop_block(memory, block_of(range));
    range = rl_ranges_at(&memory->blocks, base);
    if (range) drop_block(memory, block_of(range));
}

struct ck_block *ck_memory_add(struct ck_memory *memory, uint64_t base, uint64_t bytes,
                               enum ck_block_kind kind)
{
    struct ck_block *block = rl_zalloc(sizeof *block);
    if (!block) return NULL;
    drop_overlapped(memory, base, bytes ? bytes : 1);
    block->range.base = base;
    block->range.bytes = bytes ? bytes : 1;
    block->kind = kind;
    rl_ranges_add(&memory->blocks, &block->range);
    return block;
}

void ck_memory_remove(struct ck_memory *memory, struct ck_block *block, const void *site)
{
    block->freed = site;
    if (block->gone) return;
    block->gone = true;
    list_gone(memory, block);
    if (memory->gone_count > GONE_MAX) drop_block(memory, memory->oldest_gone);
}

/* ---- Touching ------------------------------------------------------------------------------ */

/* Returns the block that holds an address, which is plain memory of the host if it is in no
 * allocation, or NULL if memory is short. */
static struct ck_block *find_or_make(struct ck_memory *memory, uint64_t address)
{
    struct ck_block *block = ck_memory_find(memory, address);
    if (block) return block;
    uint64_t base = address & ~(PLAIN_BYTES - 1), end = base + PLAIN_BYTES;
    struct range *next = rl_ranges_from(&memory->blocks, address);
    struct range *before = next ? rl_range_previous(next) : NULL;
    if (next && next->base < end) end = next->base;
    if (before && rl_range_end(before) > base) base = rl_range_end(before);
    if (!next) base = address; /* what is before the last range is not asked for */
    return ck_memory_add(memory, base, end - base, CK_BLOCK_PLAIN);
}

/* Returns how many rows, beginning with the first, are in the block altogether. */
static size_t count_inside(const struct ck_block *block, const rill_touched *rows, size_t count)
{
    uint64_t end = rl_range_end(&block->range);
    size_t n = 0;
    while (n < count && rows[n].address + rows[n].bytes <= end) n++;
    return n;
}

/* Touches a row that leaves its block, in parts. */
static bool touch_parts(struct ck_memory *memory, const struct ck_access *touch,
                        const rill_touched *row, ck_enter_fn *enter)
{
    uint64_t at = row->address, stop = row->address + row->bytes;
    bool fits = true;
    while (fits && at < stop) {
        struct ck_block *block = find_or_make(memory, at);
        if (!block) return false;
        uint64_t end = rl_range_end(&block->range), to = end < stop ? end : stop;
        const rill_touched part = { at, to - at, row->how };
        enter(touch->data, block);
        fits = ck_segments_touch(&block->segments, touch, &part, 1);
        at = to;
    }
    return fits;
}

bool ck_memory_touch(struct ck_memory *memory, const struct ck_access *touch,
                     const rill_touched *rows, size_t count, ck_enter_fn *enter)
{
    bool fits = true;
    while (fits && count) {
        struct ck_block *block = find_or_make(memory, rows->address);
        if (!block) return false;
        size_t inside = count_inside(block, rows, count), done = inside ? inside : 1;
        if (inside) {
            enter(touch->data, block);
            fits = ck_segments_touch(&block->segments, touch, rows, inside);
        } else {
            fits = touch_parts(memory, touch, rows, enter);
        }
        rows += done;
        count -= done;
    }
    return fits;
}

/* Touches a page that is not all in one block, in parts. */
static bool touch_page_parts(struct ck_memory *memory, const struct ck_access *touch,
                             uint64_t page, const struct ck_map *map, ck_enter_fn *enter)
{
    uint64_t end = page + CK_PAGE_BYTES, to;
    struct ck_map left = *map;
    do {
        struct ck_block *block = find_or_make(memory, ck_map_first(&left, page));
        if (!block) return false;
        uint64_t from = block->range.base > page ? block->range.base : page;
        to = rl_range_end(&block->range) < end ? rl_range_end(&block->range) : end;
        struct ck_map here = left;
        enter(touch->data, block);
        ck_map_cut(&here, page, from, to);
        if (!ck_segments_touch_page(&block->segments, touch, page, from, to, &here)) return false;
    } while (to < end && ck_map_cut(&left, page, to, end));
    return true;
}

bool ck_memory_touch_page(struct ck_memory *memory, const struct ck_access *touch, uint64_t page,
                          struct ck_map *map, ck_enter_fn *enter)
{
    uint64_t end = page + CK_PAGE_BYTES;
    if (ck_map_is_empty(map)) return true;
    struct ck_block *block = find_or_make(memory, ck_map_first(map, page));
    if (!block) return false;
    if (block->range.base > page || rl_range_end(&block->range) < end)
        return touch_page_parts(memory, touch, page, map, enter);
    enter(touch->data, block);
    return ck_segments_touch_page(&block->segments, touch, page, page, end, map);
}

/* ---- Words --------------------------------------------------------------------------------- */

void ck_write_size(uint64_t bytes, char text[CK_SIZE_MAX])
{
    static const char *const units[] = { "bytes", "KiB", "MiB", "GiB", "TiB" };
    unsigned unit = 0;
    while (unit < 4 && bytes >= 1024 && bytes % 1024 == 0) bytes /= 1024, unit++;
    snprintf(text, CK_SIZE_MAX, "%" PRIu64 " %s", bytes, units[unit]);
}

static bool is_of_device(enum ck_block_kind kind)
{
    return kind == CK_BLOCK_DEVICE || kind == CK_BLOCK_POOL || kind == CK_BLOCK_GRAPH ||
           kind == CK_BLOCK_VARIABLE;
}

void ck_memory_describe(const struct ck_block *block, uint64_t from, uint64_t to, char *text,
                        size_t room)
{
    static const char *const names[] = {
        [CK_BLOCK_DEVICE] = "device memory", [CK_BLOCK_PINNED] = "pinned memory",
        [CK_BLOCK_REGISTERED] = "registered memory", [CK_BLOCK_MANAGED] = "managed memory",
        [CK_BLOCK_POOL] = "pool memory", [CK_BLOCK_GRAPH] = "memory of a graph",
        [CK_BLOCK_VARIABLE] = "variable",
    };
    char size[CK_SIZE_MAX], name[500] = "", where[32] = "", last[32] = "";
    uint64_t first = from - block->range.base;
    if (block->kind == CK_BLOCK_PLAIN) {
        ck_write_size(to - from, size);
        snprintf(text, room, "%s of memory of the host", size);
        return;
    }
    ck_write_size(block->range.bytes, size);
    if (is_of_device(block->kind))
        snprintf(where, sizeof where, "device %d, ", block->device);
    if (to - from > 1) snprintf(last, sizeof last, " to %" PRIu64, first + (to - from) - 1);
    if (block->name) snprintf(name, sizeof name, " '%.480s'", block->name);
    snprintf(text, room, "byte%s %" PRIu64 "%s of %s%s (%s%s)", *last ? "s" : "", first, last,
             names[block->kind], name, where, size);
}
