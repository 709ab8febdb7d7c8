/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of slots, and those for memory and for addresses alone.
 */
#include "backend-sim/vmem/vmem.h"

#include <inttypes.h>
#include <unistd.h>

#include "backend-sim/guard/call_guard.h"
#include "backend-sim/vmem/calls.h"
#include "backend-sim/vmem/mapping.h"
#include "backend-sim/vmem/region.h"
#include "base/alloc.h"

/* ---- Life ---------------------------------------------------------------------------- */

rill_status sim_vmem_open(struct sim_platform *platform)
{
    platform->vmem = rl_zalloc(sizeof *platform->vmem);
    if (!platform->vmem) return RILL_ERROR_OUT_OF_MEMORY;
    platform->vmem->file = -1;
    return RILL_SUCCESS;
}

void sim_vmem_close(struct sim_platform *platform)
{
    struct vmem *vmem = platform->vmem;
    struct mapping *mapping;
    if (!vmem) return;
    while ((mapping = sim_mapping_from(vmem, 0))) sim_mapping_free(platform, mapping);
    while (vmem->segments.root)
        sim_segment_free(platform, sim_segment_of(vmem->segments.root));
    while (vmem->reservations.root)
        sim_reservation_free(platform, (struct reservation *)vmem->reservations.root);
    sim_region_close(platform);
    if (vmem->file >= 0) {
        sim_extents_close(&vmem->extents);
        close(vmem->file);
    }
    rl_free(vmem);
    platform->vmem = NULL;
}

/* Checks a call, and takes the lock if nothing is in the way. */
static rill_status enter_vmem(rill_platform *handle, struct sim_platform **platform)
{
    *platform = sim_platform_of(handle);
    rill_status status = sim_enter(*platform, CALL_MAKE);
    if (!status) rl_lock(&(*platform)->vmem->lock);
    return status;
}

static rill_status leave_vmem(struct sim_platform *platform, rill_status status)
{
    rl_unlock(&platform->vmem->lock);
    return status;
}

/* ---- Memory --------------------------------------------------------------------------- */

static rill_status get_granularity(rill_platform *handle, int device, size_t *bytes)
{
    struct sim_platform *platform = sim_platform_of(handle);
    rill_status status = sim_enter(platform, CALL_MAKE);
    if (!status) status = sim_check_device(platform, device, RILL_ERROR_INVALID_DEVICE, "device");
    if (!status) *bytes = VMEM_GRAIN;
    return status;
}

static rill_status create_memory(rill_platform *handle, size_t bytes,
                                 const rill_vmem_options *options, rill_vmem_handle *memory)
{
    struct sim_platform *platform;
    struct segment *segment;
    rill_status status = enter_vmem(handle, &platform);
    if (status) return status;
    status = sim_check_device(platform, options->device, RILL_ERROR_INVALID_DEVICE,
                              "options->device");
    if (!status) status = sim_vmem_check_size("bytes", bytes, VMEM_GRAIN);
    if (!status) status = sim_segment_make(platform, bytes, options, &segment);
    if (!status) *memory = segment->name.base;
    return leave_vmem(platform, status);
}

static rill_status release_memory(rill_platform *handle, rill_vmem_handle memory)
{
    struct sim_platform *platform;
    struct segment *segment;
    rill_status status = enter_vmem(handle, &platform);
    if (status) return status;
    status = sim_segment_find(platform->vmem, memory, &segment);
    if (!status) {
        segment->handles--;
        sim_segment_settle(platform, segment);
    }
    return leave_vmem(platform, status);
}

static rill_status retain_memory(rill_platform *handle, rill_devptr address,
                                 rill_vmem_handle *memory)
{
    struct sim_platform *platform;
    rill_status status = enter_vmem(handle, &platform);
    if (status) return status;
    struct mapping *mapping = sim_mapping_from(platform->vmem, address);
    if (!mapping || mapping->place.base > address || mapping->going) {
        status = rill_backend_fail(RILL_ERROR_INVALID_VALUE, "address",
                                   "nothing is mapped at 0x%" PRIx64, address);
    } else {
        mapping->segment->handles++;
        *memory = mapping->segment->name.base;
    }
    return leave_vmem(platform, status);
}

static rill_status get_options(rill_platform *handle, rill_vmem_handle memory,
                               rill_vmem_options *options)
{
    struct sim_platform *platform;
    struct segment *segment;
    rill_status status = enter_vmem(handle, &platform);
    if (status) return status;
    status = sim_segment_find(platform->vmem, memory, &segment);
    if (!status) {
        options->device = segment->device;
        options->shareable = sim_segment_can_be_shared(segment);
        options->host = segment->host;
        options->tiles = segment->tiles;
    }
    return leave_vmem(platform, status);
}

static rill_status export_file(rill_platform *handle, rill_vmem_handle memory, int *file)
{
    struct sim_platform *platform;
    struct segment *segment;
    rill_status status = enter_vmem(handle, &platform);
    if (status) return status;
    status = sim_segment_find(platform->vmem, memory, &segment);
    if (!status) status = sim_share_export(segment, file);
    return leave_vmem(platform, status);
}

static rill_status import_file(rill_platform *handle, int file, rill_vmem_handle *memory)
{
    struct sim_platform *platform;
    struct segment *segment;
    rill_status status = enter_vmem(handle, &platform);
    if (status) return status;
    status = sim_share_import(platform, file, &segment);
    if (!status) *memory = segment->name.base;
    return leave_vmem(platform, status);
}

/* ---- Addresses ------------------------------------------------------------------------ */

static rill_status reserve(rill_platform *handle, size_t bytes, size_t alignment,
                           rill_devptr wish, rill_devptr *address)
{
    const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    struct sim_platform *platform;
    rill_status status = enter_vmem(handle, &platform);
    if (status) return status;
    if (!alignment) alignment = VMEM_GRAIN;
    status = sim_vmem_check_size("bytes", bytes, page);
    if (!status && wish) status = sim_vmem_check_size("wish", wish, page);
    if (!status && (alignment & (alignment - 1)))
        status = rill_backend_fail(RILL_ERROR_INVALID_VALUE, "alignment",
                                   "%zu is no power of two", alignment);
    if (!status) status = sim_reservation_make(platform, bytes, alignment, wish, address);
    return leave_vmem(platform, status);
}

/* Requires vmem->lock. */
static rill_status check_unreserve(const struct vmem *vmem, const struct reservation *reservation,
                                   rill_devptr address, size_t bytes)
{
    if (!reservation || reservation->range.base != address || reservation->range.bytes != bytes)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "address",
                                 "%zu bytes at 0x%" PRIx64 " are not what was reserved at once",
                                 bytes, address);
    const struct mapping *mapping = sim_mapping_from(vmem, address);
    if (!mapping || mapping->place.base >= address + bytes) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "address",
                             "%" PRIu64 " bytes are mapped at 0x%" PRIx64 "; unmap them first",
                             mapping->place.bytes, mapping->place.base);
}

static rill_status unreserve(rill_platform *handle, rill_devptr address, size_t bytes)
{
    struct sim_platform *platform;
    rill_status status = enter_vmem(handle, &platform);
    if (status) return status;
    struct reservation *reservation = sim_reservation_at(platform->vmem, address);
    status = check_unreserve(platform->vmem, reservation, address, bytes);
    if (!status) sim_reservation_free(platform, reservation);
    return leave_vmem(platform, status);
}

const struct rill_vmem_ops sim_vmem_ops = {
    .granularity = get_granularity,
    .create = create_memory,
    .release = release_memory,
    .retain = retain_memory,
    .get_options = get_options,
    .export_file = export_file,
    .import_file = import_file,
    .reserve = reserve,
    .unreserve = unreserve,
    .map = sim_vmem_map,
    .unmap = sim_vmem_unmap,
    .set_access = sim_vmem_set_access,
    .get_access = sim_vmem_get_access,
};
