/* SPDX-License-Identifier: Apache-2.0
 *
 * The inputs of a linker, and the names that they share.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "ptx/link/symbols.h"
#include "ptx/text/arena.h"

/* ---- What is wrong --------------------------------------------------------------------- */

rill_status ptx_link_refuse(struct ptx_refusal *refusal, const struct ptx_place *place,
                            const char *format, ...)
{
    va_list list;
    va_start(list, format);
    *refusal = (struct ptx_refusal){ .status = RILL_ERROR_INVALID_SOURCE,
                                     .line = place->line, .column = place->column };
    vsnprintf(refusal->message, sizeof refusal->message, format, list);
    va_end(list);
    return refusal->status;
}

rill_status ptx_link_no_memory(struct ptx_refusal *refusal)
{
    *refusal = (struct ptx_refusal){ .status = RILL_ERROR_OUT_OF_MEMORY,
                                     .message = "no memory for what is linked" };
    return refusal->status;
}

/* ---- Memory ---------------------------------------------------------------------------- */

struct ptx_linker *ptx_linker_open(const struct ptx_limits *limits)
{
    struct ptx_linker *linker = rl_zalloc(sizeof *linker);
    if (!linker) return NULL;
    linker->arena = ptx_arena_open(ptx_limits_of(limits).module_bytes);
    /* Derives a seed from where things lie in memory, which differs each time that a program
     * runs. */
    linker->seed = ((uint64_t)(uintptr_t)linker >> 4) * UINT64_C(0x9e3779b97f4a7c15);
    if (linker->arena) return linker;
    rl_free(linker);
    return NULL;
}

void ptx_linker_close(struct ptx_linker *linker)
{
    if (!linker) return;
    ptx_arena_close(linker->arena);
    for (uint32_t i = 0; i < linker->input_count; i++) ptx_module_free(linker->inputs[i].module);
    rl_free(linker->inputs);
    rl_free(linker);
}

/* Returns an array of the linker, filled with PTX_NONE, or NULL if there is no memory. */
static uint32_t *new_numbers(struct ptx_linker *linker, uint32_t count)
{
    size_t bytes = ((size_t)count + 1) * sizeof(uint32_t);
    uint32_t *numbers = ptx_arena_get(linker->arena, bytes);
    if (numbers) memset(numbers, 0xff, bytes);
    return numbers;
}

/* ---- Who names what -------------------------------------------------------------------- */

static bool each_operand(struct ptx_operand *operands, uint32_t count, link_visit *visit,
                         void *data)
{
    for (uint32_t i = 0; i < count; i++) {
        struct ptx_operand *operand = &operands[i];
        bool function = operand->kind == PTX_OPERAND_FUNCTION;
        bool named = function || (operand->kind == PTX_OPERAND_VARIABLE && !operand->local);
        if (named && !visit(data, function, &operand->index)) return false;
        /* Operands are nested three deep at most: a list, an address in it, its base. */
        if (operand->list_count && !each_operand(operand->list, operand->list_count, visit, data))
            return false;
    }
    return true;
}

bool ptx_link_each_in_body(const struct ptx_function *function, link_visit *visit, void *data)
{
    for (uint32_t i = 0; i < function->instruction_count; i++) {
        const struct ptx_instruction *instruction = &function->instructions[i];
        if (!each_operand(instruction->operands, instruction->operand_count, visit, data))
            return false;
    }
    for (uint32_t i = 0; i < function->table_count; i++) {
        const struct ptx_table *table = &function->tables[i];
        for (uint32_t k = 0; !table->labels && k < table->count; k++)
            if (!visit(data, true, &table->items[k])) return false;
    }
    return true;
}

bool ptx_link_each_in_value(const struct ptx_variable *variable, link_visit *visit, void *data)
{
    for (uint32_t i = 0; i < variable->link_count; i++)
        if (!visit(data, variable->links[i].to_function, &variable->links[i].index)) return false;
    return true;
}

static bool note_use(void *data, bool function, uint32_t *index)
{
    if (function) ((uint8_t *)data)[*index] = 1;
    return true;
}

static void note_uses(const struct link_input *input)
{
    const struct ptx_module *module = input->module;
    for (uint32_t i = 0; i < module->function_count; i++)
        ptx_link_each_in_body(&module->functions[i], note_use, input->used);
    for (uint32_t i = 0; i < module->variable_count; i++)
        ptx_link_each_in_value(&module->variables[i], note_use, input->used);
}

/* ---- Names ----------------------------------------------------------------------------- */

static uint32_t slot_of(const struct ptx_linker *linker, const char *name, bool local)
{
    uint32_t mask = linker->slot_room - 1;
    uint32_t slot = ptx_hash(linker->seed + local, name, strlen(name)) & mask;
    for (; linker->slots[slot]; slot = (slot + 1) & mask) {
        const struct link_symbol *symbol = &linker->symbols[linker->slots[slot] - 1];
        if (symbol->local == local && !strcmp(symbol->name, name)) break;
    }
    return slot;
}

uint32_t ptx_link_find(const struct ptx_linker *linker, const char *name, bool local)
{
    return linker->slot_room ? linker->slots[slot_of(linker, name, local)] - 1 : PTX_NONE;
}

/* Makes room for `more` names, so that entering them cannot fail. */
static bool make_symbol_room(struct ptx_linker *linker, uint64_t more)
{
    uint64_t wanted = linker->symbol_count + more, room = 64;
    while (room < 2 * wanted) room *= 2;
    if (room <= linker->slot_room) return true;
    if (room > UINT32_MAX / 2) return false;
    struct link_symbol *symbols = ptx_arena_grow(linker->arena, linker->symbols, sizeof *symbols,
                                                 linker->symbol_count, (size_t)room / 2);
    uint32_t *slots = ptx_arena_get(linker->arena, (size_t)room * sizeof *slots);
    if (!symbols || !slots) return false;
    linker->symbols = symbols;
    linker->slots = slots;
    linker->slot_room = (uint32_t)room;
    for (uint32_t i = 0; i < linker->symbol_count; i++)
        slots[slot_of(linker, symbols[i].name, symbols[i].local)] = i + 1;
    return true;
}

/* Returns the symbol of a name, perhaps a new one for which `index` of `input` stands. */
static uint32_t enter_symbol(struct ptx_linker *linker, const char *name, bool function, bool local,
                             uint32_t index)
{
    uint32_t slot = slot_of(linker, name, local);
    if (!linker->slots[slot]) {
        linker->symbols[linker->symbol_count++] =
            (struct link_symbol){ name, function, local, linker->input_count, index, 1 };
        linker->slots[slot] = linker->symbol_count;
    }
    return linker->slots[slot] - 1;
}

/* ---- Adding ---------------------------------------------------------------------------- */

static bool takes_part(const struct link_input *input, uint32_t index)
{
    const struct ptx_function *function = &input->module->functions[index];
    return link_is_shared_function(function) && (function->defined || input->used[index]);
}

static rill_status refuse_input(const struct ptx_linker *linker, const struct link_input *input,
                                const struct link_symbol *held, const struct ptx_place *before,
                                const struct ptx_place *now, const struct link_clash *clash,
                                struct ptx_refusal *refusal)
{
    ptx_link_refuse(refusal, now, "'%s' in %s, line %u, and in %s, line %u: it %s", held->name,
                    linker->inputs[held->input].name, before->line, input->name, now->line,
                    clash->wrong);
    return refusal->status = clash->status;
}

static const struct link_clash other_kind = {
    RILL_ERROR_INVALID_SOURCE, "is a variable in one of them"
};

static rill_status check_function(const struct ptx_linker *linker, const struct link_input *input,
                                  uint32_t index, struct ptx_refusal *refusal)
{
    const struct ptx_function *now = &input->module->functions[index];
    uint32_t found = takes_part(input, index) ? ptx_link_find(linker, now->name, false) : PTX_NONE;
    if (found == PTX_NONE) return RILL_SUCCESS;
    const struct link_symbol *held = &linker->symbols[found];
    if (!held->function)
        return refuse_input(linker, input, held, &link_variable(linker, held)->place, &now->place,
                            &other_kind, refusal);
    const struct ptx_function *before = link_function(linker, held);
    const struct link_clash *clash = ptx_link_functions_clash(before, now);
    return clash ? refuse_input(linker, input, held, &before->place, &now->place, clash, refusal)
                 : RILL_SUCCESS;
}

static rill_status check_variable(const struct ptx_linker *linker, const struct link_input *input,
                                  uint32_t index, struct ptx_refusal *refusal)
{
    const struct ptx_variable *now = &input->module->variables[index];
    uint32_t found = link_is_shared(now) ? ptx_link_find(linker, now->name, false) : PTX_NONE;
    if (found == PTX_NONE) return RILL_SUCCESS;
    const struct link_symbol *held = &linker->symbols[found];
    if (held->function)
        return refuse_input(linker, input, held, &link_function(linker, held)->place, &now->place,
                            &other_kind, refusal);
    const struct ptx_variable *before = link_variable(linker, held);
    const struct link_clash *clash = ptx_link_variables_clash(before, now);
    return clash ? refuse_input(linker, input, held, &before->place, &now->place, clash, refusal)
                 : RILL_SUCCESS;
}

static rill_status check_input(const struct ptx_linker *linker, const struct link_input *input,
                               struct ptx_refusal *refusal)
{
    rill_status status = RILL_SUCCESS;
    for (uint32_t i = 0; i < input->module->function_count && !status; i++)
        status = check_function(linker, input, i, refusal);
    for (uint32_t i = 0; i < input->module->variable_count && !status; i++)
        status = check_variable(linker, input, i, refusal);
    return status;
}

static void enter_function(struct ptx_linker *linker, const struct link_input *input,
                           uint32_t index)
{
    const struct ptx_function *function = &input->module->functions[index];
    if (function->entry && function->defined && !link_is_shared_function(function))
        enter_symbol(linker, function->name, true, true, index);
    if (!takes_part(input, index)) return;
    uint32_t number = enter_symbol(linker, function->name, true, false, index);
    struct link_symbol *symbol = &linker->symbols[number];
    input->function_symbols[index] = number;
    if (symbol->input == linker->input_count ||
        !ptx_link_function_yields(link_function(linker, symbol), function))
        return;
    symbol->input = linker->input_count;
    symbol->index = index;
}

static void enter_variable(struct ptx_linker *linker, const struct link_input *input,
                           uint32_t index)
{
    const struct ptx_variable *variable = &input->module->variables[index];
    if (!link_is_shared(variable)) return;
    uint32_t number = enter_symbol(linker, variable->name, false, false, index);
    struct link_symbol *symbol = &linker->symbols[number];
    input->variable_symbols[index] = number;
    if (symbol->alignment < variable->alignment) symbol->alignment = variable->alignment;
    if (symbol->input == linker->input_count ||
        !ptx_link_variable_yields(link_variable(linker, symbol), variable))
        return;
    symbol->input = linker->input_count;
    symbol->index = index;
}

/* Takes all memory that entering the input may need. */
static bool prepare_input(struct ptx_linker *linker, struct link_input *input, const char *name)
{
    const struct ptx_module *module = input->module;
    char number[32];
    snprintf(number, sizeof number, "input %u", linker->input_count + 1);
    if (!name || !*name) name = number;
    char *copy = ptx_arena_get(linker->arena, strlen(name) + 1);
    if (copy) input->name = strcpy(copy, name);
    input->function_symbols = new_numbers(linker, module->function_count);
    input->variable_symbols = new_numbers(linker, module->variable_count);
    input->function_places = new_numbers(linker, module->function_count);
    input->variable_places = new_numbers(linker, module->variable_count);
    input->used = ptx_arena_get(linker->arena, (size_t)module->function_count + 1);
    if (!copy || !input->function_symbols || !input->variable_symbols ||
        !input->function_places || !input->variable_places || !input->used ||
        !make_symbol_room(linker, (uint64_t)module->function_count + module->variable_count))
        return false;
    if (linker->input_count < linker->input_room) return true;
    uint32_t room = linker->input_room ? 2 * linker->input_room : 8;
    struct link_input *inputs = rl_zalloc(room * sizeof *inputs);
    if (!inputs) return false;
    if (linker->inputs) memcpy(inputs, linker->inputs, linker->input_count * sizeof *inputs);
    rl_free(linker->inputs);
    linker->inputs = inputs;
    linker->input_room = room;
    return true;
}

rill_status ptx_linker_add(struct ptx_linker *linker, struct ptx_module *module, const char *name,
                           struct ptx_refusal *refusal)
{
    struct link_input input = { .module = module };
    *refusal = (struct ptx_refusal){ .status = RILL_SUCCESS };
    if (!prepare_input(linker, &input, name)) return ptx_link_no_memory(refusal);
    note_uses(&input);
    rill_status status = check_input(linker, &input, refusal);
    if (status) return status;
    linker->inputs[linker->input_count] = input;
    for (uint32_t i = 0; i < module->function_count; i++) enter_function(linker, &input, i);
    for (uint32_t i = 0; i < module->variable_count; i++) enter_variable(linker, &input, i);
    linker->input_count++;
    return RILL_SUCCESS;
}
