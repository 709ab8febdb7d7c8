/* SPDX-License-Identifier: Apache-2.0
 *
 * The list of the captures that were begun through rill, and what broke them.
 */
#include "backend-cuda/context/capture_list.h"

#include <stdatomic.h>
#include <stdio.h>

#include "base/thread.h"

/* The captures of all platforms: the driver knows no platforms, and a failure does not say
 * where it belongs. */
static struct rl_lock captures_lock;
static struct cuda_capture *captures; /* captures_lock */
static atomic_int capture_count;      /* stored under captures_lock, read without */

struct rl_lock cuda_capture_turn;

/* ---- The list ---------------------------------------------------------------------------- */

static uint64_t thread_of_stream(const struct cuda_stream *stream)
{
    return stream->is_default ? rl_thread_id() : 0;
}

/* Returns the link to the capture, or the last link, which is NULL.  Requires
 * captures_lock. */
static struct cuda_capture **find_capture(const struct cuda_stream *stream, uint64_t thread)
{
    struct cuda_capture **link = &captures;
    while (*link && ((*link)->first != stream || (*link)->thread != thread)) link = &(*link)->next;
    return link;
}

/* Returns the capture, or NULL if the link is.  Requires captures_lock. */
static struct cuda_capture *unlist_capture(struct cuda_capture **link)
{
    struct cuda_capture *capture = *link;
    if (!capture) return NULL;
    *link = capture->next;
    atomic_store(&capture_count, atomic_load(&capture_count) - 1);
    return capture;
}

struct cuda_capture *cuda_capture_list(struct cuda_capture *capture)
{
    capture->thread = thread_of_stream(capture->first);
    rl_lock(&captures_lock);
    struct cuda_capture *before = unlist_capture(find_capture(capture->first, capture->thread));
    capture->next = captures;
    captures = capture;
    atomic_store(&capture_count, atomic_load(&capture_count) + 1);
    rl_unlock(&captures_lock);
    return before;
}

struct cuda_capture *cuda_capture_take_off(struct cuda_stream *stream)
{
    rl_lock(&captures_lock);
    struct cuda_capture *capture = unlist_capture(find_capture(stream, thread_of_stream(stream)));
    rl_unlock(&captures_lock);
    return capture;
}

/* Takes off a capture that was begun in the stream by any thread. */
static struct cuda_capture *unlist_of_any_thread(const struct cuda_stream *stream)
{
    struct cuda_capture **link = &captures;
    rl_lock(&captures_lock);
    while (*link && (*link)->first != stream) link = &(*link)->next;
    struct cuda_capture *capture = unlist_capture(link);
    rl_unlock(&captures_lock);
    return capture;
}

void cuda_capture_forget_stream(struct cuda_stream *stream)
{
    struct cuda_capture *capture;
    if (!atomic_load(&capture_count)) return;
    while ((capture = unlist_of_any_thread(stream))) capture->owner->drop(capture);
}

void cuda_capture_forget_graph(const rill_graph *graph)
{
    if (!atomic_load(&capture_count)) return;
    rl_lock(&captures_lock);
    for (struct cuda_capture *capture = captures; capture; capture = capture->next)
        if (capture->graph == graph && !capture->graph_is_ours) capture->graph = NULL;
    rl_unlock(&captures_lock);
}

bool cuda_capture_goes_into(const rill_graph *graph)
{
    if (!atomic_load(&capture_count)) return false;
    rl_lock(&captures_lock);
    const struct cuda_capture *capture = captures;
    while (capture && capture->graph != graph) capture = capture->next;
    rl_unlock(&captures_lock);
    return capture != NULL;
}

rill_status cuda_capture_graph_of(uint64_t id, CUgraph raw, rill_graph **graph)
{
    rill_status status = RILL_SUCCESS;
    rl_lock(&captures_lock);
    struct cuda_capture *capture = captures;
    while (capture && capture->id != id) capture = capture->next;
    if (capture && !capture->graph) status = capture->owner->own_graph(capture, raw);
    *graph = capture && !status ? capture->graph : NULL;
    rl_unlock(&captures_lock);
    return status;
}

/* ---- What broke a capture ------------------------------------------------------------------ */

/* Gives the name of a call to the captures that it broke.  The thread's error record is that
 * of the call by now, and knows what it was called on. */
static void name_call(void *data, uint64_t call, const char *operation)
{
    (void)data;
    rl_lock(&captures_lock);
    for (struct cuda_capture *capture = captures; capture; capture = capture->next) {
        if (capture->call != call) continue;
        capture->call = 0;
        snprintf(capture->cause.operation, sizeof capture->cause.operation, "%s", operation);
        snprintf(capture->cause.object, sizeof capture->cause.object, "%s",
                 rill_last_error()->object);
    }
    rl_unlock(&captures_lock);
}

/* A per-thread stream of another thread cannot be asked. */
static bool is_broken(const struct cuda_capture *capture)
{
    CUstreamCaptureStatus state = CU_STREAM_CAPTURE_STATUS_NONE;
    if (capture->thread && capture->thread != rl_thread_id()) return false;
    return !cuda_api.StreamIsCapturing(capture->first->raw, &state) &&
           state == CU_STREAM_CAPTURE_STATUS_INVALIDATED;
}

/* Requires captures_lock. */
static bool note_if_broken(struct cuda_capture *capture, rill_status status, uint64_t call)
{
    if (capture->cause.status || !is_broken(capture)) return false;
    capture->cause.status = status;
    capture->cause.thread = rl_thread_id();
    capture->cause.time_ns = rl_monotonic_ns();
    capture->call = call;
    return true;
}

void cuda_capture_suffered(rill_status status)
{
    if (!atomic_load_explicit(&capture_count, memory_order_relaxed)) return;
    static uint64_t last_call; /* captures_lock */
    bool broke = false;
    rl_lock(&captures_lock);
    uint64_t call = ++last_call;
    for (struct cuda_capture *capture = captures; capture; capture = capture->next)
        broke |= note_if_broken(capture, status, call);
    rl_unlock(&captures_lock);
    if (broke) rill_backend_fail_told(name_call, NULL, call);
}

/* Returns the capture that the stream is in, if it is known to be broken, or NULL.  The driver
 * does not say which one that is: it is the capture that was begun in the stream, else the
 * one that broke last, which is the right one if there is only one.  Requires
 * captures_lock. */
static const struct cuda_capture *find_broken_capture(const struct cuda_stream *stream)
{
    const struct cuda_capture *latest = NULL;
    const struct cuda_capture *here = *find_capture(stream, thread_of_stream(stream));
    if (here) return here->cause.status ? here : NULL;
    for (const struct cuda_capture *capture = captures; capture; capture = capture->next)
        if (capture->cause.status && (!latest || capture->cause.time_ns > latest->cause.time_ns))
            latest = capture;
    return latest;
}

void cuda_capture_recall(const struct cuda_stream *stream)
{
    rill_error_cause cause;
    rl_lock(&captures_lock);
    const struct cuda_capture *capture = find_broken_capture(stream);
    if (capture) cause = capture->cause;
    rl_unlock(&captures_lock);
    if (!capture) return;
    rill_backend_fail(RILL_ERROR_STREAM_CAPTURE_INVALIDATED, "stream",
                      "the capture was broken by %s%s%s in thread %llu; end it where it was begun "
                      "with rill_stream_end_capture() (the driver: %s)", cause.operation,
                      cause.object[0] ? " on " : "", cause.object,
                      (unsigned long long)cause.thread,
                      cuda_text(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED));
    rill_backend_fail_cause(&cause);
}

void cuda_capture_tell(char text[RILL_LABEL_MAX])
{
    text[0] = '\0';
    if (atomic_load_explicit(&capture_count, memory_order_relaxed) != 1) return;
    rl_lock(&captures_lock);
    if (captures && !captures->next) {
        const rill_stream *stream = cuda_stream_handle(captures->first);
        const char *label = rill_stream_label(stream);
        if (label) snprintf(text, RILL_LABEL_MAX, "stream '%s'", label);
        else snprintf(text, RILL_LABEL_MAX, "stream %llu",
                      (unsigned long long)rill_object_of(stream)->id);
    }
    rl_unlock(&captures_lock);
}
