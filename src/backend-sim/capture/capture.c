/* SPDX-License-Identifier: Apache-2.0
 *
 * Captures: their participants, how they break, how they end.
 */
#include "backend-sim/capture/capture.h"

#include <stdio.h>

#include "base/alloc.h"
#include "base/thread.h"

/* ---- Words ----------------------------------------------------------------------- */

void sim_describe_object(const char *word, const void *handle, char text[RILL_LABEL_MAX])
{
    const struct rill_object *head = handle;
    const char *label = __atomic_load_n(&head->label, __ATOMIC_ACQUIRE);
    if (label) snprintf(text, RILL_LABEL_MAX, "%s '%.48s'", word, label);
    else snprintf(text, RILL_LABEL_MAX, "%s %llu", word, (unsigned long long)head->id);
}

/* ---- Streams that take part -------------------------------------------------------- */

struct participant *sim_capture_join(struct capture *capture, struct sim_stream *stream,
                                     const struct link *nodes, uint32_t count)
{
    struct participant *participant = rl_zalloc(sizeof *participant);
    if (!participant || !sim_participant_reserve(participant, count)) {
        rl_free(participant);
        return NULL;
    }
    for (uint32_t i = 0; i < count; i++) sim_participant_add_dependency(participant, nodes[i]);
    participant->capture = capture;
    participant->stream = stream;
    participant->work = participant->forked_at = NODE_NONE;
    if (capture->last) capture->last->next = participant;
    else capture->first = participant;
    capture->last = participant;
    stream->participant = participant;
    return participant;
}

bool sim_participant_reserve(struct participant *participant, uint32_t more)
{
    return sim_links_reserve(&participant->dependencies, more, NULL);
}

void sim_participant_add_dependency(struct participant *participant, struct link link)
{
    if (sim_links_find(&participant->dependencies, link.slot) == NODE_NONE)
        sim_links_add(&participant->dependencies, link);
}

bool sim_participant_insert_node(struct participant *participant, struct task *task)
{
    struct links *dependencies = &participant->dependencies;
    if (!sim_participant_reserve(participant, 1)) return false;
    sim_task_retain(task);
    uint32_t slot = sim_graph_insert_node(participant->capture->graph, sim_links(dependencies),
                                          dependencies->count, task);
    if (slot == NODE_NONE) return false;
    dependencies->count = 0;
    sim_links_add(dependencies, (struct link){ .slot = slot });
    participant->work = slot;
    return true;
}

/* Detaches a stream that goes; its last node still has to be joined. */
static void detach_stream(struct participant *participant)
{
    sim_describe_object("stream", participant->stream->handle, participant->name);
    participant->stream->participant = NULL;
    participant->stream = NULL;
}

static void free_participant(struct participant *participant)
{
    if (participant->stream) participant->stream->participant = NULL;
    sim_links_free(&participant->dependencies, NULL);
    rl_free(participant->nodes);
    rl_free(participant->edges);
    rl_free(participant);
}

/* ---- Breaking --------------------------------------------------------------------- */

static void set_broken(struct capture *capture, rill_status status, const char *operation,
                       const char *object)
{
    if (capture->state != RILL_CAPTURE_ACTIVE) return;
    capture->state = RILL_CAPTURE_INVALIDATED;
    rill_error_cause *cause = &capture->cause;
    cause->status = status;
    snprintf(cause->operation, sizeof cause->operation, "%s", operation);
    snprintf(cause->object, sizeof cause->object, "%s", object);
    cause->thread = rl_thread_id();
    cause->time_ns = sim_engine_now(capture->platform->engine);
}

static void name_call(void *data, uint64_t call, const char *operation)
{
    struct sim_platform *platform = data;
    sim_captures_lock(platform);
    for (struct capture *capture = platform->captures; capture; capture = capture->next) {
        if (capture->call != call) continue;
        capture->call = 0;
        snprintf(capture->cause.operation, sizeof capture->cause.operation, "%s", operation);
    }
    sim_captures_unlock(platform);
}

uint64_t sim_capture_call(void)
{
    static atomic_uint_least64_t last;
    return atomic_fetch_add_explicit(&last, 1, memory_order_relaxed) + 1;
}

/* Asks to be told the call's name for each capture, even if it was broken before: when a call notes
 * why it fails, it forgets whom to tell. */
void sim_capture_break(struct capture *capture, uint64_t call, rill_status status,
                       const char *operation, const char *object)
{
    if (capture->state == RILL_CAPTURE_ACTIVE) capture->call = call;
    set_broken(capture, status, operation, object);
    rill_backend_fail_told(name_call, capture->platform, call);
}

rill_status sim_capture_refuse_broken(const struct capture *capture)
{
    const rill_error_cause *cause = &capture->cause;
    char stream[RILL_LABEL_MAX];
    sim_describe_object("stream", capture->first->stream->handle, stream);
    rill_backend_fail(RILL_ERROR_STREAM_CAPTURE_INVALIDATED, "stream",
                      "the capture begun in %s was broken by %s%s%s in thread %llu; end it there "
                      "with rill_stream_end_capture()", stream, cause->operation,
                      cause->object[0] ? " on " : "", cause->object,
                      (unsigned long long)cause->thread);
    rill_backend_fail_cause(cause);
    return RILL_ERROR_STREAM_CAPTURE_INVALIDATED;
}

rill_status sim_capture_refuse_left(void)
{
    return rill_backend_fail(RILL_ERROR_STREAM_CAPTURE_INVALIDATED, "stream",
                             "another thread ended the capture meanwhile");
}

/* ---- Ending ----------------------------------------------------------------------- */

void sim_capture_release(struct capture *capture)
{
    if (atomic_fetch_sub_explicit(&capture->references, 1, memory_order_acq_rel) == 1)
        rl_free(capture);
}

static void unlist_capture(struct capture *capture)
{
    struct sim_platform *platform = capture->platform;
    struct capture **at = &platform->captures;
    while (*at != capture) at = &(*at)->next;
    *at = capture->next;
    if (!platform->captures)
        atomic_fetch_and_explicit(&platform->alert, ~(unsigned)ALERT_CAPTURE,
                                  memory_order_relaxed);
}

rill_graph *sim_capture_finish(struct capture *capture, bool failed)
{
    struct sim_graph *graph = capture->graph;
    rill_graph *own = capture->own && graph ? graph->handle : NULL;
    unlist_capture(capture);
    for (struct participant *participant = capture->first, *next; participant; participant = next) {
        next = participant->next;
        free_participant(participant);
    }
    capture->first = capture->last = NULL;
    if (graph) graph->capture = NULL;
    if (graph && failed && !own && graph->role == GRAPH_OWN) graph->fate = GRAPH_LOST;
    capture->graph = NULL;
    capture->state = RILL_CAPTURE_NONE;
    sim_capture_release(capture);
    return own;
}

void sim_capture_discard(rill_graph *graph)
{
    if (!graph) return;
    sim_graph_clear(sim_graph_of(graph)); /* may run what the user gave with nodes */
    rill_backend_disown(graph);
}

/* ---- What goes away during captures -------------------------------------------------- */

/* Takes a stream that goes away out of its capture.  Returns the graph of the capture if that ends
 * with the stream, else NULL. */
static rill_graph *leave_capture(struct sim_stream *stream)
{
    struct sim_platform *platform = stream->context->platform;
    rill_graph *graph = NULL;
    if (!sim_capturing(platform)) return NULL;
    sim_captures_lock(platform);
    struct participant *participant = stream->participant;
    if (participant && participant == participant->capture->first)
        graph = sim_capture_finish(participant->capture, true);
    else if (participant) detach_stream(participant);
    sim_captures_unlock(platform);
    return graph;
}

void sim_capture_forget_stream(struct sim_stream *stream)
{
    sim_capture_discard(leave_capture(stream));
}

/* Takes the context out of a capture that was begun in another one: its streams
 * go as if each were destroyed.  The graph stays, wherever it was made. */
static void leave_context(struct capture *capture, const struct sim_context *context)
{
    for (struct participant *other = capture->first; other; other = other->next)
        if (other->stream && other->stream->context == context) detach_stream(other);
}

void sim_capture_forget_context(struct sim_context *context)
{
    struct sim_platform *platform = context->platform;
    while (sim_capturing(platform)) {
        rill_graph *graph = NULL;
        struct capture *capture, *next;
        sim_captures_lock(platform);
        for (capture = platform->captures; capture; capture = next) {
            next = capture->next;
            if (capture->first->stream->context == context) break;
            leave_context(capture, context);
        }
        if (capture) graph = sim_capture_finish(capture, true);
        sim_captures_unlock(platform);
        sim_capture_discard(graph);
        if (!capture) return;
    }
}

/* Returns whether a stream captures into the graph. */
static bool fills_graph(const struct sim_graph *graph)
{
    struct sim_platform *platform = graph->platform;
    if (!sim_capturing(platform)) return false;
    sim_captures_lock(platform);
    bool filled = graph->capture;
    sim_captures_unlock(platform);
    return filled;
}

/* Refuses to destroy a graph that a stream captures into. */
static rill_status permits_end(const struct sim_graph *graph)
{
    struct sim_platform *platform = graph->platform;
    rill_status status = RILL_SUCCESS;
    if (!sim_capturing(platform)) return status;
    char stream[RILL_LABEL_MAX];
    sim_captures_lock(platform);
    if (graph->capture) {
        sim_describe_object("stream", graph->capture->first->stream->handle, stream);
        status = rill_backend_fail(RILL_ERROR_ILLEGAL_STATE, "graph",
                                   "%s captures into this graph; end that first", stream);
    }
    sim_captures_unlock(platform);
    return status;
}

/* Called when a graph is destroyed: breaks a capture into it that another thread began after
 * permits_end(). */
static void forget_graph(struct sim_graph *graph)
{
    struct sim_platform *platform = graph->platform;
    if (!sim_capturing(platform)) return;
    char object[RILL_LABEL_MAX];
    sim_describe_object("graph", graph->handle, object);
    sim_captures_lock(platform);
    struct capture *capture = graph->capture;
    if (capture) {
        capture->graph = NULL;
        graph->capture = NULL;
        set_broken(capture, RILL_ERROR_ILLEGAL_STATE, "end of its graph", object);
    }
    sim_captures_unlock(platform);
}

const struct sim_interceptor sim_capture_interceptor = {
    .permits = sim_capture_permits,
    .permits_stream = sim_capture_permits_stream,
    .permits_event = sim_capture_permits_event,
    .permits_end = permits_end,
    .takes = sim_capture_takes,
    .follow = sim_capture_follow,
    .refuse_external = sim_capture_refuse_external,
    .fills = fills_graph,
    .forget_stream = sim_capture_forget_stream,
    .leave = leave_capture,
    .discard = sim_capture_discard,
    .forget_graph = forget_graph,
};
