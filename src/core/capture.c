/* SPDX-License-Identifier: Apache-2.0 */
#include "core/check.h"
#include "core/error.h"
#include "core/options.h"

/* NULL for a backend that cannot capture. */
static const struct rill_capture_ops *ops(const void *object)
{
    return rl_backend(object)->capture;
}

/* A live stream whose backend can capture. */
static rill_status check_stream(const rill_stream *stream, const char *operation)
{
    rill_status status = rl_check(stream, RILL_OBJECT_STREAM, "stream");
    if (!status) status = rl_need(stream, ops(stream) != NULL, operation);
    return status;
}

static rill_status read_options(const rill_capture_options *given, rill_capture_options *known,
                                const rill_stream *stream)
{
    rill_status status = rl_read_options(given, known, sizeof *known, "options->size");
    if (!status && known->graph)
        status = rl_check_with(known->graph, RILL_OBJECT_GRAPH, "options->graph", stream);
    if (!status)
        status = rl_required_array(known->dependencies, known->dependency_count,
                                   "options->dependencies");
    return status;
}

rill_status rill_stream_begin_capture(rill_stream *stream, const rill_capture_options *options)
{
    rill_capture_options known;
    rill_status status = check_stream(stream, __func__);
    if (!status) status = read_options(options, &known, stream);
    if (!status) status = ops(stream)->begin(stream, &known);
    return rl_finish(__func__, stream, status);
}

/* A graph that the capture made is the context's until here; one that it was
 * begun into is the caller's already, or lives inside another graph. */
static rill_graph *hand_over(rill_graph *graph)
{
    const struct rill_object *head = rill_object_of(graph);
    if (head->owner && (const void *)head->owner == (const void *)head->context) rl_adopt(graph);
    return graph;
}

rill_status rill_stream_end_capture(rill_stream *stream, rill_graph **graph)
{
    rill_graph *captured = NULL;
    rill_status status = check_stream(stream, __func__);
    if (!status) status = rl_required(graph, "graph");
    if (!status) status = ops(stream)->end(stream, &captured);
    if (graph) *graph = status ? NULL : hand_over(captured);
    return rl_finish(__func__, stream, status);
}

rill_status rill_stream_capture_info(rill_stream *stream, rill_capture_info *info)
{
    rill_capture_info full = { .size = sizeof full };
    rill_status status = check_stream(stream, __func__);
    if (!status) status = rl_required(info, "info");
    if (!status) status = rl_check_output(info, sizeof full, "info->size");
    if (!status) status = ops(stream)->info(stream, &full);
    if (!status) rl_write_output(info, &full, sizeof full);
    return rl_finish(__func__, stream, status);
}

rill_status rill_stream_update_capture(rill_stream *stream, const rill_node *dependencies,
                                       const rill_edge *edges, size_t count,
                                       rill_capture_update how)
{
    rill_status status = check_stream(stream, __func__);
    if (!status) status = rl_required_array(dependencies, count, "dependencies");
    if (!status) status = ops(stream)->update(stream, dependencies, edges, count, how);
    return rl_finish(__func__, stream, status);
}

rill_status rill_thread_exchange_capture_mode(rill_platform *platform, rill_capture_mode *mode)
{
    rill_status status = rl_check(platform, RILL_OBJECT_PLATFORM, "platform");
    if (!status) status = rl_required(mode, "mode");
    if (!status) status = rl_need(platform, ops(platform) != NULL, __func__);
    if (!status) status = ops(platform)->exchange_mode(platform, mode);
    return rl_finish(__func__, platform, status);
}
