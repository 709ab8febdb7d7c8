/* SPDX-License-Identifier: Apache-2.0
 *
 * Operands: which ones go with a type, and the columns where they are.
 */
#include "ptx/lower/state.h"

#include <string.h>

#include "ptx/builtin/special.h"
#include "ptx/step/operand.h"
#include "ptx/text/special_registers.h"

#define INVALID RILL_ERROR_INVALID_PTX

static bool is_bits(enum ptx_type type)
{
    return type >= PTX_B8 && type <= PTX_B128;
}

static bool is_integer(enum ptx_type type)
{
    return (type >= PTX_U8 && type <= PTX_S64) || type == PTX_U16X2 || type == PTX_S16X2;
}

static bool is_float(enum ptx_type type)
{
    return type >= PTX_F16 && type <= PTX_F64;
}

/* ---- Registers ------------------------------------------------------------------------------- */

/* Bits go with everything, integers of both kinds with each other, a float with itself. */
static bool same_kind(enum ptx_type type, enum ptx_type declared)
{
    if (type == declared || is_bits(type) || is_bits(declared)) return true;
    return is_integer(type) && is_integer(declared);
}

static rill_status check_register(struct ptx_lowering *lowering,
                                  const struct ptx_operand *operand, enum ptx_type type,
                                  bool wider)
{
    const struct ptx_register *is = &lowering->function->registers[operand->index];
    uint32_t bytes = ptx_type_bytes(type), has = ptx_type_bytes(is->type);
    if ((type == PTX_PRED) != (is->type == PTX_PRED))
        return ptx_lower_fail(lowering, &operand->place, INVALID,
                              "%s is a .%s register where a .%s is needed", is->name,
                              ptx_type_word(is->type), ptx_type_word(type));
    if (has < bytes || (has > bytes && !wider))
        return ptx_lower_fail(lowering, &operand->place, INVALID,
                              "%s has %u bits where .%s needs %u", is->name, 8 * has,
                              ptx_type_word(type), 8 * bytes);
    if (!same_kind(type, is->type))
        return ptx_lower_fail(lowering, &operand->place, INVALID,
                              "%s is a .%s register, which does not go with .%s", is->name,
                              ptx_type_word(is->type), ptx_type_word(type));
    return RILL_SUCCESS;
}

uint32_t ptx_operand_bytes(const struct ptx_lowering *lowering, const struct ptx_operand *operand)
{
    if (operand->kind != PTX_OPERAND_REGISTER) return 0;
    return ptx_type_bytes(lowering->function->registers[operand->index].type);
}

/* ---- Numbers --------------------------------------------------------------------------------- */

static double double_of_operand(const struct ptx_operand *operand)
{
    double value;
    float single;
    uint32_t bits = (uint32_t)operand->bits;
    if (!operand->single) {
        memcpy(&value, &operand->bits, sizeof value);
        return value;
    }
    memcpy(&single, &bits, sizeof single);
    return single;
}

/* Converts a number to the bits of a type: 0f3F800000 stands for 32 bits, all other floats
 * for 64, and those of .f32 and .f64 are converted. */
static bool float_bits(const struct ptx_operand *operand, enum ptx_type type, uint64_t *bits)
{
    double value = double_of_operand(operand);
    float single = (float)value;
    uint32_t narrow;
    switch (type) {
    case PTX_F64: memcpy(bits, &value, sizeof value); return true;
    case PTX_F32:
        memcpy(&narrow, &single, sizeof narrow);
        *bits = operand->single ? (uint32_t)operand->bits : narrow;
        return true;
    case PTX_B32: *bits = (uint32_t)operand->bits; return operand->single;
    case PTX_B64: *bits = operand->bits; return !operand->single;
    default: return false;
    }
}

static rill_status lower_number_operand(struct ptx_lowering *lowering,
                                        const struct ptx_operand *operand,
                                        enum ptx_type type, uint32_t *column)
{
    uint64_t bits = operand->bits;
    if (operand->kind == PTX_OPERAND_FLOAT) {
        if (!float_bits(operand, type, &bits))
            return ptx_lower_fail(lowering, &operand->place, INVALID,
                                  "a float does not go with .%s", ptx_type_word(type));
    } else if (is_float(type)) {
        return ptx_lower_fail(lowering, &operand->place, INVALID,
                              "an integer does not go with .%s", ptx_type_word(type));
    } else if (type == PTX_PRED) {
        bits = bits != 0;
    }
    if (type == PTX_B128)
        return ptx_lower_fail(lowering, &operand->place, INVALID,
                              "there are no numbers of 128 bits");
    return ptx_lower_number(lowering, bits, ptx_type_bytes(type), column);
}

rill_status ptx_constant(struct ptx_lowering *lowering, const struct ptx_operand *operand,
                         int64_t *value)
{
    if (operand->kind != PTX_OPERAND_INTEGER)
        return ptx_lower_fail(lowering, &operand->place, INVALID,
                              "this must be an integer constant");
    *value = (int64_t)operand->bits;
    return RILL_SUCCESS;
}

/* ---- Special registers, addresses of variables and functions ------------------------------- */

static rill_status lower_special_operand(struct ptx_lowering *lowering,
                                         const struct ptx_instruction *instruction,
                                         const struct ptx_operand *operand, enum ptx_type type,
                                         uint32_t *column)
{
    const struct ptx_special_row *row = ptx_special_row(operand->special.id);
    uint32_t bytes = ptx_type_bytes(type);
    uint32_t has = ptx_type_bytes(row->type);
    if (has != bytes && !(has == 4 && bytes == 2))
        return ptx_lower_fail(lowering, &operand->place, INVALID, "%s has %u bits", row->word,
                              8 * has);
    uint32_t whole;
    struct ptx_step *step;
    rill_status status = ptx_new_column(lowering, has, &whole);
    if (!status)
        status = ptx_emit(lowering, instruction, ptx_special_step(operand->special.id), &step);
    if (status) return status;
    ptx_lower_named(lowering, whole)->predicate = row->type == PTX_PRED;
    step->d = *column = whole;
    step->kind = operand->special.component;
    step->target = operand->special.id;
    ptx_follow(lowering, step, ptx_affine_special_step(operand->special.id));
    if (has == bytes) return RILL_SUCCESS;
    status = ptx_new_column(lowering, bytes, column);
    if (!status) status = ptx_emit(lowering, instruction, ptx_low_half_step, &step);
    if (status) return status;
    step->d = *column;
    step->a = whole;
    ptx_follow(lowering, step, ptx_affine_lanewise_1);
    return RILL_SUCCESS;
}

/* Finds the column of an address: the base, or a number if there is none. */
static rill_status lower_address_operand(struct ptx_lowering *lowering,
                                         const struct ptx_instruction *instruction,
                                         const struct ptx_operand *operand, enum ptx_type type,
                                         uint32_t *column)
{
    struct ptx_address address;
    rill_status status = ptx_lower_variable(lowering, instruction, operand, &address);
    if (status) return status;
    uint32_t bytes = ptx_type_bytes(type);
    bool small = address.space != PTX_GLOBAL && address.space != PTX_CONST;
    if (is_float(type) || (bytes != 8 && !(bytes == 4 && small)))
        return ptx_lower_fail(lowering, &operand->place, INVALID,
                              "the address of a variable does not go with .%s",
                              ptx_type_word(type));
    if (address.slot != PTX_NO_COLUMN)
        return ptx_lower_fail(lowering, &operand->place, RILL_ERROR_NOT_SUPPORTED,
                              "the address of a .param variable that is no kernel's cannot "
                              "be taken");
    if (address.base == PTX_NO_COLUMN)
        return ptx_lower_number(lowering, (uint64_t)address.offset, bytes, column);
    if (bytes != 8)
        return ptx_lower_fail(lowering, &operand->place, RILL_ERROR_NOT_SUPPORTED,
                              "addresses of this variable have 64 bits");
    /* A base that is not known is the result of a step; that step adds the offset, too. */
    lowering->steps[lowering->step_count - 1].immediate += address.offset;
    *column = address.base;
    return RILL_SUCCESS;
}

/* ---- Sources and destinations -------------------------------------------------------------- */

/* Lowers REGISTER + 8. */
static rill_status add_offset(struct ptx_lowering *lowering,
                              const struct ptx_instruction *instruction,
                              const struct ptx_operand *operand, uint32_t *column)
{
    enum ptx_type type = lowering->function->registers[operand->index].type;
    ptx_run *run = ptx_plus_step(type);
    uint32_t whole = *column;
    struct ptx_step *step;
    if (!run)
        return ptx_lower_fail(lowering, &operand->place, INVALID,
                              "nothing can be added to a .%s here", ptx_type_word(type));
    rill_status status = ptx_new_column(lowering, ptx_type_bytes(type), column);
    if (!status) status = ptx_emit(lowering, instruction, run, &step);
    if (status) return status;
    step->d = *column;
    step->a = whole;
    step->immediate = operand->offset;
    ptx_follow(lowering, step, ptx_type_bytes(type) == 4   ? ptx_affine_plus_32
                               : ptx_type_bytes(type) == 8 ? ptx_affine_plus_64
                                                           : ptx_affine_lanewise_1);
    return RILL_SUCCESS;
}

static rill_status from_register(struct ptx_lowering *lowering,
                                 const struct ptx_instruction *instruction,
                                 const struct ptx_operand *operand, uint32_t *column)
{
    rill_status status = ptx_lower_register(lowering, operand->index, column);
    if (!status) status = ptx_lower_use(lowering, *column, false, false);
    if (!status && operand->offset) status = add_offset(lowering, instruction, operand, column);
    if (status || !operand->negated) return status;
    struct ptx_step *step;
    uint32_t positive = *column;
    status = ptx_new_column(lowering, 1, column);
    if (!status) status = ptx_emit(lowering, instruction, ptx_not_step, &step);
    if (status) return status;
    ptx_lower_named(lowering, *column)->predicate = true;
    step->d = *column;
    step->a = positive;
    ptx_follow(lowering, step, ptx_affine_lanewise_1);
    return RILL_SUCCESS;
}

rill_status ptx_source(struct ptx_lowering *lowering, const struct ptx_instruction *instruction,
                       const struct ptx_operand *operand, enum ptx_type type, bool wider,
                       uint32_t *column)
{
    if (operand->negated &&
        (operand->kind != PTX_OPERAND_REGISTER || type != PTX_PRED))
        return ptx_lower_fail(lowering, &operand->place, INVALID,
                              "only a predicate can be negated");
    rill_status status;
    switch (operand->kind) {
    case PTX_OPERAND_REGISTER:
        status = check_register(lowering, operand, type, wider);
        if (status) return status;
        return from_register(lowering, instruction, operand, column);
    case PTX_OPERAND_INTEGER:
    case PTX_OPERAND_FLOAT: return lower_number_operand(lowering, operand, type, column);
    case PTX_OPERAND_SPECIAL:
        return lower_special_operand(lowering, instruction, operand, type, column);
    case PTX_OPERAND_VARIABLE:
        return lower_address_operand(lowering, instruction, operand, type, column);
    case PTX_OPERAND_FUNCTION:
        if (ptx_type_bytes(type) != 8)
            return ptx_lower_fail(lowering, &operand->place, INVALID,
                                  "the address of a function has 64 bits");
        return ptx_lower_number(lowering, PTX_FUNCTION_ADDRESS(operand->index), 8, column);
    default:
        return ptx_lower_fail(lowering, &operand->place, INVALID,
                              "this cannot be read as a .%s", ptx_type_word(type));
    }
}

rill_status ptx_destination(struct ptx_lowering *lowering,
                            const struct ptx_instruction *instruction,
                            const struct ptx_operand *operand, enum ptx_type type, bool wider,
                            uint32_t *column)
{
    rill_status status;
    switch (operand->kind) {
    case PTX_OPERAND_SINK:
        status = ptx_new_column(lowering, ptx_type_bytes(type), column);
        if (!status) ptx_lower_named(lowering, *column)->predicate = type == PTX_PRED;
        return status;
    case PTX_OPERAND_REGISTER:
        if (operand->negated || operand->offset) break;
        status = check_register(lowering, operand, type, wider);
        if (!status) status = ptx_lower_register(lowering, operand->index, column);
        if (status) return status;
        return ptx_lower_use(lowering, *column, true, instruction->guard != PTX_NONE);
    default: break;
    }
    return ptx_lower_fail(lowering, &operand->place, INVALID, "a result needs a register");
}
