/* SPDX-License-Identifier: Apache-2.0
 *
 * What the address map tells of a pointer.
 */
#include <inttypes.h>

#include "backend-sim/guard/call_guard.h"
#include "backend-sim/memory/address_map.h"
#include "backend-sim/memory/memory.h"

/* Both calls work on a failed device, since they ask nothing of it. */

rill_status sim_pointer_info(rill_context *handle, rill_devptr address, rill_pointer_info *out)
{
    struct sim_platform *platform = sim_context_of(handle)->platform;
    struct address_info info;
    rill_context *owner;
    rill_status status = sim_check_outside(platform);
    if (status) return status;
    sim_map_lookup_owner(platform->map, address, &info, &owner);
    rill_pointer_info told = { .size = out->size, .kind = RILL_MEMORY_HOST };
    if (info.known) {
        sim_map_narrow(platform->map, address, &info);
        if (!sim_address_is_host(&info) && !info.host) told.kind = RILL_MEMORY_DEVICE;
        told.known = 1;
        told.device = info.device;
        told.context = owner;
        told.pool = info.pool;
        told.base = info.base;
        told.bytes = (size_t)info.bytes;
        told.id = info.id;
        told.sync_memops = info.sync_memops;
        told.mapped = 1;
        told.managed = sim_address_is_managed(&info);
        told.shareable = info.shareable;
        told.reserved = info.reserved;
        told.reserved_bytes = (size_t)info.reserved_bytes;
    }
    *out = told;
    return RILL_SUCCESS;
}

rill_status sim_set_sync_memops(rill_context *handle, rill_devptr address, int on)
{
    struct sim_platform *platform = sim_context_of(handle)->platform;
    rill_status status = sim_enter_failed(platform, CALL_SYNC_MEMOPS);
    if (status) return status;
    if (sim_map_set_sync_memops(platform->map, address, on != 0)) return RILL_SUCCESS;
    struct address_info info;
    char words[SIM_DESCRIPTION_MAX];
    sim_map_lookup(platform->map, address, &info);
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "address", "0x%" PRIx64 " is %s", address,
                             sim_describe_address(&info, address, words));
}
