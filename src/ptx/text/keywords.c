/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx/text/keywords.h"

#include <string.h>

struct word {
    const char *text;
    uint8_t bytes;
    uint8_t value;
};

#define WORD(text, value) { text, sizeof(text) - 1, value }

/* In the order of the enumerations, and sorted as well. */
static const struct word opcodes[] = {
#define PTX_OPCODE(name, word, fate) WORD(word, PTX_OP_##name),
#include "ptx/text/opcodes.def"
};

static const uint8_t fates[] = {
#define PTX_OPCODE(name, word, fate) fate,
#include "ptx/text/opcodes.def"
};

static const struct word modifiers[] = {
#define PTX_MODIFIER(name, word) WORD(word, PTX_MOD_##name),
#include "ptx/text/modifiers.def"
};

#define OTHER(text, n) WORD(text, PTX_TYPE_OTHER + (n))

/* Sorted by the words; the others are types of instructions that are refused. */
static const struct word types[] = {
    WORD("b1", PTX_B1), WORD("b128", PTX_B128), WORD("b16", PTX_B16), WORD("b32", PTX_B32),
    OTHER("b4x16", 0), OTHER("b4x16_p64", 1), WORD("b64", PTX_B64), OTHER("b6p2x16", 2),
    OTHER("b6x16_p32", 3), WORD("b8", PTX_B8), OTHER("b8x16", 4), WORD("bf16", PTX_BF16),
    WORD("bf16x2", PTX_BF16X2), OTHER("e2m1", 5), OTHER("e2m1x2", 6), OTHER("e2m1x4", 7),
    OTHER("e2m3", 8), OTHER("e2m3x2", 9), OTHER("e2m3x4", 10), OTHER("e3m2", 11),
    OTHER("e3m2x2", 12), OTHER("e3m2x4", 13), WORD("e4m3", PTX_E4M3), WORD("e4m3x2", PTX_E4M3X2),
    OTHER("e4m3x4", 14), WORD("e5m2", PTX_E5M2), WORD("e5m2x2", PTX_E5M2X2), OTHER("e5m2x4", 15),
    WORD("f16", PTX_F16), WORD("f16x2", PTX_F16X2), WORD("f32", PTX_F32), OTHER("f32x2", 16),
    WORD("f64", PTX_F64), WORD("pred", PTX_PRED), WORD("s16", PTX_S16), WORD("s16x2", PTX_S16X2),
    WORD("s2", PTX_S2), OTHER("s2f6x2", 17), WORD("s32", PTX_S32), WORD("s4", PTX_S4),
    WORD("s64", PTX_S64), WORD("s8", PTX_S8), OTHER("s8x4", 18), OTHER("samplerref", 19),
    WORD("surfref", PTX_SURFREF), WORD("texref", PTX_TEXREF), WORD("tf32", PTX_TF32),
    WORD("u16", PTX_U16), WORD("u16x2", PTX_U16X2), WORD("u2", PTX_U2), WORD("u32", PTX_U32),
    WORD("u4", PTX_U4), WORD("u64", PTX_U64), WORD("u8", PTX_U8), OTHER("u8x4", 22),
    OTHER("ue4m3", 23), OTHER("ue8m0", 24), OTHER("ue8m0x2", 25),
};

static const struct word spaces[] = {
    WORD("const", PTX_CONST), WORD("global", PTX_GLOBAL), WORD("local", PTX_LOCAL),
    WORD("param", PTX_PARAM), WORD("reg", PTX_REG),       WORD("shared", PTX_SHARED),
    WORD("sreg", PTX_SREG),
};

static const uint8_t type_bytes[] = {
    [PTX_B8] = 1,  [PTX_U8] = 1,     [PTX_S8] = 1,      [PTX_B16] = 2,   [PTX_U16] = 2,
    [PTX_S16] = 2, [PTX_F16] = 2,    [PTX_BF16] = 2,    [PTX_B32] = 4,   [PTX_U32] = 4,
    [PTX_S32] = 4, [PTX_F16X2] = 4,  [PTX_BF16X2] = 4,  [PTX_F32] = 4,   [PTX_U16X2] = 4,
    [PTX_S16X2] = 4, [PTX_B64] = 8,  [PTX_U64] = 8,     [PTX_S64] = 8,   [PTX_F64] = 8,
    [PTX_B128] = 16, [PTX_PRED] = 1,
};

/* ---- Searching ------------------------------------------------------------------------- */

#define COUNT(table) (sizeof(table) / sizeof(table)[0])

static int compare_word(const char *text, size_t bytes, const struct word *word)
{
    int order = memcmp(text, word->text, bytes < word->bytes ? bytes : word->bytes);
    if (order) return order;
    return bytes < word->bytes ? -1 : bytes > word->bytes;
}

/* Returns the word, or NULL if it is not in the table. */
static const struct word *find_word(const struct word *table, size_t count, const char *text,
                                    size_t bytes)
{
    size_t from = 0;
    while (from < count) {
        size_t middle = from + (count - from) / 2;
        int order = compare_word(text, bytes, &table[middle]);
        if (!order) return &table[middle];
        if (order < 0) count = middle;
        else from = middle + 1;
    }
    return NULL;
}

/* Returns the first word of a value in a table that is sorted by words. */
static const char *word_of(const struct word *table, size_t count, unsigned value)
{
    for (size_t i = 0; i < count; i++)
        if (table[i].value == value) return table[i].text;
    return "";
}

bool ptx_find_opcode(const char *word, size_t bytes, enum ptx_opcode *opcode)
{
    const struct word *found = find_word(opcodes, COUNT(opcodes), word, bytes);
    if (found) *opcode = (enum ptx_opcode)found->value;
    return found != NULL;
}

bool ptx_find_type(const char *word, size_t bytes, enum ptx_type *type)
{
    const struct word *found = find_word(types, COUNT(types), word, bytes);
    if (found) *type = (enum ptx_type)found->value;
    return found != NULL;
}

bool ptx_find_space(const char *word, size_t bytes, enum ptx_space *space)
{
    const struct word *found = find_word(spaces, COUNT(spaces), word, bytes);
    if (found) *space = (enum ptx_space)found->value;
    return found != NULL;
}

bool ptx_find_modifier(const char *word, size_t bytes, enum ptx_modifier *modifier)
{
    const struct word *found = bytes ? find_word(modifiers, COUNT(modifiers), word, bytes) : NULL;
    if (found) *modifier = (enum ptx_modifier)found->value;
    return found != NULL;
}

/* Reads a letter and a number of one to three digits; moves `word` past them. */
static bool read_extent(const char **word, const char *end, char letter, uint16_t *extent)
{
    const char *at = *word;
    unsigned value = 0;
    if (at == end || *at++ != letter) return false;
    for (; at < end && *at >= '0' && *at <= '9' && value < 100; at++)
        value = value * 10 + (unsigned)(*at - '0');
    *word = at;
    *extent = (uint16_t)value;
    return value != 0;
}

bool ptx_find_shape(const char *word, size_t bytes, struct ptx_shape *shape)
{
    const char *end = word + bytes;
    shape->k = 0;
    return read_extent(&word, end, 'm', &shape->m) && read_extent(&word, end, 'n', &shape->n) &&
           (word == end || (read_extent(&word, end, 'k', &shape->k) && word == end));
}

/* ---- The way back ---------------------------------------------------------------------- */

const char *ptx_opcode_word(enum ptx_opcode opcode)
{
    return opcode < PTX_OPCODE_COUNT ? opcodes[opcode].text : "";
}

const char *ptx_modifier_word(enum ptx_modifier modifier)
{
    return modifier < PTX_MODIFIER_COUNT ? modifiers[modifier].text : "";
}

const char *ptx_type_word(enum ptx_type type)
{
    return word_of(types, COUNT(types), type);
}

const char *ptx_space_word(enum ptx_space space)
{
    return space == PTX_GENERIC ? "" : word_of(spaces, COUNT(spaces), space);
}

enum ptx_fate ptx_opcode_fate(enum ptx_opcode opcode)
{
    return opcode < PTX_OPCODE_COUNT ? (enum ptx_fate)fates[opcode] : PTX_REFUSED;
}

uint32_t ptx_type_bytes(enum ptx_type type)
{
    return type < COUNT(type_bytes) ? type_bytes[type] : 0;
}
