/* SPDX-License-Identifier: Apache-2.0
 *
 * Forms: which instructions there are.
 *
 * A row says what an instruction with these types may look like and which function takes
 * its step.  The lowering finds the row, checks the operands against its signature,
 * gives them columns and writes the step; there is no other list of what is possible.
 *
 * A row serves an instruction if opcode and types are the same, all of `needs` are among
 * its modifiers, all other modifiers are among `allows`, and there are as many operands as
 * the signature has (min of two, min of three).  Of several rows the first wins.  Rounding
 * (.rn .rz .rm .rp) and .sat of floats take part in row selection only if listed in
 * `needs`: if `allows` has a rounding, the lowering sets the step's, and if it has .sat the
 * lowering adds a step that clamps to 0 and 1.
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
 * and '=' precedes a destination.  A destination goes to d (p|q: d and e), sources
 * to a, b, c, e in their order.  What does not fit (memory, calls, branches, vectors) has
 * `lower` instead, a function of its own in the room lower.
 */
#ifndef PTX_STEP_FORM_H
#define PTX_STEP_FORM_H

#include "ptx/run/machine.h"
#include "ptx/run/vectorize.h"

struct ptx_lowering;

/* Some lanes of a step, as rows of `width` lanes: where d and its sources a, b, c are.  Lanes of a
 * row are one after the other; a source that is one number for a row is read once. */
struct ptx_strip {
    unsigned char *first[4];
    ptrdiff_t pitch[4];
    uint32_t width, rows;
};

typedef void ptx_strip_run(const struct ptx_strip *strip);

/* What a step does with the number that the one before it leaves, if nobody else reads that: such
 * steps are a flow, whose number stays in a register of the machine.  x is that number, p and q are
 * the other sources in their order. */
enum ptx_flow_way {
    PTX_FLOW_BEGIN,                                      /* p                              */
    PTX_FLOW_ADD, PTX_FLOW_SUB, PTX_FLOW_FROM,           /* x + p, x - p, p - x            */
    PTX_FLOW_MUL, PTX_FLOW_SCALE, PTX_FLOW_MORE,         /* x * p, x * p + q, p * q + x    */
    PTX_FLOW_WAY = 7,
    PTX_FLOW_FTZ = 8,                                    /* the same with .ftz             */
    PTX_FLOW_ONE_P = 16, PTX_FLOW_ONE_Q = 32             /* p or q is one number for a row */
};
#define PTX_FLOW_HAS_Q(way) (((way) & PTX_FLOW_WAY) >= PTX_FLOW_SCALE)

#define PTX_FLOW_STEPS 33
#define PTX_FLOW_SOURCES (2 * PTX_FLOW_STEPS)

struct ptx_flow_source {
    const unsigned char *first;
    ptrdiff_t pitch;
    bool one;                    /* for each row                                       */
};

/* Rows of lanes that take the steps of a flow, the first of which begins with its p. */
struct ptx_flow {
    unsigned char *first;        /* where the last step's result goes                  */
    ptrdiff_t pitch;
    uint32_t width, rows;
    bool apart;                  /* nothing is written that is read                    */
    uint32_t count, source_count;
    uint8_t ways[PTX_FLOW_STEPS];
    struct ptx_flow_source sources[PTX_FLOW_SOURCES]; /* of all steps                  */
};

/* A step of numbers of 4 bytes over a strip, by which of its sources are one number for a row: bit
 * 0 for a, 1 for b, 2 for c; and what it does in a flow, by the source that comes with it. */
struct ptx_strips {
    ptx_strip_run *by_same[8];
    uint8_t ways[3];             /* enum ptx_flow_way                                  */
    void (*flow)(const struct ptx_flow *flow); /* or NULL: it is in none                */
};


struct ptx_form {
    enum ptx_opcode opcode;
    enum ptx_type types[4];
    uint8_t kind;             /* into the step                                         */
    struct ptx_modifiers needs, allows;
    const char *signature;
    ptx_run *run;
    const struct ptx_strips *strips; /* the same over strips; or none                   */
    rill_status (*lower)(struct ptx_lowering *lowering, const struct ptx_instruction *instruction,
                         const struct ptx_form *form);
};

struct ptx_forms {
    const struct ptx_form *rows;
    size_t count;
};

/* The tables, one for each of these files; lower/forms.c has the list of them.  The files are
 * nothing but loops over lanes, and are compiled a second time for processors with AVX2 and
 * FMA (local.mk): the second table has the same rows in the same order, with other functions. */
#define PTX_LANE_FORMS(each)                                                               \
    each(integer) /* integer.c: add, mul, mad, div, min, max                            */ \
    each(bits)    /* bits.c: logic, funnel shifts, lop3                                 */ \
    each(fields)  /* fields.c: bfe, popc, prmt, ...                                     */ \
    each(carry)   /* carry.c: carries, dp4a                                              */ \
    each(select)  /* select.c: selp, slct, mov of scalars                               */ \
    each(single)  /* single.c: f32                                                      */ \
    each(min_max) /* min_max.c: min and max of f32 and f64                                */ \
    each(double)  /* double.c: f64                                                      */ \
    each(half)    /* half.c: f16, bf16 and their pairs                                  */ \
    each(transcendental) /* transcendental.c: sin, ex2, rsqrt, ...                      */

#define PTX_DECLARE_FORMS(name) extern const struct ptx_forms ptx_##name##_forms;
PTX_LANE_FORMS(PTX_DECLARE_FORMS)
#define PTX_DECLARE_AVX2_FORMS(name) extern const struct ptx_forms ptx_##name##_forms_avx2;
PTX_LANE_FORMS(PTX_DECLARE_AVX2_FORMS)

#ifdef PTX_AVX2
#define ptx_integer_forms ptx_integer_forms_avx2
#define ptx_bits_forms ptx_bits_forms_avx2
#define ptx_fields_forms ptx_fields_forms_avx2
#define ptx_carry_forms ptx_carry_forms_avx2
#define ptx_select_forms ptx_select_forms_avx2
#define ptx_single_forms ptx_single_forms_avx2
#define ptx_min_max_forms ptx_min_max_forms_avx2
#define ptx_double_forms ptx_double_forms_avx2
#define ptx_half_forms ptx_half_forms_avx2
#define ptx_transcendental_forms ptx_transcendental_forms_avx2
#define ptx_take_flow ptx_take_flow_avx2
#endif

/* Takes a flow of steps of f32 (flow.c), which is also compiled twice. */
void ptx_take_flow(const struct ptx_flow *flow);

/* Sets of modifiers for the tables: PTX_SET(RN, FTZ), PTX_SET(NOTHING); up to 24 of them. */
#define PTX_BIT(word, m) ((m) && (m) / 64 == (word) ? UINT64_C(1) << ((m) % 64) : 0)
#define PTX_BITS(word, a, b, c, d, e, f, g, h, ...) \
    (PTX_BIT(word, PTX_MOD_##a) | PTX_BIT(word, PTX_MOD_##b) | PTX_BIT(word, PTX_MOD_##c) | \
     PTX_BIT(word, PTX_MOD_##d) | PTX_BIT(word, PTX_MOD_##e) | PTX_BIT(word, PTX_MOD_##f) | \
     PTX_BIT(word, PTX_MOD_##g) | PTX_BIT(word, PTX_MOD_##h))
#define PTX_24_BITS(word, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, \
                    x, ...) \
    (PTX_BITS(word, a, b, c, d, e, f, g, h, 0) | PTX_BITS(word, i, j, k, l, m, n, o, p, 0) | \
     PTX_BITS(word, q, r, s, t, u, v, w, x, 0))
#define PTX_8_NONE NOTHING, NOTHING, NOTHING, NOTHING, NOTHING, NOTHING, NOTHING, NOTHING
#define PTX_PADDED PTX_8_NONE, PTX_8_NONE, PTX_8_NONE
#define PTX_SET(...) PTX_SET_(__VA_ARGS__, PTX_PADDED)
#define PTX_SET_(...) \
    { { PTX_24_BITS(0, __VA_ARGS__, 0), PTX_24_BITS(1, __VA_ARGS__, 0), \
        PTX_24_BITS(2, __VA_ARGS__, 0), PTX_24_BITS(3, __VA_ARGS__, 0) } }

#endif
