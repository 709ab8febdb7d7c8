/* SPDX-License-Identifier: Apache-2.0 */
#include "core/capture/capture.h"

#include "base/thread.h"
#include "core/graph/graph.h"
#include "core/object/check.h"
#include "core/object/error.h"
#include "core/object/options.h"
#include "core/stream/forks.h"

static const struct rill_capture_ops *capture_ops(const void *object)
{
    return rl_capture_ops(object);
}

/* Checks that the stream is live and its backend can capture. */
static rill_status check_stream(const rill_stream *stream, const char *operation)
{
    rill_status status = rl_check(stream, RILL_OBJECT_STREAM, "stream");
    if (!status) status = rl_need(stream, capture_ops(stream) != NULL, operation);
    return status;
}

rill_status rl_read_capture_options(const rill_capture_options *given, rill_capture_options *known,
                                    const rill_stream *stream)
{
    rill_status status = rl_read_options(given, known, sizeof *known, "options->size");
    if (!status && known->graph)
        status = rl_check_with(known->graph, RILL_OBJECT_GRAPH, "options->graph", stream);
    if (!status)
        status = rl_required_array(known->dependencies, known->dependency_count,
                                   "options->dependencies", "options->dependency_count");
    return status;
}

rill_status rill_stream_begin_capture(rill_stream *stream, const rill_capture_options *options)
{
    rill_capture_options known;
    rill_status status = check_stream(stream, __func__);
    if (!status) status = rl_read_capture_options(options, &known, stream);
    if (!status) status = capture_ops(stream)->begin(stream, &known);
    return rl_finish(__func__, stream, status);
}

/* Tells whether the capture made the graph: such a graph is still the context's; one that the
 * capture was begun into is the caller's, or lives inside another graph. */
static int is_made(const rill_graph *graph)
{
    const struct rill_object *head = rill_object_of(graph);
    return head->owner && (const void *)head->owner == (const void *)head->context;
}

rill_status rl_end_capture(rill_stream *stream, rill_graph **graph, int *made)
{
    rill_graph *captured = NULL;
    uint64_t id = 0; /* with 0 no stream is named */
    if (rl_any_forks(stream)) rl_capture_id(stream, &id);
    rill_status status = capture_ops(stream)->end(stream, &captured);
    *graph = status ? NULL : captured;
    *made = *graph && is_made(captured);
    if (*made) rl_adopt(captured);
    if (id) rl_forks_end_capture(stream, id, status);
    if (status == RILL_ERROR_STREAM_CAPTURE_UNJOINED && !rl_noted_status(RILL_SUCCESS))
        rill_backend_fail(status, "stream",
                          "work of another stream is in the capture and is not joined; have stream "
                          "wait for an event behind it before the capture ends");
    return status;
}

rill_status rill_stream_end_capture(rill_stream *stream, rill_graph **graph)
{
    int made = 0;
    rill_graph *captured = NULL;
    rill_status status = check_stream(stream, __func__);
    if (!status) status = rl_end_capture(stream, &captured, &made);
    if (graph) *graph = captured;
    else if (made) rl_graph_end(captured);
    return rl_finish(__func__, stream, status);
}

rill_status rill_stream_capture_info(rill_stream *stream, rill_capture_info *info)
{
    rill_capture_info full = { .size = sizeof full };
    rill_status status = check_stream(stream, __func__);
    if (!status) status = rl_required(info, "info");
    if (!status && info->size != sizeof full)
        status = rl_check_output(info, sizeof full, "info->size");
    if (!status) status = capture_ops(stream)->info(stream, &full);
    if (!status && !full.state && info->size == sizeof full)
        *info = (rill_capture_info){ .size = sizeof full }; /* without the backend: asked often */
    else if (!status)
        rl_write_output(info, &full, sizeof full);
    return rl_finish(__func__, stream, status);
}

rill_status rill_stream_update_capture(rill_stream *stream, const rill_node *dependencies,
                                       const rill_edge *edges, size_t count,
                                       rill_capture_update how)
{
    rill_status status = check_stream(stream, __func__);
    if (!status) status = rl_required_array(dependencies, count, "dependencies", "count");
    if (!status) status = capture_ops(stream)->update(stream, dependencies, edges, count, how);
    return rl_finish(__func__, stream, status);
}

rill_status rill_thread_exchange_capture_mode(rill_platform *platform, rill_capture_mode *mode)
{
    rill_status status = rl_check(platform, RILL_OBJECT_PLATFORM, "platform");
    if (!status) status = rl_required(mode, "mode");
    if (!status) status = rl_need(platform, capture_ops(platform) != NULL, __func__);
    if (!status) status = capture_ops(platform)->exchange_mode(platform, mode);
    return rl_finish(__func__, platform, status);
}

/* ---- Guards ------------------------------------------------------------- */

rill_capture_guard rill_capture_relax(rill_platform *platform)
{
    rill_capture_guard guard = { NULL, RILL_CAPTURE_RELAXED, rl_thread_id() };
    rill_status status = rl_check(platform, RILL_OBJECT_PLATFORM, "platform");
    if (!status) status = rl_need(platform, capture_ops(platform) != NULL, __func__);
    if (!status) status = capture_ops(platform)->exchange_mode(platform, &guard.mode);
    if (!status) guard.platform = platform;
    rl_finish(__func__, platform, status);
    return guard;
}

static rill_status restore_mode(rill_capture_guard *guard)
{
    rill_status status = rl_check(guard->platform, RILL_OBJECT_PLATFORM, "guard->platform");
    if (status) return status;
    if (guard->thread != rl_thread_id())
        return rill_backend_fail(RILL_ERROR_STREAM_CAPTURE_WRONG_THREAD, "guard",
                                 "guard was made by another thread, whose mode it is; restore it "
                                 "there");
    rill_capture_mode mode = guard->mode;
    status = capture_ops(guard->platform)->exchange_mode(guard->platform, &mode);
    if (!status) guard->platform = NULL;
    return status;
}

rill_status rill_capture_restore(rill_capture_guard *guard)
{
    rill_status status = rl_required(guard, "guard");
    rill_platform *platform = guard ? guard->platform : NULL;
    if (!status && platform) status = restore_mode(guard);
    return rl_finish(__func__, platform, status);
}
