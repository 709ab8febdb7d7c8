/* SPDX-License-Identifier: Apache-2.0
 *
 * The context slots.
 */
#include "backend-sim/stream.h"

static rill_status create(rill_context *handle, const rill_context_options *options)
{
    struct sim_platform *platform = sim_platform_of(rill_object_of(handle)->platform);
    rill_status status = sim_enter(platform, CALL_MAKE);
    if (status) return status;
    if (options->device < 0 || options->device >= platform->device_count)
        return rill_backend_fail(RILL_ERROR_INVALID_DEVICE, "options->device",
                                 "there is no device %d; the platform has %d", options->device,
                                 platform->device_count);
    if (options->flags & ~RILL_CONTEXT_OWN)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "options->flags",
                                 "0x%x holds unknown bits", options->flags);
    struct sim_context *context = sim_context_of(handle);
    context->handle = handle;
    context->platform = platform;
    context->device = &platform->devices[options->device];
    context->id = rill_object_of(handle)->id;
    status = streams_create(context);
    if (status) return rill_backend_fail(status, NULL, "no memory for a context");
    return RILL_SUCCESS;
}

rill_status sim_context_drain(struct sim_context *context)
{
    return streams_drain(context);
}

/* It would wait for the very function that calls. */
static rill_status may_destroy(rill_context *handle)
{
    return sim_inside ? sim_refuse(sim_context_of(handle)->platform, CALL_MAKE) : RILL_SUCCESS;
}

static rill_status destroy(rill_context *handle)
{
    struct sim_context *context = sim_context_of(handle);
    /* A drain can fail for lack of memory, but work must not outlive the
     * context: one strand after the other then. */
    if (streams_drain(context)) streams_drain_each(context);
    streams_destroy(context);
    sim_memory_release_context(context);
    return sim_enter(context->platform, CALL_END);
}

static rill_status synchronize(rill_context *handle)
{
    struct sim_context *context = sim_context_of(handle);
    rill_status status = sim_enter(context->platform, CALL_MAKE);
    if (!status) status = streams_drain(context);
    if (status) return status;
    sim_pools_synchronized(context->platform);
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

static rill_status check_peer(struct sim_context *context, struct sim_context *peer)
{
    rill_status status = sim_enter(context->platform, CALL_MAKE);
    if (status) return status;
    if (context->device == peer->device)
        return rill_backend_fail(RILL_ERROR_INVALID_DEVICE, "peer",
                                 "both contexts are of device %d", peer->device->ordinal);
    return RILL_SUCCESS;
}

static rill_status enable_peer(rill_context *handle, rill_context *peer_handle)
{
    struct sim_context *context = sim_context_of(handle), *peer = sim_context_of(peer_handle);
    rill_status status = check_peer(context, peer);
    if (status) return status;
    uint64_t bit = UINT64_C(1) << peer->device->ordinal;
    if (atomic_fetch_or(&context->peers, bit) & bit)
        return rill_backend_fail(RILL_ERROR_PEER_ACCESS_ALREADY_ENABLED, "peer",
                                 "access to device %d is enabled already", peer->device->ordinal);
    return RILL_SUCCESS;
}

static rill_status disable_peer(rill_context *handle, rill_context *peer_handle)
{
    struct sim_context *context = sim_context_of(handle), *peer = sim_context_of(peer_handle);
    rill_status status = sim_enter(context->platform, CALL_MAKE);
    if (status) return status;
    uint64_t bit = UINT64_C(1) << peer->device->ordinal;
    if (!(atomic_fetch_and(&context->peers, ~bit) & bit))
        return rill_backend_fail(RILL_ERROR_PEER_ACCESS_NOT_ENABLED, "peer",
                                 "access to device %d is not enabled", peer->device->ordinal);
    return RILL_SUCCESS;
}

const struct rill_context_ops sim_context_ops = {
    .private_bytes = sizeof(struct sim_context),
    .create = create,
    .may_destroy = may_destroy,
    .destroy = destroy,
    .synchronize = synchronize,
    .status = context_status,
    .priority_range = priority_range,
    .enable_peer = enable_peer,
    .disable_peer = disable_peer,
};
