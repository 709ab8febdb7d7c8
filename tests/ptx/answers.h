/* SPDX-License-Identifier: Apache-2.0
 *
 * Instructions against references: each is run over edge values and random ones, as it is,
 * with its result in the place of its first operand, and in some lanes only.
 */
#ifndef PTX_ANSWERS_H
#define PTX_ANSWERS_H

#include "machine.h"

/* One lane: the bits of %a, %b and %c, and how many of them %a has. */
struct answers_row {
    uint64_t x[3];
    unsigned bits;
};

/* The bits of %d; those past its size do not count. */
typedef uint64_t answers_reference(const struct answers_row *row);

/* An instruction without operands ("add.u16", which gets as many as `types` has), or whole
 * ones ("shl.b32 %d, %a, 5;"), which are run as they are only. */
struct answers_case {
    const char *instruction;
    const char *types; /* of %d, %a, ...: as machine_apply takes them */
    answers_reference *expected;
};

void answers_check(const struct answers_case *cases, size_t count);

#define ANSWERS_CHECK(cases) answers_check(cases, sizeof(cases) / sizeof *(cases))

/* The low bits as a number with a sign. */
static inline int64_t answers_signed(uint64_t x, unsigned bits)
{
    const uint64_t sign = UINT64_C(1) << (bits - 1);
    const uint64_t low = bits < 64 ? x & ((sign << 1) - 1) : x;
    return (int64_t)((low ^ sign) - sign);
}

#endif
