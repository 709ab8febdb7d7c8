/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-cuda/host.h"

#include "backend-cuda/capture_list.h"
#include "backend-cuda/capture_state.h"
#include "backend-cuda/stream.h"
#include "base/alloc.h"

/* ---- Boxes ---------------------------------------------------------------------------- */

void cuda_refuse_host(const rill_op *op)
{
    if (op->host.destroy) op->host.destroy(op->host.data);
}

/* ---- In streams ------------------------------------------------------------------------- */

static void CUDA_CB run_once(void *data)
{
    struct cuda_box *box = data;
    if (!cuda_take_box(box)) return;
    box->fn(box->data);
    box->destroy(box->data);
    rl_free(box);
}

static void CUDA_CB call_back(CUstream raw, CUresult result, void *data)
{
    struct cuda_box *box = data;
    (void)raw;
    if (!cuda_take_box(box)) return;
    box->callback(box->stream, (rill_status)result, box->data);
    rl_free(box);
}

static rill_status submit_box(struct cuda_stream *stream, rill_op *op)
{
    struct cuda_box *box = cuda_make_box(stream->context, &op->host);
    if (!box) {
        cuda_refuse_host(op);
        return RILL_ERROR_OUT_OF_MEMORY;
    }
    cuda_list_box(box);
    CUresult result = cuda_api.LaunchHostFunc(stream->raw, run_once, box);
    if (!result) return RILL_SUCCESS;
    /* Another thread may have seen the device fail and given it back. */
    if (cuda_take_box(box)) {
        box->destroy(box->data);
        rl_free(box);
    }
    return cuda_end(result, "cuLaunchHostFunc");
}

/* The box of a captured function is the graph's, before the graph has the node: a
 * launch that fails leaves a reference that has to be taken back. */
static rill_status capture_box(struct cuda_stream *stream, rill_op *op, CUgraph graph)
{
    struct cuda_box *box;
    CUhostFn fn;
    void *data;
    rill_status status = cuda_box_for_graph(stream->context, &op->host, &fn, &data, &box);
    if (status) return status;
    status = cuda_box_keep(box, graph);
    if (status) return status;
    CUresult result = cuda_api.LaunchHostFunc(stream->raw, fn, data);
    if (result) cuda_api.GraphReleaseUserObject(graph, box->object, 1);
    return cuda_end(result, "cuLaunchHostFunc");
}

__attribute__((noinline))
static rill_status submit_owner(struct cuda_stream *stream, rill_op *op)
{
    if (!cuda_capture_graph(stream)) return submit_box(stream, op);
    /* The graph is not gone before it has the function, though another thread ends the
     * capture. */
    rl_lock(&cuda_capture_turn);
    CUgraph graph = cuda_capture_graph(stream);
    rill_status status = graph ? capture_box(stream, op, graph) : RILL_SUCCESS;
    rl_unlock(&cuda_capture_turn);
    return graph ? status : submit_box(stream, op);
}

rill_status cuda_submit_host(struct cuda_stream *stream, rill_op *op)
{
    if (op->host.destroy) return cuda_submitted(stream, submit_owner(stream, op));
    CUresult result = cuda_api.LaunchHostFunc(stream->raw, op->host.fn, op->host.data);
    if (__builtin_expect(result == CUDA_SUCCESS, 1)) return RILL_SUCCESS;
    return cuda_submitted(stream, cuda_fail(result, "cuLaunchHostFunc", NULL));
}

rill_status cuda_stream_add_callback(rill_stream *handle, rill_stream_callback callback,
                                     void *data, uint32_t flags)
{
    struct cuda_stream *stream = cuda_stream_of(handle);
    struct cuda_visit visit;
    const rill_host_op op = { .data = data };
    struct cuda_box *box = cuda_make_box(stream->context, &op);
    if (!box) return RILL_ERROR_OUT_OF_MEMORY;
    box->callback = callback;
    box->stream = handle;
    rill_status status = cuda_enter_stream(stream, &visit);
    if (!status) {
        cuda_list_box(box);
        status = cuda_end_with(cuda_api.StreamAddCallback(stream->raw, call_back, box, flags),
                               "cuStreamAddCallback", flags ? "flags" : NULL);
        if (status) cuda_take_box(box);
        cuda_leave(&visit);
    }
    if (status) rl_free(box);
    return status;
}

/* ---- In graphs ---------------------------------------------------------------------------- */

static void CUDA_CB run_often(void *data)
{
    struct cuda_box *box = data;
    box->fn(box->data);
}

static void CUDA_CB give_back(void *data)
{
    struct cuda_box *box = data;
    box->destroy(box->data);
    rl_free(box);
}

struct cuda_box *cuda_find_box(CUhostFn fn, void *data)
{
    return fn == run_often ? data : NULL;
}

rill_status cuda_box_for_graph(struct cuda_context *context, const rill_host_op *op, CUhostFn *fn,
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
    CUresult result = cuda_api.UserObjectCreate(&made->object, made, give_back, 1,
                                                CU_USER_OBJECT_NO_DESTRUCTOR_SYNC);
    if (result) {
        give_back(made);
        return cuda_end(result, "cuUserObjectCreate");
    }
    *fn = run_often;
    *data = made;
    *box = made;
    return RILL_SUCCESS;
}

rill_status cuda_box_keep(struct cuda_box *box, CUgraph graph)
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
