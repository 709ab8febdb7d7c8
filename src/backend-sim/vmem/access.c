/* SPDX-License-Identifier: Apache-2.0
 *
 * The slots for access to what is mapped: of devices, and of the host's processors to memory of
 * the host.
 */
#include <inttypes.h>

#include "backend-sim/guard/call_guard.h"
#include "backend-sim/vmem/calls.h"
#include "backend-sim/vmem/mapping.h"

static rill_status check_who(struct sim_platform *platform, int device)
{
    if (device == RILL_VMEM_HOST) return RILL_SUCCESS;
    return sim_check_device(platform, device, RILL_ERROR_INVALID_DEVICE, "device");
}

static rill_status check_access(rill_access access)
{
    if (access == RILL_ACCESS_NONE || access == RILL_ACCESS_READ ||
        access == RILL_ACCESS_READ_WRITE)
        return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "access", "%d is no access", (int)access);
}

/* Requires vmem->lock. */
static rill_status check_host(const struct mapping *first, uint64_t end)
{
    for (const struct mapping *mapping = first; mapping;
         mapping = sim_mapping_next_before(mapping, end))
        if (!mapping->segment->host)
            return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, "device",
                                     "the host's processors have no access to memory of a device");
    return RILL_SUCCESS;
}

/* Requires vmem->lock. */
static rill_status change_access(struct sim_platform *platform, rill_devptr address,
                                 size_t bytes, int device, rill_access access)
{
    const uint64_t end = address + bytes;
    struct mapping *first;
    rill_status status = sim_mappings_find(platform->vmem, address, bytes, &first);
    if (!status && device == RILL_VMEM_HOST && access != RILL_ACCESS_NONE)
        status = check_host(first, end);
    if (status) return status;
    for (struct mapping *mapping = first; mapping; mapping = sim_mapping_next_before(mapping, end))
        if (device == RILL_VMEM_HOST) sim_mapping_set_host_access(mapping, access);
        else sim_mapping_set_access(platform, mapping, device, access);
    sim_mappings_join(platform, address, bytes);
    return RILL_SUCCESS;
}

rill_status sim_vmem_set_access(rill_platform *handle, rill_devptr address, size_t bytes,
                                int device, rill_access access)
{
    struct sim_platform *platform = sim_platform_of(handle);
    rill_status status = sim_enter(platform, CALL_MAKE);
    if (!status) status = check_who(platform, device);
    if (!status) status = check_access(access);
    /* Work that was submitted has the access that it had then. */
    if (!status && access != RILL_ACCESS_READ_WRITE) status = sim_vmem_wait(platform);
    if (status) return status;
    rl_lock(&platform->vmem->lock);
    status = change_access(platform, address, bytes, device, access);
    rl_unlock(&platform->vmem->lock);
    return status;
}

static rill_access access_of(const struct mapping *mapping, int device)
{
    if (device == RILL_VMEM_HOST) return mapping->host_access;
    if (mapping->face.reading >> device & 1) return RILL_ACCESS_READ;
    return mapping->face.access >> device & 1 ? RILL_ACCESS_READ_WRITE : RILL_ACCESS_NONE;
}

rill_status sim_vmem_get_access(rill_platform *handle, rill_devptr address, int device,
                                rill_access *access)
{
    struct sim_platform *platform = sim_platform_of(handle);
    rill_status status = sim_enter(platform, CALL_MAKE);
    if (!status) status = check_who(platform, device);
    if (status) return status;
    rl_lock(&platform->vmem->lock);
    const struct mapping *mapping = sim_mapping_from(platform->vmem, address);
    bool mapped = mapping && mapping->place.base <= address;
    if (mapped) *access = access_of(mapping, device);
    rl_unlock(&platform->vmem->lock);
    if (mapped) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "address",
                             "nothing is mapped at 0x%" PRIx64, address);
}
