/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls: whether one fits what it calls (a function, or through an address a function of a
 * prototype or out of a list), and the step that it becomes.
 */
#include "ptx/lower/state.h"

#include "ptx/builtin/builtin.h"
#include "ptx/run/control.h"

#define INVALID RILL_ERROR_INVALID_PTX

/* call (results), target, (arguments), table */
struct call {
    const struct ptx_operand *results, *target, *arguments, *table; /* NULL if there is none */
    const struct ptx_function *signature; /* says what results and arguments there are      */
};

static const struct ptx_operand *next_operand(const struct ptx_instruction *instruction,
                                              uint32_t *at, enum ptx_operand_kind kind)
{
    if (*at >= instruction->operand_count || instruction->operands[*at].kind != kind) return NULL;
    return &instruction->operands[(*at)++];
}

/* Takes the operands of a call apart.  Returns false if it is not written like that. */
static bool take_apart(const struct ptx_instruction *instruction, struct call *call)
{
    uint32_t at = 0;
    call->results = next_operand(instruction, &at, PTX_OPERAND_LIST);
    call->target = next_operand(instruction, &at, PTX_OPERAND_FUNCTION);
    if (!call->target) call->target = next_operand(instruction, &at, PTX_OPERAND_REGISTER);
    call->arguments = next_operand(instruction, &at, PTX_OPERAND_LIST);
    call->table = next_operand(instruction, &at, PTX_OPERAND_TABLE);
    return call->target && at == instruction->operand_count;
}

static uint32_t count_of(const struct ptx_operand *list)
{
    return list ? list->list_count : 0;
}

/* ---- One argument -------------------------------------------------------------------------- */

static rill_status check_one(struct ptx_lowering *lowering, const struct ptx_operand *operand,
                             const struct ptx_variable *parameter)
{
    const struct ptx_function *function = lowering->function;
    uint64_t needs = parameter->bytes, has = needs;
    if (parameter->type == PTX_PRED && operand->kind == PTX_OPERAND_VARIABLE)
        return ptx_lower_fail(lowering, &operand->place, INVALID,
                              "%s is a predicate, and a .param variable holds none",
                              parameter->name);
    switch (operand->kind) {
    case PTX_OPERAND_VARIABLE:
        if (!operand->local || function->variables[operand->index].space != PTX_PARAM ||
            operand->offset)
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
    uint32_t has = count_of(list);
    if (has != count)
        return ptx_lower_fail(lowering, list ? &list->place : &instruction->place, INVALID,
                              "%s has %u %s, and %u stand here", callee->name, count, what, has);
    rill_status status = RILL_SUCCESS;
    for (uint32_t i = 0; i < count && !status; i++)
        status = check_one(lowering, &list->list[i], &callee->variables[parameters[i]]);
    return status;
}

static rill_status check_signature(struct ptx_lowering *lowering,
                                   const struct ptx_instruction *instruction,
                                   const struct call *call, const struct ptx_function *callee)
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
                                const struct call *call, const struct ptx_function *callee)
{
    const struct ptx_place *place = &call->target->place;
    const struct ptx_builtin *builtin = callee->defined ? NULL : ptx_find_builtin(callee->name);
    if (callee->entry)
        return ptx_lower_fail(lowering, place, INVALID, "%s is a kernel, which cannot be called",
                              callee->name);
    if (!callee->defined && ptx_lacks_runtime_function(callee->name))
        return ptx_lower_fail(lowering, place, RILL_ERROR_NOT_SUPPORTED,
                              "%s of CUDA's device runtime is not supported", callee->name);
    if (!callee->defined && !builtin)
        return ptx_lower_fail(lowering, place, INVALID, "%s is declared and nowhere defined",
                              callee->name);
    if (builtin && !ptx_builtin_fits(builtin, callee))
        return ptx_lower_fail(lowering, place, INVALID, "%s is declared otherwise than it is",
                              callee->name);
    return check_signature(lowering, instruction, call, callee);
}

/* Checks a call through an address.  The prototype speaks for all functions; so does the
 * first of a list, which the others have to be like. */
static rill_status check_indirect(struct ptx_lowering *lowering,
                                  const struct ptx_instruction *instruction, struct call *call)
{
    const struct ptx_function *functions = lowering->module->functions;
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
    call->signature = ptx_call_signature(lowering->module, table);
    if (table->prototype) return check_signature(lowering, instruction, call, call->signature);
    if (lowering->checked[call->table->index])
        return check_callee(lowering, instruction, call, call->signature);
    rill_status status = RILL_SUCCESS;
    for (uint32_t i = 0; i < table->count && !status; i++)
        status = check_callee(lowering, instruction, call, &functions[table->items[i]]);
    lowering->checked[call->table->index] = 1;
    return status;
}

static rill_status check_call(struct ptx_lowering *lowering,
                              const struct ptx_instruction *instruction, struct call *call)
{
    if (!take_apart(instruction, call))
        return ptx_lower_fail(lowering, &instruction->place, INVALID,
                              "a call is (results), function, (arguments), and perhaps a list");
    if (call->target->kind == PTX_OPERAND_REGISTER)
        return check_indirect(lowering, instruction, call);
    if (call->table)
        return ptx_lower_fail(lowering, &instruction->place, INVALID,
                              "a function that is named needs no list");
    call->signature = &lowering->module->functions[call->target->index];
    return check_callee(lowering, instruction, call, call->signature);
}

/* ---- The step ------------------------------------------------------------------------------ */

/* Finds the column of an argument or a result: a .param variable's, or a register's. */
static rill_status lower_argument(struct ptx_lowering *lowering,
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
    if (status) return status;
    if (address.slot == PTX_NO_COLUMN)
        return ptx_lower_fail(lowering, &operand->place, INVALID,
                              "only .param variables of this function can be passed");
    *column = address.slot;
    return RILL_SUCCESS;
}

/* Finds all columns: arguments before results, as they are used, but results are listed
 * first. */
static rill_status lower_arguments(struct ptx_lowering *lowering,
                                   const struct ptx_instruction *instruction,
                                   const struct call *call, uint32_t *columns)
{
    const struct ptx_function *signature = call->signature;
    rill_status status = RILL_SUCCESS;
    for (uint32_t n = 0; n < count_of(call->arguments) && !status; n++)
        status = lower_argument(lowering, instruction, &call->arguments->list[n],
                                &signature->variables[signature->params[n]], false,
                                &columns[count_of(call->results) + n]);
    for (uint32_t n = 0; n < count_of(call->results) && !status; n++)
        status = lower_argument(lowering, instruction, &call->results->list[n],
                                &signature->variables[signature->results[n]], true, &columns[n]);
    return status;
}

static rill_status emit_call(struct ptx_lowering *lowering,
                             const struct ptx_instruction *instruction,
                             const struct call *call, const uint32_t *columns, uint32_t more,
                             uint32_t address)
{
    struct ptx_step *step;
    bool direct = call->target->kind == PTX_OPERAND_FUNCTION;
    const struct ptx_builtin *builtin =
        direct && !call->signature->defined ? ptx_find_builtin(call->signature->name) : NULL;
    ptx_run *run = builtin ? builtin->run : direct ? ptx_call_step : ptx_indirect_call_step;
    rill_status status = ptx_emit(lowering, instruction, run, &step);
    if (status) return status;
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

rill_status ptx_lower_call(struct ptx_lowering *lowering,
                           const struct ptx_instruction *instruction, const struct ptx_form *form)
{
    struct call call;
    uint32_t more = 0, address = PTX_NO_COLUMN;
    (void)form;
    rill_status status = check_call(lowering, instruction, &call);
    if (status) return status;
    uint32_t count = count_of(call.results) + count_of(call.arguments);
    uint32_t *columns = ptx_arena_get(lowering->scratch, ((size_t)count + 1) * sizeof *columns);
    if (!columns) return ptx_lower_no_memory(lowering);
    if (call.target->kind != PTX_OPERAND_FUNCTION)
        status = ptx_source(lowering, instruction, call.target, PTX_U64, false, &address);
    if (!status) status = lower_arguments(lowering, instruction, &call, columns);
    if (!status && count) status = ptx_remember(lowering, columns, count, &more);
    return status ? status : emit_call(lowering, instruction, &call, columns, more, address);
}
