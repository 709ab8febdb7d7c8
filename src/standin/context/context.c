/* SPDX-License-Identifier: Apache-2.0
 *
 * Making contexts, ending them, and questions about them.
 */
#include "standin/context/context.h"

#include "standin/context/settings.h"

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

static si_take_fn *const *kinds_taken; /* set once, before the first context */

void si_contexts_begin(si_take_fn *const *kinds)
{
    kinds_taken = kinds;
}

struct taking {
    struct si_context *context;
    enum si_kind kind;
    struct si_slot *taken; /* a list (si_last_of()) */
    si_end_fn *end;
};

/* The thread that takes an object out of its slot is the one that ends it. */
static void take_slot(void *slot, void *object, void *data)
{
    struct taking *taking = data;
    if (((struct si_slot *)slot)->context != taking->context) return;
    object = si_handle_take(taking->kind, slot);
    if (!object) return;
    *si_last_of(slot) = (struct si_last){ object, taking->taken, taking->end };
    taking->taken = slot;
}

struct si_slot *si_take_slots(enum si_kind kind, struct si_context *context,
                              struct si_slot *taken, si_end_fn *end)
{
    struct taking taking = { context, kind, taken, end };
    si_handle_each(kind, take_slot, &taking);
    return taking.taken;
}

static struct si_slot *take_kinds(struct si_context *context, struct si_slot *taken)
{
    for (si_take_fn *const *take = kinds_taken; *take; take++) taken = (*take)(context, taken);
    return taken;
}

/* Makes the handles of all that ends with a context dead, and waits for the calls that
 * have found one.  Such a call may have made another one until it returned, so what is there
 * after the wait is taken as well, and waited for, until a wait leaves nothing. */
static struct si_slot *take_all(struct si_context *context)
{
    struct si_slot *taken = take_kinds(context, NULL);
    const struct si_slot *before;
    do {
        before = taken;
        si_await(context);
        taken = take_kinds(context, taken);
    } while (taken != before);
    return taken;
}

static void end_all(struct si_slot *taken)
{
    while (taken) {
        struct si_last last = *si_last_of(taken);
        last.end(taken, last.object);
        taken = last.next;
    }
}

CUresult si_context_close(struct si_context *context)
{
    CUresult status = si_check_outside(); /* it would wait for the very function that calls */
    if (status) return status;
    rill_context *object = si_handle_take(SI_CONTEXT, context);
    if (!object) return RILL_ERROR_CONTEXT_IS_DESTROYED;
    struct si_slot *taken = take_all(context);
    rill_context_synchronize(object); /* before others have to wait as well */
    si_kind_ends(SI_CONTEXT);
    rill_context_destroy(&object);
    si_kind_ended(SI_CONTEXT);
    si_settings_free(context);
    end_all(taken);
    return RILL_SUCCESS;
}

/* The flags name one of three ways to wait, or none: then the driver chooses. */
CUresult si_check_context_flags(unsigned flags)
{
    unsigned how = flags & CU_CTX_SCHED_MASK;
    int known = !how || how == CU_CTX_SCHED_SPIN || how == CU_CTX_SCHED_YIELD ||
                how == CU_CTX_SCHED_BLOCKING_SYNC;
    return !known || flags & ~(unsigned)CU_CTX_FLAGS_MASK ? RILL_ERROR_INVALID_VALUE
                                                         : RILL_SUCCESS;
}

int si_context_is_primary(const struct si_context *context)
{
    for (int i = 0; i < si_device_count; i++)
        if (atomic_load_explicit(&si_devices[i].primary, memory_order_relaxed) == context)
            return 1;
    return 0;
}

static CUresult create_context(CUcontext *out, unsigned flags, CUdevice device)
{
    CUresult status = si_check_ready();
    if (status) return status;
    if (!out) return RILL_ERROR_INVALID_VALUE;
    if (!si_device(device)) return RILL_ERROR_INVALID_DEVICE;
    status = si_check_context_flags(flags);
    if (status) return status;
    struct si_context *context = si_handle_reserve(SI_CONTEXT, NULL);
    if (!context) return RILL_ERROR_OUT_OF_MEMORY;
    si_context_begin_flags(context, flags);
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

ENTRY(cuCtxCreate, (CUcontext *context, unsigned flags, CUdevice device), (context, flags, device))
{
    return create_context(context, flags, device);
}

ENTRY(cuCtxCreate_v2,
      (CUcontext *context, unsigned flags, CUdevice device), (context, flags, device))
{
    return create_context(context, flags, device);
}

/* Contexts cannot have a share of the multiprocessors: all of them are one engine here. */
ENTRY(cuCtxCreate_v3,
      (CUcontext *context, CUexecAffinityParam *affinity, int count, unsigned flags,
       CUdevice device),
      (context, affinity, count, flags, device))
{
    CUresult status = si_check_ready();
    if (!status && (affinity || count)) status = RILL_ERROR_UNSUPPORTED_EXEC_AFFINITY;
    return status ? status : create_context(context, flags, device);
}

ENTRY(cuCtxCreate_v4,
      (CUcontext *context, CUctxCreateParams *params, unsigned flags, CUdevice device),
      (context, params, flags, device))
{
    CUresult status = si_check_ready();
    if (status) return status;
    if (params && (params->affinity || params->affinity_count))
        return RILL_ERROR_UNSUPPORTED_EXEC_AFFINITY;
    if (params && params->cig) return RILL_ERROR_NOT_SUPPORTED;
    return create_context(context, flags, device);
}

ENTRY(cuCtxDestroy_v2, (CUcontext handle), (handle))
{
    CUresult ready = si_check_ready();
    if (ready || !handle) return ready ? ready : RILL_ERROR_INVALID_VALUE;
    struct si_context *context = (struct si_context *)handle;
    if (si_context_is_primary(context)) return RILL_ERROR_INVALID_CONTEXT;
    if (!si_object(SI_CONTEXT, handle)) return si_wrong(SI_CONTEXT, handle);
    int current = si_now.context == context && si_frame_lives(si_now);
    CUresult status = si_context_close(context);
    if (status) return status;
    if (current) si_pop();
    si_handle_free(SI_CONTEXT, context);
    return RILL_SUCCESS;
}

SAME_AS(cuCtxDestroy, cuCtxDestroy_v2, (CUcontext context), (context))

ENTRY(cuCtxSetFlags, (unsigned flags), (flags))
{
    struct si_context *context;
    CUresult status = si_current(&context);
    if (!status) status = si_check_context_flags(flags);
    if (status) return status;
    si_context_set_flags(context, flags);
    return RILL_SUCCESS;
}

/* ---- Questions ------------------------------------------------------------------------ */

/* Finds the context of a call that takes NULL for the current one. */
static CUresult given_or_current(CUcontext handle, struct si_context **context)
{
    if (!handle) return si_current(context);
    *context = (struct si_context *)handle;
    return si_object(SI_CONTEXT, handle) ? RILL_SUCCESS : si_wrong(SI_CONTEXT, handle);
}

/* A context that has ended still tells its device, as an H200 answers. */
ENTRY(cuCtxGetDevice_v2, (CUdevice *device, CUcontext handle), (device, handle))
{
    CUresult status = si_check_ready();
    const struct si_context *context = handle ? (struct si_context *)handle : si_now.context;
    if (status) return status;
    if (!device) return RILL_ERROR_INVALID_VALUE;
    if (!context) return si_nowhere();
    if (!si_is_slot(SI_CONTEXT, context)) return si_wrong(SI_CONTEXT, handle);
    *device = context->device;
    return RILL_SUCCESS;
}

ENTRY(cuCtxGetDevice, (CUdevice *device), (device))
{
    return cuCtxGetDevice_v2(device, NULL);
}

/* The flags of one that has ended are 0. */
ENTRY(cuCtxGetFlags, (unsigned *flags), (flags))
{
    struct si_context *context;
    CUresult status = si_check_ready();
    if (status) return status;
    if (!flags) return RILL_ERROR_INVALID_VALUE;
    status = si_current(&context);
    if (status && status != RILL_ERROR_CONTEXT_IS_DESTROYED) return status;
    *flags = status ? 0 : __atomic_load_n(&context->flags, __ATOMIC_RELAXED) & CU_CTX_FLAGS_MASK;
    return RILL_SUCCESS;
}

ENTRY(cuCtxGetId, (CUcontext handle, unsigned long long *id), (handle, id))
{
    struct si_context *context;
    CUresult status = si_check_ready();
    if (status) return status;
    if (!id) return RILL_ERROR_INVALID_VALUE;
    status = given_or_current(handle, &context);
    if (!status) *id = context->id;
    return status;
}

/* The interface has had this version since CUDA 3.2. */
static CUresult write_api_version(unsigned *version)
{
    if (!version) return RILL_ERROR_INVALID_VALUE;
    *version = 3020;
    return RILL_SUCCESS;
}

/* One that has ended is no context where it is named.  A missing output comes before that, and
 * after what is wrong with the current one. */
ENTRY(cuCtxGetApiVersion, (CUcontext handle, unsigned *version), (handle, version))
{
    struct si_context *context;
    CUresult status = si_check_ready();
    if (!status && handle && !version) return RILL_ERROR_INVALID_VALUE;
    if (!status) status = given_or_current(handle, &context);
    if (handle && status == RILL_ERROR_CONTEXT_IS_DESTROYED) return RILL_ERROR_INVALID_CONTEXT;
    return status ? status : write_api_version(version);
}

ENTRY(cuCtxSynchronize_v2, (CUcontext handle), (handle))
{
    struct si_context *context;
    CUresult status = given_or_current(handle, &context);
    if (status) return status;
    return rill_context_synchronize(context->slot.object);
}

ENTRY(cuCtxSynchronize, (void), ())
{
    rill_context *context;
    CUresult status = si_here(&context);
    return status ? status : rill_context_synchronize(context);
}

/* Answers all multiprocessors, as for contexts that did not ask for fewer. */
ENTRY(cuCtxGetExecAffinity, (CUexecAffinityParam *affinity, int type), (affinity, type))
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

ENTRY(cuCtxGetStreamPriorityRange, (int *least, int *greatest), (least, greatest))
{
    rill_context *context;
    CUresult status = si_here(&context);
    return status ? status : rill_context_priority_range(context, least, greatest);
}
