/* SPDX-License-Identifier: Apache-2.0
 *
 * Contexts: making them, ending them, and what they are asked.
 */
#include "standin/context.h"
#include "standin/module.h"

/* ---- Making and ending -------------------------------------------------------------- */

CUresult si_context_open(struct si_context *context, int device, uint32_t flags)
{
    static atomic_ullong last_id;
    rill_context_options options = { .size = sizeof options, .device = device, .flags = flags };
    rill_context *made = NULL;
    rill_status status = rill_context_create(si_platform, &options, &made);
    if (status) return status;
    context->device = device;
    context->id = atomic_fetch_add_explicit(&last_id, 1, memory_order_relaxed) + 1;
    context->legacy = rill_stream_legacy(made);
    context->per_thread = rill_stream_per_thread(made);
    if (!context->legacy || !context->per_thread) {
        rill_context_destroy(&made);
        return RILL_ERROR_OUT_OF_MEMORY;
    }
    si_handle_publish(context, made);
    return RILL_SUCCESS;
}

/* With a context its streams, events and modules go.  Whoever takes an object out of its slot is
 * the one to end it. */
static void end_stream(void *slot, void *object, void *context)
{
    if (((struct si_slot *)slot)->context != context) return;
    rill_stream *stream = si_handle_take(SI_STREAM, slot);
    (void)object;
    if (!stream) return;
    rill_stream_destroy(&stream);
    si_handle_free(SI_STREAM, slot);
}

static void end_event(void *slot, void *object, void *context)
{
    if (((struct si_slot *)slot)->context != context) return;
    rill_event *event = si_handle_take(SI_EVENT, slot);
    (void)object;
    if (!event) return;
    rill_event_destroy(&event);
    si_handle_free(SI_EVENT, slot);
}

CUresult si_context_close(struct si_context *context)
{
    rill_context *given = si_handle_take(SI_CONTEXT, context);
    if (!given) return RILL_ERROR_CONTEXT_IS_DESTROYED;
    rill_context *ended = given;
    CUresult status = rill_context_destroy(&ended);
    if (ended) { /* not from here: inside a host function */
        si_handle_restore(context, given);
        return status;
    }
    si_settings_free(context);
    si_modules_end(context);
    si_handle_each(SI_STREAM, end_stream, context);
    si_handle_each(SI_EVENT, end_event, context);
    return status;
}

/* How a thread waits is one of three, or the driver's to choose. */
CUresult si_check_context_flags(unsigned flags)
{
    unsigned how = flags & CU_CTX_SCHED_MASK;
    int known = !how || how == CU_CTX_SCHED_SPIN || how == CU_CTX_SCHED_YIELD ||
                how == CU_CTX_SCHED_BLOCKING_SYNC;
    return !known || flags & ~(unsigned)CU_CTX_FLAGS_MASK ? RILL_ERROR_INVALID_VALUE
                                                         : RILL_SUCCESS;
}

static CUresult create(CUcontext *out, unsigned flags, CUdevice device)
{
    CUresult status = si_check_ready();
    if (status) return status;
    if (!out) return RILL_ERROR_INVALID_VALUE;
    status = si_check_context_flags(flags);
    if (status) return status;
    if (!si_device(device)) return RILL_ERROR_INVALID_DEVICE;
    struct si_context *context = si_handle_reserve(SI_CONTEXT, NULL);
    if (!context) return RILL_ERROR_OUT_OF_MEMORY;
    context->flags = 0; /* of whoever had the slot */
    si_context_set_flags(context, flags);
    status = si_context_open(context, device, RILL_CONTEXT_OWN);
    if (!status) {
        status = si_push(context);
        if (status) si_context_close(context);
    }
    if (status)
        si_handle_free(SI_CONTEXT, context);
    else
        *out = si_context_handle(context);
    return status;
}

ENTRY(cuCtxCreate, CUcontext *context, unsigned flags, CUdevice device)
{
    return create(context, flags, device);
}

ENTRY(cuCtxCreate_v2, CUcontext *context, unsigned flags, CUdevice device)
{
    return create(context, flags, device);
}

/* All multiprocessors are one engine here: a share of them cannot be had. */
ENTRY(cuCtxCreate_v3, CUcontext *context, CUexecAffinityParam *affinity, int count,
      unsigned flags, CUdevice device)
{
    CUresult status = si_check_ready();
    if (!status && (affinity || count)) status = RILL_ERROR_UNSUPPORTED_EXEC_AFFINITY;
    return status ? status : create(context, flags, device);
}

ENTRY(cuCtxCreate_v4, CUcontext *context, CUctxCreateParams *params, unsigned flags,
      CUdevice device)
{
    CUresult status = si_check_ready();
    if (status) return status;
    if (params && (params->affinity || params->affinity_count))
        return RILL_ERROR_UNSUPPORTED_EXEC_AFFINITY;
    if (params && params->cig) return RILL_ERROR_NOT_SUPPORTED;
    return create(context, flags, device);
}

ENTRY(cuCtxDestroy_v2, CUcontext handle)
{
    if (!si_object(SI_CONTEXT, handle)) return si_wrong(SI_CONTEXT, handle);
    struct si_context *context = (struct si_context *)handle;
    if (si_context_is_primary(context)) return RILL_ERROR_INVALID_CONTEXT;
    int current = si_now.context == context && si_frame_lives(si_now);
    CUresult status = si_context_close(context);
    if (atomic_load_explicit(&context->slot.object, memory_order_relaxed)) return status;
    if (current) si_pop();
    si_handle_free(SI_CONTEXT, context);
    return status;
}

SAME_AS(cuCtxDestroy, cuCtxDestroy_v2, (CUcontext context), (context))

ENTRY(cuCtxSetFlags, unsigned flags)
{
    struct si_context *context;
    CUresult status = si_current(&context);
    if (!status) status = si_check_context_flags(flags);
    if (status) return status;
    si_context_set_flags(context, flags);
    return RILL_SUCCESS;
}

/* ---- Questions ------------------------------------------------------------------------ */

/* The context of a call that takes NULL for the current one. */
static CUresult given_or_current(CUcontext handle, struct si_context **context)
{
    if (!handle) return si_current(context);
    *context = (struct si_context *)handle;
    return si_object(SI_CONTEXT, handle) ? RILL_SUCCESS : si_wrong(SI_CONTEXT, handle);
}

ENTRY(cuCtxGetDevice_v2, CUdevice *device, CUcontext handle)
{
    struct si_context *context;
    CUresult status = given_or_current(handle, &context);
    if (status) return status;
    if (!device) return RILL_ERROR_INVALID_VALUE;
    *device = context->device;
    return RILL_SUCCESS;
}

ENTRY(cuCtxGetDevice, CUdevice *device)
{
    return cuCtxGetDevice_v2(device, NULL);
}

/* Host memory is always mapped, and no context writes a core dump. */
ENTRY(cuCtxGetFlags, unsigned *flags)
{
    struct si_context *context;
    CUresult status = si_current(&context);
    if (status) return status;
    if (!flags) return RILL_ERROR_INVALID_VALUE;
    unsigned set = __atomic_load_n(&context->flags, __ATOMIC_RELAXED);
    *flags = (set & CU_CTX_FLAGS_MASK & ~(unsigned)CU_CTX_COREDUMPS) | CU_CTX_MAP_HOST;
    return RILL_SUCCESS;
}

ENTRY(cuCtxGetId, CUcontext handle, unsigned long long *id)
{
    struct si_context *context;
    CUresult status = given_or_current(handle, &context);
    if (status) return status;
    if (!id) return RILL_ERROR_INVALID_VALUE;
    *id = context->id;
    return RILL_SUCCESS;
}

/* The version of the calls' shape, which did not change since CUDA 3.2. */
ENTRY(cuCtxGetApiVersion, CUcontext handle, unsigned *version)
{
    struct si_context *context;
    CUresult status = given_or_current(handle, &context);
    if (status) return status;
    if (!version) return RILL_ERROR_INVALID_VALUE;
    *version = 3020;
    return RILL_SUCCESS;
}

ENTRY(cuCtxSynchronize_v2, CUcontext handle)
{
    struct si_context *context;
    CUresult status = given_or_current(handle, &context);
    if (status) return status;
    return rill_context_synchronize(context->slot.object);
}

ENTRY(cuCtxSynchronize, void)
{
    rill_context *context;
    CUresult status = si_here(&context);
    return status ? status : rill_context_synchronize(context);
}

/* All multiprocessors, which is what contexts have that did not ask for fewer. */
ENTRY(cuCtxGetExecAffinity, CUexecAffinityParam *affinity, int type)
{
    struct si_context *context;
    CUresult status = si_current(&context);
    if (status) return status;
    if (!affinity) return RILL_ERROR_INVALID_VALUE;
    if (type != CU_EXEC_AFFINITY_TYPE_SM_COUNT) return RILL_ERROR_UNSUPPORTED_EXEC_AFFINITY;
    *affinity = (CUexecAffinityParam){ .type = type };
    affinity->sm_count.count = (unsigned)si_devices[context->device].info.multiprocessors;
    return RILL_SUCCESS;
}

ENTRY(cuCtxGetStreamPriorityRange, int *least, int *greatest)
{
    rill_context *context;
    CUresult status = si_here(&context);
    return status ? status : rill_context_priority_range(context, least, greatest);
}
