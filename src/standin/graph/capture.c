/* SPDX-License-Identifier: Apache-2.0
 *
 * Captures.
 */
#include "standin/graph/graph.h"

/* ---- Modes --------------------------------------------------------------------- */

enum { GLOBAL = 0, THREAD_LOCAL = 1, RELAXED = 2 }; /* as programs number them */

/* A number that is no mode stays as it is. */
static rill_capture_mode read_mode(int mode)
{
    switch (mode) {
    case GLOBAL: return RILL_CAPTURE_GLOBAL;
    case THREAD_LOCAL: return RILL_CAPTURE_THREAD_LOCAL;
    default: return (rill_capture_mode)mode;
    }
}

static int write_mode(rill_capture_mode mode)
{
    return mode == RILL_CAPTURE_GLOBAL         ? GLOBAL
           : mode == RILL_CAPTURE_THREAD_LOCAL ? THREAD_LOCAL : RELAXED;
}

/* The number that the thread was given for its mode though it is none, or 0.  The driver
 * accepts it and gives it back.  It forbids no calls, since it is no mode that does. */
static _Thread_local int no_mode;

ENTRY(cuThreadExchangeStreamCaptureMode, (int *mode), (mode))
{
    CUresult status = si_check_ready();
    if (status) return status;
    if (!mode) return RILL_ERROR_INVALID_VALUE;
    int given = *mode, known = given >= GLOBAL && given <= RELAXED;
    rill_capture_mode other = known ? read_mode(given) : RILL_CAPTURE_RELAXED;
    status = rill_thread_exchange_capture_mode(si_platform, &other);
    if (status) return status;
    *mode = no_mode ? no_mode : write_mode(other);
    no_mode = known ? 0 : given;
    return RILL_SUCCESS;
}

/* ---- Begin ----------------------------------------------------------------------- */

ENTRY(cuStreamBeginCapture_v2, (CUstream handle, int mode), (handle, mode))
{
    rill_stream *stream;
    const rill_capture_options options = { .size = sizeof options, .mode = read_mode(mode) };
    CUresult status = si_stream(handle, &stream);
    return status ? status : rill_stream_begin_capture(stream, &options);
}

/* From the time before modes. */
ENTRY(cuStreamBeginCapture, (CUstream stream), (stream))
{
    return cuStreamBeginCapture_v2(stream, GLOBAL);
}

ENTRY(cuStreamBeginCaptureToGraph,
      (CUstream handle, CUgraph graph, const CUgraphNode *dependencies,
       const CUgraphEdgeData *edges, size_t count, int mode),
      (handle, graph, dependencies, edges, count, mode))
{
    rill_stream *stream;
    rill_capture_options options = {
        .size = sizeof options,
        .mode = read_mode(mode),
        .dependencies = dependencies,
        .edges = edges,
        .dependency_count = count,
    };
    CUresult status = si_stream(handle, &stream);
    if (!status) status = si_graph(graph, &options.graph);
    return status ? status : rill_stream_begin_capture(stream, &options);
}

PER_THREAD_FORM(cuStreamBeginCapture_v2, _ptsz, (CUstream stream, int mode), (stream, mode))
PER_THREAD_FORM(cuStreamBeginCapture, _ptsz, (CUstream stream), (stream))
PER_THREAD_FORM(cuStreamBeginCaptureToGraph, _ptsz,
                (CUstream stream, CUgraph graph, const CUgraphNode *dependencies,
                 const CUgraphEdgeData *edges, size_t count, int mode),
                (stream, graph, dependencies, edges, count, mode))

/* ---- Information ------------------------------------------------------------------- */

/* Held while a capture's graph may get its handle: calls that ask for the graph and calls
 * that end the capture take turns. */
static struct rl_lock capture_turn;

ENTRY(cuStreamIsCapturing, (CUstream handle, int *state), (handle, state))
{
    rill_stream *stream;
    rill_capture_info info = { .size = sizeof info };
    CUresult status = si_check_ready();
    if (status) return status;
    if (!state) return RILL_ERROR_INVALID_VALUE;
    status = si_stream(handle, &stream);
    if (!status) status = rill_stream_capture_info(stream, &info);
    if (!status) *state = (int)info.state;
    return status;
}

static CUresult ask_graph(CUstream handle, rill_stream *stream, rill_capture_info *info,
                          CUgraph *graph)
{
    struct si_context *context;
    CUresult status = si_stream_context(handle, &context);
    if (status) return status;
    rl_lock(&capture_turn);
    status = rill_stream_capture_info(stream, info);
    if (!status && info->state == RILL_CAPTURE_ACTIVE)
        status = si_graph_handle(info->graph, context, graph);
    rl_unlock(&capture_turn);
    return status;
}

/* Tells whether an edge has data that a list of nodes cannot say. */
static int has_edge_data(const rill_capture_info *info)
{
    for (size_t i = 0; i < info->dependency_count; i++)
        if (info->edges[i].from_port || info->edges[i].to_port || info->edges[i].type) return 1;
    return 0;
}

/* Everything but the state is answered for an active capture alone. */
ENTRY(cuStreamGetCaptureInfo_v3,
      (CUstream handle, int *state, uint64_t *id, CUgraph *graph,
       const CUgraphNode **dependencies, const CUgraphEdgeData **edges, size_t *count),
      (handle, state, id, graph, dependencies, edges, count))
{
    rill_stream *stream;
    rill_capture_info info = { .size = sizeof info };
    CUgraph found = NULL;
    CUresult status = si_stream(handle, &stream);
    if (status) return status;
    if (!state) return RILL_ERROR_INVALID_VALUE;
    status = graph ? ask_graph(handle, stream, &info, &found)
                   : rill_stream_capture_info(stream, &info);
    if (status) return status;
    if (info.state == RILL_CAPTURE_ACTIVE) {
        if (dependencies && !edges && has_edge_data(&info)) return RILL_ERROR_LOSSY_QUERY;
        if (id) *id = info.id;
        if (graph) *graph = found;
        if (edges && !dependencies) return RILL_ERROR_INVALID_VALUE;
        if (dependencies) *dependencies = info.dependencies;
        if (edges) *edges = info.edges;
        if (count) *count = info.dependency_count;
    }
    *state = (int)info.state;
    return RILL_SUCCESS;
}

ENTRY(cuStreamGetCaptureInfo_v2,
      (CUstream stream, int *state, uint64_t *id, CUgraph *graph,
       const CUgraphNode **dependencies, size_t *count),
      (stream, state, id, graph, dependencies, count))
{
    return cuStreamGetCaptureInfo_v3(stream, state, id, graph, dependencies, NULL, count);
}

ENTRY(cuStreamGetCaptureInfo, (CUstream stream, int *state, uint64_t *id), (stream, state, id))
{
    return cuStreamGetCaptureInfo_v3(stream, state, id, NULL, NULL, NULL, NULL);
}

PER_THREAD_FORM(cuStreamIsCapturing, _ptsz, (CUstream stream, int *state), (stream, state))
PER_THREAD_FORM(cuStreamGetCaptureInfo_v3, _ptsz,
                (CUstream stream, int *state, uint64_t *id, CUgraph *graph,
                 const CUgraphNode **dependencies, const CUgraphEdgeData **edges, size_t *count),
                (stream, state, id, graph, dependencies, edges, count))
PER_THREAD_FORM(cuStreamGetCaptureInfo_v2, _ptsz,
                (CUstream stream, int *state, uint64_t *id, CUgraph *graph,
                 const CUgraphNode **dependencies, size_t *count),
                (stream, state, id, graph, dependencies, count))
PER_THREAD_FORM(cuStreamGetCaptureInfo, _ptsz, (CUstream stream, int *state, uint64_t *id),
                (stream, state, id))

/* ---- What the next node depends on ------------------------------------------------------- */

ENTRY(cuStreamUpdateCaptureDependencies_v2,
      (CUstream handle, CUgraphNode *dependencies, const CUgraphEdgeData *edges, size_t count,
       unsigned how),
      (handle, dependencies, edges, count, how))
{
    rill_stream *stream;
    CUresult status = si_stream(handle, &stream);
    return status ? status
                  : rill_stream_update_capture(stream, dependencies, edges, count,
                                               (rill_capture_update)how);
}

ENTRY(cuStreamUpdateCaptureDependencies,
      (CUstream stream, CUgraphNode *dependencies, size_t count, unsigned how),
      (stream, dependencies, count, how))
{
    return cuStreamUpdateCaptureDependencies_v2(stream, dependencies, NULL, count, how);
}

PER_THREAD_FORM(cuStreamUpdateCaptureDependencies_v2, _ptsz,
                (CUstream stream, CUgraphNode *dependencies, const CUgraphEdgeData *edges,
                 size_t count, unsigned how),
                (stream, dependencies, edges, count, how))
PER_THREAD_FORM(cuStreamUpdateCaptureDependencies, _ptsz,
                (CUstream stream, CUgraphNode *dependencies, size_t count, unsigned how),
                (stream, dependencies, count, how))

/* ---- End ---------------------------------------------------------------------------------- */

/* Destroys a graph that cannot get a handle, unless it had one before the capture. */
static CUresult end_capture(rill_stream *stream, struct si_context *context, CUgraph *handle)
{
    rill_graph *graph = NULL;
    CUresult status = rill_stream_end_capture(stream, &graph);
    if (status) return status;
    int known = si_handle_of(graph) != NULL;
    status = si_graph_handle(graph, context, handle);
    if (status && !known) rill_graph_destroy(&graph);
    return status;
}

/* If `graph` is NULL, what was captured is freed, as on hardware. */
ENTRY(cuStreamEndCapture, (CUstream handle, CUgraph *graph), (handle, graph))
{
    rill_stream *stream;
    struct si_context *context;
    CUresult status = si_stream(handle, &stream);
    if (!status) status = si_stream_context(handle, &context);
    if (status) return status;
    if (graph) *graph = NULL;
    rl_lock(&capture_turn);
    status = graph ? end_capture(stream, context, graph) : rill_stream_end_capture(stream, NULL);
    rl_unlock(&capture_turn);
    return status;
}

PER_THREAD_FORM(cuStreamEndCapture, _ptsz, (CUstream stream, CUgraph *graph), (stream, graph))
