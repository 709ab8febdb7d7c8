/* SPDX-License-Identifier: Apache-2.0
 *
 * What becomes of a call.  That it fits what it calls was verified before (lower_call.c). */
#include "base/alloc.h"
#include "ptx/builtin.h"
#include "ptx/control.h"
#include "ptx/lowering.h"

#define INVALID RILL_ERROR_INVALID_PTX

static uint32_t count_of(const struct ptx_operand *list)
{
    return list ? list->list_count : 0;
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
                             const struct ptx_call *call, const struct ptx_function *shape,
                             uint32_t *columns)
{
    rill_status status = RILL_SUCCESS;
    for (uint32_t n = 0; n < count_of(call->arguments) && status == RILL_SUCCESS; n++)
        status = lower_one(lowering, instruction, &call->arguments->list[n],
                           &shape->variables[shape->params[n]], false,
                           &columns[count_of(call->results) + n]);
    for (uint32_t n = 0; n < count_of(call->results) && status == RILL_SUCCESS; n++)
        status = lower_one(lowering, instruction, &call->results->list[n],
                           &shape->variables[shape->results[n]], true, &columns[n]);
    return status;
}

static rill_status emit_call(struct ptx_lowering *lowering,
                             const struct ptx_instruction *instruction,
                             const struct ptx_call *call, const struct ptx_function *shape,
                             const uint32_t *columns, uint32_t more, uint32_t address)
{
    struct ptx_step *step;
    bool direct = call->target->kind == PTX_OPERAND_FUNCTION;
    const struct ptx_builtin *builtin = direct && !shape->defined ? ptx_find_builtin(shape->name)
                                                                  : NULL;
    ptx_run *run = builtin ? builtin->run : direct ? ptx_call_step : ptx_indirect_call_step;
    rill_status status = ptx_emit(lowering, instruction, run, &step);
    if (status != RILL_SUCCESS) return status;
    step->more = more;
    if (builtin) {
        step->more += count_of(call->results);
        if (count_of(call->results)) step->d = columns[0];
        return RILL_SUCCESS;
    }
    step->flags |= PTX_STEP_CONTROL;
    step->immediate = PTX_COUNTS(count_of(call->results), count_of(call->arguments));
    step->target = direct ? call->target->index : call->table->index;
    step->a = address;
    return RILL_SUCCESS;
}

static rill_status find_shape(struct ptx_lowering *lowering,
                              const struct ptx_instruction *instruction,
                              const struct ptx_call *call, const struct ptx_function **shape)
{
    const struct ptx_module *module = ptx_lowered_module(lowering);
    if (call->target->kind == PTX_OPERAND_FUNCTION) {
        *shape = &module->functions[call->target->index];
        const struct ptx_builtin *builtin = ptx_find_builtin((*shape)->name);
        if (!(*shape)->defined && (!builtin || !ptx_builtin_fits(builtin, *shape)))
            return ptx_lower_fail(lowering, &instruction->place, INVALID,
                                  "%s is declared otherwise than it is", (*shape)->name);
        return RILL_SUCCESS;
    }
    *shape = call->table ? ptx_call_shape(module, ptx_lowered_function(lowering),
                                           call->table->index)
                          : NULL;
    return *shape ? RILL_SUCCESS
                  : ptx_lower_fail(lowering, &instruction->place, INVALID,
                                   "a call through a register needs a list of targets or a "
                                   "prototype");
}

rill_status ptx_lower_call(struct ptx_lowering *lowering,
                           const struct ptx_instruction *instruction, const struct ptx_form *form)
{
    struct ptx_call call;
    const struct ptx_function *shape = NULL;
    uint32_t more = 0, address = PTX_NO_COLUMN;
    (void)form;
    if (!ptx_call_take_apart(instruction, &call))
        return ptx_lower_fail(lowering, &instruction->place, INVALID,
                              "a call is (results), function, (arguments), and perhaps a list");
    rill_status status = find_shape(lowering, instruction, &call, &shape);
    if (status != RILL_SUCCESS) return status;
    uint32_t count = count_of(call.results) + count_of(call.arguments);
    uint32_t *columns = rl_zalloc(sizeof *columns * (count + 1));
    if (!columns)
        return ptx_lower_fail(lowering, &instruction->place, RILL_ERROR_OUT_OF_MEMORY,
                              "there is no memory for it");
    if (call.target->kind != PTX_OPERAND_FUNCTION)
        status = ptx_source(lowering, instruction, call.target, PTX_U64, false, &address);
    if (status == RILL_SUCCESS)
        status = lower_all(lowering, instruction, &call, shape, columns);
    if (status == RILL_SUCCESS && count)
        status = ptx_remember(lowering, columns, count, &more);
    if (status == RILL_SUCCESS)
        status = emit_call(lowering, instruction, &call, shape, columns, more, address);
    rl_free(columns);
    return status;
}
