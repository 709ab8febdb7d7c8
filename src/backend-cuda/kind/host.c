/* SPDX-License-Identifier: Apache-2.0
 *
 * Host functions, in streams and as nodes.
 */
#include "backend-cuda/kind/host.h"

#include "backend-cuda/context/capture_list.h"
#include "backend-cuda/context/capture_state.h"
#include "backend-cuda/kind/kind.h"
#include "base/alloc.h"
#include "base/words/op_kind.h"

/* ---- Boxes in graphs ---------------------------------------------------------------------- */

static void CUDA_CB run_often(void *data)
{
    struct cuda_box *box = data;
    box->fn(box->data);
}

static void CUDA_CB give_back_box(void *data)
{
    struct cuda_box *box = data;
    box->destroy(box->data);
    rl_free(box);
}

/* Returns the box that the driver knows as fn(data), or NULL if that is none. */
static struct cuda_box *find_box(CUhostFn fn, void *data)
{
    return fn == run_often ? data : NULL;
}

/* Makes a box for a node: *fn and *data are what the driver gets.  *box is NULL if the function has
 * no `destroy` and needs no box.  Takes `op` over also when the call fails: its `destroy` has run
 * then. */
static rill_status box_for_graph(struct cuda_context *context, const rill_host_op *op, CUhostFn *fn,
                                 void **data, struct cuda_box **box)
{
    *fn = op->fn;
    *data = op->data;
    *box = NULL;
    if (!op->destroy) return RILL_SUCCESS;
    struct cuda_box *made = cuda_make_box(context, op);
    if (!made) {
        op->destroy(op->data);
        return RILL_ERROR_OUT_OF_MEMORY;
    }
    CUresult result = cuda_api.UserObjectCreate(&made->object, made, give_back_box, 1,
                                                CU_USER_OBJECT_NO_DESTRUCTOR_SYNC);
    if (result) {
        give_back_box(made);
        return cuda_end(result, "cuUserObjectCreate");
    }
    *fn = run_often;
    *data = made;
    *box = made;
    return RILL_SUCCESS;
}

/* Lets the graph refer to the box, which may be NULL.  If the node cannot be made instead,
 * cuda_box_drop() gives the box back. */
static rill_status keep_box(struct cuda_box *box, CUgraph graph)
{
    if (!box) return RILL_SUCCESS;
    CUresult result = cuda_api.GraphRetainUserObject(graph, box->object, 1,
                                                     CU_GRAPH_USER_OBJECT_MOVE);
    if (!result) return RILL_SUCCESS;
    cuda_box_drop(box);
    return cuda_end(result, "cuGraphRetainUserObject");
}

void cuda_box_drop(struct cuda_box *box)
{
    if (box) cuda_api.UserObjectRelease(box->object, 1);
}

struct cuda_box *cuda_box_of_node(CUgraphNode raw)
{
    CUDA_HOST_NODE_PARAMS params = { NULL, NULL };
    if (cuda_api.GraphHostNodeGetParams(raw, &params)) return NULL;
    return find_box(params.fn, params.userData);
}

void cuda_release_box(const struct cuda_graph *graph, struct cuda_box *box)
{
    if (box) cuda_api.GraphReleaseUserObject(graph->raw, box->object, 1);
}

/* ---- In a stream -------------------------------------------------------------------------- */

static void CUDA_CB run_once(void *data)
{
    struct cuda_box *box = data;
    if (!cuda_take_box(box)) return;
    box->fn(box->data);
    box->destroy(box->data);
    rl_free(box);
}

static rill_status submit_box(struct cuda_stream *stream, rill_op *op)
{
    struct cuda_box *box = cuda_make_box(stream->context, &op->host);
    if (!box) {
        rl_op_give_back(op);
        return RILL_ERROR_OUT_OF_MEMORY;
    }
    cuda_list_box(box);
    CUresult result = cuda_api.LaunchHostFunc(stream->raw, run_once, box);
    if (!result) return RILL_SUCCESS;
    /* Another thread may have seen the device fail and given the box back. */
    if (cuda_take_box(box)) {
        box->destroy(box->data);
        rl_free(box);
    }
    return cuda_end(result, "cuLaunchHostFunc");
}

/* The graph refers to the box before it has the node, so the reference has to be taken back if
 * the launch fails. */
static rill_status capture_box(struct cuda_stream *stream, rill_op *op, CUgraph graph)
{
    struct cuda_box *box;
    CUhostFn fn;
    void *data;
    rill_status status = box_for_graph(stream->context, &op->host, &fn, &data, &box);
    if (status) return status;
    status = keep_box(box, graph);
    if (status) return status;
    CUresult result = cuda_api.LaunchHostFunc(stream->raw, fn, data);
    if (result) cuda_api.GraphReleaseUserObject(graph, box->object, 1);
    return cuda_end(result, "cuLaunchHostFunc");
}

__attribute__((noinline))
static rill_status submit_with_destroy(struct cuda_stream *stream, rill_op *op)
{
    if (!cuda_capture_graph(stream)) return submit_box(stream, op);
    /* The graph stays until it has the function, though another thread ends the capture. */
    rl_lock(&cuda_capture_turn);
    CUgraph graph = cuda_capture_graph(stream);
    rill_status status = graph ? capture_box(stream, op, graph) : RILL_SUCCESS;
    rl_unlock(&cuda_capture_turn);
    return graph ? status : submit_box(stream, op);
}

static rill_status submit_host(struct cuda_stream *stream, rill_op *op)
{
    if (op->host.destroy) return cuda_submitted(stream, submit_with_destroy(stream, op));
    CUresult result = cuda_api.LaunchHostFunc(stream->raw, op->host.fn, op->host.data);
    if (__builtin_expect(result == CUDA_SUCCESS, 1)) return RILL_SUCCESS;
    return cuda_submitted(stream, cuda_fail(result, "cuLaunchHostFunc", NULL));
}

/* ---- Nodes ------------------------------------------------------------------------------- */

static rill_status write_host(const struct cuda_site *site, const rill_op *op,
                              struct cuda_node_params *params, struct cuda_room *room)
{
    return box_for_graph(site->context, &op->host, &params->host.fn, &params->host.data,
                         &room->box);
}

static rill_status read_host(struct cuda_graph *graph, CUgraphNode raw, rill_op *op)
{
    CUDA_HOST_NODE_PARAMS params;
    (void)graph;
    rill_status status = cuda_end(cuda_api.GraphHostNodeGetParams(raw, &params),
                                  "cuGraphHostNodeGetParams");
    if (status) return status;
    const struct cuda_box *box = find_box(params.fn, params.userData);
    op->host.fn = box ? box->fn : params.fn;
    op->host.data = box ? box->data : params.userData;
    return RILL_SUCCESS;
}

static bool is_host(CUgraphNode raw)
{
    CUDA_HOST_NODE_PARAMS params;
    return !cuda_api.GraphHostNodeGetParams(raw, &params);
}

static rill_status add_host(struct cuda_addition *a)
{
    rill_status status = keep_box(a->box, a->graph->raw);
    if (status) return status;
    status = cuda_add_raw(a);
    if (status) cuda_release_box(a->graph, a->box);
    return status;
}

static rill_status set_host(struct cuda_change *c)
{
    struct cuda_box *before = cuda_box_of_node(c->node);
    rill_status status = keep_box(c->box, c->graph->raw);
    if (status) return status;
    status = cuda_set_raw(c);
    cuda_release_box(c->graph, status ? c->box : before);
    return status;
}

static CUDA_HOST_NODE_PARAMS early_params(const struct cuda_host_params *params)
{
    return (CUDA_HOST_NODE_PARAMS){ .fn = params->fn, .userData = params->data };
}

static CUresult typed_add_host(struct cuda_addition *a)
{
    const CUDA_HOST_NODE_PARAMS raw = early_params(&a->params.host);
    return cuda_api.GraphAddHostNode(&a->node, a->graph->raw, cuda_raw_dependencies(a), a->count,
                                     &raw);
}

static CUresult typed_set_host(CUgraphNode node, const struct cuda_node_params *params)
{
    const CUDA_HOST_NODE_PARAMS raw = early_params(&params->host);
    return cuda_api.GraphHostNodeSetParams(node, &raw);
}

static CUresult typed_exec_set_host(CUgraphExec exec, CUgraphNode node,
                                    const struct cuda_node_params *params)
{
    const CUDA_HOST_NODE_PARAMS raw = early_params(&params->host);
    return cuda_api.GraphExecHostNodeSetParams(exec, node, &raw);
}

const struct cuda_kind cuda_kind_host = {
    .op = RILL_OP_HOST,
    .entering = CUDA_ENTER_NEVER,
    .write = write_host,
    .read = read_host,
    .recognises = is_host,
    .add = add_host,
    .set = set_host,
    .typed_add = typed_add_host,
    .typed_set = typed_set_host,
    .typed_exec_set = typed_exec_set_host,
    .submit = submit_host,
};
