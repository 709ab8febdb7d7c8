/* SPDX-License-Identifier: Apache-2.0
 *
 * One function: its instructions become steps, its labels places among them.
 */
#include "ptx/lower.h"

#include <stdarg.h>
#include <stdio.h>

/* ---- What is wrong ------------------------------------------------------------------------ */

/* The instruction as it may have been written; what order its modifiers had is not known. */
static void describe(const struct ptx_instruction *instruction, char *text, size_t room)
{
    int used = snprintf(text, room, "%s", ptx_opcode_word(instruction->opcode));
    for (unsigned m = 1; m < PTX_MODIFIER_COUNT && used > 0 && (size_t)used < room; m++)
        if (ptx_has(&instruction->modifiers, (enum ptx_modifier)m))
            used += snprintf(text + used, room - (size_t)used, ".%s",
                             ptx_modifier_word((enum ptx_modifier)m));
    for (uint32_t i = 0; i < instruction->space_count && used > 0 && (size_t)used < room; i++)
        used += snprintf(text + used, room - (size_t)used, ".%s",
                         ptx_space_word(instruction->spaces[i]));
    for (uint32_t i = 0; i < instruction->type_count && used > 0 && (size_t)used < room; i++)
        used += snprintf(text + used, room - (size_t)used, ".%s",
                         ptx_type_word(instruction->types[i]));
}

__attribute__((format(printf, 5, 0)))
static rill_status refuse(struct ptx_refusal *refusal, const struct ptx_place *place,
                          const char *what, rill_status status, const char *format,
                          va_list arguments)
{
    refusal->status = status;
    refusal->line = place->line;
    refusal->column = place->column;
    int used = snprintf(refusal->message, sizeof refusal->message,
                        "line %u, column %u, at '%.60s': ", place->line, place->column, what);
    vsnprintf(refusal->message + used, sizeof refusal->message - (size_t)used, format, arguments);
    return status;
}

rill_status ptx_lower_refuse(struct ptx_refusal *refusal, const struct ptx_place *place,
                             const char *what, rill_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    refuse(refusal, place, what, status, format, arguments);
    va_end(arguments);
    return status;
}

rill_status ptx_lower_refuse_memory(struct ptx_refusal *refusal)
{
    static const struct ptx_place start = { 1, 1 };
    return ptx_lower_refuse(refusal, &start, "the module", RILL_ERROR_OUT_OF_MEMORY,
                            "memory is short");
}

rill_status ptx_lower_fail(struct ptx_lowering *lowering, const struct ptx_place *place,
                           rill_status status, const char *format, ...)
{
    char what[80];
    if (lowering->instruction) describe(lowering->instruction, what, sizeof what);
    va_list arguments;
    va_start(arguments, format);
    refuse(lowering->refusal, place, lowering->instruction ? what : lowering->function->name,
           status, format, arguments);
    va_end(arguments);
    return status;
}

rill_status ptx_lower_no_memory(struct ptx_lowering *lowering)
{
    const struct ptx_place *place = lowering->instruction ? &lowering->instruction->place
                                                          : &lowering->function->place;
    if (ptx_arena_is_full(lowering->scratch) || ptx_arena_is_full(lowering->code->arena))
        return ptx_lower_fail(lowering, place, RILL_ERROR_OUT_OF_MEMORY,
                              "the module takes more memory than the limit of %zu bytes",
                              lowering->code->limits.module_bytes);
    return ptx_lower_fail(lowering, place, RILL_ERROR_OUT_OF_MEMORY, "memory is short");
}

/* ---- Lists that grow ----------------------------------------------------------------------- */

bool ptx_lower_room(struct ptx_lowering *lowering, void **array, size_t size, uint32_t count,
                    uint32_t *room)
{
    if (count < *room) return true;
    if (count > UINT32_MAX / 4) return false;
    uint32_t wider = count < 32 ? 64 : 2 * count;
    void *moved = ptx_arena_grow(lowering->scratch, *array, size, count, wider);
    if (!moved) return false;
    *array = moved;
    *room = wider;
    return true;
}

#define ROOM_FOR_ONE(lowering, array, count, room)                                        \
    ptx_lower_room(lowering, (void **)&(lowering)->array, sizeof *(lowering)->array,      \
                   (lowering)->count, &(lowering)->room)

rill_status ptx_emit(struct ptx_lowering *lowering, const struct ptx_instruction *instruction,
                     ptx_run *run, struct ptx_step **step)
{
    uint32_t guard = PTX_NO_COLUMN;
    if (instruction->guard != PTX_NONE) {
        rill_status status = ptx_lower_register(lowering, instruction->guard, &guard);
        if (!status) status = ptx_lower_use(lowering, guard, false, false);
        if (status) return status;
    }
    if (!ROOM_FOR_ONE(lowering, steps, step_count, step_room))
        return ptx_lower_no_memory(lowering);
    struct ptx_step *made = &lowering->steps[lowering->step_count++];
    *made = (struct ptx_step){
        .run = run,
        .d = PTX_NO_COLUMN,
        .a = PTX_NO_COLUMN,
        .b = PTX_NO_COLUMN,
        .c = PTX_NO_COLUMN,
        .e = PTX_NO_COLUMN,
        .guard = guard,
        .line = instruction->place.line,
    };
    if (guard != PTX_NO_COLUMN) {
        made->flags |= PTX_STEP_GUARDED;
        if (instruction->guard_negated) made->flags |= PTX_STEP_GUARD_NEGATED;
    }
    *step = made;
    return RILL_SUCCESS;
}

rill_status ptx_remember(struct ptx_lowering *lowering, const uint32_t *columns, uint32_t count,
                         uint32_t *more)
{
    *more = lowering->more_count;
    for (uint32_t i = 0; i < count; i++) {
        if (!ROOM_FOR_ONE(lowering, more, more_count, more_room))
            return ptx_lower_no_memory(lowering);
        lowering->more[lowering->more_count++] = columns[i];
    }
    return RILL_SUCCESS;
}

rill_status ptx_aim(struct ptx_lowering *lowering, struct ptx_step *step,
                    const struct ptx_operand *label)
{
    if (label->kind != PTX_OPERAND_LABEL)
        return ptx_lower_fail(lowering, &label->place, RILL_ERROR_INVALID_PTX,
                              "this must be a label of the function");
    uint32_t number = (uint32_t)(step - lowering->steps);
    if (!ROOM_FOR_ONE(lowering, aims, aim_count, aim_room)) return ptx_lower_no_memory(lowering);
    lowering->aims[lowering->aim_count++] = (struct lower_aim){
        .step = number,
        .label = label->index,
        .instruction = lowering->at,
    };
    return RILL_SUCCESS;
}

const struct ptx_function *ptx_lowered_function(const struct ptx_lowering *lowering)
{
    return lowering->function;
}

const struct ptx_module *ptx_lowered_module(const struct ptx_lowering *lowering)
{
    return lowering->module;
}

/* ---- A function ---------------------------------------------------------------------------- */

static uint32_t step_of_label(const struct ptx_lowering *lowering, uint32_t label)
{
    uint32_t at = lowering->function->labels[label].at;
    uint32_t count = lowering->function->instruction_count;
    return lowering->first_step[at < count ? at : count];
}

/* Whether what stands behind an instruction can be reached from it. */
bool ptx_lower_goes_on(const struct ptx_instruction *instruction)
{
    if (instruction->guard != PTX_NONE) return true;
    switch (instruction->opcode) {
    case PTX_OP_BRA:
    case PTX_OP_BRX:
    case PTX_OP_RET:
    case PTX_OP_EXIT:
    case PTX_OP_TRAP: return false;
    default: return true;
    }
}

/* The end of a function is a return. */
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

/* What the simulator lacks is no fault of the text: the first such thing is kept, and the
 * rest of the function is verified all the same.  Other failures stay what they are. */
static rill_status forgive(struct ptx_lowering *lowering, rill_status status)
{
    if (status != RILL_ERROR_NOT_SUPPORTED) return status;
    if (lowering->lack) return RILL_SUCCESS;
    lowering->lack = ptx_arena_get(lowering->code->arena, sizeof *lowering->lack);
    if (!lowering->lack) return ptx_lower_no_memory(lowering);
    *lowering->lack = *lowering->refusal;
    return RILL_SUCCESS;
}

static rill_status lower_body(struct ptx_lowering *lowering)
{
    const struct ptx_function *function = lowering->function;
    for (uint32_t i = 0; i < function->instruction_count; i++) {
        lowering->first_step[i] = lowering->step_count;
        lowering->at = i;
        rill_status status = ptx_lower_instruction(lowering, &function->instructions[i]);
        status = forgive(lowering, status);
        if (status) return status;
    }
    return lower_end(lowering);
}

/* Steps that fronts come to from elsewhere: by a jump, or back from a call. */
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

/* Lists of labels become lists of steps. */
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

/* What stays of the function is copied to the code; the rest goes. */
static rill_status keep(struct ptx_lowering *lowering)
{
    struct ptx_program *program = lowering->program;
    struct ptx_arena *arena = lowering->code->arena;
    program->steps = ptx_arena_grow(arena, lowering->steps, sizeof *program->steps,
                                    lowering->step_count, lowering->step_count);
    program->columns = ptx_arena_grow(arena, lowering->more, sizeof *program->columns,
                                      lowering->more_count, (size_t)lowering->more_count + 1);
    if (!program->steps || !program->columns) return ptx_lower_no_memory(lowering);
    program->step_count = lowering->step_count;
    return RILL_SUCCESS;
}

static rill_status lower(struct ptx_lowering *lowering)
{
    if (!take_memory(lowering)) return ptx_lower_no_memory(lowering);
    rill_status status = ptx_lower_begin(lowering);
    if (!status) status = lower_body(lowering);
    lowering->instruction = NULL;
    if (status || lowering->lack) return status;
    mark_leaders(lowering);
    status = lower_tables(lowering);
    if (!status) status = ptx_lower_place_columns(lowering);
    if (!status) status = keep(lowering);
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
        .scratch = ptx_arena_open(code->limits.module_bytes),
    };
    lowering.program->function = function;
    lowering.program->code = code;
    rill_status status;
    if (!lowering.scratch) {
        lowering.scratch = code->arena;
        return ptx_lower_no_memory(&lowering);
    }
    status = forgive(&lowering, lower(&lowering));
    lowering.program->lack = lowering.lack;
    ptx_arena_close(lowering.scratch);
    return status;
}
