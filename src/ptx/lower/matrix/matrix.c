/* SPDX-License-Identifier: Apache-2.0
 *
 * mma, ldmatrix, stmatrix and movmatrix.
 */
#include "ptx/lower/forms.h"
#include "ptx/lower/fragment.h"
#include "ptx/lower/matrix/product.h"
#include "ptx/lower/memory_operand.h"
#include "ptx/matrix/load.h"

#include <string.h>

#define INVALID RILL_ERROR_INVALID_PTX
#define LACKING RILL_ERROR_NOT_SUPPORTED

/* ---- mma ---------------------------------------------------------------------------------- */

struct shape_of_type {
    uint8_t type;
    struct ptx_shape shape;
};

/* The shapes of mma, by the type of the first factor. */
static const struct shape_of_type shapes[] = {
    { PTX_F16, { 8, 8, 4 } },    { PTX_F16, { 16, 8, 8 } },   { PTX_F16, { 16, 8, 16 } },
    { PTX_BF16, { 16, 8, 8 } },  { PTX_BF16, { 16, 8, 16 } },
    { PTX_TF32, { 16, 8, 4 } },  { PTX_TF32, { 16, 8, 8 } },
    { PTX_E4M3, { 16, 8, 16 } }, { PTX_E4M3, { 16, 8, 32 } },
    { PTX_E5M2, { 16, 8, 16 } }, { PTX_E5M2, { 16, 8, 32 } },
    { PTX_F64, { 8, 8, 4 } },    { PTX_F64, { 16, 8, 4 } },   { PTX_F64, { 16, 8, 8 } },
    { PTX_F64, { 16, 8, 16 } },
    { PTX_S8, { 8, 8, 16 } },    { PTX_S8, { 16, 8, 16 } },   { PTX_S8, { 16, 8, 32 } },
    { PTX_S4, { 8, 8, 32 } },    { PTX_S4, { 16, 8, 32 } },   { PTX_S4, { 16, 8, 64 } },
    { PTX_B1, { 8, 8, 128 } },   { PTX_B1, { 16, 8, 128 } },  { PTX_B1, { 16, 8, 256 } },
};

/* Those with a sparse first factor. */
static const struct shape_of_type sparse_shapes[] = {
    { PTX_F16, { 16, 8, 16 } },  { PTX_F16, { 16, 8, 32 } },
    { PTX_BF16, { 16, 8, 16 } }, { PTX_BF16, { 16, 8, 32 } },
    { PTX_TF32, { 16, 8, 8 } },  { PTX_TF32, { 16, 8, 16 } },
    { PTX_E4M3, { 16, 8, 64 } }, { PTX_E5M2, { 16, 8, 64 } },
    { PTX_S8, { 16, 8, 32 } },   { PTX_S8, { 16, 8, 64 } },
    { PTX_S4, { 16, 8, 64 } },   { PTX_S4, { 16, 8, 128 } },
};

static uint8_t type_of_shape(enum ptx_type type)
{
    return type == PTX_U8 ? PTX_S8 : type == PTX_U4 ? PTX_S4 : (uint8_t)type;
}

static bool is_sparse(const struct ptx_instruction *instruction)
{
    return ptx_has(&instruction->modifiers, PTX_MOD_SP) ||
           ptx_has(&instruction->modifiers, PTX_MOD_SP_ORDERED);
}

static bool has_shape(const struct ptx_instruction *instruction)
{
    const bool sparse = is_sparse(instruction);
    const struct shape_of_type *table = sparse ? sparse_shapes : shapes;
    const size_t count = sparse ? sizeof sparse_shapes / sizeof *sparse_shapes
                                : sizeof shapes / sizeof *shapes;
    const struct ptx_shape *is = &instruction->shape;
    for (size_t i = 0; i < count; i++) {
        const struct ptx_shape *shape = &table[i].shape;
        if (table[i].type == type_of_shape(instruction->types[1]) && shape->m == is->m &&
            shape->n == is->n && shape->k == is->k)
            return true;
    }
    return false;
}

static bool is_quad(const struct ptx_instruction *instruction)
{
    return instruction->shape.m == 8 && instruction->types[1] == PTX_F16;
}

static rill_status check_product(struct ptx_lowering *lowering,
                                 const struct ptx_instruction *instruction)
{
    const struct ptx_modifiers *said = &instruction->modifiers;
    bool bits = instruction->types[1] == PTX_B1;
    if (!has_shape(instruction))
        return ptx_lower_fail(lowering, &instruction->place, LACKING,
                              "mma has no such shape for these types");
    if (instruction->layout_count != 2 ||
        (instruction->layouts != 2 && !is_quad(instruction)))
        return ptx_lower_fail(lowering, &instruction->place, INVALID,
                              "the layouts of this are .row.col");
    if (instruction->types[0] != instruction->types[3] && !is_quad(instruction))
        return ptx_lower_fail(lowering, &instruction->place, INVALID,
                              "the types of d and c are the same in this shape");
    if (bits != ptx_has(said, PTX_MOD_POPC) ||
        bits != (ptx_has(said, PTX_MOD_AND) + ptx_has(said, PTX_MOD_XOR) == 1))
        return ptx_lower_fail(lowering, &instruction->place, INVALID,
                              ".and.popc or .xor.popc belongs to bits, and to them alone");
    return RILL_SUCCESS;
}

static struct matrix_plan plan_of(const struct ptx_instruction *instruction)
{
    const struct ptx_modifiers *said = &instruction->modifiers;
    struct matrix_plan plan = {
        .d = (uint8_t)instruction->types[0], .a = (uint8_t)instruction->types[1],
        .b = (uint8_t)instruction->types[2], .c = (uint8_t)instruction->types[3],
        .m = (uint8_t)instruction->shape.m, .n = (uint8_t)instruction->shape.n,
        .k = (uint8_t)instruction->shape.k,
    };
    if (ptx_has(said, PTX_MOD_SATFINITE)) plan.flags |= MATRIX_SATURATES;
    if (ptx_has(said, PTX_MOD_AND)) plan.flags |= MATRIX_ANDS;
    if (instruction->layouts & 1) plan.flags |= MATRIX_A_BY_COLUMN;
    if (!(instruction->layouts & 2)) plan.flags |= MATRIX_B_BY_ROW;
    if (is_sparse(instruction)) plan.flags |= MATRIX_SPARSE;
    return plan;
}

/* Finds the column of the places of a sparse factor, and puts the selector into the plan. */
static rill_status find_places(struct ptx_lowering *lowering,
                               const struct ptx_instruction *instruction, struct matrix_plan *plan,
                               uint32_t *column)
{
    const struct ptx_operand *operands = instruction->operands;
    const uint32_t selectors = ptx_matrix_selectors((enum ptx_type)plan->a, matrix_depth(plan));
    int64_t selector;
    rill_status status = ptx_source(lowering, instruction, &operands[4], PTX_B32, false, column);
    if (!status) status = ptx_constant(lowering, &operands[5], &selector);
    if (status) return status;
    if (selector < 0 || selector >= (int64_t)selectors)
        return ptx_lower_fail(lowering, &operands[5].place, INVALID,
                              "the selector is less than %u with these types", selectors);
    plan->flags |= (uint8_t)(selector << MATRIX_SELECTOR);
    return RILL_SUCCESS;
}

static rill_status lower_product(struct ptx_lowering *lowering,
                                 const struct ptx_instruction *instruction,
                                 const struct ptx_form *form)
{
    struct matrix_plan plan = plan_of(instruction);
    const bool sparse = plan.flags & MATRIX_SPARSE;
    const struct ptx_operand *operands = instruction->operands;
    uint32_t columns[4 * MATRIX_REGISTERS + 1], *at = columns;
    (void)form;
    rill_status status = check_product(lowering, instruction);
    if (!status) status = ptx_check_operand_count(lowering, instruction, sparse ? 6 : 4);
    if (status) return status;
    const struct matrix_fragments all = ptx_matrix_fragments_of(&plan);
    const struct matrix_fragment *sources[] = { &all.a, &all.b, &all.c };
    const uint8_t types[] = { plan.a, plan.b, plan.c };
    at += all.d.registers;
    for (int i = 0; i < 3 && !status; i++) {
        status = ptx_fragment_sources(lowering, instruction, &operands[i + 1],
                                      ptx_matrix_register_type((enum ptx_type)types[i]),
                                      sources[i]->registers, at);
        at += sources[i]->registers;
    }
    if (!status && sparse) status = find_places(lowering, instruction, &plan, at++);
    if (status) return status;
    return ptx_emit_product(lowering, instruction, &plan, columns, (uint32_t)(at - columns));
}

/* ---- ldmatrix, stmatrix ------------------------------------------------------------------- */

static rill_status check_matrices(struct ptx_lowering *lowering,
                                  const struct ptx_instruction *instruction, uint32_t *count)
{
    const struct ptx_modifiers *said = &instruction->modifiers;
    uint32_t ways = 0;
    for (int i = 0; i < 3; i++)
        if (ptx_has(said, (enum ptx_modifier)(uint8_t[]){ PTX_MOD_X1, PTX_MOD_X2, PTX_MOD_X4 }[i]))
            ways++, *count = 1u << i;
    if (instruction->shape.m != 8 || instruction->shape.n != 8 || instruction->shape.k)
        return ptx_lower_fail(lowering, &instruction->place, LACKING,
                              "the simulator has matrices of .m8n8 and .b16 alone");
    if (ways != 1)
        return ptx_lower_fail(lowering, &instruction->place, INVALID,
                              "one of .x1, .x2 and .x4 belongs here");
    return RILL_SUCCESS;
}

static rill_status lower_matrices(struct ptx_lowering *lowering,
                                  const struct ptx_instruction *instruction,
                                  const struct ptx_form *form)
{
    bool stores = form->opcode == PTX_OP_STMATRIX;
    const struct ptx_operand *operands = instruction->operands;
    struct ptx_memory_operand memory;
    uint32_t columns[4], count = 0, rows = PTX_NO_COLUMN, more;
    struct ptx_step *step;
    rill_status status = check_matrices(lowering, instruction, &count);
    if (!status) status = ptx_check_operand_count(lowering, instruction, 2);
    if (!status)
        status = ptx_lower_memory_operand(lowering, instruction, &operands[!stores], PTX_B128,
                                          &memory);
    if (!status && memory.kind != PTX_TO_SHARED && memory.kind != PTX_TO_ANY)
        status = ptx_lower_fail(lowering, &instruction->place, INVALID,
                                "such matrices are in .shared");
    if (!status && stores)
        status = ptx_fragment_sources(lowering, instruction, &operands[1], PTX_B32, count,
                                      columns);
    if (!status && stores) status = ptx_new_column(lowering, 16, &rows);
    if (!status && !stores)
        status = ptx_fragment_destinations(lowering, instruction, &operands[0], PTX_B32, count,
                                           columns);
    if (!status) status = ptx_remember(lowering, columns, count, &more);
    if (!status)
        status = ptx_emit_whole_warp(lowering, instruction,
                                     stores ? ptx_matrix_store_step : ptx_matrix_load_step, &step);
    if (status) return status;
    ptx_set_memory_operand(&memory, step);
    step->width = (uint8_t)count;
    step->target = ptx_has(&instruction->modifiers, PTX_MOD_TRANS);
    step->b = rows;
    step->more = more;
    return RILL_SUCCESS;
}

static rill_status lower_move(struct ptx_lowering *lowering,
                              const struct ptx_instruction *instruction,
                              const struct ptx_form *form)
{
    uint32_t a, d;
    struct ptx_step *step;
    (void)form;
    rill_status status = ptx_check_operand_count(lowering, instruction, 2);
    if (!status)
        status = ptx_source(lowering, instruction, &instruction->operands[1], PTX_B32, false, &a);
    if (!status)
        status = ptx_destination(lowering, instruction, &instruction->operands[0], PTX_B32, false,
                                 &d);
    if (!status) status = ptx_emit_whole_warp(lowering, instruction, ptx_matrix_move_step, &step);
    if (status) return status;
    step->a = a;
    step->d = d;
    return RILL_SUCCESS;
}

/* ---- The table ---------------------------------------------------------------------------- */

#define PRODUCT(d, a, b, c, ...) \
    { .opcode = PTX_OP_MMA, .types = { PTX_##d, PTX_##a, PTX_##b, PTX_##c }, \
      .needs = PTX_SET(SYNC, ALIGNED), \
      .allows = PTX_SET(ROW, COL, SP, SP_ORDERED, __VA_ARGS__), .lower = lower_product }
#define INTEGERS(a, b) PRODUCT(S32, a, b, S32, SATFINITE)
#define BYTES(a, b) PRODUCT(F32, a, b, F32, NOTHING), PRODUCT(F16, a, b, F16, NOTHING)
#define MATRICES(code) \
    { .opcode = PTX_OP_##code, .types = { PTX_B16 }, .needs = PTX_SET(SYNC, ALIGNED), \
      .allows = PTX_SET(X1, X2, X4, TRANS, SHARED_CTA), .lower = lower_matrices }

static const struct ptx_form rows[] = {
    PRODUCT(F16, F16, F16, F16, NOTHING), PRODUCT(F32, F16, F16, F32, NOTHING),
    PRODUCT(F32, F16, F16, F16, NOTHING), PRODUCT(F32, BF16, BF16, F32, NOTHING),
    PRODUCT(F32, TF32, TF32, F32, NOTHING), PRODUCT(F64, F64, F64, F64, RN, RZ, RM, RP),
    BYTES(E4M3, E4M3), BYTES(E4M3, E5M2), BYTES(E5M2, E4M3), BYTES(E5M2, E5M2),
    INTEGERS(S8, S8), INTEGERS(S8, U8), INTEGERS(U8, S8), INTEGERS(U8, U8),
    INTEGERS(S4, S4), INTEGERS(S4, U4), INTEGERS(U4, S4), INTEGERS(U4, U4),
    PRODUCT(S32, B1, B1, S32, AND, XOR, POPC),
    MATRICES(LDMATRIX), MATRICES(STMATRIX),
    { .opcode = PTX_OP_MOVMATRIX, .types = { PTX_B16 },
      .needs = PTX_SET(SYNC, ALIGNED, TRANS), .lower = lower_move },
};

const struct ptx_forms ptx_matrix_forms = { rows, sizeof rows / sizeof *rows };
