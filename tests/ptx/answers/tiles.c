/* SPDX-License-Identifier: Apache-2.0
 *
 * From rows of whole warps to forms, their texts and their operands. */
#include "ptx/answers/tiles.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHOICES 8

/* ---- Forms ------------------------------------------------------------------------------ */

struct tile_expansion {
    const struct tile_row *row;
    char chosen[CHOICES][40];
    int count;
    bool (*visit)(void *data, struct tile_form *form);
    void *data;
};

/* Puts what was chosen in place of $1, $2, ... */
static void fill_choices(const struct tile_expansion *expansion, const char *from, char *to,
                         size_t room)
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

static void parse_types(struct tile_form *form)
{
    const char *at = form->types;
    for (int i = 0; i < 4 && *at; i++) {
        struct tile_operand *operand = &form->operands[i];
        size_t length = strcspn(at, ":");
        snprintf(operand->type, sizeof operand->type, "%.*s", (int)length, at);
        operand->words = (unsigned)atoi(at + length + 1);
        operand->word_bytes = strstr(operand->type, "64") ? 8 : 4;
        operand->bytes = (size_t)TILES * 32 * operand->words * operand->word_bytes;
        at += strcspn(at, " ");
        at += *at == ' ';
    }
}

static bool expand_row(struct tile_expansion *expansion, const char *before, const char *rest)
{
    const char *open = strchr(rest, '{');
    if (!open) {
        char whole[1000];
        struct tile_form form = { .types = "" };
        snprintf(whole, sizeof whole, "%s%s", before, rest);
        fill_choices(expansion, whole, form.instructions, sizeof form.instructions);
        fill_choices(expansion, expansion->row->types, form.types, sizeof form.types);
        parse_types(&form);
        return expansion->visit(expansion->data, &form);
    }
    const char *close = strchr(open, '}'), *choice = open + 1;
    int mine = expansion->count++;
    while (choice <= close) {
        size_t length = strcspn(choice, ",}");
        char text[1000];
        snprintf(expansion->chosen[mine], sizeof expansion->chosen[mine], "%.*s", (int)length,
                 choice);
        snprintf(text, sizeof text, "%s%.*s%s", before, (int)(open - rest), rest,
                 expansion->chosen[mine]);
        if (!expand_row(expansion, text, close + 1)) return false;
        choice += length + 1;
    }
    expansion->count--;
    return true;
}

bool tile_each(bool (*visit)(void *data, struct tile_form *form), void *data)
{
    for (size_t i = 0; i < tile_row_count; i++) {
        struct tile_expansion expansion = { .row = &tile_rows[i], .visit = visit, .data = data };
        if (!expand_row(&expansion, "", tile_rows[i].instructions)) return false;
    }
    return true;
}

/* ---- Texts ------------------------------------------------------------------------------ */

static void write_vector(FILE *to, char name, unsigned count)
{
    for (unsigned i = 0; i < count; i++) fprintf(to, "%s%%%c%u", i ? "," : "{", name, i);
    fputc('}', to);
}

static void write_instructions(FILE *to, const struct tile_form *form)
{
    for (const char *at = form->instructions; *at; at++) {
        const char *upper = "DABC", *found = at[0] == '%' && at[1] ? strchr(upper, at[1]) : NULL;
        if (found) {
            write_vector(to, "dabc"[found - upper], form->operands[found - upper].words);
            at++;
        } else if (*at == '<') {
            write_vector(to, at[1], (unsigned)atoi(at + 2));
            at += strcspn(at, ">");
        } else {
            fputc(*at, to);
        }
    }
}

static void write_moves(FILE *to, const struct tile_operand *operand, char name, bool load)
{
    unsigned bits = operand->word_bytes * 8;
    for (unsigned i = 0; i < operand->words; i++)
        if (load)
            fprintf(to, "\tld.global.b%u %%%c%u, [%%l%c+%u];\n", bits, name, i, name, i * bits / 8);
        else
            fprintf(to, "\tst.global.b%u [%%l%c+%u], %%%c%u;\n", bits, name, i * bits / 8, name, i);
}

char *tile_text(const struct tile_form *form)
{
    char *text = NULL;
    size_t bytes;
    FILE *to = open_memstream(&text, &bytes);
    if (!to) abort();
    bool wide = strstr(form->types, "64") != NULL, stores = !strstr(form->instructions, "[%pd]");
    fputs(".version 8.7\n.target sm_90\n.address_size 64\n"
          ".visible .entry tile(.param .u64 tile_d, .param .u64 tile_a,\n"
          "\t.param .u64 tile_b, .param .u64 tile_c)\n{\n"
          "\t.shared .align 128 .b8 room[4096];\n"
          "\t.reg .b64 %pd, %pa, %pb, %pc, %ld, %la, %lb, %lc;\n"
          "\t.reg .b32 %lane, %warp, %ps, %s<4>;\n\t.reg .b16 %h<4>;\n", to);
    fprintf(to, "\t.reg .b%d %%x<9>, %%y<9>, %%z<9>, %%w<9>;\n", wide ? 64 : 32);
    for (int i = 0; i < 4; i++)
        if (form->operands[i].words)
            fprintf(to, "\t.reg .b%u %%%c<%u>;\n", form->operands[i].word_bytes * 8, "dabc"[i],
                    form->operands[i].words);
    fputs("\tmov.u32 %lane, %tid.x;\n\tmov.u32 %warp, %ctaid.x;\n\tmov.u32 %ps, room;\n", to);
    for (int i = 0; i < 4; i++) {
        const struct tile_operand *operand = &form->operands[i];
        char name = "dabc"[i];
        unsigned lane = operand->words * operand->word_bytes;
        if (!operand->words) continue;
        fprintf(to, "\tld.param.u64 %%p%c, [tile_%c];\n\tcvta.to.global.u64 %%p%c, %%p%c;\n", name,
                name, name, name);
        fprintf(to, "\tmad.wide.u32 %%p%c, %%warp, %u, %%p%c;\n", name, lane * 32, name);
        fprintf(to, "\tmad.wide.u32 %%l%c, %%lane, %u, %%p%c;\n", name, lane, name);
        if (i) write_moves(to, operand, name, true);
    }
    fputc('\t', to);
    write_instructions(to, form);
    fputc('\n', to);
    if (stores) write_moves(to, &form->operands[0], 'd', false);
    fputs("\tret;\n}\n", to);
    fclose(to);
    return text;
}

/* ---- Operands ----------------------------------------------------------------------------- */

struct tile_dice {
    uint64_t state;
};

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

/* The kinds of values, by tile. */
enum tile_kind { NEAR_ONE, MIDDLING, ANY_SIZE, TINY, CANCELLING, SPECIAL, SPARSE, HUGE_ };

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
    case NEAR_ONE: break;
    case ANY_SIZE: spread = bias; break;
    case TINY: center = 1 - bias, spread = 1; break;
    case HUGE_: center = top - 1 - bias, spread = 1; break;
    case SPARSE: spread = 14; break;
    default: spread = 6;
    }
    if (factor) {
        center *= 2;
        spread = spread * 2 + 2;
        if (kind == TINY) spread += 8;
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
    if (kind == SPECIAL && chance < 2) value = special_float(dice, type);
    else if (kind == SPARSE && chance < 11) value = 0;
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
        if (kind == CANCELLING && at / bits % 2 && !factor && roll_below(dice, 4))
            value = last ^ (uint64_t)negate << (bits - 1);
        word |= value << at;
        last = value;
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
        if (kind >= SPECIAL) return kind == SPECIAL ? sum : sum ^ (uint32_t)(step >> 9);
    } else if (kind == HUGE_ || kind == SPARSE) {
        for (int at = 0; at < 32; at += 8)
            word = (word & ~(UINT64_C(255) << at)) | (uint64_t)edges[roll_below(dice, 8)] << at;
    }
    return word;
}

static uint64_t roll_word(struct tile_dice *dice, const struct tile_form *form, int which,
                          enum tile_kind kind)
{
    const struct tile_operand *operand = &form->operands[which];
    const struct float_type *type = find_float(operand->type);
    if (!type) return roll_integers(dice, operand->type, kind);
    const struct float_type *factor = which == 3 ? find_float(form->operands[1].type) : NULL;
    return roll_floats(dice, type, factor, kind, which == 1);
}

static void fill_operand(struct tile_dice *dice, struct tile_form *form, int which)
{
    struct tile_operand *operand = &form->operands[which];
    size_t bytes = operand->word_bytes, row = bytes * operand->words;
    for (unsigned tile = 0; tile < TILES; tile++)
        for (unsigned lane = 0; lane < 32; lane++)
            for (unsigned i = 0; i < operand->words; i++) {
                enum tile_kind kind = (enum tile_kind)(tile % TILE_KINDS);
                unsigned char *at = operand->values + (tile * 32 + lane) * row + i * bytes;
                uint64_t word = roll_word(dice, form, which, kind);
                memcpy(at, &word, bytes);
                /* Numbers as wide as a word cancel with those of the lane before. */
                if (kind == CANCELLING && lane % 2 && which < 3 && word % 4 &&
                    find_float(operand->type) && strchr("tf", operand->type[0]) &&
                    strcmp(operand->type, "f16")) {
                    memcpy(at, at - row, bytes);
                    if (which == 1) at[bytes - 1] ^= 0x80;
                }
            }
}

void tile_operands(struct tile_form *form)
{
    struct tile_dice dice = { 2026 };
    for (int i = 0; i < 4; i++) {
        struct tile_operand *operand = &form->operands[i];
        if (!operand->words) continue;
        operand->values = calloc(1, operand->bytes);
        if (!operand->values) abort();
        if (i) fill_operand(&dice, form, i);
    }
}

void tile_drop(struct tile_form *form)
{
    for (int i = 0; i < 4; i++) free(form->operands[i].values);
}

size_t tile_compared(const struct tile_form *form)
{
    const struct tile_operand *result = &form->operands[0];
    bool all = !strncmp(form->instructions, "mma.", 4) && result->type[0] == 'f';
    return result->bytes / TILES * (all ? TILES : TILE_KINDS);
}

uint64_t tile_hash(const struct tile_form *form)
{
    const struct tile_operand *result = &form->operands[0];
    const size_t bytes = tile_compared(form);
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t at = 0; at < bytes; at += result->word_bytes) {
        uint64_t word = 0;
        memcpy(&word, result->values + at, result->word_bytes);
        hash = (hash ^ word) * UINT64_C(0x100000001b3);
        hash ^= hash >> 29;
    }
    return hash;
}
