/* SPDX-License-Identifier: Apache-2.0
 *
 * Virtual memory management: addresses and memory, each by itself.  None of these calls needs a
 * context.
 */
#include <stdint.h>

#include "standin/memory/share_way.h"
#include "standin/object/entry.h"
#include "standin/object/machine.h"

/* ---- Properties ------------------------------------------------------------------- */

/* Reads the properties of memory of a device; no other is simulated, and no other way of sharing
 * it than file descriptors. */
static CUresult read_properties(const CUmemAllocationProp *given, rill_vmem_options *options)
{
    if (!given || given->type != CU_MEM_ALLOCATION_TYPE_PINNED) return RILL_ERROR_INVALID_VALUE;
    switch (given->location.type) {
    case CU_MEM_LOCATION_TYPE_DEVICE: break;
    case CU_MEM_LOCATION_TYPE_HOST:
    case CU_MEM_LOCATION_TYPE_HOST_NUMA: return RILL_ERROR_NOT_SUPPORTED;
    default: return RILL_ERROR_INVALID_VALUE;
    }
    if (given->handle_types & (CU_MEM_HANDLE_TYPE_WIN32 | CU_MEM_HANDLE_TYPE_WIN32_KMT))
        return RILL_ERROR_INVALID_VALUE;
    if (given->handle_types & ~CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR)
        return RILL_ERROR_NOT_SUPPORTED;
    if (given->flags.rdma || given->flags.usage) return RILL_ERROR_NOT_SUPPORTED;
    *options = (rill_vmem_options){ .size = sizeof *options,
                                    .device = given->location.id,
                                    .shareable = given->handle_types != 0 };
    return si_device(given->location.id) ? RILL_SUCCESS : RILL_ERROR_INVALID_DEVICE;
}

ENTRY(cuMemGetAllocationGranularity,
      (size_t *bytes, const CUmemAllocationProp *properties, int option),
      (bytes, properties, option))
{
    rill_vmem_options options;
    CUresult status = si_check_ready();
    if (status) return status;
    if (!bytes || option < CU_MEM_ALLOC_GRANULARITY_MINIMUM ||
        option > CU_MEM_ALLOC_GRANULARITY_RECOMMENDED)
        return RILL_ERROR_INVALID_VALUE;
    status = read_properties(properties, &options);
    return status ? status : rill_vmem_granularity(si_platform, options.device, bytes);
}

ENTRY(cuMemGetAllocationPropertiesFromHandle,
      (CUmemAllocationProp *properties, CUmemGenericAllocationHandle handle),
      (properties, handle))
{
    rill_vmem_options options = { .size = sizeof options };
    CUresult status = si_check_ready();
    if (status) return status;
    if (!properties) return RILL_ERROR_INVALID_VALUE;
    status = rill_vmem_get_options(si_platform, handle, &options);
    if (status) return status;
    *properties = (CUmemAllocationProp){
        .type = CU_MEM_ALLOCATION_TYPE_PINNED,
        .handle_types = options.shareable ? CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR : 0,
        .location = { CU_MEM_LOCATION_TYPE_DEVICE, options.device },
    };
    return RILL_SUCCESS;
}

/* ---- Memory ----------------------------------------------------------------------- */

ENTRY(cuMemCreate,
      (CUmemGenericAllocationHandle *handle, size_t bytes, const CUmemAllocationProp *properties,
       unsigned long long flags),
      (handle, bytes, properties, flags))
{
    rill_vmem_options options;
    CUresult status = si_check_ready();
    if (status) return status;
    if (!handle || flags) return RILL_ERROR_INVALID_VALUE;
    status = read_properties(properties, &options);
    return status ? status : rill_vmem_create(si_platform, bytes, &options, handle);
}

ENTRY(cuMemRelease, (CUmemGenericAllocationHandle handle), (handle))
{
    CUresult status = si_check_ready();
    return status ? status : rill_vmem_release(si_platform, handle);
}

ENTRY(cuMemRetainAllocationHandle,
      (CUmemGenericAllocationHandle *handle, void *address), (handle, address))
{
    CUresult status = si_check_ready();
    return status ? status : rill_vmem_retain(si_platform, (uintptr_t)address, handle);
}

ENTRY(cuMemExportToShareableHandle,
      (void *out, CUmemGenericAllocationHandle handle, int way, unsigned long long flags),
      (out, handle, way, flags))
{
    CUresult status = si_check_ready();
    if (status) return status;
    if (!out || flags) return RILL_ERROR_INVALID_VALUE;
    status = si_check_share_way(way);
    if (way == CU_MEM_HANDLE_TYPE_WIN32 || way == CU_MEM_HANDLE_TYPE_WIN32_KMT)
        status = RILL_ERROR_INVALID_VALUE; /* of no memory here, and so of none */
    return status ? status : rill_vmem_export(si_platform, handle, out);
}

/* The file descriptor is passed as a pointer. */
ENTRY(cuMemImportFromShareableHandle,
      (CUmemGenericAllocationHandle *handle, void *file, int way), (handle, file, way))
{
    CUresult status = si_check_ready();
    if (!status) status = si_check_share_way(way);
    return status ? status : rill_vmem_import(si_platform, (int)(intptr_t)file, handle);
}

enum { GRAIN = 2 << 20 }; /* of addresses, on every device */

/* ---- Addresses -------------------------------------------------------------------- */

ENTRY(cuMemAddressReserve,
      (CUdeviceptr *address, size_t bytes, size_t alignment, CUdeviceptr wish,
       unsigned long long flags),
      (address, bytes, alignment, wish, flags))
{
    CUresult status = si_check_ready();
    if (status) return status;
    if (flags || bytes % GRAIN) return RILL_ERROR_INVALID_VALUE;
    return rill_vmem_reserve(si_platform, bytes, alignment, wish, address);
}

ENTRY(cuMemAddressFree, (CUdeviceptr address, size_t bytes), (address, bytes))
{
    CUresult status = si_check_ready();
    return status ? status : rill_vmem_unreserve(si_platform, address, bytes);
}

/* ---- Mapping ---------------------------------------------------------------------- */

ENTRY(cuMemMap,
      (CUdeviceptr address, size_t bytes, size_t offset, CUmemGenericAllocationHandle handle,
       unsigned long long flags),
      (address, bytes, offset, handle, flags))
{
    CUresult status = si_check_ready();
    if (status) return status;
    if (flags) return RILL_ERROR_INVALID_VALUE;
    if (offset) return RILL_ERROR_NOT_SUPPORTED; /* both are to be 0, says the driver */
    return rill_vmem_map(si_platform, address, bytes, handle);
}

ENTRY(cuMemUnmap, (CUdeviceptr address, size_t bytes), (address, bytes))
{
    CUresult status = si_check_ready();
    return status ? status : rill_vmem_unmap(si_platform, address, bytes);
}

/* Memory of a device is for devices, so that any other place is a bad value. */
static CUresult check_to_have(const CUmemLocation *location)
{
    int is_device = location->type == CU_MEM_LOCATION_TYPE_DEVICE && si_device(location->id);
    return is_device ? RILL_SUCCESS : RILL_ERROR_INVALID_VALUE;
}

/* Tells which device a place is whose access is asked for: 0 for the host, which has none. */
static CUresult check_asked(const CUmemLocation *location, int *device)
{
    int is_host = location->type == CU_MEM_LOCATION_TYPE_HOST ||
                  location->type == CU_MEM_LOCATION_TYPE_HOST_NUMA;
    int is_device = location->type == CU_MEM_LOCATION_TYPE_DEVICE && si_device(location->id);
    *device = is_device ? location->id : 0;
    return is_host || is_device ? RILL_SUCCESS : RILL_ERROR_INVALID_DEVICE;
}

ENTRY(cuMemSetAccess,
      (CUdeviceptr address, size_t bytes, const CUmemAccessDesc *access, size_t count),
      (address, bytes, access, count))
{
    CUresult status = si_check_ready();
    if (status) return status;
    if (!access || !count) return RILL_ERROR_INVALID_VALUE;
    for (size_t i = 0; !status && i < count; i++) status = check_to_have(&access[i].location);
    for (size_t i = 0; !status && i < count; i++)
        status = rill_vmem_set_access(si_platform, address, bytes, access[i].location.id,
                                      (rill_access)access[i].flags);
    return status;
}

ENTRY(cuMemGetAccess,
      (unsigned long long *flags, const CUmemLocation *location, CUdeviceptr address),
      (flags, location, address))
{
    rill_access access = RILL_ACCESS_NONE;
    int device;
    CUresult status = si_check_ready();
    if (status) return status;
    if (!flags || !location) return RILL_ERROR_INVALID_VALUE;
    status = check_asked(location, &device);
    if (status) return status;
    status = rill_vmem_get_access(si_platform, address, device, &access);
    if (location->type != CU_MEM_LOCATION_TYPE_DEVICE) access = RILL_ACCESS_NONE;
    *flags = (unsigned long long)access; /* none where nothing is mapped */
    return status;
}
