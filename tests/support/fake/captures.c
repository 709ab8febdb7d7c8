/* SPDX-License-Identifier: Apache-2.0
 *
 * The fake backend's captures, which streams join by waiting for events.
 */
#include "base/alloc.h"
#include "support/fake/nodes.h"

#define STREAMS_MAX 16

struct fake_capture {
    uint64_t id;
    rill_graph *graph;
    int made, broken; /* made: the capture made its graph */
    uint64_t lost;    /* nodes of streams that were destroyed */
    rill_stream *streams[STREAMS_MAX]; /* the origin first */
    size_t stream_count;
};

static _Thread_local rill_capture_mode thread_mode;

static struct fake_stream *stream_of(const rill_stream *stream)
{
    return rill_private(stream);
}

/* ---- Beginning and ending ----------------------------------------------- */

static rill_status fake_begin(rill_stream *stream, const rill_capture_options *options)
{
    static uint64_t ids;
    struct fake_stream *own = stream_of(stream);
    rill_context *context = rill_object_of(stream)->context;
    rill_graph *graph = options->graph;
    if (own->capture)
        return rill_backend_fail(RILL_ERROR_ILLEGAL_STATE, "stream", "stream is capturing already");
    struct fake_capture *capture = rl_zalloc(sizeof *capture);
    rill_status status = capture ? RILL_SUCCESS : RILL_ERROR_OUT_OF_MEMORY;
    if (!status && !graph) status = fake_graph_own(context, context, &graph);
    if (status) {
        rl_free(capture);
        return status;
    }
    *capture = (struct fake_capture){ .id = ++ids, .graph = graph, .made = !options->graph,
                                      .streams = { stream }, .stream_count = 1 };
    own->capture = capture;
    own->front = 0;
    return RILL_SUCCESS;
}

/* Adds to `front` the nodes that come before it, however far. */
static uint64_t all_up_to(const struct fake_node *node, uint64_t front)
{
    if (!node) return front;
    front = all_up_to(node->next, front);
    return node->bit & front ? front | node->before : front;
}

static rill_status look_at_end(const struct fake_capture *capture)
{
    const struct fake_node *first = fake_nodes_of(capture->graph)->first;
    uint64_t all = all_up_to(first, stream_of(capture->streams[0])->front);
    if (capture->broken)
        return rill_backend_fail(RILL_ERROR_STREAM_CAPTURE_INVALIDATED, "stream",
                                 "stream had its capture broken");
    if (capture->lost & ~all) return RILL_ERROR_STREAM_CAPTURE_UNJOINED;
    for (size_t i = 1; i < capture->stream_count; i++)
        if (all_up_to(first, stream_of(capture->streams[i])->front) & ~all)
            return RILL_ERROR_STREAM_CAPTURE_UNJOINED; /* without a word */
    return RILL_SUCCESS;
}

static void drop_capture(struct fake_capture *capture, int with_graph)
{
    for (size_t i = 0; i < capture->stream_count; i++)
        stream_of(capture->streams[i])->capture = NULL;
    if (with_graph && capture->made) fake_graph_disown(capture->graph);
    rl_free(capture);
}

static rill_status fake_end(rill_stream *stream, rill_graph **graph)
{
    struct fake_capture *capture = stream_of(stream)->capture;
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

static rill_status fake_info(rill_stream *stream, rill_capture_info *info)
{
    const struct fake_capture *capture = stream_of(stream)->capture;
    info->state = !capture          ? RILL_CAPTURE_NONE
                  : capture->broken ? RILL_CAPTURE_INVALIDATED
                                    : RILL_CAPTURE_ACTIVE;
    if (info->state != RILL_CAPTURE_ACTIVE) return RILL_SUCCESS;
    info->id = capture->id;
    info->graph = capture->graph;
    return RILL_SUCCESS;
}

YES(fake_update_capture, rill_stream *stream, const rill_node *dependencies, const rill_edge *edges,
    size_t count, rill_capture_update how)

static rill_status fake_exchange_mode(rill_platform *platform, rill_capture_mode *mode)
{
    rill_capture_mode before = thread_mode;
    thread_mode = *mode;
    *mode = before;
    return RILL_SUCCESS;
}

rill_capture_mode fake_thread_mode(void)
{
    return thread_mode;
}

/* ---- What streams do ---------------------------------------------------- */

static rill_status break_capture(struct fake_capture *capture, rill_status status, const char *why)
{
    capture->broken = 1;
    return rill_backend_fail(status, "stream", "%s", why);
}

static rill_status wait_in(struct fake_stream *own, rill_stream *stream,
                           const struct fake_event *seen)
{
    if (own->capture && !seen->capture_id)
        return break_capture(own->capture, RILL_ERROR_STREAM_CAPTURE_ISOLATION,
                             "stream waits for what is outside of its capture");
    if (!own->capture) {
        own->capture = seen->capture;
        own->front = 0;
        own->capture->streams[own->capture->stream_count++] = stream;
    }
    own->front |= seen->front;
    return RILL_SUCCESS;
}

static rill_status record_in(const struct fake_stream *own, struct fake_event *event)
{
    event->capture_id = own->capture->id;
    event->capture = own->capture;
    event->front = own->front;
    return RILL_SUCCESS;
}

static rill_status capture_op(rill_stream *stream, rill_op *op)
{
    struct fake_stream *own = stream_of(stream);
    struct fake_node *added;
    if (op->kind == RILL_OP_EVENT_RECORD) return record_in(own, rill_private(op->event.event));
    if (own->capture && own->capture->broken) {
        rl_op_give_back(op);
        return rill_backend_fail(RILL_ERROR_STREAM_CAPTURE_INVALIDATED, NULL,
                                 "the capture is broken");
    }
    if (op->kind == RILL_OP_EVENT_WAIT) return wait_in(own, stream, rill_private(op->event.event));
    struct fake_nodes *nodes = fake_nodes_of(own->capture->graph);
    rill_status status = fake_append_node(nodes, op, own->front, &added);
    if (!status) own->front = added->bit;
    return status;
}

static rill_status capturing_submit(rill_stream *stream, rill_op *op)
{
    int waits = op->kind == RILL_OP_EVENT_WAIT, records = op->kind == RILL_OP_EVENT_RECORD;
    struct fake_event *event = waits || records ? rill_private(op->event.event) : NULL;
    if (stream_of(stream)->capture || (waits && event->capture_id)) return capture_op(stream, op);
    if (records) event->capture_id = 0;
    return fake_submit_any(stream, op);
}

static rill_status capturing_query(rill_stream *stream)
{
    struct fake_capture *capture = stream_of(stream)->capture;
    if (!capture) return RILL_SUCCESS;
    return break_capture(capture, RILL_ERROR_STREAM_CAPTURE_UNSUPPORTED,
                         "stream is capturing, which a wait for it breaks");
}

static rill_status capturing_stream_destroy(rill_stream *stream)
{
    struct fake_capture *capture = stream_of(stream)->capture;
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
static rill_status capturing_context_destroy(rill_context *context)
{
    capturing_stream_destroy(fake_stream_ops.per_thread(context));
    return fake_backend.context->destroy(context);
}

/* ---- The tables --------------------------------------------------------- */

const struct rill_capture_ops fake_capture_ops = {
    .begin = fake_begin,
    .end = fake_end,
    .info = fake_info,
    .update = fake_update_capture,
    .exchange_mode = fake_exchange_mode,
};

void fake_add_captures(struct fake_tables *tables)
{
    tables->context.destroy = capturing_context_destroy;
    tables->stream.destroy = capturing_stream_destroy;
    tables->stream.submit = capturing_submit;
    tables->stream.query = capturing_query;
    tables->stream.synchronize = capturing_query;
}
