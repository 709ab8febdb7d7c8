/* SPDX-License-Identifier: Apache-2.0
 *
 * Elements as values, and the filter, as measured on an H100.
 *
 * Weights have 8 bits and are 256 in all, also those of 4 elements.  Fractions are filtered as
 * integers of 16 bits; floats as integers, too, cut at 4 bits below the last one of the largest,
 * of two levels of a mipmap at 5 or more.  Of 8 elements in three dimensions the weights are not
 * known exactly: those here may be off by 1; those of two levels are exact where they were asked.
 */
#include "ptx/texture/sample.h"

#include <math.h>
#include <string.h>

#include "ptx/step/half_float.h"

/* ---- Elements -------------------------------------------------------------------------- */

ptx_texel_bits ptx_read_texel(uint8_t texel, const unsigned char *from)
{
    uint16_t half;
    uint32_t word;
    switch (texel) {
    case PTX_TEXEL_U8: return *from;
    case PTX_TEXEL_S8: return (int8_t)*from;
    case PTX_TEXEL_U16:
    case PTX_TEXEL_S16:
    case PTX_TEXEL_F16:
        memcpy(&half, from, sizeof half);
        return texel == PTX_TEXEL_S16 ? (int16_t)half : half;
    default:
        memcpy(&word, from, sizeof word);
        return texel == PTX_TEXEL_S32 ? (int32_t)word : (int64_t)word;
    }
}

/* Signed fractions have two ways to say -1. */
static int64_t numerator_of(uint8_t texel, ptx_texel_bits bits)
{
    int64_t least = texel == PTX_TEXEL_S8 ? -INT8_MAX : -INT16_MAX;
    bool is_signed = texel == PTX_TEXEL_S8 || texel == PTX_TEXEL_S16;
    return is_signed && bits < least ? least : bits;
}

/* Returns the integer that stands for 1, or 0 for what is not read as a fraction. */
static int64_t denominator_of(const struct ptx_texture *texture)
{
    if (texture->integer) return 0;
    switch (texture->texel) {
    case PTX_TEXEL_U8: return UINT8_MAX;
    case PTX_TEXEL_S8: return INT8_MAX;
    case PTX_TEXEL_U16: return UINT16_MAX;
    case PTX_TEXEL_S16: return INT16_MAX;
    default: return 0;
    }
}

static bool is_float(const struct ptx_texture *texture)
{
    return texture->texel == PTX_TEXEL_F16 || texture->texel == PTX_TEXEL_F32;
}

ptx_texel_bits ptx_border_texel(const struct ptx_texture *texture, unsigned channel)
{
    float color = texture->border[channel];
    int64_t one = denominator_of(texture);
    if (texture->texel == PTX_TEXEL_F16) return half_of(color);
    if (one) return (int64_t)floorf(fminf(fmaxf(color, -1), 1) * (float)one + 0.5f);
    return single_bits(color);
}

uint32_t ptx_texel_value(const struct ptx_texture *texture, ptx_texel_bits bits)
{
    int64_t one = denominator_of(texture);
    if (one) return single_bits((float)((double)numerator_of(texture->texel, bits) / (double)one));
    if (texture->texel == PTX_TEXEL_F16) return single_bits(half_value((uint16_t)bits));
    return (uint32_t)bits;
}

bool ptx_filters(const struct ptx_texture *texture)
{
    return texture->linear && (is_float(texture) || denominator_of(texture));
}

/* ---- Weights --------------------------------------------------------------------------- */

static uint32_t share_of(uint32_t weight, uint32_t of)
{
    return (weight * of + 128) >> 8;
}

static void weigh_four(uint32_t x, uint32_t y, uint32_t weights[4])
{
    weights[3] = share_of(x, y);
    weights[2] = y - weights[3];
    weights[1] = x - weights[3];
    weights[0] = 256 - x - y + weights[3];
}

void ptx_weigh(const uint32_t along[3], unsigned dimensions, uint32_t weights[8])
{
    uint32_t flat[4];
    if (dimensions == 1) {
        weights[0] = 256 - along[0];
        weights[1] = along[0];
    } else if (dimensions == 2) {
        weigh_four(along[0], along[1], weights);
    } else {
        weigh_four(along[0], along[2], flat); /* x and z, and then y */
        for (unsigned i = 0; i < 4; i++) {
            unsigned at = (i & 1) + (i >> 1) * 4;
            weights[at + 2] = share_of(flat[i], along[1]);
            weights[at] = flat[i] - weights[at + 2];
        }
    }
}

/* ---- Fractions ------------------------------------------------------------------------- */

static uint32_t filter_fractions(const struct ptx_texture *texture, const ptx_texel_bits bits[],
                                 const uint32_t weights[], unsigned count)
{
    int64_t sum = 0;
    for (unsigned i = 0; i < count; i++) sum += bits[i] * weights[i];
    switch (texture->texel) {
    case PTX_TEXEL_U8: sum = (257 * sum + 128) >> 8; break;
    case PTX_TEXEL_S8: sum = ((2064 * sum >> 8) + (sum >> 12) + 4) >> 3; break;
    default: sum = (sum + 128) >> 8; break;
    }
    bool is_signed = texture->texel == PTX_TEXEL_S8 || texture->texel == PTX_TEXEL_S16;
    if (sum < -INT16_MAX) sum = -INT16_MAX;
    return single_bits((float)((double)sum / (is_signed ? INT16_MAX : UINT16_MAX)));
}

/* Fractions go the way of those that are filtered, so those of 8 bits with a sign are less exact
 * than in a lookup. */
uint32_t ptx_gathered_value(const struct ptx_texture *texture, ptx_texel_bits bits)
{
    const uint32_t whole = 256;
    if (!denominator_of(texture)) return ptx_texel_value(texture, bits);
    return filter_fractions(texture, &bits, &whole, 1);
}

/* ---- Floats ---------------------------------------------------------------------------- */

/* What a float is cut to, and an exponent: significand * 2^(exponent - digits + 1). */
struct scaled {
    int64_t significand;
    int exponent;
};

static struct scaled scale(float value, int digits)
{
    int exponent;
    double fraction = frexp(value, &exponent);
    return (struct scaled){ (int64_t)ldexp(fraction, digits), exponent - 1 };
}

/* Rounds to so many binary digits; halves go away from zero. */
static float round_away(int64_t sum, int exponent, int digits)
{
    uint64_t size = sum < 0 ? -(uint64_t)sum : (uint64_t)sum;
    int surplus = size ? 64 - __builtin_clzll(size) - digits : 0;
    if (surplus > 0) size = ((size + (UINT64_C(1) << (surplus - 1))) >> surplus) << surplus;
    float value = (float)ldexp((double)size, exponent);
    return sum < 0 ? -value : value;
}

static float filter_special(const float values[8], const uint32_t weights[8], unsigned count)
{
    float sum = 0;
    for (unsigned i = 0; i < count; i++)
        if (weights[i]) sum += values[i] * (float)weights[i] / 256;
    return sum;
}

static uint32_t filter_floats(const struct ptx_texture *texture, const ptx_texel_bits bits[8],
                              const uint32_t weights[8], unsigned count)
{
    const int guard = count == 8 ? 8 : 4; /* bits below the last digit of the largest */
    int digits = texture->texel == PTX_TEXEL_F16 ? 11 : 24, largest = INT16_MIN;
    struct scaled parts[8];
    float values[8];
    bool special = false;
    for (unsigned i = 0; i < count; i++) {
        values[i] = digits == 11 ? half_value((uint16_t)bits[i]) : single_of((uint32_t)bits[i]);
        if (!weights[i]) continue;
        if (!isfinite(values[i])) special = true;
        else parts[i] = scale(values[i], digits + guard);
        if (isfinite(values[i]) && values[i] != 0 && parts[i].exponent > largest)
            largest = parts[i].exponent;
    }
    if (special) return single_bits(filter_special(values, weights, count));
    int64_t sum = 0;
    for (unsigned i = 0; i < count; i++) {
        if (!weights[i] || values[i] == 0) continue;
        int shift = largest - parts[i].exponent;
        if (shift < 63) sum += parts[i].significand / (INT64_C(1) << shift) * weights[i];
    }
    float value = round_away(sum, largest - digits - guard + 1 - 8, digits);
    return single_bits(value);
}

uint32_t ptx_filtered_value(const struct ptx_texture *texture, const ptx_texel_bits bits[8],
                            const uint32_t weights[8], unsigned count)
{
    if (is_float(texture)) return filter_floats(texture, bits, weights, count);
    return filter_fractions(texture, bits, weights, count);
}
