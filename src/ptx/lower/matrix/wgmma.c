/* SPDX-License-Identifier: Apache-2.0
 *
 * wgmma: products of warpgroups, and what orders them.
 */
#include "ptx/lower/forms.h"
#include "ptx/lower/fragment.h"
#include "ptx/matrix/warpgroup.h"

#include <string.h>

#define INVALID RILL_ERROR_INVALID_PTX

enum { A_REGISTERS = 4 };

/* ---- Plans -------------------------------------------------------------------------------- */

static bool is_sparse(const struct ptx_instruction *instruction)
{
    return ptx_has(&instruction->modifiers, PTX_MOD_SP);
}

static struct warpgroup_plan plan_of(const struct ptx_instruction *instruction)
{
    const bool registers = instruction->operands[1].kind == PTX_OPERAND_VECTOR;
    const bool saturates = ptx_has(&instruction->modifiers, PTX_MOD_SATFINITE);
    return (struct warpgroup_plan){
        .d = (uint8_t)instruction->types[0], .a = (uint8_t)instruction->types[1],
        .b = (uint8_t)instruction->types[2], .eighths = (uint8_t)(instruction->shape.n / 8),
        .flags = (uint8_t)((registers ? WARPGROUP_A_IN_REGISTERS : 0) |
                           (saturates ? WARPGROUP_SATURATES : 0) |
                           (is_sparse(instruction) ? WARPGROUP_SPARSE : 0)),
    };
}

/* ---- Shapes ------------------------------------------------------------------------------- */

static rill_status check_shape(struct ptx_lowering *lowering,
                               const struct ptx_instruction *instruction)
{
    const struct ptx_shape *shape = &instruction->shape;
    const bool coarse = instruction->types[0] == PTX_S32 && shape->n > 24;
    const uint32_t multiple = coarse ? 16 : 8;
    const struct warpgroup_plan plan = plan_of(instruction);
    const uint32_t depth = ptx_warpgroup_depth(&plan);
    if (shape->m == WARPGROUP_M && shape->k == depth && shape->n &&
        shape->n <= WARPGROUP_N && shape->n % multiple == 0)
        return RILL_SUCCESS;
    return ptx_lower_fail(lowering, &instruction->place, INVALID,
                          "with these types it is .m64nNk%u, N a multiple of %u up to 256",
                          depth, multiple);
}

/* ---- What follows the predicate ----------------------------------------------------------- */

/* Operands as they are used up. */
struct numbers {
    const struct ptx_operand *next, *end;
};

/* Takes a number that is one of two. */
static rill_status take_number(struct ptx_lowering *lowering,
                               const struct ptx_instruction *instruction, struct numbers *numbers,
                               int64_t low, int64_t high, int64_t *value)
{
    if (numbers->next == numbers->end)
        return ptx_lower_fail(lowering, &instruction->place, INVALID, "an operand is missing");
    const struct ptx_operand *operand = numbers->next++;
    rill_status status = ptx_constant(lowering, operand, value);
    if (status || *value == low || *value == high) return status;
    return ptx_lower_fail(lowering, &operand->place, INVALID, "this is %d or %d", (int)low,
                          (int)high);
}

/* Takes the factors' signs, and the directions in which they lie. */
static rill_status take_numbers(struct ptx_lowering *lowering,
                                const struct ptx_instruction *instruction, struct numbers *numbers,
                                struct warpgroup_plan *plan)
{
    const bool floats = plan->d != PTX_S32, halves = plan->a == PTX_F16 || plan->a == PTX_BF16;
    int64_t sign_a = 1, sign_b = 1, across_a = 0, across_b = 0;
    rill_status status = RILL_SUCCESS;
    if (floats) status = take_number(lowering, instruction, numbers, -1, 1, &sign_a);
    if (!status && floats) status = take_number(lowering, instruction, numbers, -1, 1, &sign_b);
    if (!status && halves && !(plan->flags & WARPGROUP_A_IN_REGISTERS))
        status = take_number(lowering, instruction, numbers, 0, 1, &across_a);
    if (!status && halves) status = take_number(lowering, instruction, numbers, 0, 1, &across_b);
    if (!status && numbers->next != numbers->end)
        status = ptx_lower_fail(lowering, &numbers->next->place, INVALID,
                                "there are more operands than belong here");
    if (sign_a != sign_b) plan->flags |= WARPGROUP_NEGATES;
    if (across_a) plan->flags |= WARPGROUP_A_ACROSS;
    if (across_b) plan->flags |= WARPGROUP_B_ACROSS;
    return status;
}

static rill_status take_selector(struct ptx_lowering *lowering,
                                 const struct ptx_instruction *instruction,
                                 struct warpgroup_plan *plan)
{
    const struct ptx_operand *operand = &instruction->operands[4];
    const uint32_t selectors =
        ptx_matrix_selectors((enum ptx_type)plan->a, ptx_warpgroup_depth(plan));
    int64_t selector;
    rill_status status = ptx_constant(lowering, operand, &selector);
    if (status) return status;
    if (selector < 0 || selector >= (int64_t)selectors)
        return ptx_lower_fail(lowering, &operand->place, INVALID,
                              "the selector is less than %u with these types", selectors);
    plan->selector = (uint8_t)selector;
    return RILL_SUCCESS;
}

/* ---- The product -------------------------------------------------------------------------- */

/* Finds the columns of d, a, b, the predicate and the places of a sparse factor, in this order;
 * *count of them. */
static rill_status find_columns(struct ptx_lowering *lowering,
                                const struct ptx_instruction *instruction,
                                const struct warpgroup_plan *plan, uint32_t *columns,
                                uint32_t *count)
{
    const struct ptx_operand *operands = instruction->operands;
    const enum ptx_type type = plan->d == PTX_F16 ? PTX_B32 : (enum ptx_type)plan->d;
    const uint32_t registers = ptx_warpgroup_registers(plan, plan->eighths * 8u);
    const bool sparse = plan->flags & WARPGROUP_SPARSE;
    uint32_t *at = columns + registers;
    rill_status status = ptx_fragment_sources(lowering, instruction, &operands[0], type, registers,
                                              columns);
    if (!status && (plan->flags & WARPGROUP_A_IN_REGISTERS)) {
        status = ptx_fragment_sources(lowering, instruction, &operands[1], PTX_B32, A_REGISTERS,
                                      at);
        at += A_REGISTERS;
    } else if (!status) {
        status = ptx_source(lowering, instruction, &operands[1], PTX_B64, false, at++);
    }
    if (!status)
        status = ptx_source(lowering, instruction, &operands[2], PTX_B64, false, at++);
    if (!status)
        status = ptx_source(lowering, instruction, &operands[sparse ? 5 : 3], PTX_PRED, false,
                            at++);
    if (!status && sparse)
        status = ptx_source(lowering, instruction, &operands[3], PTX_B32, false, at++);
    if (!status)
        status = ptx_fragment_destinations(lowering, instruction, &operands[0], type, registers,
                                           columns);
    *count = (uint32_t)(at - columns);
    return status;
}

static rill_status lower_product(struct ptx_lowering *lowering,
                                 const struct ptx_instruction *instruction,
                                 const struct ptx_form *form)
{
    uint32_t columns[WARPGROUP_D + A_REGISTERS + 3], count = 0, more;
    const uint32_t operands = is_sparse(instruction) ? 6 : 4; /* up to the predicate */
    struct ptx_step *step;
    (void)form;
    rill_status status = RILL_SUCCESS;
    if (instruction->operand_count < operands)
        status = ptx_check_operand_count(lowering, instruction, operands);
    if (!status) status = check_shape(lowering, instruction);
    if (status) return status;
    struct warpgroup_plan plan = plan_of(instruction);
    struct numbers numbers = { instruction->operands + operands,
                               instruction->operands + instruction->operand_count };
    status = take_numbers(lowering, instruction, &numbers, &plan);
    if (!status && is_sparse(instruction)) status = take_selector(lowering, instruction, &plan);
    if (!status) status = find_columns(lowering, instruction, &plan, columns, &count);
    if (!status) status = ptx_remember(lowering, columns, count, &more);
    if (!status) status = ptx_emit_whole_warp(lowering, instruction, ptx_warpgroup_step, &step);
    if (status) return status;
    ptx_lower_scratch(lowering, ptx_warpgroup_bytes(&plan));
    step->more = more;
    memcpy(&step->immediate, &plan, sizeof plan);
    return RILL_SUCCESS;
}

/* ---- The table ---------------------------------------------------------------------------- */

#define PRODUCT(d, a, b, ...) \
    { .opcode = PTX_OP_WGMMA, .types = { PTX_##d, PTX_##a, PTX_##b }, .lower = lower_product, \
      .needs = PTX_SET(MMA_ASYNC, SYNC, ALIGNED), .allows = PTX_SET(__VA_ARGS__) }
#define FLOATS(d, a, b) PRODUCT(d, a, b, SP)
#define BYTES(a, b) FLOATS(F32, a, b), FLOATS(F16, a, b)
#define INTEGERS(a, b) PRODUCT(S32, a, b, SP, SATFINITE)
#define ORDER(how) \
    { .opcode = PTX_OP_WGMMA, .needs = PTX_SET(how, SYNC, ALIGNED), .lower = ptx_lower_group_wait }

static const struct ptx_form rows[] = {
    FLOATS(F16, F16, F16), FLOATS(F32, F16, F16), FLOATS(F32, BF16, BF16), FLOATS(F32, TF32, TF32),
    BYTES(E4M3, E4M3), BYTES(E4M3, E5M2), BYTES(E5M2, E4M3), BYTES(E5M2, E5M2),
    INTEGERS(S8, S8), INTEGERS(S8, U8), INTEGERS(U8, S8), INTEGERS(U8, U8),
    { .opcode = PTX_OP_WGMMA, .types = { PTX_S32, PTX_B1, PTX_B1 }, .lower = lower_product,
      .needs = PTX_SET(MMA_ASYNC, SYNC, ALIGNED, AND, POPC) },
    ORDER(FENCE_), ORDER(COMMIT_GROUP), ORDER(WAIT_GROUP),
};

const struct ptx_forms ptx_wgmma_forms = { rows, sizeof rows / sizeof *rows };
