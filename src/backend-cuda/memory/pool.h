/* SPDX-License-Identifier: Apache-2.0
 *
 * Pools: a device's own, and those of the program.
 */
#ifndef CUDA_MEMORY_POOL_H
#define CUDA_MEMORY_POOL_H

#include "backend-cuda/context/context.h"

extern const struct rill_pool_ops cuda_pool_ops;

struct cuda_pool {
    CUmemoryPool raw;
    rill_pool *handle;
    int device;    /* ordinal */
    bool borrowed; /* a device's own, or its current one that somebody else made: the driver's
                      pool stays, the object is the platform's */
    struct cuda_pool *next; /* of the platform's pools; pools_lock */
};

static inline struct cuda_pool *cuda_pool_of(const rill_pool *pool)
{
    return rill_private(pool);
}

/* Returns the pool with this handle of the driver's, or NULL if it is none of rill's and not a
 * device's own. */
rill_pool *cuda_find_pool(struct cuda_platform *platform, CUmemoryPool raw);

/* Gives up the objects that the platform owns, when it closes. */
void cuda_forget_pools(struct cuda_platform *platform);

#endif
