/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies that the threads of a group share, and for which they wait.  They are done at once, which
 * a program cannot tell from a copy that is done when it waits.
 */
#ifndef RILL_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define RILL_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H

#include <cooperative_groups.h>

#if defined(__cplusplus) && defined(__CUDA__)

namespace cooperative_groups {

template <typename Group, typename To, typename From>
__device__ __forceinline__ void memcpy_async(const Group &group, To *to, const From *from,
                                             size_t bytes)
{
    const unsigned rank = group.thread_rank(), threads = group.num_threads();
    const size_t words = ((size_t)to | (size_t)from) % sizeof(int) ? 0 : bytes / sizeof(int);
    for (size_t i = rank; i < words; i += threads) ((int *)to)[i] = ((const int *)from)[i];
    for (size_t i = words * sizeof(int) + rank; i < bytes; i += threads)
        ((char *)to)[i] = ((const char *)from)[i];
}

template <typename Group>
__device__ __forceinline__ void wait(const Group &group)
{
    group.sync();
}

template <unsigned Copies, typename Group>
__device__ __forceinline__ void wait_prior(const Group &group)
{
    group.sync();
}

} // namespace cooperative_groups

#endif
#endif
