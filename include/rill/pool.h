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
    uint64_t maximum; /* bytes that the pool may hold; 0: no limit of its own */
    const char *label;
    int shareable;    /* 1: other processes can open it, see rill_sim_share_pool() */
    const int *file;  /* where the file descriptor of a pool of another process is: that pool is
                         opened, of the device with the same number; NULL: a new one is made */
} rill_pool_options;

/* Creates a pool of memory of one device, empty at first.  NULL options stand for
 * device 0. */
RILL_API rill_status rill_pool_create(rill_platform *platform, const rill_pool_options *options,
                                      rill_pool **pool);

/* Destroys the pool.  Returns at once; memory that is still allocated stays until it is
 * freed. */
RILL_API rill_status rill_pool_destroy(rill_pool **pool);

/* Returns the pool that the device came with, or the current one, which allocations
 * that name no pool use; or sets the current one.  Pools that are returned are
 * borrowed. */
RILL_API rill_status rill_device_default_pool(rill_platform *platform, int device,
                                              rill_pool **pool);
RILL_API rill_status rill_device_pool(rill_platform *platform, int device, rill_pool **pool);
RILL_API rill_status rill_device_set_pool(rill_platform *platform, int device, rill_pool *pool);

/* The numbers are the driver's. */
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

/* Returns, or sets, how the pool reuses memory, how much memory it keeps, and how much
 * it has. */
RILL_API rill_status rill_pool_get_attribute(rill_pool *pool, rill_pool_attribute attribute,
                                             uint64_t *value);
RILL_API rill_status rill_pool_set_attribute(rill_pool *pool, rill_pool_attribute attribute,
                                             uint64_t value);

/* Gives unused memory back to the device, in whole chunks, as long as at least `keep`
 * bytes stay reserved.  Memory that was freed counts as unused once a synchronize has
 * shown that its free is over. */
RILL_API rill_status rill_pool_trim(rill_pool *pool, size_t keep);

typedef enum rill_access {
    RILL_ACCESS_NONE = 0,
    RILL_ACCESS_READ = 1,
    RILL_ACCESS_READ_WRITE = 3
} rill_access;

/* Sets, or returns, what `device` may do with the memory of the pool. */
RILL_API rill_status rill_pool_set_access(rill_pool *pool, int device, rill_access access);
RILL_API rill_status rill_pool_get_access(rill_pool *pool, int device, rill_access *access);

/* Sets, or returns, the name that error records use for the pool.  The label is copied;
 * after NULL, records use the pool's number.  A label that was returned stays readable
 * for as long as the pool exists. */
RILL_API rill_status rill_pool_set_label(rill_pool *pool, const char *label);
RILL_API const char *rill_pool_label(const rill_pool *pool);

/* Allocates memory of a pool in the order of a stream.  The address is known at once;
 * the memory can be used by work that is ordered after this point of the stream. */
RILL_API rill_status rill_mem_alloc_async(rill_stream *stream, size_t bytes, rill_devptr *address);
RILL_API rill_status rill_mem_alloc_from_pool_async(rill_stream *stream, rill_pool *pool,
                                                    size_t bytes, rill_devptr *address);

/* Frees memory of a pool, or of rill_mem_alloc(), at this point of the stream. */
RILL_API rill_status rill_mem_free_async(rill_stream *stream, rill_devptr address);

RILL_END_DECLS

#endif
