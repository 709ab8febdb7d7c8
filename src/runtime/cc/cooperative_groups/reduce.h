/* SPDX-License-Identifier: Apache-2.0
 *
 * What all threads of a tile, or of lanes that are together, have in sum.
 */
#ifndef RILL_COOPERATIVE_GROUPS_REDUCE_H
#define RILL_COOPERATIVE_GROUPS_REDUCE_H

#include <cooperative_groups.h>

#if defined(__cplusplus) && defined(__CUDA__)

namespace cooperative_groups {

#define RILL_OPERATION(name, result)                                                         \
    template <typename T>                                                                    \
    struct name {                                                                            \
        __device__ __forceinline__ T operator()(T x, T y) const { return result; }           \
    };
RILL_OPERATION(plus, x + y)
RILL_OPERATION(less, y < x ? y : x)
RILL_OPERATION(greater, x < y ? y : x)
RILL_OPERATION(bit_and, x &y)
RILL_OPERATION(bit_or, x | y)
RILL_OPERATION(bit_xor, x ^ y)
#undef RILL_OPERATION

/* Sums of neighbours first, then of neighbouring sums, so that floats come out as in a tree. */
template <typename Group, typename T, typename Operation>
__device__ __forceinline__ T reduce(const Group &group, T value, Operation operation)
{
    unsigned rank = group.thread_rank(), size = group.num_threads();
    for (unsigned by = 1; by < size; by *= 2) {
        T other = group.shfl_down(value, by);
        if (rank % (2 * by) == 0 && rank + by < size) value = operation(value, other);
    }
    return group.shfl(value, 0);
}

} // namespace cooperative_groups

#endif
#endif
