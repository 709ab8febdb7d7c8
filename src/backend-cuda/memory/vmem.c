/* SPDX-License-Identifier: Apache-2.0
 *
 * Addresses and memory, each by itself, as the driver has them.  None of these calls needs a
 * current context, as measured.
 */
#include "backend-cuda/memory/vmem.h"

#include <inttypes.h>
#include <stdint.h>

#include "backend-cuda/memory/vmem_handles.h"

_Static_assert((int)RILL_ACCESS_READ == (int)CU_MEM_ACCESS_FLAGS_PROT_READ,
               "the driver's number");
_Static_assert((int)RILL_ACCESS_READ_WRITE == (int)CU_MEM_ACCESS_FLAGS_PROT_READWRITE,
               "the driver's number");

/* The only way to share memory that rill has. */
#define SHARED_AS CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR

/* A driver tells of memory of the host that it is of a node, and shares none but that. */
static CUmemLocation place_on_host(void)
{
    return (CUmemLocation){ .type = CU_MEM_LOCATION_TYPE_HOST_NUMA };
}

static CUmemAllocationProp properties_of(CUdevice device, const rill_vmem_options *options)
{
    return (CUmemAllocationProp){
        .type = CU_MEM_ALLOCATION_TYPE_PINNED,
        .requestedHandleTypes = options->shareable ? SHARED_AS : 0,
        .location = options->host ? place_on_host() : cuda_location_of(device),
        .allocFlags = { .usage = options->tiles ? CU_MEM_CREATE_USAGE_TILE_POOL : 0 },
    };
}

/* ---- Sizes -------------------------------------------------------------------------- */

static CUresult ask_granularity(CUdevice device, size_t *bytes)
{
    const rill_vmem_options plain = { .size = sizeof plain };
    const CUmemAllocationProp properties = properties_of(device, &plain);
    return cuda_api.MemGetAllocationGranularity(bytes, &properties,
                                                CU_MEM_ALLOC_GRANULARITY_MINIMUM);
}

static rill_status get_granularity(rill_platform *handle, int device, size_t *bytes)
{
    struct cuda_platform *platform = cuda_platform_of(handle);
    size_t found = 0;
    rill_status status = cuda_check_device(platform, device, "device");
    if (status) return status;
    status = cuda_end(ask_granularity(platform->devices[device].raw, &found),
                      "cuMemGetAllocationGranularity");
    if (!status) *bytes = found;
    return status;
}

/* Explains why a call refused what has to be a multiple of the granularity of a device.  Blames
 * `other` if it is one. */
static rill_status explain_size(CUresult result, const char *call, CUdevice device,
                                const char *argument, uint64_t value, const char *other)
{
    size_t grain = 0;
    if (result == CUDA_ERROR_INVALID_VALUE && !ask_granularity(device, &grain) && grain &&
        (!value || value % grain))
        return cuda_blame(result, call, argument, "%" PRIu64 " is no multiple of %zu", value,
                          grain);
    return cuda_fail(result, call, other);
}

/* ---- Memory ------------------------------------------------------------------------- */

static rill_status explain_create(CUresult result, CUdevice device, size_t bytes)
{
    static const char call[] = "cuMemCreate";
    if (result == CUDA_ERROR_OUT_OF_MEMORY)
        return cuda_blame(result, call, "bytes", "%zu bytes do not fit", bytes);
    return explain_size(result, call, device, "bytes", bytes, NULL);
}

/* Keeps a handle that the driver made, or gives it back if memory is short. */
static rill_status keep_handle(struct cuda_platform *platform, CUmemGenericAllocationHandle made,
                               rill_vmem_handle *memory)
{
    if (cuda_vmem_note(platform, made)) {
        *memory = made;
        return RILL_SUCCESS;
    }
    cuda_api.MemRelease(made);
    return RILL_ERROR_OUT_OF_MEMORY;
}

static rill_status create_memory(rill_platform *handle, size_t bytes,
                                 const rill_vmem_options *options, rill_vmem_handle *memory)
{
    struct cuda_platform *platform = cuda_platform_of(handle);
    CUmemGenericAllocationHandle made = 0;
    rill_status status = cuda_check_device(platform, options->device, "options->device");
    if (status) return status;
    CUdevice device = platform->devices[options->device].raw;
    const CUmemAllocationProp properties = properties_of(device, options);
    CUresult result = cuda_api.MemCreate(&made, bytes, &properties, 0);
    return result ? explain_create(result, device, bytes) : keep_handle(platform, made, memory);
}

static rill_status release_memory(rill_platform *handle, rill_vmem_handle memory)
{
    struct cuda_platform *platform = cuda_platform_of(handle);
    rill_status status = cuda_vmem_check(platform, memory);
    if (status) return status;
    status = cuda_end_with(cuda_api.MemRelease(memory), "cuMemRelease", "handle");
    if (!status) cuda_vmem_forget(platform, memory);
    return status;
}

static rill_status retain_memory(rill_platform *platform, rill_devptr address,
                                 rill_vmem_handle *memory)
{
    CUmemGenericAllocationHandle found = 0;
    rill_status status =
        cuda_end_with(cuda_api.MemRetainAllocationHandle(&found, (void *)(uintptr_t)address),
                      "cuMemRetainAllocationHandle", "address");
    return status ? status : keep_handle(cuda_platform_of(platform), found, memory);
}

static int ordinal_of(const struct cuda_platform *platform, CUdevice device)
{
    int i = 0;
    while (i < platform->device_count && platform->devices[i].raw != device) i++;
    return i;
}

static rill_status get_options(rill_platform *handle, rill_vmem_handle memory,
                               rill_vmem_options *options)
{
    CUmemAllocationProp properties = { .type = CU_MEM_ALLOCATION_TYPE_INVALID };
    rill_status status = cuda_vmem_check(cuda_platform_of(handle), memory);
    if (status) return status;
    status =
        cuda_end_with(cuda_api.MemGetAllocationPropertiesFromHandle(&properties, memory),
                      "cuMemGetAllocationPropertiesFromHandle", "handle");
    if (status) return status;
    options->host = properties.location.type != CU_MEM_LOCATION_TYPE_DEVICE;
    options->device =
        options->host ? 0 : ordinal_of(cuda_platform_of(handle), properties.location.id);
    options->shareable = (properties.requestedHandleTypes & SHARED_AS) != 0;
    options->tiles = properties.allocFlags.usage == CU_MEM_CREATE_USAGE_TILE_POOL;
    return RILL_SUCCESS;
}

static rill_status export_file(rill_platform *platform, rill_vmem_handle memory, int *file)
{
    int made = -1;
    rill_status status = cuda_vmem_check(cuda_platform_of(platform), memory);
    if (status) return status;
    status =
        cuda_end_with(cuda_api.MemExportToShareableHandle(&made, memory, SHARED_AS, 0),
                      "cuMemExportToShareableHandle", "handle");
    if (!status) *file = made;
    return status;
}

static rill_status import_file(rill_platform *platform, int file, rill_vmem_handle *memory)
{
    CUmemGenericAllocationHandle made = 0;
    rill_status status =
        cuda_end_with(cuda_api.MemImportFromShareableHandle(&made, (void *)(intptr_t)file,
                                                            SHARED_AS),
                      "cuMemImportFromShareableHandle", "file");
    return status ? status : keep_handle(cuda_platform_of(platform), made, memory);
}

/* ---- Addresses ---------------------------------------------------------------------- */

static rill_status reserve(rill_platform *platform, size_t bytes, size_t alignment,
                           rill_devptr wish, rill_devptr *address)
{
    static const char call[] = "cuMemAddressReserve";
    CUdeviceptr found = 0;
    (void)platform;
    CUresult result = cuda_api.MemAddressReserve(&found, bytes, alignment, wish, 0);
    if (result == CUDA_ERROR_OUT_OF_MEMORY)
        return cuda_blame(result, call, "bytes", "no %zu bytes of addresses are free", bytes);
    if (result == CUDA_ERROR_INVALID_VALUE && alignment & (alignment - 1))
        return cuda_blame(result, call, "alignment", "%zu is no power of two", alignment);
    if (result) return cuda_fail(result, call, "bytes");
    *address = found;
    return RILL_SUCCESS;
}

static rill_status unreserve(rill_platform *platform, rill_devptr address, size_t bytes)
{
    (void)platform;
    return cuda_end_with(cuda_api.MemAddressFree(address, bytes), "cuMemAddressFree", "address");
}

/* ---- Mapping ------------------------------------------------------------------------ */

static rill_status map_memory(rill_platform *handle, rill_devptr address, size_t bytes,
                              rill_vmem_handle memory)
{
    static const char call[] = "cuMemMap";
    struct cuda_platform *platform = cuda_platform_of(handle);
    CUdevice device = platform->devices[0].raw;
    size_t grain = 0;
    rill_status status = cuda_vmem_check(platform, memory);
    if (status) return status;
    CUresult result = cuda_api.MemMap(address, bytes, 0, memory, 0);
    if (!result) return RILL_SUCCESS;
    if (result == CUDA_ERROR_INVALID_VALUE && !ask_granularity(device, &grain) && grain &&
        address % grain)
        return cuda_blame(result, call, "address", "0x%" PRIx64 " is no multiple of %zu", address,
                          grain);
    if (result == CUDA_ERROR_NOT_SUPPORTED)
        return cuda_blame(result, call, "bytes", "the driver does not map %zu bytes of this memory",
                          bytes);
    return explain_size(result, call, device, "bytes", bytes, NULL);
}

static rill_status unmap_memory(rill_platform *platform, rill_devptr address, size_t bytes)
{
    (void)platform;
    return cuda_end_with(cuda_api.MemUnmap(address, bytes), "cuMemUnmap", "address");
}

/* ---- Access ------------------------------------------------------------------------- */

static rill_status explain_access(CUresult result, rill_access access)
{
    static const char call[] = "cuMemSetAccess";
    if (result == CUDA_ERROR_NOT_SUPPORTED && access == RILL_ACCESS_READ)
        return cuda_blame(result, call, "access",
                          "a device can have all access to memory or none, but not reading alone");
    if (result == CUDA_ERROR_NOT_SUPPORTED)
        return cuda_blame(result, call, "device", "the driver gives it no access to this memory");
    if (access != RILL_ACCESS_NONE && access != RILL_ACCESS_READ &&
        access != RILL_ACCESS_READ_WRITE)
        return cuda_blame(result, call, "access", "%d is no kind of access", (int)access);
    return cuda_fail(result, call, "address");
}

/* Finds the place of a device, or of the host. */
static rill_status find_place(struct cuda_platform *platform, int device,
                              CUmemLocation *place)
{
    if (device == RILL_VMEM_HOST) {
        *place = place_on_host();
        return RILL_SUCCESS;
    }
    rill_status status = cuda_check_device(platform, device, "device");
    if (!status) *place = cuda_location_of(platform->devices[device].raw);
    return status;
}

static rill_status set_access(rill_platform *handle, rill_devptr address, size_t bytes, int device,
                              rill_access access)
{
    CUmemLocation place;
    rill_status status = find_place(cuda_platform_of(handle), device, &place);
    if (status) return status;
    const CUmemAccessDesc wanted = {
        .location = place,
        .flags = (CUmemAccess_flags)access,
    };
    CUresult result = cuda_api.MemSetAccess(address, bytes, &wanted, 1);
    return result ? explain_access(result, access) : RILL_SUCCESS;
}

static rill_status get_access(rill_platform *handle, rill_devptr address, int device,
                              rill_access *access)
{
    CUmemLocation place;
    unsigned long long found = 0;
    rill_status status = find_place(cuda_platform_of(handle), device, &place);
    if (status) return status;
    status = cuda_end_with(cuda_api.MemGetAccess(&found, &place, address), "cuMemGetAccess",
                           "address");
    if (!status) *access = (rill_access)found;
    return status;
}

const struct rill_vmem_ops cuda_vmem_ops = {
    .granularity = get_granularity,
    .create = create_memory,
    .release = release_memory,
    .retain = retain_memory,
    .get_options = get_options,
    .export_file = export_file,
    .import_file = import_file,
    .reserve = reserve,
    .unreserve = unreserve,
    .map = map_memory,
    .unmap = unmap_memory,
    .set_access = set_access,
    .get_access = get_access,
};
