/* SPDX-License-Identifier: Apache-2.0
 *
 * cvt between all types with all roundings, against whole numbers (exact.h).
 */
#include "ptx/answers.h"
#include "ptx/exact.h"

#include <stdio.h>

__extension__ typedef __int128 wide;

static const struct type {
    const char *word;
    unsigned bits;
    bool integer, sign;
    struct exact_format format;
} types[] = {
    { "u8", 8, true, false, { 0, 0 } },       { "s8", 8, true, true, { 0, 0 } },
    { "u16", 16, true, false, { 0, 0 } },     { "s16", 16, true, true, { 0, 0 } },
    { "u32", 32, true, false, { 0, 0 } },     { "s32", 32, true, true, { 0, 0 } },
    { "u64", 64, true, false, { 0, 0 } },     { "s64", 64, true, true, { 0, 0 } },
    { "f16", 16, false, true, { 10, 5 } },    { "bf16", 16, false, true, { 7, 8 } },
    { "f32", 32, false, true, { 23, 8 } },    { "f64", 64, false, true, { 52, 11 } },
};

#define TYPES (sizeof types / sizeof *types)

/* What the reference is about at the moment. */
static struct {
    const struct type *to, *from;
    int mode, whole; /* enum exact_mode; -1: none                                       */
    bool ftz, sat, relu, finite;
} asked;

/* ---- The reference --------------------------------------------------------------------- */

static wide least(const struct type *type)
{
    return type->sign ? -((wide)1 << (type->bits - 1)) : 0;
}

static wide most(const struct type *type)
{
    return ((wide)1 << (type->bits - type->sign)) - 1;
}

static wide clamped(wide x, const struct type *type)
{
    return x < least(type) ? least(type) : x > most(type) ? most(type) : x;
}

static struct exact of_integer(wide x)
{
    return (struct exact){ .negative = x < 0, .m = (unsigned __int128)(x < 0 ? -x : x) };
}

/* A whole number beside x; those that are far too large stay so. */
static wide whole_of(struct exact x, int mode)
{
    wide size = 0, rest = 0, unit = 1;
    if (x.infinite || x.e > 64) size = (wide)1 << 80;
    else if (x.e >= 0) size = (wide)x.m << x.e;
    else if (x.e > -120) {
        unit = (wide)1 << -x.e;
        size = (wide)x.m / unit;
        rest = (wide)x.m % unit;
    } else rest = x.m != 0, unit = 4;
    bool away = false;
    switch (mode) {
    case EXACT_NEAREST: away = 2 * rest > unit || (2 * rest == unit && size % 2); break;
    case EXACT_DOWN: away = x.negative && rest; break;
    case EXACT_UP: away = !x.negative && rest; break;
    default: break;
    }
    size += away;
    return x.negative ? -size : size;
}

static uint64_t to_integer(struct exact x)
{
    const bool told = asked.from->bits == 64 || asked.to->bits == 64;
    if (x.nan) return told ? UINT64_C(1) << (asked.to->bits - 1) : 0;
    return (uint64_t)clamped(whole_of(x, asked.whole), asked.to);
}

static uint64_t finished(uint64_t bits)
{
    const struct exact_format to = asked.to->format;
    const uint64_t sign = exact_sign(to), infinity = (sign - 1) >> to.mantissa << to.mantissa;
    if (asked.ftz && asked.to->bits == 32) bits = exact_flushed(bits, to);
    if (asked.finite && (bits & ~sign) == infinity) bits -= 1;
    if (asked.relu && (bits & sign)) bits = 0;
    if (!asked.sat) return bits;
    const uint64_t whole_one = exact_round(of_integer(1), to, EXACT_NEAREST);
    if (bits & sign || bits > infinity) return 0;
    return bits > whole_one ? whole_one : bits;
}

/* .ftz of an operand: there is one NaN. */
static uint64_t settled(uint64_t bits)
{
    return exact_is_nan(bits, exact_f32) ? 0x7fffffff : exact_flushed(bits, exact_f32);
}

/* Between f64 and others a NaN keeps its sign and its first bits, and is quiet. */
static uint64_t carried_nan(uint64_t bits)
{
    const struct exact_format from = asked.from->format, to = asked.to->format;
    const uint64_t sign = bits & exact_sign(from) ? exact_sign(to) : 0;
    const uint64_t one = UINT64_C(1) << to.mantissa, infinity = (exact_sign(to) - 1) & ~(one - 1);
    const uint64_t first = bits << (64 - from.mantissa) >> (64 - to.mantissa);
    return sign | infinity | one / 2 | first;
}

static uint64_t converted(const struct answers_row *row)
{
    const struct type *from = asked.from, *to = asked.to;
    if (from->integer) {
        const wide x = from->sign ? answers_signed(row->x[0], from->bits) : (wide)row->x[0];
        if (to->integer) return (uint64_t)(asked.sat ? clamped(x, to) : x);
        return finished(exact_round(of_integer(x), to->format, (enum exact_mode)asked.mode));
    }
    uint64_t bits = row->x[0];
    if (asked.ftz && from->bits == 32) bits = settled(bits);
    struct exact x = exact_of(bits, from->format);
    if (to->integer) return to_integer(x);
    /* Same type: what is not touched at all, and what is one NaN. */
    if (to == from && asked.whole < 0 && !asked.ftz && !asked.sat && to->bits >= 32) return bits;
    if (x.nan && (to->bits == 64 || from->bits == 64)) return asked.sat ? 0 : carried_nan(bits);
    if (x.nan && from->bits == 16 && from->format.exponent == 8 && to->bits == 32 && !asked.ftz)
        return bits << 16;
    if (asked.whole >= 0 && !x.nan && !x.infinite && x.e < 0) {
        const bool negative = x.negative;
        x = of_integer(whole_of(x, asked.whole));
        x.negative = negative;
    }
    return finished(exact_round(x, to->format, (enum exact_mode)(asked.mode < 0 ? 0 : asked.mode)));
}

/* ---- Asking ---------------------------------------------------------------------------- */

static const char *const modes[] = { ".rn", ".rz", ".rm", ".rp" };
static const char *const wholes[] = { ".rni", ".rzi", ".rmi", ".rpi" };

static void ask(const struct type *to, const struct type *from, const char *words)
{
    char text[80], list[20];
    asked.to = to, asked.from = from;
    asked.mode = asked.whole = -1;
    for (int i = 0; i < 4; i++) {
        char end = strstr(words, wholes[i]) ? 'i' : strstr(words, modes[i]) ? 'x' : 0;
        if (end == 'i') asked.whole = i;
        else if (end == 'x') asked.mode = i;
    }
    asked.ftz = strstr(words, ".ftz"), asked.sat = strstr(words, ".sat.") || strstr(words, ".sat ");
    asked.relu = strstr(words, ".relu"), asked.finite = strstr(words, ".satfinite");
    snprintf(text, sizeof text, "cvt%.*s.%s.%s", (int)strcspn(words, " "), words, to->word,
             from->word);
    snprintf(list, sizeof list, "%s %s", to->word, from->word);
    const struct answers_case one = { text, list, converted };
    answers_check(&one, 1);
}

/* Returns true if a type holds all numbers of another, of integers. */
static bool holds(const struct type *to, const struct type *from)
{
    return least(to) <= least(from) && most(to) >= most(from);
}

static void integers_become_integers(void **state)
{
    (void)state;
    for (size_t from = 0; from < 8; from++)
        for (size_t to = 0; to < 8; to++) {
            ask(&types[to], &types[from], " ");
            if (!holds(&types[to], &types[from])) ask(&types[to], &types[from], ".sat ");
        }
}

/* There is nothing between bf16 and 8 bits. */
static bool is_apart(const struct type *one, const struct type *other)
{
    return (one->bits == 8 && !strcmp(other->word, "bf16")) ||
           (other->bits == 8 && !strcmp(one->word, "bf16"));
}

static void integers_become_floats(void **state)
{
    (void)state;
    for (size_t from = 0; from < 8; from++)
        for (size_t to = 8; to < TYPES; to++)
            for (int mode = 0; mode < 4 && !is_apart(&types[to], &types[from]); mode++)
                ask(&types[to], &types[from], modes[mode]);
    ask(&types[8], &types[5], ".rn.sat ");
    ask(&types[10], &types[5], ".rn.sat ");
    ask(&types[11], &types[7], ".rz.sat ");
}

static void floats_become_integers(void **state)
{
    (void)state;
    for (size_t from = 8; from < TYPES; from++)
        for (size_t to = 0; to < 8; to++)
            for (int mode = 0; mode < 4 && !is_apart(&types[to], &types[from]); mode++) {
                ask(&types[to], &types[from], wholes[mode]);
                char words[16];
                snprintf(words, sizeof words, "%s.ftz", wholes[mode]);
                if (from == 10) ask(&types[to], &types[from], words);
            }
}

static bool wider(size_t to, size_t from)
{
    return types[to].bits > types[from].bits;
}

static void floats_become_floats(void **state)
{
    static const char *const more[] = { "", ".ftz", ".sat ", ".ftz.sat " };
    (void)state;
    for (size_t from = 8; from < TYPES; from++)
        for (size_t to = 8; to < TYPES; to++)
            for (int mode = 0; mode < 4; mode++)
                for (int i = 0; i < 4; i++) {
                    const bool has_f32 = from == 10 || to == 10;
                    char words[32];
                    if ((i & 1 && !has_f32) || (i & 2 && (to == 9 || from == 9))) continue;
                    const char *rounding = wider(to, from) ? ""
                                           : from == to    ? wholes[mode]
                                                           : modes[mode];
                    snprintf(words, sizeof words, "%s%s", rounding, more[i]);
                    ask(&types[to], &types[from], words);
                }
}

static void floats_may_stay_what_they_are(void **state)
{
    (void)state;
    for (size_t i = 8; i < TYPES; i++) ask(&types[i], &types[i], " ");
    ask(&types[10], &types[10], ".ftz");
    ask(&types[10], &types[10], ".sat ");
    ask(&types[10], &types[10], ".ftz.sat ");
    ask(&types[11], &types[11], ".sat ");
    ask(&types[8], &types[8], ".sat ");
}

static void results_may_be_kept_positive_and_finite(void **state)
{
    static const char *const words[] = {
        ".rn.relu", ".rz.relu", ".rn.satfinite", ".rz.satfinite", ".rn.relu.satfinite",
    };
    (void)state;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        for (size_t to = 8; to < 10; to++) ask(&types[to], &types[10], words[i]);
}

/* a above b. */
static uint64_t packed(const struct answers_row *row)
{
    const struct answers_row a = { { row->x[0] }, 32 }, b = { { row->x[1] }, 32 };
    return converted(&a) << 16 | (converted(&b) & 0xffff);
}

static void two_floats_are_packed(void **state)
{
    static const char *const words[] = { ".rn", ".rz", ".rn.relu", ".rz.satfinite",
                                         ".rn.relu.satfinite" };
    (void)state;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        for (size_t to = 8; to < 10; to++) {
            char text[60];
            ask(&types[to], &types[10], words[i]); /* which also says what is asked */
            snprintf(text, sizeof text, "cvt%s.%sx2.f32", words[i], types[to].word);
            const struct answers_case one = { text, "b32 f32 f32", packed };
            answers_check(&one, 1);
        }
}

/* ---- Registers that are wider than the type -------------------------------------------- */

static uint64_t low_u8(const struct answers_row *row)
{
    return row->x[0] & 0xff;
}

static uint64_t low_s8(const struct answers_row *row)
{
    return (uint64_t)answers_signed(row->x[0], 8);
}

static uint64_t low_s16(const struct answers_row *row)
{
    return (uint64_t)answers_signed(row->x[0], 16);
}

static void registers_may_be_wider(void **state)
{
    static const struct answers_case cases[] = {
        { "cvt.u8.u32 %d, %a;", "b32 b32", low_u8 }, { "cvt.s8.u32 %d, %a;", "b64 b32", low_s8 },
        { "cvt.s8.s8 %d, %a;", "b64 b64", low_s8 },  { "cvt.s32.s16 %d, %a;", "b32 b64", low_s16 },
        { "cvt.s64.s16 %d, %a;", "b64 b32", low_s16 }, { "cvt.u64.u8 %d, %a;", "b64 b64", low_u8 },
        { "cvt.s16.s8 %d, %a;", "b16 b64", low_s8 },
    };
    (void)state;
    ANSWERS_CHECK(cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers_become_integers),
        cmocka_unit_test(integers_become_floats),
        cmocka_unit_test(floats_become_integers),
        cmocka_unit_test(floats_become_floats),
        cmocka_unit_test(floats_may_stay_what_they_are),
        cmocka_unit_test(results_may_be_kept_positive_and_finite),
        cmocka_unit_test(two_floats_are_packed),
        cmocka_unit_test(registers_may_be_wider),
    };
    return cmocka_run_group_tests_name("ptx conversions", tests, NULL, NULL);
}
