/* SPDX-License-Identifier: Apache-2.0 */
#include "core/graph/exec.h"

#include "core/object/options.h"
#include "core/op/submit.h"

/* Returns NULL for a backend without execs; an exec's own backend has them. */
static const struct rill_exec_ops *exec_ops(const void *object)
{
    return rl_exec_ops(object);
}

/* ---- Lifetime ----------------------------------------------------------- */

static rill_status read_options(const rill_exec_options *given, rill_exec_options *known,
                                const rill_graph *graph)
{
    rill_status status = rl_read_options(given, known, sizeof *known, "options->size");
    if (!status && known->upload_stream)
        status = rl_check_with(known->upload_stream, RILL_OBJECT_STREAM, "options->upload_stream",
                               graph);
    if (!status && known->context)
        status = rl_check_with(known->context, RILL_OBJECT_CONTEXT, "options->context", graph);
    known->result = RILL_EXEC_OK;
    known->failing_node = NULL;
    return status;
}

rill_status rl_exec_new(rill_graph *graph, rill_exec_options *options, rill_exec **exec)
{
    rill_status status = RILL_SUCCESS;
    if (!options->context) {
        status = rl_check_work(graph, "say in options->context which");
        if (status) return status;
        options->context = rill_object_of(graph)->context;
    }
    rill_exec *made = rl_object_new(RILL_OBJECT_EXEC, options->context, options->label);
    if (!made) return RILL_ERROR_OUT_OF_MEMORY;
    status = exec_ops(made)->create(made, graph, options);
    if (status)
        rl_object_drop(made);
    else
        *exec = made;
    return status;
}

rill_status rill_exec_create(rill_graph *graph, rill_exec_options *options, rill_exec **exec)
{
    rill_exec_options known;
    rill_status status = rl_check(graph, RILL_OBJECT_GRAPH, "graph");
    if (!status) status = rl_need(graph, exec_ops(graph) != NULL, __func__);
    if (!status) status = rl_required(exec, "exec");
    if (!status) status = read_options(options, &known, graph);
    if (!status) {
        status = rl_exec_new(graph, &known, exec);
        if (status && !known.result) known.result = RILL_EXEC_ERROR;
        if (options) {
            options->result = known.result;
            options->failing_node = known.failing_node;
        }
    }
    return rl_finish(__func__, graph, status);
}

rill_status rill_exec_destroy(rill_exec **exec)
{
    rill_exec *given = exec ? *exec : NULL;
    if (!given) return RILL_SUCCESS;
    rill_status status = rl_object_end(given, RILL_OBJECT_EXEC, "exec");
    if (status) return rl_finish(__func__, given, status);
    *exec = NULL;
    status = rl_finish(__func__, given, exec_ops(given)->destroy(given));
    rl_release(given);
    return status;
}

rill_status rl_exec_end(rill_exec *exec)
{
    rill_status status = rl_object_end(exec, RILL_OBJECT_EXEC, "exec");
    if (status) return status;
    status = exec_ops(exec)->destroy(exec);
    rl_release(exec);
    return status;
}

/* ---- Running ------------------------------------------------------------ */

/* Checks a launch.  In a stream that captures, a launch of NULL is refused as any launch is. */
static rill_status check_launch(const rill_exec *exec, rill_stream *stream)
{
    static const struct rl_pair pair = { RILL_OBJECT_EXEC, RILL_OBJECT_STREAM, "exec", "stream" };
    rill_status status = rl_check_first(exec, stream, &pair);
    if (!status) return rl_check_with(stream, RILL_OBJECT_STREAM, "stream", exec);
    return rl_usable(stream, RILL_OBJECT_STREAM) ? rl_refusal(stream, RILL_OP_GRAPH, status)
                                                 : status;
}

rill_status rill_exec_launch(rill_exec *exec, rill_stream *stream)
{
    rill_status status = check_launch(exec, stream);
    if (!status) status = exec_ops(exec)->launch(exec, stream);
    return rl_finish(__func__, exec, status);
}

rill_status rill_exec_upload(rill_exec *exec, rill_stream *stream)
{
    rill_status status = check_launch(exec, stream);
    if (!status) status = exec_ops(exec)->upload(exec, stream);
    return rl_finish(__func__, exec, status);
}

rill_status rill_exec_flags(rill_exec *exec, uint32_t *flags)
{
    rill_status status = rl_check(exec, RILL_OBJECT_EXEC, "exec");
    if (!status) status = rl_required(flags, "flags");
    if (!status) status = exec_ops(exec)->flags(exec, flags);
    return rl_finish(__func__, exec, status);
}

rill_status rill_exec_bytes(rill_exec *exec, size_t *bytes)
{
    rill_status status = rl_check(exec, RILL_OBJECT_EXEC, "exec");
    if (!status) status = rl_required(bytes, "bytes");
    if (!status) status = rl_need(exec, exec_ops(exec)->bytes != NULL, __func__);
    if (!status) status = exec_ops(exec)->bytes(exec, bytes);
    return rl_finish(__func__, exec, status);
}

/* ---- Changing ----------------------------------------------------------- */

static rill_status check_node(const rill_exec *exec, rill_node node)
{
    rill_status status = rl_check(exec, RILL_OBJECT_EXEC, "exec");
    if (!status && !node)
        status = rill_backend_fail(RILL_ERROR_INVALID_VALUE, "node",
                                   "node is NULL; pass a node of the graph that the exec was made "
                                   "from");
    return status;
}

rill_status rill_exec_set_op(rill_exec *exec, rill_node node, const rill_op *op)
{
    rill_status status = check_node(exec, node);
    if (!status) status = rl_check_op(op, exec);
    if (!status) return rl_finish(__func__, exec, exec_ops(exec)->set_op(exec, node, op));
    status = rl_finish(__func__, exec, status);
    rl_op_give_back(op);
    return status;
}

rill_status rill_exec_set_enabled(rill_exec *exec, rill_node node, int enabled)
{
    rill_status status = check_node(exec, node);
    if (!status) status = exec_ops(exec)->set_enabled(exec, node, enabled);
    return rl_finish(__func__, exec, status);
}

rill_status rill_exec_get_enabled(rill_exec *exec, rill_node node, int *enabled)
{
    rill_status status = check_node(exec, node);
    if (!status) status = rl_required(enabled, "enabled");
    if (!status) status = exec_ops(exec)->get_enabled(exec, node, enabled);
    return rl_finish(__func__, exec, status);
}

rill_status rill_exec_update(rill_exec *exec, rill_graph *graph, rill_update_result *result)
{
    rill_update_result answer = { RILL_UPDATE_SUCCESS, NULL, NULL };
    static const struct rl_pair pair = { RILL_OBJECT_EXEC, RILL_OBJECT_GRAPH, "exec", "graph" };
    rill_status status = rl_check_first(exec, graph, &pair);
    if (!status) status = rl_check_with(graph, RILL_OBJECT_GRAPH, "graph", exec);
    if (!status) {
        status = exec_ops(exec)->update(exec, graph, &answer);
        if (result) *result = answer;
    }
    return rl_finish(__func__, exec, status);
}
