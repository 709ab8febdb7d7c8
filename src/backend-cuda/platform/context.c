/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes and ends contexts: a device's primary one, which the whole process shares, one of
 * rill's own, or somebody else's.
 */
#include "backend-cuda/platform/context.h"

#include "backend-cuda/context/host_box.h"
#include "backend-cuda/exec/boxes.h"
#include "backend-cuda/stream/stream.h"

/* ---- Life ------------------------------------------------------------------------------- */

/* Borrows somebody else's context if it is one of the device. */
static rill_status borrow_context(struct cuda_context *context, const rill_context_options *options)
{
    CUdevice device;
    if (options->flags & RILL_CONTEXT_OWN)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "options->flags",
                                 "a context of one's own is made, and options->native is there");
    rill_status status = cuda_push(options->native);
    if (status) return status;
    status = cuda_end(cuda_api.CtxGetDevice(&device), "cuCtxGetDevice");
    cuda_pop();
    if (!status && device != context->device)
        return rill_backend_fail(RILL_ERROR_INVALID_DEVICE, "options->device",
                                 "options->native is a context of another device than %d",
                                 options->device);
    context->borrowed = true;
    context->raw = options->native;
    return status;
}

/* The driver makes a new context current, which it must not stay. */
static rill_status acquire_context(struct cuda_context *context,
                                   const rill_context_options *options)
{
    CUcontext popped;
    if (options->native) return borrow_context(context, options);
    context->primary = !(options->flags & RILL_CONTEXT_OWN);
    if (context->primary)
        return cuda_end(cuda_api.DevicePrimaryCtxRetain(&context->raw, context->device),
                        "cuDevicePrimaryCtxRetain");
    rill_status status = cuda_end(cuda_api.CtxCreate(&context->raw, 0, context->device),
                                  "cuCtxCreate");
    if (!status) cuda_api.CtxPopCurrent(&popped);
    return status;
}

static CUresult release_context(struct cuda_context *context)
{
    if (context->borrowed) return CUDA_SUCCESS;
    return context->primary ? cuda_api.DevicePrimaryCtxRelease(context->device)
                            : cuda_api.CtxDestroy(context->raw);
}

static rill_status create_context(rill_context *handle, const rill_context_options *options)
{
    struct cuda_context *context = cuda_context_of(handle);
    struct cuda_platform *platform = cuda_platform_of(rill_object_of(handle)->platform);
    rill_status status = cuda_check_device(platform, options->device, "options->device");
    if (status) return status;
    context->handle = handle;
    context->platform = platform;
    context->ordinal = options->device;
    context->device = platform->devices[options->device].raw;
    status = acquire_context(context, options);
    if (status) return status;
    status = cuda_make_default_streams(context);
    if (status)
        release_context(context);
    else
        cuda_list_context(context);
    return status;
}

/* Refuses inside a host function, where every call that needs the context is refused. */
static rill_status may_destroy_context(rill_context *handle)
{
    struct cuda_visit visit;
    rill_status status = cuda_enter(cuda_context_of(handle), &visit);
    if (!status) {
        status = cuda_end(cuda_api.CtxGetStreamPriorityRange(NULL, NULL),
                          "cuCtxGetStreamPriorityRange");
        cuda_leave(&visit);
    }
    return status == RILL_ERROR_NOT_PERMITTED ? status : RILL_SUCCESS;
}

/* The program still has the streams and events of the context, and will destroy them when the
 * driver's objects are long gone.  Streams end first: their work runs all the same, but a capture
 * in one would keep the context from being waited for. */
static rill_status destroy_context(rill_context *handle)
{
    struct cuda_context *context = cuda_context_of(handle);
    struct cuda_visit visit;
    rill_status status = cuda_enter(context, &visit);
    if (!status) {
        cuda_end_parts(context, false);
        status = cuda_end(cuda_api.CtxSynchronize(), "cuCtxSynchronize");
        cuda_end_parts(context, true);
        cuda_end_retired(context);
        cuda_leave(&visit);
    }
    cuda_end_boxes(context);
    cuda_forget_default_streams(context);
    cuda_unlist_context(context);
    atomic_store_explicit(&context->over, true, memory_order_release);
    CUresult result = release_context(context);
    return status ? status : cuda_end(result, "cuCtxDestroy");
}

/* ---- The other slots ------------------------------------------------------------------------ */

static rill_status synchronize_context(rill_context *handle)
{
    struct cuda_context *context = cuda_context_of(handle);
    struct cuda_visit visit;
    rill_status status = cuda_enter(context, &visit);
    if (status) return status;
    status = cuda_end(cuda_api.CtxSynchronize(), "cuCtxSynchronize");
    cuda_leave(&visit);
    return cuda_learn(context, status);
}

/* Any call in a failed context answers the failure; this one does nothing else. */
static rill_status ask_status(rill_context *handle)
{
    struct cuda_visit visit;
    size_t unused, total;
    rill_status status = cuda_enter(cuda_context_of(handle), &visit);
    if (status) return status;
    status = cuda_end(cuda_api.MemGetInfo(&unused, &total), "cuMemGetInfo");
    cuda_leave(&visit);
    return status;
}

static rill_status ask_priority_range(rill_context *handle, int *least, int *greatest)
{
    struct cuda_visit visit;
    rill_status status = cuda_enter(cuda_context_of(handle), &visit);
    if (status) return status;
    status = cuda_end(cuda_api.CtxGetStreamPriorityRange(least, greatest),
                      "cuCtxGetStreamPriorityRange");
    cuda_leave(&visit);
    return status;
}

static rill_status enable_peer(rill_context *handle, rill_context *peer)
{
    struct cuda_visit visit;
    rill_status status = cuda_enter(cuda_context_of(handle), &visit);
    if (status) return status;
    status = cuda_end_with(cuda_api.CtxEnablePeerAccess(cuda_context_of(peer)->raw, 0),
                           "cuCtxEnablePeerAccess", "peer");
    cuda_leave(&visit);
    return status;
}

static rill_status disable_peer(rill_context *handle, rill_context *peer)
{
    struct cuda_visit visit;
    rill_status status = cuda_enter(cuda_context_of(handle), &visit);
    if (status) return status;
    status = cuda_end_with(cuda_api.CtxDisablePeerAccess(cuda_context_of(peer)->raw),
                           "cuCtxDisablePeerAccess", "peer");
    cuda_leave(&visit);
    return status;
}

const struct rill_context_ops cuda_context_ops = {
    .private_bytes = sizeof(struct cuda_context),
    .create = create_context,
    .may_destroy = may_destroy_context,
    .destroy = destroy_context,
    .synchronize = synchronize_context,
    .status = ask_status,
    .priority_range = ask_priority_range,
    .enable_peer = enable_peer,
    .disable_peer = disable_peer,
};
