/* SPDX-License-Identifier: Apache-2.0
 *
 * What a function has before its first instruction: columns of its parameters and results,
 * places of its .local variables.
 */
#include "ptx/lower/state.h"

#define INVALID RILL_ERROR_INVALID_PTX
#define MOST_SLOT (UINT64_C(64) << 10)

/* ---- Parameters ---------------------------------------------------------------------------- */

/* Finds the slot of a parameter in a register: the register's column, which is never shared. */
static rill_status register_slot(struct ptx_lowering *lowering,
                                 const struct ptx_variable *variable, uint32_t *column)
{
    if (variable->reg >= lowering->function->register_count)
        return ptx_lower_fail(lowering, &variable->place, INVALID, "%s is no register",
                              variable->name);
    rill_status status = ptx_lower_register(lowering, variable->reg, column);
    if (!status) ptx_lower_named(lowering, *column)->kind = LOWER_KEPT;
    return status;
}

static rill_status kept_slot(struct ptx_lowering *lowering, uint32_t index,
                             struct ptx_slot *slot)
{
    const struct ptx_variable *variable = &lowering->function->variables[index];
    rill_status status;
    if (variable->space == PTX_REG) {
        status = register_slot(lowering, variable, &slot->column);
        slot->bytes = ptx_type_bytes(variable->type);
        return status;
    }
    status = ptx_lower_slot(lowering, index, &slot->column);
    if (status) return status;
    struct lower_column *column = ptx_lower_named(lowering, slot->column);
    column->kind = LOWER_KEPT;
    slot->bytes = column->bytes;
    return RILL_SUCCESS;
}

static rill_status keep_slots(struct ptx_lowering *lowering, const uint32_t *variables,
                              uint32_t count, struct ptx_slot **slots)
{
    *slots = ptx_arena_get(lowering->code->arena, ((size_t)count + 1) * sizeof **slots);
    if (!*slots) return ptx_lower_no_memory(lowering);
    rill_status status = RILL_SUCCESS;
    for (uint32_t i = 0; i < count && !status; i++)
        status = kept_slot(lowering, variables[i], &(*slots)[i]);
    return status;
}

/* ---- Variables ----------------------------------------------------------------------------- */

static rill_status place_local(struct ptx_lowering *lowering, uint32_t index, uint64_t *end)
{
    const struct ptx_variable *variable = &lowering->function->variables[index];
    uint64_t alignment = variable->alignment;
    uint64_t at = (*end + alignment - 1) & ~(alignment - 1);
    if (variable->bytes > PTX_MOST_LOCAL || at + variable->bytes > PTX_MOST_LOCAL)
        return ptx_lower_fail(lowering, &variable->place, INVALID,
                              "a thread has up to %u bytes of local memory", PTX_MOST_LOCAL);
    lowering->local_offsets[index] = (uint32_t)at;
    *end = at + variable->bytes;
    return RILL_SUCCESS;
}

static rill_status place_variables(struct ptx_lowering *lowering)
{
    const struct ptx_function *function = lowering->function;
    uint64_t end = lowering->kernel ? lowering->layout->module_local : 0;
    for (uint32_t i = 0; i < function->variable_count; i++) {
        const struct ptx_variable *variable = &function->variables[i];
        uint32_t alignment = variable->alignment;
        if (alignment > LOWER_MOST_ALIGNMENT)
            return ptx_lower_fail(lowering, &variable->place, INVALID,
                                  "%s cannot be aligned to %u bytes", variable->name, alignment);
        if (variable->space == PTX_PARAM && variable->bytes > MOST_SLOT)
            return ptx_lower_fail(lowering, &variable->place, INVALID,
                                  "%s is too large for a parameter", variable->name);
        if (variable->space != PTX_LOCAL) continue;
        rill_status status = place_local(lowering, i, &end);
        if (status) return status;
    }
    lowering->program->local_bytes = (uint32_t)((end + 15) & ~UINT64_C(15));
    return RILL_SUCCESS;
}

rill_status ptx_lower_begin(struct ptx_lowering *lowering)
{
    const struct ptx_function *function = lowering->function;
    struct ptx_program *program = lowering->program;
    rill_status status = place_variables(lowering);
    if (status || lowering->kernel) return status;
    status = keep_slots(lowering, function->params, function->param_count, &program->params);
    if (!status)
        status = keep_slots(lowering, function->results, function->result_count,
                            &program->results);
    return status;
}
