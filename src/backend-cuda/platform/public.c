/* SPDX-License-Identifier: Apache-2.0
 *
 * The calls of <rill/cuda.h>.
 */
#include <rill/cuda.h>

#include "backend-cuda/exec/exec.h"
#include "backend-cuda/memory/pool.h"
#include "backend-cuda/object/event.h"
#include "backend-cuda/object/graph.h"
#include "backend-cuda/object/module.h"
#include "backend-cuda/stream/stream.h"

extern const struct rill_backend rl_backend_cuda;

static rill_status check(const void *object, rill_object_kind kind, const char *argument,
                         const void *output, const char *name)
{
    rill_status status = rill_backend_check(&rl_backend_cuda, object, kind, argument);
    if (status || output) return status;
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, name, "%s is NULL", name);
}

rill_status rill_cuda_driver_version(rill_platform *platform, int *version)
{
    rill_status status = check(platform, RILL_OBJECT_PLATFORM, "platform", version, "version");
    if (!status) *version = cuda_api.version;
    return rill_backend_finish(__func__, platform, status);
}

/* ---- What is behind an object --------------------------------------------------------- */

rill_status rill_cuda_get_context(rill_context *context, struct CUctx_st **raw)
{
    rill_status status = check(context, RILL_OBJECT_CONTEXT, "context", raw, "raw");
    if (!status) *raw = cuda_context_of(context)->raw;
    return rill_backend_finish(__func__, context, status);
}

rill_status rill_cuda_get_stream(rill_stream *stream, struct CUstream_st **raw)
{
    rill_status status = check(stream, RILL_OBJECT_STREAM, "stream", raw, "raw");
    if (!status) *raw = cuda_stream_of(stream)->raw;
    return rill_backend_finish(__func__, stream, status);
}

rill_status rill_cuda_get_event(rill_event *event, struct CUevent_st **raw)
{
    rill_status status = check(event, RILL_OBJECT_EVENT, "event", raw, "raw");
    if (!status) *raw = cuda_event_of(event)->raw;
    return rill_backend_finish(__func__, event, status);
}

rill_status rill_cuda_get_module(rill_module *module, struct CUmod_st **raw)
{
    rill_status status = check(module, RILL_OBJECT_MODULE, "module", raw, "raw");
    if (!status) *raw = cuda_module_of(module)->raw;
    return rill_backend_finish(__func__, module, status);
}

rill_status rill_cuda_get_kernel(rill_kernel *kernel, struct CUfunc_st **raw)
{
    rill_status status = check(kernel, RILL_OBJECT_KERNEL, "kernel", raw, "raw");
    if (!status) *raw = cuda_kernel_of(kernel)->raw;
    return rill_backend_finish(__func__, kernel, status);
}

rill_status rill_cuda_get_pool(rill_pool *pool, struct CUmemPoolHandle_st **raw)
{
    rill_status status = check(pool, RILL_OBJECT_POOL, "pool", raw, "raw");
    if (!status) *raw = cuda_pool_of(pool)->raw;
    return rill_backend_finish(__func__, pool, status);
}

rill_status rill_cuda_get_graph(rill_graph *graph, struct CUgraph_st **raw)
{
    rill_status status = check(graph, RILL_OBJECT_GRAPH, "graph", raw, "raw");
    if (!status) *raw = cuda_graph_of(graph)->raw;
    return rill_backend_finish(__func__, graph, status);
}

rill_status rill_cuda_get_exec(rill_exec *exec, struct CUgraphExec_st **raw)
{
    rill_status status = check(exec, RILL_OBJECT_EXEC, "exec", raw, "raw");
    if (!status) *raw = cuda_exec_of(exec)->raw;
    return rill_backend_finish(__func__, exec, status);
}

/* ---- Handles of others ------------------------------------------------------------------ */

/* An object of that kind in the context, still the context's.  `name`: of the output. */
static rill_status wrap(rill_object_kind kind, rill_context *context, const void *raw,
                        uint32_t flags, const void *output, const char *name, void **made)
{
    rill_status status = check(context, RILL_OBJECT_CONTEXT, "context", output, name);
    if (status) return status;
    if (!raw)
        return rill_backend_fail(RILL_ERROR_INVALID_HANDLE, "raw", "raw is NULL");
    if (flags & ~RILL_CUDA_ADOPT)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "flags",
                                 "0x%x; it can be 0 or RILL_CUDA_ADOPT", (unsigned)flags);
    return rill_backend_own(kind, context, context, made);
}

rill_status rill_cuda_wrap_stream(rill_context *context, struct CUstream_st *raw, uint32_t flags,
                                  rill_stream **stream)
{
    void *made;
    rill_status status = RILL_SUCCESS;
    if (raw == CU_STREAM_LEGACY || raw == CU_STREAM_PER_THREAD)
        status = rill_backend_fail(RILL_ERROR_INVALID_HANDLE, "raw",
                                   "the default streams are rill_stream_legacy() and "
                                   "rill_stream_per_thread()");
    if (!status) status = wrap(RILL_OBJECT_STREAM, context, raw, flags, stream, "stream", &made);
    if (!status) {
        cuda_take_stream(made, cuda_context_of(context), raw, !(flags & RILL_CUDA_ADOPT));
        rill_backend_give(made);
        *stream = made;
    }
    return rill_backend_finish(__func__, context, status);
}

rill_status rill_cuda_wrap_event(rill_context *context, struct CUevent_st *raw, uint32_t flags,
                                 rill_event **event)
{
    void *made;
    rill_status status = wrap(RILL_OBJECT_EVENT, context, raw, flags, event, "event", &made);
    if (!status) {
        cuda_take_event(made, cuda_context_of(context), raw, !(flags & RILL_CUDA_ADOPT));
        rill_backend_give(made);
        *event = made;
    }
    return rill_backend_finish(__func__, context, status);
}

rill_status rill_cuda_wrap_graph(rill_context *context, struct CUgraph_st *raw, uint32_t flags,
                                 rill_graph **graph)
{
    void *made;
    rill_status status = wrap(RILL_OBJECT_GRAPH, context, raw, flags, graph, "graph", &made);
    if (!status) {
        cuda_take_graph(made, raw, !(flags & RILL_CUDA_ADOPT));
        rill_backend_give(made);
        *graph = made;
    }
    return rill_backend_finish(__func__, context, status);
}

rill_status rill_cuda_wrap_exec(rill_context *context, struct CUgraphExec_st *raw, uint32_t flags,
                                rill_exec **exec)
{
    void *made;
    rill_status status = wrap(RILL_OBJECT_EXEC, context, raw, flags, exec, "exec", &made);
    if (!status) {
        cuda_take_exec(made, cuda_context_of(context), raw, !(flags & RILL_CUDA_ADOPT));
        rill_backend_give(made);
        *exec = made;
    }
    return rill_backend_finish(__func__, context, status);
}
