/* SPDX-License-Identifier: Apache-2.0
 *
 * Forms: which instructions there are.
 *
 * A row says what an instruction with these types may look like and which function takes
 * its step.  The lowering finds the row, checks the operands against its signature,
 * gives them columns and writes the step; there is no other list of what is possible.
 *
 * A row serves an instruction when opcode and types are the same, all of `needs` are
 * among its modifiers, and no other modifiers are but those of `allows`.  Of several rows
 * the first wins.  Rounding (.rn .rz .rm .rp) and .sat of floats are no matter of rows
 * but where they are in `needs`: where `allows` has a rounding, the lowering sets the
 * step's, and where it has .sat the lowering adds a step that clamps to 0 and 1.
 *
 * Signatures have a letter for each operand, destinations first, as they are written:
 *
 *     0 1 2 3   of the instruction's types[n]          w   twice as wide as types[0]
 *     p         a predicate                            q   p, or p|q
 *     u         .u32 (also an address, a count)        n   an integer constant, into
 *     x         .b64                                       `immediate`
 *     P         a predicate source that may be negated (negating it is the lowering's)
 *     c         the carry flag: no operand of the text but a predicate's column, the same
 *               for all instructions of the frame, into `e`; read, written or both
 *
 * and '=' stands before a destination.  A destination goes to d (p|q: d and e), sources
 * to a, b, c, e in their order.  What does not fit (memory, calls, branches, vectors) has
 * `lower` instead, a function of its own in lower_*.c.
 */
#ifndef PTX_FORM_H
#define PTX_FORM_H

#include "ptx/crew.h"

struct ptx_lowering;

struct ptx_form {
    enum ptx_opcode opcode;
    enum ptx_type types[4];
    uint8_t kind;             /* into the step                                         */
    struct ptx_modifiers needs, allows;
    const char *signature;
    ptx_run *run;
    rill_status (*lower)(struct ptx_lowering *lowering, const struct ptx_instruction *instruction,
                         const struct ptx_form *form);
};

struct ptx_forms {
    const struct ptx_form *rows;
    size_t count;
};

/* The tables, one for each file of steps; forms.c has the list of them. */
extern const struct ptx_forms ptx_integer_forms;  /* integer.c: add, mul, mad, div, min, max */
extern const struct ptx_forms ptx_bits_forms;     /* bits.c: logic, shifts, lop3            */
extern const struct ptx_forms ptx_fields_forms;   /* fields.c: bfe, popc, prmt, ...         */
extern const struct ptx_forms ptx_wide_forms;     /* wide.c: carries, dp4a                  */
extern const struct ptx_forms ptx_compare_forms;  /* compare.c: setp, set, selp, slct       */
extern const struct ptx_forms ptx_convert_forms;  /* convert.c: cvt, mov of scalars         */
extern const struct ptx_forms ptx_single_forms;   /* single.c: f32                          */
extern const struct ptx_forms ptx_double_forms;   /* double.c: f64                          */
extern const struct ptx_forms ptx_half_forms;     /* half.c: f16, bf16 and their pairs      */
extern const struct ptx_forms ptx_special_forms;  /* transcendental.c: sin, ex2, rsqrt, ... */
extern const struct ptx_forms ptx_memory_forms;   /* access.c: ld, st, cvta, isspacep       */
extern const struct ptx_forms ptx_atomic_forms;   /* atomic.c: atom, red, fences            */
extern const struct ptx_forms ptx_warp_forms;     /* warp.c: shfl, vote, match, activemask  */
extern const struct ptx_forms ptx_control_forms;  /* control.c: bra, call, ret, exit, bar   */

/* NULL: there is none; `why` says what is wrong with the nearest one. */
const struct ptx_form *ptx_find_form(const struct ptx_instruction *instruction,
                                     char why[120]);

/* Loops over lanes are worth vectors at -O2, too. */
#if defined __OPTIMIZE__ && !defined __clang__
#pragma GCC optimize("tree-vectorize", "vect-cost-model=dynamic")
#endif

/* Sets of modifiers for the tables: PTX_SET(RN, FTZ), PTX_SET(NOTHING). */
#define PTX_BIT(word, m) ((m) && (m) / 64 == (word) ? UINT64_C(1) << ((m) % 64) : 0)
#define PTX_BITS(word, a, b, c, d, e, f, g, h, ...) \
    (PTX_BIT(word, PTX_MOD_##a) | PTX_BIT(word, PTX_MOD_##b) | PTX_BIT(word, PTX_MOD_##c) | \
     PTX_BIT(word, PTX_MOD_##d) | PTX_BIT(word, PTX_MOD_##e) | PTX_BIT(word, PTX_MOD_##f) | \
     PTX_BIT(word, PTX_MOD_##g) | PTX_BIT(word, PTX_MOD_##h))
#define PTX_PADDED NOTHING, NOTHING, NOTHING, NOTHING, NOTHING, NOTHING, NOTHING, NOTHING
#define PTX_SET(...) PTX_SET_(__VA_ARGS__, PTX_PADDED)
#define PTX_SET_(...) \
    { { PTX_BITS(0, __VA_ARGS__, 0), PTX_BITS(1, __VA_ARGS__, 0), PTX_BITS(2, __VA_ARGS__, 0) } }

#endif
