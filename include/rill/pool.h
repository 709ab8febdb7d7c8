/* SPDX-License-Identifier: Apache-2.0
 *
 * <rill/pool.h>: memory that is allocated and freed in stream order.
 */
#ifndef RILL_POOL_H
#define RILL_POOL_H

#include <rill/error.h>

RILL_BEGIN_DECLS

typedef struct rill_pool_options {
    size_t size;
    int device;       /* ordinal, where the memory lives    */
    uint64_t maximum; /* bytes the pool may hold; 0: no own limit */
    const char *label;
} rill_pool_options;

/* A pool of memory of one device, empty at first.  NULL options: of device 0. */
RILL_API rill_status rill_pool_create(rill_platform *platform, const rill_pool_options *options,
                                      rill_pool **pool);

/* Returns at once; memory still allocated stays until it is freed. */
RILL_API rill_status rill_pool_destroy(rill_pool **pool);

/* Borrowed: the pool that the device came with, and the one that allocations
 * without a pool use now, which can be set. */
RILL_API rill_status rill_device_default_pool(rill_platform *platform, int device,
                                              rill_pool **pool);
RILL_API rill_status rill_device_pool(rill_platform *platform, int device, rill_pool **pool);
RILL_API rill_status rill_device_set_pool(rill_platform *platform, int device, rill_pool *pool);

/* The driver's numbers. */
typedef enum rill_pool_attribute {
    RILL_POOL_REUSE_FOLLOW_EVENT_DEPENDENCIES = 1, /* 0 or 1 */
    RILL_POOL_REUSE_ALLOW_OPPORTUNISTIC = 2,       /* 0 or 1 */
    RILL_POOL_REUSE_ALLOW_INTERNAL_DEPENDENCIES = 3, /* 0 or 1 */
    RILL_POOL_RELEASE_THRESHOLD = 4, /* bytes kept when a synchronize finds them unused */
    RILL_POOL_RESERVED_CURRENT = 5,  /* read only */
    RILL_POOL_RESERVED_HIGH = 6,     /* can be set to 0 */
    RILL_POOL_USED_CURRENT = 7,      /* read only */
    RILL_POOL_USED_HIGH = 8          /* can be set to 0 */
} rill_pool_attribute;

/* How the pool reuses memory and what it keeps, and how much it has. */
RILL_API rill_status rill_pool_get_attribute(rill_pool *pool, rill_pool_attribute attribute,
                                             uint64_t *value);
RILL_API rill_status rill_pool_set_attribute(rill_pool *pool, rill_pool_attribute attribute,
                                             uint64_t value);

/* Gives unused memory back, in whole chunks, as long as at least `keep` bytes stay
 * reserved.  Memory that was freed counts as unused once a synchronize has shown
 * that it is. */
RILL_API rill_status rill_pool_trim(rill_pool *pool, size_t keep);

typedef enum rill_access {
    RILL_ACCESS_NONE = 0,
    RILL_ACCESS_READ = 1,
    RILL_ACCESS_READ_WRITE = 3
} rill_access;

/* What `device` may do with the memory of the pool. */
RILL_API rill_status rill_pool_set_access(rill_pool *pool, int device, rill_access access);
RILL_API rill_status rill_pool_get_access(rill_pool *pool, int device, rill_access *access);

/* What error records call the pool; copied, and NULL for its number alone.  What was
 * asked for stays readable as long as the pool is. */
RILL_API rill_status rill_pool_set_label(rill_pool *pool, const char *label);
RILL_API const char *rill_pool_label(const rill_pool *pool);

/* The address is there at once; the memory from this point of the stream on,
 * for work that is ordered behind it. */
RILL_API rill_status rill_mem_alloc_async(rill_stream *stream, size_t bytes, rill_devptr *address);
RILL_API rill_status rill_mem_alloc_from_pool_async(rill_stream *stream, rill_pool *pool,
                                                    size_t bytes, rill_devptr *address);

/* Frees memory of a pool, or of rill_mem_alloc, at this point of the stream. */
RILL_API rill_status rill_mem_free_async(rill_stream *stream, rill_devptr address);

RILL_END_DECLS

#endif
