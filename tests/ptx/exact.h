/* SPDX-License-Identifier: Apache-2.0
 *
 * Arithmetic of binary floating-point formats with integers alone: what instructions of
 * PTX are compared with.  Nothing here is quick, and nothing asks the processor's mode.
 */
#ifndef PTX_EXACT_H
#define PTX_EXACT_H

#include <stdbool.h>
#include <stdint.h>

#include "support/random.h"

struct exact_format {
    unsigned mantissa, exponent; /* bits of each */
};

static const struct exact_format exact_f16 = { 10, 5 }, exact_bf16 = { 7, 8 };
static const struct exact_format exact_f32 = { 23, 8 }, exact_f64 = { 52, 11 };

enum exact_mode { EXACT_NEAREST, EXACT_ZERO, EXACT_DOWN, EXACT_UP };

/* A number, m * 2^e; the last bit of m is also set where something smaller was cut off. */
struct exact {
    bool nan, infinite, negative;
    int e;
    unsigned __int128 m;
};

struct exact exact_of(uint64_t bits, struct exact_format format);

/* The bits of a NaN are all ones but for the sign. */
uint64_t exact_round(struct exact x, struct exact_format format, enum exact_mode mode);

/* The mode decides on the sign of a zero. */
struct exact exact_add(struct exact x, struct exact y, enum exact_mode mode);
struct exact exact_multiply(struct exact x, struct exact y);
struct exact exact_divide(struct exact x, struct exact y);
struct exact exact_root(struct exact x);

bool exact_is_nan(uint64_t bits, struct exact_format format);
uint64_t exact_sign(struct exact_format format);

/* Subnormal numbers become zero, with their sign. */
uint64_t exact_flushed(uint64_t bits, struct exact_format format);

/* Operands: often the values at which something changes, or two bits from them, often of
 * a usual size, else any bits. */
uint64_t exact_any(struct dice *dice, struct exact_format format);

#endif
