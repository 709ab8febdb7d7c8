/* SPDX-License-Identifier: Apache-2.0
 *
 * Floating-point formats as numbers.  All of them, and products of two, are exact in double.
 */
#ifndef PTX_MATRIX_FLOAT_FORMAT_H
#define PTX_MATRIX_FLOAT_FORMAT_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "ptx/text/keywords.h"

struct float_format {
    uint8_t exponent, mantissa; /* bits                                                    */
    uint8_t unused;             /* bits below them                                         */
    bool finite;                /* all ones but in the mantissa are numbers: no infinity   */
};

static inline struct float_format float_format_of(enum ptx_type type)
{
    switch (type) {
    case PTX_F16: return (struct float_format){ 5, 10, 0, false };
    case PTX_BF16: return (struct float_format){ 8, 7, 0, false };
    case PTX_TF32: return (struct float_format){ 8, 10, 13, false };
    case PTX_E4M3: return (struct float_format){ 4, 3, 0, true };
    case PTX_E5M2: return (struct float_format){ 5, 2, 0, false };
    default: return (struct float_format){ 8, 23, 0, false };
    }
}

#define FLOAT_NOTHING (-4096) /* the exponent of a zero: less than any other's               */

/* What a number is besides a number. */
enum float_kind { FLOAT_FINITE, FLOAT_INFINITE, FLOAT_NAN };

struct float_number {
    double value;     /* of what is infinite, or no number: some number that is not 0       */
    int32_t exponent; /* as it is written: that of a subnormal number is the least one      */
    enum float_kind kind;
};

/* Returns a power of two that double has. */
static inline double float_power(int32_t exponent)
{
    const uint64_t bits = (uint64_t)(exponent + 1023) << 52;
    double power;
    memcpy(&power, &bits, sizeof power);
    return power;
}

static inline struct float_number float_number_of(struct float_format format, uint32_t bits)
{
    uint32_t all = (1u << format.exponent) - 1, ones = (1u << format.mantissa) - 1;
    uint32_t mantissa = bits >> format.unused & ones;
    uint32_t exponent = bits >> (format.unused + format.mantissa) & all;
    bool negative = bits >> (format.unused + format.mantissa + format.exponent) & 1;
    struct float_number number = { .kind = FLOAT_FINITE };
    if (exponent == all && (!format.finite || mantissa == ones))
        number.kind = mantissa ? FLOAT_NAN : FLOAT_INFINITE;
    if (exponent) mantissa |= 1u << format.mantissa;
    number.exponent = (int32_t)(exponent ? exponent : 1) - (int32_t)(all >> 1);
    number.value = (int32_t)mantissa * float_power(number.exponent - format.mantissa);
    if (negative) number.value = -number.value;
    if (!mantissa) number.exponent = FLOAT_NOTHING;
    return number;
}

#endif
