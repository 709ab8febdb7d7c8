/* SPDX-License-Identifier: Apache-2.0
 *
 * Pools as programs hold them.
 */
#ifndef SI_POOL_H
#define SI_POOL_H

#include "standin/context/current.h"

static inline CUresult si_pool(CUmemoryPool handle, rill_pool **pool)
{
    *pool = si_object(SI_POOL, handle);
    return *pool ? RILL_SUCCESS : si_wrong(SI_POOL, handle);
}

/* Returns the handle of a pool that rill hands out; a device's own pool gets one when it is
 * first seen.  Returns NULL for NULL, and if there is no memory. */
CUmemoryPool si_pool_handle(rill_pool *pool);

/* Does so for a call that ends with `status` otherwise. */
CUresult si_hand_out_pool(CUresult status, rill_pool *pool, CUmemoryPool *handle);

#endif
