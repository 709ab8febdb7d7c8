/* SPDX-License-Identifier: Apache-2.0
 *
 * Recording events and waiting for them, in streams and as nodes.
 */
#include "backend-cuda/context/capture_list.h"
#include "backend-cuda/kind/kind.h"
#include "backend-cuda/object/event.h"

/* ---- In a stream ------------------------------------------------------------------------- */

static rill_status explain_submission(CUresult result, const char *call, uint32_t flags)
{
    if (flags & ~RILL_EVENT_EXTERNAL && result == CUDA_ERROR_INVALID_VALUE)
        return cuda_blame(result, call, "flags",
                          "0x%x holds unknown bits; it can be 0 or RILL_EVENT_EXTERNAL", flags);
    const char *argument = result == CUDA_ERROR_INVALID_HANDLE ? "event" : flags ? "flags" : NULL;
    return cuda_fail(result, call, argument);
}

static rill_status submit_record(struct cuda_stream *stream, rill_op *op)
{
    struct cuda_event *event = cuda_event_of(op->event.event);
    uint32_t flags = op->event.flags;
    CUresult result = __builtin_expect(flags != 0, 0)
                          ? cuda_api.EventRecordWithFlags(event->raw, stream->raw, flags)
                          : cuda_api.EventRecord(event->raw, stream->raw);
    if (__builtin_expect(result != CUDA_SUCCESS, 0))
        return cuda_submitted(stream, explain_submission(result, "cuEventRecord", flags));
    if (!atomic_load_explicit(&event->recorded, memory_order_relaxed))
        atomic_store_explicit(&event->recorded, true, memory_order_relaxed);
    return RILL_SUCCESS;
}

static CUresult record_null(const struct cuda_stream *stream)
{
    return cuda_api.EventRecord(NULL, stream->raw);
}

static rill_status submit_wait(struct cuda_stream *stream, rill_op *op)
{
    CUevent raw = cuda_event_of(op->event.event)->raw;
    CUresult result = cuda_api.StreamWaitEvent(stream->raw, raw, op->event.flags);
    if (__builtin_expect(result == CUDA_SUCCESS, 1)) return RILL_SUCCESS;
    return cuda_submitted(stream, explain_submission(result, "cuStreamWaitEvent", op->event.flags));
}

static CUresult wait_null(const struct cuda_stream *stream)
{
    return cuda_api.StreamWaitEvent(stream->raw, NULL, 0);
}

/* ---- Nodes, of both kinds ---------------------------------------------------------------- */

/* Every event in a graph is external, with the flag or without. */
static rill_status write_event(const struct cuda_site *site, const rill_op *op,
                               struct cuda_node_params *params, struct cuda_room *room)
{
    (void)site;
    (void)room;
    if (op->event.flags & ~RILL_EVENT_EXTERNAL)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "flags", "0x%x holds unknown bits",
                                 (unsigned)op->event.flags);
    params->event.event = cuda_event_of(op->event.event)->raw;
    if (params->event.event) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "op->event.event",
                             "the event went with its context");
}

static rill_status read_event(const struct cuda_graph *graph, CUevent raw, rill_op *op)
{
    op->event.event = cuda_find_event(graph->platform, raw);
    if (op->event.event) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_NOT_FOUND, "node",
                             "its event was destroyed, or not made through rill");
}

static rill_status explain_event(const struct cuda_refusal *r)
{
    return cuda_fail(r->result, r->call, "op->event.event");
}

/* ---- Records ----------------------------------------------------------------------------- */

static rill_status read_record(struct cuda_graph *graph, CUgraphNode node, rill_op *op)
{
    CUevent event;
    rill_status status = cuda_end(cuda_api.GraphEventRecordNodeGetEvent(node, &event),
                                  "cuGraphEventRecordNodeGetEvent");
    return status ? status : read_event(graph, event, op);
}

static bool is_record(CUgraphNode node)
{
    CUevent event;
    return !cuda_api.GraphEventRecordNodeGetEvent(node, &event);
}

static CUresult typed_add_record(struct cuda_addition *a)
{
    return cuda_api.GraphAddEventRecordNode(&a->node, a->graph->raw, cuda_raw_dependencies(a),
                                            a->count, a->params.event.event);
}

static CUresult typed_set_record(CUgraphNode node, const struct cuda_node_params *params)
{
    return cuda_api.GraphEventRecordNodeSetEvent(node, params->event.event);
}

static CUresult typed_exec_set_record(CUgraphExec exec, CUgraphNode node,
                                      const struct cuda_node_params *params)
{
    return cuda_api.GraphExecEventRecordNodeSetEvent(exec, node, params->event.event);
}

const struct cuda_kind cuda_kind_record = {
    .op = RILL_OP_EVENT_RECORD,
    .entering = CUDA_ENTER_NEVER,
    .write = write_event,
    .read = read_record,
    .recognises = is_record,
    .add = cuda_add_raw,
    .set = cuda_set_raw,
    .typed_add = typed_add_record,
    .typed_set = typed_set_record,
    .typed_exec_set = typed_exec_set_record,
    .explain = explain_event,
    .submit = submit_record,
    .submit_null = record_null,
};

/* ---- Waits ------------------------------------------------------------------------------- */

static rill_status read_wait(struct cuda_graph *graph, CUgraphNode node, rill_op *op)
{
    CUevent event;
    rill_status status = cuda_end(cuda_api.GraphEventWaitNodeGetEvent(node, &event),
                                  "cuGraphEventWaitNodeGetEvent");
    return status ? status : read_event(graph, event, op);
}

static bool is_wait(CUgraphNode node)
{
    CUevent event;
    return !cuda_api.GraphEventWaitNodeGetEvent(node, &event);
}

static CUresult typed_add_wait(struct cuda_addition *a)
{
    return cuda_api.GraphAddEventWaitNode(&a->node, a->graph->raw, cuda_raw_dependencies(a),
                                          a->count, a->params.event.event);
}

static CUresult typed_set_wait(CUgraphNode node, const struct cuda_node_params *params)
{
    return cuda_api.GraphEventWaitNodeSetEvent(node, params->event.event);
}

static CUresult typed_exec_set_wait(CUgraphExec exec, CUgraphNode node,
                                    const struct cuda_node_params *params)
{
    return cuda_api.GraphExecEventWaitNodeSetEvent(exec, node, params->event.event);
}

const struct cuda_kind cuda_kind_wait = {
    .op = RILL_OP_EVENT_WAIT,
    .entering = CUDA_ENTER_NEVER,
    .write = write_event,
    .read = read_wait,
    .recognises = is_wait,
    .add = cuda_add_raw,
    .set = cuda_set_raw,
    .typed_add = typed_add_wait,
    .typed_set = typed_set_wait,
    .typed_exec_set = typed_exec_set_wait,
    .explain = explain_event,
    .submit = submit_wait,
    .submit_null = wait_null,
};
