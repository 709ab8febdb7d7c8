/* SPDX-License-Identifier: Apache-2.0
 *
 * The calls about captures.
 */
#include "capture_steps.h"

static CUstreamCaptureMode draw_mode(struct world *w)
{
    return (CUstreamCaptureMode)(chance(w, 40) ? 5 : dice(w, 3));
}

static void begun(struct world *w, CUstream s, CUresult r)
{
    struct object *o = object_of(w, STREAM, s);
    if (o && !r) o->flags |= ORIGIN;
}

void begin_step(struct world *w)
{
    CUstream s = draw_stream(w);
    CUstream other = draw_capturing(w);
    if (is_calm(w) && stream_status(w, other) && !chance(w, 6)) {
        info_step(w);
        return;
    }
    CUstreamCaptureMode mode = draw_mode(w);
    line_call(w, "cuStreamBeginCapture", "%s, %d", name_stream(w, s), (int)mode);
    begun(w, s, line_result(w, cuStreamBeginCapture(s, mode)));
    line_end(w);
}

static bool is_free(const struct object *o)
{
    return !(o->flags & CAPTURING);
}

void begin_to_graph_step(struct world *w)
{
    struct object *graph = object_pick_if(w, GRAPH, is_free);
    CUgraph g = HANDLE_OF(graph, CUgraph);
    CUstream s = draw_stream(w);
    CUstreamCaptureMode mode = draw_mode(w);
    CUgraphNode on[4];
    CUgraphEdgeData data[4];
    size_t count = graph ? draw_nodes(w, graph, on, 2) : 0;
    const bool with_data = count && chance(w, 3);
    for (size_t i = 0; i < count; i++) data[i] = draw_edge(w);
    line_call(w, "cuStreamBeginCaptureToGraph", "%s, %s, %s%s, %d", name_stream(w, s),
              name_of(w, GRAPH, g), nodes_text(w, on, count),
              edge_text(w, with_data ? data : NULL, count), (int)mode);
    CUresult r = cuStreamBeginCaptureToGraph(s, g, on, with_data ? data : NULL, count, mode);
    begun(w, s, line_result(w, r));
    /* A capture that breaks takes the graph with it. */
    if (!r && graph) graph->flags |= CAPTURING;
    line_end(w);
}

void end_step(struct world *w)
{
    CUstream s = draw_capturing(w);
    if (!stream_status(w, s) && !chance(w, 8)) begin_step(w);
    else end_stream(w, s);
}

static bool is_origin(const struct object *o)
{
    return o->flags & ORIGIN;
}

/* As a program should: the stream that it began in, all others joined. */
void close_step(struct world *w)
{
    struct object *o = object_pick_if(w, STREAM, is_origin);
    if (!o) {
        begin_step(w);
        return;
    }
    o->flags &= ~(unsigned)ORIGIN;
    if (!chance(w, 6)) join_all(w, HANDLE_OF(o, CUstream));
    end_stream(w, HANDLE_OF(o, CUstream));
}

void end_stream(struct world *w, CUstream s)
{
    CUgraph g = UNTOUCHED;
    line_call(w, "cuStreamEndCapture", "%s", name_stream(w, s));
    if (line_result(w, cuStreamEndCapture(s, &g))) {
        line_see(w, "%s", name_of(w, GRAPH, g));
        line_end(w);
        return;
    }
    struct object *o = object_of(w, GRAPH, g);
    if (!o) o = object_add(w, GRAPH, g, -1);
    o->flags &= ~(unsigned)CAPTURING;
    graph_adopt(w, o);
    line_see(w, "g%d", o->number);
    graph_show(w, o);
    line_end(w);
}

/* Captures by the order in which they were seen. */
static unsigned id_number(struct world *w, cuuint64_t id)
{
    static cuuint64_t seen[256];
    static unsigned long of_seed;
    static unsigned count;
    unsigned i = 0;
    if (of_seed != w->seed) count = 0;
    of_seed = w->seed;
    while (i < count && seen[i] != id) i++;
    if (i == count && count < 255) seen[count++] = id;
    return i;
}

void info_step(struct world *w)
{
    CUstream s = draw_capturing(w);
    CUstreamCaptureStatus status = (CUstreamCaptureStatus)77;
    cuuint64_t id = 77;
    CUgraph g = UNTOUCHED;
    const CUgraphNode *on = UNTOUCHED;
    const CUgraphEdgeData *data = UNTOUCHED;
    size_t count = 77;
    const bool with_data = chance(w, 2);
    line_call(w, "cuStreamGetCaptureInfo", "%s, %s", name_stream(w, s), with_data ? "data" : "-");
    CUresult r = cuStreamGetCaptureInfo(s, &status, &id, &g, &on, with_data ? &data : NULL, &count);
    line_result(w, r);
    line_see(w, "%d", (int)status);
    if (!r && status == CU_STREAM_CAPTURE_STATUS_ACTIVE) {
        struct object *o = object_of(w, GRAPH, g);
        line_see(w, "capture %u", id_number(w, id));
        if (!o && object_of(w, STREAM, s)) {
            o = object_add(w, GRAPH, g, -1);
            o->flags = CAPTURING;
        }
        if (o) graph_adopt(w, o);
        line_see(w, "%s %zu", name_of(w, GRAPH, g), count);
        if (count < 64) line_see(w, "%s", nodes_text(w, on, count));
        if (with_data && count && count < 64) line_see(w, "%s", edge_text(w, data, count));
    } else {
        line_see(w, "%s %s %s %zu", id == 77 ? "untouched" : id ? "id" : "0",
                 name_of(w, GRAPH, g), on == UNTOUCHED ? "untouched" : on ? "list" : "null", count);
    }
    line_end(w);
}

void update_step(struct world *w)
{
    CUstream s = draw_capturing(w);
    if (!stream_status(w, s) && !chance(w, 8)) {
        launch_step(w);
        return;
    }
    struct object *graph = object_of(w, GRAPH, stream_graph(w, s));
    CUgraphNode on[4];
    CUgraphEdgeData data[4];
    if (graph) graph_adopt(w, graph);
    else graph = object_pick(w, GRAPH);
    size_t count = graph ? draw_nodes(w, graph, on, 2) : 0;
    const bool with_data = count && chance(w, 3);
    const unsigned flags = chance(w, 20) ? 2 : dice(w, 2);
    for (size_t i = 0; i < count; i++) data[i] = draw_edge(w);
    CALL(w,
         cuStreamUpdateCaptureDependencies(s, on, with_data ? data : NULL, count, flags),
         "cuStreamUpdateCaptureDependencies", "%s, %s%s, %u", name_stream(w, s),
         nodes_text(w, on, count), edge_text(w, with_data ? data : NULL, count), flags);
}

void mode_step(struct world *w)
{
    CUstreamCaptureMode mode = (CUstreamCaptureMode)dice(w, 3);
    line_call(w, "cuThreadExchangeStreamCaptureMode", "%d", (int)mode);
    line_result(w, cuThreadExchangeStreamCaptureMode(&mode));
    line_see(w, "%d", (int)mode);
    line_end(w);
}
