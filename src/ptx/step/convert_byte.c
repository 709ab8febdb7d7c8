/* SPDX-License-Identifier: Apache-2.0
 *
 * Conversions to and from pairs of floats of 8 bits, and to tf32.
 */
#include "ptx/step/convert.h"

#include <string.h>

#include "ptx/step/half_float.h"
#include "ptx/step/lanes.h"

/* A format of 8 bits: the bits of its exponent and mantissa, and the largest number. */
struct byte_format {
    int exponent, mantissa;
    uint32_t most;
};

static const struct byte_format e4m3 = { 4, 3, 0x7e }, e5m2 = { 5, 2, 0x7b };

#define NOT_A_BYTE 0x7f

/* ---- To 8 bits ---------------------------------------------------------------------------- */

/* Returns value / 2^shift, rounded to the nearest, ties to even. */
static uint32_t shifted_to_nearest(uint32_t value, int shift)
{
    if (shift > 31) return 0;
    uint32_t rest = value & ((UINT32_C(1) << shift) - 1), tie = UINT32_C(1) << (shift - 1);
    value >>= shift;
    return value + (rest > tie || (rest == tie && (value & 1)));
}

/* What is too large becomes the largest number. */
static uint32_t to_byte(const struct byte_format *format, uint32_t single, bool relu)
{
    uint32_t magnitude = single & 0x7fffffff, sign = single >> 31 << 7;
    int bias = (1 << (format->exponent - 1)) - 1, exponent = (int)(magnitude >> 23) - 127 + bias;
    if (magnitude > 0x7f800000) return NOT_A_BYTE;
    if (relu && sign) return 0;
    if (magnitude == 0x7f800000) return sign | format->most;
    uint32_t bits;
    if (exponent > 0) { /* what carries out of the mantissa goes into the exponent */
        if (exponent >= 1 << format->exponent) return sign | format->most;
        bits = shifted_to_nearest((uint32_t)exponent << 23 | (magnitude & 0x7fffff),
                                  23 - format->mantissa);
    } else {
        uint32_t mantissa = (magnitude & 0x7fffff) | (magnitude >> 23 ? 0x800000 : 0);
        bits = shifted_to_nearest(mantissa, 24 - format->mantissa - exponent);
    }
    return sign | (bits > format->most ? format->most : bits);
}

static inline uint32_t bits_of_half(uint16_t half)
{
    float value = half_value(half);
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

#define TO_BYTES(name, relu) \
    PTX_LANES_2(name##_of_singles##relu, uint16_t, uint32_t, uint32_t, \
                to_byte(&name, x, relu) << 8 | to_byte(&name, y, relu)) \
    PTX_LANES_1(name##_of_halves##relu, uint16_t, uint32_t, \
                to_byte(&name, bits_of_half((uint16_t)(x >> 16)), relu) << 8 | \
                to_byte(&name, bits_of_half((uint16_t)x), relu))

TO_BYTES(e4m3, 0)
TO_BYTES(e4m3, 1)
TO_BYTES(e5m2, 0)
TO_BYTES(e5m2, 1)

/* ---- From 8 bits -------------------------------------------------------------------------- */

/* Every such number is an f16. */
static uint32_t half_of_byte(const struct byte_format *format, uint32_t byte, bool relu)
{
    uint32_t sign = (byte & 0x80) << 8, magnitude = byte & 0x7f;
    if (magnitude > format->most && magnitude != 0x7c) return 0x7fff; /* e5m2 has an infinity */
    if (relu && sign) return 0;
    if (format->exponent == 5) return sign | magnitude << 8;
    if (!magnitude) return sign;
    int up = 0; /* brings the first bit of a subnormal number to its place */
    while (magnitude < 8) magnitude <<= 1, up++;
    int exponent = (int)(magnitude >> 3) - 7 + 15;
    return sign | (uint32_t)(exponent - up) << 10 | (magnitude & 7) << 7;
}

#define FROM_BYTES(name, relu) \
    PTX_LANES_1(halves_of_##name##relu, uint32_t, uint16_t, \
                half_of_byte(&name, x >> 8, relu) << 16 | half_of_byte(&name, x & 0xff, relu))

FROM_BYTES(e4m3, 0)
FROM_BYTES(e4m3, 1)
FROM_BYTES(e5m2, 0)
FROM_BYTES(e5m2, 1)

const struct ptx_byte_conversions ptx_convert_bytes[2] = {
    { { e4m3_of_singles0, e4m3_of_singles1 }, { e4m3_of_halves0, e4m3_of_halves1 },
      { halves_of_e4m30, halves_of_e4m31 } },
    { { e5m2_of_singles0, e5m2_of_singles1 }, { e5m2_of_halves0, e5m2_of_halves1 },
      { halves_of_e5m20, halves_of_e5m21 } },
};

/* ---- tf32 --------------------------------------------------------------------------------- */

enum { LOW = 0x1fff }; /* bits of an f32 that tf32 lacks */

/* As measured, the oldest rounding adds to what is no number as well. */
static uint32_t to_tf32(uint32_t bits, unsigned kind)
{
    uint32_t sign = bits & 0x80000000, magnitude = bits & 0x7fffffff, way = kind & PTX_TF32_WAY;
    if (magnitude > 0x7f800000 && way != PTX_TF32_AWAY) return 0x7fffe000;
    if ((kind & PTX_TF32_RELU) && sign) return 0;
    if (way == PTX_TF32_AWAY && magnitude < 0x7ffff000) magnitude += 0x1000;
    else if (way == PTX_TF32_EVEN) magnitude += 0xfff + (magnitude >> 13 & 1);
    magnitude &= ~(uint32_t)LOW;
    if ((kind & PTX_TF32_FINITE) && magnitude >= 0x7f800000) magnitude -= LOW + 1;
    return sign | magnitude;
}

void ptx_tf32_step(struct ptx_group *group, const struct ptx_step *step)
{
    uint32_t *d = PTX_COLUMN(group, step->d, uint32_t);
    const uint32_t *a = PTX_COLUMN(group, step->a, uint32_t);
    PTX_EACH_LANE(group, i) d[i] = to_tf32(a[i], step->kind);
}
