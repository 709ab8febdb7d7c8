/* SPDX-License-Identifier: Apache-2.0
 *
 * The words of PTX: opcodes, types, state spaces and whatever else can follow the dots of an
 * instruction.  Each is a small number from here on.
 *
 * An instruction is an opcode, at most four types in the order in which they were
 * written, and a set of modifiers, whose order has no meaning.
 */
#ifndef PTX_TEXT_KEYWORDS_H
#define PTX_TEXT_KEYWORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Every opcode of the ISA, including those that are refused (opcodes.def). */
enum ptx_opcode {
#define PTX_OPCODE(name, word, fate) PTX_OP_##name,
#include "ptx/text/opcodes.def"
    PTX_OPCODE_COUNT
};

/* What becomes of an instruction. */
enum ptx_fate {
    PTX_RUNS,
    PTX_RUNS_PARTLY, /* some of its forms run, kernels with others cannot: words that are not
                        known, and forms that no table has, are not supported */
    PTX_REFUSED /* kernels that may come to it cannot run, and say so */
};

enum ptx_type {
    PTX_NO_TYPE,
    PTX_B8, PTX_B16, PTX_B32, PTX_B64, PTX_B128,
    PTX_U8, PTX_U16, PTX_U32, PTX_U64,
    PTX_S8, PTX_S16, PTX_S32, PTX_S64,
    PTX_F16, PTX_F16X2, PTX_BF16, PTX_BF16X2, PTX_F32, PTX_F64,
    PTX_U16X2, PTX_S16X2,
    PTX_PRED,
    /* No register has these: of cvt.pack, of matrices and of conversions. */
    PTX_U4, PTX_S4, PTX_U2, PTX_S2,
    PTX_B1, PTX_TF32, PTX_E4M3, PTX_E5M2, PTX_E4M3X2, PTX_E5M2X2,
    PTX_TYPE_OTHER, /* and on: .e2m1, .s2f6x2, ...: of instructions that are refused */
    PTX_SURFREF = PTX_TYPE_OTHER + 20, /* of variables alone, and names of surfaces ... */
    PTX_TEXREF                         /* ... and textures                              */
};

/* The shape of a matrix instruction, .m16n8k16; k is 0 in .m8n8. */
struct ptx_shape {
    uint16_t m, n, k;
};

enum ptx_space {
    PTX_REG, PTX_SREG, PTX_CONST, PTX_GLOBAL, PTX_LOCAL, PTX_PARAM, PTX_SHARED,
    PTX_GENERIC /* none is said */
};

/* The other words that follow dots (modifiers.def): .rn, .ftz, .lo, .sync, .lt, ... */
enum ptx_modifier {
#define PTX_MODIFIER(name, word) PTX_MOD_##name,
#include "ptx/text/modifiers.def"
    PTX_MODIFIER_COUNT
};

#define PTX_MODIFIER_WORDS 4

struct ptx_modifiers {
    uint64_t bits[PTX_MODIFIER_WORDS];
};

_Static_assert(PTX_MODIFIER_COUNT <= 64 * PTX_MODIFIER_WORDS, "a set has a bit for each modifier");

static inline bool ptx_has(const struct ptx_modifiers *set, enum ptx_modifier modifier)
{
    return set->bits[modifier / 64] >> (modifier % 64) & 1;
}

static inline void ptx_add(struct ptx_modifiers *set, enum ptx_modifier modifier)
{
    set->bits[modifier / 64] |= UINT64_C(1) << (modifier % 64);
}

/* Return words as they are written, "add", "f16x2", "global", "rn", and find them again; a
 * word need not end with a zero.  The finders return false if there is no such word. */
const char *ptx_opcode_word(enum ptx_opcode opcode);
const char *ptx_type_word(enum ptx_type type);
const char *ptx_space_word(enum ptx_space space);
const char *ptx_modifier_word(enum ptx_modifier modifier);
bool ptx_find_opcode(const char *word, size_t bytes, enum ptx_opcode *opcode);
bool ptx_find_type(const char *word, size_t bytes, enum ptx_type *type);
bool ptx_find_space(const char *word, size_t bytes, enum ptx_space *space);
bool ptx_find_modifier(const char *word, size_t bytes, enum ptx_modifier *modifier);
bool ptx_find_shape(const char *word, size_t bytes, struct ptx_shape *shape);
enum ptx_fate ptx_opcode_fate(enum ptx_opcode opcode);

/* Returns the bytes of a value; 1 for a predicate. */
uint32_t ptx_type_bytes(enum ptx_type type);

#endif
