/* SPDX-License-Identifier: Apache-2.0
 *
 * The slots for mapping, and for access to what is mapped.
 */
#include <inttypes.h>

#include "backend-sim/guard/call_guard.h"
#include "backend-sim/vmem/calls.h"
#include "backend-sim/vmem/drain.h"
#include "backend-sim/vmem/mapping.h"

rill_status sim_vmem_check_size(const char *argument, uint64_t value, uint64_t grain)
{
    if (value && value % grain == 0) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, argument,
                             "%" PRIu64 " is no multiple of %" PRIu64, value, grain);
}

/* ---- Ranges of mappings --------------------------------------------------------------- */

/* Finds the mappings of a range, of which the first begins where it does, the last ends where it
 * does, and none is missing.  Requires vmem->lock. */
static rill_status find_mappings(struct vmem *vmem, rill_devptr address, size_t bytes,
                                 struct mapping **first)
{
    struct mapping *mapping = *first = sim_mapping_from(vmem, address);
    uint64_t at = address, end;
    if (__builtin_add_overflow(address, bytes, &end) || !bytes)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "bytes",
                                 "%zu bytes at 0x%" PRIx64 " are no range", bytes, address);
    while (mapping && mapping->place.base == at && !mapping->going && at < end) {
        at = rl_range_end(&mapping->place);
        mapping = sim_mapping_next(mapping);
    }
    if (at == end) return RILL_SUCCESS;
    if (at > end)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "bytes",
                                 "the range ends at 0x%" PRIx64 ", inside of what was mapped up to "
                                 "0x%" PRIx64, end, at);
    mapping = sim_mapping_from(vmem, at);
    bool inside = mapping && mapping->place.base < at;
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "address",
                             inside ? "0x%" PRIx64 " is inside of what was mapped; a range begins "
                                      "where a mapping does"
                                    : "nothing is mapped at 0x%" PRIx64, at);
}

static struct mapping *next_before(const struct mapping *mapping, uint64_t end)
{
    struct mapping *next = sim_mapping_next(mapping);
    return next && next->place.base < end ? next : NULL;
}

/* Waits for all work, which may use mapped memory. */
static rill_status wait_for_work(struct sim_platform *platform)
{
    if (sim_vmem_drain(platform->engine)) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, NULL,
                             "no memory is left to list the pending streams");
}

/* ---- Mapping -------------------------------------------------------------------------- */

/* Requires vmem->lock. */
static rill_status map_segment(struct sim_platform *platform, rill_devptr address, size_t bytes,
                               rill_vmem_handle handle)
{
    struct vmem *vmem = platform->vmem;
    struct segment *segment;
    rill_status status = sim_segment_find(vmem, handle, &segment);
    if (status) return status;
    if (bytes > segment->bytes)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "bytes",
                                 "the memory has %" PRIu64 " bytes, not %zu", segment->bytes,
                                 bytes);
    struct reservation *reservation = sim_reservation_around(vmem, address, bytes);
    if (!reservation)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "address",
                                 "%zu bytes at 0x%" PRIx64 " are not in one reservation", bytes,
                                 address);
    struct mapping *there = sim_mapping_from(vmem, address);
    if (there && there->place.base < address + bytes)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "address",
                                 "%" PRIu64 " bytes are mapped at 0x%" PRIx64 " already",
                                 there->place.bytes, there->place.base);
    if (!sim_mapping_make(platform, reservation, address, bytes, segment))
        return RILL_ERROR_OUT_OF_MEMORY;
    sim_mappings_join(platform, address, bytes);
    return RILL_SUCCESS;
}

rill_status sim_vmem_map(rill_platform *handle, rill_devptr address, size_t bytes,
                         rill_vmem_handle memory)
{
    struct sim_platform *platform = sim_platform_of(handle);
    rill_status status = sim_enter(platform, CALL_MAKE);
    if (!status) status = sim_vmem_check_size("address", address, VMEM_GRAIN);
    if (!status) status = sim_vmem_check_size("bytes", bytes, VMEM_GRAIN);
    if (status) return status;
    rl_lock(&platform->vmem->lock);
    status = map_segment(platform, address, bytes, memory);
    rl_unlock(&platform->vmem->lock);
    return status;
}

/* Marks the mappings of a range as going, or as staying after all.  Requires vmem->lock. */
static void mark_mappings(struct mapping *first, uint64_t end, bool going)
{
    for (struct mapping *mapping = first; mapping; mapping = next_before(mapping, end))
        mapping->going = going;
}

/* Requires vmem->lock. */
static void free_mappings(struct sim_platform *platform, struct mapping *first, uint64_t end)
{
    for (struct mapping *mapping = first, *next; mapping; mapping = next) {
        next = next_before(mapping, end);
        sim_mapping_free(platform, mapping);
    }
}

/* What is going stays visible to the work that is waited for. */
rill_status sim_vmem_unmap(rill_platform *handle, rill_devptr address, size_t bytes)
{
    struct sim_platform *platform = sim_platform_of(handle);
    struct vmem *vmem = platform->vmem;
    struct mapping *first;
    rill_status status = sim_enter(platform, CALL_MAKE);
    if (status) return status;
    rl_lock(&vmem->lock);
    status = find_mappings(vmem, address, bytes, &first);
    if (!status) mark_mappings(first, address + bytes, true);
    rl_unlock(&vmem->lock);
    if (status) return status;
    status = wait_for_work(platform);
    rl_lock(&vmem->lock);
    if (status) {
        mark_mappings(first, address + bytes, false);
    } else {
        free_mappings(platform, first, address + bytes);
        sim_mappings_join(platform, address, bytes);
    }
    rl_unlock(&vmem->lock);
    return status;
}

/* ---- Access --------------------------------------------------------------------------- */

/* Requires vmem->lock. */
static rill_status change_access(struct sim_platform *platform, rill_devptr address,
                                 size_t bytes, int device, bool given)
{
    struct mapping *first;
    const uint64_t bit = UINT64_C(1) << device;
    rill_status status = find_mappings(platform->vmem, address, bytes, &first);
    if (status) return status;
    for (struct mapping *mapping = first; mapping; mapping = next_before(mapping, address + bytes))
        sim_mapping_set_access(platform, mapping, given ? mapping->face.access | bit
                                                        : mapping->face.access & ~bit);
    sim_mappings_join(platform, address, bytes);
    return RILL_SUCCESS;
}

static rill_status check_access(rill_access access)
{
    if (access == RILL_ACCESS_NONE || access == RILL_ACCESS_READ_WRITE) return RILL_SUCCESS;
    if (access == RILL_ACCESS_READ)
        return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, "access",
                                 "memory that a device can only read is not simulated");
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "access", "%d is no access", (int)access);
}

rill_status sim_vmem_set_access(rill_platform *handle, rill_devptr address, size_t bytes,
                                int device, rill_access access)
{
    struct sim_platform *platform = sim_platform_of(handle);
    rill_status status = sim_enter(platform, CALL_MAKE);
    if (!status) status = sim_check_device(platform, device, RILL_ERROR_INVALID_DEVICE, "device");
    if (!status) status = check_access(access);
    /* Work that was submitted has the access that it had then. */
    if (!status && access == RILL_ACCESS_NONE) status = wait_for_work(platform);
    if (status) return status;
    rl_lock(&platform->vmem->lock);
    status = change_access(platform, address, bytes, device, access != RILL_ACCESS_NONE);
    rl_unlock(&platform->vmem->lock);
    return status;
}

rill_status sim_vmem_get_access(rill_platform *handle, rill_devptr address, int device,
                                rill_access *access)
{
    struct sim_platform *platform = sim_platform_of(handle);
    rill_status status = sim_enter(platform, CALL_MAKE);
    if (!status) status = sim_check_device(platform, device, RILL_ERROR_INVALID_DEVICE, "device");
    if (status) return status;
    rl_lock(&platform->vmem->lock);
    const struct mapping *mapping = sim_mapping_from(platform->vmem, address);
    bool mapped = mapping && mapping->place.base <= address;
    bool given = mapped && mapping->face.access >> device & 1;
    rl_unlock(&platform->vmem->lock);
    if (!mapped)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "address",
                                 "nothing is mapped at 0x%" PRIx64, address);
    *access = given ? RILL_ACCESS_READ_WRITE : RILL_ACCESS_NONE;
    return RILL_SUCCESS;
}
