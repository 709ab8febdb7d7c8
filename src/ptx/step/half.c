/* SPDX-License-Identifier: Apache-2.0
 *
 * Arithmetic of f16, bf16 and pairs of them.  A pair is two lanes of one half each, so its
 * loops are those of halves, over twice as many.
 */
#include "ptx/step/half_arithmetic.h"
#include "ptx/step/lanes.h"

/* Returns one result; operands have been flushed.  The opcode is a constant. */
static inline uint16_t result_of(enum ptx_opcode opcode, uint16_t a, uint16_t b, uint16_t c,
                                 unsigned how)
{
    switch (opcode) {
    case PTX_OP_ADD: return h16_rounded(h16_value(a, how) + h16_value(b, how), how);
    case PTX_OP_SUB: return h16_rounded(h16_value(a, how) - h16_value(b, how), how);
    case PTX_OP_MUL: return h16_product(a, b, how);
    case PTX_OP_FMA: return h16_fma(a, b, c, how);
    case PTX_OP_MIN: return h16_min_max(a, b, false, how);
    case PTX_OP_MAX: return h16_min_max(a, b, true, how);
    case PTX_OP_NEG: return h16_is_nan(a, how) ? HALF_NAN : a ^ HALF_SIGN;
    case PTX_OP_ABS: return h16_is_nan(a, how) ? HALF_NAN : a & 0x7fff;
    case PTX_OP_EX2: return h16_rounded(single_ex2(h16_value(a, how)), how);
    default: return h16_rounded(single_tanh(h16_value(a, how)), how);
    }
}

/* Called only with constants for `opcode`, `sources` and `how`: makes a loop for each. */
static inline __attribute__((always_inline)) void halves(struct ptx_group *group,
                                                         const struct ptx_step *step,
                                                         enum ptx_opcode opcode, int sources,
                                                         unsigned how)
{
    const uint32_t width = step->kind; /* 2 of pairs */
    uint16_t *d = PTX_COLUMN(group, step->d, uint16_t);
    const uint16_t *a = PTX_COLUMN(group, step->a, uint16_t);
    const uint16_t *b = sources > 1 ? PTX_COLUMN(group, step->b, uint16_t) : a;
    const uint16_t *c = sources > 2 ? PTX_COLUMN(group, step->c, uint16_t) : a;
    for (uint32_t r = 0; r < group->range_count; r++) {
        const uint32_t to = group->ranges[r].to * width;
        PTX_INDEPENDENT for (uint32_t i = group->ranges[r].from * width; i < to; i++) {
            const uint16_t x = h16_flushed(a[i], how), y = h16_flushed(b[i], how);
            const uint16_t z = h16_flushed(c[i], how);
            d[i] = h16_finished(result_of(opcode, x, y, z, how), how);
        }
    }
}

/* ---- Steps --------------------------------------------------------------------------- */

/* A line for each step: its name, opcode, sources, options, and the modifiers that ask for
 * them; the last one is the type: F16 and BF16 stand for pairs, too. */
#define SUMS(each, name, word)                                                    \
    each(name, word, 2, 0, RN, (NOTHING), F16)                                    \
    each(name##_ftz, word, 2, H16_FTZ, RN, (FTZ), F16)                              \
    each(name##_sat, word, 2, H16_SAT, RN, (SAT), F16)                              \
    each(name##_ftz_sat, word, 2, H16_FTZ | H16_SAT, RN, (FTZ, SAT), F16)             \
    each(name##_brain, word, 2, H16_BRAIN, RN, (NOTHING), BF16)

#define FUSED(each)                                                               \
    each(fma, FMA, 3, 0, NOTHING, (RN), F16)                                      \
    each(fma_ftz, FMA, 3, H16_FTZ, NOTHING, (RN, FTZ), F16)                         \
    each(fma_sat, FMA, 3, H16_SAT, NOTHING, (RN, SAT), F16)                         \
    each(fma_ftz_sat, FMA, 3, H16_FTZ | H16_SAT, NOTHING, (RN, FTZ, SAT), F16)        \
    each(fma_relu, FMA, 3, H16_RELU, NOTHING, (RN, RELU), F16)                      \
    each(fma_ftz_relu, FMA, 3, H16_FTZ | H16_RELU, NOTHING, (RN, FTZ, RELU), F16) \
    each(fma_brain, FMA, 3, H16_BRAIN, NOTHING, (RN), BF16)                         \
    each(fma_brain_relu, FMA, 3, H16_BRAIN | H16_RELU, NOTHING, (RN, RELU), BF16)   \
    each(fma_oob, FMA, 3, H16_OOB, NOTHING, (RN, OOB), F16)                         \
    each(fma_oob_relu, FMA, 3, H16_OOB | H16_RELU, NOTHING, (RN, OOB, RELU), F16)   \
    each(fma_oob_brain, FMA, 3, H16_OOB | H16_BRAIN, NOTHING, (RN, OOB), BF16)      \
    each(fma_oob_brain_relu, FMA, 3, H16_OOB | H16_BRAIN | H16_RELU, NOTHING,       \
         (RN, OOB, RELU), BF16)

#define LEAST_OF(each, name, word, how, type, ...)                                \
    each(name, word, 2, how, NOTHING, (__VA_ARGS__), type)                        \
    each(name##_nan, word, 2, (how) | H16_NAN_WINS, NOTHING, (__VA_ARGS__, NAN_WINS), type) \
    each(name##_sign, word, 2, (how) | H16_XORSIGN, NOTHING,                        \
         (__VA_ARGS__, XORSIGN, MAGNITUDE), type)                                 \
    each(name##_nan_sign, word, 2, (how) | H16_NAN_WINS | H16_XORSIGN, NOTHING, \
         (__VA_ARGS__, NAN_WINS, XORSIGN, MAGNITUDE), type)

#define LEAST(each, name, word)                                                   \
    LEAST_OF(each, name, word, 0, F16, NOTHING)                                   \
    LEAST_OF(each, name##_ftz, word, H16_FTZ, F16, FTZ)                             \
    LEAST_OF(each, name##_brain, word, H16_BRAIN, BF16, NOTHING)

#define UNARY(each)                                                               \
    each(neg, NEG, 1, 0, NOTHING, (NOTHING), F16)                                 \
    each(neg_ftz, NEG, 1, H16_FTZ, NOTHING, (FTZ), F16)                             \
    each(neg_brain, NEG, 1, H16_BRAIN, NOTHING, (NOTHING), BF16)                    \
    each(abs, ABS, 1, 0, NOTHING, (NOTHING), F16)                                 \
    each(abs_ftz, ABS, 1, H16_FTZ, NOTHING, (FTZ), F16)                             \
    each(abs_brain, ABS, 1, H16_BRAIN, NOTHING, (NOTHING), BF16)                    \
    each(ex2, EX2, 1, 0, NOTHING, (APPROX), F16)                                  \
    each(ex2_brain, EX2, 1, H16_BRAIN, NOTHING, (APPROX, FTZ), BF16)                \
    each(tanh, TANH, 1, 0, NOTHING, (APPROX), F16)                                \
    each(tanh_brain, TANH, 1, H16_BRAIN, NOTHING, (APPROX), BF16)

#define STEPS(each)                                                               \
    SUMS(each, add, ADD)                                                          \
    SUMS(each, sub, SUB)                                                          \
    SUMS(each, mul, MUL)                                                          \
    FUSED(each)                                                                   \
    LEAST(each, min, MIN)                                                         \
    LEAST(each, max, MAX)                                                         \
    UNARY(each)

#define STEP(name, word, sources, how, allowed, needed, type)                     \
    static void run_##name(struct ptx_group *group, const struct ptx_step *step) \
    {                                                                             \
        halves(group, step, PTX_OP_##word, sources, how);                         \
    }
STEPS(STEP)

/* ---- With a sum in f32 ----------------------------------------------------------------- */

#define MIXED(name, value_of)                                                     \
    PTX_LANES_2(add_##name, float, uint16_t, float, single_result(value_of(x) + y)) \
    PTX_LANES_2(sub_##name, float, uint16_t, float, single_result(value_of(x) - y)) \
    PTX_LANES_3(fma_##name, float, uint16_t, uint16_t, float,                     \
                single_result(single_fma(value_of(x), value_of(y), z, rounds_to_nearest(step))))
MIXED(f16, half_value)
MIXED(bf16, bfloat_value)

/* ---- Forms ------------------------------------------------------------------------- */

#define SIGNATURE_1 "=00"
#define SIGNATURE_2 "=000"
#define SIGNATURE_3 "=0000"
#define FORM(name, word, sources, how, allowed, needed, type)                     \
    { .opcode = PTX_OP_##word, .types = { PTX_##type }, .kind = 1, .needs = PTX_SET needed, \
      .allows = PTX_SET(allowed), .signature = SIGNATURE_##sources, .run = run_##name }, \
    { .opcode = PTX_OP_##word, .types = { PTX_##type##X2 }, .kind = 2, .needs = PTX_SET needed, \
      .allows = PTX_SET(allowed), .signature = SIGNATURE_##sources, .run = run_##name },

#define MIXED_FORM(word, operands, type, function, needed)                        \
    { .opcode = PTX_OP_##word, .types = { PTX_F32, PTX_##type }, .needs = PTX_SET(needed), \
      .allows = PTX_SET(RN, RZ, RM, RP, SAT), .signature = operands, .run = function }
#define MIXED_FORMS(type, name)                                                   \
    MIXED_FORM(ADD, "=010", type, add_##name, NOTHING),                           \
    MIXED_FORM(SUB, "=010", type, sub_##name, NOTHING),                           \
    MIXED_FORM(FMA, "=0110", type, fma_##name, RN),                               \
    MIXED_FORM(FMA, "=0110", type, fma_##name, RZ),                               \
    MIXED_FORM(FMA, "=0110", type, fma_##name, RM),                               \
    MIXED_FORM(FMA, "=0110", type, fma_##name, RP)

static const struct ptx_form rows[] = {
    STEPS(FORM)
    MIXED_FORMS(F16, f16),
    MIXED_FORMS(BF16, bf16),
};

const struct ptx_forms ptx_half_forms = { rows, sizeof rows / sizeof *rows };
