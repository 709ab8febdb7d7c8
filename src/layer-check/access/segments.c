/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-check/access/segments.h"

#include <string.h>

#include "base/alloc.h"

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
            ck_segment_clear(segment);
            return;
        }
        if (out->count) memcpy(items, out->items, out->count * sizeof *items);
        rl_free(out->items);
        out->items = items;
        out->room = room;
    }
    out->items[out->count++] = *segment;
}

/* Appends the part of a segment before `to`, and leaves the rest. */
static void append_part(struct merge *merge, struct ck_segment *segment, uint64_t to,
                        const struct ck_access *touch)
{
    struct ck_segment part;
    if (segment->from >= to) return;
    if (segment->to <= to) {
        part = *segment;
        segment->from = segment->to;
    } else {
        if (!ck_segment_copy(&part, segment)) {
            merge->short_of_memory = true;
            return;
        }
        part.to = segment->from = to;
    }
    if (touch && !ck_segment_touch(&part, touch)) merge->short_of_memory = true;
    append_segment(merge, &part);
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

/* Puts the merged segments in place of those from `first` up to `end`. */
static bool splice_segments(struct ck_segments *segments, size_t first, size_t end,
                            struct merge *merge)
{
    size_t tail = segments->count - end, count = first + merge->out.count + tail;
    if (count > segments->room) {
        size_t room = count + count / 2;
        struct ck_segment *items = rl_alloc(room * sizeof *items);
        if (!items) return false;
        if (segments->count) memcpy(items, segments->items, segments->count * sizeof *items);
        rl_free(segments->items);
        segments->items = items;
        segments->room = room;
    }
    if (tail)
        memmove(&segments->items[count - tail], &segments->items[end],
                tail * sizeof *segments->items);
    if (merge->out.count)
        memcpy(&segments->items[first], merge->out.items,
               merge->out.count * sizeof *segments->items);
    segments->count = count;
    rl_free(merge->out.items);
    return true;
}

/* Joins what is the same once dead marks are gone.  Done when the segments have doubled in
 * number, so its cost is spread over those that were added. */
static void sweep_segments(struct ck_segments *segments, const struct ck_clock *host)
{
    size_t kept = 0;
    for (size_t i = 0; i < segments->count; i++) {
        struct ck_segment *segment = &segments->items[i];
        struct ck_segment *last = kept ? &segments->items[kept - 1] : NULL;
        ck_segment_bury(segment, host);
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
    if (first == segments->count || segment->from != row->address ||
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

void ck_segments_clear(struct ck_segments *segments)
{
    for (size_t i = 0; i < segments->count; i++) ck_segment_clear(&segments->items[i]);
    rl_free(segments->items);
    *segments = (struct ck_segments){ .items = NULL };
}
