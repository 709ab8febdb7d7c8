/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers that a seed decides, the same on every machine.
 */
#ifndef RANDOM_H
#define RANDOM_H

#include <stdbool.h>
#include <stdint.h>

struct dice {
    uint64_t state;
};

static inline uint64_t dice_next(struct dice *dice)
{
    uint64_t z = dice->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* From 0 to count - 1. */
static inline int dice_below(struct dice *dice, int count)
{
    return (int)(dice_next(dice) % (uint64_t)count);
}

/* True `of_100` times out of a hundred. */
static inline bool dice_chance(struct dice *dice, int of_100)
{
    return dice_below(dice, 100) < of_100;
}

#endif
