/* SPDX-License-Identifier: Apache-2.0
 *
 * The life of events, and waiting for them.
 */
#include "backend-cuda/object/event.h"

/* ---- Life ---------------------------------------------------------------------------- */

static struct cuda_event *event_of_part(struct cuda_part *part)
{
    return (struct cuda_event *)((char *)part - offsetof(struct cuda_event, part));
}

static void end_event(struct cuda_part *part)
{
    struct cuda_event *event = event_of_part(part);
    if (!event->borrowed) cuda_api.EventDestroy(event->raw);
    event->raw = NULL;
}

static rill_status check_event_options(const rill_event_options *options)
{
    const uint32_t known = RILL_EVENT_TIMING | RILL_EVENT_BLOCKING_SYNC | RILL_EVENT_INTERPROCESS;
    if (options->flags & ~known)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "options->flags",
                                 "0x%x holds unknown bits", options->flags);
    if ((options->flags & RILL_EVENT_INTERPROCESS) && (options->flags & RILL_EVENT_TIMING))
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "options->flags",
                                 "RILL_EVENT_INTERPROCESS excludes RILL_EVENT_TIMING");
    return RILL_SUCCESS;
}

/* The driver's flag says the opposite of RILL_EVENT_TIMING. */
static unsigned raw_event_flags(uint32_t flags)
{
    unsigned raw = flags & RILL_EVENT_TIMING ? CU_EVENT_DEFAULT : CU_EVENT_DISABLE_TIMING;
    if (flags & RILL_EVENT_BLOCKING_SYNC) raw |= CU_EVENT_BLOCKING_SYNC;
    if (flags & RILL_EVENT_INTERPROCESS) raw |= CU_EVENT_INTERPROCESS;
    return raw;
}

static rill_status create_event(rill_event *handle, const rill_event_options *options)
{
    struct cuda_event *event = cuda_event_of(handle);
    struct cuda_visit visit;
    rill_status status = check_event_options(options);
    event->context = cuda_home(handle);
    event->flags = options->flags;
    if (!status) status = cuda_enter(event->context, &visit);
    if (status) return status;
    status = cuda_end(cuda_api.EventCreate(&event->raw, raw_event_flags(options->flags)),
                      "cuEventCreate");
    cuda_leave(&visit);
    if (!status) cuda_add_part(event->context, &event->part, end_event);
    return status;
}

/* The driver does not tell with which flags an event was made, so they are never blamed. */
void cuda_take_event(rill_event *handle, struct cuda_context *context, CUevent raw, bool borrowed)
{
    struct cuda_event *event = cuda_event_of(handle);
    event->context = context;
    event->raw = raw;
    event->flags = RILL_EVENT_TIMING;
    atomic_store(&event->recorded, true);
    event->borrowed = borrowed;
    cuda_add_part(context, &event->part, end_event);
}

static rill_status destroy_event(rill_event *handle)
{
    struct cuda_event *event = cuda_event_of(handle);
    cuda_end_part(event->context, &event->part);
    return cuda_context_fault(event->context);
}

static rill_event *find_event_in(struct cuda_context *context, CUevent raw)
{
    rill_event *handle = NULL;
    rl_lock(&context->parts_lock);
    for (struct cuda_part *part = context->parts; part && !handle; part = part->next)
        if (part->end == end_event && event_of_part(part)->raw == raw)
            handle = (rill_event *)((uintptr_t)event_of_part(part) - RILL_OBJECT_HEAD);
    rl_unlock(&context->parts_lock);
    return handle;
}

/* Looks at every part of every context, since this is rarely asked. */
rill_event *cuda_find_event(struct cuda_platform *platform, CUevent raw)
{
    rill_event *handle = NULL;
    rl_lock(&platform->contexts_lock);
    for (struct cuda_context *context = platform->contexts; context && !handle;
         context = context->next)
        handle = find_event_in(context, raw);
    rl_unlock(&platform->contexts_lock);
    return handle;
}

/* ---- Waiting ------------------------------------------------------------------------------ */

static rill_status query_event(rill_event *handle)
{
    struct cuda_event *event = cuda_event_of(handle);
    return cuda_learn(event->context, cuda_end(cuda_api.EventQuery(event->raw), "cuEventQuery"));
}

static rill_status synchronize_event(rill_event *handle)
{
    struct cuda_event *event = cuda_event_of(handle);
    return cuda_learn(event->context,
                      cuda_end(cuda_api.EventSynchronize(event->raw), "cuEventSynchronize"));
}

static rill_status explain_elapsed(CUresult result, rill_event *start, rill_event *end)
{
    rill_event *const both[] = { start, end };
    static const char *const names[] = { "start", "end" };
    for (int i = 0; i < 2 && result == CUDA_ERROR_INVALID_HANDLE; i++) {
        const struct cuda_event *event = cuda_event_of(both[i]);
        if (!(event->flags & RILL_EVENT_TIMING))
            return cuda_blame(result, "cuEventElapsedTime", names[i],
                              "the event was made without RILL_EVENT_TIMING");
        if (!atomic_load(&event->recorded))
            return cuda_blame(result, "cuEventElapsedTime", names[i],
                              "the event was never recorded");
    }
    return cuda_end(result, "cuEventElapsedTime");
}

static rill_status ask_elapsed(rill_event *start, rill_event *end, float *milliseconds)
{
    CUresult result = cuda_api.EventElapsedTime(milliseconds, cuda_event_of(start)->raw,
                                                cuda_event_of(end)->raw);
    return result ? explain_elapsed(result, start, end) : RILL_SUCCESS;
}

const struct rill_event_ops cuda_event_ops = {
    .private_bytes = sizeof(struct cuda_event),
    .create = create_event,
    .destroy = destroy_event,
    .query = query_event,
    .synchronize = synchronize_event,
    .elapsed = ask_elapsed,
};
