/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/kernel/reserve.h"

#include "backend-sim/machine/machine.h"
#include "base/alloc.h"

/* Allocates larger memory, for the next launch that acquires the reserve.  Requires
 * reserve->lock. */
static rill_status grow_reserve(struct kernel_reserve *reserve, size_t bytes)
{
    if (atomic_load_explicit(&reserve->bytes, memory_order_relaxed) >= bytes) return RILL_SUCCESS;
    void *memory = rl_alloc_aligned(bytes, 64);
    if (!memory)
        return rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, NULL,
                                 "no memory for the %zu bytes that a block of the kernel and its "
                                 "threads need", bytes);
    rl_free(reserve->larger);
    reserve->larger = memory;
    atomic_store_explicit(&reserve->bytes, bytes, memory_order_release);
    return RILL_SUCCESS;
}

rill_status sim_kernel_reserve(struct kernel_reserve *reserve, size_t bytes)
{
    if (atomic_load_explicit(&reserve->bytes, memory_order_acquire) >= bytes) return RILL_SUCCESS;
    rl_lock(&reserve->lock);
    rill_status status = grow_reserve(reserve, bytes);
    rl_unlock(&reserve->lock);
    return status;
}

void *sim_kernel_reserve_acquire(struct kernel_reserve *reserve)
{
    rl_lock(&reserve->use);
    rl_lock(&reserve->lock);
    if (reserve->larger) {
        rl_free(reserve->memory);
        reserve->memory = reserve->larger;
        reserve->larger = NULL;
    }
    rl_unlock(&reserve->lock);
    return reserve->memory;
}

void sim_kernel_reserve_release(struct kernel_reserve *reserve)
{
    rl_unlock(&reserve->use);
}

void sim_kernel_reserve_free(struct kernel_reserve *reserve)
{
    rl_free(reserve->memory);
    rl_free(reserve->larger);
}
