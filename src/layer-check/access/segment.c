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

void ck_segment_clear(struct ck_segment *segment)
{
    release_mark(&segment->write);
    for (uint32_t i = 0; i < segment->count; i++) release_mark(&segment->since[i]);
    rl_free(segment->since);
    segment->since = NULL;
    segment->count = 0;
}

bool ck_segment_copy(struct ck_segment *to, const struct ck_segment *from)
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

bool ck_segment_same(const struct ck_segment *a, const struct ck_segment *b)
{
    if (a->page || b->page || a->count != b->count || !same_mark(&a->write, &b->write))
        return false;
    for (uint32_t i = 0; i < a->count; i++)
        if (!same_mark(&a->since[i], &b->since[i])) return false;
    return true;
}

void ck_segment_bury(struct ck_segment *segment, const struct ck_clock *host)
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
    if ((before | now) & CK_TOUCH_AWAIT) return (before | now) & CK_TOUCH_BORDERS;
    if ((before | now) & CK_TOUCH_WRITES) return true;
    return (before | now) == (RILL_TOUCH_READ | RILL_TOUCH_ATOMIC);
}

/* Tells whether the step that touches now comes before one that was submitted earlier: one that
 * waits for a value which was written later, or for what a host function has submitted. */
static bool comes_first(const struct ck_access *touch, const struct ck_mark *before)
{
    const struct ck_work *work = before->step.work;
    return work && work != touch->mark.step.work &&
           ck_step_ordered(&touch->mark.step, &before->step);
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
    ck_segment_clear(segment);
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

/* Memory of a graph that nobody has freed goes with the next launch which allocates it: that is
 * a free of what is there. */
static void judge_taken(const struct ck_segment *segment, const struct ck_access *touch)
{
    struct ck_access taken = *touch;
    taken.mark.how = CK_TOUCH_FREE;
    if (segment->write.how & CK_TOUCH_FREE) return;
    judge_mark(&taken, &segment->write, segment);
    for (uint32_t i = 0; i < segment->count; i++) judge_mark(&taken, &segment->since[i], segment);
}

bool ck_segment_touch(struct ck_segment *segment, const struct ck_access *touch)
{
    uint32_t how = touch->mark.how;
    ck_segment_bury(segment, touch->host);
    if (how & CK_TOUCH_ALLOCATE) {
        judge_taken(segment, touch);
        set_write(segment, &touch->mark);
        return true;
    }
    if (touch->inits) note_init(segment, touch);
    judge_mark(touch, &segment->write, segment);
    for (uint32_t i = 0; i < segment->count; i++) judge_mark(touch, &segment->since[i], segment);
    if (!(how & CK_TOUCH_WRITES)) return add_since(segment, touch);
    put_write(segment, touch);
    return true;
}
