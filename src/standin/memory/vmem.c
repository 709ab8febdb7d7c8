/* SPDX-License-Identifier: Apache-2.0
 *
 * Virtual memory management: addresses and memory, each by itself.  None of these calls needs a
 * context.
 */
#include <stdint.h>

#include "standin/context/current.h"
#include "standin/memory/share_way.h"
#include "standin/object/entry.h"
#include "standin/object/machine.h"

enum { GRAIN = 2 << 20 }; /* of sizes and of addresses, on every device */

/* ---- Properties ------------------------------------------------------------------- */

/* A driver looks at the device first, and at the rest if that is one. */
static CUresult check_place(const CUmemAllocationProp *given)
{
    if (given->location.type == CU_MEM_LOCATION_TYPE_DEVICE && !si_device(given->location.id))
        return RILL_ERROR_INVALID_DEVICE;
    if (given->type != CU_MEM_ALLOCATION_TYPE_PINNED) return RILL_ERROR_INVALID_VALUE;
    switch (given->location.type) {
    case CU_MEM_LOCATION_TYPE_DEVICE: return RILL_SUCCESS;
    case CU_MEM_LOCATION_TYPE_HOST: /* of any node, which cannot be shared */
        return given->handle_types ? RILL_ERROR_INVALID_VALUE : RILL_SUCCESS;
    case CU_MEM_LOCATION_TYPE_HOST_NUMA: /* a simulated machine has one node */
        return given->location.id ? RILL_ERROR_INVALID_VALUE : RILL_SUCCESS;
    default: return RILL_ERROR_INVALID_VALUE;
    }
}

/* Reads the properties of memory; no other way of sharing it is simulated than file descriptors. */
static CUresult read_properties(const CUmemAllocationProp *given, rill_vmem_options *options)
{
    const int tiles = given->flags.usage == CU_MEM_CREATE_USAGE_TILE_POOL;
    CUresult status = check_place(given);
    if (status) return status;
    if (given->handle_types & (CU_MEM_HANDLE_TYPE_WIN32 | CU_MEM_HANDLE_TYPE_WIN32_KMT))
        return RILL_ERROR_INVALID_VALUE;
    if (given->handle_types & ~CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR)
        return RILL_ERROR_NOT_SUPPORTED;
    if (given->handle_types && tiles) return RILL_ERROR_INVALID_VALUE;
    if (given->flags.rdma || (given->flags.usage && !tiles)) return RILL_ERROR_NOT_SUPPORTED;
    const int host = given->location.type != CU_MEM_LOCATION_TYPE_DEVICE;
    *options = (rill_vmem_options){ .size = sizeof *options,
                                    .device = host ? 0 : given->location.id,
                                    .host = host,
                                    .shareable = given->handle_types != 0,
                                    .tiles = tiles };
    return RILL_SUCCESS;
}

/* A driver does not look at the properties. */
ENTRY(cuMemGetAllocationGranularity,
      (size_t *bytes, const CUmemAllocationProp *properties, int option),
      (bytes, properties, option))
{
    CUresult status = si_check_ready();
    if (status) return status;
    if (!bytes || !properties || option < CU_MEM_ALLOC_GRANULARITY_MINIMUM ||
        option > CU_MEM_ALLOC_GRANULARITY_RECOMMENDED)
        return RILL_ERROR_INVALID_VALUE;
    return rill_vmem_granularity(si_platform, 0, bytes);
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
        .location = { options.host ? CU_MEM_LOCATION_TYPE_HOST_NUMA : CU_MEM_LOCATION_TYPE_DEVICE,
                      options.device },
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
    if (!handle || !properties || flags || !bytes || bytes % GRAIN)
        return RILL_ERROR_INVALID_VALUE;
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
    if (status) return status;
    if (!handle) return RILL_ERROR_INVALID_VALUE;
    status = rill_vmem_import(si_platform, (int)(intptr_t)file, handle);
    return status == RILL_ERROR_INVALID_VALUE ? RILL_ERROR_UNKNOWN : status; /* no such file */
}

/* ---- Addresses -------------------------------------------------------------------- */

ENTRY(cuMemAddressReserve,
      (CUdeviceptr *address, size_t bytes, size_t alignment, CUdeviceptr wish,
       unsigned long long flags),
      (address, bytes, alignment, wish, flags))
{
    CUresult status = si_check_ready();
    if (status) return status;
    if (flags || bytes % GRAIN || wish % GRAIN) return RILL_ERROR_INVALID_VALUE;
    if (alignment && wish % alignment) return RILL_ERROR_INVALID_VALUE;
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
    /* A part of the memory would be of another size. */
    return rill_vmem_map(si_platform, address, offset ? 0 : bytes, handle);
}

ENTRY(cuMemUnmap, (CUdeviceptr address, size_t bytes), (address, bytes))
{
    CUresult status = si_check_ready();
    return status ? status : rill_vmem_unmap(si_platform, address, bytes);
}

enum { NOBODY = -2 };

/* Returns who is at a place, as rill_vmem_set_access() takes it; NOBODY if it is none. */
static int who_is(const CUmemLocation *place)
{
    switch (place->type) {
    case CU_MEM_LOCATION_TYPE_DEVICE: return si_device(place->id) ? place->id : NOBODY;
    case CU_MEM_LOCATION_TYPE_HOST:
    case CU_MEM_LOCATION_TYPE_HOST_NUMA: return RILL_VMEM_HOST;
    default: return NOBODY;
    }
}

/* Tells what is wrong with an access before the addresses are looked at. */
static CUresult check_access(const CUmemAccessDesc *access)
{
    bool known = access->flags == RILL_ACCESS_NONE || access->flags == RILL_ACCESS_READ ||
                 access->flags == RILL_ACCESS_READ_WRITE;
    return known && who_is(&access->location) != NOBODY ? RILL_SUCCESS : RILL_ERROR_INVALID_VALUE;
}

ENTRY(cuMemSetAccess,
      (CUdeviceptr address, size_t bytes, const CUmemAccessDesc *access, size_t count),
      (address, bytes, access, count))
{
    CUresult status = si_check_ready();
    if (status) return status;
    if (!access || !count) return RILL_ERROR_INVALID_VALUE;
    for (size_t i = 0; !status && i < count; i++) status = check_access(&access[i]);
    for (size_t i = 0; !status && i < count; i++)
        status = rill_vmem_set_access(si_platform, address, bytes, who_is(&access[i].location),
                                      (rill_access)access[i].flags);
    return status;
}

/* Tells whether an address is in memory that was allocated together with its addresses: no access
 * to that was ever set. */
static bool is_plain_memory(CUdeviceptr address)
{
    rill_pointer_info info = { .size = sizeof info };
    rill_context *context;
    si_hold_kind(SI_CONTEXT);
    if (si_anywhere(&context) || !context) return false;
    if (rill_pointer_get_info(context, address, &info)) return false;
    return info.known && info.kind == RILL_MEMORY_DEVICE && !info.managed;
}

ENTRY(cuMemGetAccess,
      (unsigned long long *flags, const CUmemLocation *location, CUdeviceptr address),
      (flags, location, address))
{
    rill_access access = RILL_ACCESS_NONE;
    CUresult status = si_check_ready();
    if (status) return status;
    if (!flags || !location) return RILL_ERROR_INVALID_VALUE;
    if (who_is(location) == NOBODY) return RILL_ERROR_INVALID_DEVICE;
    status = rill_vmem_get_access(si_platform, address, who_is(location), &access);
    if (status && is_plain_memory(address)) status = RILL_SUCCESS;
    *flags = (unsigned long long)access; /* none where nothing is mapped */
    return status;
}
