/* SPDX-License-Identifier: Apache-2.0
 *
 * Words of numbers, decided by a seed. */
#include "ptx/answers/values.h"

#include <stddef.h>
#include <string.h>

static uint64_t roll_bits(struct tile_dice *dice)
{
    uint64_t z = dice->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static int roll_below(struct tile_dice *dice, int count)
{
    return (int)((roll_bits(dice) >> 33) % (unsigned)count);
}

struct float_type {
    const char *name;
    int exponent, mantissa, unused; /* bits; unused ones lie below */
};

static const struct float_type float_types[] = {
    { "f16", 5, 10, 0 }, { "bf16", 8, 7, 0 }, { "tf32", 8, 10, 13 }, { "f32", 8, 23, 0 },
    { "e4m3", 4, 3, 0 }, { "e5m2", 5, 2, 0 }, { "f64", 11, 52, 0 },
};

static const struct float_type *find_float(const char *type)
{
    for (size_t i = 0; i < sizeof float_types / sizeof float_types[0]; i++)
        if (!strcmp(float_types[i].name, type)) return &float_types[i];
    return NULL;
}

static int bias_of(const struct float_type *type)
{
    return (1 << (type->exponent - 1)) - 1;
}

/* The exponent of a factor (product NULL), or of what products of that type are added to. */
static int roll_exponent(struct tile_dice *dice, const struct float_type *type,
                         const struct float_type *factor, enum tile_kind kind)
{
    const struct float_type *of = factor ? factor : type;
    int bias = bias_of(of), top = (1 << of->exponent) - 2, center = 0, spread = 2;
    if (of->exponent == 4) top++;
    switch (kind) {
    case TILE_NEAR_ONE: break;
    case TILE_ANY_SIZE: spread = bias; break;
    case TILE_TINY: center = 1 - bias, spread = 1; break;
    case TILE_HUGE: center = top - 1 - bias, spread = 1; break;
    case TILE_SPARSE: spread = 14; break;
    default: spread = 6;
    }
    if (factor) {
        center *= 2;
        spread = spread * 2 + 2;
        if (kind == TILE_TINY) spread += 8;
    }
    int exponent = bias_of(type) + center - spread + roll_below(dice, 2 * spread + 1);
    int last = (1 << type->exponent) - (type->exponent == 4 ? 1 : 2);
    return exponent < 0 ? 0 : exponent > last ? last : exponent;
}

static uint64_t special_float(struct tile_dice *dice, const struct float_type *type)
{
    uint64_t all = (UINT64_C(1) << type->exponent) - 1, ones = (UINT64_C(1) << type->mantissa) - 1;
    switch (roll_below(dice, 6)) {
    case 0: return all << type->mantissa;                                 /* infinity */
    case 1: return all << type->mantissa | (roll_bits(dice) & ones);      /* mostly NaN */
    case 2: return (all - 1) << type->mantissa | ones;                    /* the largest */
    case 3: return 1;
    default: return 0;
    }
}

static uint64_t roll_float(struct tile_dice *dice, const struct float_type *type,
                           const struct float_type *factor, enum tile_kind kind)
{
    uint64_t ones = (UINT64_C(1) << type->mantissa) - 1, sign = roll_bits(dice) & 1;
    uint64_t value = (uint64_t)roll_exponent(dice, type, factor, kind) << type->mantissa;
    value |= roll_bits(dice) & ones;
    int chance = roll_below(dice, 16);
    if (kind == TILE_SPECIAL && chance < 2) value = special_float(dice, type);
    else if (kind == TILE_SPARSE && chance < 11) value = 0;
    else if (factor && chance < 4) value = 0;
    else if (type->exponent == 4 && (value & 0x7f) == 0x7f) value--;
    value |= sign << (type->exponent + type->mantissa);
    value <<= type->unused;
    if (type->unused) value |= roll_bits(dice) & ((UINT64_C(1) << type->unused) - 1);
    return value;
}

/* A word of as many numbers as it holds. */
static uint64_t roll_floats(struct tile_dice *dice, const struct float_type *type,
                            const struct float_type *factor, enum tile_kind kind, bool negate)
{
    int bits = 1 + type->exponent + type->mantissa + type->unused;
    uint64_t word = 0, last = 0;
    for (int at = 0; at < (bits == 64 ? 64 : 32); at += bits) {
        uint64_t value = roll_float(dice, type, factor, kind);
        if (kind == TILE_CANCELLING && at / bits % 2 && !factor && roll_below(dice, 4))
            value = last ^ (uint64_t)negate << (bits - 1);
        word |= value << at;
        last = value;
    }
    return word;
}

/* Which elements a sparse factor has: four bits for two elements, each the number of one of four
 * columns; or four bits for one of two columns, which count as the two halves of it. */
static uint64_t roll_places(struct tile_dice *dice, const char *type)
{
    static const unsigned char pairs[] = { 0x4, 0x8, 0xc, 0x9, 0xd, 0xe },
                               mixed[] = { 0x4, 0x8, 0xc, 0x9, 0xd, 0xe,
                                           0x1, 0x2, 0x3, 0x6, 0x7, 0xb },
                               halves[] = { 0x4, 0xe };
    uint64_t word = 0;
    for (int at = 0; at < 32; at += 4) {
        uint64_t places = !strcmp(type, "1of2") ? halves[roll_below(dice, 2)]
                          : !strcmp(type, "2of4") ? pairs[roll_below(dice, 6)]
                                                  : mixed[roll_below(dice, 12)];
        word |= places << at;
    }
    return word;
}

static uint64_t roll_integers(struct tile_dice *dice, const char *type, enum tile_kind kind)
{
    static const unsigned char edges[] = { 0x7f, 0x80, 0xff, 0x00, 0x88, 0x77, 0x81, 0x01 };
    uint64_t word = roll_bits(dice);
    if (!strcmp(type, "s32")) {
        uint32_t step = (uint32_t)word >> 15;
        uint32_t sum = word >> 63 ? INT32_MAX - step : step - INT32_MAX;
        if (kind >= TILE_SPECIAL) return kind == TILE_SPECIAL ? sum : sum ^ (uint32_t)(step >> 9);
    } else if (kind == TILE_HUGE || kind == TILE_SPARSE) {
        for (int at = 0; at < 32; at += 8)
            word = (word & ~(UINT64_C(255) << at)) | (uint64_t)edges[roll_below(dice, 8)] << at;
    }
    return word;
}

bool tile_is_float(const char *type)
{
    return find_float(type) != NULL;
}

uint64_t tile_roll(struct tile_dice *dice, const char *type, const char *factor, bool negate,
                   enum tile_kind kind)
{
    const struct float_type *is = find_float(type);
    if (strstr(type, "of")) return roll_places(dice, type);
    if (!is) return roll_integers(dice, type, kind);
    return roll_floats(dice, is, factor ? find_float(factor) : NULL, kind, negate);
}
