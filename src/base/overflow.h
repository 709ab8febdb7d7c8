/* SPDX-License-Identifier: Apache-2.0
 *
 * Arithmetic on sizes that a program chose, which may be too large to add up.
 */
#ifndef RL_OVERFLOW_H
#define RL_OVERFLOW_H

#include <stdbool.h>
#include <stddef.h>

/* Computes a * b + c * d + e.  Returns false if that exceeds a size_t. */
static inline bool rl_sum_of_products(size_t a, size_t b, size_t c, size_t d, size_t e,
                                      size_t *sum)
{
    size_t ab, cd;
    return !__builtin_mul_overflow(a, b, &ab) && !__builtin_mul_overflow(c, d, &cd) &&
           !__builtin_add_overflow(ab, cd, &ab) && !__builtin_add_overflow(ab, e, sum);
}

#endif
