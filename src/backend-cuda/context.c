/* SPDX-License-Identifier: Apache-2.0
 *
 * Contexts: a device's primary one, which the whole process shares, or one of our
 * own; and the parts that end with them.
 */
#include "backend-cuda/cuda.h"

#include "backend-cuda/exec.h"
#include "backend-cuda/host.h"
#include "backend-cuda/stream.h"
#include "backend-cuda/tables.h"
#include "base/park.h"

/* ---- The current context ----------------------------------------------------------- */

rill_status cuda_push(CUcontext raw)
{
    return cuda_end(cuda_api.CtxPushCurrent(raw), "cuCtxPushCurrent");
}

void cuda_pop(void)
{
    CUcontext popped;
    cuda_api.CtxPopCurrent(&popped);
}

void cuda_context_failed(struct cuda_context *context, rill_status status)
{
    atomic_store_explicit(&context->fault, (int)status, memory_order_relaxed);
    cuda_boxes_give_up(context);
}

rill_status cuda_context_fault(struct cuda_context *context)
{
    int fault = atomic_load_explicit(&context->fault, memory_order_relaxed);
    if (!fault) return RILL_SUCCESS;
    return cuda_fail((CUresult)fault, "an earlier call", NULL);
}

/* ---- Parts --------------------------------------------------------------------------- */

void cuda_add_part(struct cuda_context *context, struct cuda_part *part,
                   void (*end)(struct cuda_part *part))
{
    part->end = end;
    rl_lock(&context->parts_lock);
    part->next = context->parts;
    part->link = &context->parts;
    if (part->next) part->next->link = &part->next;
    context->parts = part;
    rl_unlock(&context->parts_lock);
}

/* Under the lock.  Whoever takes a part off the list ends it. */
static bool take_off(struct cuda_part *part)
{
    if (!part->link) return false;
    *part->link = part->next;
    if (part->next) part->next->link = part->link;
    part->link = NULL;
    return true;
}

void cuda_end_part(struct cuda_context *context, struct cuda_part *part)
{
    struct cuda_visit visit;
    rl_lock(&context->parts_lock);
    bool ours = take_off(part);
    rl_unlock(&context->parts_lock);
    while (!ours && atomic_load_explicit(&part->ending, memory_order_acquire))
        rl_park(&part->ending, 1, RL_FOREVER);
    if (!ours || cuda_enter(context, &visit)) return;
    part->end(part);
    cuda_leave(&visit);
}

static struct cuda_part *take_next(struct cuda_context *context, bool all)
{
    rl_lock(&context->parts_lock);
    struct cuda_part *part = context->parts;
    while (part && !all && !part->first) part = part->next;
    if (part) {
        take_off(part);
        atomic_store_explicit(&part->ending, 1, memory_order_relaxed);
    }
    rl_unlock(&context->parts_lock);
    return part;
}

/* An owner that waits may free the part at once: the word is woken by its address alone. */
static void end_parts(struct cuda_context *context, bool all)
{
    struct cuda_part *part;
    while ((part = take_next(context, all))) {
        atomic_uint *ending = &part->ending;
        part->end(part);
        atomic_store_explicit(ending, 0, memory_order_release);
        rl_unpark(ending, 1);
    }
}

/* ---- The platform's list --------------------------------------------------------------- */

static void list(struct cuda_context *context)
{
    struct cuda_platform *platform = context->platform;
    rl_lock(&platform->contexts_lock);
    context->next = platform->contexts;
    platform->contexts = context;
    rl_unlock(&platform->contexts_lock);
}

static void unlist(struct cuda_context *context)
{
    struct cuda_platform *platform = context->platform;
    rl_lock(&platform->contexts_lock);
    struct cuda_context **link = &platform->contexts;
    while (*link != context) link = &(*link)->next;
    *link = context->next;
    rl_unlock(&platform->contexts_lock);
}

rill_context *cuda_find_context(struct cuda_platform *platform, CUcontext raw)
{
    rl_lock(&platform->contexts_lock);
    struct cuda_context *context = platform->contexts;
    while (context && context->raw != raw) context = context->next;
    rill_context *handle = context ? context->handle : NULL;
    rl_unlock(&platform->contexts_lock);
    return handle;
}

/* ---- Life ------------------------------------------------------------------------------- */

/* Somebody else's, if it is one of the device. */
static rill_status borrow(struct cuda_context *context, const rill_context_options *options)
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

/* A context of one's own becomes current when it is made; it is not to stay so. */
static rill_status acquire(struct cuda_context *context, const rill_context_options *options)
{
    CUcontext popped;
    if (options->native) return borrow(context, options);
    context->primary = !(options->flags & RILL_CONTEXT_OWN);
    if (context->primary)
        return cuda_end(cuda_api.DevicePrimaryCtxRetain(&context->raw, context->device),
                        "cuDevicePrimaryCtxRetain");
    rill_status status = cuda_end(cuda_api.CtxCreate(&context->raw, 0, context->device),
                                  "cuCtxCreate");
    if (!status) cuda_api.CtxPopCurrent(&popped);
    return status;
}

static CUresult let_go(struct cuda_context *context)
{
    if (context->borrowed) return CUDA_SUCCESS;
    return context->primary ? cuda_api.DevicePrimaryCtxRelease(context->device)
                            : cuda_api.CtxDestroy(context->raw);
}

static rill_status create(rill_context *handle, const rill_context_options *options)
{
    struct cuda_context *context = cuda_context_of(handle);
    struct cuda_platform *platform = cuda_platform_of(rill_object_of(handle)->platform);
    rill_status status = cuda_check_device(platform, options->device, "options->device");
    if (status) return status;
    context->handle = handle;
    context->platform = platform;
    context->ordinal = options->device;
    context->device = platform->devices[options->device].raw;
    status = acquire(context, options);
    if (status) return status;
    status = cuda_make_default_streams(context);
    if (status)
        let_go(context);
    else
        list(context);
    return status;
}

/* Inside a host function every call that needs the context is answered so. */
static rill_status may_destroy(rill_context *handle)
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

/* Its streams and events are in the hands of their owners, who will ask for their
 * end when the driver's objects are long gone.  Streams go first: what is in them
 * runs all the same, but a capture would keep the context from being waited for. */
static rill_status destroy(rill_context *handle)
{
    struct cuda_context *context = cuda_context_of(handle);
    struct cuda_visit visit;
    rill_status status = cuda_enter(context, &visit);
    if (!status) {
        end_parts(context, false);
        status = cuda_end(cuda_api.CtxSynchronize(), "cuCtxSynchronize");
        end_parts(context, true);
        cuda_retired_end(context);
        cuda_leave(&visit);
    }
    cuda_boxes_end(context);
    cuda_forget_default_streams(context);
    unlist(context);
    atomic_store_explicit(&context->over, true, memory_order_release);
    CUresult result = let_go(context);
    return status ? status : cuda_end(result, "cuCtxDestroy");
}

/* ---- The other slots ------------------------------------------------------------------------ */

static rill_status synchronize(rill_context *handle)
{
    struct cuda_context *context = cuda_context_of(handle);
    struct cuda_visit visit;
    rill_status status = cuda_enter(context, &visit);
    if (status) return status;
    status = cuda_end(cuda_api.CtxSynchronize(), "cuCtxSynchronize");
    cuda_leave(&visit);
    return cuda_learn(context, status);
}

/* Any call in a failed context answers its failure; this one does nothing else. */
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

static rill_status priority_range(rill_context *handle, int *least, int *greatest)
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
    .create = create,
    .may_destroy = may_destroy,
    .destroy = destroy,
    .synchronize = synchronize,
    .status = ask_status,
    .priority_range = priority_range,
    .enable_peer = enable_peer,
    .disable_peer = disable_peer,
};
