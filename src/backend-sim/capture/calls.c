/* SPDX-License-Identifier: Apache-2.0
 *
 * The backend's table for captures: begin, end, report and update them.
 */
#include "backend-sim/capture/capture.h"
#include "base/alloc.h"

/* ---- Beginning -------------------------------------------------------------------- */

static rill_status check_mode(rill_capture_mode mode, const char *argument)
{
    if ((unsigned)mode <= RILL_CAPTURE_RELAXED) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, argument,
                             "%d is none of RILL_CAPTURE_GLOBAL, RILL_CAPTURE_THREAD_LOCAL and "
                             "RILL_CAPTURE_RELAXED", (int)mode);
}

/* Requires captures_lock. */
static rill_status check_free(const struct sim_stream *stream, const struct sim_graph *graph)
{
    if (stream->participant)
        return rill_backend_fail(RILL_ERROR_ILLEGAL_STATE, "stream",
                                 "the stream takes part in a capture already");
    if (graph && graph->capture)
        return rill_backend_fail(RILL_ERROR_ILLEGAL_STATE, "options->graph",
                                 "another stream captures into this graph");
    return RILL_SUCCESS;
}

static rill_status check_stream(struct sim_stream *stream, const struct sim_graph *graph)
{
    struct sim_platform *platform = stream->context->platform;
    if (stream->kind == STREAM_LEGACY)
        return rill_backend_fail(RILL_ERROR_STREAM_CAPTURE_UNSUPPORTED, "stream",
                                 "the legacy stream cannot capture; use one from "
                                 "rill_stream_create()");
    sim_captures_lock(platform);
    rill_status status = check_free(stream, graph);
    sim_captures_unlock(platform);
    return status || !graph ? status : sim_graph_check(graph);
}

/* Reads nodes and edges as the next node's dependencies.  The other end of the edges is not known
 * yet, and is taken for a kernel, whose edges may carry anything. */
static rill_status read_links(struct sim_graph *graph, const rill_node *nodes,
                              const rill_edge *edges, size_t count, const char *argument,
                              struct link *links)
{
    rill_status status = RILL_SUCCESS;
    for (size_t i = 0; !status && i < count; i++) {
        const rill_edge *edge = edges ? &edges[i] : NULL;
        uint32_t slot = sim_node_find(graph, nodes[i], argument);
        if (slot == NODE_NONE) return RILL_ERROR_INVALID_VALUE;
        status = sim_edge_check(graph, slot, RILL_OP_KERNEL, edge);
        links[i] = (struct link){ .slot = slot, .data = sim_edge_pack(edge) };
    }
    return status;
}

static rill_status out_of_memory_for_capture(void)
{
    return rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, NULL, "no memory for a capture");
}

/* Does the same into a new array. */
static rill_status make_links(struct sim_graph *graph, const rill_node *nodes,
                              const rill_edge *edges, size_t count, const char *argument,
                              struct link **links)
{
    *links = NULL;
    if (!count) return RILL_SUCCESS;
    *links = count < NODE_SLOTS_MAX ? rl_alloc(count * sizeof **links) : NULL;
    if (!*links) return out_of_memory_for_capture();
    rill_status status = read_links(graph, nodes, edges, count, argument, *links);
    if (!status) return RILL_SUCCESS;
    rl_free(*links);
    *links = NULL;
    return status;
}

static struct capture *new_capture(struct sim_platform *platform, rill_capture_mode mode)
{
    struct capture *capture = rl_zalloc(sizeof *capture);
    if (!capture) return NULL;
    atomic_init(&capture->references, 1);
    capture->thread = sim_thread_number();
    capture->mode = mode;
    capture->platform = platform;
    capture->state = RILL_CAPTURE_ACTIVE;
    return capture;
}

/* Sets the graph that the capture fills: the one given, or one of its own. */
static rill_status provide_graph(struct capture *capture, struct sim_context *context,
                                 rill_graph *given)
{
    void *made = given;
    if (!given) {
        rill_status status = rill_backend_own(RILL_OBJECT_GRAPH, context->handle, context->handle,
                                              &made);
        if (status) return out_of_memory_for_capture();
        status = sim_graph_init(made, GRAPH_OWN, NULL);
        if (status) {
            rill_backend_disown(made);
            return status;
        }
        capture->own = true;
    }
    capture->graph = sim_graph_of(made);
    return RILL_SUCCESS;
}

/* Returns the number of captures into the graph.  As measured, a graph keeps its number: another
 * capture into the same graph gets it again.  Requires captures_lock. */
static uint64_t number_of(struct sim_graph *graph)
{
    static atomic_uint_least64_t last;
    if (!graph->capture_number)
        graph->capture_number = atomic_fetch_add_explicit(&last, 1, memory_order_relaxed) + 1;
    return graph->capture_number;
}

/* Makes the stream capture. */
static rill_status start_capture(struct capture *capture, struct sim_stream *stream,
                                 const struct link *links, size_t count)
{
    struct sim_platform *platform = capture->platform;
    sim_captures_lock(platform);
    rill_status status = check_free(stream, capture->own ? NULL : capture->graph);
    if (!status && !sim_capture_join(capture, stream, links, (uint32_t)count))
        status = out_of_memory_for_capture();
    if (!status) {
        capture->id = number_of(capture->graph);
        capture->graph->capture = capture;
        capture->next = platform->captures;
        platform->captures = capture;
        atomic_fetch_or_explicit(&platform->alert, ALERT_CAPTURE, memory_order_relaxed);
    }
    sim_captures_unlock(platform);
    return status;
}

static rill_status begin_capture(rill_stream *handle, const rill_capture_options *options)
{
    struct sim_stream *stream;
    struct sim_graph *graph = options->graph ? sim_graph_of(options->graph) : NULL;
    rill_status status = check_mode(options->mode, "options->mode");
    if (!status) status = sim_stream_enter(handle, CALL_CAPTURE_BEGIN, &stream);
    if (!status) status = check_stream(stream, graph);
    if (!status && options->dependency_count && !graph)
        status = rill_backend_fail(RILL_ERROR_INVALID_VALUE, "options->dependencies",
                                   "a new graph has no nodes to depend on; pass options->graph");
    struct link *links = NULL;
    if (!status)
        status = make_links(graph, options->dependencies, options->edges,
                            options->dependency_count, "options->dependencies", &links);
    if (status) return status;
    struct capture *capture = new_capture(stream->context->platform, options->mode);
    status = capture ? provide_graph(capture, stream->context, options->graph)
                     : out_of_memory_for_capture();
    if (!status) status = start_capture(capture, stream, links, options->dependency_count);
    rl_free(links);
    if (status && capture) {
        if (capture->own) sim_capture_discard(capture->graph->handle);
        sim_capture_release(capture);
    }
    return status;
}

/* ---- Ending ------------------------------------------------------------------------ */

static rill_status refuse_unmatched(struct participant *participant)
{
    struct capture *capture = participant->capture;
    char stream[RILL_LABEL_MAX], origin[RILL_LABEL_MAX];
    sim_describe_object("stream", participant->stream->handle, stream);
    sim_describe_object("stream", capture->first->stream->handle, origin);
    rill_status status = rill_backend_fail(RILL_ERROR_STREAM_CAPTURE_UNMATCHED, "stream",
                                           "%s takes part in a capture that was begun in %s; end "
                                           "it there", stream, origin);
    sim_capture_break(capture, sim_capture_call(), status, sim_call_name(CALL_CAPTURE_END),
                      stream);
    return status;
}

/* Returns the status with which a capture ends in its origin. */
static rill_status judge_capture(const struct capture *capture)
{
    if (capture->state == RILL_CAPTURE_INVALIDATED) return sim_capture_refuse_broken(capture);
    rill_status status = sim_capture_check_joined(capture);
    if (status) return status;
    if (capture->mode != RILL_CAPTURE_RELAXED && capture->thread != sim_thread_number())
        return rill_backend_fail(RILL_ERROR_STREAM_CAPTURE_WRONG_THREAD, "stream",
                                 "the capture was begun by another thread, which alone can end it "
                                 "unless it is relaxed; what was captured is lost");
    return RILL_SUCCESS;
}

/* Ends a capture: sets *graph to what was captured, or *waste to a graph to discard.  Requires
 * captures_lock. */
static rill_status finish_capture(struct sim_stream *stream, rill_graph **graph, rill_graph **waste)
{
    struct participant *participant = stream->participant;
    if (!participant)
        return rill_backend_fail(RILL_ERROR_ILLEGAL_STATE, "stream", "the stream does not capture");
    struct capture *capture = participant->capture;
    if (participant != capture->first) return refuse_unmatched(participant);
    rill_status status = judge_capture(capture);
    struct sim_graph *filled = capture->graph;
    rill_graph *own = sim_capture_finish(capture, status != RILL_SUCCESS);
    if (status) *waste = own;
    else *graph = filled->handle;
    return status;
}

static rill_status end_capture(rill_stream *handle, rill_graph **graph)
{
    struct sim_stream *stream;
    rill_graph *waste = NULL;
    rill_status status = sim_stream_enter(handle, CALL_CAPTURE_END, &stream);
    if (status) {
        /* A refused end ends the capture as well, also after the device failed. */
        if (status != RILL_ERROR_STREAM_CAPTURE_IMPLICIT && !sim_host_depth &&
            sim_stream_of(handle)->kind == STREAM_ORDINARY)
            sim_capture_forget_stream(sim_stream_of(handle));
        return status;
    }
    sim_captures_lock(stream->context->platform);
    status = finish_capture(stream, graph, &waste);
    sim_captures_unlock(stream->context->platform);
    sim_capture_discard(waste);
    return status;
}

/* ---- Reporting ---------------------------------------------------------------------- */

/* Copies the dependencies of the stream's next node into arrays that the caller may read.  Returns
 * false if memory is short. */
static bool show_dependencies(struct participant *participant)
{
    uint32_t count = participant->dependencies.count;
    if (count > participant->room) {
        rill_node *nodes = rl_alloc(count * sizeof *nodes);
        rill_edge *edges = rl_alloc(count * sizeof *edges);
        if (!nodes || !edges) {
            rl_free(nodes);
            rl_free(edges);
            return false;
        }
        rl_free(participant->nodes);
        rl_free(participant->edges);
        participant->nodes = nodes;
        participant->edges = edges;
        participant->room = count;
    }
    const struct link *dependencies = sim_links(&participant->dependencies);
    for (uint32_t i = 0; i < count; i++) {
        participant->nodes[i] = sim_node_handle(participant->capture->graph, dependencies[i].slot);
        participant->edges[i] = sim_edge_read(dependencies[i].data);
    }
    return true;
}

/* Requires captures_lock. */
static rill_status describe_capture(struct participant *participant, rill_capture_info *info)
{
    info->state = participant ? participant->capture->state : RILL_CAPTURE_NONE;
    if (info->state != RILL_CAPTURE_ACTIVE) return RILL_SUCCESS;
    if (!show_dependencies(participant)) return out_of_memory_for_capture();
    info->id = participant->capture->id;
    info->graph = participant->capture->graph->handle;
    info->dependencies = participant->nodes;
    info->edges = participant->edges;
    info->dependency_count = participant->dependencies.count;
    return RILL_SUCCESS;
}

static rill_status get_capture_info(rill_stream *handle, rill_capture_info *info)
{
    struct sim_stream *stream;
    rill_status status = sim_stream_enter(handle, CALL_CAPTURE_INFO, &stream);
    if (status) return status;
    sim_captures_lock(stream->context->platform);
    status = describe_capture(stream->participant, info);
    sim_captures_unlock(stream->context->platform);
    return status;
}

/* ---- Updating ------------------------------------------------------------------------- */

/* Requires captures_lock. */
static rill_status set_dependencies(struct participant *participant, const rill_node *nodes,
                                    const rill_edge *edges, size_t count, rill_capture_update how)
{
    struct link *links;
    rill_status status = make_links(participant->capture->graph, nodes, edges, count,
                                    "dependencies", &links);
    if (status) return status;
    if (!sim_participant_reserve(participant, (uint32_t)count)) {
        rl_free(links);
        return out_of_memory_for_capture();
    }
    if (how == RILL_CAPTURE_SET) {
        participant->dependencies.count = 0;
        participant->work = NODE_NONE;
    }
    for (size_t i = 0; i < count; i++) sim_participant_add_dependency(participant, links[i]);
    rl_free(links);
    return RILL_SUCCESS;
}

/* Requires captures_lock. */
static rill_status update_participant(struct participant *participant, const rill_node *nodes,
                                      const rill_edge *edges, size_t count, rill_capture_update how)
{
    if (!participant)
        return rill_backend_fail(RILL_ERROR_ILLEGAL_STATE, "stream", "the stream does not capture");
    if (participant->capture->state == RILL_CAPTURE_INVALIDATED)
        return sim_capture_refuse_broken(participant->capture);
    if (how != RILL_CAPTURE_ADD && how != RILL_CAPTURE_SET)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "how",
                                 "%d is neither RILL_CAPTURE_ADD nor RILL_CAPTURE_SET", (int)how);
    return set_dependencies(participant, nodes, edges, count, how);
}

static rill_status update_dependencies(rill_stream *handle, const rill_node *dependencies,
                                       const rill_edge *edges, size_t count,
                                       rill_capture_update how)
{
    struct sim_stream *stream;
    rill_status status = sim_stream_enter(handle, CALL_CAPTURE_UPDATE, &stream);
    if (status) return status;
    sim_captures_lock(stream->context->platform);
    status = update_participant(stream->participant, dependencies, edges, count, how);
    sim_captures_unlock(stream->context->platform);
    return status;
}

static rill_status exchange_mode(rill_platform *handle, rill_capture_mode *mode)
{
    (void)handle; /* the mode is the thread's, whatever platform it uses */
    rill_status status = check_mode(*mode, "mode");
    if (status) return status;
    rill_capture_mode before = sim_thread_capture_mode;
    sim_thread_capture_mode = *mode;
    *mode = before;
    return RILL_SUCCESS;
}

/* As measured, a wait for an invalid event breaks a capture; other operations with an invalid
 * handle do not.  Requires captures_lock. */
static rill_status refuse_handle(struct participant *participant, rill_op_kind kind,
                                 rill_status status)
{
    if (participant->capture->state == RILL_CAPTURE_INVALIDATED)
        return sim_capture_refuse_broken(participant->capture);
    char object[RILL_LABEL_MAX];
    sim_describe_object("stream", participant->stream->handle, object);
    if (kind == RILL_OP_EVENT_WAIT)
        sim_capture_break(participant->capture, sim_capture_call(), status,
                          "rill_stream_wait_event", object);
    return status;
}

static rill_status refuse_operation(rill_stream *handle, rill_op_kind kind, rill_status status)
{
    struct sim_stream *stream = sim_stream_of(handle);
    struct sim_platform *platform = stream->context->platform;
    if (!sim_capturing(platform)) return status;
    if (kind == RILL_OP_GRAPH) {
        rill_status refused = sim_stream_enter(handle, CALL_EXEC_LAUNCH, &stream);
        return refused ? refused : status;
    }
    if (sim_host_depth) return status;
    if (stream->kind == STREAM_PER_THREAD && sim_thread_stream_get(stream->context, &stream))
        return status;
    sim_captures_lock(platform);
    if (stream->participant) status = refuse_handle(stream->participant, kind, status);
    sim_captures_unlock(platform);
    return status;
}

const struct rill_capture_ops sim_capture_ops = {
    .begin = begin_capture,
    .end = end_capture,
    .info = get_capture_info,
    .update = update_dependencies,
    .exchange_mode = exchange_mode,
    .refusal = refuse_operation,
};
