/* SPDX-License-Identifier: Apache-2.0
 *
 * The life of pools, the pool slots, and what a synchronize does.  Pools outlive
 * the failure of their device.
 */
#include "backend-sim/memory/pool.h"

#include <inttypes.h>

#include "backend-sim/guard/call_guard.h"
#include "backend-sim/memory/memory.h"
#include "base/alloc.h"

/* ---- Making ------------------------------------------------------------------------- */

/* Halves the largest chunk until the device has at least 128 of them or it is the smallest. */
uint64_t sim_chunk_bytes(uint64_t memory_bytes)
{
    uint64_t chunk = POOL_CHUNK_MAX;
    while (chunk > POOL_CHUNK_MIN && chunk > memory_bytes / 128) chunk /= 2;
    return chunk;
}

static uint64_t round_up(uint64_t bytes, uint64_t unit)
{
    uint64_t units = bytes / unit + (bytes % unit != 0);
    return units > UINT64_MAX / unit ? UINT64_MAX / unit * unit : units * unit;
}

rill_status sim_pool_make(struct pools *pools, rill_pool *handle, uint64_t maximum, bool shareable)
{
    struct pool *pool = rl_zalloc(sizeof *pool);
    if (!pool) return RILL_ERROR_OUT_OF_MEMORY;
    pool->shareable = shareable;
    pool->file = -1;
    pool->home = pools;
    pool->face = (struct pool_face){ .handle = handle,
                                     .access = UINT64_C(1) << pools->device->ordinal,
                                     .shareable = shareable };
    pool->chunk_bytes = sim_chunk_bytes(pools->device->memory_bytes);
    pool->maximum = round_up(maximum, pool->chunk_bytes);
    pool->follow_events = pool->opportunistic = pool->internal = true;
    *(struct pool **)rill_private(handle) = pool;
    rl_lock(&pools->lock);
    pool->next = pools->first;
    if (pool->next) pool->next->previous = pool;
    pools->first = pool;
    rl_unlock(&pools->lock);
    return RILL_SUCCESS;
}

rill_status sim_pools_open(struct sim_device *device)
{
    struct pools *pools = rl_zalloc_lines(sizeof *pools);
    if (!pools) return RILL_ERROR_OUT_OF_MEMORY;
    pools->device = device;
    void *handle = NULL;
    rill_status status =
        rill_backend_own(RILL_OBJECT_POOL, device->platform->handle, NULL, &handle);
    if (!status) status = sim_pool_make(pools, handle, 0, false);
    if (status) {
        rill_backend_disown(handle);
        rl_free(pools);
        return status;
    }
    pools->fallback = pools->current = handle;
    device->pools = pools;
    return RILL_SUCCESS;
}

/* ---- Ending ------------------------------------------------------------------------- */

/* Frees a pool that has no live blocks, and what is pending in it. */
static void end_pool(struct pool *pool)
{
    struct pools *pools = pool->home;
    if (pool->previous) pool->previous->next = pool->next;
    else pools->first = pool->next;
    if (pool->next) pool->next->previous = pool->previous;
    sim_timelines_close(pool);
    sim_pool_close_window(pool);
    sim_pool_close_file(pool);
    rl_free(pool);
}

/* Requires that no block is in the map any more. */
void sim_pools_close(struct sim_device *device)
{
    struct pools *pools = device->pools;
    if (!pools) return;
    while (pools->first) end_pool(pools->first);
    rill_backend_disown(pools->fallback);
    rl_free(pools);
    device->pools = NULL;
}

/* ---- Giving back -------------------------------------------------------------------- */

void sim_pools_set_dirty(struct pools *pools)
{
    if (pools->dirty) return;
    pools->dirty = true;
    atomic_fetch_add(&pools->device->platform->pools_dirty, 1);
}

void sim_pool_settle(struct pool *pool)
{
    if (pool->destroyed && !pool->live && !pool->pending) {
        end_pool(pool);
    } else if (pool->destroyed) {
        sim_pool_shrink(pool, 0);
    } else if (pool->reserved > pool->threshold) {
        /* Unclaims chunks while more than the threshold is reserved. */
        uint64_t chunk = pool->chunk_bytes, above = pool->threshold + 1;
        sim_pool_shrink(pool, above > chunk ? above - chunk : 0);
    }
}

/* Frees pending blocks whose point is known to be reached, in a destroyed pool all whose
 * point is reached.  Requires pools->lock. */
static void sweep_pools(struct pools *pools, const struct sim_known_points *known)
{
    bool pending = false;
    struct pool *next;
    for (struct pool *pool = pools->first; pool; pool = next) {
        next = pool->next;
        bool any = sim_timelines_sweep(pool, pool->destroyed ? NULL : known);
        pending |= pool->pending != 0;
        if (any) sim_pool_settle(pool);
    }
    if (pending) return;
    pools->dirty = false;
    atomic_fetch_sub(&pools->device->platform->pools_dirty, 1);
}

void sim_pools_synchronized(struct sim_platform *platform, const struct sim_known_points *known)
{
    for (int i = 0; i < platform->device_count; i++) {
        struct pools *pools = platform->devices[i].pools;
        rl_lock(&pools->lock);
        if (pools->dirty) sweep_pools(pools, known);
        rl_unlock(&pools->lock);
    }
}

bool sim_pools_reclaim_locked(struct pools *pools, uint64_t bytes)
{
    uint64_t given = 0;
    for (struct pool *pool = pools->first; pool && given < bytes; pool = pool->next) {
        uint64_t most = round_up(bytes - given, pool->chunk_bytes);
        given += sim_pool_shrink(pool, pool->reserved > most ? pool->reserved - most : 0);
    }
    return given != 0;
}

bool sim_pools_reclaim(struct sim_device *device, uint64_t bytes)
{
    rl_lock(&device->pools->lock);
    bool any = sim_pools_reclaim_locked(device->pools, bytes);
    rl_unlock(&device->pools->lock);
    return any;
}

rill_status sim_device_alloc(struct sim_device *device, uint64_t bytes, struct extent **extent)
{
    rill_status status = sim_heap_alloc(device->heap, bytes, extent);
    if (status && sim_pools_reclaim(device, bytes))
        status = sim_heap_alloc(device->heap, bytes, extent);
    return status;
}

/* ---- Slots: life -------------------------------------------------------------------- */

static rill_status create_pool(rill_pool *handle, const rill_pool_options *options)
{
    struct sim_platform *platform = sim_platform_of(rill_object_of(handle)->platform);
    rill_status status = sim_enter_failed(platform, CALL_POOL_CREATE);
    if (!status && options->file) return sim_pool_import(platform, handle, *options->file);
    if (!status)
        status = sim_check_device(platform, options->device, RILL_ERROR_INVALID_VALUE,
                                  "options->device");
    if (status) return status;
    status = sim_pool_make(platform->devices[options->device].pools, handle, options->maximum,
                           options->shareable != 0);
    if (status) return rill_backend_fail(status, NULL, "no memory for a pool");
    return RILL_SUCCESS;
}

static rill_status may_destroy(rill_pool *handle)
{
    return sim_enter_failed(sim_pool_of(handle)->home->device->platform, CALL_POOL_DESTROY);
}

/* Makes the default pool current if this one was.  Memory stays until it is freed. */
static rill_status destroy_pool(rill_pool *handle)
{
    struct sim_platform *platform = sim_platform_of(rill_object_of(handle)->platform);
    struct pool *pool = sim_pool_of(handle);
    struct pools *pools = pool->home;
    rl_lock(&pools->lock);
    struct pool_face face = pool->face;
    face.handle = NULL;
    sim_map_set_face(platform->map, &pool->face, face);
    if (pools->current == handle) pools->current = pools->fallback;
    pool->destroyed = true;
    sim_timelines_sweep(pool, NULL);
    sim_pool_settle(pool);
    rl_unlock(&pools->lock);
    return RILL_SUCCESS;
}

static rill_status default_pool(rill_platform *handle, int device, rill_pool **pool)
{
    struct sim_platform *platform = sim_platform_of(handle);
    rill_status status = sim_enter_failed(platform, CALL_MAKE);
    if (!status) status = sim_check_device(platform, device, RILL_ERROR_INVALID_DEVICE, "device");
    if (!status) *pool = platform->devices[device].pools->fallback;
    return status;
}

static rill_status current_pool(rill_platform *handle, int device, rill_pool **pool)
{
    struct sim_platform *platform = sim_platform_of(handle);
    rill_status status = sim_enter_failed(platform, CALL_MAKE);
    if (!status) status = sim_check_device(platform, device, RILL_ERROR_INVALID_VALUE, "device");
    if (status) return status;
    struct pools *pools = platform->devices[device].pools;
    rl_lock(&pools->lock);
    *pool = pools->current;
    rl_unlock(&pools->lock);
    return RILL_SUCCESS;
}

static rill_status set_current(rill_platform *handle, int device, rill_pool *pool)
{
    struct sim_platform *platform = sim_platform_of(handle);
    rill_status status = sim_enter_failed(platform, CALL_POOL_SET_CURRENT);
    if (!status) status = sim_check_device(platform, device, RILL_ERROR_INVALID_VALUE, "device");
    if (status) return status;
    struct pools *pools = platform->devices[device].pools;
    const struct sim_device *home = sim_pool_of(pool)->home->device;
    if (home != pools->device)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "pool",
                                 "the pool is of device %d, not of device %d", home->ordinal,
                                 device);
    rl_lock(&pools->lock);
    pools->current = pool;
    rl_unlock(&pools->lock);
    return RILL_SUCCESS;
}

/* ---- Slots: attributes -------------------------------------------------------------- */

static rill_status no_attribute(rill_pool_attribute attribute, const char *what)
{
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "attribute", "%d %s", (int)attribute, what);
}

static rill_status get_attribute(rill_pool *handle, rill_pool_attribute attribute, uint64_t *value)
{
    struct pool *pool = sim_pool_of(handle);
    rill_status status = sim_enter_failed(pool->home->device->platform, CALL_POOL_GET);
    if (status) return status;
    rl_lock(&pool->home->lock);
    switch (attribute) {
    case RILL_POOL_REUSE_FOLLOW_EVENT_DEPENDENCIES: *value = pool->follow_events; break;
    case RILL_POOL_REUSE_ALLOW_OPPORTUNISTIC: *value = pool->opportunistic; break;
    case RILL_POOL_REUSE_ALLOW_INTERNAL_DEPENDENCIES: *value = pool->internal; break;
    case RILL_POOL_RELEASE_THRESHOLD: *value = pool->threshold; break;
    case RILL_POOL_RESERVED_CURRENT: *value = pool->reserved; break;
    case RILL_POOL_RESERVED_HIGH: *value = pool->reserved_high; break;
    case RILL_POOL_USED_CURRENT: *value = pool->used; break;
    case RILL_POOL_USED_HIGH: *value = pool->used_high; break;
    default: status = no_attribute(attribute, "is no attribute of a pool");
    }
    rl_unlock(&pool->home->lock);
    return status;
}

static rill_status reset_high(uint64_t *high, uint64_t now, uint64_t value)
{
    if (value)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "value",
                                 "a high watermark can be set to 0 only, not to %" PRIu64, value);
    *high = now; /* a watermark is never below what it watches */
    return RILL_SUCCESS;
}

static rill_status set_attribute(rill_pool *handle, rill_pool_attribute attribute, uint64_t value)
{
    struct pool *pool = sim_pool_of(handle);
    rill_status status = sim_enter_failed(pool->home->device->platform, CALL_POOL_SET);
    if (status) return status;
    rl_lock(&pool->home->lock);
    switch (attribute) {
    case RILL_POOL_REUSE_FOLLOW_EVENT_DEPENDENCIES: pool->follow_events = value != 0; break;
    case RILL_POOL_REUSE_ALLOW_OPPORTUNISTIC: pool->opportunistic = value != 0; break;
    case RILL_POOL_REUSE_ALLOW_INTERNAL_DEPENDENCIES: pool->internal = value != 0; break;
    case RILL_POOL_RELEASE_THRESHOLD: pool->threshold = value; break;
    case RILL_POOL_RESERVED_HIGH:
        status = reset_high(&pool->reserved_high, pool->reserved, value);
        break;
    case RILL_POOL_USED_HIGH: status = reset_high(&pool->used_high, pool->used, value); break;
    case RILL_POOL_RESERVED_CURRENT:
    case RILL_POOL_USED_CURRENT: status = no_attribute(attribute, "can only be read"); break;
    default: status = no_attribute(attribute, "is no attribute of a pool");
    }
    rl_unlock(&pool->home->lock);
    return status;
}

/* Unclaims only what a synchronize has found free: as far as the program knows, the rest is
 * still in use. */
static rill_status trim_pool(rill_pool *handle, size_t keep)
{
    struct pool *pool = sim_pool_of(handle);
    rill_status status = sim_enter_failed(pool->home->device->platform, CALL_POOL_TRIM);
    if (status) return status;
    rl_lock(&pool->home->lock);
    sim_pool_shrink(pool, keep);
    rl_unlock(&pool->home->lock);
    return RILL_SUCCESS;
}

/* ---- Slots: access ------------------------------------------------------------------ */

static rill_status get_access(rill_pool *handle, int device, rill_access *access)
{
    struct pool *pool = sim_pool_of(handle);
    struct sim_platform *platform = pool->home->device->platform;
    rill_status status = sim_enter_failed(platform, CALL_POOL_GET_ACCESS);
    if (!status) status = sim_check_device(platform, device, RILL_ERROR_INVALID_VALUE, "device");
    if (status) return status;
    rl_lock(&pool->home->lock);
    bool can = pool->face.access >> device & 1;
    rl_unlock(&pool->home->lock);
    *access = can ? RILL_ACCESS_READ_WRITE : RILL_ACCESS_NONE;
    return RILL_SUCCESS;
}

static rill_status check_access(const struct pool *pool, int device, rill_access access)
{
    if (access == RILL_ACCESS_READ)
        return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, "access",
                                 "a device can have all access to a pool or none, but not reading "
                                 "alone");
    rill_status status = sim_check_device(pool->home->device->platform, device,
                                          RILL_ERROR_INVALID_DEVICE, "device");
    if (status) return status;
    if (access != RILL_ACCESS_NONE && access != RILL_ACCESS_READ_WRITE)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "access", "%d is no kind of access",
                                 (int)access);
    if (access == RILL_ACCESS_NONE && device == pool->home->device->ordinal)
        return rill_backend_fail(RILL_ERROR_INVALID_DEVICE, "device",
                                 "device %d is where the pool's memory is and keeps its access",
                                 device);
    return RILL_SUCCESS;
}

static rill_status set_access(rill_pool *handle, int device, rill_access access)
{
    struct pool *pool = sim_pool_of(handle);
    struct sim_platform *platform = pool->home->device->platform;
    rill_status status = sim_enter_failed(platform, CALL_POOL_SET_ACCESS);
    if (!status) status = check_access(pool, device, access);
    if (status) return status;
    uint64_t bit = UINT64_C(1) << device;
    rl_lock(&pool->home->lock);
    struct pool_face face = pool->face;
    face.access = access ? face.access | bit : face.access & ~bit;
    sim_map_set_face(platform->map, &pool->face, face);
    rl_unlock(&pool->home->lock);
    return RILL_SUCCESS;
}

const struct rill_pool_ops sim_pool_ops = {
    .private_bytes = sizeof(struct pool *),
    .create = create_pool,
    .may_destroy = may_destroy,
    .destroy = destroy_pool,
    .default_pool = default_pool,
    .current = current_pool,
    .set_current = set_current,
    .get_attribute = get_attribute,
    .set_attribute = set_attribute,
    .trim = trim_pool,
    .get_access = get_access,
    .set_access = set_access,
};
