/* SPDX-License-Identifier: Apache-2.0
 *
 * Finding the row of an instruction, and saying why there is none.
 *
 * The tables stay where they are.  All that is kept of them is which of them this processor
 * can use, and where in each one the rows of an opcode begin and end: written once.
 */
#include <config.h>

#include "ptx/lower/forms.h"
#include "ptx/step/bits.h"
#include "ptx/step/compare.h"
#include "ptx/step/convert.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define REFER(name) &ptx_##name##_forms,
#define REFER_AVX2(name) &ptx_##name##_forms_avx2,

static const struct ptx_forms *const plain[] = { PTX_LANE_FORMS(REFER) };

static const struct ptx_lane_steps plain_steps = {
    &ptx_bits, &ptx_compare, &ptx_convert_integers, &ptx_convert_floats,
};

#if RILL_HAVE_AVX2
static const struct ptx_forms *const avx2[] = { PTX_LANE_FORMS(REFER_AVX2) };

static const struct ptx_lane_steps avx2_steps = {
    &ptx_bits_avx2, &ptx_compare_avx2, &ptx_convert_integers_avx2, &ptx_convert_floats_avx2,
};
#endif

static const struct ptx_forms *const others[] = {
    &ptx_shift_forms,
    &ptx_compare_forms,
    &ptx_convert_forms,
    &ptx_convert_byte_forms,
    &ptx_memory_forms,
    &ptx_space_forms,
    &ptx_atomic_forms,
    &ptx_warp_forms,
    &ptx_video_forms,
    &ptx_matrix_forms,
    &ptx_wmma_forms,
    &ptx_wgmma_forms,
    &ptx_async_forms,
    &ptx_bulk_forms,
    &ptx_texture_forms,
    &ptx_surface_forms,
    &ptx_texture_question_forms,
    &ptx_control_forms,
};

enum {
    LANE_TABLES = sizeof plain / sizeof *plain,
    TABLES = LANE_TABLES + sizeof others / sizeof *others
};

/* The tables and steps of this processor. */
static const struct ptx_forms *tables[TABLES];
static const struct ptx_lane_steps *lane_steps = &plain_steps;

/* Rows `from` to `to` - 1 include all those of an opcode, and perhaps others in between. */
static struct span {
    uint32_t from, to;
} spans[PTX_OPCODE_COUNT][TABLES];

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void choose_tables(void)
{
    memcpy(tables, plain, sizeof plain);
    memcpy(tables + LANE_TABLES, others, sizeof others);
#if RILL_HAVE_AVX2
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
        __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
        __builtin_cpu_supports("popcnt")) {
        memcpy(tables, avx2, sizeof avx2);
        lane_steps = &avx2_steps;
    }
#endif
}

static void index_tables(void)
{
    choose_tables();
    for (size_t t = 0; t < TABLES; t++)
        for (size_t i = 0; i < tables[t]->count; i++) {
            struct span *span = &spans[tables[t]->rows[i].opcode][t];
            if (span->to == 0) span->from = (uint32_t)i;
            span->to = (uint32_t)i + 1;
        }
}

const struct ptx_lane_steps *ptx_lane_steps(void)
{
    pthread_once(&once, index_tables);
    return lane_steps;
}

/* The state of a walk over the rows of an opcode. */
struct place {
    size_t table;
    uint32_t row;
};

static const struct ptx_form *next_row(enum ptx_opcode opcode, struct place *place)
{
    for (; place->table < TABLES; place->table++, place->row = 0) {
        const struct span *span = &spans[opcode][place->table];
        if (place->row < span->from) place->row = span->from;
        for (; place->row < span->to; place->row++) {
            const struct ptx_form *form = &tables[place->table]->rows[place->row];
            if (form->opcode != opcode) continue;
            place->row++;
            return form;
        }
    }
    return NULL;
}

static bool same_types(const struct ptx_form *form, const struct ptx_instruction *instruction)
{
    for (unsigned i = 0; i < 4; i++)
        if (form->types[i] != (i < instruction->type_count ? instruction->types[i] : PTX_NO_TYPE))
            return false;
    return true;
}

/* The modifiers that the row needs and the instruction lacks, and those that the row does not
 * know. */
struct difference {
    struct ptx_modifiers missing, foreign;
    unsigned count;
};

static struct difference compare_modifiers(const struct ptx_form *form,
                                           const struct ptx_modifiers *modifiers)
{
    struct difference difference = { .count = 0 };
    for (unsigned i = 0; i < PTX_MODIFIER_WORDS; i++) {
        uint64_t needs = form->needs.bits[i], is = modifiers->bits[i];
        difference.missing.bits[i] = needs & ~is;
        difference.foreign.bits[i] = is & ~(needs | form->allows.bits[i]);
        difference.count += (unsigned)__builtin_popcountll(difference.missing.bits[i]) +
                            (unsigned)__builtin_popcountll(difference.foreign.bits[i]);
    }
    return difference;
}

/* ---- Why there is none -------------------------------------------------------------------- */

struct sentence {
    char *text;
    size_t used;
};

enum { ROOM = 120 };

static void say_word(struct sentence *sentence, const char *before, const char *word)
{
    size_t left = ROOM - sentence->used;
    int written = snprintf(sentence->text + sentence->used, left, "%s%s", before, word);
    if (written > 0) sentence->used += (size_t)written < left ? (size_t)written : left - 1;
}

static void say_modifiers(struct sentence *sentence, const struct ptx_modifiers *set,
                          const char *between)
{
    const char *before = ".";
    for (unsigned m = 0; m < PTX_MODIFIER_COUNT; m++) {
        if (!ptx_has(set, (enum ptx_modifier)m)) continue;
        say_word(sentence, before, ptx_modifier_word((enum ptx_modifier)m));
        before = between;
    }
}

static void explain_types(const struct ptx_instruction *instruction, struct sentence *sentence)
{
    say_word(sentence, ptx_opcode_word(instruction->opcode), " has no form ");
    if (instruction->type_count == 0) {
        say_word(sentence, "without a type", "");
        return;
    }
    say_word(sentence, instruction->type_count > 1 ? "with types " : "with type ", "");
    for (uint32_t i = 0; i < instruction->type_count; i++)
        say_word(sentence, ".", ptx_type_word(instruction->types[i]));
}

/* Names every single modifier that would lead to a row: "one of .rn, .rz". */
static void explain_missing(const struct ptx_instruction *instruction,
                            struct sentence *sentence)
{
    struct ptx_modifiers any = { { 0 } };
    unsigned ways = 0;
    struct place place = { 0, 0 };
    for (const struct ptx_form *form; (form = next_row(instruction->opcode, &place));) {
        if (!same_types(form, instruction)) continue;
        struct difference difference = compare_modifiers(form, &instruction->modifiers);
        if (difference.count != 1) continue;
        for (unsigned i = 0; i < PTX_MODIFIER_WORDS; i++) any.bits[i] |= difference.missing.bits[i];
    }
    for (unsigned i = 0; i < PTX_MODIFIER_WORDS; i++)
        ways += (unsigned)__builtin_popcountll(any.bits[i]);
    say_word(sentence, "this needs ", ways > 1 ? "one of " : "");
    say_modifiers(sentence, &any, ", .");
}

static void explain_no_form(const struct ptx_instruction *instruction, char why[ROOM])
{
    struct sentence sentence = { why, 0 };
    struct difference nearest = { .count = 1000 };
    bool any = false;
    struct place place = { 0, 0 };
    why[0] = 0;
    for (const struct ptx_form *form; (form = next_row(instruction->opcode, &place));) {
        any = true;
        if (!same_types(form, instruction)) continue;
        struct difference difference = compare_modifiers(form, &instruction->modifiers);
        if (difference.count < nearest.count) nearest = difference;
    }
    struct ptx_modifiers none = { { 0 } };
    if (!any) {
        say_word(&sentence, ptx_opcode_word(instruction->opcode), " is not supported");
    } else if (nearest.count == 1000) {
        explain_types(instruction, &sentence);
    } else if (memcmp(&nearest.foreign, &none, sizeof none) != 0) {
        say_word(&sentence, ptx_opcode_word(instruction->opcode), " of this type cannot have ");
        say_modifiers(&sentence, &nearest.foreign, " and .");
    } else if (nearest.count == 1) {
        explain_missing(instruction, &sentence);
    } else {
        say_word(&sentence, "this needs ", "");
        say_modifiers(&sentence, &nearest.missing, " and .");
    }
}

uint32_t ptx_signature_operands(const char *signature)
{
    uint32_t count = 0;
    for (; *signature; signature++) count += *signature != '=' && *signature != 'c';
    return count;
}

/* Returns true if a row has as many operands as the instruction. */
static bool same_operands(const struct ptx_form *form, const struct ptx_instruction *instruction)
{
    return form->lower || ptx_signature_operands(form->signature) == instruction->operand_count;
}

/* If no row has as many operands, the first row is the answer: the caller says what is wrong
 * with them. */
const struct ptx_form *ptx_find_form(const struct ptx_instruction *instruction, char why[ROOM])
{
    pthread_once(&once, index_tables);
    struct place place = { 0, 0 };
    const struct ptx_form *first = NULL;
    for (const struct ptx_form *form; (form = next_row(instruction->opcode, &place));) {
        if (!same_types(form, instruction) ||
            compare_modifiers(form, &instruction->modifiers).count != 0)
            continue;
        if (same_operands(form, instruction)) return form;
        if (!first) first = form;
    }
    if (!first) explain_no_form(instruction, why);
    return first;
}
