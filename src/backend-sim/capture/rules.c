/* SPDX-License-Identifier: Apache-2.0
 *
 * Which calls captures permit, as measured: one table, and the few rules that read
 * it.
 *
 * The mode of a capture says to which threads it forbids unsafe calls: GLOBAL to the thread that
 * began it and to all whose own mode is GLOBAL, THREAD_LOCAL to the thread that began it,
 * RELAXED to none.  A thread whose own mode is RELAXED is exempt.  A forbidden call is refused
 * and breaks all captures that forbid it.
 */
#include "backend-sim/capture/capture.h"
#include "backend-sim/stream/event.h"

enum rule_marks {
    UNSAFE = 1,    /* threads may be forbidden to call it                        */
    OF_OBJECT = 2, /* on a stream, event or context: UNSAFE only if the object takes
                      no part in a capture                                       */
    BREAKS = 4,    /* refused on a stream that captures, and breaks its capture  */
    LEGACY = 8,    /* refused on the legacy stream while blocking streams of its
                      context capture, and breaks their captures                 */
    HARMLESS = 16  /* breaks no capture when it is refused                       */
};

static const struct rule {
    const char *name;
    unsigned marks;
} rules[CALL_COUNT] = {
    [CALL_STREAM_QUERY] = { "rill_stream_query", UNSAFE | OF_OBJECT | BREAKS | LEGACY },
    [CALL_STREAM_SYNCHRONIZE] = { "rill_stream_synchronize", UNSAFE | OF_OBJECT | BREAKS | LEGACY },
    [CALL_STREAM_CALLBACK] = { "rill_stream_add_callback", OF_OBJECT | BREAKS | LEGACY },
    [CALL_STREAM_ATTACH] = { "rill_stream_attach", OF_OBJECT | BREAKS | LEGACY },
    [CALL_STREAM_ID] = { "rill_stream_id", OF_OBJECT | LEGACY },
    [CALL_STREAM_FLAGS] = { "rill_stream_flags", OF_OBJECT | BREAKS | LEGACY },
    [CALL_STREAM_PRIORITY] = { "rill_stream_priority", OF_OBJECT | LEGACY },
    [CALL_STREAM_GET_ATTRIBUTE] = { "rill_stream_get_attribute", OF_OBJECT | LEGACY },
    [CALL_STREAM_SET_ATTRIBUTE] = { "rill_stream_set_attribute", OF_OBJECT | LEGACY },
    [CALL_STREAM_COPY_ATTRIBUTES] = { "rill_stream_copy_attributes", OF_OBJECT | LEGACY },
    [CALL_EVENT_QUERY] = { "rill_event_query", UNSAFE | OF_OBJECT | BREAKS },
    [CALL_EVENT_SYNCHRONIZE] = { "rill_event_synchronize", UNSAFE | OF_OBJECT | BREAKS },
    [CALL_EVENT_ELAPSED] = { "rill_event_elapsed", OF_OBJECT | HARMLESS },
    [CALL_SUBMIT] = { "rill_stream_submit", OF_OBJECT | LEGACY },
    [CALL_SUBMIT_WORK] = { "rill_stream_submit", OF_OBJECT | LEGACY },
    [CALL_SUBMIT_ALLOC] = { "stream-ordered allocation or free", UNSAFE | OF_OBJECT | LEGACY },
    [CALL_MEMORY_RUN] = { "synchronous copy or fill", OF_OBJECT | LEGACY },
    [CALL_EXEC_LAUNCH] = { "rill_exec_launch", OF_OBJECT | BREAKS | LEGACY },
    [CALL_EXEC_UPLOAD] = { "rill_exec_upload", OF_OBJECT | BREAKS | LEGACY },
    [CALL_CAPTURE_BEGIN] = { "rill_stream_begin_capture", OF_OBJECT | LEGACY },
    [CALL_CAPTURE_END] = { "rill_stream_end_capture", OF_OBJECT | LEGACY },
    [CALL_CAPTURE_INFO] = { "rill_stream_capture_info", OF_OBJECT | LEGACY | HARMLESS },
    [CALL_CAPTURE_UPDATE] = { "rill_stream_update_capture", OF_OBJECT | LEGACY },
    [CALL_CONTEXT_SYNCHRONIZE] = { "rill_context_synchronize", OF_OBJECT | BREAKS },
    [CALL_EXEC_CREATE] = { "rill_exec_create", UNSAFE },
    [CALL_EXEC_DESTROY] = { "rill_exec_destroy", UNSAFE },
    [CALL_MEM_ALLOC] = { "rill_mem_alloc", UNSAFE },
    [CALL_MEM_ALLOC_PITCH] = { "rill_mem_alloc_pitch", UNSAFE },
    [CALL_MEM_ALLOC_MANAGED] = { "rill_mem_alloc_managed", UNSAFE },
    [CALL_MEM_FREE] = { "rill_mem_free", UNSAFE },
    [CALL_HOST_ALLOC] = { "rill_host_alloc", UNSAFE },
    [CALL_HOST_FREE] = { "rill_host_free", UNSAFE },
    [CALL_HOST_REGISTER] = { "rill_host_register", UNSAFE },
    [CALL_HOST_UNREGISTER] = { "rill_host_unregister", UNSAFE },
    [CALL_SYNC_MEMOPS] = { "rill_pointer_set_sync_memops", UNSAFE },
    [CALL_POOL_CREATE] = { "rill_pool_create", UNSAFE },
    [CALL_POOL_DESTROY] = { "rill_pool_destroy", UNSAFE },
    [CALL_POOL_TRIM] = { "rill_pool_trim", UNSAFE },
    [CALL_POOL_GET] = { "rill_pool_get_attribute", UNSAFE },
    [CALL_POOL_SET] = { "rill_pool_set_attribute", UNSAFE },
    [CALL_POOL_GET_ACCESS] = { "rill_pool_get_access", UNSAFE },
    [CALL_POOL_SET_ACCESS] = { "rill_pool_set_access", UNSAFE },
    [CALL_POOL_SET_CURRENT] = { "rill_device_set_pool", UNSAFE },
    [CALL_MODULE_UNLOAD] = { "rill_module_unload", UNSAFE },
    [CALL_OTHER_UNSAFE] = { "rill_sim_permits", UNSAFE },
    [CALL_OTHER_ORDERS] = { "rill_sim_permits", OF_OBJECT | BREAKS },
};

const char *sim_call_name(enum sim_call call)
{
    return rules[call].name;
}

/* ---- Calls that threads are forbidden -------------------------------------------- */

_Thread_local rill_capture_mode sim_thread_capture_mode = RILL_CAPTURE_GLOBAL;

uint64_t sim_thread_number(void)
{
    static atomic_uint_least64_t last;
    static _Thread_local uint64_t mine;
    if (!mine) mine = atomic_fetch_add_explicit(&last, 1, memory_order_relaxed) + 1;
    return mine;
}

static bool forbids_caller(const struct capture *capture)
{
    if (capture->mode == RILL_CAPTURE_RELAXED) return false;
    return capture->thread == sim_thread_number() ||
           (capture->mode == RILL_CAPTURE_GLOBAL && sim_thread_capture_mode == RILL_CAPTURE_GLOBAL);
}

/* Refuses an unsafe call; `capture` is the first that forbids it. */
static rill_status refuse_unsafe(const struct capture *capture, enum sim_call call)
{
    char stream[RILL_LABEL_MAX];
    sim_describe_object("stream", capture->first->stream->handle, stream);
    bool own = capture->thread == sim_thread_number();
    return rill_backend_fail(RILL_ERROR_STREAM_CAPTURE_UNSUPPORTED, NULL,
                             "%s() is unsafe while %s captures in %s mode%s, and broke the "
                             "capture; call it before or after, or let the thread be relaxed with "
                             "rill_thread_exchange_capture_mode()", rules[call].name, stream,
                             capture->mode == RILL_CAPTURE_GLOBAL ? "global" : "thread-local",
                             own ? "" : " in another thread");
}

/* Requires captures_lock. */
static rill_status check_unsafe(struct sim_platform *platform, enum sim_call call,
                                const char *object)
{
    rill_status status = RILL_SUCCESS;
    const uint64_t number = sim_capture_call();
    if (sim_thread_capture_mode == RILL_CAPTURE_RELAXED) return status;
    for (struct capture *capture = platform->captures; capture; capture = capture->next) {
        if (!forbids_caller(capture)) continue;
        if (!status) status = refuse_unsafe(capture, call);
        sim_capture_break(capture, number, status, rules[call].name, object);
    }
    return status;
}

rill_status sim_capture_permits(struct sim_platform *platform, enum sim_call call)
{
    if ((rules[call].marks & (UNSAFE | OF_OBJECT)) != UNSAFE) return RILL_SUCCESS;
    sim_captures_lock(platform);
    rill_status status = check_unsafe(platform, call, "");
    sim_captures_unlock(platform);
    return status;
}

/* ---- Calls on streams --------------------------------------------------------------- */

static bool has_blocking(const struct capture *capture, const struct sim_context *context)
{
    const struct participant *part = capture->first;
    while (part && !(part->stream && !part->stream->non_blocking &&
                     part->stream->context == context))
        part = part->next;
    return part;
}

/* Requires captures_lock. */
static rill_status check_legacy(struct sim_stream *legacy, enum sim_call call)
{
    const struct rule *rule = &rules[call];
    const uint64_t number = sim_capture_call();
    rill_status status = RILL_SUCCESS;
    char object[RILL_LABEL_MAX];
    sim_describe_object("stream", legacy->handle, object);
    for (struct capture *capture = legacy->context->platform->captures; capture;
         capture = capture->next) {
        if (!has_blocking(capture, legacy->context)) continue;
        status = rill_backend_fail(RILL_ERROR_STREAM_CAPTURE_IMPLICIT, "stream",
                                   "%s() on the legacy stream would depend on blocking streams "
                                   "that are capturing%s; capture in streams with "
                                   "RILL_STREAM_NON_BLOCKING, or use another stream", rule->name,
                                   rule->marks & HARMLESS ? "" : ", and broke the capture");
        if (!(rule->marks & HARMLESS))
            sim_capture_break(capture, number, status, rule->name, object);
    }
    return status;
}

/* Requires captures_lock. */
static rill_status refuse_captured(struct sim_stream *stream, enum sim_call call)
{
    char object[RILL_LABEL_MAX];
    sim_describe_object("stream", stream->handle, object);
    rill_status status = rill_backend_fail(RILL_ERROR_STREAM_CAPTURE_UNSUPPORTED, "stream",
                                           "%s() is not possible on %s while it captures, and "
                                           "broke the capture", rules[call].name, object);
    sim_capture_break(stream->participant->capture, sim_capture_call(), status, rules[call].name,
                      object);
    return status;
}

rill_status sim_capture_permits_stream(struct sim_stream *stream, enum sim_call call)
{
    struct sim_platform *platform = stream->context->platform;
    unsigned marks = rules[call].marks;
    if (!marks) return RILL_SUCCESS;
    char object[RILL_LABEL_MAX];
    rill_status status = RILL_SUCCESS;
    sim_captures_lock(platform);
    if (stream->kind == STREAM_LEGACY && (marks & LEGACY)) status = check_legacy(stream, call);
    if (!status && stream->participant) {
        if (marks & BREAKS) status = refuse_captured(stream, call);
    } else if (!status && (marks & UNSAFE)) {
        sim_describe_object("stream", stream->handle, object);
        status = check_unsafe(platform, call, object);
    }
    sim_captures_unlock(platform);
    return status;
}

/* ---- Calls on events ---------------------------------------------------------------- */

/* Requires captures_lock. */
static rill_status refuse_captured_event(struct capture *capture, rill_event *event,
                                         enum sim_call call)
{
    char object[RILL_LABEL_MAX];
    sim_describe_object("event", event, object);
    if (capture->state != RILL_CAPTURE_ACTIVE)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "event",
                                 "%s was last recorded in a capture that has ended or was broken, "
                                 "and stands for nothing; record it anew", object);
    rill_status status = rill_backend_fail(RILL_ERROR_CAPTURED_EVENT, "event",
                                           "%s was last recorded in a capture, where nothing has "
                                           "happened yet, when %s() asked for it", object,
                                           rules[call].name);
    if (!(rules[call].marks & HARMLESS))
        sim_capture_break(capture, sim_capture_call(), status, rules[call].name, object);
    return status;
}

rill_status sim_capture_permits_event(rill_event *handle, enum sim_call call)
{
    struct sim_event *event = sim_event_of(handle);
    struct sim_platform *platform = event->context->platform;
    rill_status status = RILL_SUCCESS;
    struct captured_nodes *captured = sim_captured_nodes(event->state);
    sim_captures_lock(platform);
    if (captured) {
        status = refuse_captured_event(captured->capture, handle, call);
    } else if (rules[call].marks & UNSAFE) {
        char object[RILL_LABEL_MAX];
        sim_describe_object("event", handle, object);
        status = check_unsafe(platform, call, object);
    }
    sim_captures_unlock(platform);
    sim_captured_nodes_release(captured);
    return status;
}

/* ---- Calls on contexts ---------------------------------------------------------------- */

static bool has_stream(const struct capture *capture, const struct sim_context *context)
{
    for (const struct participant *other = capture->first; other; other = other->next)
        if (other->stream && other->stream->context == context) return true;
    return false;
}

rill_status sim_capture_permits_context(struct sim_context *context, enum sim_call call)
{
    struct sim_platform *platform = context->platform;
    const uint64_t number = sim_capture_call();
    rill_status status = RILL_SUCCESS;
    char object[RILL_LABEL_MAX];
    sim_describe_object("context", context->handle, object);
    sim_captures_lock(platform);
    for (struct capture *capture = platform->captures; capture; capture = capture->next) {
        if (!has_stream(capture, context)) continue;
        status = rill_backend_fail(RILL_ERROR_STREAM_CAPTURE_UNSUPPORTED, "context",
                                   "%s() would wait for streams that are capturing, and broke "
                                   "their captures", rules[call].name);
        sim_capture_break(capture, number, status, rules[call].name, object);
    }
    sim_captures_unlock(platform);
    return status;
}
