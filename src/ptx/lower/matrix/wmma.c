/* SPDX-License-Identifier: Apache-2.0
 *
 * wmma.load, wmma.store and wmma.mma.
 *
 * Where the elements lie in registers is left open by PTX.  Here it is as on an H100: as mma
 * has them, with some registers of halves twice; and .m8n32k16 is .m32n8k16 with the factors
 * exchanged.
 */
#include "ptx/lower/forms.h"
#include "ptx/lower/fragment.h"
#include "ptx/lower/matrix/product.h"
#include "ptx/lower/memory_operand.h"
#include "ptx/matrix/wmma.h"

#include <string.h>

#define INVALID RILL_ERROR_INVALID_PTX
#define LACKING RILL_ERROR_NOT_SUPPORTED

/* ---- Shapes ------------------------------------------------------------------------------- */

/* Classes of elements with the same shapes. */
enum wmma_class { WMMA_HALVES, WMMA_BYTES, WMMA_TF32, WMMA_DOUBLES, WMMA_NIBBLES, WMMA_BITS };

static const struct {
    struct ptx_shape shape;
    uint8_t classes; /* a bit for each */
} shapes[] = {
    { { 16, 16, 16 }, 1 << WMMA_HALVES | 1 << WMMA_BYTES },
    { { 32, 8, 16 }, 1 << WMMA_HALVES | 1 << WMMA_BYTES },
    { { 8, 32, 16 }, 1 << WMMA_HALVES | 1 << WMMA_BYTES },
    { { 16, 16, 8 }, 1 << WMMA_TF32 }, { { 8, 8, 4 }, 1 << WMMA_DOUBLES },
    { { 8, 8, 32 }, 1 << WMMA_NIBBLES }, { { 8, 8, 128 }, 1 << WMMA_BITS },
};

/* Returns the classes that an element of a factor, or of c and d, goes with. */
static unsigned classes_of(enum ptx_type type, bool sum)
{
    switch (type) {
    case PTX_F16:
    case PTX_BF16: return 1 << WMMA_HALVES;
    case PTX_F32: return sum ? 1 << WMMA_HALVES | 1 << WMMA_TF32 : 0;
    case PTX_S32: return sum ? 1 << WMMA_BYTES | 1 << WMMA_NIBBLES | 1 << WMMA_BITS : 0;
    case PTX_S8:
    case PTX_U8: return 1 << WMMA_BYTES;
    case PTX_TF32: return 1 << WMMA_TF32;
    case PTX_F64: return 1 << WMMA_DOUBLES;
    case PTX_S4:
    case PTX_U4: return 1 << WMMA_NIBBLES;
    case PTX_B1: return 1 << WMMA_BITS;
    default: return 0;
    }
}

static rill_status check_shape(struct ptx_lowering *lowering,
                               const struct ptx_instruction *instruction, unsigned classes)
{
    const struct ptx_shape *is = &instruction->shape;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        const struct ptx_shape *shape = &shapes[i].shape;
        if ((shapes[i].classes & classes) && shape->m == is->m && shape->n == is->n &&
            shape->k == is->k)
            return RILL_SUCCESS;
    }
    return ptx_lower_fail(lowering, &instruction->place, LACKING,
                          "wmma has no such shape for these types");
}

/* Returns true for .m8n32k16, which is the other way round. */
static bool is_swapped(const struct ptx_instruction *instruction)
{
    return instruction->shape.n == 32;
}

/* Returns how many registers a fragment has in the text: as many as eight for halves. */
static uint32_t register_count(const struct matrix_fragment *fragment, enum ptx_type type,
                               bool factor)
{
    return factor && type == PTX_F16 ? 8 : fragment->registers;
}

/* ---- wmma.load, wmma.store ---------------------------------------------------------------- */

/* Finds the plan of a matrix: the first factor, the second one, or a sum. */
static struct wmma_plan plan_matrix(const struct ptx_instruction *instruction)
{
    const struct ptx_modifiers *said = &instruction->modifiers;
    const struct ptx_shape *shape = &instruction->shape;
    bool a = ptx_has(said, PTX_MOD_OF_A), b = ptx_has(said, PTX_MOD_OF_B),
         swapped = is_swapped(instruction), column = instruction->layouts & 1;
    struct wmma_plan plan = { .type = (uint8_t)instruction->types[0] };
    if (a || b) {
        plan.rows = (uint8_t)(a ? shape->m : shape->n);
        plan.columns = shape->k & 127;
        plan.style = b && plan.rows == 16 ? MATRIX_FACTOR_BY_K : MATRIX_FACTOR;
        plan.by_column = a == column; /* rows of b are its columns in the text */
    } else {
        plan.rows = (uint8_t)(swapped ? shape->n : shape->m);
        plan.columns = (swapped ? shape->m : shape->n) & 127;
        plan.style = MATRIX_SUM;
        plan.by_column = column != swapped;
    }
    return plan;
}

static rill_status check_matrix(struct ptx_lowering *lowering,
                                const struct ptx_instruction *instruction)
{
    const struct ptx_modifiers *said = &instruction->modifiers;
    bool factor = ptx_has(said, PTX_MOD_OF_A) || ptx_has(said, PTX_MOD_OF_B);
    enum ptx_type type = instruction->types[0];
    uint32_t count = instruction->operand_count;
    bool small = type == PTX_S4 || type == PTX_U4 || type == PTX_B1;
    rill_status status = check_shape(lowering, instruction, classes_of(type, !factor));
    if (status) return status;
    if (!factor && type == PTX_BF16)
        return ptx_lower_fail(lowering, &instruction->place, INVALID,
                              "no such matrix has elements of .%s", ptx_type_word(type));
    if (instruction->layout_count != 1 ||
        (small && (instruction->layouts & 1) != ptx_has(said, PTX_MOD_OF_B)))
        return ptx_lower_fail(lowering, &instruction->place, INVALID,
                              "one layout belongs here, .row or .col");
    if (count != 2 && count != 3)
        return ptx_lower_fail(lowering, &instruction->place, INVALID,
                              "a vector, an address and perhaps a distance belong here");
    return RILL_SUCCESS;
}

static rill_status lower_matrix(struct ptx_lowering *lowering,
                                const struct ptx_instruction *instruction,
                                const struct ptx_form *form)
{
    bool stores = ptx_has(&form->needs, PTX_MOD_STORE);
    bool factor = !stores && !ptx_has(&form->needs, PTX_MOD_OF_C);
    const struct ptx_operand *operands = instruction->operands;
    enum ptx_type type = instruction->types[0];
    struct ptx_memory_operand memory;
    uint32_t columns[MATRIX_REGISTERS], distance = PTX_NO_COLUMN, values = PTX_NO_COLUMN, more;
    struct ptx_step *step;
    rill_status status = check_matrix(lowering, instruction);
    if (status) return status;
    const struct wmma_plan plan = plan_matrix(instruction);
    const struct matrix_fragment fragment = ptx_wmma_fragment_of(&plan);
    uint32_t count = register_count(&fragment, type, factor);
    status = ptx_lower_memory_operand(lowering, instruction, &operands[!stores], PTX_B32, &memory);
    if (!status && instruction->operand_count == 3)
        status = ptx_source(lowering, instruction, &operands[2], PTX_U32, false, &distance);
    if (!status && stores)
        status = ptx_fragment_sources(lowering, instruction, &operands[1],
                                      ptx_matrix_register_type(type), count, columns);
    if (!status && stores) status = ptx_new_column(lowering, 8, &values);
    if (!status && !stores)
        status = ptx_fragment_destinations(lowering, instruction, &operands[0],
                                           ptx_matrix_register_type(type), count, columns);
    if (!status) status = ptx_remember(lowering, columns, count, &more);
    if (!status)
        status = ptx_emit_whole_warp(lowering, instruction,
                                     stores ? ptx_wmma_store_step : ptx_wmma_load_step, &step);
    if (status) return status;
    ptx_set_memory_operand(&memory, step);
    step->b = distance;
    step->c = values;
    step->more = more;
    step->width = (uint8_t)count;
    memcpy(&step->target, &plan, sizeof plan);
    return RILL_SUCCESS;
}

/* ---- wmma.mma ----------------------------------------------------------------------------- */

/* Products of halves name the types of d and c alone. */
static struct matrix_plan plan_product(const struct ptx_instruction *instruction)
{
    const struct ptx_modifiers *said = &instruction->modifiers;
    const enum ptx_type *types = instruction->types;
    bool two = instruction->type_count == 2, swapped = is_swapped(instruction);
    const struct ptx_shape *shape = &instruction->shape;
    struct matrix_plan plan = {
        .d = (uint8_t)types[0], .a = (uint8_t)(two ? PTX_F16 : types[1]),
        .b = (uint8_t)(two ? PTX_F16 : types[2]), .c = (uint8_t)(two ? types[1] : types[3]),
        .m = (uint8_t)(swapped ? shape->n : shape->m),
        .n = (uint8_t)(swapped ? shape->m : shape->n),
        .k = (uint8_t)shape->k,
    };
    if (ptx_has(said, PTX_MOD_SATFINITE)) plan.flags |= MATRIX_SATURATES;
    if (ptx_has(said, PTX_MOD_AND)) plan.flags |= MATRIX_ANDS;
    if (plan.a == PTX_TF32) plan.flags |= MATRIX_IN_FOURS;
    return plan;
}

static rill_status check_product(struct ptx_lowering *lowering,
                                 const struct ptx_instruction *instruction,
                                 const struct matrix_plan *plan)
{
    const struct ptx_modifiers *said = &instruction->modifiers;
    bool bits = plan->a == PTX_B1, small = bits || plan->a == PTX_S4 || plan->a == PTX_U4;
    rill_status status = check_shape(lowering, instruction,
                                     classes_of((enum ptx_type)plan->a, false));
    if (status) return status;
    if (instruction->layout_count != 2 || (small && instruction->layouts != 2))
        return ptx_lower_fail(lowering, &instruction->place, INVALID,
                              small ? "the layouts of this are .row.col"
                                    : "the layouts of both factors belong here");
    if (bits && ptx_has(said, PTX_MOD_AND) + ptx_has(said, PTX_MOD_XOR) != 1)
        return ptx_lower_fail(lowering, &instruction->place, INVALID,
                              ".and.popc or .xor.popc belongs here");
    return ptx_check_operand_count(lowering, instruction, 4);
}

/* Finds the registers of a source; of those that there are twice the first ones count. */
static rill_status lower_source(struct ptx_lowering *lowering,
                                const struct ptx_instruction *instruction,
                                const struct ptx_operand *operand, uint8_t type,
                                const struct matrix_fragment *fragment, bool factor, uint32_t **at)
{
    uint32_t columns[MATRIX_REGISTERS];
    rill_status status = ptx_fragment_sources(
        lowering, instruction, operand, ptx_matrix_register_type((enum ptx_type)type),
        register_count(fragment, (enum ptx_type)type, factor), columns);
    if (!status) memcpy(*at, columns, fragment->registers * sizeof *columns);
    *at += fragment->registers;
    return status;
}

static rill_status lower_product(struct ptx_lowering *lowering,
                                 const struct ptx_instruction *instruction,
                                 const struct ptx_form *form)
{
    const struct matrix_plan plan = plan_product(instruction);
    const struct ptx_operand *operands = instruction->operands;
    uint32_t columns[4 * MATRIX_REGISTERS], *at = columns, swapped = is_swapped(instruction);
    (void)form;
    rill_status status = check_product(lowering, instruction, &plan);
    if (status) return status;
    const struct matrix_fragments all = ptx_matrix_fragments_of(&plan);
    at += all.d.registers;
    status = lower_source(lowering, instruction, &operands[1 + swapped], plan.a, &all.a, true, &at);
    if (!status)
        status = lower_source(lowering, instruction, &operands[2 - swapped], plan.b, &all.b, true,
                              &at);
    if (!status)
        status = lower_source(lowering, instruction, &operands[3], plan.c, &all.c, false, &at);
    if (status) return status;
    return ptx_emit_product(lowering, instruction, &plan, columns, (uint32_t)(at - columns));
}

/* ---- The table ---------------------------------------------------------------------------- */

#define MATRIX(what, of, type) \
    { .opcode = PTX_OP_WMMA, .types = { PTX_##type }, .lower = lower_matrix, \
      .needs = PTX_SET(what, of, SYNC, ALIGNED), .allows = PTX_SET(ROW, COL, SHARED_CTA) }
#define FACTORS(type) MATRIX(LOAD, OF_A, type), MATRIX(LOAD, OF_B, type)
#define SUMS(type) MATRIX(LOAD, OF_C, type), MATRIX(STORE, OF_D, type)
#define PRODUCT(d, a, b, c, ...) \
    { .opcode = PTX_OP_WMMA, .types = { PTX_##d, PTX_##a, PTX_##b, PTX_##c }, \
      .needs = PTX_SET(MMA_, SYNC, ALIGNED), .allows = PTX_SET(ROW, COL, __VA_ARGS__), \
      .lower = lower_product }
#define HALVES(d, c) PRODUCT(d, c, NO_TYPE, NO_TYPE, NOTHING)
#define INTEGERS(type) PRODUCT(S32, type, type, S32, SATFINITE)

static const struct ptx_form rows[] = {
    FACTORS(F16), FACTORS(BF16), FACTORS(TF32), FACTORS(F64), FACTORS(S8), FACTORS(U8),
    FACTORS(S4), FACTORS(U4), FACTORS(B1), SUMS(F16), SUMS(F32), SUMS(F64), SUMS(S32),
    HALVES(F16, F16), HALVES(F16, F32), HALVES(F32, F16), HALVES(F32, F32),
    PRODUCT(F32, BF16, BF16, F32, NOTHING), PRODUCT(F32, TF32, TF32, F32, NOTHING),
    PRODUCT(F64, F64, F64, F64, RN, RZ, RM, RP),
    INTEGERS(S8), INTEGERS(U8), INTEGERS(S4), INTEGERS(U4),
    PRODUCT(S32, B1, B1, S32, AND, XOR, POPC),
};

const struct ptx_forms ptx_wmma_forms = { rows, sizeof rows / sizeof *rows };
