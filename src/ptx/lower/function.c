/* SPDX-License-Identifier: Apache-2.0
 *
 * One function: its instructions become steps, its labels places among them.
 */
#include "ptx/lower/contract.h"

#define INVALID RILL_ERROR_INVALID_PTX

/* How many bytes a parameter has at most. */
#define MOST_SLOT (UINT64_C(64) << 10)

static uint32_t step_of_label(const struct ptx_lowering *lowering, uint32_t label)
{
    uint32_t at = lowering->function->labels[label].at;
    uint32_t count = lowering->function->instruction_count;
    return lowering->first_step[at < count ? at : count];
}

/* Lowers the end of a function, which is a return. */
static rill_status lower_end(struct ptx_lowering *lowering)
{
    const struct ptx_function *function = lowering->function;
    uint32_t count = function->instruction_count;
    struct ptx_instruction *end = ptx_arena_get(lowering->scratch, sizeof *end);
    if (!end) return ptx_lower_no_memory(lowering);
    *end = (struct ptx_instruction){ .opcode = PTX_OP_RET, .guard = PTX_NONE };
    end->place = count ? function->instructions[count - 1].place : function->place;
    lowering->first_step[count] = lowering->step_count;
    lowering->at = count;
    return ptx_lower_instruction(lowering, end);
}

/* Forgives what the simulator does not support: the first such thing is kept, and the rest of
 * the function is verified all the same.  Other failures stay what they are. */
static rill_status forgive_unsupported(struct ptx_lowering *lowering, rill_status status)
{
    if (status != RILL_ERROR_NOT_SUPPORTED) return status;
    if (lowering->unsupported) return RILL_SUCCESS;
    lowering->unsupported = ptx_arena_get(lowering->code->arena, sizeof *lowering->unsupported);
    if (!lowering->unsupported) return ptx_lower_no_memory(lowering);
    *lowering->unsupported = *lowering->refusal;
    return RILL_SUCCESS;
}

static rill_status lower_body(struct ptx_lowering *lowering)
{
    const struct ptx_function *function = lowering->function;
    for (uint32_t i = 0; i < function->instruction_count; i++) {
        lowering->first_step[i] = lowering->step_count;
        lowering->at = i;
        const struct ptx_instruction *at = lowering->instead ? lowering->instead[i] : NULL;
        if (at == &ptx_contracted_away) continue;
        if (!at) at = &function->instructions[i];
        rill_status status = ptx_lower_instruction(lowering, at);
        status = forgive_unsupported(lowering, status);
        if (status) return status;
    }
    return lower_end(lowering);
}

/* Marks the steps that groups come to from elsewhere: by a jump, or back from a call. */
static void mark_leaders(struct ptx_lowering *lowering)
{
    const struct ptx_function *function = lowering->function;
    for (uint32_t i = 0; i < lowering->aim_count; i++) {
        uint32_t target = step_of_label(lowering, lowering->aims[i].label);
        lowering->steps[lowering->aims[i].step].target = target;
        lowering->steps[target].flags |= PTX_STEP_LEADER;
    }
    for (uint32_t i = 0; i < function->instruction_count; i++)
        if (function->instructions[i].opcode == PTX_OP_CALL)
            lowering->steps[lowering->first_step[i + 1]].flags |= PTX_STEP_LEADER;
}

/* Turns lists of labels into lists of steps. */
static rill_status lower_tables(struct ptx_lowering *lowering)
{
    const struct ptx_function *function = lowering->function;
    struct ptx_program *program = lowering->program;
    program->table_count = function->table_count;
    if (!function->table_count) return RILL_SUCCESS;
    program->tables = ptx_arena_get(lowering->code->arena,
                                    function->table_count * sizeof *program->tables);
    if (!program->tables) return ptx_lower_no_memory(lowering);
    for (uint32_t t = 0; t < function->table_count; t++) {
        const struct ptx_table *table = &function->tables[t];
        struct ptx_table_steps *steps = &program->tables[t];
        if (!table->labels) continue;
        steps->items = ptx_arena_get(lowering->code->arena, table->count * sizeof *steps->items);
        if (!steps->items) return ptx_lower_no_memory(lowering);
        steps->count = table->count;
        for (uint32_t i = 0; i < table->count; i++) {
            steps->items[i] = step_of_label(lowering, table->items[i]);
            lowering->steps[steps->items[i]].flags |= PTX_STEP_LEADER;
        }
    }
    return RILL_SUCCESS;
}

/* Returns true if steps from one to another have no flags: nothing jumps there, and nothing moves
 * lanes or asks which of them are there. */
static bool are_plain(const struct ptx_lowering *lowering, uint32_t from, uint32_t to)
{
    while (from < to && !lowering->steps[from].flags) from++;
    return from == to;
}

/* Marks branches over steps that the lanes which do not branch can take at once, as if each of the
 * steps had a guard: nobody has to part. */
static void mark_detours(struct ptx_lowering *lowering)
{
    for (uint32_t i = 0; i < lowering->step_count; i++) {
        struct ptx_step *step = &lowering->steps[i];
        if (!(step->flags & PTX_STEP_BRANCH) || !(step->flags & PTX_STEP_GUARDED)) continue;
        if (step->target > i && are_plain(lowering, i + 1, step->target))
            step->flags |= PTX_STEP_DETOUR;
    }
}

static bool take_memory(struct ptx_lowering *lowering)
{
    const struct ptx_function *function = lowering->function;
    struct ptx_arena *scratch = lowering->scratch;
    size_t instructions = (size_t)function->instruction_count + 2;
    lowering->first_step = ptx_arena_get(scratch, instructions * sizeof *lowering->first_step);
    lowering->alone = ptx_arena_get(scratch, instructions);
    lowering->checked = ptx_arena_get(scratch, (size_t)function->table_count + 1);
    lowering->registers = ptx_arena_get(scratch, ((size_t)function->register_count + 1) *
                                                 sizeof *lowering->registers);
    lowering->slots = ptx_arena_get(scratch, ((size_t)function->variable_count + 1) *
                                             sizeof *lowering->slots);
    lowering->local_offsets = ptx_arena_get(scratch, ((size_t)function->variable_count + 1) *
                                                     sizeof *lowering->local_offsets);
    return lowering->first_step && lowering->alone && lowering->checked &&
           lowering->registers && lowering->slots && lowering->local_offsets;
}

/* Lets each step that is taken in another way than lane by lane be taken in both. */
static rill_status compare_steps(struct ptx_lowering *lowering)
{
    struct ptx_program *program = lowering->program;
    program->compared = ptx_arena_get(lowering->code->arena,
                                      ((size_t)program->step_count + 1) *
                                          sizeof *program->compared);
    if (!program->compared) return ptx_lower_no_memory(lowering);
    ptx_lower_scratch(lowering, PTX_COMPARED_BYTES);
    for (uint32_t i = 0; i < program->step_count; i++) {
        struct ptx_step *step = &program->steps[i];
        if (!ptx_affine_is_compared(step)) continue;
        program->compared[i] = step->run;
        step->run = ptx_affine_both;
    }
    return RILL_SUCCESS;
}

/* Copies what stays of the function to the code; the rest goes. */
static rill_status keep_program(struct ptx_lowering *lowering)
{
    struct ptx_program *program = lowering->program;
    struct ptx_arena *arena = lowering->code->arena;
    program->steps = ptx_arena_grow(arena, lowering->steps, sizeof *program->steps,
                                    lowering->step_count, lowering->step_count);
    program->columns = ptx_arena_grow(arena, lowering->more, sizeof *program->columns,
                                      lowering->more_count, (size_t)lowering->more_count + 1);
    if (!program->steps || !program->columns) return ptx_lower_no_memory(lowering);
    program->step_count = lowering->step_count;
    return lowering->code->way == PTX_BY_BOTH ? compare_steps(lowering) : RILL_SUCCESS;
}

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

/* Makes columns for parameters and places for local variables. */
static rill_status lower_prologue(struct ptx_lowering *lowering)
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

/* ---- The whole ------------------------------------------------------------------------------ */

static rill_status lower_whole(struct ptx_lowering *lowering)
{
    if (!take_memory(lowering)) return ptx_lower_no_memory(lowering);
    rill_status status = lower_prologue(lowering);
    if (!status) status = ptx_lower_contract(lowering);
    if (!status) status = lower_body(lowering);
    lowering->instruction = NULL;
    if (status || lowering->unsupported) return status;
    mark_leaders(lowering);
    status = lower_tables(lowering);
    if (!status && lowering->code->way != PTX_BY_LANES) mark_detours(lowering);
    if (!status) status = ptx_lower_place_columns(lowering);
    if (!status) status = keep_program(lowering);
    return status;
}

rill_status ptx_lower_function(struct ptx_code *code, const struct lower_layout *layout,
                               uint32_t index, const struct ptx_kernel *kernel,
                               struct ptx_refusal *refusal)
{
    const struct ptx_function *function = &code->module->functions[index];
    struct ptx_lowering lowering = {
        .code = code,
        .module = code->module,
        .function = function,
        .index = index,
        .kernel = kernel,
        .program = &code->programs[index],
        .layout = layout,
        .refusal = refusal,
        .carry = PTX_NO_COLUMN,
        .stack = PTX_NO_COLUMN,
        .scratch = ptx_arena_open(code->limits.module_bytes),
    };
    lowering.program->function = function;
    lowering.program->code = code;
    rill_status status;
    if (!lowering.scratch) {
        lowering.scratch = code->arena;
        return ptx_lower_no_memory(&lowering);
    }
    status = forgive_unsupported(&lowering, lower_whole(&lowering));
    lowering.program->unsupported = lowering.unsupported;
    ptx_arena_close(lowering.scratch);
    return status;
}
