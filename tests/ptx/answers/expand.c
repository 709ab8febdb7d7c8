/* SPDX-License-Identifier: Apache-2.0
 *
 * From rows to forms, and from forms to operands. */
#include "answers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/random.h"

#define CHOICES 8

struct expansion {
    const struct answer_row *row;
    char chosen[CHOICES][80];
    int count;
    bool (*visit)(void *data, const struct answer_form *form);
    void *data;
};

/* Puts what was chosen in place of $1, $2, ... */
static void fill(const struct expansion *expansion, const char *from, char *to, size_t room)
{
    size_t at = 0;
    for (; *from && at + 1 < room; from++) {
        if (*from == '$' && from[1] >= '1' && from[1] <= '9') {
            const char *chosen = expansion->chosen[*++from - '1'];
            for (; *chosen && at + 1 < room; chosen++) to[at++] = *chosen;
        } else {
            to[at++] = *from;
        }
    }
    to[at] = '\0';
}

static bool expand(struct expansion *expansion, const char *before, const char *rest)
{
    const char *open = strchr(rest, '{');
    if (!open) {
        char whole[800];
        struct answer_form form = { .ulps = expansion->row->ulps, .slack = expansion->row->slack };
        snprintf(whole, sizeof whole, "%s%s", before, rest);
        fill(expansion, whole, form.instructions, sizeof form.instructions);
        fill(expansion, expansion->row->types, form.types, sizeof form.types);
        return expansion->visit(expansion->data, &form);
    }
    const char *close = strchr(open, '}'), *choice = open + 1;
    int mine = expansion->count++;
    while (choice <= close) {
        size_t length = strcspn(choice, ",}");
        char text[800];
        snprintf(expansion->chosen[mine], sizeof expansion->chosen[mine], "%.*s", (int)length,
                 choice);
        snprintf(text, sizeof text, "%s%.*s%s", before, (int)(open - rest), rest,
                 expansion->chosen[mine]);
        if (!expand(expansion, text, close + 1)) return false;
        choice += length + 1;
    }
    expansion->count--;
    return true;
}

bool answer_each(bool (*visit)(void *data, const struct answer_form *form), void *data)
{
    for (size_t i = 0; i < answer_row_count; i++) {
        struct expansion expansion = { .row = &answer_rows[i], .visit = visit, .data = data };
        if (!expand(&expansion, "", answer_rows[i].instructions)) return false;
    }
    return true;
}

/* ---- Operands ----------------------------------------------------------------------- */

static const uint32_t single_edges[] = {
    0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff, 0x807fffff, 0x00800000, 0x80800000,
    0x3f800000, 0xbf800000, 0x3f000000, 0xbf000000, 0x3fc00000, 0x40200000, 0xc0200000, 0x7f7fffff,
    0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00000, 0x7f800001, 0x7fffffff, 0x4f000000,
    0xcf000000, 0x4f800000, 0x5f000000, 0xdf000000, 0x5f800000, 0x3f7fffff, 0x3f800001, 0x42fe0000,
};

static const uint16_t half_edges[] = { 0x0000, 0x8000, 0x0001, 0x83ff, 0x0400, 0x8400, 0x3c00,
                                       0xbc00, 0x3800, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00,
                                       0x7c01, 0x7fff, 0x3f80, 0x7f80, 0xff80, 0x7fc0 };

static uint64_t single_value(struct dice *dice)
{
    if (dice_chance(dice, 30)) return single_edges[dice_below(dice, 32)];
    uint32_t bits = (uint32_t)dice_next(dice);
    if (dice_chance(dice, 60)) /* of a middling size */
        bits = (bits & 0x807fffff) | (uint32_t)(127 - 12 + dice_below(dice, 24)) << 23;
    return bits;
}

static uint64_t double_value(struct dice *dice)
{
    if (dice_chance(dice, 30)) {
        float value;
        uint32_t bits = (uint32_t)single_value(dice);
        memcpy(&value, &bits, sizeof value);
        if (value != value) return (uint64_t)(bits >> 31) << 63 | UINT64_C(0x7ff8000000000000);
        double wide = (double)value;
        uint64_t result;
        memcpy(&result, &wide, sizeof result);
        return result;
    }
    uint64_t bits = dice_next(dice);
    if (dice_chance(dice, 60))
        bits = (bits & UINT64_C(0x800fffffffffffff)) |
               (uint64_t)(1023 - 34 + dice_below(dice, 70)) << 52;
    return bits;
}

static uint64_t half_value(struct dice *dice)
{
    return dice_chance(dice, 30) ? half_edges[dice_below(dice, 20)] : (uint16_t)dice_next(dice);
}

static uint64_t half_pair(struct dice *dice)
{
    const uint64_t high = half_value(dice);
    return high << 16 | half_value(dice);
}

static uint64_t integer_value(struct dice *dice)
{
    static const uint64_t edges[] = {
        0, 1, 2, 3, 4, 7, 8, 15, 16, 31, 32, 33, 63, 64, 65, 127, 128, 255, 256, 0x7fff, 0x8000,
        0xffff, 0x10000, 0x7fffff, 0x800000, 0x7fffffff, 0x80000000, 0xffffffff, 0x100000000,
        0x7fffffffffffffff, 0x8000000000000000,
    };
    uint64_t value;
    if (dice_chance(dice, 40)) {
        value = edges[dice_below(dice, 31)];
    } else { /* in this order with every compiler */
        const uint64_t bits = dice_next(dice);
        value = bits >> dice_below(dice, 64);
    }
    return dice_chance(dice, 30) ? -value : value;
}

static uint64_t operand_value(struct dice *dice, const char *type)
{
    if (!strncmp(type, "pred", 4)) return (uint64_t)dice_below(dice, 2);
    if (!strncmp(type, "f32", 3)) return single_value(dice);
    if (!strncmp(type, "f64", 3)) return double_value(dice);
    if (!strncmp(type, "f16x2", 5) || !strncmp(type, "bf16x2", 6))
        return half_pair(dice);
    if (!strncmp(type, "f16", 3) || !strncmp(type, "bf16", 4)) return half_value(dice);
    return integer_value(dice);
}

static size_t type_bytes(const char *type)
{
    if (!strncmp(type, "pred", 4)) return 1;
    if (type[strcspn(type, "x ")] == 'x') return 4;
    while (*type < '0' || *type > '9') type++;
    return (size_t)atoi(type) / 8;
}

void answer_operands(const struct answer_form *form, struct answer_operands *operands)
{
    struct dice dice = { 2026 };
    const char *type = form->types;
    memset(operands, 0, sizeof *operands);
    for (int i = 0; i < 4 && *type; i++) {
        size_t bytes = operands->bytes[i] = type_bytes(type);
        unsigned char *values = operands->values[i] = calloc(ANSWER_ROWS, bytes);
        if (!values) abort();
        for (size_t row = 0; row < ANSWER_ROWS && i > 0; row++) {
            uint64_t value = operand_value(&dice, type);
            memcpy(values + row * bytes, &value, bytes);
        }
        type += strcspn(type, " ");
        type += *type == ' ';
    }
}

void answer_drop(struct answer_operands *operands)
{
    for (int i = 0; i < 4; i++) free(operands->values[i]);
}

uint64_t answer_value(const struct answer_operands *operands, size_t row)
{
    uint64_t value = 0;
    memcpy(&value, (unsigned char *)operands->values[0] + row * operands->bytes[0],
           operands->bytes[0]);
    return value;
}

uint64_t answer_hash(const struct answer_operands *operands)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t row = 0; row < ANSWER_ROWS; row++) {
        hash = (hash ^ answer_value(operands, row)) * UINT64_C(0x100000001b3);
        hash ^= hash >> 29;
    }
    return hash;
}

size_t answer_sample(size_t i, size_t count)
{
    return i * (ANSWER_ROWS / count);
}
