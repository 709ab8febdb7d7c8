/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-cuda/host.h"

#include "backend-cuda/capture.h"
#include "backend-cuda/capture_list.h"
#include "backend-cuda/stream.h"
#include "base/alloc.h"

/* ---- Boxes ---------------------------------------------------------------------------- */

void cuda_refuse_host(const rill_op *op)
{
    if (op->host.destroy) op->host.destroy(op->host.data);
}

static void list(struct cuda_box *box)
{
    struct cuda_context *context = box->context;
    rl_lock(&context->boxes_lock);
    box->next = context->boxes;
    box->link = &context->boxes;
    if (box->next) box->next->link = &box->next;
    context->boxes = box;
    rl_unlock(&context->boxes_lock);
}

/* Whoever takes a box has to run it or give it back.  Under the lock. */
static bool take(struct cuda_box *box)
{
    if (!box->link) return false;
    *box->link = box->next;
    if (box->next) box->next->link = box->link;
    box->link = NULL;
    return true;
}

static bool take_locked(struct cuda_box *box)
{
    struct cuda_context *context = box->context;
    rl_lock(&context->boxes_lock);
    bool ours = take(box);
    rl_unlock(&context->boxes_lock);
    return ours;
}

/* ---- In streams ------------------------------------------------------------------------- */

static void CUDA_CB run_once(void *data)
{
    struct cuda_box *box = data;
    if (!take_locked(box)) return;
    box->fn(box->data);
    box->destroy(box->data);
    rl_free(box);
}

static void CUDA_CB call_back(CUstream raw, CUresult result, void *data)
{
    struct cuda_box *box = data;
    (void)raw;
    if (!take_locked(box)) return;
    box->callback(box->stream, (rill_status)result, box->data);
    rl_free(box);
}

/* Gives a box back that the driver holds and will not run.  The memory stays until
 * the context ends, in case it tries all the same. */
static void give_up(struct cuda_box *box)
{
    struct cuda_context *context = box->context;
    if (box->destroy) box->destroy(box->data);
    rl_lock(&context->boxes_lock);
    box->next = context->spent;
    context->spent = box;
    rl_unlock(&context->boxes_lock);
}

/* The oldest on the list, which has the youngest in front; with `all` or not callbacks
 * as well. */
static struct cuda_box *take_oldest(struct cuda_context *context, bool all)
{
    struct cuda_box *oldest = NULL;
    rl_lock(&context->boxes_lock);
    for (struct cuda_box *box = context->boxes; box; box = box->next)
        if (all || !box->callback) oldest = box;
    if (oldest) take(oldest);
    rl_unlock(&context->boxes_lock);
    return oldest;
}

/* The driver calls callbacks itself, and tells them of the failure. */
void cuda_boxes_give_up(struct cuda_context *context)
{
    struct cuda_box *box;
    while ((box = take_oldest(context, false))) give_up(box);
}

void cuda_boxes_end(struct cuda_context *context)
{
    struct cuda_box *left;
    while ((left = take_oldest(context, true))) give_up(left);
    while (context->spent) {
        struct cuda_box *box = context->spent;
        context->spent = box->next;
        rl_free(box);
    }
}

static struct cuda_box *make(struct cuda_context *context, const rill_host_op *op)
{
    struct cuda_box *box = rl_zalloc(sizeof *box);
    if (!box) return NULL;
    box->context = context;
    box->fn = op->fn;
    box->data = op->data;
    box->destroy = op->destroy;
    return box;
}

static rill_status submit_box(struct cuda_stream *stream, rill_op *op)
{
    struct cuda_box *box = make(stream->context, &op->host);
    if (!box) {
        cuda_refuse_host(op);
        return RILL_ERROR_OUT_OF_MEMORY;
    }
    list(box);
    CUresult result = cuda_api.LaunchHostFunc(stream->raw, run_once, box);
    if (!result) return RILL_SUCCESS;
    /* Another thread may have seen the device fail and given it back. */
    if (take_locked(box)) {
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
    struct cuda_box *box = make(stream->context, &op);
    if (!box) return RILL_ERROR_OUT_OF_MEMORY;
    box->callback = callback;
    box->stream = handle;
    rill_status status = cuda_enter_stream(stream, &visit);
    if (!status) {
        list(box);
        status = cuda_end_with(cuda_api.StreamAddCallback(stream->raw, call_back, box, flags),
                               "cuStreamAddCallback", flags ? "flags" : NULL);
        if (status) take_locked(box);
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
    struct cuda_box *made = make(context, op);
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
