/* SPDX-License-Identifier: Apache-2.0 */
#include "steps.h"

#include <config.h>
#include <fenv.h>
#include <stdio.h>
#include <string.h>

#if RILL_HAVE_AVX2
#define EACH_TABLE(name) { &ptx_##name##_forms, &ptx_##name##_forms_avx2 }
#else
#define EACH_TABLE(name) { &ptx_##name##_forms, NULL }
#endif

static const struct ptx_forms *const tables[][2] = {
    EACH_TABLE(single), EACH_TABLE(min_max), EACH_TABLE(double), EACH_TABLE(half),
    EACH_TABLE(transcendental),
};

static const char *const opcodes[] = {
#define PTX_OPCODE(name, word, fate) word,
#include "ptx/text/opcodes.def"
};

static const char *const modifiers[] = {
#define PTX_MODIFIER(name, word) word,
#include "ptx/text/modifiers.def"
};

static const struct {
    const char *word;
    enum ptx_type type;
    unsigned bytes;
} types[] = {
    { "f16", PTX_F16, 2 },   { "f16x2", PTX_F16X2, 4 }, { "bf16", PTX_BF16, 2 },
    { "bf16x2", PTX_BF16X2, 4 }, { "f32", PTX_F32, 4 }, { "f64", PTX_F64, 8 },
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

bool steps_has(enum steps_set set)
{
#if RILL_HAVE_AVX2
    return set == STEPS_PLAIN || (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"));
#else
    return set == STEPS_PLAIN;
#endif
}

/* ---- Instructions -------------------------------------------------------------------- */

static bool read_word(struct ptx_instruction *instruction, const char *word)
{
    for (size_t i = 0; i < COUNT(types); i++)
        if (!strcmp(word, types[i].word)) {
            instruction->types[instruction->type_count++] = types[i].type;
            return true;
        }
    for (size_t i = 1; i < COUNT(modifiers); i++)
        if (!strcmp(word, modifiers[i])) {
            ptx_add(&instruction->modifiers, (enum ptx_modifier)i);
            return true;
        }
    return false;
}

static void read_instruction(const char *text, struct ptx_instruction *instruction)
{
    *instruction = (struct ptx_instruction){ .guard = PTX_NONE };
    char words[64];
    assert_true(strlen(text) < sizeof words);
    strcpy(words, text);
    char *rest = NULL, *word = strtok_r(words, ".", &rest);
    size_t opcode = 0;
    while (opcode < COUNT(opcodes) && strcmp(word, opcodes[opcode])) opcode++;
    if (opcode == COUNT(opcodes)) fail_msg("no instruction: %s", text);
    instruction->opcode = (enum ptx_opcode)opcode;
    while ((word = strtok_r(NULL, ".", &rest)))
        if (!read_word(instruction, word)) fail_msg("no word: .%s in %s", word, text);
}

/* An instruction with operand_count 0 may have any. */
static bool serves(const struct ptx_form *row, const struct ptx_instruction *instruction)
{
    const uint32_t operands = (uint32_t)strlen(row->signature) - 1;
    if (instruction->operand_count && instruction->operand_count != operands) return false;
    if (row->opcode != instruction->opcode ||
        memcmp(row->types, instruction->types, sizeof row->types) != 0)
        return false;
    for (int i = 0; i < 3; i++) {
        const uint64_t has = instruction->modifiers.bits[i];
        if (row->needs.bits[i] & ~has) return false;
        if (has & ~row->needs.bits[i] & ~row->allows.bits[i]) return false;
    }
    return true;
}

static const struct ptx_form *find(const struct ptx_instruction *instruction, enum steps_set set)
{
    for (size_t i = 0; i < COUNT(tables); i++) {
        const struct ptx_forms *table = tables[i][set];
        for (size_t row = 0; row < table->count; row++)
            if (serves(&table->rows[row], instruction)) return &table->rows[row];
    }
    return NULL;
}

const struct ptx_form *steps_find(const char *text, enum steps_set set)
{
    struct ptx_instruction instruction;
    read_instruction(text, &instruction);
    return find(&instruction, set);
}

/* ---- Running ------------------------------------------------------------------------- */

static unsigned bytes_of(enum ptx_type type)
{
    for (size_t i = 0; i < COUNT(types); i++)
        if (types[i].type == type) return types[i].bytes;
    fail_msg("no size of type %d", type);
    return 0;
}

/* Sizes of d, a, b, c; 0 where there is none. */
static void sizes_of(const struct ptx_form *row, unsigned bytes[4])
{
    memset(bytes, 0, 4 * sizeof *bytes);
    unsigned at = 0;
    for (const char *letter = row->signature; *letter; letter++) {
        if (*letter == '=') continue;
        assert_true(at < 4);
        bytes[at++] = *letter == 'p' ? 1 : bytes_of(row->types[*letter - '0']);
    }
}

static int rounding_of(const struct ptx_modifiers *set, struct ptx_step *step)
{
    static const struct {
        enum ptx_modifier modifier;
        enum ptx_rounding rounding;
        int mode;
    } all[] = { { PTX_MOD_RZ, PTX_ROUND_ZERO, FE_TOWARDZERO },
                { PTX_MOD_RM, PTX_ROUND_DOWN, FE_DOWNWARD },
                { PTX_MOD_RP, PTX_ROUND_UP, FE_UPWARD } };
    for (size_t i = 0; i < COUNT(all); i++)
        if (ptx_has(set, all[i].modifier)) {
            step->flags |= PTX_STEP_ROUNDED;
            step->rounding = (uint8_t)all[i].rounding;
            return all[i].mode;
        }
    return FE_TONEAREST;
}

static void take(const struct ptx_form *row, struct ptx_group *group, struct ptx_step *step,
                 const struct ptx_modifiers *set)
{
    const int mode = rounding_of(set, step);
    step->kind = row->kind;
    step->run = row->run;
    if (mode != FE_TONEAREST) fesetround(mode);
    step->run(group, step);
    if (mode != FE_TONEAREST) fesetround(FE_TONEAREST);
}

static void apply_some(const struct ptx_instruction *instruction, const struct ptx_form *row,
                       size_t count, const struct steps_lanes *lanes, char alias, void *d,
                       const void *const from[4])
{
    static _Alignas(64) unsigned char columns[4][8 * PTX_BUNDLE];
    unsigned bytes[4];
    sizes_of(row, bytes);
    assert_true(count <= PTX_BUNDLE);

    const uint32_t to = alias ? (uint32_t)(alias - 'a') + 1 : 0;
    if (!alias) memcpy(columns[0], d, count * bytes[0]);
    for (unsigned i = 1; i < 4; i++)
        if (bytes[i]) memcpy(columns[i], from[i], count * bytes[i]);
    const struct ptx_range all = { 0, (uint32_t)count };
    struct ptx_group group = { .columns = columns[0], .lanes = PTX_BUNDLE,
                               .range_count = lanes ? lanes->count : 1,
                               .ranges = lanes ? lanes->ranges : &all };
    struct ptx_step step = { .d = to * 8, .a = 8, .b = 16, .c = 24, .e = PTX_NO_COLUMN };
    take(row, &group, &step, &instruction->modifiers);
    memcpy(d, columns[to], count * bytes[0]);
}

void steps_apply_some(const char *text, enum steps_set set, size_t count,
                      const struct steps_lanes *lanes, char alias, void *d, const void *a,
                      const void *b, const void *c)
{
    struct ptx_instruction instruction;
    read_instruction(text, &instruction);
    const struct ptx_form *row = find(&instruction, set);
    if (!row) fail_msg("no form: %s", text);
    apply_some(&instruction, row, count, lanes, alias, d, (const void *[]){ NULL, a, b, c });
}

void steps_apply_of(const char *text, enum steps_set set, int sources, size_t count, void *d,
                    const void *a, const void *b, const void *c)
{
    struct ptx_instruction instruction;
    read_instruction(text, &instruction);
    instruction.operand_count = sources ? 1 + (uint32_t)sources : 0;
    const struct ptx_form *row = find(&instruction, set);
    if (!row) fail_msg("no form: %s", text);
    unsigned bytes[4];
    sizes_of(row, bytes);
    const char *from[4] = { NULL, a, b, c };
    for (size_t at = 0; at < count; at += PTX_BUNDLE) {
        const size_t some = count - at < PTX_BUNDLE ? count - at : PTX_BUNDLE;
        const void *part[4] = { NULL };
        for (int i = 1; i < 4; i++) part[i] = from[i] ? from[i] + at * bytes[i] : NULL;
        apply_some(&instruction, row, some, NULL, 0, (char *)d + at * bytes[0], part);
    }
}

void steps_apply(const char *text, enum steps_set set, size_t count, void *d, const void *a,
                 const void *b, const void *c)
{
    steps_apply_of(text, set, 0, count, d, a, b, c);
}
