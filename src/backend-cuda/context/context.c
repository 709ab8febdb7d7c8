/* SPDX-License-Identifier: Apache-2.0
 *
 * How a call gets into a context and out again, that a context failed, and the parts that
 * end with it.
 */
#include "backend-cuda/context/context.h"

#include "backend-cuda/context/host_box.h"
#include "base/park.h"

/* ---- Devices --------------------------------------------------------------------------- */

rill_status cuda_check_device(struct cuda_platform *platform, int device, const char *argument)
{
    if (device >= 0 && device < platform->device_count) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_INVALID_DEVICE, argument,
                             "there is no device %d; the platform has %d", device,
                             platform->device_count);
}

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
    cuda_give_up_boxes(context);
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

/* Returns whether the part was on the list.  The thread that takes it off ends it.  Requires
 * context->parts_lock. */
static bool unlist_part(struct cuda_part *part)
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
    bool ours = unlist_part(part);
    rl_unlock(&context->parts_lock);
    while (!ours && atomic_load_explicit(&part->ending, memory_order_acquire))
        rl_park(&part->ending, 1, RL_FOREVER);
    if (!ours || cuda_enter(context, &visit)) return;
    part->end(part);
    cuda_leave(&visit);
}

static struct cuda_part *take_next_part(struct cuda_context *context, bool all)
{
    rl_lock(&context->parts_lock);
    struct cuda_part *part = context->parts;
    while (part && !all && !part->first) part = part->next;
    if (part) {
        unlist_part(part);
        atomic_store_explicit(&part->ending, 1, memory_order_relaxed);
    }
    rl_unlock(&context->parts_lock);
    return part;
}

/* An owner that waits in cuda_end_part() may free the part as soon as `ending` is 0, so the
 * word is woken by its address alone. */
void cuda_end_parts(struct cuda_context *context, bool all)
{
    struct cuda_part *part;
    while ((part = take_next_part(context, all))) {
        atomic_uint *ending = &part->ending;
        part->end(part);
        atomic_store_explicit(ending, 0, memory_order_release);
        rl_unpark(ending, 1);
    }
}

/* ---- The platform's list --------------------------------------------------------------- */

void cuda_list_context(struct cuda_context *context)
{
    struct cuda_platform *platform = context->platform;
    rl_lock(&platform->contexts_lock);
    context->next = platform->contexts;
    platform->contexts = context;
    rl_unlock(&platform->contexts_lock);
}

void cuda_unlist_context(struct cuda_context *context)
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
