/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-check/slots/attach.h"

#include "layer-check/slots/pinned.h"

/* ---- Pages ------------------------------------------------------------------------------------
 *
 * They are guarded as the attachments are at the call.  What the program attaches elsewhere while a
 * kernel may run stays guarded until that is over: touches are seen, and nothing is wrong with
 * them.
 */

static bool is_for(const struct ck_attachment *attachment, const struct ck_work *work)
{
    if (attachment->flags == RILL_ATTACH_SINGLE)
        return attachment->stream_id == work->who->stream_id;
    return attachment->flags == RILL_ATTACH_GLOBAL;
}

static bool may_be_for(const struct ck_checker *checker, const struct ck_pinned *pinned,
                       const struct ck_work *work)
{
    return is_for(&pinned->attachment, work) ||
           (is_for(&pinned->before, work) &&
            !ck_clock_covers(checker->order.host, pinned->attached));
}

void ck_turn_guard(struct ck_checker *checker, const struct ck_work *work, struct ck_until until)
{
    for (struct range *range = rl_ranges_from(&checker->pinned, 0); range;
         range = rl_range_next(range)) {
        if (!may_be_for(checker, (const struct ck_pinned *)range, work)) continue;
        if (!ck_pages_guard(checker->pages, (const void *)(uintptr_t)range->base, range->bytes,
                            RILL_TOUCH_WRITE, until))
            ck_report_unseen(checker->report, CK_UNSEEN_REFUSED);
    }
}

static void attach_pages(struct ck_checker *checker, uint64_t address,
                         const struct ck_attachment *attachment, struct ck_point at)
{
    struct ck_pinned *pinned = (struct ck_pinned *)rl_ranges_at(&checker->pinned, address);
    if (!pinned) return;
    pinned->before = pinned->attachment;
    pinned->attachment = *attachment;
    pinned->attached = at;
}

static void lose_pages(struct ck_checker *checker, uint64_t stream_id)
{
    for (struct range *range = rl_ranges_from(&checker->pinned, 0); range;
         range = rl_range_next(range)) {
        struct ck_pinned *pinned = (struct ck_pinned *)range;
        if (pinned->attachment.flags == RILL_ATTACH_SINGLE &&
            pinned->attachment.stream_id == stream_id) {
            pinned->attachment = (struct ck_attachment){ .flags = pinned->made };
            pinned->before.flags = 0;
        }
    }
}

/* ---- Attaching ----------------------------------------------------------------------------- */

/* Adds an entry that changes what is attached to whom. */
static struct ck_log_entry *add_entry(struct ck_checker *checker, struct ck_work *work,
                                      enum ck_change change)
{
    struct ck_log_entry *entry = work ? ck_log_add(&checker->log, work, checker->order.host) : NULL;
    if (entry) {
        entry->change = change;
        entry->pending = 0;
    } else {
        checker->order.failed = true;
    }
    return entry;
}

/* A stream of a device that takes no turns promises nothing. */
void ck_attach_note(struct ck_checker *checker, struct ck_stream *stream, rill_devptr address,
                    uint32_t flags, const void *site)
{
    const struct ck_what what = { .kind = RILL_OP_EMPTY, .host = true,
                                  .name = "rill_stream_attach", .site = site };
    struct ck_work *work = ck_stream_add(&checker->order, stream, &what, false);
    struct ck_log_entry *entry = add_entry(checker, work, CK_CHANGE_ATTACH);
    if (entry) {
        const bool alone = flags == RILL_ATTACH_SINGLE;
        entry->base = address;
        entry->attachment.flags = alone && !work->who->takes_turns ? RILL_ATTACH_GLOBAL : flags;
        entry->attachment.stream_id = alone ? work->who->stream_id : 0;
        attach_pages(checker, address, &entry->attachment, work->at);
    }
    ck_work_release(work);
}

void ck_attach_lose(struct ck_checker *checker, uint64_t stream_id)
{
    const struct ck_what what = { .kind = RILL_OP_EMPTY, .host = true };
    struct ck_work *work = ck_host_add(&checker->order, &what);
    struct ck_log_entry *entry = add_entry(checker, work, CK_CHANGE_LOSE);
    if (entry) {
        entry->attachment.stream_id = stream_id;
        lose_pages(checker, stream_id);
    }
    ck_work_release(work);
}
