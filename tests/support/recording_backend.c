/* SPDX-License-Identifier: Apache-2.0 */
#include "support/recording_backend.h"

#include <string.h>

#include "base/alloc.h"
#include "support/full_backend.h"

#define NODES_MAX 64
#define STREAMS_MAX 16

size_t recording_exec_bytes;
int recording_execs, recording_graphs, recording_execs_made;
rill_capture_mode recording_mode_seen;
static _Thread_local rill_capture_mode thread_mode;

/* ---- Private bytes ------------------------------------------------------ */

/* A host function's data lives as long as the graphs and execs that have it. */
struct host {
    int references;
    rill_host_op op;
};

struct node {
    rill_op op;
    struct host *host;
    uint64_t before; /* a bit for each node that it depends on */
};

struct recording_graph {
    size_t count;
    struct node nodes[NODES_MAX];
};

struct recording_exec {
    struct recording_graph program;
    uint32_t flags;
};

/* A capture. */
struct capture {
    uint64_t id;
    rill_graph *graph;
    int made, broken;
    uint64_t lost; /* nodes of streams that were destroyed */
    rill_stream *streams[STREAMS_MAX]; /* the origin first */
    size_t stream_count;
};

struct recording_stream {
    uint64_t fake[4];
    struct capture *capture;
    uint64_t front; /* the nodes that the next one depends on */
};

struct recording_event {
    uint64_t fake[4];
    uint64_t id, front; /* of the capture that it was recorded in; 0: in none */
    struct capture *capture;
};

static struct recording_stream *stream_of(const rill_stream *stream)
{
    return rill_private(stream);
}

static struct recording_graph *graph_of(const rill_graph *graph)
{
    return rill_private(graph);
}

/* ---- Graphs ------------------------------------------------------------- */

static void release_host(struct host *host)
{
    if (!host || --host->references) return;
    if (host->op.destroy) host->op.destroy(host->op.data);
    rl_free(host);
}

static void empty(struct recording_graph *graph)
{
    for (size_t i = 0; i < graph->count; i++) release_host(graph->nodes[i].host);
    graph->count = 0;
}

static void copy(struct recording_graph *to, const struct recording_graph *from)
{
    struct recording_graph old = *to;
    *to = *from;
    for (size_t i = 0; i < to->count; i++)
        if (to->nodes[i].host) to->nodes[i].host->references++;
    empty(&old);
}

static rill_status refuse_op(const rill_op *op, rill_status status, const char *why)
{
    if (op->kind == RILL_OP_HOST && op->host.destroy) op->host.destroy(op->host.data);
    return rill_backend_fail(status, NULL, "%s", why);
}

static rill_status append(rill_graph *graph, rill_op *op, uint64_t before, uint64_t *front)
{
    static rill_devptr addresses = 4096;
    struct recording_graph *own = graph_of(graph);
    struct node *node = &own->nodes[own->count];
    if (own->count == NODES_MAX) return refuse_op(op, RILL_ERROR_OUT_OF_MEMORY, "graph is full");
    *node = (struct node){ .before = before };
    if (op->kind == RILL_OP_ALLOC) op->alloc.address = addresses += 4096;
    if (op->kind == RILL_OP_HOST) {
        node->host = rl_zalloc(sizeof *node->host);
        if (!node->host) return refuse_op(op, RILL_ERROR_OUT_OF_MEMORY, "no memory for a node");
        *node->host = (struct host){ 1, op->host };
    }
    memcpy(&node->op, op, sizeof *op);
    *front = (uint64_t)1 << own->count++;
    return RILL_SUCCESS;
}

static rill_status graph_create(rill_graph *graph, const rill_graph_options *options)
{
    (void)graph, (void)options;
    recording_graphs++;
    return RILL_SUCCESS;
}

static rill_status graph_destroy(rill_graph *graph)
{
    empty(graph_of(graph));
    recording_graphs--;
    return RILL_SUCCESS;
}

static rill_status add_node(rill_graph *graph, const rill_node *dependencies,
                            const rill_edge *edges, size_t count, rill_op *op, rill_node *node)
{
    uint64_t before = 0, front;
    (void)edges;
    for (size_t i = 0; i < count; i++)
        before |= (uint64_t)1 << ((const struct node *)dependencies[i] - graph_of(graph)->nodes);
    rill_status status = append(graph, op, before, &front);
    if (!status) *node = (rill_node)&graph_of(graph)->nodes[graph_of(graph)->count - 1];
    return status;
}

static rill_status list_nodes(rill_graph *graph, rill_node *nodes, size_t *count)
{
    struct recording_graph *own = graph_of(graph);
    size_t listed = nodes && own->count > *count ? *count : own->count;
    for (size_t i = 0; nodes && i < listed; i++) nodes[i] = (rill_node)&own->nodes[i];
    *count = listed;
    return RILL_SUCCESS;
}

static rill_status list_edges(rill_graph *graph, rill_node *from, rill_node *to, rill_edge *edges,
                              size_t *count)
{
    struct recording_graph *own = graph_of(graph);
    size_t listed = 0;
    for (size_t i = 0; i < own->count; i++)
        for (size_t j = 0; j < i; j++) {
            if (!(own->nodes[i].before >> j & 1)) continue;
            if (from && listed == *count) return RILL_SUCCESS;
            if (from) from[listed] = (rill_node)&own->nodes[j];
            if (from) to[listed] = (rill_node)&own->nodes[i];
            if (edges) edges[listed] = (rill_edge){ 0, 0, 0, { 0 } };
            listed++;
        }
    *count = listed;
    return RILL_SUCCESS;
}

static rill_status node_kind(rill_graph *graph, rill_node node, rill_op_kind *kind)
{
    (void)graph;
    *kind = ((const struct node *)node)->op.kind;
    return RILL_SUCCESS;
}

/* ---- Captures ----------------------------------------------------------- */

static rill_status begin(rill_stream *stream, const rill_capture_options *options)
{
    static uint64_t ids;
    struct recording_stream *own = stream_of(stream);
    rill_context *context = rill_object_of(stream)->context;
    void *graph = options->graph;
    if (own->capture)
        return rill_backend_fail(RILL_ERROR_ILLEGAL_STATE, "stream", "stream is capturing already");
    struct capture *capture = rl_zalloc(sizeof *capture);
    rill_status status = capture ? RILL_SUCCESS : RILL_ERROR_OUT_OF_MEMORY;
    if (!status && !graph) status = rill_backend_own(RILL_OBJECT_GRAPH, context, context, &graph);
    if (status) {
        rl_free(capture);
        return status;
    }
    *capture = (struct capture){ .id = ++ids, .graph = graph, .made = !options->graph,
                                 .streams = { stream }, .stream_count = 1 };
    recording_graphs += capture->made;
    own->capture = capture;
    own->front = 0;
    return RILL_SUCCESS;
}

/* All that `front` stands for, with what is before it. */
static uint64_t behind(const struct recording_graph *graph, uint64_t front)
{
    for (size_t i = graph->count; i-- > 0;)
        if (front >> i & 1) front |= graph->nodes[i].before;
    return front;
}

static rill_status look_at_end(const struct capture *capture)
{
    const struct recording_graph *graph = graph_of(capture->graph);
    uint64_t all = behind(graph, stream_of(capture->streams[0])->front);
    if (capture->broken)
        return rill_backend_fail(RILL_ERROR_STREAM_CAPTURE_INVALIDATED, "stream",
                                 "stream had its capture broken");
    if (capture->lost & ~all) return RILL_ERROR_STREAM_CAPTURE_UNJOINED;
    for (size_t i = 1; i < capture->stream_count; i++)
        if (behind(graph, stream_of(capture->streams[i])->front) & ~all)
            return RILL_ERROR_STREAM_CAPTURE_UNJOINED; /* without a word */
    return RILL_SUCCESS;
}

static void drop_capture(struct capture *capture, int with_graph)
{
    for (size_t i = 0; i < capture->stream_count; i++)
        stream_of(capture->streams[i])->capture = NULL;
    if (with_graph && capture->made) {
        graph_destroy(capture->graph);
        rill_backend_disown(capture->graph);
    }
    rl_free(capture);
}

static rill_status end(rill_stream *stream, rill_graph **graph)
{
    struct capture *capture = stream_of(stream)->capture;
    if (!capture)
        return rill_backend_fail(RILL_ERROR_ILLEGAL_STATE, "stream", "stream is not capturing");
    if (capture->streams[0] != stream) {
        capture->broken = 1;
        return rill_backend_fail(RILL_ERROR_STREAM_CAPTURE_UNMATCHED, "stream",
                                 "stream did not begin the capture");
    }
    rill_status status = look_at_end(capture);
    if (!status) *graph = capture->graph;
    drop_capture(capture, status != RILL_SUCCESS);
    return status;
}

static rill_status info(rill_stream *stream, rill_capture_info *known)
{
    const struct capture *capture = stream_of(stream)->capture;
    known->state = !capture          ? RILL_CAPTURE_NONE
                   : capture->broken ? RILL_CAPTURE_INVALIDATED
                                  : RILL_CAPTURE_ACTIVE;
    if (known->state != RILL_CAPTURE_ACTIVE) return RILL_SUCCESS;
    known->id = capture->id;
    known->graph = capture->graph;
    return RILL_SUCCESS;
}

static rill_status exchange_mode(rill_platform *platform, rill_capture_mode *mode)
{
    rill_capture_mode before = thread_mode;
    (void)platform;
    thread_mode = *mode;
    *mode = before;
    return RILL_SUCCESS;
}

/* ---- Streams ------------------------------------------------------------ */

static rill_status break_capture(struct capture *capture, rill_status status, const char *why)
{
    capture->broken = 1;
    return rill_backend_fail(status, "stream", "%s", why);
}

static rill_status wait_in(rill_stream *stream, const rill_event *event)
{
    struct recording_stream *own = stream_of(stream);
    const struct recording_event *seen = rill_private(event);
    if (own->capture && !seen->id)
        return break_capture(own->capture, RILL_ERROR_STREAM_CAPTURE_ISOLATION,
                             "stream waits for what is outside of its capture");
    if (!own->capture) {
        struct capture *capture = seen->capture;
        own->capture = capture;
        own->front = 0;
        capture->streams[capture->stream_count++] = stream;
    }
    own->front |= seen->front;
    return RILL_SUCCESS;
}

static rill_status submit_captured(rill_stream *stream, rill_op *op)
{
    struct recording_stream *own = stream_of(stream);
    if (op->kind == RILL_OP_EVENT_RECORD && own->capture) {
        struct recording_event *event = rill_private(op->event.event);
        event->id = own->capture->id;
        event->capture = own->capture;
        event->front = own->front;
        return RILL_SUCCESS;
    }
    if (own->capture && own->capture->broken)
        return refuse_op(op, RILL_ERROR_STREAM_CAPTURE_INVALIDATED, "the capture is broken");
    if (op->kind == RILL_OP_EVENT_WAIT) return wait_in(stream, op->event.event);
    return append(own->capture->graph, op, own->front, &own->front);
}

static rill_status submit(rill_stream *stream, rill_op *op)
{
    int into = op->kind == RILL_OP_EVENT_WAIT &&
               ((const struct recording_event *)rill_private(op->event.event))->id;
    if (stream_of(stream)->capture || into) return submit_captured(stream, op);
    return full_backend()->stream->submit(stream, op);
}

static rill_status query(rill_stream *stream)
{
    struct capture *capture = stream_of(stream)->capture;
    if (!capture) return RILL_SUCCESS;
    return break_capture(capture, RILL_ERROR_STREAM_CAPTURE_UNSUPPORTED,
                         "stream is capturing, which a wait for it breaks");
}

static rill_status stream_destroy(rill_stream *stream)
{
    struct capture *capture = stream_of(stream)->capture;
    if (capture && capture->streams[0] == stream) {
        drop_capture(capture, 1);
    } else if (capture) {
        size_t i = 1;
        while (capture->streams[i] != stream) i++;
        capture->streams[i] = capture->streams[--capture->stream_count];
        capture->lost |= stream_of(stream)->front;
    }
    return RILL_SUCCESS;
}

/* The per-thread stream goes with its context. */
static rill_status context_destroy(rill_context *context)
{
    stream_destroy(full_backend()->stream->per_thread(context));
    return full_backend()->context->destroy(context);
}

/* ---- Execs -------------------------------------------------------------- */

static struct recording_exec *exec_of(const rill_exec *exec)
{
    return rill_private(exec);
}

static rill_status exec_create(rill_exec *exec, rill_graph *graph, rill_exec_options *options)
{
    copy(&exec_of(exec)->program, graph_of(graph));
    exec_of(exec)->flags = options->flags;
    recording_mode_seen = thread_mode;
    recording_execs++;
    recording_execs_made++;
    return RILL_SUCCESS;
}

static rill_status exec_destroy(rill_exec *exec)
{
    empty(&exec_of(exec)->program);
    recording_mode_seen = thread_mode;
    recording_execs--;
    return RILL_SUCCESS;
}

static rill_status launch(rill_exec *exec, rill_stream *stream)
{
    struct recording_graph *program = &exec_of(exec)->program;
    for (size_t i = 0; i < program->count; i++) {
        struct node *node = &program->nodes[i];
        rill_status status = RILL_SUCCESS;
        if (node->host)
            node->host->op.fn(node->host->op.data);
        else
            status = full_backend()->stream->submit(stream, &node->op);
        if (status) return status;
    }
    return RILL_SUCCESS;
}

static rill_status exec_flags(rill_exec *exec, uint32_t *flags)
{
    *flags = exec_of(exec)->flags;
    return RILL_SUCCESS;
}

static rill_status refuse_update(rill_update_result *result, rill_update_reason reason,
                                 const struct node *node, const char *why)
{
    result->reason = reason;
    result->node = (rill_node)(uintptr_t)node;
    return rill_backend_fail(RILL_ERROR_GRAPH_EXEC_UPDATE_FAILURE, "graph", "%s", why);
}

static rill_status update(rill_exec *exec, rill_graph *graph, rill_update_result *result)
{
    struct recording_graph *program = &exec_of(exec)->program, *from = graph_of(graph);
    if (program->count != from->count)
        return refuse_update(result, RILL_UPDATE_TOPOLOGY_CHANGED, NULL, "graph has other nodes");
    for (size_t i = 0; i < from->count; i++) {
        const struct node *old = &program->nodes[i], *new = &from->nodes[i];
        if (old->before != new->before)
            return refuse_update(result, RILL_UPDATE_TOPOLOGY_CHANGED, new, "an edge is another");
        if (old->op.kind != new->op.kind)
            return refuse_update(result, RILL_UPDATE_NODE_TYPE_CHANGED, new, "a kind is another");
        if (new->op.kind == RILL_OP_MEMSET && old->op.memset.height != new->op.memset.height)
            return refuse_update(result, RILL_UPDATE_PARAMETERS_CHANGED, new,
                                 "a fill has another height");
        if (new->op.kind == RILL_OP_ALLOC)
            return refuse_update(result, RILL_UPDATE_ERROR, new, "memory is allocated elsewhere");
    }
    copy(program, from);
    return RILL_SUCCESS;
}

static rill_status exec_bytes(rill_exec *exec, size_t *bytes)
{
    (void)exec;
    *bytes = recording_exec_bytes;
    return RILL_SUCCESS;
}

/* ---- The tables --------------------------------------------------------- */

static struct rill_context_ops contexts;
static struct rill_stream_ops streams;
static struct rill_event_ops events;
static struct rill_capture_ops captures;
static struct rill_graph_ops graphs;
static struct rill_exec_ops execs;
static struct rill_backend backend;

static void fill_tables(void)
{
    contexts = *full_backend()->context;
    contexts.destroy = context_destroy;

    streams = *full_backend()->stream;
    streams.private_bytes = sizeof(struct recording_stream);
    streams.destroy = stream_destroy;
    streams.submit = submit;
    streams.query = query;
    streams.synchronize = query;

    events = *full_backend()->event;
    events.private_bytes = sizeof(struct recording_event);

    captures = *full_backend()->capture;
    captures.begin = begin;
    captures.end = end;
    captures.info = info;
    captures.exchange_mode = exchange_mode;

    graphs = *full_backend()->graph;
    graphs.private_bytes = sizeof(struct recording_graph);
    graphs.create = graph_create;
    graphs.destroy = graph_destroy;
    graphs.add_node = add_node;
    graphs.nodes = list_nodes;
    graphs.edges = list_edges;
    graphs.node_kind = node_kind;

    execs = *full_backend()->exec;
    execs.private_bytes = sizeof(struct recording_exec);
    execs.create = exec_create;
    execs.destroy = exec_destroy;
    execs.launch = launch;
    execs.flags = exec_flags;
    execs.update = update;
    execs.bytes = exec_bytes;
}

const struct rill_backend *recording_backend(void)
{
    if (backend.abi) return &backend;
    fill_tables();
    backend = *full_backend();
    backend.name = "recording";
    backend.context = &contexts;
    backend.stream = &streams;
    backend.event = &events;
    backend.capture = &captures;
    backend.graph = &graphs;
    backend.exec = &execs;
    return &backend;
}
