/* SPDX-License-Identifier: Apache-2.0
 *
 * Execs: made, launched, ended.
 */
#include "backend-cuda/exec/exec.h"

#include "backend-cuda/context/capture_state.h"
#include "backend-cuda/exec/boxes.h"
#include "backend-cuda/kind/kind.h"
#include "backend-cuda/stream/stream.h"
#include "base/alloc.h"

/* ---- The end -------------------------------------------------------------------------- */

static struct cuda_exec *exec_of_part(struct cuda_part *part)
{
    return (struct cuda_exec *)((char *)part - offsetof(struct cuda_exec, part));
}

/* Destroys an exec whose end a capture of this thread has forbidden: the exec goes all the
 * same, and the caller is told. */
static void destroy_relaxed(CUgraphExec raw)
{
    CUstreamCaptureMode mode = cuda_relax();
    cuda_api.GraphExecDestroy(raw);
    cuda_restore_mode(mode);
}

static void end_exec(struct cuda_part *part)
{
    struct cuda_exec *exec = exec_of_part(part);
    cuda_exec_disown_all(exec);
    if (!exec->borrowed) exec->ended = cuda_api.GraphExecDestroy(exec->raw);
    if (exec->ended == CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED) destroy_relaxed(exec->raw);
    exec->raw = NULL;
}

static rill_status destroy_exec(rill_exec *handle)
{
    struct cuda_exec *exec = cuda_exec_of(handle);
    cuda_end_part(exec->context, &exec->part);
    if (exec->raw) end_exec(&exec->part); /* inside a host function: the driver has to answer */
    cuda_nodes_free(&exec->nodes, false);
    return cuda_end_with(exec->ended, "cuGraphExecDestroy", NULL);
}

void cuda_take_exec(rill_exec *handle, struct cuda_context *context, CUgraphExec raw, bool borrowed)
{
    struct cuda_exec *exec = cuda_exec_of(handle);
    exec->context = context;
    exec->raw = raw;
    exec->borrowed = borrowed;
    exec->foreign = true;
    cuda_add_part(context, &exec->part, end_exec);
}

/* ---- Its nodes --------------------------------------------------------------------------- */

static struct cuda_graph *find_inner_object(struct cuda_graph *outer, CUgraph raw)
{
    struct cuda_graph *inner = outer ? outer->inner : NULL;
    while (inner && inner->raw != raw) inner = inner->sibling;
    return inner;
}

static rill_status list_nodes_of_graph(struct cuda_nodes *nodes, CUgraph raw,
                                       struct cuda_graph *object);

static rill_status list_nodes_inside(struct cuda_nodes *nodes, CUgraphNode node, rill_op_kind kind,
                                     struct cuda_graph *object)
{
    CUgraph child;
    if (kind == RILL_OP_GRAPH && !cuda_api.GraphChildGraphNodeGetGraph(node, &child))
        return list_nodes_of_graph(nodes, child, find_inner_object(object, child));
    rill_status status = RILL_SUCCESS;
    struct cuda_graph *body = kind == RILL_OP_CONDITIONAL && object ? object->inner : NULL;
    for (; !status && body; body = body->sibling)
        if (body->holder == node) status = list_nodes_of_graph(nodes, body->raw, body);
    return status;
}

/* Returns how many operations a node holds, above the place of its kind. */
static uintptr_t count_operations(rill_op_kind op, CUgraphNode raw)
{
    const struct cuda_kind *kind = cuda_find_kind(op);
    return kind->count ? (uintptr_t)kind->count(raw) << CUDA_SLOT_KIND_BITS : 0;
}

/* Recurses as deep as the driver lets graphs nest. */
static rill_status list_nodes_of_graph(struct cuda_nodes *nodes, CUgraph raw,
                                       struct cuda_graph *object)
{
    CUgraphNode *list;
    size_t count;
    rill_status status = cuda_list_nodes(raw, &list, &count);
    for (size_t i = 0; !status && i < count; i++) {
        struct cuda_slot *slot = cuda_nodes_put(nodes, list[i]);
        if (!slot) {
            status = RILL_ERROR_OUT_OF_MEMORY;
            break;
        }
        rill_op_kind kind = cuda_kind_of(list[i]);
        slot->kind = (uintptr_t)kind | count_operations(kind, list[i]);
        if (kind == RILL_OP_GRAPH || kind == RILL_OP_CONDITIONAL)
            status = list_nodes_inside(nodes, list[i], kind, object);
    }
    rl_free(list);
    return status;
}

/* ---- Making ------------------------------------------------------------------------------- */

static CUstream stream_to_upload_in(const rill_exec_options *options)
{
    return options->upload_stream ? cuda_stream_of(options->upload_stream)->raw : CU_STREAM_LEGACY;
}

/* Drivers before 12.0 do not say why they refuse, and upload by another call. */
static CUresult instantiate_early(struct cuda_exec *exec, CUgraph raw,
                                  const rill_exec_options *options)
{
    CUresult result = cuda_api.GraphInstantiateWithFlags(&exec->raw, raw,
                                                         options->flags & ~RILL_EXEC_UPLOAD);
    if (result || !(options->flags & RILL_EXEC_UPLOAD)) return result;
    result = cuda_api.GraphUpload(exec->raw, stream_to_upload_in(options));
    if (result) cuda_api.GraphExecDestroy(exec->raw);
    return result;
}

static CUresult instantiate(struct cuda_exec *exec, CUgraph raw, rill_exec_options *options)
{
    if (!cuda_api.GraphInstantiateWithParams) return instantiate_early(exec, raw, options);
    CUDA_GRAPH_INSTANTIATE_PARAMS params = { .flags = options->flags };
    if (options->flags & RILL_EXEC_UPLOAD) params.hUploadStream = stream_to_upload_in(options);
    CUresult result = cuda_api.GraphInstantiateWithParams(&exec->raw, raw, &params);
    options->result = (rill_exec_result)params.result_out;
    options->failing_node = result ? cuda_node(params.hErrNode_out) : NULL;
    return result;
}

static const uint32_t known_flags = RILL_EXEC_AUTO_FREE | RILL_EXEC_UPLOAD |
                                    RILL_EXEC_DEVICE_LAUNCH | RILL_EXEC_NODE_PRIORITY;

static rill_status explain_instantiation(CUresult result, const rill_exec_options *options)
{
    const uint32_t both = RILL_EXEC_AUTO_FREE | RILL_EXEC_DEVICE_LAUNCH;
    const char *why = NULL;
    if (result == CUDA_ERROR_INVALID_VALUE && options->flags & ~known_flags)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "options->flags",
                                 "0x%x holds unknown bits", (unsigned)options->flags);
    if (result == CUDA_ERROR_INVALID_VALUE && (options->flags & both) == both)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "options->flags",
                                 "RILL_EXEC_AUTO_FREE and RILL_EXEC_DEVICE_LAUNCH exclude each "
                                 "other");
    switch ((int)options->result) {
    case RILL_EXEC_INVALID_STRUCTURE: why = "its nodes wait for each other in a circle"; break;
    case RILL_EXEC_NODE_NOT_SUPPORTED:
        why = options->flags & RILL_EXEC_DEVICE_LAUNCH
                  ? "a node cannot be in a graph that is launched from the device"
                  : "a node cannot be where it is: a body of a conditional holds kernels, copies, "
                    "fills, empty nodes, child graphs and conditionals alone";
        break;
    case RILL_EXEC_MULTIPLE_CONTEXTS: why = "its nodes are of several contexts"; break;
    case RILL_EXEC_CONDITIONAL_UNUSED: why = "none of its nodes has one of its handles"; break;
    }
    if (why)
        return rill_backend_fail((rill_status)result, "graph",
                                 "the graph cannot be made an exec: %s (%s)", why,
                                 cuda_text(result));
    if (result == CUDA_ERROR_NOT_SUPPORTED)
        return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, "graph",
                                 "a graph that has memory or conditional nodes has one exec at a "
                                 "time, and one inside another graph has none of its own");
    return cuda_fail(result, "cuGraphInstantiate", "graph");
}

static rill_status make_exec(struct cuda_exec *exec, struct cuda_graph *graph,
                             rill_exec_options *options)
{
    rill_status status = list_nodes_of_graph(&exec->nodes, graph->raw, graph);
    if (status) return status;
    CUresult result = instantiate(exec, graph->raw, options);
    return result ? explain_instantiation(result, options) : RILL_SUCCESS;
}

static rill_status create_exec(rill_exec *handle, rill_graph *from, rill_exec_options *options)
{
    struct cuda_exec *exec = cuda_exec_of(handle);
    struct cuda_graph *graph = cuda_graph_of(from);
    struct cuda_visit visit;
    exec->context = cuda_context_of(options->context);
    exec->flags = options->flags & (RILL_EXEC_AUTO_FREE | RILL_EXEC_DEVICE_LAUNCH);
    rill_status status = cuda_enter(exec->context, &visit);
    if (status) return status;
    status = make_exec(exec, graph, options);
    cuda_leave(&visit);
    if (status)
        cuda_nodes_free(&exec->nodes, false);
    else
        cuda_add_part(exec->context, &exec->part, end_exec);
    return status;
}

/* ---- Launching ------------------------------------------------------------------------------- */

__attribute__((noinline))
static rill_status explain_launch(const struct cuda_exec *exec, CUresult result, const char *call)
{
    if (!exec->raw)
        return rill_backend_fail(RILL_ERROR_CONTEXT_IS_DESTROYED, "exec",
                                 "the exec went with its context");
    if (result == CUDA_ERROR_INVALID_VALUE)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "exec",
                                 "the exec cannot be launched now: memory that it allocates is "
                                 "live from an earlier launch, or used by it and gone (%s)",
                                 cuda_text(result));
    return cuda_fail(result, call, NULL);
}

static rill_status launch_with_boxes(struct cuda_exec *exec, struct cuda_stream *stream)
{
    CUgraph captured = cuda_capture_graph(stream);
    rill_status status = cuda_exec_before_launch(exec, captured);
    if (status) return status;
    CUresult result = cuda_api.GraphLaunch(exec->raw, stream->raw);
    cuda_exec_after_launch(exec, captured, stream->raw, result);
    return result ? explain_launch(exec, result, "cuGraphLaunch") : RILL_SUCCESS;
}

__attribute__((noinline))
static rill_status launch_slowly(struct cuda_exec *exec, struct cuda_stream *stream)
{
    struct cuda_visit visit;
    rill_status status = cuda_enter_stream(stream, &visit);
    if (status) return status;
    if (exec->boxes) {
        status = launch_with_boxes(exec, stream);
    } else {
        CUresult result = cuda_api.GraphLaunch(exec->raw, stream->raw);
        if (result) status = explain_launch(exec, result, "cuGraphLaunch");
    }
    cuda_leave(&visit);
    return status;
}

static rill_status launch_exec(rill_exec *handle, rill_stream *to)
{
    struct cuda_exec *exec = cuda_exec_of(handle);
    struct cuda_stream *stream = cuda_stream_of(to);
    if (__builtin_expect(stream->is_default || exec->boxes, 0)) return launch_slowly(exec, stream);
    CUresult result = cuda_api.GraphLaunch(exec->raw, stream->raw);
    if (__builtin_expect(result == CUDA_SUCCESS, 1)) return RILL_SUCCESS;
    return explain_launch(exec, result, "cuGraphLaunch");
}

static rill_status upload_exec(rill_exec *handle, rill_stream *to)
{
    struct cuda_exec *exec = cuda_exec_of(handle);
    struct cuda_stream *stream = cuda_stream_of(to);
    struct cuda_visit visit;
    rill_status status = cuda_enter_stream(stream, &visit);
    if (status) return status;
    CUresult result = cuda_api.GraphUpload(exec->raw, stream->raw);
    if (result) status = explain_launch(exec, result, "cuGraphUpload");
    cuda_leave(&visit);
    return status;
}

static rill_status ask_flags(rill_exec *handle, uint32_t *value)
{
    struct cuda_exec *exec = cuda_exec_of(handle);
    uint64_t told = exec->flags;
    rill_status status = RILL_SUCCESS;
    if (cuda_api.GraphExecGetFlags)
        status = cuda_end_with(cuda_api.GraphExecGetFlags(exec->raw, &told), "cuGraphExecGetFlags",
                               "exec");
    if (!status) *value = (uint32_t)told;
    return status;
}

const struct rill_exec_ops cuda_exec_ops = {
    .private_bytes = sizeof(struct cuda_exec),
    .create = create_exec,
    .destroy = destroy_exec,
    .launch = launch_exec,
    .upload = upload_exec,
    .flags = ask_flags,
    .set_op = cuda_exec_set_op,
    .set_enabled = cuda_exec_set_enabled,
    .get_enabled = cuda_exec_get_enabled,
    .update = cuda_exec_update,
};
