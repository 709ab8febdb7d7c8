/* SPDX-License-Identifier: Apache-2.0
 *
 * Which functions are lowered, and where shared variables lie.
 */
#include "ptx/lower/layout.h"

#include <string.h>

#define MOST_SHARED (UINT64_C(1) << 20)  /* of kernels that share a layout               */

enum { DYNAMIC_ALIGNMENT = 16, PATIENCE = 1 << 22 };

static bool open_layout(struct lower_layout *layout)
{
    const struct ptx_module *module = layout->module;
    size_t functions = (size_t)module->function_count + 1;
    size_t nodes = functions + module->variable_count;
    if (nodes > UINT32_MAX / 8) return false;
    layout->nodes = (uint32_t)nodes;
    uint32_t *numbers = ptx_arena_get(layout->arena, 7 * nodes * sizeof *numbers);
    layout->shared = ptx_arena_get(layout->arena, functions * sizeof *layout->shared);
    layout->runs = ptx_arena_get(layout->arena, functions * sizeof *layout->runs);
    layout->touches = ptx_arena_get(layout->arena, nodes);
    layout->set_end = ptx_arena_get(layout->arena, nodes * sizeof *layout->set_end);
    layout->module_places = ptx_arena_get(layout->arena, nodes * sizeof(uint32_t));
    if (!numbers || !layout->shared || !layout->runs || !layout->touches ||
        !layout->set_end || !layout->module_places)
        return false;
    layout->first_call = numbers;
    layout->first_user = numbers + nodes;
    layout->set = numbers + 2 * nodes;
    layout->dynamic = numbers + 3 * nodes;
    layout->list = numbers + 4 * nodes;
    layout->mark = numbers + 5 * nodes;
    layout->aligns = numbers + 6 * nodes;
    layout->patience = PATIENCE;
    memset(numbers, 0xff, 2 * nodes * sizeof *numbers);
    memset(layout->mark, 0xff, nodes * sizeof *layout->mark);
    memset(layout->aligns, 0, nodes * sizeof *layout->aligns);
    for (uint32_t i = 0; i < nodes; i++) layout->set[i] = i;
    return true;
}

/* ---- What is lowered ----------------------------------------------------------------------- */

static bool is_replaced_kernel(const struct ptx_function *function,
                               const struct ptx_linkage *linkage)
{
    return function->entry && linkage && linkage->replaced &&
           linkage->replaced(linkage->data, function->name);
}

/* Chooses all functions except replaced kernels and what only they call. */
static rill_status choose_functions(struct lower_layout *layout, const struct ptx_linkage *linkage)
{
    const struct ptx_module *module = layout->module;
    uint32_t count = module->function_count;
    bool *replaced = ptx_arena_get(layout->arena, layout->nodes);
    bool *theirs = ptx_arena_get(layout->arena, layout->nodes);
    bool *wanted = ptx_arena_get(layout->arena, layout->nodes);
    uint32_t *list = layout->list;
    if (!replaced || !theirs || !wanted) return ptx_lower_refuse_memory(layout->refusal);
    for (uint32_t i = 0; i < count; i++) {
        replaced[i] = is_replaced_kernel(&module->functions[i], linkage);
        if (replaced[i]) ptx_lower_reach(layout, i, theirs, list);
    }
    for (uint32_t i = 0; i < count; i++)
        if (!replaced[i] && (module->functions[i].entry || !theirs[i]))
            ptx_lower_reach(layout, i, wanted, list);
    for (uint32_t i = 0; i < count; i++)
        layout->runs[i] = wanted[i] && !replaced[i] && module->functions[i].defined;
    return RILL_SUCCESS;
}

/* ---- Groups -------------------------------------------------------------------------------- */

static uint32_t set_of(struct lower_layout *layout, uint32_t node)
{
    while (layout->set[node] != node) {
        layout->set[node] = layout->set[layout->set[node]];
        node = layout->set[node];
    }
    return node;
}

/* Marks what calls something that touches shared memory as touching it, too. */
static void spread_touches(struct lower_layout *layout)
{
    uint32_t *list = layout->list, count = 0;
    for (uint32_t i = 0; i < layout->nodes; i++)
        if (layout->touches[i]) list[count++] = i;
    while (count) {
        uint32_t at = list[--count];
        for (uint32_t e = layout->first_user[at]; e != PTX_NONE; e = layout->calls[e].next_user) {
            uint32_t from = layout->calls[e].from;
            if (layout->touches[from]) continue;
            layout->touches[from] = 1;
            list[count++] = from;
        }
    }
}

static void join_groups(struct lower_layout *layout)
{
    uint32_t variables = layout->module->function_count + 1;
    for (uint32_t i = 0; i < layout->call_count; i++) {
        const struct lower_edge *edge = &layout->calls[i];
        if (!layout->touches[edge->to] && edge->to < variables) continue;
        layout->set[set_of(layout, edge->to)] = set_of(layout, edge->from);
    }
}

/* ---- Places -------------------------------------------------------------------------------- */

static bool is_static(const struct ptx_variable *variable)
{
    return variable->space == PTX_SHARED && !variable->external;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static uint64_t align(uint64_t at, uint64_t alignment)
{
    return (at + alignment - 1) & ~(alignment - 1);
}

static uint64_t align_variable(uint64_t at, const struct ptx_variable *variable)
{
    return align(at, variable->alignment);
}

static rill_status place_shared(struct lower_layout *layout, uint32_t node,
                                const struct ptx_variable *variable, uint32_t *offset)
{
    uint64_t *end = &layout->set_end[set_of(layout, node)];
    uint64_t at = align_variable(*end, variable);
    if (variable->bytes > LOWER_MOST_STATIC || at + variable->bytes > MOST_SHARED)
        return ptx_lower_refuse(layout->refusal, &variable->place, variable->name,
                                RILL_ERROR_INVALID_PTX,
                                "shared variables of a kernel have up to %u bytes",
                                LOWER_MOST_STATIC);
    *offset = (uint32_t)at;
    *end = at + variable->bytes;
    return RILL_SUCCESS;
}

static rill_status place_of_function(struct lower_layout *layout, uint32_t index)
{
    const struct ptx_function *function = &layout->module->functions[index];
    rill_status status = RILL_SUCCESS;
    uint32_t *offsets = NULL;
    for (uint32_t i = 0; i < function->variable_count && !status; i++) {
        if (!is_static(&function->variables[i])) continue;
        if (!offsets)
            offsets = ptx_arena_get(layout->arena, function->variable_count * sizeof *offsets);
        if (!offsets) return ptx_lower_refuse_memory(layout->refusal);
        status = place_shared(layout, index, &function->variables[i], &offsets[i]);
    }
    layout->shared[index] = offsets;
    return status;
}

/* Places the module's .local variables before those of the kernel, where no call moves them. */
static rill_status place_locals(struct lower_layout *layout)
{
    const struct ptx_module *module = layout->module;
    uint64_t end = 0;
    for (uint32_t i = 0; i < module->variable_count; i++) {
        const struct ptx_variable *variable = &module->variables[i];
        if (variable->space != PTX_LOCAL) continue;
        uint64_t at = align_variable(end, variable);
        end = at + variable->bytes;
        if (end > PTX_MOST_LOCAL)
            return ptx_lower_refuse(layout->refusal, &variable->place, variable->name,
                                    RILL_ERROR_INVALID_PTX,
                                    "a thread has up to %u bytes of local memory",
                                    PTX_MOST_LOCAL);
        layout->module_places[i] = (uint32_t)at;
    }
    layout->module_local = (uint32_t)end;
    return RILL_SUCCESS;
}

static rill_status place_all(struct lower_layout *layout)
{
    const struct ptx_module *module = layout->module;
    uint32_t first = module->function_count + 1;
    uint64_t alignment = DYNAMIC_ALIGNMENT;
    rill_status status = RILL_SUCCESS;
    for (uint32_t i = 0; i < module->variable_count && !status; i++) {
        const struct ptx_variable *variable = &module->variables[i];
        if (is_static(variable) && layout->first_user[first + i] != PTX_NONE)
            status = place_shared(layout, first + i, variable, &layout->module_places[i]);
        if (variable->space == PTX_SHARED && variable->alignment > alignment)
            alignment = variable->alignment;
    }
    for (uint32_t i = 0; i < module->function_count && !status; i++)
        status = place_of_function(layout, i);
    for (uint32_t i = 0; i < module->function_count && !status; i++) {
        uint64_t end = layout->set_end[set_of(layout, i)];
        layout->dynamic[i] = (uint32_t)align(end, alignment);
    }
    return status;
}

rill_status ptx_lower_layout(const struct ptx_module *module,
                             const struct ptx_linkage *linkage, struct ptx_arena *arena,
                             struct ptx_refusal *refusal, struct lower_layout *layout)
{
    *layout = (struct lower_layout){ .module = module, .arena = arena, .refusal = refusal };
    if (!open_layout(layout) || ptx_lower_find_calls(layout))
        return ptx_lower_refuse_memory(refusal);
    rill_status status = choose_functions(layout, linkage);
    if (status) return status;
    spread_touches(layout);
    join_groups(layout);
    status = place_locals(layout);
    return status ? status : place_all(layout);
}

/* ---- What a kernel has of it --------------------------------------------------------------- */

static uint64_t add_variables(const struct lower_layout *layout, uint32_t node, uint64_t end)
{
    const struct ptx_module *module = layout->module;
    if (node > module->function_count) {
        const struct ptx_variable *variable =
            &module->variables[node - module->function_count - 1];
        return is_static(variable) ? align_variable(end, variable) + variable->bytes : end;
    }
    if (node == module->function_count) return end;
    const struct ptx_function *function = &module->functions[node];
    for (uint32_t i = 0; i < function->variable_count; i++)
        if (is_static(&function->variables[i]))
            end = align_variable(end, &function->variables[i]) + function->variables[i].bytes;
    return end;
}

static uint32_t work_of(const struct lower_layout *layout, uint32_t node)
{
    const struct ptx_module *module = layout->module;
    return node < module->function_count ? module->functions[node].variable_count : 1;
}

uint32_t ptx_lower_shared_of(struct lower_layout *layout, uint32_t kernel)
{
    uint32_t *list = layout->list, count = 0;
    uint64_t end = 0;
    uint64_t alignment = 1; /* of what begins after it */
    layout->mark[kernel] = kernel;
    list[count++] = kernel;
    while (count) {
        uint32_t at = list[--count], work = work_of(layout, at);
        if (layout->patience < work) return layout->dynamic[kernel];
        layout->patience -= work;
        end = add_variables(layout, at, end);
        if (layout->aligns[at])
            alignment = larger(alignment, larger(DYNAMIC_ALIGNMENT, layout->aligns[at]));
        if (end > UINT32_MAX) return UINT32_MAX;
        for (uint32_t e = layout->first_call[at]; e != PTX_NONE; e = layout->calls[e].next_call) {
            uint32_t to = layout->calls[e].to;
            if (layout->patience == 0) return layout->dynamic[kernel];
            layout->patience--;
            if (layout->mark[to] == kernel) continue;
            layout->mark[to] = kernel;
            list[count++] = to;
        }
    }
    return (uint32_t)align(end, alignment);
}
