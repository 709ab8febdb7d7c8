/* SPDX-License-Identifier: Apache-2.0
 *
 * The calls of <rill/cuda.h>.  What the driver's handles are is in one table, by kind of
 * object.
 */
#include <rill/cuda.h>

#include <string.h>

#include "backend-cuda/exec/exec.h"
#include "backend-cuda/memory/pool.h"
#include "backend-cuda/object/event.h"
#include "backend-cuda/object/graph.h"
#include "backend-cuda/object/module.h"
#include "backend-cuda/stream/stream.h"

extern const struct rill_backend rl_backend_cuda;

/* Checks an object of the caller's, and that there is room for an output called `name`. */
static rill_status check_call(const void *object, rill_object_kind kind, const char *argument,
                              const void *output, const char *name)
{
    rill_status status = rill_backend_check(&rl_backend_cuda, object, kind, argument);
    if (status || output) return status;
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, name, "%s is NULL", name);
}

rill_status rill_cuda_driver_version(rill_platform *platform, int *version)
{
    rill_status status = check_call(platform, RILL_OBJECT_PLATFORM, "platform", version,
                                    "version");
    if (!status) *version = cuda_api.version;
    return rill_backend_finish(__func__, platform, status);
}

/* ---- Objects that have a handle of the driver's ----------------------------------------- */

/* take makes an object out of a handle; borrowed: the driver's object stays in the end. */
struct handle {
    const char *name;
    size_t offset; /* of `raw` in the object's private part */
    void (*take)(void *object, struct cuda_context *context, void *raw, bool borrowed);
};

static void take_stream(void *object, struct cuda_context *context, void *raw, bool borrowed)
{
    cuda_take_stream(object, context, raw, borrowed);
}

static void take_event(void *object, struct cuda_context *context, void *raw, bool borrowed)
{
    cuda_take_event(object, context, raw, borrowed);
}

static void take_graph(void *object, struct cuda_context *context, void *raw, bool borrowed)
{
    (void)context;
    cuda_take_graph(object, raw, borrowed);
}

static void take_exec(void *object, struct cuda_context *context, void *raw, bool borrowed)
{
    cuda_take_exec(object, context, raw, borrowed);
}

static const struct handle handles[] = {
    [RILL_OBJECT_CONTEXT] = { "context", offsetof(struct cuda_context, raw), NULL },
    [RILL_OBJECT_STREAM] = { "stream", offsetof(struct cuda_stream, raw), take_stream },
    [RILL_OBJECT_EVENT] = { "event", offsetof(struct cuda_event, raw), take_event },
    [RILL_OBJECT_MODULE] = { "module", offsetof(struct cuda_module, raw), NULL },
    [RILL_OBJECT_KERNEL] = { "kernel", offsetof(struct cuda_kernel, raw), NULL },
    [RILL_OBJECT_POOL] = { "pool", offsetof(struct cuda_pool, raw), NULL },
    [RILL_OBJECT_GRAPH] = { "graph", offsetof(struct cuda_graph, raw), take_graph },
    [RILL_OBJECT_EXEC] = { "exec", offsetof(struct cuda_exec, raw), take_exec },
};

/* ---- The driver's handle of an object --------------------------------------------------- */

/* `raw` is the address of a handle of whatever type. */
static rill_status get_handle(const char *call, const void *object, rill_object_kind kind,
                              void *raw)
{
    const struct handle *handle = &handles[kind];
    rill_status status = check_call(object, kind, handle->name, raw, "raw");
    if (!status)
        memcpy(raw, (const char *)rill_private(object) + handle->offset, sizeof(void *));
    return rill_backend_finish(call, object, status);
}

rill_status rill_cuda_get_context(rill_context *context, struct CUctx_st **raw)
{
    return get_handle(__func__, context, RILL_OBJECT_CONTEXT, raw);
}

rill_status rill_cuda_get_stream(rill_stream *stream, struct CUstream_st **raw)
{
    return get_handle(__func__, stream, RILL_OBJECT_STREAM, raw);
}

rill_status rill_cuda_get_event(rill_event *event, struct CUevent_st **raw)
{
    return get_handle(__func__, event, RILL_OBJECT_EVENT, raw);
}

rill_status rill_cuda_get_module(rill_module *module, struct CUmod_st **raw)
{
    return get_handle(__func__, module, RILL_OBJECT_MODULE, raw);
}

rill_status rill_cuda_get_kernel(rill_kernel *kernel, struct CUfunc_st **raw)
{
    return get_handle(__func__, kernel, RILL_OBJECT_KERNEL, raw);
}

rill_status rill_cuda_get_pool(rill_pool *pool, struct CUmemPoolHandle_st **raw)
{
    return get_handle(__func__, pool, RILL_OBJECT_POOL, raw);
}

rill_status rill_cuda_get_graph(rill_graph *graph, struct CUgraph_st **raw)
{
    return get_handle(__func__, graph, RILL_OBJECT_GRAPH, raw);
}

rill_status rill_cuda_get_exec(rill_exec *exec, struct CUgraphExec_st **raw)
{
    return get_handle(__func__, exec, RILL_OBJECT_EXEC, raw);
}

/* ---- Objects for handles of others ------------------------------------------------------ */

static rill_status check_handle(const void *raw, uint32_t flags)
{
    if (!raw) return rill_backend_fail(RILL_ERROR_INVALID_HANDLE, "raw", "raw is NULL");
    if (flags & ~RILL_CUDA_ADOPT)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "flags",
                                 "0x%x; it can be 0 or RILL_CUDA_ADOPT", (unsigned)flags);
    return RILL_SUCCESS;
}

/* `object` is the address of a pointer to an object of that kind. */
static rill_status wrap_handle(const char *call, rill_object_kind kind, rill_context *context,
                               void *raw, uint32_t flags, void *object)
{
    const struct handle *handle = &handles[kind];
    void *made;
    rill_status status = check_call(context, RILL_OBJECT_CONTEXT, "context", object, handle->name);
    if (!status) status = check_handle(raw, flags);
    if (!status) status = rill_backend_own(kind, context, context, &made);
    if (!status) {
        handle->take(made, cuda_context_of(context), raw, !(flags & RILL_CUDA_ADOPT));
        rill_backend_give(made);
        memcpy(object, &made, sizeof made);
    }
    return rill_backend_finish(call, context, status);
}

rill_status rill_cuda_wrap_stream(rill_context *context, struct CUstream_st *raw, uint32_t flags,
                                  rill_stream **stream)
{
    if (raw == CU_STREAM_LEGACY || raw == CU_STREAM_PER_THREAD)
        return rill_backend_finish(__func__, context,
                                   rill_backend_fail(RILL_ERROR_INVALID_HANDLE, "raw",
                                                     "the default streams are "
                                                     "rill_stream_legacy() and "
                                                     "rill_stream_per_thread()"));
    return wrap_handle(__func__, RILL_OBJECT_STREAM, context, raw, flags, stream);
}

rill_status rill_cuda_wrap_event(rill_context *context, struct CUevent_st *raw, uint32_t flags,
                                 rill_event **event)
{
    return wrap_handle(__func__, RILL_OBJECT_EVENT, context, raw, flags, event);
}

rill_status rill_cuda_wrap_graph(rill_context *context, struct CUgraph_st *raw, uint32_t flags,
                                 rill_graph **graph)
{
    return wrap_handle(__func__, RILL_OBJECT_GRAPH, context, raw, flags, graph);
}

rill_status rill_cuda_wrap_exec(rill_context *context, struct CUgraphExec_st *raw, uint32_t flags,
                                rill_exec **exec)
{
    return wrap_handle(__func__, RILL_OBJECT_EXEC, context, raw, flags, exec);
}
