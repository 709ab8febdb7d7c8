/* SPDX-License-Identifier: Apache-2.0
 *
 * From rows of whole warps to forms, their texts and their operands. */
#include "ptx/answers/tiles.h"
#include "ptx/answers/values.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHOICES 8
#define NAMES "dabce"

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
    for (int i = 0; i < TILE_OPERANDS && *at; i++) {
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
        const char *upper = "DABCE", *found = at[0] == '%' && at[1] ? strchr(upper, at[1]) : NULL;
        if (found) {
            write_vector(to, NAMES[found - upper], form->operands[found - upper].words);
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
          "\t.param .u64 tile_b, .param .u64 tile_c, .param .u64 tile_e)\n{\n"
          "\t.shared .align 128 .b8 room[4096];\n"
          "\t.reg .b64 %pd, %pa, %pb, %pc, %pe, %ld, %la, %lb, %lc, %le;\n"
          "\t.reg .b32 %lane, %warp, %ps, %s<4>;\n\t.reg .b16 %h<4>;\n", to);
    fprintf(to, "\t.reg .b%d %%x<9>, %%y<9>, %%z<9>, %%w<9>;\n", wide ? 64 : 32);
    for (int i = 0; i < TILE_OPERANDS; i++)
        if (form->operands[i].words)
            fprintf(to, "\t.reg .b%u %%%c<%u>;\n", form->operands[i].word_bytes * 8, NAMES[i],
                    form->operands[i].words);
    fputs("\tmov.u32 %lane, %tid.x;\n\tmov.u32 %warp, %ctaid.x;\n\tmov.u32 %ps, room;\n", to);
    for (int i = 0; i < TILE_OPERANDS; i++) {
        const struct tile_operand *operand = &form->operands[i];
        char name = NAMES[i];
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

static uint64_t roll_word(struct tile_dice *dice, const struct tile_form *form, int which,
                          enum tile_kind kind)
{
    const char *factor = which == 3 ? form->operands[1].type : NULL;
    return tile_roll(dice, form->operands[which].type, factor, which == 1, kind);
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
                if (kind == TILE_CANCELLING && lane % 2 && which < 3 && word % 4 &&
                    tile_is_float(operand->type) && strchr("tf", operand->type[0]) &&
                    strcmp(operand->type, "f16")) {
                    memcpy(at, at - row, bytes);
                    if (which == 1) at[bytes - 1] ^= 0x80;
                }
            }
}

void tile_operands(struct tile_form *form)
{
    struct tile_dice dice = { 2026 };
    for (int i = 0; i < TILE_OPERANDS; i++) {
        struct tile_operand *operand = &form->operands[i];
        if (!operand->words) continue;
        operand->values = calloc(1, operand->bytes);
        if (!operand->values) abort();
        if (i) fill_operand(&dice, form, i);
    }
}

void tile_drop(struct tile_form *form)
{
    for (int i = 0; i < TILE_OPERANDS; i++) free(form->operands[i].values);
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
