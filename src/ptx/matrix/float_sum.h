/* SPDX-License-Identifier: Apache-2.0
 *
 * Sums of products of floating-point numbers, as tensor cores add them up.
 *
 * The products are exact.  They and c are brought to the largest exponent among them, cut
 * toward zero at a few bits below it, and added exactly; the sum is cut, or rounded, once.
 * The largest exponent is at least -133, below which a subnormal product keeps fewer bits, and
 * that of a subnormal c -126.  As measured on an H100, and below 2^-126 in 417,792 sums of an
 * H200, of which none differs; PTX leaves all of this open.
 */
#ifndef PTX_MATRIX_FLOAT_SUM_H
#define PTX_MATRIX_FLOAT_SUM_H

#include "ptx/matrix/float_format.h"

#define FLOAT_ROWS 32
#define FLOAT_DEPTH 64

/* A factor, its elements as numbers. */
struct float_factor {
    double value[FLOAT_ROWS][FLOAT_DEPTH];
    int32_t exponent[FLOAT_ROWS][FLOAT_DEPTH];
    uint8_t kind[FLOAT_ROWS][FLOAT_DEPTH];
    bool special[FLOAT_ROWS]; /* a row with anything but finite numbers; false before the
                                 first is put there                                    */
};

void ptx_float_put(struct float_factor *factor, uint32_t row, uint32_t column,
                   struct float_number number);

/* Takes of `rows` rows the numbers in `count` columns. */
void ptx_float_choose(const struct float_factor *from, uint32_t rows, const uint8_t *columns,
                      uint32_t count, struct float_factor *to);

/* How sums are made. */
struct float_rule {
    uint32_t depth;           /* products that are added up at once                        */
    int32_t fraction;         /* bits below the largest exponent                           */
    uint32_t unused;          /* bits of an f32 that are zeros in each sum                 */
    bool half;                /* sums are f16, rounded to the nearest; else f32, cut       */
};

/* Returns the bits of the sum of `depth` products and of a number, whose bits are given. */
uint32_t ptx_float_sum(const struct float_rule *rule, const struct float_factor *a, uint32_t row,
                       const struct float_factor *b, uint32_t column, uint32_t depth,
                       uint32_t bits);

#endif
