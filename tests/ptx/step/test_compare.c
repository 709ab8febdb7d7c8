/* SPDX-License-Identifier: Apache-2.0
 *
 * Comparisons of all types, and what is chosen by them.  The references look at the bits:
 * they order floats as numbers with a sign and a size.
 */
#include "ptx/answers.h"

#include <stdio.h>

#include "ptx/arithmetic.h"

/* ---- How two values stand to each other ------------------------------------------------ */

enum { BELOW = 1, LIKE = 2, ABOVE = 4, UNORDERED = 8 };

/* Bits of a float's exponent and fraction; 0, 0: an integer. */
struct format {
    const char *type;
    unsigned bits, exponent, fraction;
    bool sign;
};

static const struct format formats[] = {
    { "u16", 16, 0, 0, false }, { "u32", 32, 0, 0, false }, { "u64", 64, 0, 0, false },
    { "s16", 16, 0, 0, true },  { "s32", 32, 0, 0, true },  { "s64", 64, 0, 0, true },
    { "b16", 16, 0, 0, false }, { "b32", 32, 0, 0, false }, { "b64", 64, 0, 0, false },
    { "f16", 16, 5, 10, true }, { "bf16", 16, 8, 7, true }, { "f32", 32, 8, 23, true },
    { "f64", 64, 11, 52, true },
};

/* What the reference is about at the moment. */
static struct {
    const struct format *format;
    unsigned yes;      /* the relations that are meant                                 */
    char operator;     /* of a further predicate: '&', '|', '^', or 0                  */
    bool ftz, negated; /* negated: that predicate                                      */
    uint64_t number;   /* of set                                                       */
} asked;

static int relation_of(uint64_t a, uint64_t b)
{
    const struct format *format = asked.format;
    if (!format->exponent) {
        if (format->sign) {
            const int64_t x = answers_signed(a, format->bits), y = answers_signed(b, format->bits);
            return x < y ? BELOW : x > y ? ABOVE : LIKE;
        }
        return a < b ? BELOW : a > b ? ABOVE : LIKE;
    }
    const uint64_t size_mask = (UINT64_C(1) << (format->bits - 1)) - 1;
    const uint64_t infinity = size_mask >> format->fraction << format->fraction;
    uint64_t size[2] = { a & size_mask, b & size_mask };
    const bool minus[2] = { a > size_mask, b > size_mask };
    if (size[0] > infinity || size[1] > infinity) return UNORDERED;
    for (int i = 0; i < 2; i++)
        if (asked.ftz && size[i] >> format->fraction == 0) size[i] = 0;
    if (size[0] == 0 && size[1] == 0) return LIKE;
    if (minus[0] != minus[1]) return minus[0] ? BELOW : ABOVE;
    if (size[0] == size[1]) return LIKE;
    return (size[0] < size[1]) != minus[0] ? BELOW : ABOVE;
}

static bool combined(bool answer, bool further)
{
    further ^= asked.negated;
    switch (asked.operator) {
    case '&': return answer && further;
    case '|': return answer || further;
    case '^': return answer != further;
    default: return answer;
    }
}

static bool answer_of(uint64_t a, uint64_t b, bool opposite)
{
    return ((relation_of(a, b) & asked.yes) != 0) != opposite;
}

static uint64_t setp(const struct answers_row *row)
{
    return combined(answer_of(row->x[0], row->x[1], false), row->x[2]);
}

static uint64_t setp_q(const struct answers_row *row)
{
    return combined(answer_of(row->x[0], row->x[1], true), row->x[2]);
}

static uint64_t set(const struct answers_row *row)
{
    return setp(row) ? asked.number : 0;
}

/* Of pairs: the low half is p's, the high half q's. */
static uint64_t setp_low(const struct answers_row *row)
{
    return combined(answer_of(row->x[0] & 0xffff, row->x[1] & 0xffff, false), row->x[2]);
}

static uint64_t setp_high(const struct answers_row *row)
{
    return combined(answer_of(row->x[0] >> 16, row->x[1] >> 16, false), row->x[2]);
}

static uint64_t set_pair(const struct answers_row *row)
{
    return (setp_low(row) ? asked.number : 0) | (setp_high(row) ? asked.number << 16 : 0);
}

/* ---- The words for it ------------------------------------------------------------------ */

static const struct {
    const char *word;
    unsigned yes;
    bool unsigneds, floats; /* for these only */
} words[] = {
    { "eq", LIKE, 0, 0 },           { "ne", BELOW | ABOVE, 0, 0 },
    { "lt", BELOW, 0, 0 },          { "le", BELOW | LIKE, 0, 0 },
    { "gt", ABOVE, 0, 0 },          { "ge", ABOVE | LIKE, 0, 0 },
    { "lo", BELOW, 1, 0 },          { "ls", BELOW | LIKE, 1, 0 },
    { "hi", ABOVE, 1, 0 },          { "hs", ABOVE | LIKE, 1, 0 },
    { "equ", LIKE | UNORDERED, 0, 1 }, { "neu", BELOW | ABOVE | UNORDERED, 0, 1 },
    { "ltu", BELOW | UNORDERED, 0, 1 }, { "leu", BELOW | LIKE | UNORDERED, 0, 1 },
    { "gtu", ABOVE | UNORDERED, 0, 1 }, { "geu", ABOVE | LIKE | UNORDERED, 0, 1 },
    { "num", BELOW | LIKE | ABOVE, 0, 1 }, { "nan", UNORDERED, 0, 1 },
};

static bool has_word(const struct format *format, size_t word)
{
    if (format->type[0] == 'b' && !format->exponent) return word < 2;
    if (words[word].unsigneds) return format->type[0] == 'u';
    return !words[word].floats || format->exponent;
}

/* NaN is neither different from a number nor like it: where the processor knows that. */
static bool is_known(const struct format *format, unsigned yes)
{
    if (yes != (BELOW | ABOVE) && yes != (LIKE | UNORDERED)) return true;
    return !format->exponent || arithmetic_orders();
}

static void ask(const char *instruction, const char *types, answers_reference *expected)
{
    if (!is_known(asked.format, asked.yes)) return;
    const struct answers_case one = { instruction, types, expected };
    answers_check(&one, 1);
}

/* All comparisons of all types: `each` is asked with the word, .ftz behind it or not. */
static void all_words(void (*each)(const char *word, const char *type))
{
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++)
        for (size_t w = 0; w < sizeof words / sizeof *words; w++)
            for (int ftz = 0; ftz < 2; ftz++) {
                const char *type = formats[f].type;
                if (!has_word(&formats[f], w)) continue;
                if (ftz && strcmp(type, "f32") && strcmp(type, "f16")) continue;
                memset(&asked, 0, sizeof asked);
                asked.format = &formats[f];
                asked.yes = words[w].yes;
                asked.ftz = ftz;
                char word[16];
                snprintf(word, sizeof word, "%s%s", words[w].word, ftz ? ".ftz" : "");
                each(word, type);
            }
}

static void compare_plainly(const char *word, const char *type)
{
    char text[120], types[40];
    snprintf(types, sizeof types, "pred %s %s", type, type);
    snprintf(text, sizeof text, "setp.%s.%s", word, type);
    ask(text, types, setp);
    snprintf(text, sizeof text, "setp.%s.%s %%p0|%%d, %%a, %%b;", word, type);
    ask(text, types, setp_q);
}

static void comparisons_of_all_types(void **state)
{
    (void)state;
    all_words(compare_plainly);
}

/* .and and its like, with a word in front of .ftz: the order of both is free. */
static void compare_with_another(const char *word, const char *type)
{
    static const struct {
        const char *word;
        char operator;
    } operators[] = { { "and", '&' }, { "or", '|' }, { "xor", '^' } };
    char text[160], types[40];
    snprintf(types, sizeof types, "pred %s %s pred", type, type);
    for (int i = 0; i < 3; i++) {
        asked.operator = operators[i].operator;
        asked.negated = false;
        snprintf(text, sizeof text, "setp.%.3s.%s%s.%s %%d|%%p0, %%a, %%b, %%c;", word,
                 operators[i].word, asked.ftz ? ".ftz" : "", type);
        ask(text, types, setp);
        /* The predicate that is read is the one that is written, and the guard. */
        asked.negated = true;
        snprintf(text, sizeof text,
                 "mov.pred %%p0, %%c; mov.pred %%d, %%c; "
                 "setp.%.3s.%s%s.%s %%p0|%%d, %%a, %%b, !%%p0;",
                 word, operators[i].word, asked.ftz ? ".ftz" : "", type);
        ask(text, types, setp_q);
    }
}

static void another_predicate_comes_in(void **state)
{
    (void)state;
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
        memset(&asked, 0, sizeof asked);
        asked.format = &formats[f];
        asked.yes = LIKE;
        compare_with_another("eq", formats[f].type);
        asked.yes = BELOW | ABOVE;
        compare_with_another("ne", formats[f].type);
    }
}

/* In the lanes of the guard only, although it is overwritten. */
static uint64_t guarded_q(const struct answers_row *row)
{
    return (row->x[2] & 1) ? row->x[0] != row->x[1] : 0;
}

static void a_guard_may_be_overwritten(void **state)
{
    static const struct answers_case cases[] = {
        { "mov.pred %p0, %c; mov.pred %d, 0; @%p0 setp.eq.s32 %p0|%d, %a, %b;",
          "pred s32 s32 pred", guarded_q },
    };
    (void)state;
    ANSWERS_CHECK(cases);
}

static void compare_into_numbers(const char *word, const char *type)
{
    static const struct {
        const char *type;
        uint64_t number;
        bool halves, others;
    } numbers[] = {
        { "u32", 0xffffffff, 1, 1 }, { "s32", 0xffffffff, 1, 1 }, { "f32", 0x3f800000, 0, 1 },
        { "u16", 0xffff, 1, 0 },     { "s16", 0xffff, 1, 0 },     { "f16", 0x3c00, 1, 0 },
        { "bf16", 0x3f80, 1, 0 },
    };
    const bool half = asked.format->exponent && asked.format->bits == 16;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        char text[60], types[40];
        const char *to = numbers[i].type;
        if (half ? !numbers[i].halves : !numbers[i].others) continue;
        if (strstr(to, "f16") && strcmp(to, type)) continue;
        asked.number = numbers[i].number;
        snprintf(types, sizeof types, "%s %s %s", to, type, type);
        snprintf(text, sizeof text, "set.%s.%s.%s", word, to, type);
        ask(text, types, set);
    }
}

static void set_makes_numbers_of_answers(void **state)
{
    (void)state;
    all_words(compare_into_numbers);
}

/* The type is that of the halves. */
static void compare_pairs(const char *word, const char *type)
{
    char text[120], types[40];
    if (!asked.format->exponent || asked.format->bits != 16) return;
    snprintf(types, sizeof types, "pred %sx2 %sx2 pred", type, type);
    snprintf(text, sizeof text, "setp.%s.%sx2 %%d|%%p0, %%a, %%b;", word, type);
    ask(text, types, setp_low);
    snprintf(text, sizeof text, "setp.%s.%sx2 %%p0|%%d, %%a, %%b;", word, type);
    ask(text, types, setp_high);
    asked.operator = '&';
    snprintf(text, sizeof text, "setp.%.*s.and%s.%sx2 %%p0|%%d, %%a, %%b, %%c;",
             (int)strcspn(word, "."), word, asked.ftz ? ".ftz" : "", type);
    ask(text, types, setp_high);
    asked.operator = 0;
    asked.number = 0xffff;
    snprintf(types, sizeof types, "u32 %sx2 %sx2", type, type);
    snprintf(text, sizeof text, "set.%s.u32.%sx2", word, type);
    ask(text, types, set_pair);
    asked.number = asked.format->fraction == 10 ? 0x3c00 : 0x3f80;
    snprintf(types, sizeof types, "%sx2 %sx2 %sx2", type, type, type);
    snprintf(text, sizeof text, "set.%s.%sx2.%sx2", word, type, type);
    ask(text, types, set_pair);
}

static void pairs_have_two_answers(void **state)
{
    (void)state;
    all_words(compare_pairs);
}

/* ---- Choices --------------------------------------------------------------------------- */

static uint64_t selp(const struct answers_row *row)
{
    return row->x[row->x[2] & 1 ? 0 : 1];
}

static uint64_t selp_not(const struct answers_row *row)
{
    return row->x[row->x[2] & 1 ? 1 : 0];
}

static uint64_t slct_s32(const struct answers_row *row)
{
    return row->x[row->x[2] >> 31 & 1];
}

/* -0 is not below 0, NaN is not above. */
static uint64_t slct_f32(const struct answers_row *row)
{
    const uint64_t size = row->x[2] & 0x7fffffff;
    const bool minus = row->x[2] != size;
    return row->x[size > 0x7f800000 || (minus && size) ? 1 : 0];
}

static uint64_t slct_ftz(const struct answers_row *row)
{
    const uint64_t size = row->x[2] & 0x7fffffff;
    const bool minus = row->x[2] != size;
    return row->x[size > 0x7f800000 || (minus && size >= 0x00800000) ? 1 : 0];
}

static void a_predicate_or_a_sign_chooses(void **state)
{
#define CHOICES(t) \
    { "selp." t, t " " t " " t " pred", selp }, \
    { "selp." t " %d, %a, %b, !%c;", t " " t " " t " pred", selp_not }, \
    { "slct." t ".s32", t " " t " " t " s32", slct_s32 }, \
    { "slct." t ".f32", t " " t " " t " f32", slct_f32 }, \
    { "slct.ftz." t ".f32", t " " t " " t " f32", slct_ftz }
    static const struct answers_case cases[] = {
        CHOICES("b16"), CHOICES("u16"), CHOICES("s16"), CHOICES("b32"), CHOICES("u32"),
        CHOICES("s32"), CHOICES("f32"), CHOICES("b64"), CHOICES("u64"), CHOICES("s64"),
        CHOICES("f64"),
    };
    (void)state;
    ANSWERS_CHECK(cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comparisons_of_all_types),
        cmocka_unit_test(another_predicate_comes_in),
        cmocka_unit_test(a_guard_may_be_overwritten),
        cmocka_unit_test(set_makes_numbers_of_answers),
        cmocka_unit_test(pairs_have_two_answers),
        cmocka_unit_test(a_predicate_or_a_sign_chooses),
    };
    return cmocka_run_group_tests_name("ptx comparisons", tests, NULL, NULL);
}
