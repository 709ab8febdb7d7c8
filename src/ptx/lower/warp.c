/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx/affine/affine.h"
#include "ptx/lower/forms.h"
#include "ptx/lower/lowering.h"
#include "ptx/run/warp/warp_op.h"
#include "ptx/run/warp/warp_sync.h"

/* The operands of an instruction: the types of its parts. */
struct operand_types {
    enum ptx_type d, a;   /* PTX_NO_TYPE: it has none                                        */
    bool pair;            /* d may be followed by a predicate: d|p                           */
    bool bc;              /* two more sources of .b32                                        */
};

static struct operand_types types_of(const struct ptx_instruction *instruction,
                                     const struct ptx_form *form)
{
    uint8_t kind = form->kind;
    if (kind <= PTX_SHFL_IDX) return (struct operand_types){ PTX_B32, PTX_B32, true, true };
    if (kind == PTX_VOTE_BALLOT) return (struct operand_types){ PTX_B32, PTX_PRED, false, false };
    if (kind < PTX_VOTE_BALLOT) return (struct operand_types){ PTX_PRED, PTX_PRED, false, false };
    if (kind <= PTX_MATCH_ALL)
        return (struct operand_types){ PTX_B32, instruction->types[0], kind == PTX_MATCH_ALL,
                                       false };
    if (kind <= PTX_REDUX_XOR)
        return (struct operand_types){ instruction->types[0], instruction->types[0], false, false };
    if (kind == PTX_ELECT) return (struct operand_types){ PTX_B32, PTX_NO_TYPE, true, false };
    return (struct operand_types){ PTX_NO_TYPE, PTX_NO_TYPE, false, false };
}

/* The columns of one instruction. */
struct columns {
    uint32_t d, e, a, b, c, members;
};

static rill_status lower_destinations(struct ptx_lowering *lowering,
                                      const struct ptx_instruction *instruction,
                                      struct operand_types types, struct columns *columns)
{
    const struct ptx_operand *operand = &instruction->operands[0];
    if (operand->kind != PTX_OPERAND_PAIR)
        return ptx_destination(lowering, instruction, operand, types.d, false, &columns->d);
    if (!types.pair || operand->list_count != 2)
        return ptx_lower_fail(lowering, &operand->place, RILL_ERROR_INVALID_PTX,
                              "there is one destination, not two");
    rill_status status = ptx_destination(lowering, instruction, &operand->list[0], types.d, false,
                                         &columns->d);
    if (status != RILL_SUCCESS) return status;
    return ptx_destination(lowering, instruction, &operand->list[1], PTX_PRED, false,
                           &columns->e);
}

static uint32_t operands_of(struct operand_types types, bool sync)
{
    return (types.d != PTX_NO_TYPE) + (types.a != PTX_NO_TYPE) + 2 * types.bc + sync;
}

static rill_status lower_columns(struct ptx_lowering *lowering,
                                 const struct ptx_instruction *instruction,
                                 struct operand_types types, bool sync, struct columns *columns)
{
    const struct ptx_operand *at = instruction->operands;
    rill_status status = RILL_SUCCESS;
    *columns = (struct columns){ PTX_NO_COLUMN, PTX_NO_COLUMN, PTX_NO_COLUMN, PTX_NO_COLUMN,
                                 PTX_NO_COLUMN, PTX_NO_COLUMN };
    if (types.d != PTX_NO_TYPE) at++;
    if (types.a != PTX_NO_TYPE)
        status = ptx_source(lowering, instruction, at++, types.a, false, &columns->a);
    if (status == RILL_SUCCESS && types.bc)
        status = ptx_source(lowering, instruction, at++, PTX_B32, false, &columns->b);
    if (status == RILL_SUCCESS && types.bc)
        status = ptx_source(lowering, instruction, at++, PTX_B32, false, &columns->c);
    if (status == RILL_SUCCESS && sync)
        status = ptx_source(lowering, instruction, at, PTX_B32, false, &columns->members);
    if (status == RILL_SUCCESS && types.d != PTX_NO_TYPE)
        status = lower_destinations(lowering, instruction, types, columns);
    return status;
}

static rill_status lower_warp(struct ptx_lowering *lowering,
                              const struct ptx_instruction *instruction,
                              const struct ptx_form *form)
{
    bool sync = ptx_has(&instruction->modifiers, PTX_MOD_SYNC);
    struct operand_types types = types_of(instruction, form);
    struct columns columns;
    struct ptx_step *step;
    uint32_t more = 0;
    if (instruction->operand_count != operands_of(types, sync))
        return ptx_lower_fail(lowering, &instruction->place, RILL_ERROR_INVALID_PTX,
                              "there are %u operands where %u belong", instruction->operand_count,
                              operands_of(types, sync));
    rill_status status = lower_columns(lowering, instruction, types, sync, &columns);
    if (status == RILL_SUCCESS && sync)
        status = ptx_remember(lowering, &columns.members, 1, &more);
    if (status == RILL_SUCCESS)
        status = ptx_emit(lowering, instruction, sync ? ptx_warp_sync_step : ptx_unsynced_step,
                          &step);
    if (status != RILL_SUCCESS) return status;
    step->d = columns.d;
    step->e = columns.e;
    step->a = columns.a;
    step->b = columns.b;
    step->c = columns.c;
    step->more = more;
    step->kind = form->kind;
    step->width = (uint8_t)ptx_type_bytes(types.a);
    if (!sync) return RILL_SUCCESS;
    step->flags |= PTX_STEP_CONTROL;
    ptx_follow(lowering, step, ptx_affine_warp);
    return RILL_SUCCESS;
}

#define NOT_ANY PTX_SET(NOTHING)
#define ROW(opcode, type, kind, ...) \
    { PTX_OP_##opcode, { type }, kind, PTX_SET(__VA_ARGS__), NOT_ANY, NULL, NULL, NULL, \
      lower_warp }
#define SHFL(type, mode) \
    ROW(SHFL, type, PTX_SHFL_##mode, SYNC, mode), ROW(SHFL, type, PTX_SHFL_##mode, mode)
#define VOTE(type, mode) \
    ROW(VOTE, type, PTX_VOTE_##mode, SYNC, mode), ROW(VOTE, type, PTX_VOTE_##mode, mode)

static const struct ptx_form rows[] = {
    SHFL(PTX_B32, UP), SHFL(PTX_B32, DOWN), SHFL(PTX_B32, BFLY), SHFL(PTX_B32, IDX),
    VOTE(PTX_PRED, ALL), VOTE(PTX_PRED, ANY), VOTE(PTX_PRED, UNI), VOTE(PTX_B32, BALLOT),
    ROW(MATCH, PTX_B32, PTX_MATCH_ANY, SYNC, ANY), ROW(MATCH, PTX_B64, PTX_MATCH_ANY, SYNC, ANY),
    ROW(MATCH, PTX_B32, PTX_MATCH_ALL, SYNC, ALL), ROW(MATCH, PTX_B64, PTX_MATCH_ALL, SYNC, ALL),
    ROW(REDUX, PTX_U32, PTX_REDUX_ADD, SYNC, ADD), ROW(REDUX, PTX_S32, PTX_REDUX_ADD, SYNC, ADD),
    ROW(REDUX, PTX_U32, PTX_REDUX_MIN_U, SYNC, MIN),
    ROW(REDUX, PTX_U32, PTX_REDUX_MAX_U, SYNC, MAX),
    ROW(REDUX, PTX_S32, PTX_REDUX_MIN_S, SYNC, MIN),
    ROW(REDUX, PTX_S32, PTX_REDUX_MAX_S, SYNC, MAX),
    ROW(REDUX, PTX_B32, PTX_REDUX_AND, SYNC, AND), ROW(REDUX, PTX_B32, PTX_REDUX_OR, SYNC, OR),
    ROW(REDUX, PTX_B32, PTX_REDUX_XOR, SYNC, XOR),
    ROW(ELECT, PTX_NO_TYPE, PTX_ELECT, SYNC),
    ROW(BAR, PTX_NO_TYPE, PTX_BAR_WARP, SYNC, WARP),
    { PTX_OP_ACTIVEMASK, { PTX_B32 }, 0, NOT_ANY, NOT_ANY, "=0", ptx_activemask_step, NULL,
      NULL }
};

const struct ptx_forms ptx_warp_forms = { rows, sizeof rows / sizeof *rows };
