/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-check/access/segments.h"

#include <string.h>

#include "base/alloc.h"

/* ---- Segments with pages ------------------------------------------------------------------- */

static void drop_segment(struct ck_segment *segment)
{
    ck_page_destroy(segment->page);
    segment->page = NULL;
    ck_segment_clear(segment);
}

const struct ck_segment *ck_segment_part(const struct ck_segment *segment, uint32_t number)
{
    const struct ck_page *page = segment->page;
    if (!page) return number == 0 ? segment : NULL;
    return number < page->count ? &page->parts[number].bytes : NULL;
}

/* Makes a segment whose page has one history a plain one. */
static void settle_segment(struct ck_segment *segment)
{
    struct ck_segment *whole = segment->page ? ck_page_whole(segment->page) : NULL;
    if (!whole || whole->from != segment->from || whole->to != segment->to) return;
    struct ck_page *page = segment->page;
    *segment = *whole;
    page->count = 0; /* its marks are the segment's now */
    ck_page_destroy(page);
}

/* ---- Merging rows -------------------------------------------------------------------------- */

/* The segments that take the place of those that the rows overlap. */
struct merge {
    struct ck_segments out;
    bool short_of_memory;
};

/* Appends a segment, which it takes over. */
static void append_segment(struct merge *merge, struct ck_segment *segment)
{
    struct ck_segments *out = &merge->out;
    struct ck_segment *last = out->count ? &out->items[out->count - 1] : NULL;
    settle_segment(segment);
    if (last && last->to == segment->from && ck_segment_same(last, segment)) {
        last->to = segment->to;
        ck_segment_clear(segment);
        return;
    }
    if (out->count == out->room) {
        size_t room = out->room ? 2 * out->room : 8;
        struct ck_segment *items = rl_alloc(room * sizeof *items);
        if (!items) {
            merge->short_of_memory = true;
            drop_segment(segment);
            return;
        }
        if (out->count) memcpy(items, out->items, out->count * sizeof *items);
        rl_free(out->items);
        out->items = items;
        out->room = room;
    }
    out->items[out->count++] = *segment;
}

/* Cuts off the part of a segment before `to`, and leaves the rest.  Returns false if that part is
 * empty, or memory is short. */
static bool cut_segment(struct merge *merge, struct ck_segment *segment, uint64_t to,
                        struct ck_segment *part)
{
    if (segment->from >= to) return false;
    if (segment->to <= to) {
        *part = *segment;
        segment->from = segment->to;
        return true;
    }
    if (!ck_segment_copy(part, segment)) {
        merge->short_of_memory = true;
        return false;
    }
    part->to = segment->from = to;
    return true;
}

/* Appends the part of a segment before `to`, and leaves the rest. */
static void append_part(struct merge *merge, struct ck_segment *segment, uint64_t to,
                        const struct ck_access *touch)
{
    struct ck_segment part;
    if (!cut_segment(merge, segment, to, &part)) return;
    if (touch && !ck_segment_touch(&part, touch)) merge->short_of_memory = true;
    append_segment(merge, &part);
}

/* Touches the bytes of a row that are in the page of a segment. */
static void touch_in_page(struct merge *merge, struct ck_segment *segment, uint64_t from,
                          uint64_t to, const struct ck_access *touch)
{
    struct ck_map map;
    memset(&map, 0xff, sizeof map);
    if (from < segment->from) from = segment->from;
    if (to > segment->to) to = segment->to;
    if (ck_map_cut(&map, segment->page->address, from, to) &&
        !ck_page_touch(segment->page, touch, &map))
        merge->short_of_memory = true;
}

static void append_new(struct merge *merge, uint64_t from, uint64_t to,
                       const struct ck_access *touch)
{
    struct ck_segment segment = { .from = from, .to = to };
    if (from >= to) return;
    if (!ck_segment_touch(&segment, touch)) merge->short_of_memory = true;
    append_segment(merge, &segment);
}

/* Appends a row: parts of old segments and what is between them.  The old segments are eaten up
 * from *next on. */
static void append_row(struct merge *merge, const rill_touched *row, struct ck_segment **next,
                       const struct ck_segment *end, const struct ck_access *touch)
{
    uint64_t at = row->address, to = row->address + row->bytes;
    while (*next < end && (*next)->from < to) {
        struct ck_segment *segment = *next;
        if (segment->page) {
            append_new(merge, at, segment->from, touch);
            if (at < segment->to) touch_in_page(merge, segment, at, to, touch);
            if (at < segment->to) at = segment->to < to ? segment->to : to;
            if (segment->to > to) return;
            append_part(merge, segment, UINT64_MAX, NULL);
            ++*next;
            continue;
        }
        append_part(merge, segment, at, NULL);
        if (segment->from < segment->to) {
            append_new(merge, at, segment->from, touch);
            at = segment->to < to ? segment->to : to;
            append_part(merge, segment, to, touch);
        }
        if (segment->from < segment->to) return;
        ++*next;
    }
    append_new(merge, at, to, touch);
}

/* Returns the number of the first segment that ends after an address. */
static size_t find_segment(const struct ck_segments *segments, uint64_t address)
{
    size_t low = 0, high = segments->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (segments->items[middle].to <= address) low = middle + 1;
        else high = middle;
    }
    return low;
}

const struct ck_segment *ck_segments_at(const struct ck_segments *segments, uint64_t address)
{
    const size_t at = find_segment(segments, address);
    const struct ck_segment *segment = at < segments->count ? &segments->items[at] : NULL;
    if (!segment || segment->from > address) return NULL;
    return segment->page ? ck_page_at(segment->page, address) : segment;
}

static bool make_room(struct ck_segments *segments, size_t count)
{
    if (count <= segments->room) return true;
    size_t room = count + count / 2;
    struct ck_segment *items = rl_alloc(room * sizeof *items);
    if (!items) return false;
    if (segments->count) memcpy(items, segments->items, segments->count * sizeof *items);
    rl_free(segments->items);
    segments->items = items;
    segments->room = room;
    return true;
}

/* Puts the merged segments in place of those from `first` up to `end`, which are eaten up.  If
 * memory is short, nothing takes their place. */
static bool splice_segments(struct ck_segments *segments, size_t first, size_t end,
                            struct merge *merge)
{
    size_t tail = segments->count - end;
    bool fits = make_room(segments, first + merge->out.count + tail);
    if (!fits) ck_segments_clear(&merge->out);
    size_t count = first + merge->out.count + tail;
    if (tail)
        memmove(&segments->items[count - tail], &segments->items[end],
                tail * sizeof *segments->items);
    if (merge->out.count)
        memcpy(&segments->items[first], merge->out.items,
               merge->out.count * sizeof *segments->items);
    segments->count = count;
    rl_free(merge->out.items);
    return fits;
}

/* Joins what is the same once dead marks are gone.  Done when the segments have doubled in
 * number, so its cost is spread over those that were added. */
static void sweep_segments(struct ck_segments *segments, const struct ck_clock *host)
{
    size_t kept = 0;
    for (size_t i = 0; i < segments->count; i++) {
        struct ck_segment *segment = &segments->items[i];
        struct ck_segment *last = kept ? &segments->items[kept - 1] : NULL;
        if (segment->page) ck_page_bury(segment->page, host);
        else ck_segment_bury(segment, host);
        settle_segment(segment);
        if (last && last->to == segment->from && ck_segment_same(last, segment)) {
            last->to = segment->to;
            ck_segment_clear(segment);
        } else {
            segments->items[kept++] = *segment;
        }
    }
    segments->count = segments->swept = kept;
}

/* Most rows are those of a segment that is there, which needs no merging. */
static bool touch_whole(struct ck_segments *segments, size_t first, const struct ck_access *touch,
                        const rill_touched *row, bool *fits)
{
    struct ck_segment *segment = &segments->items[first];
    if (first == segments->count || segment->page || segment->from != row->address ||
        segment->to != row->address + row->bytes)
        return false;
    *fits = ck_segment_touch(segment, touch);
    return true;
}

bool ck_segments_touch(struct ck_segments *segments, const struct ck_access *touch,
                       const rill_touched *rows, size_t count)
{
    bool fits;
    if (!count) return true;
    size_t first = find_segment(segments, rows[0].address);
    if (count == 1 && touch_whole(segments, first, touch, rows, &fits)) return fits;
    size_t last = find_segment(segments, rows[count - 1].address + rows[count - 1].bytes - 1);
    size_t end = last < segments->count ? last + 1 : last;
    struct ck_segment *next = segments->items + first, *stop = segments->items + end;
    struct merge merge = { .short_of_memory = false };
    for (size_t i = 0; i < count; i++) append_row(&merge, &rows[i], &next, stop, touch);
    for (; next < stop; next++) append_part(&merge, next, UINT64_MAX, NULL);
    fits = splice_segments(segments, first, end, &merge) && !merge.short_of_memory;
    if (segments->count > 64 && segments->count > 2 * segments->swept)
        sweep_segments(segments, touch->host);
    return fits;
}

/* Makes the segments between two addresses parts of a page.  Those are eaten up from *next on. */
static struct ck_page *gather_page(struct merge *merge, uint64_t address, uint64_t from,
                                   uint64_t to, struct ck_segment **next,
                                   const struct ck_segment *end)
{
    struct ck_segment part;
    struct ck_page *page = ck_page_create(address);
    for (; page && *next < end && (*next)->from < to; ++*next) {
        append_part(merge, *next, from, NULL);
        if (cut_segment(merge, *next, to, &part) && !ck_page_add(page, &part))
            merge->short_of_memory = true;
        if ((*next)->from < (*next)->to) break;
    }
    return page;
}

/* Returns the page that has exactly these bytes, if segment `number` does. */
static struct ck_page *page_of(struct ck_segments *segments, size_t number, uint64_t from,
                               uint64_t to)
{
    const struct ck_segment *segment = &segments->items[number];
    if (number >= segments->count || segment->from != from || segment->to != to) return NULL;
    if (segment->page) segments->after = number + 1;
    return segment->page;
}

bool ck_segments_touch_page(struct ck_segments *segments, const struct ck_access *touch,
                            uint64_t page, uint64_t from, uint64_t to, struct ck_map *map)
{
    struct ck_page *there = page_of(segments, segments->after, from, to);
    if (there) return ck_page_touch(there, touch, map);
    size_t first = find_segment(segments, from), end = first;
    struct ck_segment *next = segments->items + first;
    if ((there = page_of(segments, first, from, to))) return ck_page_touch(there, touch, map);
    while (end < segments->count && segments->items[end].from < to) end++;
    struct ck_segment *stop = segments->items + end;
    struct merge merge = { .short_of_memory = false };
    struct ck_segment segment = { .from = from, .to = to };
    segment.page = gather_page(&merge, page, from, to, &next, stop);
    if (!segment.page) return false;
    if (!ck_page_touch(segment.page, touch, map)) merge.short_of_memory = true;
    append_segment(&merge, &segment);
    for (; next < stop; next++) append_part(&merge, next, UINT64_MAX, NULL);
    return splice_segments(segments, first, end, &merge) && !merge.short_of_memory;
}

void ck_segments_clear(struct ck_segments *segments)
{
    for (size_t i = 0; i < segments->count; i++) drop_segment(&segments->items[i]);
    rl_free(segments->items);
    *segments = (struct ck_segments){ .items = NULL };
}
