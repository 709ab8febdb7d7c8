/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-check/slots/submit.h"
#include "layer-check/slots/attach.h"
#include "layer-check/slots/calls.h"
#include "layer-check/slots/flags.h"
#include "layer-check/slots/pinned.h"
#include "layer-check/slots/waits.h"
#include "layer-check/slots/who.h"

#include <string.h>

#include "base/alloc.h"
#include "base/thread.h"
#include "site/site.h"

/* ---- Entries ------------------------------------------------------------------------------- */

static void add_rows(struct ck_checker *checker, struct ck_log_entry *entry,
                     const struct ck_row_list *rows)
{
    if (!rows || !rows->count) return;
    struct ck_rows *to = rows->failed ? NULL : ck_log_add_rows(entry, 0, 0, rows->count);
    if (to) memcpy(to->items, rows->items, rows->count * sizeof *rows->items);
    else checker->order.failed = true;
}

/* Adds a work to a stream, and an entry for it.  Requires checker->lock. */
static struct ck_log_entry *add_work(struct ck_checker *checker, rill_stream *handle,
                                     const struct ck_what *what, bool overlaps,
                                     const struct ck_row_list *rows)
{
    struct ck_stream *stream = ck_stream_here(checker, handle);
    struct ck_work *work = stream ? ck_stream_add(&checker->order, stream, what, overlaps) : NULL;
    struct ck_log_entry *entry = work ? ck_log_add(&checker->log, work, checker->order.host) : NULL;
    if (entry) add_rows(checker, entry, rows);
    else checker->order.failed = true;
    if (entry && rows && what->kind != RILL_OP_HOST)
        ck_pinned_guard(checker, work, rows->items, rows->count, false);
    if (entry && checker->pinned.root && ck_takes_turns(work))
        ck_turn_guard(checker, work, ck_pinned_until(checker, work, false));
    if (entry && what->kind == RILL_OP_HOST) ck_pinned_guard_all(checker, work);
    ck_work_release(work);
    return entry;
}

/* Notes by which names a given schedule knows the newest operation of a stream, if an account is
 * given. */
static void name_work(const struct ck_checker *checker, rill_stream *stream, struct ck_work *work)
{
    const struct rill_schedule_ops *schedule = checker->beneath->schedule;
    if (!checker->court.account || !schedule || !schedule->newest) return;
    work->named_number = schedule->newest(stream, &work->named_stream);
}

struct ck_log_entry *ck_submit_begin(rill_stream *stream, const struct ck_what *what, bool overlaps,
                                     const struct ck_row_list *rows)
{
    struct ck_checker *checker = ck_enter(stream);
    if (!checker) return NULL;
    struct ck_log_entry *entry = add_work(checker, stream, what, overlaps, rows);
    ck_leave(checker);
    ck_watch_submitting(entry);
    return entry;
}

void ck_submit_end(rill_stream *stream, struct ck_log_entry *entry, rill_status status)
{
    ck_watch_submitting(NULL);
    struct ck_checker *checker = entry ? ck_enter(stream) : NULL;
    if (!checker) return;
    struct ck_stream *known = ck_stream_here(checker, stream);
    if (status && known) ck_stream_take_back(known, entry->work);
    if (!status) name_work(checker, stream, entry->work);
    entry->pending--;
    ck_leave(checker);
}

/* ---- What says all it touches -------------------------------------------------------------- */

/* Notes how the operation changes which allocations there are. */
static void note_change(struct ck_log_entry *entry, rill_stream *stream, const rill_op *op)
{
    if (op->kind == RILL_OP_ALLOC) {
        entry->change = CK_CHANGE_ADD;
        entry->kind = CK_BLOCK_POOL;
        entry->device = ck_device_of(rill_object_of(stream)->context);
        entry->base = op->alloc.address;
        entry->bytes = op->alloc.bytes;
    } else if (op->kind == RILL_OP_FREE) {
        entry->change = CK_CHANGE_REMOVE;
        entry->base = op->free.address;
    }
}

/* Adds a work that touches what its operation says, and an entry for it.  Requires
 * checker->lock. */
static struct ck_log_entry *add_plain(struct ck_checker *checker, rill_stream *stream,
                                      const rill_op *op, const void *site)
{
    const struct ck_what what = { .kind = op->kind, .site = site };
    struct ck_row_list rows;
    ck_row_list_init(&rows);
    ck_rows_of_op(&rows, checker->beneath, op);
    struct ck_log_entry *entry = add_work(checker, stream, &what, false, &rows);
    if (entry) {
        ck_flags_written(checker, &(struct ck_step){ .work = entry->work }, rows.items,
                         rows.count);
        note_change(entry, stream, op);
    }
    ck_row_list_fini(&rows);
    return entry;
}

/* A free is noted before it is submitted: the memory may be another thread's as soon as it is. */
static rill_status submit_free(rill_stream *stream, rill_op *op, const void *site)
{
    struct ck_checker *checker = ck_enter(stream);
    struct ck_log_entry *entry = checker ? add_plain(checker, stream, op, site) : NULL;
    if (checker) ck_leave(checker);
    rill_status status = ck_beneath(stream)->stream->submit(stream, op);
    ck_submit_end(stream, entry, status);
    ck_capture_mind_stream(stream, status, site, "rill_stream_submit");
    return status;
}

rill_status ck_submit_plain(rill_stream *stream, rill_op *op, const void *site)
{
    if (op->kind == RILL_OP_FREE) return submit_free(stream, op, site);
    enum ck_waits waits = ck_waits_in_stream(stream, op);
    rill_status status = ck_beneath(stream)->stream->submit(stream, op);
    struct ck_checker *checker = status ? NULL : ck_enter(stream);
    if (!checker) {
        ck_capture_mind_stream(stream, status, site, "rill_stream_submit");
        return status;
    }
    struct ck_log_entry *entry = add_plain(checker, stream, op, site);
    if (entry) {
        name_work(checker, stream, entry->work);
        entry->pending = 0;
        ck_waits_learn(checker, entry->work, waits);
    }
    ck_leave(checker);
    return status;
}

/* ---- Kernels and host functions ------------------------------------------------------------ */

/* Tells whether a kernel may touch memory before the kernel before it has ended. */
static bool may_overlap(rill_stream *stream, const rill_op *op)
{
    const struct rill_watch_ops *watch = ck_beneath(stream)->watch;
    if (op->kind != RILL_OP_KERNEL) return false;
    for (size_t i = 0; i < op->kernel.attribute_count; i++)
        if (op->kernel.attributes[i].id == RILL_ATTRIBUTE_PROGRAMMATIC_SERIALIZATION &&
            op->kernel.attributes[i].programmatic)
            return watch && watch->awaits_kernel && !watch->awaits_kernel(op->kernel.kernel);
    return false;
}

static const char *name_of(rill_stream *stream, const rill_op *op)
{
    const char *name = NULL;
    struct ck_checker *checker = op->kind == RILL_OP_KERNEL ? ck_enter(stream) : NULL;
    if (!checker) return NULL;
    name = ck_kernel_name(checker, op->kernel.kernel);
    ck_leave(checker);
    return name;
}

/* Adds where the argument of a host function points, if that is pinned memory: what it is given it
 * reads, at least there. */
static void add_argument(rill_stream *stream, const rill_op *op, struct ck_row_list *rows)
{
    struct ck_checker *checker = op->kind == RILL_OP_HOST ? ck_enter(stream) : NULL;
    const uint64_t address = checker ? (uintptr_t)op->host.data : 0;
    if (!checker) return;
    if (rl_ranges_at(&checker->pinned, address)) ck_rows_of_pointer(rows, address);
    ck_leave(checker);
}

rill_status ck_submit_running(rill_stream *stream, rill_op *op, const void *site)
{
    struct ck_row_list rows;
    ck_row_list_init(&rows);
    ck_rows_of_op(&rows, ck_beneath(stream), op);
    add_argument(stream, op, &rows);
    const struct ck_what what = { .kind = op->kind, .site = site, .name = name_of(stream, op) };
    struct ck_log_entry *entry = ck_submit_begin(stream, &what, may_overlap(stream, op), &rows);
    ck_row_list_fini(&rows);
    rill_status status = ck_beneath(stream)->stream->submit(stream, op);
    ck_submit_end(stream, entry, status);
    ck_capture_mind_stream(stream, status, site, "rill_stream_submit");
    return status;
}

/* ---- Values -------------------------------------------------------------------------------- */

static bool is_write(const rill_value *value)
{
    return value->kind == RILL_VALUE_WRITE_32 || value->kind == RILL_VALUE_WRITE_64;
}

static bool is_wait(const rill_value *value)
{
    return value->kind == RILL_VALUE_WAIT_32 || value->kind == RILL_VALUE_WAIT_64;
}

/* Has what follows in the stream come after what the wait waits for, and the operation itself if
 * it does more. */
static void follow_value(struct ck_checker *checker, struct ck_stream *stream,
                         struct ck_work *work, const rill_value *value, bool more)
{
    struct ck_order *order = &checker->order;
    const struct ck_step step = { .work = work };
    struct ck_clock *clock = ck_flags_wait(checker, &step, stream->known, value);
    const struct ck_event reached = { .recorded = true, .clock = clock };
    if (!clock) {
        order->failed = true;
        return;
    }
    ck_stream_follow(order, stream, clock, (struct ck_point){ CK_HOST_LINE, 0 });
    if (more) ck_event_wait_node(order, work, 0, &reached);
    ck_clock_release(clock);
}

/* Returns how many of the first values can be one work: a write that comes before a wait must not
 * come after it. */
static size_t count_together(const rill_values_op *values)
{
    size_t i = 0;
    while (i < values->count && !is_write(&values->items[i])) i++;
    while (i < values->count && !is_wait(&values->items[i])) i++;
    return i;
}

/* Adds a work for values that are one. */
static void add_values(struct ck_checker *checker, rill_stream *handle, const struct ck_what *what,
                       const rill_values_op *values)
{
    struct ck_row_list rows;
    struct ck_stream *stream = ck_stream_here(checker, handle);
    ck_row_list_init(&rows);
    ck_rows_of_values(&rows, values);
    struct ck_log_entry *entry = add_work(checker, handle, what, false, &rows);
    for (size_t i = 0; stream && entry && i < values->count; i++) {
        const rill_value *value = &values->items[i];
        if (is_write(value))
            ck_flags_write(checker, &(struct ck_step){ .work = entry->work }, value);
        else if (is_wait(value))
            follow_value(checker, stream, entry->work, value,
                         values->count > 1 || checker->court.account);
    }
    ck_row_list_fini(&rows);
    if (entry) name_work(checker, handle, entry->work);
    if (entry) entry->pending = 0;
}

rill_status ck_submit_values(rill_stream *handle, rill_op *op, const void *site)
{
    rill_status status = ck_beneath(handle)->stream->submit(handle, op);
    ck_capture_mind_stream(handle, status, site, "rill_stream_submit");
    struct ck_checker *checker = status ? NULL : ck_enter(handle);
    if (!checker) return status;
    const struct ck_what what = { .kind = op->kind, .site = site };
    rill_values_op left = op->values;
    do {
        rill_values_op together = left;
        together.count = count_together(&left);
        add_values(checker, handle, &what, &together);
        left.items += together.count;
        left.count -= together.count;
    } while (left.count);
    ck_leave(checker);
    return status;
}

/* ---- Events -------------------------------------------------------------------------------- */

static void tell_never(struct ck_checker *checker, const struct ck_what *what,
                       const struct ck_stream *stream)
{
    struct ck_verdict *verdict = ck_verdicts_add(&checker->verdicts, RILL_FINDING_HINT);
    if (!verdict) {
        checker->order.failed = true;
        return;
    }
    ck_verdict_set_call(verdict, 0, what, stream->who, stream->last.number);
    verdict->finding.ends[0].order = checker->order.serial << 20;
    verdict->finding.sentence =
        "a stream waits for an event that was never recorded, which orders nothing: meant in the "
        "first round of a ring of events, and else a record that is missing or comes too late";
}

/* Has the stream wait.  A site that waits for an event never recorded has a hint of its own. */
static void wait_for_event(struct ck_checker *checker, struct ck_stream *stream,
                           const struct ck_event *event, const struct ck_what *what, uint64_t ns)
{
    enum ck_wait orders = ck_event_wait(&checker->order, stream, event);
    if (!checker->hints) return;
    if (orders == CK_WAIT_NEVER) tell_never(checker, what, stream);
    ck_calls_count(checker, &(struct ck_call){ .kind = CK_CALL_EVENT_WAIT, .site = what->site,
                                               .stream = stream, .ns = ns,
                                               .orders = orders != CK_WAIT_REPEATS });
}

rill_status ck_submit_event(rill_stream *handle, rill_op *op, const void *site)
{
    bool record = op->kind == RILL_OP_EVENT_RECORD;
    bool timed = !record && ck_checker_of(handle)->hints;
    uint64_t since = timed ? rl_monotonic_ns() : 0;
    rill_status status = ck_beneath(handle)->stream->submit(handle, op);
    uint64_t ns = timed ? rl_monotonic_ns() - since : 0;
    /* A wait may have drawn the stream into a capture. */
    bool captured = !status && !record && ck_is_capturing(handle);
    if (captured) ck_note_captured(handle, op, site);
    struct ck_checker *checker = status || captured ? NULL : ck_enter(handle);
    if (!checker) {
        ck_capture_mind_stream(handle, status, site, record ? "event record" : "event wait");
        return status;
    }
    const struct ck_what what = { .kind = op->kind, .site = site };
    struct ck_stream *stream = ck_stream_here(checker, handle);
    struct ck_event_state *state = ck_event_state(op->event.event);
    if (!stream || !state) checker->order.failed = true;
    else if (record) ck_event_record(&checker->order, &state->event, stream, &what);
    else wait_for_event(checker, stream, &state->event, &what, ns);
    ck_leave(checker);
    return status;
}
