/* SPDX-License-Identifier: Apache-2.0
 *
 * cp.async.bulk and cp.reduce.async.bulk, with and without tensor maps.  All addresses become
 * generic ones, so that the steps need not know the spaces.
 */
#include "ptx/async/reduce.h"
#include "ptx/async/tensor.h"
#include "ptx/lower/forms.h"
#include "ptx/lower/fragment.h"
#include "ptx/lower/memory_operand.h"
#include "ptx/lower/state.h"
#include "ptx/step/spaces.h"

#define INVALID RILL_ERROR_INVALID_PTX

/* ---- Addresses ---------------------------------------------------------------------------- */

/* Finds a column with the sum of a column, or nothing, and a number. */
static rill_status add_offset(struct ptx_lowering *lowering,
                              const struct ptx_instruction *instruction, uint32_t base,
                              int64_t offset, uint32_t *column)
{
    struct ptx_step *step;
    *column = base;
    if (base == PTX_NO_COLUMN) return ptx_lower_number(lowering, (uint64_t)offset, 8, column);
    if (!offset) return RILL_SUCCESS;
    rill_status status = ptx_new_column(lowering, 8, column);
    if (!status) status = ptx_emit(lowering, instruction, ptx_cvta_step, &step);
    if (status) return status;
    step->d = *column;
    step->a = base;
    step->immediate = offset;
    ptx_follow(lowering, step, ptx_affine_plus_64);
    return RILL_SUCCESS;
}

static uint64_t window_of(enum ptx_where where)
{
    return where == PTX_TO_SHARED  ? PTX_SHARED_WINDOW
           : where == PTX_TO_PARAM ? PTX_PARAM_WINDOW : 0;
}

/* Lowers an address in brackets as a generic one, whatever spaces the instruction names. */
static rill_status lower_place(struct ptx_lowering *lowering,
                               const struct ptx_instruction *instruction,
                               const struct ptx_operand *operand, enum ptx_space space,
                               uint32_t *column)
{
    struct ptx_memory_operand memory;
    struct ptx_instruction side = *instruction;
    side.modifiers = (struct ptx_modifiers){ { 0 } };
    side.spaces[0] = space;
    side.space_count = space != PTX_GENERIC;
    rill_status status = ptx_lower_memory_operand(lowering, &side, operand, PTX_B8, &memory);
    if (status) return status;
    uint64_t offset = (uint64_t)memory.address.offset + window_of((enum ptx_where)memory.kind);
    return add_offset(lowering, instruction, memory.address.base, (int64_t)offset, column);
}

/* ---- What goes where ---------------------------------------------------------------------- */

/* The operands of an instruction, as they are used up. */
struct operands {
    const struct ptx_operand *next;
    uint32_t left;
    uint32_t columns[BULK_COLUMNS + PTX_TENSOR_DIMENSIONS];
};

static bool is_said(const struct ptx_instruction *instruction, enum ptx_modifier modifier)
{
    return ptx_has(&instruction->modifiers, modifier);
}

static struct operands begin_operands(const struct ptx_instruction *instruction)
{
    struct operands operands = { instruction->operands, instruction->operand_count, { 0 } };
    for (uint32_t i = 0; i < BULK_COLUMNS + PTX_TENSOR_DIMENSIONS; i++)
        operands.columns[i] = PTX_NO_COLUMN;
    return operands;
}

/* Returns the next operand, or NULL if there is none. */
static const struct ptx_operand *take_operand(struct ptx_lowering *lowering,
                                              const struct ptx_instruction *instruction,
                                              struct operands *operands, rill_status *status)
{
    if (*status) return NULL;
    if (operands->left) {
        operands->left--;
        return operands->next++;
    }
    *status = ptx_lower_fail(lowering, &instruction->place, INVALID, "an operand is missing");
    return NULL;
}

static void take_place(struct ptx_lowering *lowering, const struct ptx_instruction *instruction,
                       struct operands *operands, enum ptx_space space, uint32_t which,
                       rill_status *status)
{
    const struct ptx_operand *operand = take_operand(lowering, instruction, operands, status);
    if (operand)
        *status = lower_place(lowering, instruction, operand, space, &operands->columns[which]);
}

static void take_value(struct ptx_lowering *lowering, const struct ptx_instruction *instruction,
                       struct operands *operands, enum ptx_type type, uint32_t which,
                       rill_status *status)
{
    const struct ptx_operand *operand = take_operand(lowering, instruction, operands, status);
    if (operand)
        *status = ptx_source(lowering, instruction, operand, type, false,
                             &operands->columns[which]);
}

/* Takes what follows the places: a mask of blocks, a cache policy; and nothing else. */
static void take_rest(struct ptx_lowering *lowering, const struct ptx_instruction *instruction,
                      struct operands *operands, rill_status *status)
{
    uint32_t column;
    if (is_said(instruction, PTX_MOD_MULTICAST))
        take_value(lowering, instruction, operands, PTX_U16, BULK_BLOCKS, status);
    const struct ptx_operand *policy = NULL;
    if (is_said(instruction, PTX_MOD_L2__CACHE_HINT))
        policy = take_operand(lowering, instruction, operands, status);
    if (policy) *status = ptx_source(lowering, instruction, policy, PTX_B64, false, &column);
    if (!*status && operands->left)
        *status = ptx_lower_fail(lowering, &operands->next->place, INVALID,
                                 "there are more operands than belong here");
}

/* Checks that the instruction names these two spaces, the destination's first. */
static rill_status check_spaces(struct ptx_lowering *lowering,
                                const struct ptx_instruction *instruction, enum ptx_space to,
                                enum ptx_space from)
{
    if (instruction->space_count == 2 && instruction->spaces[0] == to &&
        instruction->spaces[1] == from)
        return RILL_SUCCESS;
    return ptx_lower_fail(lowering, &instruction->place, INVALID,
                          "this does not go from .%s to .%s", ptx_space_word(from),
                          ptx_space_word(to));
}

static rill_status emit_bulk(struct ptx_lowering *lowering,
                             const struct ptx_instruction *instruction, ptx_run *run,
                             const struct operands *operands, struct ptx_step **step)
{
    uint32_t more;
    rill_status status = ptx_remember(lowering, operands->columns,
                                      BULK_COLUMNS + PTX_TENSOR_DIMENSIONS, &more);
    if (!status) status = ptx_emit(lowering, instruction, run, step);
    if (!status) (*step)->more = more;
    return status;
}

/* ---- Without tensor maps ------------------------------------------------------------------ */

/* Lowers [to], [from], bytes, [barrier], and what follows; `kind` is a reduction. */
static rill_status lower_bulk(struct ptx_lowering *lowering,
                              const struct ptx_instruction *instruction,
                              const struct ptx_form *form)
{
    const bool counted = is_said(instruction, PTX_MOD_MBARRIER_COMPLETE);
    const enum ptx_space to = counted ? PTX_SHARED : PTX_GLOBAL;
    const enum ptx_space from = instruction->space_count == 2 && counted ? instruction->spaces[1]
                                                                         : PTX_SHARED;
    struct operands operands = begin_operands(instruction);
    struct ptx_step *step;
    rill_status status = check_spaces(lowering, instruction, to, from);
    if (!status && counted == is_said(instruction, PTX_MOD_BULK_GROUP))
        status = ptx_lower_fail(lowering, &instruction->place, INVALID,
                                "this ends in .bulk_group, or at an mbarrier");
    take_place(lowering, instruction, &operands, to, BULK_TO, &status);
    take_place(lowering, instruction, &operands, from, BULK_FROM, &status);
    take_value(lowering, instruction, &operands, PTX_U32, BULK_BYTES, &status);
    if (counted)
        take_place(lowering, instruction, &operands, PTX_SHARED, BULK_BARRIER, &status);
    take_rest(lowering, instruction, &operands, &status);
    if (!status) status = emit_bulk(lowering, instruction, ptx_bulk_step, &operands, &step);
    if (status) return status;
    step->kind = form->kind;
    step->width = (uint8_t)form->types[0];
    return RILL_SUCCESS;
}

/* Lowers cp.async.bulk.prefetch: nothing would notice it. */
static rill_status lower_prefetch(struct ptx_lowering *lowering,
                                  const struct ptx_instruction *instruction,
                                  const struct ptx_form *form)
{
    struct operands operands = begin_operands(instruction);
    rill_status status = RILL_SUCCESS;
    (void)form;
    take_place(lowering, instruction, &operands, PTX_GLOBAL, BULK_FROM, &status);
    take_value(lowering, instruction, &operands, PTX_U32, BULK_BYTES, &status);
    take_rest(lowering, instruction, &operands, &status);
    return status;
}

/* ---- With tensor maps --------------------------------------------------------------------- */

static rill_status find_dimensions(struct ptx_lowering *lowering,
                                   const struct ptx_instruction *instruction, uint32_t *count)
{
    static const enum ptx_modifier words[] = { PTX_MOD_FLAT_1D, PTX_MOD_FLAT_2D, PTX_MOD_FLAT_3D,
                                               PTX_MOD_FLAT_4D, PTX_MOD_FLAT_5D };
    uint32_t ways = 0;
    for (uint32_t i = 0; i < PTX_TENSOR_DIMENSIONS; i++)
        if (is_said(instruction, words[i])) ways++, *count = i + 1;
    if (ways == 1) return RILL_SUCCESS;
    return ptx_lower_fail(lowering, &instruction->place, INVALID,
                          "one of .1d, .2d, .3d, .4d and .5d belongs here");
}

/* Takes [map, {coordinates}]. */
static void take_tensor(struct ptx_lowering *lowering, const struct ptx_instruction *instruction,
                        struct operands *operands, uint32_t dimensions, rill_status *status)
{
    const struct ptx_operand *operand = take_operand(lowering, instruction, operands, status);
    if (!operand) return;
    const struct ptx_operand *list = operand->list_count == 2 ? &operand->list[1] : NULL;
    const bool vector = list && list->kind == PTX_OPERAND_VECTOR;
    if (operand->kind != PTX_OPERAND_ADDRESS || !list ||
        (vector ? list->list_count : 1) != dimensions) {
        *status = ptx_lower_fail(lowering, &operand->place, INVALID,
                                 "[map, {coordinates}] with %u of them belongs here", dimensions);
        return;
    }
    struct ptx_operand map = *operand;
    map.list_count = 1;
    *status = lower_place(lowering, instruction, &map, PTX_GENERIC, &operands->columns[BULK_MAP]);
    for (uint32_t k = 0; k < dimensions && !*status; k++)
        *status = ptx_source(lowering, instruction, vector ? &list->list[k] : list, PTX_S32, false,
                             &operands->columns[BULK_COLUMNS + k]);
}

/* Lowers [to], [map, ...], [barrier], or [map, ...], [from]; or a prefetch, which is nothing. */
static rill_status lower_tensor(struct ptx_lowering *lowering,
                                const struct ptx_instruction *instruction,
                                const struct ptx_form *form)
{
    const bool loads = is_said(instruction, PTX_MOD_MBARRIER_COMPLETE),
               hints = is_said(instruction, PTX_MOD_PREFETCH_);
    struct operands operands = begin_operands(instruction);
    struct ptx_step *step;
    uint32_t dimensions = 0;
    rill_status status = find_dimensions(lowering, instruction, &dimensions);
    if (!status && !hints)
        status = loads ? check_spaces(lowering, instruction, PTX_SHARED, PTX_GLOBAL)
                       : check_spaces(lowering, instruction, PTX_GLOBAL, PTX_SHARED);
    if (loads) take_place(lowering, instruction, &operands, PTX_SHARED, BULK_TO, &status);
    if (!status) take_tensor(lowering, instruction, &operands, dimensions, &status);
    if (loads) take_place(lowering, instruction, &operands, PTX_SHARED, BULK_BARRIER, &status);
    else if (!hints) take_place(lowering, instruction, &operands, PTX_SHARED, BULK_FROM, &status);
    take_rest(lowering, instruction, &operands, &status);
    if (status || hints) return status;
    status = emit_bulk(lowering, instruction,
                       loads ? ptx_tensor_load_step : ptx_tensor_store_step, &operands, &step);
    if (status) return status;
    step->kind = form->kind;
    step->width = (uint8_t)dimensions;
    return RILL_SUCCESS;
}

/* ---- The table ---------------------------------------------------------------------------- */

#define REDUCE(operation, type, ...) \
    { .opcode = PTX_OP_CP, .types = { PTX_##type }, .kind = REDUCE_##operation, \
      .needs = PTX_SET(REDUCE, ASYNC, BULK, operation), .lower = lower_bulk, \
      .allows = PTX_SET(MBARRIER_COMPLETE, BULK_GROUP, SHARED_CTA, SHARED_CLUSTER, \
                        L2__CACHE_HINT, __VA_ARGS__) }
#define EXTREMES(type) REDUCE(MIN, type, NOTHING), REDUCE(MAX, type, NOTHING)
#define BITS(type) REDUCE(AND, type, NOTHING), REDUCE(OR, type, NOTHING), REDUCE(XOR, type, NOTHING)
#define TENSOR_ROW(operation, ...) \
    { .opcode = PTX_OP_CP, .kind = REDUCE_##operation, .lower = lower_tensor, \
      .needs = PTX_SET(ASYNC, BULK, TENSOR, __VA_ARGS__), \
      .allows = PTX_SET(FLAT_1D, FLAT_2D, FLAT_3D, FLAT_4D, FLAT_5D, TILE, L2__CACHE_HINT, \
                        SHARED_CTA, SHARED_CLUSTER, MULTICAST) }
#define REDUCE_TENSOR(operation) TENSOR_ROW(operation, BULK_GROUP, REDUCE, operation)

static const struct ptx_form rows[] = {
    { .opcode = PTX_OP_CP, .needs = PTX_SET(ASYNC, BULK, MBARRIER_COMPLETE), .lower = lower_bulk,
      .allows = PTX_SET(SHARED_CTA, SHARED_CLUSTER, MULTICAST, L2__CACHE_HINT) },
    { .opcode = PTX_OP_CP, .needs = PTX_SET(ASYNC, BULK, BULK_GROUP), .lower = lower_bulk,
      .allows = PTX_SET(SHARED_CTA, L2__CACHE_HINT) },
    { .opcode = PTX_OP_CP, .needs = PTX_SET(ASYNC, BULK, PREFETCH_, L2), .lower = lower_prefetch,
      .allows = PTX_SET(L2__CACHE_HINT) },
    { .opcode = PTX_OP_CP, .needs = PTX_SET(ASYNC, BULK, COMMIT_GROUP),
      .lower = ptx_lower_group_wait },
    { .opcode = PTX_OP_CP, .needs = PTX_SET(ASYNC, BULK, WAIT_GROUP), .lower = ptx_lower_group_wait,
      .allows = PTX_SET(READ) },
    REDUCE(ADD, U32, NOTHING), REDUCE(ADD, S32, NOTHING), REDUCE(ADD, U64, NOTHING),
    REDUCE(ADD, F32, NOTHING), REDUCE(ADD, F64, NOTHING), REDUCE(ADD, F16, NOFTZ),
    REDUCE(ADD, BF16, NOFTZ), REDUCE(INC, U32, NOTHING), REDUCE(DEC, U32, NOTHING),
    EXTREMES(U32), EXTREMES(S32), EXTREMES(U64), EXTREMES(S64), EXTREMES(F16), EXTREMES(BF16),
    BITS(B32), BITS(B64),
    TENSOR_ROW(NOTHING, MBARRIER_COMPLETE), TENSOR_ROW(NOTHING, BULK_GROUP),
    TENSOR_ROW(NOTHING, PREFETCH_, L2),
    REDUCE_TENSOR(ADD), REDUCE_TENSOR(MIN), REDUCE_TENSOR(MAX), REDUCE_TENSOR(INC),
    REDUCE_TENSOR(DEC), REDUCE_TENSOR(AND), REDUCE_TENSOR(OR), REDUCE_TENSOR(XOR),
};

const struct ptx_forms ptx_bulk_forms = { rows, sizeof rows / sizeof *rows };
