/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-check/access/attached.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"

/* ---- Kernels that may run ------------------------------------------------------------------ */

void ck_busy_fini(struct ck_busy *busy)
{
    while (busy->count) ck_work_release(busy->works[--busy->count]);
    rl_free(busy->works);
    *busy = (struct ck_busy){ .works = NULL };
}

static bool grow_busy(struct ck_busy *busy)
{
    const size_t room = busy->room ? 2 * busy->room : 4;
    struct ck_work **works = rl_alloc(room * sizeof(struct ck_work *));
    if (!works) return false;
    if (busy->count) memcpy(works, busy->works, busy->count * sizeof(struct ck_work *));
    rl_free(busy->works);
    busy->works = works;
    busy->room = room;
    return true;
}

bool ck_busy_note(struct ck_busy *busy, struct ck_work *work, const struct ck_clock *host)
{
    for (size_t i = 0; i < busy->count;) {
        struct ck_work *known = busy->works[i];
        if (known->at.line == work->at.line || ck_clock_covers(host, known->at)) {
            ck_work_release(known);
            busy->works[i] = busy->works[--busy->count];
        } else {
            i++;
        }
    }
    if (busy->count == busy->room && !grow_busy(busy)) return false;
    busy->works[busy->count++] = ck_work_retain(work);
    return true;
}

static bool has_kernel(const struct ck_inside *inside)
{
    for (uint32_t node = 1; node <= inside->count; node++)
        if (inside->type->what(inside, node).kind == RILL_OP_KERNEL) return true;
    return false;
}

bool ck_takes_turns(const struct ck_work *work)
{
    if (!work->who || !work->who->takes_turns) return false;
    return work->what.kind == RILL_OP_KERNEL || (work->inside && has_kernel(work->inside));
}

/* ---- Blocks -------------------------------------------------------------------------------- */

bool ck_attached_begin(struct ck_block *block, uint32_t flags)
{
    block->attached = rl_zalloc(sizeof *block->attached);
    if (!block->attached) return false;
    block->attached->now.flags = block->attached->made = flags;
    return true;
}

void ck_attached_end(struct ck_block *block)
{
    if (!block->attached) return;
    ck_work_release(block->attached->by);
    rl_free(block->attached);
    block->attached = NULL;
}

void ck_attached_lose(const struct ck_memory *memory, uint64_t stream_id)
{
    for (struct range *range = rl_ranges_from(&memory->blocks, 0); range;
         range = rl_range_next(range)) {
        struct ck_attached *attached = ((struct ck_block *)range)->attached;
        if (!attached || attached->now.flags != RILL_ATTACH_SINGLE ||
            attached->now.stream_id != stream_id)
            continue;
        ck_work_release(attached->by);
        *attached = (struct ck_attached){ .now = { .flags = attached->made },
                                          .made = attached->made };
    }
}

/* ---- What is allowed ----------------------------------------------------------------------- */

/* Tells whether a step is a kernel or a fill of a device that takes turns with the host.  A copy
 * may go by way of the host instead. */
static bool is_turn(const struct ck_step *step)
{
    const struct ck_what what = ck_step_what(step);
    return !what.host && step->work->who && step->work->who->takes_turns &&
           (what.kind == RILL_OP_KERNEL || what.kind == RILL_OP_MEMSET);
}

static bool admits(const struct ck_attachment *attachment, const struct ck_step *step)
{
    switch (attachment->flags) {
    case RILL_ATTACH_HOST: return false;
    case RILL_ATTACH_SINGLE: return attachment->stream_id == step->work->who->stream_id;
    default: return true;
    }
}

/* Tells whether the host must not touch memory while a work may run. */
static bool excludes_host(const struct ck_attachment *attachment, const struct ck_work *busy)
{
    switch (attachment->flags) {
    case RILL_ATTACH_GLOBAL: return true;
    case RILL_ATTACH_SINGLE: return attachment->stream_id == busy->who->stream_id;
    default: return false;
    }
}

/* Tells whether what was before the attachment may hold when a step begins. */
static bool may_be_early(const struct ck_attached *attached, const struct ck_step *step)
{
    return attached->by && attached->before.flags &&
           !ck_step_ordered(&(struct ck_step){ .work = attached->by }, step);
}

static struct ck_misuse look_at_turn(const struct ck_attached *attached, const struct ck_step *step)
{
    if (!admits(&attached->now, step))
        return (struct ck_misuse){ CK_MISUSE_KEPT, attached->by, 0, attached->now.flags };
    if (!admits(&attached->before, step) && may_be_early(attached, step))
        return (struct ck_misuse){ CK_MISUSE_EARLY, attached->by, 0, attached->before.flags };
    return (struct ck_misuse){ .kind = CK_MISUSE_NONE };
}

static struct ck_misuse look_at_host(const struct ck_attached *attached, const struct ck_busy *busy,
                                     const struct ck_step *step)
{
    const bool early = may_be_early(attached, step);
    for (size_t i = 0; i < busy->count; i++) {
        struct ck_work *work = busy->works[i];
        if (!excludes_host(&attached->now, work) &&
            (!early || !excludes_host(&attached->before, work)))
            continue;
        if (!ck_step_ordered(&(struct ck_step){ .work = work }, step))
            return (struct ck_misuse){ CK_MISUSE_BUSY, work, 0, attached->now.flags };
    }
    return (struct ck_misuse){ .kind = CK_MISUSE_NONE };
}

struct ck_misuse ck_attached_look(const struct ck_block *block, const struct ck_busy *busy,
                                  const struct ck_step *step)
{
    if (step->work->at.line == CK_HOST_LINE) return look_at_host(block->attached, busy, step);
    if (is_turn(step)) return look_at_turn(block->attached, step);
    return (struct ck_misuse){ .kind = CK_MISUSE_NONE };
}

/* ---- Attaching ----------------------------------------------------------------------------- */

/* Returns a kernel or fill among those that touched bytes last which may still run and must not
 * touch them any more, or NULL. */
static const struct ck_step *find_loser(const struct ck_segment *segment,
                                        const struct ck_attachment *to, const struct ck_step *by)
{
    for (uint32_t i = 0; i <= segment->count; i++) {
        const struct ck_mark *mark = i ? &segment->since[i - 1] : &segment->write;
        if (mark->how && mark->step.work && is_turn(&mark->step) && !admits(to, &mark->step) &&
            !ck_step_ordered(&mark->step, by))
            return &mark->step;
    }
    return NULL;
}

static const struct ck_step *find_any_loser(const struct ck_block *block,
                                            const struct ck_attachment *to,
                                            const struct ck_step *by)
{
    const struct ck_step *found = NULL;
    for (size_t i = 0; i < block->segments.count && !found; i++) {
        const struct ck_segment *part;
        for (uint32_t n = 0; !found && (part = ck_segment_part(&block->segments.items[i], n)); n++)
            found = find_loser(part, to, by);
    }
    return found;
}

bool ck_attached_set(struct ck_block *block, const struct ck_attachment *to, struct ck_work *by,
                     struct ck_verdicts *verdicts)
{
    struct ck_attached *attached = block->attached;
    const struct ck_step step = { .work = by };
    const struct ck_step *loser = find_any_loser(block, to, &step);
    bool fits = true;
    if (loser) {
        const struct ck_misuse misuse = { CK_MISUSE_TAKEN, loser->work, loser->node, to->flags };
        fits = ck_misuse_tell(verdicts, &misuse, &step, block, block->range.base,
                              rl_range_end(&block->range));
    }
    ck_work_release(attached->by);
    attached->before = attached->now;
    attached->now = *to;
    attached->by = ck_work_retain(by);
    return fits;
}

/* ---- Telling ------------------------------------------------------------------------------- */

static const char *to_whom(uint32_t flags)
{
    return flags == RILL_ATTACH_HOST ? "the host alone" : "another stream alone";
}

static void write_sentence(struct ck_verdict *verdict, const struct ck_misuse *misuse)
{
    const char *then = verdict->what[0], *first = verdict->what[1];
    char *text = verdict->sentence;
    const size_t room = sizeof verdict->sentence;
    switch (misuse->kind) {
    case CK_MISUSE_BUSY:
        snprintf(text, room, "%s touches managed memory while %s may run, on a device that takes "
                 "turns with the host", then, first);
        break;
    case CK_MISUSE_KEPT:
        snprintf(text, room, "%s uses managed memory that is attached to %s", then,
                 to_whom(misuse->flags));
        break;
    case CK_MISUSE_EARLY:
        snprintf(text, room, "%s uses managed memory that may still be attached to %s", then,
                 to_whom(misuse->flags));
        break;
    default:
        snprintf(text, room, "%s takes managed memory from %s, which may still use it", then,
                 first);
    }
    verdict->finding.sentence = text;
}

static rill_mend mend_of(const struct ck_misuse *misuse)
{
    switch (misuse->kind) {
    case CK_MISUSE_BUSY: return RILL_MEND_SYNC;
    case CK_MISUSE_EARLY:
    case CK_MISUSE_TAKEN: return RILL_MEND_WAIT;
    default: return RILL_MEND_NONE;
    }
}

bool ck_misuse_tell(struct ck_verdicts *verdicts, const struct ck_misuse *misuse,
                    const struct ck_step *step, const struct ck_block *block, uint64_t from,
                    uint64_t to)
{
    struct ck_verdict *verdict = ck_verdicts_add(verdicts, RILL_FINDING_MANAGED);
    if (!verdict) return false;
    ck_verdict_set_end(verdict, 0, step, NULL);
    if (misuse->other)
        ck_verdict_set_end(verdict, 1,
                           &(struct ck_step){ .work = misuse->other, .node = misuse->node }, NULL);
    else
        ck_verdict_set_call(verdict, 1,
                            &(struct ck_what){ .host = true, .site = block->made,
                                               .name = "the allocation" }, NULL, 0);
    ck_verdict_set_memory(verdict, block, from, to);
    write_sentence(verdict, misuse);
    verdict->finding.mend = mend_of(misuse);
    if (misuse->kind == CK_MISUSE_KEPT)
        verdict->finding.advice = "attach the memory to the stream that uses it, or to all";
    return true;
}
