/* SPDX-License-Identifier: Apache-2.0
 *
 * What becomes of a call.  That it fits what it calls was verified before (lower_call.c). */
#include "base/alloc.h"
#include "ptx/builtin.h"
#include "ptx/control.h"
#include "ptx/lowering.h"

#define INVALID RILL_ERROR_INVALID_PTX

/* The parts of a call as they are written. */
struct parts {
    const struct ptx_operand *callee, *results, *arguments, *table; /* NULL: there are none */
    uint32_t result_count, argument_count;
};

static void take_list(const struct ptx_operand *list, const struct ptx_operand **items,
                      uint32_t *count)
{
    *items = list->list;
    *count = list->list_count;
}

static rill_status find_parts(struct ptx_lowering *lowering,
                              const struct ptx_instruction *instruction, struct parts *parts)
{
    const struct ptx_operand *at = instruction->operands, *end = at + instruction->operand_count;
    *parts = (struct parts){ 0 };
    if (at < end && at->kind == PTX_OPERAND_LIST)
        take_list(at++, &parts->results, &parts->result_count);
    if (at < end) parts->callee = at++;
    if (at < end && at->kind == PTX_OPERAND_LIST)
        take_list(at++, &parts->arguments, &parts->argument_count);
    if (at < end && at->kind == PTX_OPERAND_TABLE) parts->table = at++;
    if (parts->callee && at == end) return RILL_SUCCESS;
    return ptx_lower_fail(lowering, &instruction->place, INVALID,
                          "a call is written as (results), function, (arguments), targets");
}

/* The column of an argument or a result: a .param variable's, or a register's. */
static rill_status lower_one(struct ptx_lowering *lowering,
                             const struct ptx_instruction *instruction,
                             const struct ptx_operand *operand,
                             const struct ptx_variable *param, bool result, uint32_t *column)
{
    struct ptx_address address;
    if (operand->kind != PTX_OPERAND_VARIABLE) {
        if (param->space != PTX_REG && ptx_type_bytes(param->type) != param->bytes)
            return ptx_lower_fail(lowering, &operand->place, INVALID,
                                  "an array needs a .param variable of %llu bytes",
                                  (unsigned long long)param->bytes);
        return result ? ptx_destination(lowering, instruction, operand, param->type, false, column)
                      : ptx_source(lowering, instruction, operand, param->type, false, column);
    }
    rill_status status = ptx_address_of(lowering, instruction, operand, &address);
    if (status != RILL_SUCCESS) return status;
    if (address.slot == PTX_NO_COLUMN)
        return ptx_lower_fail(lowering, &operand->place, INVALID,
                              "only .param variables of this function can be passed");
    *column = address.slot;
    return RILL_SUCCESS;
}

/* All columns, arguments before results, as they are used; listed the other way round. */
static rill_status lower_all(struct ptx_lowering *lowering,
                             const struct ptx_instruction *instruction,
                             const struct parts *parts, const struct ptx_function *shape,
                             uint32_t *columns)
{
    rill_status status = RILL_SUCCESS;
    for (uint32_t n = 0; n < parts->argument_count && status == RILL_SUCCESS; n++)
        status = lower_one(lowering, instruction, &parts->arguments[n],
                           &shape->variables[shape->params[n]], false,
                           &columns[parts->result_count + n]);
    for (uint32_t n = 0; n < parts->result_count && status == RILL_SUCCESS; n++)
        status = lower_one(lowering, instruction, &parts->results[n],
                           &shape->variables[shape->results[n]], true, &columns[n]);
    return status;
}

static rill_status emit_call(struct ptx_lowering *lowering,
                             const struct ptx_instruction *instruction,
                             const struct parts *parts, const struct ptx_function *shape,
                             const uint32_t *columns, uint32_t more, uint32_t address)
{
    struct ptx_step *step;
    bool direct = parts->callee->kind == PTX_OPERAND_FUNCTION;
    const struct ptx_builtin *builtin = direct && !shape->defined ? ptx_find_builtin(shape->name)
                                                                  : NULL;
    ptx_run *run = builtin ? builtin->run : direct ? ptx_call_step : ptx_indirect_call_step;
    rill_status status = ptx_emit(lowering, instruction, run, &step);
    if (status != RILL_SUCCESS) return status;
    step->more = more;
    if (builtin) {
        step->more += parts->result_count;
        if (parts->result_count) step->d = columns[0];
        return RILL_SUCCESS;
    }
    step->flags |= PTX_STEP_CONTROL;
    step->immediate = PTX_COUNTS(parts->result_count, parts->argument_count);
    step->target = direct ? parts->callee->index : parts->table->index;
    step->a = address;
    return RILL_SUCCESS;
}

static rill_status find_shape(struct ptx_lowering *lowering,
                              const struct ptx_instruction *instruction,
                              const struct parts *parts, const struct ptx_function **shape)
{
    const struct ptx_module *module = ptx_lowered_module(lowering);
    if (parts->callee->kind == PTX_OPERAND_FUNCTION) {
        *shape = &module->functions[parts->callee->index];
        const struct ptx_builtin *builtin = ptx_find_builtin((*shape)->name);
        if (!(*shape)->defined && (!builtin || !ptx_builtin_fits(builtin, *shape)))
            return ptx_lower_fail(lowering, &instruction->place, INVALID,
                                  "%s is declared otherwise than it is", (*shape)->name);
        return RILL_SUCCESS;
    }
    *shape = parts->table ? ptx_call_shape(module, ptx_lowered_function(lowering),
                                           parts->table->index)
                          : NULL;
    return *shape ? RILL_SUCCESS
                  : ptx_lower_fail(lowering, &instruction->place, INVALID,
                                   "a call through a register needs a list of targets or a "
                                   "prototype");
}

rill_status ptx_lower_call(struct ptx_lowering *lowering,
                           const struct ptx_instruction *instruction, const struct ptx_form *form)
{
    struct parts parts;
    const struct ptx_function *shape = NULL;
    uint32_t more = 0, address = PTX_NO_COLUMN;
    (void)form;
    rill_status status = find_parts(lowering, instruction, &parts);
    if (status == RILL_SUCCESS) status = find_shape(lowering, instruction, &parts, &shape);
    if (status != RILL_SUCCESS) return status;
    uint32_t count = parts.result_count + parts.argument_count;
    uint32_t *columns = rl_zalloc(sizeof *columns * (count + 1));
    if (!columns)
        return ptx_lower_fail(lowering, &instruction->place, RILL_ERROR_OUT_OF_MEMORY,
                              "there is no memory for it");
    if (parts.callee->kind != PTX_OPERAND_FUNCTION)
        status = ptx_source(lowering, instruction, parts.callee, PTX_U64, false, &address);
    if (status == RILL_SUCCESS)
        status = lower_all(lowering, instruction, &parts, shape, columns);
    if (status == RILL_SUCCESS && count)
        status = ptx_remember(lowering, columns, count, &more);
    if (status == RILL_SUCCESS)
        status = emit_call(lowering, instruction, &parts, shape, columns, more, address);
    rl_free(columns);
    return status;
}
