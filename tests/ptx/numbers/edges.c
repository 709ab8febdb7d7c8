/* SPDX-License-Identifier: Apache-2.0 */
#include "edges.h"

#include <math.h>

const struct extents number_extents = { 5, 128 };

uint64_t edge_bits(struct dice *dice, int bits)
{
    static const uint64_t edges[] = { 0, 1, 2, 3, 7, 10, 31, 32, 100, 0x7f, 0x80, 0xff, 0x7fff,
                                      0x8000, 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xffffffff,
                                      0x100000000, 0x7fffffffffffffff, 0x8000000000000000 };
    uint64_t mask = bits == 64 ? ~UINT64_C(0) : (UINT64_C(1) << bits) - 1;
    uint64_t value = dice_chance(dice, 40) ? edges[dice_below(dice, 22)]
                                           : dice_next(dice) >> dice_below(dice, 64);
    if (dice_chance(dice, 30)) value = -value;
    return value & mask;
}

static const double double_edges[] = { 0.0, -0.0, 1.0, -1.0, 0.5, 1.5, 2.5, -2.5, 1e300, -1e-300,
                                       4e-320, INFINITY, -INFINITY, NAN, 3.0, 0x1p31, -0x1p31,
                                       0x1p32, 0x1p63, -0x1p63, 0x1p64, 0x1.fffffffffffffp-1 };

double edge_double(struct dice *dice)
{
    if (dice_chance(dice, 30)) return double_edges[dice_below(dice, 22)];
    double value = ldexp((double)(int64_t)dice_next(dice), -dice_below(dice, 90));
    return dice_chance(dice, 20) ? floor(value) + 0.5 : value;
}

float edge_float(struct dice *dice)
{
    static const float edges[] = { 0x1p-149f, -0x1p-140f, 0x1p-126f, 0x1.fffffep127f, 65504,
                                   1e-8f };
    if (dice_chance(dice, 15)) return edges[dice_below(dice, 6)];
    return (float)edge_double(dice);
}
