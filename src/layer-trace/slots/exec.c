/* SPDX-License-Identifier: Apache-2.0
 *
 * Execs: making them, and their launches.
 */
#include "layer-trace/slots/timed.h"
#include "layer-trace/trace/drawing.h"

static rill_status trace_create(rill_exec *exec, rill_graph *graph, rill_exec_options *options)
{
    static const struct tr_name name = TR_CALL_NAME("instantiate graph");
    struct tr_call call;
    tr_call_begin(&call, exec);
    rill_status status = tr_beneath(exec)->exec->create(exec, graph, options);
    tr_call_end_as(&call, &name, status);
    const char *folder = tr_tracer_of(exec)->settings.graphs;
    if (*folder && !status) tr_drawing_write(folder, tr_beneath(exec), graph);
    return status;
}

static rill_status trace_update(rill_exec *exec, rill_graph *graph, rill_update_result *result)
{
    static const struct tr_name name = TR_CALL_NAME("update graph");
    struct tr_call call;
    tr_call_begin(&call, exec);
    return tr_call_end_as(&call, &name, tr_beneath(exec)->exec->update(exec, graph, result));
}

static rill_status trace_launch(rill_exec *exec, rill_stream *stream)
{
    static const struct tr_name name = TR_CALL_NAME("launch graph");
    struct tr_call call;
    tr_call_begin(&call, exec);
    tr_label_note(&call, stream);
    struct tr_timed_op *timed = tr_timed_begin(&call, stream, RILL_OP_GRAPH, "graph", 0);
    rill_status status = tr_beneath(exec)->exec->launch(exec, stream);
    tr_timed_end(timed, stream, NULL, status);
    return tr_call_end_as(&call, &name, status);
}

static rill_status trace_upload(rill_exec *exec, rill_stream *stream)
{
    static const struct tr_name name = TR_CALL_NAME("upload graph");
    struct tr_call call;
    tr_call_begin(&call, exec);
    tr_label_note(&call, stream);
    return tr_call_end_as(&call, &name, tr_beneath(exec)->exec->upload(exec, stream));
}

const struct rill_exec_ops tr_exec_slots = {
    .create = trace_create, .update = trace_update, .launch = trace_launch,
    .upload = trace_upload,
};
