/* SPDX-License-Identifier: Apache-2.0
 *
 * The slots for mapping.
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

static rill_status fail_no_range(rill_devptr address, size_t bytes)
{
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "bytes",
                             "%zu bytes at 0x%" PRIx64 " are no range", bytes, address);
}

static rill_status fail_range(rill_devptr address, size_t bytes)
{
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "address",
                             "%zu bytes at 0x%" PRIx64 " do not begin where addresses are reserved",
                             bytes, address);
}

rill_status sim_mappings_find(struct vmem *vmem, rill_devptr address, size_t bytes,
                              struct mapping **first)
{
    struct mapping *mapping = *first = sim_mapping_from(vmem, address);
    uint64_t at = address, end;
    if (__builtin_add_overflow(address, bytes, &end) || !bytes)
        return fail_no_range(address, bytes);
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

/* Finds the first mapping in a range that begins in a reservation and has no mapping in part; holes
 * are fine, as is a range where nothing is mapped: `first` is NULL then.  Requires vmem->lock. */
static rill_status find_whole(struct vmem *vmem, rill_devptr address, size_t bytes,
                              struct mapping **first)
{
    uint64_t end;
    if (__builtin_add_overflow(address, bytes, &end) || !bytes)
        return fail_no_range(address, bytes);
    if (!sim_reservation_at(vmem, address)) return fail_range(address, bytes);
    struct mapping *mapping = sim_mapping_from(vmem, address);
    *first = mapping && mapping->place.base < end ? mapping : NULL;
    for (mapping = *first; mapping && mapping->place.base < end;
         mapping = sim_mapping_next(mapping))
        if (mapping->place.base < address || rl_range_end(&mapping->place) > end || mapping->going)
            return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "address",
                                     "%" PRIu64 " bytes are mapped at 0x%" PRIx64 ", and the range "
                                     "has not all of them", mapping->place.bytes,
                                     mapping->place.base);
    return RILL_SUCCESS;
}

struct mapping *sim_mapping_next_before(const struct mapping *mapping, uint64_t end)
{
    struct mapping *next = sim_mapping_next(mapping);
    return next && next->place.base < end ? next : NULL;
}

rill_status sim_vmem_wait(struct sim_platform *platform)
{
    if (sim_vmem_drain(platform->engine)) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, NULL,
                             "no memory is left to list the pending streams");
}

/* ---- Mapping -------------------------------------------------------------------------- */

/* A driver maps memory as a whole. */
static rill_status fail_part(const struct segment *segment, size_t bytes)
{
    return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, "bytes",
                             "the memory has %" PRIu64 " bytes, not %zu: it is mapped as a whole",
                             segment->bytes, bytes);
}

/* Requires vmem->lock. */
static rill_status map_segment(struct sim_platform *platform, rill_devptr address, size_t bytes,
                               rill_vmem_handle handle)
{
    struct vmem *vmem = platform->vmem;
    struct segment *segment;
    rill_status status = sim_segment_find(vmem, handle, &segment);
    if (status) return status;
    if (segment->tiles)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "handle",
                                 "%" PRIu64 " is memory for the tiles of arrays", handle);
    if (bytes != segment->bytes) return fail_part(segment, bytes);
    status = sim_vmem_check_size("address", address, VMEM_GRAIN);
    if (status) return status;
    struct reservation *reservation = sim_reservation_at(vmem, address);
    if (!reservation || !sim_reservation_lets_map(vmem, reservation, address, bytes))
        return fail_range(address, bytes);
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
    if (status) return status;
    rl_lock(&platform->vmem->lock);
    status = map_segment(platform, address, bytes, memory);
    rl_unlock(&platform->vmem->lock);
    return status;
}

/* Marks the mappings of a range as going, or as staying after all.  Requires vmem->lock. */
static void mark_mappings(struct mapping *first, uint64_t end, bool going)
{
    for (struct mapping *mapping = first; mapping; mapping = sim_mapping_next_before(mapping, end))
        mapping->going = going;
}

/* Requires vmem->lock. */
static void free_mappings(struct sim_platform *platform, struct mapping *first, uint64_t end)
{
    for (struct mapping *mapping = first, *next; mapping; mapping = next) {
        next = sim_mapping_next_before(mapping, end);
        sim_mapping_free(platform, mapping);
    }
}

/* What is going stays visible to the work that is waited for. */
rill_status sim_vmem_unmap(rill_platform *handle, rill_devptr address, size_t bytes)
{
    struct sim_platform *platform = sim_platform_of(handle);
    struct vmem *vmem = platform->vmem;
    struct mapping *first = NULL;
    rill_status status = sim_enter(platform, CALL_MAKE);
    if (status) return status;
    rl_lock(&vmem->lock);
    status = find_whole(vmem, address, bytes, &first);
    if (!status) mark_mappings(first, address + bytes, true);
    rl_unlock(&vmem->lock);
    if (status || !first) return status;
    status = sim_vmem_wait(platform);
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
