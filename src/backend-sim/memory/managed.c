/* SPDX-License-Identifier: Apache-2.0
 *
 * Managed memory: one address for the host and all devices.  Here it is ordinary memory of the
 * host, which is never moved, so that prefetches and advice have nothing to do.
 */
#include <inttypes.h>

#include "backend-sim/guard/call_guard.h"
#include "backend-sim/memory/host_memory.h"
#include "backend-sim/memory/memory.h"

rill_status sim_mem_acquire_managed(rill_context *handle, size_t bytes, uint32_t flags,
                                    rill_devptr *address)
{
    struct sim_context *context = sim_context_of(handle);
    rill_status status = sim_enter(context->platform, CALL_MEM_ALLOC_MANAGED);
    if (status) return status;
    if (flags != RILL_ATTACH_GLOBAL && flags != RILL_ATTACH_HOST)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "flags",
                                 "0x%" PRIx32 " is neither RILL_ATTACH_GLOBAL nor "
                                 "RILL_ATTACH_HOST", flags);
    if (!bytes)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "bytes",
                                 "bytes is 0; an allocation has at least 1");
    struct allocation *allocation =
        sim_shared_make(context, bytes, ALLOCATION_MANAGED, ALLOCATION_MANAGED_SPLIT);
    if (!allocation)
        return rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, "bytes",
                                 "%zu bytes of managed memory do not fit", bytes);
    allocation->sync_memops = true; /* calls wait for copies of it, and say so */
    *address = allocation->range.base;
    sim_map_add(context->platform->map, allocation);
    return RILL_SUCCESS;
}

/* ---- Attaching ---------------------------------------------------------------------- */

static rill_status check_flags(uint32_t flags, bool shared)
{
    if (flags != RILL_ATTACH_GLOBAL && flags != RILL_ATTACH_HOST && flags != RILL_ATTACH_SINGLE)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "flags",
                                 "0x%" PRIx32 " is none of RILL_ATTACH_GLOBAL, RILL_ATTACH_HOST "
                                 "and RILL_ATTACH_SINGLE", flags);
    if (flags == RILL_ATTACH_SINGLE && shared)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "stream",
                                 "the legacy stream stands for all streams, so nothing can be "
                                 "attached to it alone");
    return RILL_SUCCESS;
}

rill_status sim_attachment_check(struct sim_platform *platform, rill_devptr address, size_t bytes,
                                 uint32_t flags, bool shared)
{
    struct address_info info;
    char words[SIM_DESCRIPTION_MAX];
    sim_map_lookup(platform->map, address, &info);
    if (!info.known || !sim_address_is_managed(&info))
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "address",
                                 "0x%" PRIx64 " is not managed memory: it is %s", address,
                                 sim_describe_address(&info, address, words));
    if (address != info.base)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "address",
                                 "0x%" PRIx64 " is inside the allocation at 0x%" PRIx64
                                 ", and not its begin", address, info.base);
    if (bytes && bytes != info.bytes)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "bytes",
                                 "%zu bytes are neither 0 nor all %" PRIu64 " of the allocation",
                                 bytes, info.bytes);
    return check_flags(flags, shared);
}
