/* SPDX-License-Identifier: Apache-2.0
 *
 * Orders of the numbers below a size, each named by a number.
 */
#ifndef RL_SHUFFLE_H
#define RL_SHUFFLE_H

#include <stdint.h>

#include "base/wide.h"

/* The order as it is, and the one from the last number to the first.  All others mix. */
#define RL_SHUFFLE_NONE 0u
#define RL_SHUFFLE_BACK 1u

/* The numbers come in a circle of `size`, each `stride` after the one before. */
struct rl_shuffle {
    uint64_t size, first, stride;
};

static inline uint64_t rl_common_divisor(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Returns an order of the numbers below `size`, which is not 0. */
static inline struct rl_shuffle rl_shuffle_of(uint64_t order, uint64_t size)
{
    uint64_t stride = order / 2 % size;
    if (order == RL_SHUFFLE_NONE) return (struct rl_shuffle){ size, 0, 1 };
    if (order == RL_SHUFFLE_BACK) return (struct rl_shuffle){ size, size - 1, size - 1 };
    while (rl_common_divisor(stride, size) != 1) stride++;
    return (struct rl_shuffle){ size, order / 3 % size, stride };
}

/* Returns the number that comes after `before` others. */
static inline uint64_t rl_shuffle_at(const struct rl_shuffle *shuffle, uint64_t before)
{
    struct rl_wide far = rl_wide_plus(rl_multiply(before, shuffle->stride), shuffle->first);
    return rl_divide(&far, shuffle->size);
}

#endif
