/* SPDX-License-Identifier: Apache-2.0
 *
 * What all of the lowering is written with: sentences for what is wrong, lists that grow, and
 * the next step.
 */
#include "ptx/lower/state.h"

#include <stdarg.h>
#include <stdio.h>

/* ---- What is wrong ------------------------------------------------------------------------ */

/* Writes the instruction as it was written, or may have been: most do not keep the order of
 * their modifiers. */
static void describe_instruction(const struct ptx_instruction *instruction, char *text, size_t room)
{
    if (instruction->written) {
        snprintf(text, room, "%s", instruction->written);
        return;
    }
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
static rill_status write_refusal(struct ptx_refusal *refusal, const struct ptx_place *place,
                                 const char *what, rill_status status, const char *format,
                                 va_list arguments)
{
    refusal->status = status;
    refusal->line = place->line;
    refusal->column = place->column;
    int used = snprintf(refusal->message, sizeof refusal->message,
                        "line %u, column %u, at '%.110s': ", place->line, place->column, what);
    vsnprintf(refusal->message + used, sizeof refusal->message - (size_t)used, format, arguments);
    return status;
}

rill_status ptx_lower_refuse(struct ptx_refusal *refusal, const struct ptx_place *place,
                             const char *what, rill_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    write_refusal(refusal, place, what, status, format, arguments);
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
    char what[112];
    if (lowering->instruction) describe_instruction(lowering->instruction, what, sizeof what);
    va_list arguments;
    va_start(arguments, format);
    write_refusal(lowering->refusal, place, lowering->instruction ? what : lowering->function->name,
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
        .run = lowering->code->way == PTX_BY_LANES ? run : ptx_affine_unknown,
        .lanes = run,
        .d = PTX_NO_COLUMN,
        .a = PTX_NO_COLUMN,
        .b = PTX_NO_COLUMN,
        .c = PTX_NO_COLUMN,
        .e = PTX_NO_COLUMN,
        .guard = guard,
        .line = lowering->function->lines_before + instruction->place.line,
    };
    if (guard != PTX_NO_COLUMN) {
        made->flags |= PTX_STEP_GUARDED;
        if (instruction->guard_negated) made->flags |= PTX_STEP_GUARD_NEGATED;
    }
    *step = made;
    return RILL_SUCCESS;
}

void ptx_follow(struct ptx_lowering *lowering, struct ptx_step *step, ptx_run *run)
{
    if (lowering->code->way != PTX_BY_LANES) step->run = run;
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

void ptx_lower_scratch(struct ptx_lowering *lowering, size_t bytes)
{
    struct ptx_code *code = lowering->code;
    if (code->scratch_bytes < bytes) code->scratch_bytes = (uint32_t)bytes;
}
