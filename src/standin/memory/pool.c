/* SPDX-License-Identifier: Apache-2.0
 *
 * Pools, and memory in stream order.
 */
#include "standin/memory/pool.h"

#include <string.h>

/* ---- Handles --------------------------------------------------------------------- */

CUmemoryPool si_pool_handle(rill_pool *pool)
{
    /* Held while a pool gets its handle: two threads may see the pool first. */
    static struct rl_lock lock;
    if (!pool) return NULL;
    CUmemoryPool handle = si_handle_of(pool);
    if (handle) return handle;
    rl_lock(&lock);
    handle = si_handle_of(pool);
    if (!handle) handle = si_handle_new(SI_POOL, NULL, pool);
    rl_unlock(&lock);
    return handle;
}

CUresult si_hand_out_pool(CUresult status, rill_pool *pool, CUmemoryPool *handle)
{
    if (status) return status;
    CUmemoryPool found = si_pool_handle(pool);
    if (!found) return RILL_ERROR_OUT_OF_MEMORY;
    *handle = found;
    return RILL_SUCCESS;
}

/* ---- Making and ending ----------------------------------------------------------- */

/* Reads the properties of a pool on a device; no other is simulated. */
static CUresult read_properties(const CUmemPoolProps *given, rill_pool_options *options)
{
    static const CUmemPoolProps none;
    if (given->allocation_type != CU_MEM_ALLOCATION_TYPE_PINNED) return RILL_ERROR_INVALID_VALUE;
    if (memcmp(given->reserved, none.reserved, sizeof none.reserved))
        return RILL_ERROR_INVALID_VALUE;
    switch (given->location.type) {
    case CU_MEM_LOCATION_TYPE_DEVICE: break;
    case CU_MEM_LOCATION_TYPE_HOST:
    case CU_MEM_LOCATION_TYPE_HOST_NUMA: return RILL_ERROR_NOT_SUPPORTED;
    default: return RILL_ERROR_INVALID_VALUE;
    }
    if (!si_device(given->location.id)) return RILL_ERROR_INVALID_VALUE;
    if (given->handle_types & CU_MEM_HANDLE_TYPE_FABRIC) return RILL_ERROR_NOT_SUPPORTED;
    if (given->handle_types & ~CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR)
        return RILL_ERROR_INVALID_VALUE;
    *options = (rill_pool_options){ .size = sizeof *options,
                                    .device = given->location.id,
                                    .maximum = given->maximum,
                                    .shareable = given->handle_types != 0 };
    return RILL_SUCCESS;
}

ENTRY(cuMemPoolCreate, (CUmemoryPool *pool, const CUmemPoolProps *properties), (pool, properties))
{
    rill_pool_options options;
    rill_pool *made = NULL;
    CUresult status = si_check_ready();
    if (status) return status;
    if (!pool || !properties) return RILL_ERROR_INVALID_VALUE;
    status = read_properties(properties, &options);
    if (!status) status = rill_pool_create(si_platform, &options, &made);
    if (status) return status;
    status = si_hand_out_pool(status, made, pool);
    if (status) rill_pool_destroy(&made);
    return status;
}

ENTRY(cuMemPoolDestroy, (CUmemoryPool handle), (handle))
{
    rill_pool *given = si_handle_take(SI_POOL, handle), *left = given;
    if (!given) return si_wrong(SI_POOL, handle);
    si_await(handle);
    si_kind_ends(SI_POOL);
    CUresult status = rill_pool_destroy(&left);
    si_kind_ended(SI_POOL);
    if (left || status == RILL_ERROR_INVALID_VALUE) /* a device keeps its own */
        si_handle_restore(handle, given);
    else
        si_handle_free(SI_POOL, handle);
    return status;
}

/* ---- Pools of devices ------------------------------------------------------------ */

typedef rill_status pool_question(rill_platform *platform, int device, rill_pool **pool);

static CUresult find_pool(pool_question *question, CUmemoryPool *pool, CUdevice device)
{
    rill_pool *found = NULL;
    CUresult status = si_check_ready();
    if (status) return status;
    if (!si_device(device)) return RILL_ERROR_INVALID_DEVICE;
    if (!pool) return RILL_ERROR_INVALID_VALUE;
    si_hold_kind(SI_POOL);
    status = question(si_platform, device, &found);
    return si_hand_out_pool(status, found, pool);
}

ENTRY(cuDeviceGetDefaultMemPool, (CUmemoryPool *pool, CUdevice device), (pool, device))
{
    return find_pool(rill_device_default_pool, pool, device);
}

ENTRY(cuDeviceGetMemPool, (CUmemoryPool *pool, CUdevice device), (pool, device))
{
    return find_pool(rill_device_pool, pool, device);
}

ENTRY(cuDeviceSetMemPool, (CUdevice device, CUmemoryPool handle), (device, handle))
{
    rill_pool *pool;
    CUresult status = si_pool(handle, &pool);
    return status ? status : rill_device_set_pool(si_platform, device, pool);
}

/* Pools by location: those of host memory are not simulated. */
static CUresult check_location(const CUmemLocation *location, int type)
{
    CUresult status = si_check_ready();
    if (status) return status;
    if (!location || location->type == CU_MEM_LOCATION_TYPE_NONE) return RILL_ERROR_INVALID_VALUE;
    int simulated = location->type == CU_MEM_LOCATION_TYPE_DEVICE &&
                    type == CU_MEM_ALLOCATION_TYPE_PINNED;
    return simulated ? RILL_SUCCESS : RILL_ERROR_NOT_SUPPORTED;
}

ENTRY(cuMemGetDefaultMemPool,
      (CUmemoryPool *pool, CUmemLocation *location, int type), (pool, location, type))
{
    CUresult status = check_location(location, type);
    return status ? status : cuDeviceGetDefaultMemPool(pool, location->id);
}

ENTRY(cuMemGetMemPool,
      (CUmemoryPool *pool, CUmemLocation *location, int type), (pool, location, type))
{
    CUresult status = check_location(location, type);
    return status ? status : cuDeviceGetMemPool(pool, location->id);
}

ENTRY(cuMemSetMemPool,
      (CUmemLocation *location, int type, CUmemoryPool pool), (location, type, pool))
{
    CUresult status = check_location(location, type);
    return status ? status : cuDeviceSetMemPool(location->id, pool);
}

/* ---- Attributes ------------------------------------------------------------------ */

/* Switches are ints; other attributes have 64 bits. */
static int is_switch(int attribute)
{
    return attribute <= RILL_POOL_REUSE_ALLOW_INTERNAL_DEPENDENCIES;
}

ENTRY(cuMemPoolGetAttribute,
      (CUmemoryPool handle, int attribute, void *value), (handle, attribute, value))
{
    rill_pool *pool;
    uint64_t found = 0;
    CUresult status = si_pool(handle, &pool);
    if (status) return status;
    if (!value) return RILL_ERROR_INVALID_VALUE;
    status = rill_pool_get_attribute(pool, (rill_pool_attribute)attribute, &found);
    if (status) return status;
    int on = found != 0;
    if (is_switch(attribute))
        memcpy(value, &on, sizeof on);
    else
        memcpy(value, &found, sizeof found);
    return RILL_SUCCESS;
}

ENTRY(cuMemPoolSetAttribute,
      (CUmemoryPool handle, int attribute, void *value), (handle, attribute, value))
{
    rill_pool *pool;
    uint64_t wanted = 0;
    int on;
    CUresult status = si_pool(handle, &pool);
    if (status) return status;
    if (!value) return RILL_ERROR_INVALID_VALUE;
    if (is_switch(attribute)) {
        memcpy(&on, value, sizeof on);
        wanted = on != 0;
    } else {
        memcpy(&wanted, value, sizeof wanted);
    }
    return rill_pool_set_attribute(pool, (rill_pool_attribute)attribute, wanted);
}

ENTRY(cuMemPoolTrimTo, (CUmemoryPool handle, size_t keep), (handle, keep))
{
    rill_pool *pool;
    CUresult status = si_pool(handle, &pool);
    return status ? status : rill_pool_trim(pool, keep);
}

/* ---- Access ---------------------------------------------------------------------- */

/* Returns the status with which a capture forbids these calls, whatever their arguments are, or
 * success. */
static CUresult check_outside_captures(rill_pool *pool)
{
    rill_access any;
    return rill_pool_get_access(pool, 0, &any);
}

ENTRY(cuMemPoolSetAccess,
      (CUmemoryPool handle, const CUmemAccessDesc *access, size_t count),
      (handle, access, count))
{
    rill_pool *pool;
    CUresult status = si_pool(handle, &pool);
    if (!status) status = check_outside_captures(pool);
    if (status) return status;
    if (!access && count) return RILL_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < count; i++)
        if (access[i].location.type != CU_MEM_LOCATION_TYPE_DEVICE ||
            access[i].flags == CU_MEM_ACCESS_FLAGS_PROT_READ)
            return RILL_ERROR_NOT_SUPPORTED;
    for (size_t i = 0; !status && i < count; i++)
        status = rill_pool_set_access(pool, access[i].location.id, (rill_access)access[i].flags);
    return status;
}

ENTRY(cuMemPoolGetAccess,
      (int *flags, CUmemoryPool handle, CUmemLocation *location), (flags, handle, location))
{
    rill_pool *pool;
    rill_access access = RILL_ACCESS_NONE;
    CUresult status = si_pool(handle, &pool);
    if (!status) status = check_outside_captures(pool);
    if (status) return status;
    if (!flags || !location) return RILL_ERROR_INVALID_VALUE;
    switch (location->type) {
    case CU_MEM_LOCATION_TYPE_DEVICE: break;
    case CU_MEM_LOCATION_TYPE_HOST:
    case CU_MEM_LOCATION_TYPE_HOST_NUMA: *flags = RILL_ACCESS_NONE; return RILL_SUCCESS;
    default: return RILL_ERROR_INVALID_VALUE;
    }
    status = rill_pool_get_access(pool, location->id, &access);
    if (!status) *flags = (int)access;
    return status;
}

/* ---- In stream order ------------------------------------------------------------- */

/* Answers the address 0 when it fails. */
static CUresult answer_failed(CUresult status, CUdeviceptr *address)
{
    if (status && address) *address = 0;
    return status;
}

ENTRY(cuMemAllocAsync,
      (CUdeviceptr *address, size_t bytes, CUstream handle), (address, bytes, handle))
{
    rill_stream *stream;
    CUresult status = si_stream(handle, &stream);
    if (!status) status = rill_mem_alloc_async(stream, bytes, address);
    return answer_failed(status, address);
}

ENTRY(cuMemAllocFromPoolAsync,
      (CUdeviceptr *address, size_t bytes, CUmemoryPool pool_handle, CUstream handle),
      (address, bytes, pool_handle, handle))
{
    rill_stream *stream;
    rill_pool *pool = NULL;
    CUresult status = si_stream(handle, &stream);
    if (!status) status = si_pool(pool_handle, &pool);
    if (!status) status = rill_mem_alloc_from_pool_async(stream, pool, bytes, address);
    return answer_failed(status, address);
}

ENTRY(cuMemFreeAsync, (CUdeviceptr address, CUstream handle), (address, handle))
{
    rill_stream *stream;
    CUresult status = si_stream(handle, &stream);
    return status ? status : rill_mem_free_async(stream, address);
}

PER_THREAD_FORM(cuMemAllocAsync, _ptsz, (CUdeviceptr *address, size_t bytes, CUstream stream),
                (address, bytes, stream))
PER_THREAD_FORM(cuMemAllocFromPoolAsync, _ptsz,
                (CUdeviceptr *address, size_t bytes, CUmemoryPool pool, CUstream stream),
                (address, bytes, pool, stream))
PER_THREAD_FORM(cuMemFreeAsync, _ptsz, (CUdeviceptr address, CUstream stream), (address, stream))
