/* SPDX-License-Identifier: Apache-2.0
 *
 * Pools.  The driver's pools belong to devices and know no context, and so do those of rill.
 */
#include "backend-cuda/memory/pool.h"

#include <inttypes.h>
#include <string.h>

/* ---- The platform's list --------------------------------------------------------------- */

/* Requires platform->pools_lock. */
static void list_pool(struct cuda_platform *platform, struct cuda_pool *pool)
{
    pool->next = platform->pools;
    platform->pools = pool;
}

/* Requires platform->pools_lock. */
static void unlist_pool(struct cuda_platform *platform, struct cuda_pool *pool)
{
    struct cuda_pool **link = &platform->pools;
    while (*link != pool) link = &(*link)->next;
    *link = pool->next;
}

/* Requires platform->pools_lock. */
static rill_pool *find_pool(struct cuda_platform *platform, CUmemoryPool raw)
{
    struct cuda_pool *pool = platform->pools;
    while (pool && pool->raw != raw) pool = pool->next;
    return pool ? pool->handle : NULL;
}

/* Requires platform->pools_lock. */
static rill_status borrow_pool(struct cuda_platform *platform, int device, CUmemoryPool raw,
                               rill_pool **handle)
{
    void *made = NULL;
    rill_status status = rill_backend_own(RILL_OBJECT_POOL, platform->handle, NULL, &made);
    if (status) return status;
    struct cuda_pool *pool = cuda_pool_of(made);
    *pool = (struct cuda_pool){ .raw = raw, .handle = made, .device = device, .borrowed = true };
    list_pool(platform, pool);
    *handle = made;
    return RILL_SUCCESS;
}

/* Gives a pool of a device's, by the driver's call `tell`: one object for each of the driver's
 * pools, however often it is asked for.  Holds the lock throughout, so that the pool that is
 * told does not end before it is found. */
static rill_status ask_for_pool(struct cuda_platform *platform, int device,
                                CUresult(CUDAAPI *tell)(CUmemoryPool *, CUdevice), const char *call,
                                rill_pool **handle)
{
    CUmemoryPool raw = NULL;
    rill_status status = RILL_SUCCESS;
    rl_lock(&platform->pools_lock);
    CUresult result = tell(&raw, platform->devices[device].raw);
    rill_pool *known = result ? NULL : find_pool(platform, raw);
    if (known) *handle = known;
    else if (!result) status = borrow_pool(platform, device, raw, handle);
    rl_unlock(&platform->pools_lock);
    return result ? cuda_fail(result, call, NULL) : status;
}

static rill_status ask_for_default(struct cuda_platform *platform, int device, rill_pool **handle)
{
    return ask_for_pool(platform, device, cuda_api.DeviceGetDefaultMemPool,
                        "cuDeviceGetDefaultMemPool", handle);
}

rill_pool *cuda_find_pool(struct cuda_platform *platform, CUmemoryPool raw)
{
    CUmemoryPool own;
    rl_lock(&platform->pools_lock);
    rill_pool *handle = find_pool(platform, raw);
    rl_unlock(&platform->pools_lock);
    for (int i = 0; !handle && i < platform->device_count; i++)
        if (!cuda_api.DeviceGetDefaultMemPool(&own, platform->devices[i].raw) && own == raw)
            ask_for_default(platform, i, &handle);
    return handle;
}

void cuda_forget_pools(struct cuda_platform *platform)
{
    struct cuda_pool *next;
    for (struct cuda_pool *pool = platform->pools; pool; pool = next) {
        next = pool->next;
        rill_backend_disown(pool->handle);
    }
    platform->pools = NULL;
}

/* ---- Life ------------------------------------------------------------------------------- */

/* Unlike cuda_check_device(), answers a bad value, as the driver does about all pools but the
 * default one. */
static rill_status check_device(const struct cuda_platform *platform, int device,
                                const char *argument)
{
    if (device >= 0 && device < platform->device_count) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, argument,
                             "there is no device %d; the platform has %d", device,
                             platform->device_count);
}

/* Writes the driver's properties of a new pool.  `maximum` is 0 if there is none. */
static rill_status write_props(CUdevice device, uint64_t maximum, CUmemPoolProps *props)
{
    *props = (CUmemPoolProps){
        .allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
        .handleTypes = CU_MEM_HANDLE_TYPE_NONE,
        .location = cuda_location_of(device),
    };
    if (!maximum) return RILL_SUCCESS;
    if (cuda_api.version < 12020)
        return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, "options->maximum",
                                 "the driver, one for CUDA %d.%d, does not limit pools; that of "
                                 "CUDA 12.2 does",
                                 cuda_api.version / 1000, cuda_api.version % 1000 / 10);
    size_t bytes = (size_t)maximum;
    memcpy((char *)props + CUDA_POOL_MAXIMUM, &bytes, sizeof bytes);
    return RILL_SUCCESS;
}

static rill_status create_pool(rill_pool *handle, const rill_pool_options *options)
{
    struct cuda_platform *platform = cuda_platform_of(rill_object_of(handle)->platform);
    struct cuda_pool *pool = cuda_pool_of(handle);
    CUmemPoolProps props;
    if (options->shareable || options->file)
        return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, "options",
                                 "pools of several processes are simulated alone");
    rill_status status = check_device(platform, options->device, "options->device");
    if (!status)
        status = write_props(platform->devices[options->device].raw, options->maximum, &props);
    if (status) return status;
    status = cuda_end(cuda_api.MemPoolCreate(&pool->raw, &props), "cuMemPoolCreate");
    if (status) return status;
    pool->handle = handle;
    pool->device = options->device;
    rl_lock(&platform->pools_lock);
    list_pool(platform, pool);
    rl_unlock(&platform->pools_lock);
    return RILL_SUCCESS;
}

/* Neither a thread whose capture forbids it nor a host function may call anything on a pool.
 * This call changes nothing and shows that.  A failure that lasts is no reason to keep the
 * object. */
static rill_status may_destroy_pool(rill_pool *handle)
{
    uint64_t threshold;
    CUresult result = cuda_api.MemPoolGetAttribute(cuda_pool_of(handle)->raw,
                                                   CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &threshold);
    if (result != CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED && result != CUDA_ERROR_NOT_PERMITTED)
        return RILL_SUCCESS;
    return cuda_fail(result, "cuMemPoolGetAttribute", NULL);
}

/* The device goes back to its own pool; memory stays until it is freed.  A capture that has begun
 * since may_destroy_pool() must not keep the pool. */
static rill_status destroy_pool(rill_pool *handle)
{
    struct cuda_platform *platform = cuda_platform_of(rill_object_of(handle)->platform);
    struct cuda_pool *pool = cuda_pool_of(handle);
    rl_lock(&platform->pools_lock);
    unlist_pool(platform, pool);
    CUstreamCaptureMode mode = cuda_relax();
    CUresult result = cuda_api.MemPoolDestroy(pool->raw);
    cuda_restore_mode(mode);
    rl_unlock(&platform->pools_lock);
    return cuda_end(result, "cuMemPoolDestroy");
}

/* ---- The pools of a device ---------------------------------------------------------------- */

static rill_status get_default_pool(rill_platform *handle, int device, rill_pool **pool)
{
    struct cuda_platform *platform = cuda_platform_of(handle);
    rill_status status = cuda_check_device(platform, device, "device");
    return status ? status : ask_for_default(platform, device, pool);
}

static rill_status get_current_pool(rill_platform *handle, int device, rill_pool **pool)
{
    struct cuda_platform *platform = cuda_platform_of(handle);
    rill_status status = check_device(platform, device, "device");
    if (status) return status;
    return ask_for_pool(platform, device, cuda_api.DeviceGetMemPool, "cuDeviceGetMemPool", pool);
}

static rill_status set_current_pool(rill_platform *handle, int device, rill_pool *pool)
{
    static const char call[] = "cuDeviceSetMemPool";
    struct cuda_platform *platform = cuda_platform_of(handle);
    const struct cuda_pool *given = cuda_pool_of(pool);
    rill_status status = check_device(platform, device, "device");
    if (status) return status;
    CUresult result = cuda_api.DeviceSetMemPool(platform->devices[device].raw, given->raw);
    if (result == CUDA_ERROR_INVALID_VALUE && given->device != device)
        return cuda_blame(result, call, "pool", "the pool is of device %d, not of device %d",
                          given->device, device);
    return cuda_end(result, call);
}

/* ---- Attributes --------------------------------------------------------------------------- */

_Static_assert(RILL_POOL_REUSE_ALLOW_INTERNAL_DEPENDENCIES ==
                   (int)CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES,
               "the driver's number");
_Static_assert(RILL_POOL_USED_HIGH == (int)CU_MEMPOOL_ATTR_USED_MEM_HIGH, "the driver's number");

/* Newer drivers have more attributes, which rill does not know and whose size may differ. */
static rill_status check_attribute(rill_pool_attribute attribute)
{
    if ((int)attribute >= RILL_POOL_REUSE_FOLLOW_EVENT_DEPENDENCIES &&
        (int)attribute <= RILL_POOL_USED_HIGH)
        return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "attribute", "%d is no attribute of a pool",
                             (int)attribute);
}

/* Returns whether an attribute is an int to the driver; amounts have 64 bits. */
static bool is_switch(rill_pool_attribute attribute)
{
    return attribute <= RILL_POOL_REUSE_ALLOW_INTERNAL_DEPENDENCIES;
}

static rill_status get_pool_attribute(rill_pool *handle, rill_pool_attribute attribute,
                                      uint64_t *value)
{
    CUmemoryPool raw = cuda_pool_of(handle)->raw;
    uint64_t amount = 0;
    int on = 0;
    rill_status status = check_attribute(attribute);
    if (status) return status;
    status = cuda_end(cuda_api.MemPoolGetAttribute(raw, (CUmemPool_attribute)attribute,
                                                   is_switch(attribute) ? (void *)&on
                                                                        : (void *)&amount),
                      "cuMemPoolGetAttribute");
    if (!status) *value = is_switch(attribute) ? on != 0 : amount;
    return status;
}

static rill_status explain_set(CUresult result, rill_pool_attribute attribute, uint64_t value)
{
    static const char call[] = "cuMemPoolSetAttribute";
    if (result == CUDA_ERROR_INVALID_VALUE && (attribute == RILL_POOL_RESERVED_CURRENT ||
                                               attribute == RILL_POOL_USED_CURRENT))
        return cuda_blame(result, call, "attribute", "%d can only be read", (int)attribute);
    if (result == CUDA_ERROR_INVALID_VALUE && value && attribute >= RILL_POOL_RESERVED_HIGH)
        return cuda_blame(result, call, "value",
                          "a high watermark can be set to 0 only, not to %" PRIu64, value);
    return cuda_fail(result, call, NULL);
}

static rill_status set_pool_attribute(rill_pool *handle, rill_pool_attribute attribute,
                                      uint64_t value)
{
    CUmemoryPool raw = cuda_pool_of(handle)->raw;
    int on = value != 0;
    rill_status status = check_attribute(attribute);
    if (status) return status;
    CUresult result = cuda_api.MemPoolSetAttribute(raw, (CUmemPool_attribute)attribute,
                                                   is_switch(attribute) ? (void *)&on
                                                                        : (void *)&value);
    return result ? explain_set(result, attribute, value) : RILL_SUCCESS;
}

static rill_status trim_pool(rill_pool *handle, size_t keep)
{
    return cuda_end(cuda_api.MemPoolTrimTo(cuda_pool_of(handle)->raw, keep), "cuMemPoolTrimTo");
}

/* ---- Access ------------------------------------------------------------------------------- */

static rill_status get_pool_access(rill_pool *handle, int device, rill_access *access)
{
    struct cuda_platform *platform = cuda_platform_of(rill_object_of(handle)->platform);
    CUmemAccess_flags found = CU_MEM_ACCESS_FLAGS_PROT_NONE;
    rill_status status = check_device(platform, device, "device");
    if (status) return status;
    CUmemLocation place = cuda_location_of(platform->devices[device].raw);
    status = cuda_end(cuda_api.MemPoolGetAccess(&found, cuda_pool_of(handle)->raw, &place),
                      "cuMemPoolGetAccess");
    if (!status) *access = (rill_access)found;
    return status;
}

static rill_status explain_access(CUresult result, const struct cuda_pool *pool,
                                  const struct cuda_platform *platform, int device,
                                  rill_access access)
{
    static const char call[] = "cuMemPoolSetAccess";
    if (result == CUDA_ERROR_NOT_SUPPORTED && access == RILL_ACCESS_READ)
        return cuda_blame(result, call, "access",
                          "a device can have all access to a pool or none, but not reading alone");
    if (device < 0 || device >= platform->device_count)
        return cuda_blame(result, call, "device", "there is no device %d; the platform has %d",
                          device, platform->device_count);
    if (result == CUDA_ERROR_INVALID_DEVICE && device == pool->device)
        return cuda_blame(result, call, "device",
                          "device %d is where the pool's memory is and keeps its access", device);
    if (access != RILL_ACCESS_NONE && access != RILL_ACCESS_READ_WRITE)
        return cuda_blame(result, call, "access", "%d is no kind of access", (int)access);
    return cuda_fail(result, call, NULL);
}

/* The number of a device that does not exist goes to the driver as it is, whose answer depends on
 * the access as well. */
static rill_status set_pool_access(rill_pool *handle, int device, rill_access access)
{
    const struct cuda_platform *platform = cuda_platform_of(rill_object_of(handle)->platform);
    const struct cuda_pool *pool = cuda_pool_of(handle);
    bool there = device >= 0 && device < platform->device_count;
    const CUmemAccessDesc wanted = {
        .location = cuda_location_of(there ? platform->devices[device].raw : device),
        .flags = (CUmemAccess_flags)access,
    };
    CUresult result = cuda_api.MemPoolSetAccess(pool->raw, &wanted, 1);
    return result ? explain_access(result, pool, platform, device, access) : RILL_SUCCESS;
}

const struct rill_pool_ops cuda_pool_ops = {
    .private_bytes = sizeof(struct cuda_pool),
    .create = create_pool,
    .may_destroy = may_destroy_pool,
    .destroy = destroy_pool,
    .default_pool = get_default_pool,
    .current = get_current_pool,
    .set_current = set_current_pool,
    .get_attribute = get_pool_attribute,
    .set_attribute = set_pool_attribute,
    .trim = trim_pool,
    .get_access = get_pool_access,
    .set_access = set_pool_access,
};
