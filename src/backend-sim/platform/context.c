/* SPDX-License-Identifier: Apache-2.0
 *
 * The context slots.
 */
#include "backend-sim/platform/context.h"

#include "backend-sim/capture/capture.h"
#include "backend-sim/graph/task_slab.h"
#include "backend-sim/memory/memory.h"
#include "backend-sim/stream/stream.h"
#include "base/alloc.h"

static rill_status create_context(rill_context *handle, const rill_context_options *options)
{
    struct sim_platform *platform = sim_platform_of(rill_object_of(handle)->platform);
    rill_status status = sim_enter(platform, CALL_MAKE);
    if (!status)
        status = sim_check_device(platform, options->device, RILL_ERROR_INVALID_DEVICE,
                                  "options->device");
    if (status) return status;
    if (options->flags & ~RILL_CONTEXT_OWN)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "options->flags",
                                 "0x%x holds unknown bits", options->flags);
    if (options->native)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "options->native",
                                 "the simulator has no contexts but those that it makes");
    struct sim_context *context = sim_context_of(handle);
    context->handle = handle;
    context->platform = platform;
    context->device = &platform->devices[options->device];
    context->id = rill_object_of(handle)->id;
    context->drain = sim_streams_drain;
    status = sim_streams_create(context);
    if (status) return rill_backend_fail(status, NULL, "no memory for a context");
    return RILL_SUCCESS;
}

/* Inside a host function this would wait for that very function. */
static rill_status may_destroy_context(rill_context *handle)
{
    return sim_check_outside(sim_context_of(handle)->platform);
}

static rill_status destroy_context(rill_context *handle)
{
    struct sim_context *context = sim_context_of(handle);
    sim_capture_forget_context(context);
    /* A drain can fail for lack of memory, but work must not outlive the context: drains one
     * strand after the other then. */
    if (sim_streams_drain(context)) sim_streams_drain_each(context);
    sim_synchronized_context(context);
    sim_streams_destroy(context);
    sim_peers_forget(context);
    sim_task_room_end(&context->tasks);
    sim_memory_release_context(context);
    return sim_enter(context->platform, CALL_END);
}

static rill_status synchronize_context(rill_context *handle)
{
    struct sim_context *context = sim_context_of(handle);
    rill_status status = sim_enter(context->platform, CALL_CONTEXT_SYNCHRONIZE);
    if (!status && sim_capturing(context->platform))
        status = sim_capture_permits_context(context, CALL_CONTEXT_SYNCHRONIZE);
    if (!status) status = sim_streams_drain(context);
    if (status) return status;
    sim_synchronized_context(context);
    return sim_enter(context->platform, CALL_ASK);
}

static rill_status context_status(rill_context *handle)
{
    return sim_enter(sim_context_of(handle)->platform, CALL_ASK);
}

static rill_status priority_range(rill_context *handle, int *least, int *greatest)
{
    struct sim_platform *platform = sim_context_of(handle)->platform;
    rill_status status = sim_enter(platform, CALL_MAKE);
    if (status) return status;
    *least = 0;
    *greatest = platform->priority_greatest;
    return RILL_SUCCESS;
}

static rill_status enable_peer(rill_context *handle, rill_context *peer_handle)
{
    struct sim_context *context = sim_context_of(handle), *peer = sim_context_of(peer_handle);
    rill_status status = sim_enter(context->platform, CALL_MAKE);
    if (status) return status;
    if (context->device == peer->device)
        return rill_backend_fail(RILL_ERROR_PEER_ACCESS_UNSUPPORTED, "peer",
                                 "both contexts are of device %d", peer->device->ordinal);
    return sim_peer_add(context, peer);
}

static rill_status disable_peer(rill_context *handle, rill_context *peer_handle)
{
    struct sim_context *context = sim_context_of(handle), *peer = sim_context_of(peer_handle);
    rill_status status = sim_enter(context->platform, CALL_MAKE);
    return status ? status : sim_peer_remove(context, peer);
}

const struct rill_context_ops sim_context_ops = {
    .private_bytes = sizeof(struct sim_context),
    .create = create_context,
    .may_destroy = may_destroy_context,
    .destroy = destroy_context,
    .synchronize = synchronize_context,
    .status = context_status,
    .priority_range = priority_range,
    .enable_peer = enable_peer,
    .disable_peer = disable_peer,
};
