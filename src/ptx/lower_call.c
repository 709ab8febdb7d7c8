/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether a call fits what it calls: a function, or through an address a function of a
 * prototype or out of a list.
 */
#include "ptx/lower.h"

#include "ptx/builtin.h"
#include "ptx/control.h"

#define INVALID RILL_ERROR_INVALID_PTX

static const struct ptx_operand *next(const struct ptx_instruction *instruction, uint32_t *at,
                                      enum ptx_operand_kind kind)
{
    if (*at >= instruction->operand_count || instruction->operands[*at].kind != kind) return NULL;
    return &instruction->operands[(*at)++];
}

bool ptx_call_take_apart(const struct ptx_instruction *instruction, struct ptx_call *call)
{
    uint32_t at = 0;
    call->results = next(instruction, &at, PTX_OPERAND_LIST);
    call->target = next(instruction, &at, PTX_OPERAND_FUNCTION);
    if (!call->target) call->target = next(instruction, &at, PTX_OPERAND_REGISTER);
    call->arguments = next(instruction, &at, PTX_OPERAND_LIST);
    call->table = next(instruction, &at, PTX_OPERAND_TABLE);
    return call->target && at == instruction->operand_count;
}

/* ---- One argument -------------------------------------------------------------------------- */

static uint64_t bytes_of(const struct ptx_variable *parameter)
{
    return parameter->space == PTX_REG ? ptx_type_bytes(parameter->type) : parameter->bytes;
}

static rill_status check_one(struct ptx_lowering *lowering, const struct ptx_operand *operand,
                             const struct ptx_variable *parameter)
{
    const struct ptx_function *function = lowering->function;
    uint64_t needs = bytes_of(parameter), has = needs;
    switch (operand->kind) {
    case PTX_OPERAND_VARIABLE:
        if (!operand->local || operand->index >= function->variable_count ||
            function->variables[operand->index].space != PTX_PARAM || operand->offset)
            return ptx_lower_fail(lowering, &operand->place, INVALID,
                                  "only .param variables go through a call");
        has = function->variables[operand->index].bytes;
        break;
    case PTX_OPERAND_REGISTER: has = ptx_operand_bytes(lowering, operand); break;
    default: break;
    }
    if (has == needs) return RILL_SUCCESS;
    return ptx_lower_fail(lowering, &operand->place, INVALID,
                          "%s has %llu bytes, and what stands here %llu", parameter->name,
                          (unsigned long long)needs, (unsigned long long)has);
}

static rill_status check_list(struct ptx_lowering *lowering,
                              const struct ptx_instruction *instruction,
                              const struct ptx_operand *list, const char *what,
                              const struct ptx_function *callee, const uint32_t *parameters,
                              uint32_t count)
{
    uint32_t has = list ? list->list_count : 0;
    if (has != count)
        return ptx_lower_fail(lowering, list ? &list->place : &instruction->place, INVALID,
                              "%s has %u %s, and %u stand here", callee->name, count, what, has);
    rill_status status = RILL_SUCCESS;
    for (uint32_t i = 0; i < count && !status; i++) {
        if (parameters[i] >= callee->variable_count)
            return ptx_lower_fail(lowering, &instruction->place, INVALID,
                                  "%s has no such parameter", callee->name);
        status = check_one(lowering, &list->list[i], &callee->variables[parameters[i]]);
    }
    return status;
}

static rill_status check_signature(struct ptx_lowering *lowering,
                                   const struct ptx_instruction *instruction,
                                   const struct ptx_call *call, const struct ptx_function *callee)
{
    rill_status status = check_list(lowering, instruction, call->results, "results", callee,
                                    callee->results, callee->result_count);
    if (status) return status;
    return check_list(lowering, instruction, call->arguments, "parameters", callee,
                      callee->params, callee->param_count);
}

/* ---- What is called ------------------------------------------------------------------------ */

static rill_status check_callee(struct ptx_lowering *lowering,
                                const struct ptx_instruction *instruction,
                                const struct ptx_call *call, uint32_t index)
{
    const struct ptx_module *module = lowering->module;
    if (index >= module->function_count)
        return ptx_lower_fail(lowering, &call->target->place, INVALID,
                              "there is no such function");
    const struct ptx_function *callee = &module->functions[index];
    if (callee->entry)
        return ptx_lower_fail(lowering, &call->target->place, INVALID,
                              "%s is a kernel, which cannot be called", callee->name);
    if (!callee->defined && !ptx_find_builtin(callee->name))
        return ptx_lower_fail(lowering, &call->target->place, INVALID,
                              "%s is declared and nowhere defined", callee->name);
    return check_signature(lowering, instruction, call, callee);
}

/* Through an address: the prototype speaks for all; so does the first of a list, whose others
 * have to be like it. */
static rill_status check_indirect(struct ptx_lowering *lowering,
                                  const struct ptx_instruction *instruction,
                                  const struct ptx_call *call)
{
    if (!call->table)
        return ptx_lower_fail(lowering, &call->target->place, INVALID,
                              "a call through a register needs a prototype or a list of targets");
    if (ptx_operand_bytes(lowering, call->target) != 8)
        return ptx_lower_fail(lowering, &call->target->place, INVALID,
                              "the address of a function has 64 bits");
    const struct ptx_table *table = &lowering->function->tables[call->table->index];
    if (table->labels)
        return ptx_lower_fail(lowering, &call->table->place, INVALID, "%s is a list of labels",
                              table->name);
    if (table->prototype)
        return check_signature(lowering, instruction, call, table->prototype);
    if (lowering->checked[call->table->index])
        return check_callee(lowering, instruction, call, table->items[0]);
    rill_status status = RILL_SUCCESS;
    for (uint32_t i = 0; i < table->count && !status; i++)
        status = check_callee(lowering, instruction, call, table->items[i]);
    lowering->checked[call->table->index] = 1;
    return status;
}

rill_status ptx_lower_check_call(struct ptx_lowering *lowering,
                                 const struct ptx_instruction *instruction)
{
    struct ptx_call call;
    if (!ptx_call_take_apart(instruction, &call))
        return ptx_lower_fail(lowering, &instruction->place, INVALID,
                              "a call is (results), function, (arguments), and perhaps a list");
    if (call.target->kind == PTX_OPERAND_FUNCTION && !call.table)
        return check_callee(lowering, instruction, &call, call.target->index);
    if (call.target->kind == PTX_OPERAND_REGISTER)
        return check_indirect(lowering, instruction, &call);
    return ptx_lower_fail(lowering, &instruction->place, INVALID,
                          "a function that is named needs no list");
}
