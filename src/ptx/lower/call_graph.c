/* SPDX-License-Identifier: Apache-2.0
 *
 * Which functions call which, and which name which variable.
 */
#include "ptx/lower/layout.h"

static bool add_edge(struct lower_layout *layout, uint32_t from, uint32_t to)
{
    if (layout->call_count == layout->call_room) {
        if (layout->call_count > UINT32_MAX / 4) return false;
        uint32_t room = layout->call_count ? 2 * layout->call_count : 64;
        struct lower_edge *calls = ptx_arena_grow(layout->arena, layout->calls, sizeof *calls,
                                                  layout->call_count, room);
        if (!calls) return false;
        layout->calls = calls;
        layout->call_room = room;
    }
    uint32_t edge = layout->call_count++;
    layout->calls[edge] = (struct lower_edge){ from, to, layout->first_call[from],
                                               layout->first_user[to] };
    layout->first_call[from] = edge;
    layout->first_user[to] = edge;
    return true;
}

static uint32_t any_function(const struct lower_layout *layout)
{
    return layout->module->function_count;
}

static bool add_operand(struct lower_layout *layout, uint32_t function,
                        const struct ptx_operand *operand, bool called)
{
    const struct ptx_module *module = layout->module;
    if (operand->kind == PTX_OPERAND_FUNCTION)
        return add_edge(layout, called ? function : any_function(layout), operand->index);
    if (operand->kind == PTX_OPERAND_REGISTER && called)
        return add_edge(layout, function, any_function(layout));
    if (operand->kind != PTX_OPERAND_VARIABLE) return true;
    const struct ptx_function *body = &module->functions[function];
    const struct ptx_variable *variables = operand->local ? body->variables : module->variables;
    if (variables[operand->index].space != PTX_SHARED) return true;
    layout->touches[function] = 1;
    const struct ptx_variable *variable = &variables[operand->index];
    if (variable->external && variable->alignment > layout->aligns[function])
        layout->aligns[function] = variable->alignment;
    if (operand->local || variable->external) return true;
    return add_edge(layout, function, any_function(layout) + 1 + operand->index);
}

/* Adds the edges of operands, which are nested three deep at most: a list, an address in it,
 * its base. */
static bool add_operands(struct lower_layout *layout, uint32_t function,
                         const struct ptx_operand *operands, uint32_t count, bool call,
                         int depth)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct ptx_operand *operand = &operands[i];
        if (!add_operand(layout, function, operand, call)) return false;
        if (operand->list_count && depth < 4 &&
            !add_operands(layout, function, operand->list, operand->list_count, false, depth + 1))
            return false;
    }
    return true;
}

static bool add_function(struct lower_layout *layout, uint32_t index)
{
    const struct ptx_function *function = &layout->module->functions[index];
    for (uint32_t i = 0; i < function->instruction_count; i++) {
        const struct ptx_instruction *instruction = &function->instructions[i];
        if (!add_operands(layout, index, instruction->operands, instruction->operand_count,
                          instruction->opcode == PTX_OP_CALL, 0))
            return false;
    }
    return true;
}

static bool add_initial(struct lower_layout *layout, const struct ptx_variable *variable)
{
    for (uint32_t i = 0; i < variable->link_count; i++) {
        const struct ptx_link *link = &variable->links[i];
        if (link->to_function && !add_edge(layout, any_function(layout), link->index))
            return false;
    }
    return true;
}

rill_status ptx_lower_find_calls(struct lower_layout *layout)
{
    const struct ptx_module *module = layout->module;
    bool room = true;
    for (uint32_t i = 0; i < module->function_count && room; i++) room = add_function(layout, i);
    for (uint32_t i = 0; i < module->variable_count && room; i++)
        room = add_initial(layout, &module->variables[i]);
    return room ? RILL_SUCCESS : RILL_ERROR_OUT_OF_MEMORY;
}

void ptx_lower_reach(const struct lower_layout *layout, uint32_t node, bool *seen,
                     uint32_t *list)
{
    uint32_t count = 0;
    if (seen[node]) return;
    seen[node] = true;
    list[count++] = node;
    while (count) {
        uint32_t at = list[--count];
        for (uint32_t e = layout->first_call[at]; e != PTX_NONE; e = layout->calls[e].next_call) {
            uint32_t to = layout->calls[e].to;
            if (seen[to]) continue;
            seen[to] = true;
            list[count++] = to;
        }
    }
}

/* ---- How deep ------------------------------------------------------------------------------ */

#define UNSEEN UINT32_MAX
#define ON_THE_WAY (UINT32_MAX - 1) /* in `depths`, until all of a node's edges were followed */

static uint32_t depth_through(const struct lower_layout *layout, uint32_t to, uint32_t depth)
{
    return to < layout->module->function_count ? depth + 1 : depth;
}

/* Returns the depth of a node whose edges were followed. */
static uint32_t depth_of(const struct lower_layout *layout, uint32_t node, const uint32_t *depths)
{
    uint32_t most = 0;
    for (uint32_t e = layout->first_call[node]; e != PTX_NONE; e = layout->calls[e].next_call) {
        uint32_t to = layout->calls[e].to;
        if (depths[to] == ON_THE_WAY) continue;
        uint32_t depth = depth_through(layout, to, depths[to]);
        if (depth > most) most = depth;
    }
    return most;
}

static void measure_from(const struct lower_layout *layout, uint32_t node, uint32_t *depths,
                         uint32_t *next, uint32_t *list)
{
    uint32_t count = 0;
    list[count++] = node;
    depths[node] = ON_THE_WAY;
    next[node] = layout->first_call[node];
    while (count) {
        uint32_t at = list[count - 1], edge = next[at];
        if (edge == PTX_NONE) {
            depths[at] = depth_of(layout, at, depths);
            count--;
            continue;
        }
        next[at] = layout->calls[edge].next_call;
        uint32_t to = layout->calls[edge].to;
        if (depths[to] != UNSEEN) continue;
        depths[to] = ON_THE_WAY;
        next[to] = layout->first_call[to];
        list[count++] = to;
    }
}

void ptx_lower_measure(const struct lower_layout *layout, uint32_t *depths, uint32_t *next,
                       uint32_t *list)
{
    for (uint32_t i = 0; i < layout->nodes; i++) depths[i] = UNSEEN;
    for (uint32_t i = 0; i < layout->nodes; i++)
        if (depths[i] == UNSEEN) measure_from(layout, i, depths, next, list);
}
