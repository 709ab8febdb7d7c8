/* SPDX-License-Identifier: Apache-2.0
 *
 * What the threads up to each one, of a tile or of lanes that are together, have in sum.
 */
#ifndef RILL_COOPERATIVE_GROUPS_SCAN_H
#define RILL_COOPERATIVE_GROUPS_SCAN_H

#include "reduce.h"

#if defined(__cplusplus) && defined(__CUDA__)

namespace cooperative_groups {

template <typename Group, typename T, typename Operation>
__device__ __forceinline__ T inclusive_scan(const Group &group, T value, Operation operation)
{
    unsigned rank = group.thread_rank();
    for (unsigned by = 1; by < group.num_threads(); by *= 2) {
        T before = group.shfl_up(value, by);
        if (rank >= by) value = operation(before, value);
    }
    return value;
}

template <typename Group, typename T>
__device__ __forceinline__ T inclusive_scan(const Group &group, T value)
{
    return inclusive_scan(group, value, plus<T>());
}

/* The first thread has none before it, and gets what T() is. */
template <typename Group, typename T, typename Operation>
__device__ __forceinline__ T exclusive_scan(const Group &group, T value, Operation operation)
{
    T before = group.shfl_up(inclusive_scan(group, value, operation), 1);
    return group.thread_rank() ? before : T();
}

template <typename Group, typename T>
__device__ __forceinline__ T exclusive_scan(const Group &group, T value)
{
    return exclusive_scan(group, value, plus<T>());
}

} // namespace cooperative_groups

#endif
#endif
