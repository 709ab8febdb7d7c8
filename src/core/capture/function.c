/* SPDX-License-Identifier: Apache-2.0
 *
 * rill_capture(): a capture around a function of the program's, which may do
 * anything.  When the function has returned, the stream is checked again.  If both
 * the function and the capture failed, one record holds both failures.
 */
#include <stdio.h>
#include <string.h>

#include "base/thread.h"
#include "core/capture/capture.h"
#include "core/graph/graph.h"
#include "core/object/check.h"
#include "core/object/error.h"
#include "core/stream/forks.h"

/* ---- What the function did ---------------------------------------------- */

void rl_note_function(struct rl_note *note, rill_status status, int recorded)
{
    const rill_error *last = rill_last_error();
    if (recorded && last->status == status) {
        rill_backend_fail(status, NULL, "%s failed in the function: %s", last->operation,
                          last->message);
        rill_error_cause cause = last->cause;
        if (!cause.status) {
            cause = (rill_error_cause){ .status = status, .thread = rl_thread_id() };
            snprintf(cause.operation, sizeof cause.operation, "%s", last->operation);
            snprintf(cause.object, sizeof cause.object, "%s", last->object);
        }
        rill_backend_fail_cause(&cause);
    } else {
        const char *name = rill_error_name(status);
        rill_backend_fail(status, NULL, "the function returned %s (%d)",
                          name ? name : "what is no status of this library", (int)status);
    }
    rl_take_note(note, NULL, status);
}

/* ---- What became of the capture ----------------------------------------- */

int rl_is_gone(const rill_stream *stream, const rill_context *context)
{
    return !rl_usable(context, RILL_OBJECT_CONTEXT) || !rl_usable(stream, RILL_OBJECT_STREAM);
}

static rill_status end_another(rill_stream *stream)
{
    rill_graph *graph = NULL;
    int made = 0;
    rl_end_capture(stream, &graph, &made);
    if (made) rl_graph_end(graph);
    return rill_backend_fail(RILL_ERROR_ILLEGAL_STATE, "fn",
                             "fn ended the capture itself and began another one, which was ended, "
                             "too; leave both to rill_capture()");
}

/* Ends the capture `id`, or any other one that the stream is in now. */
static rill_status end_capture(rill_stream *stream, uint64_t id, rill_graph **graph, int *made)
{
    rill_capture_info info = { .size = sizeof info };
    rill_status status = rl_capture_ops(stream)->info(stream, &info);
    if (!status && info.state == RILL_CAPTURE_NONE)
        return rill_backend_fail(RILL_ERROR_ILLEGAL_STATE, "fn",
                                 "fn ended the capture itself; leave that to rill_capture()");
    if (!status && info.state == RILL_CAPTURE_ACTIVE && id && info.id != id)
        return end_another(stream);
    return rl_end_capture(stream, graph, made);
}

/* ---- Both failures ------------------------------------------------------ */

#define NUMBER_BYTES 16

/* Returns the name of a status, or its number if a backend returned what is no status. */
static const char *status_name(rill_status status, char room[NUMBER_BYTES])
{
    const char *name = rill_error_name(status);
    if (!name) snprintf(room, NUMBER_BYTES, "%d", (int)status);
    return name ? name : room;
}

/* Puts one note about both failures, with the function's status, since it came first. */
static rill_status put_both(const struct rl_note *function, const struct rl_note *capture)
{
    if (!function->status) return capture->status ? rl_put_note(capture) : RILL_SUCCESS;
    if (!capture->status) return rl_put_note(function);
    char room[NUMBER_BYTES];
    /* If one call caused both failures, its sentence is enough. */
    int one = capture->cause.status && !strcmp(capture->cause.operation, function->cause.operation);
    rill_backend_fail(function->status, NULL, "%.*s; then the capture ended with %s%s%.120s",
                      one ? 310 : 200, function->message, status_name(capture->status, room),
                      one ? "" : ": ", one ? "" : capture->message);
    rill_backend_fail_cause(&function->cause);
    return function->status;
}

rill_status rl_capture(rill_stream *stream, const rill_capture_options *options,
                       rill_capture_fn fn, void *data, rill_graph **graph, enum rl_stage *stage)
{
    const rill_context *context = rill_object_of(stream)->context;
    struct rl_note function = { .status = RILL_SUCCESS }, broken = { .status = RILL_SUCCESS };
    int made = 0;
    *graph = NULL;
    *stage = RL_NOT_BEGUN;
    rill_status status = rl_capture_ops(stream)->begin(stream, options);
    if (status) return status;
    uint64_t id; /* 0 if not known */
    rl_capture_id(stream, &id);
    unsigned long failures = rl_failures();
    rl_drop_note();

    status = fn(stream, data);
    if (status) rl_note_function(&function, status, rl_failures() != failures);
    int gone = rl_is_gone(stream, context);
    status = gone ? rill_backend_fail(RILL_ERROR_ILLEGAL_STATE, "fn",
                                      "fn destroyed the stream, and the capture with it")
                  : end_capture(stream, id, graph, &made);
    if (status) rl_take_note(&broken, gone ? NULL : stream, status);

    *stage = function.status ? RL_IN_FUNCTION : broken.status ? RL_NOT_ENDED : RL_CAPTURED;
    if (function.status && made) rl_graph_end(*graph);
    if (function.status) *graph = NULL;
    return put_both(&function, &broken);
}

/* ---- The stream of the capture ------------------------------------------ */

void *rl_keep(rill_stream *stream)
{
    const struct rill_object *head = rill_object_of(stream);
    void *kept = head->owner ? (void *)head->context : (void *)stream;
    rl_retain(kept);
    return kept;
}

/* Ends a call as rl_finish() does, for a stream that may be gone. */
static rill_status finish_kept(const char *operation, rill_stream *stream, void *kept,
                               rill_status status)
{
    int there = kept == stream || rl_usable(kept, RILL_OBJECT_CONTEXT);
    rl_finish(operation, there ? stream : NULL, status);
    rl_release(kept);
    return status;
}

rill_status rill_capture(rill_stream *stream, const rill_capture_options *options,
                         rill_capture_fn fn, void *data, rill_graph **graph)
{
    rill_capture_options known;
    enum rl_stage stage;
    if (graph) *graph = NULL;
    rill_status status = rl_check(stream, RILL_OBJECT_STREAM, "stream");
    if (!status) status = rl_need(stream, rl_capture_ops(stream) != NULL, __func__);
    if (!status) status = rl_required((const void *)(uintptr_t)fn, "fn");
    if (!status) status = rl_required(graph, "graph");
    if (!status) status = rl_read_capture_options(options, &known, stream);
    if (status) return rl_finish(__func__, stream, status);
    void *kept = rl_keep(stream);
    status = rl_capture(stream, &known, fn, data, graph, &stage);
    return finish_kept(__func__, stream, kept, status);
}
