/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-check/access/segment.h"

#include <string.h>

#include "base/alloc.h"

/* ---- Marks --------------------------------------------------------------------------------- */

static void retain_mark(struct ck_mark *mark)
{
    if (mark->step.work) ck_work_retain(mark->step.work);
}

static void release_mark(struct ck_mark *mark)
{
    ck_work_release(mark->step.work);
    mark->step.work = NULL;
}

static bool same_mark(const struct ck_mark *a, const struct ck_mark *b)
{
    return a->step.work == b->step.work && a->step.node == b->step.node &&
           a->step.round == b->step.round && a->how == b->how;
}

/* Tells whether nothing can race with a mark any more. */
static bool is_dead(const struct ck_clock *host, const struct ck_mark *mark)
{
    const struct ck_work *work = mark->step.work;
    return !work || work->dead || work->at.line == CK_HOST_LINE ||
           ck_clock_covers_step(host, &mark->step);
}

/* A mark that is dead says only how the bytes were touched, so that segments can be joined. */
static void bury_mark(const struct ck_clock *host, struct ck_mark *mark)
{
    if (!mark->step.work || (mark->how & CK_TOUCH_FREE) || !is_dead(host, mark)) return;
    release_mark(mark);
    *mark = (struct ck_mark){ .how = mark->how };
}

/* ---- Segments ------------------------------------------------------------------------------ */

static void clear_segment(struct ck_segment *segment)
{
    release_mark(&segment->write);
    for (uint32_t i = 0; i < segment->count; i++) release_mark(&segment->since[i]);
    rl_free(segment->since);
    segment->since = NULL;
    segment->count = 0;
}

static bool copy_segment(struct ck_segment *to, const struct ck_segment *from)
{
    *to = *from;
    if (from->count) {
        to->since = rl_alloc(from->count * sizeof *to->since);
        if (!to->since) return false;
        memcpy(to->since, from->since, from->count * sizeof *to->since);
    }
    retain_mark(&to->write);
    for (uint32_t i = 0; i < to->count; i++) retain_mark(&to->since[i]);
    return true;
}

static bool same_marks(const struct ck_segment *a, const struct ck_segment *b)
{
    if (!same_mark(&a->write, &b->write) || a->count != b->count) return false;
    for (uint32_t i = 0; i < a->count; i++)
        if (!same_mark(&a->since[i], &b->since[i])) return false;
    return true;
}

static void bury_dead(const struct ck_clock *host, struct ck_segment *segment)
{
    uint32_t kept = 0;
    bury_mark(host, &segment->write);
    for (uint32_t i = 0; i < segment->count; i++) {
        if (is_dead(host, &segment->since[i])) release_mark(&segment->since[i]);
        else segment->since[kept++] = segment->since[i];
    }
    segment->count = kept;
    if (kept || !segment->since) return;
    rl_free(segment->since);
    segment->since = NULL;
}

/* ---- What a touch does to one segment ------------------------------------------------------ */

static bool conflicts(uint32_t before, uint32_t now)
{
    if ((before | now) & CK_TOUCH_WRITES) return true;
    return (before | now) == (RILL_TOUCH_READ | RILL_TOUCH_ATOMIC);
}

/* Tells whether the step that touches now comes before one that was submitted earlier: one that
 * waits for a value which was written later, or for what a host function has submitted. */
static bool comes_first(const struct ck_access *touch, const struct ck_mark *before)
{
    const struct ck_work *work = before->step.work;
    if (!work) return false;
    bool may = work->before->extra_count || work->callers || touch->mark.step.work->caller;
    return may && ck_step_ordered(&touch->mark.step, &before->step);
}

static void judge_mark(const struct ck_access *touch, const struct ck_mark *before,
                       const struct ck_segment *segment)
{
    if (!before->step.work || before->step.work->dead || !conflicts(before->how, touch->mark.how))
        return;
    bool ordered = ck_step_ordered(&before->step, &touch->mark.step);
    /* What comes after a free is wrong in any order. */
    if (ordered && !(before->how & CK_TOUCH_FREE)) return;
    if (!ordered && comes_first(touch, before)) return;
    touch->found(touch->data, &(struct ck_conflict){ *before, touch->mark, segment->from,
                                                     segment->to });
}

/* Adds a read or an atomic operation to what was done since the last write, in place of those of
 * the same sort that come before it: what races with those and not with it, there is not. */
static bool add_since(struct ck_segment *segment, const struct ck_access *touch)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < segment->count; i++) {
        struct ck_mark *mark = &segment->since[i];
        bool covered = mark->how == touch->mark.how &&
                       ck_step_ordered(&mark->step, &touch->mark.step);
        if (covered) release_mark(mark);
        else segment->since[kept++] = *mark;
    }
    bool grows = kept == segment->count;
    segment->count = kept;
    if (grows) {
        struct ck_mark *since = rl_alloc((kept + 1) * sizeof *since);
        if (!since) return false;
        if (kept) memcpy(since, segment->since, kept * sizeof *since);
        rl_free(segment->since);
        segment->since = since;
    }
    segment->since[segment->count++] = touch->mark;
    retain_mark(&segment->since[kept]);
    return true;
}

static void set_write(struct ck_segment *segment, const struct ck_mark *mark)
{
    clear_segment(segment);
    segment->write = *mark;
    retain_mark(&segment->write);
}

/* Makes the step the last write, unless what is there comes after it. */
static void put_write(struct ck_segment *segment, const struct ck_access *touch)
{
    if ((segment->write.how & CK_TOUCH_FREE) || comes_first(touch, &segment->write)) return;
    for (uint32_t i = 0; i < segment->count; i++)
        if (comes_first(touch, &segment->since[i])) return;
    set_write(segment, &touch->mark);
}

/* Tells whether bytes are read before anything was written.  Bytes that one step reads and writes
 * it may have written first. */
static bool reads_unwritten(const struct ck_segment *segment, uint32_t how)
{
    const uint32_t written = RILL_TOUCH_WRITE | CK_TOUCH_UPDATED;
    return !(segment->write.how & written) && !(how & CK_TOUCH_WRITES) &&
           (how & (RILL_TOUCH_READ | RILL_TOUCH_ATOMIC));
}

static void note_init(struct ck_segment *segment, const struct ck_access *touch)
{
    if (touch->unwritten && reads_unwritten(segment, touch->mark.how))
        touch->unwritten(touch->data, segment->from, segment->to);
    if (touch->mark.how & RILL_TOUCH_ATOMIC) segment->write.how |= CK_TOUCH_UPDATED;
}

static bool touch_segment(struct ck_segment *segment, const struct ck_access *touch)
{
    uint32_t how = touch->mark.how;
    if (how & CK_TOUCH_ALLOCATE) {
        set_write(segment, &touch->mark);
        return true;
    }
    bury_dead(touch->host, segment);
    if (touch->inits) note_init(segment, touch);
    judge_mark(touch, &segment->write, segment);
    for (uint32_t i = 0; i < segment->count; i++) judge_mark(touch, &segment->since[i], segment);
    if (!(how & CK_TOUCH_WRITES)) return add_since(segment, touch);
    put_write(segment, touch);
    return true;
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
    if (last && last->to == segment->from && same_marks(last, segment)) {
        last->to = segment->to;
        clear_segment(segment);
        return;
    }
    if (out->count == out->room) {
        size_t room = out->room ? 2 * out->room : 8;
        struct ck_segment *items = rl_alloc(room * sizeof *items);
        if (!items) {
            merge->short_of_memory = true;
            clear_segment(segment);
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
        if (!copy_segment(&part, segment)) {
            merge->short_of_memory = true;
            return;
        }
        part.to = segment->from = to;
    }
    if (touch && !touch_segment(&part, touch)) merge->short_of_memory = true;
    append_segment(merge, &part);
}

static void append_new(struct merge *merge, uint64_t from, uint64_t to,
                       const struct ck_access *touch)
{
    struct ck_segment segment = { .from = from, .to = to };
    if (from >= to) return;
    if (!touch_segment(&segment, touch)) merge->short_of_memory = true;
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
        bury_dead(host, segment);
        if (last && last->to == segment->from && same_marks(last, segment)) {
            last->to = segment->to;
            clear_segment(segment);
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
    *fits = touch_segment(segment, touch);
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
    for (size_t i = 0; i < segments->count; i++) clear_segment(&segments->items[i]);
    rl_free(segments->items);
    *segments = (struct ck_segments){ .items = NULL };
}
