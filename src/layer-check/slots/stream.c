/* SPDX-License-Identifier: Apache-2.0
 *
 * Streams: what is submitted to them, and what the host learns of them.
 */
#include <rill/check.h>

#include "layer-check/access/rows.h"
#include "site/site.h"
#include "layer-check/slots/attach.h"
#include "layer-check/slots/calls.h"
#include "layer-check/slots/objects.h"
#include "layer-check/slots/pinned.h"
#include "layer-check/slots/submit.h"

/* ---- Default streams ----------------------------------------------------------------------- */

static rill_stream *check_legacy(rill_context *context)
{
    rill_stream *stream = ck_beneath(context)->stream->legacy(context);
    struct ck_checker *checker = stream ? ck_enter(context) : NULL;
    if (!checker) return stream;
    struct ck_context_word *word = ck_context_word(context);
    if (word) word->legacy = stream;
    ck_leave(checker);
    return stream;
}

static rill_stream *check_per_thread(rill_context *context)
{
    rill_stream *stream = ck_beneath(context)->stream->per_thread(context);
    struct ck_checker *checker = stream ? ck_enter(context) : NULL;
    if (!checker) return stream;
    struct ck_context_word *word = ck_context_word(context);
    if (word) word->per_thread = stream;
    ck_leave(checker);
    return stream;
}

static rill_status check_create(rill_stream *stream, const rill_stream_options *options)
{
    const void *site = cs_site_here();
    rill_status status = ck_beneath(stream)->stream->create(stream, options);
    if (!status) ck_object_made(stream, RILL_OBJECT_STREAM, site);
    struct ck_checker *checker = status ? NULL : ck_enter(stream);
    if (!checker) return status;
    ck_stream_here(checker, stream); /* now, so that the legacy stream knows of it */
    ck_leave(checker);
    return status;
}

/* ---- Submitting ---------------------------------------------------------------------------- */

static rill_status check_submit(rill_stream *stream, rill_op *op)
{
    const void *site = cs_site_here();
    if (ck_is_capturing(stream)) return ck_submit_captured(stream, op, site);
    switch (op->kind) {
    case RILL_OP_EVENT_RECORD:
    case RILL_OP_EVENT_WAIT: return ck_submit_event(stream, op, site);
    case RILL_OP_VALUES: return ck_submit_values(stream, op, site);
    case RILL_OP_KERNEL:
    case RILL_OP_HOST: return ck_submit_running(stream, op, site);
    default: return ck_submit_plain(stream, op, site);
    }
}

static rill_status check_copy_row(rill_stream *stream, rill_memory_kind dst_kind, rill_devptr dst,
                                  rill_memory_kind src_kind, rill_devptr src, size_t bytes)
{
    rill_op op = { .kind = RILL_OP_MEMCPY,
                   .memcpy = { .dst = { .kind = dst_kind, .address = dst },
                               .src = { .kind = src_kind, .address = src },
                               .width = bytes, .height = 1, .depth = 1 } };
    return check_submit(stream, &op);
}

static rill_status check_fill_row(rill_stream *stream, rill_devptr dst, uint32_t value,
                                  uint32_t element_bytes, size_t count)
{
    rill_op op = { .kind = RILL_OP_MEMSET,
                   .memset = { .dst = dst, .value = value, .element_bytes = element_bytes,
                               .width = count, .height = 1 } };
    return check_submit(stream, &op);
}

static rill_status check_callback(rill_stream *stream, rill_stream_callback callback, void *data,
                                  uint32_t flags)
{
    const struct ck_what what = { .kind = RILL_OP_HOST, .site = cs_site_here() };
    struct ck_log_entry *entry = ck_submit_begin(stream, &what, false, NULL);
    rill_status status = ck_beneath(stream)->stream->add_callback(stream, callback, data, flags);
    ck_submit_end(stream, entry, status);
    ck_capture_mind_stream(stream, status, what.site, "rill_stream_add_callback");
    return status;
}

static rill_status check_attach(rill_stream *handle, rill_devptr address, size_t bytes,
                                uint32_t flags)
{
    const void *site = cs_site_here();
    rill_status status = ck_beneath(handle)->stream->attach(handle, address, bytes, flags);
    struct ck_checker *checker = status ? NULL : ck_enter(handle);
    if (!checker) {
        ck_capture_mind_stream(handle, status, site, "rill_stream_attach");
        return status;
    }
    struct ck_stream *stream = checker->managed ? ck_stream_here(checker, handle) : NULL;
    if (stream) ck_attach_note(checker, stream, address, flags, site);
    ck_leave(checker);
    return status;
}

/* ---- What the host learns ------------------------------------------------------------------ */

/* Returns whether that was news. */
static bool learn_stream(rill_stream *handle)
{
    struct ck_checker *checker = ck_enter(handle);
    bool news = true;
    if (!checker) return news;
    struct ck_stream *stream = ck_stream_here(checker, handle);
    if (stream) {
        ck_values_give_up(&checker->values, &checker->order, stream->known);
        news = ck_host_learns_stream(&checker->order, stream);
        ck_pinned_release(checker);
    }
    ck_leave(checker);
    return news;
}

static rill_status check_query(rill_stream *stream)
{
    rill_status status = ck_beneath(stream)->stream->query(stream);
    if (!status) learn_stream(stream);
    else if (status != RILL_ERROR_NOT_READY)
        ck_capture_mind_stream(stream, status, cs_site_here(), "rill_stream_query");
    return status;
}

static rill_status check_synchronize(rill_stream *stream)
{
    const struct ck_waiting waiting = ck_waiting_begin(stream);
    rill_status status = ck_beneath(stream)->stream->synchronize(stream);
    bool news = status || learn_stream(stream);
    ck_waiting_end(&waiting, stream, CK_CALL_STREAM_SYNCHRONIZE, news);
    if (status) ck_capture_mind_stream(stream, status, cs_site_here(), "rill_stream_synchronize");
    return status;
}

static rill_status check_destroy(rill_stream *stream)
{
    struct ck_checker *checker = ck_checker_of(stream);
    struct ck_closing closing;
    uint64_t id = 0;
    if (checker->managed) ck_beneath(stream)->stream->id(stream, &id);
    ck_object_gone(stream);
    ck_closing_begin(&closing, stream);
    rill_status status = ck_beneath(stream)->stream->destroy(stream);
    ck_closing_end(&closing, checker);
    if (!status && checker->managed && ck_enter_checker(checker)) {
        ck_attach_lose(checker, id);
        ck_leave(checker);
    }
    return status;
}

const struct rill_stream_ops ck_stream_slots = {
    .create = check_create, .destroy = check_destroy, .legacy = check_legacy,
    .per_thread = check_per_thread,
    .submit = check_submit, .copy_row = check_copy_row, .fill_row = check_fill_row,
    .add_callback = check_callback, .query = check_query, .synchronize = check_synchronize,
    .attach = check_attach,
};
