/* SPDX-License-Identifier: Apache-2.0
 *
 * cvt.
 *
 * There are some four hundred conversions.  Each is a chain of a few steps, mostly one,
 * that lead from type to type; the most frequent conversions are single steps.
 */
#include "ptx/lower/forms.h"
#include "ptx/lower/lowering.h"
#include "ptx/step/convert.h"

#define INVALID RILL_ERROR_INVALID_PTX

/* ---- Chains ---------------------------------------------------------------------------- */

/* Steps, each of which takes the result of the one before. */
struct chain {
    struct {
        ptx_run *run;
        uint8_t bytes, kind; /* of what it makes; its rounding                            */
    } links[12];
    unsigned count;
    enum ptx_type at;        /* what the last one made                                    */
};

static void add_link(struct chain *chain, ptx_run *run, enum ptx_type to, int kind)
{
    chain->links[chain->count].run = run;
    chain->links[chain->count].bytes = (uint8_t)ptx_type_bytes(to);
    chain->links[chain->count].kind = (uint8_t)kind;
    chain->count++;
    chain->at = to;
}

/* What an instruction asks for. */
struct wish {
    enum ptx_type to, from;
    int rounding, whole;   /* enum ptx_rounding; -1: none is said                         */
    bool ftz, sat, relu, finite;
};

static bool is_integer(enum ptx_type type)
{
    return type >= PTX_U8 && type <= PTX_S64;
}

static unsigned index_of_integer(enum ptx_type integer)
{
    return (unsigned)(integer - PTX_U8);
}

static bool is_signed_integer(enum ptx_type integer)
{
    return integer >= PTX_S8;
}

static void from_integer(struct chain *chain, const struct wish *wish)
{
    const struct ptx_integer_conversions *integers = ptx_lane_steps()->integers;
    const struct ptx_float_conversions *floats = ptx_lane_steps()->floats;
    const unsigned from = index_of_integer(wish->from);
    const bool nearest = wish->rounding == PTX_ROUND_NEAREST;
    if (is_integer(wish->to)) {
        const unsigned to = index_of_integer(wish->to);
        add_link(chain, wish->sat ? integers->clamped[to][from] : integers->kept[to][from],
                 wish->to, 0);
        return;
    }
    if (nearest && wish->to == PTX_F64) {
        add_link(chain, integers->to_double[from], PTX_F64, 0);
        return;
    }
    /* f32 holds every integer that is not too large for f16, and all integers of 16 bits. */
    if (nearest && (wish->to == PTX_F32 || wish->to == PTX_F16 ||
                    ptx_type_bytes(wish->from) <= 2)) {
        add_link(chain, integers->to_single[from], PTX_F32, 0);
        if (wish->to == PTX_F16) add_link(chain, floats->single_to_half, PTX_F16, 0);
        if (wish->to == PTX_BF16) add_link(chain, floats->single_to_bfloat, PTX_BF16, 0);
        return;
    }
    const enum ptx_type wide = is_signed_integer(wish->from) ? PTX_S64 : PTX_U64;
    if (wish->from != wide) add_link(chain, integers->kept[index_of_integer(wide)][from], wide, 0);
    ptx_run *const *encode = wish->to == PTX_F16    ? floats->half_of
                             : wish->to == PTX_BF16 ? floats->bfloat_of
                             : wish->to == PTX_F32  ? floats->single_of
                                                    : floats->double_of;
    add_link(chain, encode[is_signed_integer(wish->from)], wish->to, wish->rounding);
}

/* Adds the step from f32 or f64 to a narrower format. */
static void add_narrowing(struct chain *chain, const struct wish *wish)
{
    const struct ptx_float_conversions *floats = ptx_lane_steps()->floats;
    /* What was rounded to a whole number has no rounding of its own here and needs none. */
    const int rounding = wish->rounding < 0 ? PTX_ROUND_NEAREST : wish->rounding;
    const bool nearest = rounding == PTX_ROUND_NEAREST, single = chain->at == PTX_F32;
    ptx_run *run;
    if (wish->to == PTX_F32)
        run = nearest ? floats->double_to_single : floats->double_to_single_rounded;
    else if (wish->to == PTX_F16)
        run = !single   ? floats->double_to_half_rounded
              : nearest ? floats->single_to_half
                        : floats->single_to_half_rounded;
    else
        run = !single   ? floats->double_to_bfloat_rounded
              : nearest ? floats->single_to_bfloat
                        : floats->single_to_bfloat_rounded;
    add_link(chain, run, wish->to, rounding);
}

static void from_float(struct chain *chain, const struct wish *wish)
{
    const struct ptx_float_conversions *floats = ptx_lane_steps()->floats;
    const struct ptx_integer_conversions *integers = ptx_lane_steps()->integers;
    const bool integer = is_integer(wish->to);
    const bool same = wish->to == wish->from && wish->whole < 0;
    if (wish->from == PTX_F32 && wish->ftz && !same)
        add_link(chain, floats->settle_single, PTX_F32, 0);
    if (wish->from == PTX_F16 || wish->from == PTX_BF16) {
        if (same) {
            add_link(chain, wish->to == PTX_F16 ? floats->same_half : floats->same_bfloat,
                     wish->to, 0);
            return;
        }
        if (wish->from == PTX_F16 && wish->to == PTX_F64 && wish->whole < 0) {
            add_link(chain, floats->half_to_double, PTX_F64, 0);
            return;
        }
        add_link(chain, wish->from == PTX_F16 ? floats->half_to_single : floats->bfloat_to_single,
                 PTX_F32, 0);
    }
    /* A conversion to an integer rounds towards zero by itself. */
    if (wish->whole >= 0 && !(integer && wish->whole == PTX_ROUND_ZERO)) {
        const bool is_double = chain->at == PTX_F64;
        add_link(chain, (is_double ? floats->whole_double : floats->whole_single)[wish->whole],
                 chain->at, 0);
    }
    if (integer) {
        const unsigned to = index_of_integer(wish->to);
        add_link(chain, chain->at == PTX_F64 ? integers->of_double[to] : integers->of_single[to],
                 wish->to, 0);
    } else if (chain->at == PTX_F32 && wish->to == PTX_F64) {
        add_link(chain, floats->single_to_double, PTX_F64, 0);
    } else if (chain->at != wish->to) {
        add_narrowing(chain, wish);
    } else if (same) {
        add_link(chain, wish->to == PTX_F64 ? floats->same_double : floats->same_single, wish->to,
                 0);
    }
}

/* Adds what modifiers ask of a result that is a float. */
static void add_finish(struct chain *chain, const struct wish *wish)
{
    const struct ptx_float_conversions *floats = ptx_lane_steps()->floats;
    const enum ptx_type to = wish->to;
    if (wish->ftz && to == PTX_F32 && !is_integer(wish->from))
        add_link(chain, wish->from == PTX_F64 ? floats->flush_single : floats->settle_single, to,
                 0);
    if (wish->finite)
        add_link(chain, to == PTX_F16 ? floats->finite_half : floats->finite_bfloat, to, 0);
    if (wish->relu) add_link(chain, floats->positive_16, to, 0);
    if (!wish->sat || is_integer(to)) return;
    if (to == PTX_F16) add_link(chain, floats->clamp_half, to, 0);
    if (to == PTX_F32) add_link(chain, floats->clamp_single, to, 0);
    if (to == PTX_F64) add_link(chain, floats->clamp_double, to, 0);
}

static enum ptx_type unsigned_of(uint32_t bytes)
{
    return bytes == 8 ? PTX_U64 : bytes == 4 ? PTX_U32 : bytes == 2 ? PTX_U16 : PTX_U8;
}

/* Drops the excess of a wider register, or extends a value: with the sign if the integer is
 * signed. */
static void add_resize(struct chain *chain, enum ptx_type to, enum ptx_type from)
{
    const uint32_t to_bytes = ptx_type_bytes(to), from_bytes = ptx_type_bytes(from);
    if (to_bytes == from_bytes) return;
    const enum ptx_type filled = is_integer(from) ? from : unsigned_of(from_bytes);
    const struct ptx_integer_conversions *integers = ptx_lane_steps()->integers;
    add_link(chain,
             integers->kept[index_of_integer(unsigned_of(to_bytes))][index_of_integer(filled)],
             to, 0);
}

/* Plans the chain from a register of `source` bytes to one of `result` bytes.  Both may be
 * wider than their types; 0 stands for equally wide. */
static void plan_chain(struct chain *chain, const struct wish *wish, uint32_t source,
                       uint32_t result)
{
    chain->count = 0;
    if (source) add_resize(chain, wish->from, unsigned_of(source));
    chain->at = wish->from;
    if (is_integer(wish->from)) from_integer(chain, wish);
    else from_float(chain, wish);
    add_finish(chain, wish);
    if (result) add_resize(chain, unsigned_of(result), wish->to);
}

/* ---- Lowering cvt ---------------------------------------------------------------------- */

static rill_status wish_of(struct ptx_lowering *lowering,
                           const struct ptx_instruction *instruction, struct wish *wish)
{
    static const uint8_t directions[] = { PTX_MOD_RN, PTX_MOD_RZ, PTX_MOD_RM, PTX_MOD_RP };
    static const uint8_t to_whole[] = { PTX_MOD_RNI, PTX_MOD_RZI, PTX_MOD_RMI, PTX_MOD_RPI };
    const struct ptx_modifiers *said = &instruction->modifiers;
    unsigned count = 0;
    wish->rounding = wish->whole = -1;
    for (int i = 0; i < 4; i++) {
        if (ptx_has(said, directions[i])) wish->rounding = i, count++;
        if (ptx_has(said, to_whole[i])) wish->whole = i, count++;
    }
    wish->ftz = ptx_has(said, PTX_MOD_FTZ);
    wish->sat = ptx_has(said, PTX_MOD_SAT);
    wish->relu = ptx_has(said, PTX_MOD_RELU);
    wish->finite = ptx_has(said, PTX_MOD_SATFINITE);
    if (count > 1)
        return ptx_lower_fail(lowering, &instruction->place, INVALID,
                              "there can be one rounding only");
    return RILL_SUCCESS;
}

/* Returns true for conversions that compilers also take without a rounding, to nearest then, and
 * for those that are exact, whatever rounding is said. */
static bool rounds_by_itself(const struct wish *wish)
{
    return wish->from == PTX_BF16 || (wish->from == PTX_F16 && wish->to == PTX_BF16);
}

/* Checks the rounding.  A row that allows a rounding needs one, unless a float becomes one of
 * its own type. */
static rill_status check_rounding(struct ptx_lowering *lowering,
                                  const struct ptx_instruction *instruction,
                                  const struct ptx_form *form, const struct wish *wish)
{
    if (ptx_has(&form->allows, PTX_MOD_RN) && wish->rounding < 0 && !rounds_by_itself(wish))
        return ptx_lower_fail(lowering, &instruction->place, INVALID,
                              "this conversion needs a rounding: .rn, .rz, .rm or .rp");
    if (ptx_has(&form->allows, PTX_MOD_RNI) && wish->whole < 0 && wish->to != wish->from)
        return ptx_lower_fail(lowering, &instruction->place, INVALID,
                              "this conversion needs a rounding: .rni, .rzi, .rmi or .rpi");
    if ((wish->relu || wish->finite) && wish->rounding > PTX_ROUND_ZERO)
        return ptx_lower_fail(lowering, &instruction->place, INVALID,
                              ".relu and .satfinite go with .rn or .rz");
    return RILL_SUCCESS;
}

/* Returns how a link makes use of what is known of its source. */
static ptx_run *affine_link(ptx_run *run)
{
    const struct ptx_integer_conversions *integers = ptx_lane_steps()->integers;
    const unsigned u32 = index_of_integer(PTX_U32), s32 = index_of_integer(PTX_S32);
    static const enum ptx_type wide[] = { PTX_U64, PTX_S64 };
    for (unsigned i = 0; i < 2; i++) {
        const unsigned number = index_of_integer(wide[i]);
        if (run == integers->kept[number][s32]) return ptx_affine_widen_s32;
        if (run == integers->kept[number][u32]) return ptx_affine_widen_u32;
        if (run == integers->kept[u32][number] || run == integers->kept[s32][number])
            return ptx_affine_narrow;
    }
    return ptx_affine_lanewise_1;
}

static rill_status emit_chain(struct ptx_lowering *lowering,
                              const struct ptx_instruction *instruction,
                              const struct chain *chain, uint32_t from, uint32_t to)
{
    for (unsigned i = 0; i < chain->count; i++) {
        uint32_t d = to;
        struct ptx_step *step;
        rill_status status = i + 1 < chain->count
                                 ? ptx_new_column(lowering, chain->links[i].bytes, &d)
                                 : RILL_SUCCESS;
        if (!status) status = ptx_emit(lowering, instruction, chain->links[i].run, &step);
        if (status) return status;
        step->d = d, step->a = from;
        step->kind = chain->links[i].kind;
        ptx_follow(lowering, step, affine_link(chain->links[i].run));
        from = d;
    }
    return RILL_SUCCESS;
}

static rill_status lower_cvt(struct ptx_lowering *lowering,
                             const struct ptx_instruction *instruction,
                             const struct ptx_form *form)
{
    struct wish wish = { .to = form->types[0], .from = form->types[1] };
    struct chain chain;
    uint32_t from, to;
    rill_status status = wish_of(lowering, instruction, &wish);
    if (!status) status = check_rounding(lowering, instruction, form, &wish);
    if (status) return status;
    if (instruction->operand_count != 2)
        return ptx_lower_fail(lowering, &instruction->place, INVALID,
                              "this conversion has two operands");
    const uint32_t source = ptx_operand_bytes(lowering, &instruction->operands[1]);
    const uint32_t result = ptx_operand_bytes(lowering, &instruction->operands[0]);
    if (source > 8 || result > 8)
        return ptx_lower_fail(lowering, &instruction->place, INVALID,
                              "conversions work on registers of up to 64 bits");
    plan_chain(&chain, &wish, source, result);
    status = ptx_source(lowering, instruction, &instruction->operands[1], wish.from,
                        is_integer(wish.from), &from);
    if (!status)
        status = ptx_destination(lowering, instruction, &instruction->operands[0], wish.to,
                                 is_integer(wish.to), &to);
    return status ? status : emit_chain(lowering, instruction, &chain, from, to);
}

/* Lowers cvt.rn.f16x2.f32 d, a, b: two conversions at once, a's result above b's. */
static rill_status lower_pair(struct ptx_lowering *lowering,
                              const struct ptx_instruction *instruction,
                              const struct ptx_form *form)
{
    const enum ptx_type half = form->types[0] == PTX_F16X2 ? PTX_F16 : PTX_BF16;
    struct wish wish = { .to = half, .from = PTX_F32 };
    struct chain chain;
    uint32_t d, from[2], to[2];
    struct ptx_step *step;
    rill_status status = wish_of(lowering, instruction, &wish);
    if (!status) status = check_rounding(lowering, instruction, form, &wish);
    if (status) return status;
    if (instruction->operand_count != 3)
        return ptx_lower_fail(lowering, &instruction->place, INVALID,
                              "this conversion has three operands");
    plan_chain(&chain, &wish, 0, 0);
    for (int i = 0; i < 2 && !status; i++)
        status = ptx_source(lowering, instruction, &instruction->operands[1 + i], PTX_F32, false,
                            &from[i]);
    for (int i = 0; i < 2 && !status; i++) {
        status = ptx_new_column(lowering, 2, &to[i]);
        if (!status) status = emit_chain(lowering, instruction, &chain, from[i], to[i]);
    }
    if (!status)
        status = ptx_destination(lowering, instruction, &instruction->operands[0],
                                 form->types[0], false, &d);
    if (!status) status = ptx_emit(lowering, instruction, ptx_lane_steps()->floats->pack, &step);
    if (status) return status;
    step->d = d, step->a = to[0], step->b = to[1];
    ptx_follow(lowering, step, ptx_affine_lanewise_2);
    return RILL_SUCCESS;
}

/* ---- The table ------------------------------------------------------------------------- */

#define CVT(to, from, ...) \
    { .opcode = PTX_OP_CVT, .types = { PTX_##to, PTX_##from }, .allows = PTX_SET(__VA_ARGS__), \
      .lower = lower_cvt }
#define CVT_PAIR(to) \
    { .opcode = PTX_OP_CVT, .types = { PTX_##to, PTX_F32 }, \
      .allows = PTX_SET(RN, RZ, RELU, SATFINITE), .lower = lower_pair }
#define TO_INTEGERS(from, ...) \
    CVT(U8, from, __VA_ARGS__), CVT(U16, from, __VA_ARGS__), CVT(U32, from, __VA_ARGS__), \
    CVT(U64, from, __VA_ARGS__), CVT(S8, from, __VA_ARGS__), CVT(S16, from, __VA_ARGS__), \
    CVT(S32, from, __VA_ARGS__), CVT(S64, from, __VA_ARGS__)
#define TO_FLOATS(from) \
    CVT(F16, from, ROUNDED, SAT), CVT(BF16, from, ROUNDED), CVT(F32, from, ROUNDED, FTZ, SAT), \
    CVT(F64, from, ROUNDED, SAT)
#define ROUNDED RN, RZ, RM, RP
#define WHOLE RNI, RZI, RMI, RPI

static const struct ptx_form rows[] = {
    TO_INTEGERS(U8, SAT), TO_INTEGERS(U16, SAT), TO_INTEGERS(U32, SAT), TO_INTEGERS(U64, SAT),
    TO_INTEGERS(S8, SAT), TO_INTEGERS(S16, SAT), TO_INTEGERS(S32, SAT), TO_INTEGERS(S64, SAT),
    TO_INTEGERS(F16, WHOLE, SAT), TO_INTEGERS(BF16, WHOLE, SAT),
    TO_INTEGERS(F32, WHOLE, FTZ, SAT), TO_INTEGERS(F64, WHOLE, SAT),
    TO_FLOATS(U8), TO_FLOATS(U16), TO_FLOATS(U32), TO_FLOATS(U64),
    TO_FLOATS(S8), TO_FLOATS(S16), TO_FLOATS(S32), TO_FLOATS(S64),

    CVT(F16, F16, WHOLE, SAT), CVT(BF16, F16, ROUNDED), CVT(F32, F16, FTZ, SAT),
    CVT(F64, F16, SAT),
    CVT(F16, BF16, ROUNDED), CVT(BF16, BF16, WHOLE), CVT(F32, BF16, ROUNDED, FTZ),
    CVT(F64, BF16, ROUNDED),
    CVT(F16, F32, ROUNDED, FTZ, SAT, RELU, SATFINITE),
    CVT(BF16, F32, ROUNDED, FTZ, RELU, SATFINITE),
    CVT(F32, F32, WHOLE, FTZ, SAT), CVT(F64, F32, FTZ, SAT),
    CVT(F16, F64, ROUNDED, SAT), CVT(BF16, F64, ROUNDED), CVT(F32, F64, ROUNDED, FTZ, SAT),
    CVT(F64, F64, WHOLE, SAT),
    CVT_PAIR(F16X2), CVT_PAIR(BF16X2),
};

const struct ptx_forms ptx_convert_forms = { rows, sizeof rows / sizeof *rows };
