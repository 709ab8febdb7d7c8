/* SPDX-License-Identifier: Apache-2.0
 *
 * The calls on captures: begun, ended, asked, and what their next node depends on.
 */
#include "backend-cuda/capture/capture.h"

#include "backend-cuda/context/capture_list.h"
#include "backend-cuda/context/capture_state.h"
#include "backend-cuda/kind/kind.h"
#include "backend-cuda/object/graph_nodes.h"
#include "base/alloc.h"

/* ---- Modes: the driver's numbers are others -------------------------------------- */

static CUstreamCaptureMode write_mode(rill_capture_mode mode)
{
    switch ((int)mode) {
    case RILL_CAPTURE_GLOBAL: return CU_STREAM_CAPTURE_MODE_GLOBAL;
    case RILL_CAPTURE_THREAD_LOCAL: return CU_STREAM_CAPTURE_MODE_THREAD_LOCAL;
    case RILL_CAPTURE_RELAXED: return CU_STREAM_CAPTURE_MODE_RELAXED;
    }
    return (CUstreamCaptureMode)(RILL_CAPTURE_RELAXED + 1); /* none: the driver refuses it */
}

static rill_capture_mode read_mode(CUstreamCaptureMode mode)
{
    switch ((int)mode) {
    case CU_STREAM_CAPTURE_MODE_GLOBAL: return RILL_CAPTURE_GLOBAL;
    case CU_STREAM_CAPTURE_MODE_THREAD_LOCAL: return RILL_CAPTURE_THREAD_LOCAL;
    }
    return RILL_CAPTURE_RELAXED;
}

static bool is_mode(rill_capture_mode mode)
{
    return mode == RILL_CAPTURE_GLOBAL || mode == RILL_CAPTURE_THREAD_LOCAL ||
           mode == RILL_CAPTURE_RELAXED;
}

/* ---- Asking ---------------------------------------------------------------------- */

/* Holds the turn, so that no capture ends until its graph has an object. */
static CUresult ask_with_graph(const struct cuda_stream *stream, struct cuda_capture_state *state,
                               rill_graph **graph, rill_status *status)
{
    rl_lock(&cuda_capture_turn);
    CUresult result = cuda_capture_ask(stream, state);
    if (!result && state->status == CU_STREAM_CAPTURE_STATUS_ACTIVE)
        *status = cuda_capture_graph_of(state->id, state->graph, graph);
    rl_unlock(&cuda_capture_turn);
    return result;
}

static rill_status ask_capture(rill_stream *handle, rill_capture_info *info)
{
    struct cuda_stream *stream = cuda_stream_of(handle);
    struct cuda_visit visit;
    struct cuda_capture_state state;
    rill_status status = cuda_enter_stream(stream, &visit);
    if (status) return status;
    /* A stream mostly captures nothing, and this question is the cheap one. */
    CUresult result = cuda_api.StreamIsCapturing(stream->raw, &state.status);
    if (!result && state.status != CU_STREAM_CAPTURE_STATUS_NONE)
        result = cuda_capture_ask(stream, &state);
    if (!result && state.status == CU_STREAM_CAPTURE_STATUS_ACTIVE)
        result = ask_with_graph(stream, &state, &info->graph, &status);
    cuda_leave(&visit);
    if (result) return cuda_fail(result, "cuStreamGetCaptureInfo", "stream");
    info->state = (rill_capture_state)state.status;
    if (state.status != CU_STREAM_CAPTURE_STATUS_ACTIVE) return RILL_SUCCESS;
    info->id = state.id;
    info->dependencies = (const rill_node *)(const void *)state.nodes;
    info->edges = state.edges;
    info->dependency_count = state.count;
    return status;
}

/* ---- Begin ----------------------------------------------------------------------- */

static CUresult begin_in_driver(struct cuda_stream *stream, const rill_capture_options *options)
{
    CUstreamCaptureMode mode = write_mode(options->mode);
    if (!options->graph) return cuda_api.StreamBeginCapture(stream->raw, mode);
    return cuda_api.StreamBeginCaptureToGraph(
        stream->raw, cuda_graph_of(options->graph)->raw,
        (const CUgraphNode *)(const void *)options->dependencies, options->edges,
        options->dependency_count, mode);
}

static rill_status explain_begin(CUresult result, const struct cuda_stream *stream,
                                 const rill_capture_options *options)
{
    CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
    const char *argument = "stream";
    if (!is_mode(options->mode))
        argument = "options->mode";
    else if (result == CUDA_ERROR_ILLEGAL_STATE && options->graph &&
             !cuda_api.StreamIsCapturing(stream->raw, &status) && !status)
        argument = "options->graph";
    else if (result == CUDA_ERROR_INVALID_VALUE && options->dependency_count)
        argument = "options->dependencies";
    return cuda_fail(result, "cuStreamBeginCapture", argument);
}

/* Refuses what is no node: the driver would follow the handle and crash. */
static rill_status check_nodes(rill_graph *graph, const rill_node *nodes, size_t count,
                               const char *argument)
{
    rill_status status = RILL_SUCCESS;
    for (size_t i = 0; !status && i < count; i++)
        status = cuda_check_node(cuda_graph_of(graph), nodes[i], argument);
    return status;
}

static rill_status check_options(const rill_capture_options *options)
{
    if (options->graph) {
        rill_status status = cuda_need(StreamBeginCaptureToGraph, 12030);
        return status ? status
                      : check_nodes(options->graph, options->dependencies,
                                    options->dependency_count, "options->dependencies");
    }
    if (!options->dependency_count) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "options->dependencies",
                             "a new graph has no nodes to depend on; pass options->graph");
}

static rill_status own_graph(struct cuda_capture *capture, CUgraph raw)
{
    rill_status status = cuda_own_graph(capture->first->context, raw, &capture->graph);
    capture->graph_is_ours = !status;
    return status;
}

/* Drops a capture that failed: the driver has taken its graph along, even one of the
 * caller's.  `capture` may be NULL. */
static void drop_capture(struct cuda_capture *capture)
{
    if (!capture) return;
    if (capture->graph && capture->graph_is_ours)
        cuda_disown_graph(capture->graph);
    else if (capture->graph)
        cuda_lose_graph(capture->graph);
    rl_free(capture);
}

static const struct cuda_capture_owner owner = { .own_graph = own_graph, .drop = drop_capture };

/* Sets *capture to the capture that it replaces on the list, or to NULL. */
static rill_status begin_and_list(struct cuda_stream *stream, const rill_capture_options *options,
                                  struct cuda_capture **capture)
{
    struct cuda_capture_state state;
    rl_lock(&cuda_capture_turn);
    CUresult result = begin_in_driver(stream, options);
    if (!result && !cuda_capture_ask(stream, &state)) (*capture)->id = state.id;
    if (!result) *capture = cuda_capture_list(*capture);
    rl_unlock(&cuda_capture_turn);
    return result ? explain_begin(result, stream, options) : RILL_SUCCESS;
}

static rill_status begin_capture(rill_stream *handle, const rill_capture_options *options)
{
    struct cuda_stream *stream = cuda_stream_of(handle);
    struct cuda_visit visit;
    rill_status status = check_options(options);
    if (status) return status;
    struct cuda_capture *capture = rl_zalloc(sizeof *capture);
    if (!capture) return RILL_ERROR_OUT_OF_MEMORY;
    *capture = (struct cuda_capture){ .owner = &owner, .first = stream,
                                      .graph = options->graph };
    status = cuda_enter_stream(stream, &visit);
    if (!status) {
        status = begin_and_list(stream, options, &capture);
        cuda_leave(&visit);
    }
    if (status) rl_free(capture);
    else drop_capture(capture);
    return status;
}

/* ---- End ------------------------------------------------------------------------- */

/* Gives the graph of a capture that is over: the caller's, ours, or a new object if the
 * graph was not asked for before. */
static rill_status give_graph(struct cuda_stream *stream, const struct cuda_capture *capture,
                              CUgraph raw, rill_graph **graph)
{
    if (capture && capture->graph) {
        *graph = capture->graph;
        return RILL_SUCCESS;
    }
    rill_status status = cuda_own_graph(stream->context, raw, graph);
    if (status) cuda_api.GraphDestroy(raw);
    return status;
}

/* Returns whether the stream captures all the same, since its end was refused. */
static bool still_captures(const struct cuda_stream *stream)
{
    CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
    return !cuda_api.StreamIsCapturing(stream->raw, &status) && status;
}

/* Is called while the capture is on the list, which knows what broke it.  The driver does
 * not say which streams are not joined, but the core may know. */
static rill_status explain_end(CUresult result, const struct cuda_stream *stream)
{
    if (result == CUDA_ERROR_STREAM_CAPTURE_UNJOINED) return RILL_ERROR_STREAM_CAPTURE_UNJOINED;
    rill_status status = cuda_fail(result, "cuStreamEndCapture", "stream");
    if (status == RILL_ERROR_STREAM_CAPTURE_INVALIDATED) cuda_capture_recall(stream);
    return status;
}

static rill_status end_and_unlist(struct cuda_stream *stream, rill_graph **graph)
{
    CUgraph raw = NULL;
    struct cuda_capture *capture = NULL;
    rl_lock(&cuda_capture_turn);
    CUresult result = cuda_api.StreamEndCapture(stream->raw, &raw);
    rill_status status = result ? explain_end(result, stream) : RILL_SUCCESS;
    if (!status || !still_captures(stream)) capture = cuda_capture_take_off(stream);
    rl_unlock(&cuda_capture_turn);
    if (!status) status = give_graph(stream, capture, raw, graph);
    if (status) drop_capture(capture);
    else rl_free(capture);
    return status;
}

static rill_status end_capture(rill_stream *handle, rill_graph **graph)
{
    struct cuda_stream *stream = cuda_stream_of(handle);
    struct cuda_visit visit;
    rill_status status = cuda_enter_stream(stream, &visit);
    if (status) return status;
    status = end_and_unlist(stream, graph);
    cuda_leave(&visit);
    return status;
}

/* ---- What the next node depends on ----------------------------------------------- */

/* Nodes were told by the graph's object, so a graph without an object has none to check. */
static rill_status check_update(struct cuda_stream *stream, const rill_node *nodes, size_t count)
{
    CUgraph raw = count ? cuda_capture_graph(stream) : NULL;
    rill_graph *graph = raw ? cuda_find_graph(stream->context->platform, raw) : NULL;
    return graph ? check_nodes(graph, nodes, count, "dependencies") : RILL_SUCCESS;
}

static rill_status update_dependencies(rill_stream *handle, const rill_node *nodes,
                                       const rill_edge *edges, size_t count,
                                       rill_capture_update how)
{
    struct cuda_stream *stream = cuda_stream_of(handle);
    struct cuda_visit visit;
    rill_status status = RILL_SUCCESS;
    if (edges) status = cuda_need(StreamUpdateCaptureDependencies, 12030);
    if (!status) status = cuda_enter_stream(stream, &visit);
    if (status) return status;
    status = check_update(stream, nodes, count);
    CUresult result = status ? CUDA_SUCCESS
                             : cuda_capture_depend(stream, nodes, edges, count, (unsigned)how);
    cuda_leave(&visit);
    if (status) return status;
    if (!result) return RILL_SUCCESS;
    if (result == CUDA_ERROR_STREAM_CAPTURE_INVALIDATED) {
        status = cuda_fail(result, "cuStreamUpdateCaptureDependencies", "stream");
        cuda_capture_recall(stream);
        return status;
    }
    const char *argument = "stream";
    if (result == CUDA_ERROR_INVALID_VALUE)
        argument = how != RILL_CAPTURE_ADD && how != RILL_CAPTURE_SET ? "how" : "dependencies";
    return cuda_fail(result, "cuStreamUpdateCaptureDependencies", argument);
}

/* ---- Threads --------------------------------------------------------------------- */

static rill_status exchange_mode(rill_platform *platform, rill_capture_mode *mode)
{
    CUstreamCaptureMode raw = write_mode(*mode);
    (void)platform;
    if (!is_mode(*mode)) /* the driver takes any number */
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "mode",
                                 "%d is none of RILL_CAPTURE_GLOBAL, RILL_CAPTURE_THREAD_LOCAL and "
                                 "RILL_CAPTURE_RELAXED", (int)*mode);
    rill_status status = cuda_end_with(cuda_api.ThreadExchangeStreamCaptureMode(&raw),
                                       "cuThreadExchangeStreamCaptureMode", "mode");
    if (!status) *mode = read_mode(raw);
    return status;
}

/* ---- Handles that the core refuses ----------------------------------------------- */

static rill_status refuse_in_capture(rill_stream *handle, rill_op_kind kind, rill_status status)
{
    struct cuda_stream *stream = cuda_stream_of(handle);
    CUstreamCaptureStatus state = CU_STREAM_CAPTURE_STATUS_NONE;
    struct cuda_visit visit;
    if (cuda_enter_stream(stream, &visit)) return status;
    CUresult result = cuda_api.StreamIsCapturing(stream->raw, &state);
    /* The same call without a handle does to a capture what the refused one would have
     * done. */
    if (result || state) {
        const struct cuda_kind *row = cuda_find_kind(kind);
        result = row->submit_null ? row->submit_null(stream) : CUDA_SUCCESS;
    }
    cuda_leave(&visit);
    if (result && (rill_status)result != status) {
        status = cuda_fail(result, "the driver", "stream");
        if (status == RILL_ERROR_STREAM_CAPTURE_INVALIDATED) cuda_capture_recall(stream);
    } else if (result) {
        cuda_capture_suffered(status);
    }
    return status;
}

const struct rill_capture_ops cuda_capture_ops = {
    .begin = begin_capture,
    .end = end_capture,
    .info = ask_capture,
    .update = update_dependencies,
    .exchange_mode = exchange_mode,
    .refusal = refuse_in_capture,
};
