/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers for matrices: of several kinds, so that sums come to rounding, to cancelling, to
 * subnormal and to infinite numbers.
 */
#ifndef PTX_GPU_VALUES_H
#define PTX_GPU_VALUES_H

#include <stdbool.h>
#include <stdint.h>

struct tile_dice {
    uint64_t state;
};

enum tile_kind {
    TILE_NEAR_ONE, TILE_MIDDLING, TILE_ANY_SIZE, TILE_TINY, TILE_CANCELLING, TILE_SPECIAL,
    TILE_SPARSE, TILE_HUGE
};

/* Returns a word of as many numbers of a type as it holds: factors of products, or, if `factor` is
 * the type of those, what they are added to.  With `negate` neighbours that cancel are opposite.
 * "2of4", "1of2" and "any2of4", in any order, are places of the elements of a sparse factor. */
uint64_t tile_roll(struct tile_dice *dice, const char *type, const char *factor, bool negate,
                   enum tile_kind kind);

bool tile_is_float(const char *type);

#endif
