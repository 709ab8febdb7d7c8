/* SPDX-License-Identifier: Apache-2.0 */
#include "exact.h"

typedef unsigned __int128 wide;

static const wide top = (wide)1 << 126;

static uint64_t infinity(struct exact_format format)
{
    return ((UINT64_C(1) << format.exponent) - 1) << format.mantissa;
}

static int least_exponent(struct exact_format format)
{
    return 2 - (1 << (format.exponent - 1));
}

uint64_t exact_sign(struct exact_format format)
{
    return UINT64_C(1) << (format.mantissa + format.exponent);
}

bool exact_is_nan(uint64_t bits, struct exact_format format)
{
    return (bits & (exact_sign(format) - 1)) > infinity(format);
}

uint64_t exact_flushed(uint64_t bits, struct exact_format format)
{
    return bits & infinity(format) ? bits : bits & exact_sign(format);
}

struct exact exact_of(uint64_t bits, struct exact_format format)
{
    struct exact x = { .negative = bits & exact_sign(format) };
    bits &= exact_sign(format) - 1;
    x.nan = bits > infinity(format);
    x.infinite = bits == infinity(format);
    const int exponent = (int)(bits >> format.mantissa);
    const uint64_t one = UINT64_C(1) << format.mantissa;
    x.m = exponent ? (bits & (one - 1)) + one : bits;
    x.e = least_exponent(format) - (int)format.mantissa + (exponent ? exponent - 1 : 0);
    return x;
}

/* The first bit of m becomes that of `top`. */
static void normalize(struct exact *x)
{
    while (x->m && x->m < top) x->m <<= 1, x->e--;
}

static wide cut(wide m, int bits)
{
    if (bits <= 0) return m;
    if (bits > 126) return m != 0;
    return m >> bits | ((m & (((wide)1 << bits) - 1)) != 0);
}

static bool goes_up(enum exact_mode mode, bool negative, bool odd, int to_half, bool exact)
{
    if (exact) return false;
    switch (mode) {
    case EXACT_NEAREST: return to_half > 0 || (!to_half && odd);
    case EXACT_DOWN: return negative;
    case EXACT_UP: return !negative;
    default: return false;
    }
}

uint64_t exact_round(struct exact x, struct exact_format format, enum exact_mode mode)
{
    const uint64_t sign = x.negative ? exact_sign(format) : 0;
    if (x.nan) return exact_sign(format) - 1;
    if (x.infinite) return sign | infinity(format);
    if (!x.m) return sign;
    normalize(&x);
    const int least = least_exponent(format), exponent = x.e + 126;
    const int under = exponent < least ? least - exponent : 0;
    const int drop = 126 - (int)format.mantissa + under;
    const wide half = drop > 127 ? 0 : (wide)1 << (drop - 1);
    const wide rest = drop > 127 ? x.m : x.m & ((half - 1) | half);
    uint64_t q = drop > 126 ? 0 : (uint64_t)(x.m >> drop);
    const int to_half = drop > 127 ? -1 : rest > half ? 1 : rest < half ? -1 : 0;
    q += goes_up(mode, x.negative, q & 1, to_half, !rest);
    if (!under && exponent - least >= 1 << format.exponent) q = infinity(format);
    else if (!under) q += (uint64_t)(exponent - least) << format.mantissa;
    if (q < infinity(format)) return sign | q;
    const bool to_infinity = mode == EXACT_NEAREST || mode == (x.negative ? EXACT_DOWN : EXACT_UP);
    return sign | (infinity(format) - !to_infinity);
}

struct exact exact_add(struct exact x, struct exact y, enum exact_mode mode)
{
    if (x.nan || y.nan || (x.infinite && y.infinite && x.negative != y.negative))
        return (struct exact){ .nan = true };
    if (x.infinite) return x;
    if (y.infinite) return y;
    if (!x.m && !y.m) {
        x.negative = x.negative == y.negative ? x.negative : mode == EXACT_DOWN;
        return x;
    }
    if (!x.m) return y;
    if (!y.m) return x;
    normalize(&x);
    normalize(&y);
    if (y.e > x.e || (y.e == x.e && y.m > x.m)) {
        struct exact other = x;
        x = y, y = other;
    }
    /* Room for a carry, and bits below the last one of either. */
    x.m = cut(x.m, 1), y.m = cut(y.m, 1 + x.e - y.e), x.e++;
    if (x.negative == y.negative) x.m += y.m;
    else x.m -= y.m;
    if (!x.m) x.negative = mode == EXACT_DOWN;
    return x;
}

struct exact exact_multiply(struct exact x, struct exact y)
{
    const bool negative = x.negative != y.negative;
    if (x.nan || y.nan || (x.infinite && !y.infinite && !y.m) ||
        (y.infinite && !x.infinite && !x.m))
        return (struct exact){ .nan = true };
    if (x.infinite || y.infinite) return (struct exact){ .infinite = true, .negative = negative };
    return (struct exact){ .negative = negative, .m = x.m * y.m, .e = x.e + y.e };
}

struct exact exact_divide(struct exact x, struct exact y)
{
    const bool negative = x.negative != y.negative;
    const bool x_zero = !x.infinite && !x.m, y_zero = !y.infinite && !y.m;
    if (x.nan || y.nan || (x.infinite && y.infinite) || (x_zero && y_zero))
        return (struct exact){ .nan = true };
    if (x.infinite || y_zero) return (struct exact){ .infinite = true, .negative = negative };
    if (y.infinite || x_zero) return (struct exact){ .negative = negative };
    normalize(&x);
    const wide q = x.m / y.m;
    struct exact result = { .negative = negative, .e = x.e - y.e };
    result.m = q | (q * y.m != x.m);
    return result;
}

struct exact exact_root(struct exact x)
{
    if (!x.nan && !x.infinite && !x.m) return x;
    if (x.nan || x.negative) return (struct exact){ .nan = true };
    if (x.infinite) return x;
    normalize(&x);
    if (x.e & 1) x.m >>= 1, x.e++;
    wide root = 0;
    for (wide bit = (wide)1 << 63; bit; bit >>= 1)
        if ((root + bit) * (root + bit) <= x.m) root += bit;
    return (struct exact){ .e = x.e / 2 - 1, .m = root << 1 | (root * root != x.m) };
}

uint64_t exact_any(struct dice *dice, struct exact_format format)
{
    const uint64_t one = UINT64_C(1) << format.mantissa, all = exact_sign(format) * 2 - 1;
    const uint64_t bias = (UINT64_C(1) << (format.exponent - 1)) - 1;
    const uint64_t edges[] = { 0, one, one / 2, infinity(format), infinity(format) + one / 2,
                               bias << format.mantissa,
                               (bias + format.mantissa) << format.mantissa,
                               (bias - format.mantissa) << format.mantissa,
                               exact_sign(format) - 2 };
    uint64_t bits = dice_next(dice);
    const uint64_t mantissa = bits & (one - 1), sign = bits & exact_sign(format);
    switch (dice_below(dice, 4)) {
    case 0: return (sign | (edges[dice_below(dice, 9)] + (uint64_t)dice_below(dice, 5) - 2)) & all;
    case 1: return sign | mantissa |
                   (bias - 4 + (uint64_t)dice_below(dice, 9)) << format.mantissa;
    case 2: /* few bits: halfway cases */
        return sign | (mantissa & (mantissa << 7) & (one - 1)) |
               (bias - 12 + (uint64_t)dice_below(dice, 25)) << format.mantissa;
    default: return bits & all;
    }
}
