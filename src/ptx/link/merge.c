/* SPDX-License-Identifier: Apache-2.0
 *
 * From the inputs of a linker to one module: what kernels and variables lead to is kept and
 * numbered anew.
 */
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "ptx/link/symbols.h"
#include "ptx/builtin/builtin.h"
#include "ptx/text/arena.h"
#include "ptx/text/source.h"

/* A function or a variable of an input. */
struct spot {
    uint32_t input, index;
};

struct whole {
    struct ptx_linker *linker;
    struct ptx_module *module;
    struct ptx_refusal *refusal;
    struct spot *functions, *variables; /* by number; functions are looked into in this order */
    uint32_t function_count, variable_count;
    uint32_t input;                     /* whose body or value is looked at */
    const char *user;                   /* its name */
};

/* ---- What stands for what -------------------------------------------------------------- */

static struct spot home_of(const struct whole *whole, uint32_t input, bool function,
                           uint32_t index)
{
    const struct link_input *of = &whole->linker->inputs[input];
    uint32_t number = (function ? of->function_symbols : of->variable_symbols)[index];
    if (number == PTX_NONE) return (struct spot){ input, index };
    const struct link_symbol *symbol = &whole->linker->symbols[number];
    return (struct spot){ symbol->input, symbol->index };
}

static struct ptx_function *function_of_spot(const struct whole *whole, struct spot spot)
{
    return &whole->linker->inputs[spot.input].module->functions[spot.index];
}

static struct ptx_variable *variable_of_spot(const struct whole *whole, struct spot spot)
{
    return &whole->linker->inputs[spot.input].module->variables[spot.index];
}

/* ---- What is kept ---------------------------------------------------------------------- */

/* Notes that a name is undefined, and returns false. */
static bool note_undefined(const struct whole *whole, const char *name)
{
    const struct link_input *input = &whole->linker->inputs[whole->input];
    const struct ptx_place nowhere = { 0, 0 };
    ptx_link_refuse(whole->refusal, &nowhere, "'%s', which '%s' in %s uses, is nowhere defined",
                    name, whole->user, input->name);
    return false;
}

/* Returns true if a variable is declared only; an array of shared memory without a length is
 * memory that a launch adds. */
static bool is_undefined(const struct ptx_variable *variable)
{
    return variable->external && (variable->space != PTX_SHARED || variable->bytes);
}

static void keep_function(struct whole *whole, struct spot spot)
{
    uint32_t *place = &whole->linker->inputs[spot.input].function_places[spot.index];
    if (*place != PTX_NONE) return;
    *place = whole->function_count;
    whole->functions[whole->function_count++] = spot;
}

static void keep_variable(struct whole *whole, struct spot spot)
{
    uint32_t *place = &whole->linker->inputs[spot.input].variable_places[spot.index];
    if (*place != PTX_NONE) return;
    *place = whole->variable_count;
    whole->variables[whole->variable_count++] = spot;
}

/* Keeps a function that is used; the driver brings some functions along. */
static bool keep_used_function(struct whole *whole, struct spot spot)
{
    const struct ptx_function *used = function_of_spot(whole, spot);
    if (!used->defined && !ptx_find_builtin(used->name) && !ptx_lacks_runtime_function(used->name))
        return note_undefined(whole, used->name);
    keep_function(whole, spot);
    return true;
}

static bool keep_used_variable(struct whole *whole, struct spot spot)
{
    const struct ptx_variable *used = variable_of_spot(whole, spot);
    if (is_undefined(used)) return note_undefined(whole, used->name);
    keep_variable(whole, spot);
    return true;
}

static bool keep_used(void *data, bool function, uint32_t *index)
{
    struct whole *whole = data;
    struct spot spot = home_of(whole, whole->input, function, *index);
    return function ? keep_used_function(whole, spot) : keep_used_variable(whole, spot);
}

/* Returns true for a kernel that programs can ask for by its name. */
static bool is_kernel(const struct whole *whole, uint32_t input, uint32_t index)
{
    const struct spot home = home_of(whole, input, true, index);
    const struct ptx_function *function = function_of_spot(whole, (struct spot){ input, index });
    const struct ptx_linker *linker = whole->linker;
    if (!function->entry || !function->defined) return false;
    if (home.input != input || home.index != index) return false;
    if (link_is_shared_function(function)) return true;
    uint32_t shared = ptx_link_find(linker, function->name, false);
    const struct link_symbol *first = &linker->symbols[ptx_link_find(linker, function->name, true)];
    if (shared != PTX_NONE && linker->symbols[shared].function) return false;
    return first->input == input && first->index == index;
}

static void keep_kernels(struct whole *whole)
{
    for (uint32_t i = 0; i < whole->linker->input_count; i++)
        for (uint32_t k = 0; k < whole->linker->inputs[i].module->function_count; k++)
            if (is_kernel(whole, i, k)) keep_function(whole, (struct spot){ i, k });
}

/* Keeps all defined variables, used or not: programs can ask for them, and get the shared one
 * if a module has a private one of the same name. */
static void keep_variables(struct whole *whole, bool shared)
{
    for (uint32_t i = 0; i < whole->linker->input_count; i++) {
        const struct ptx_module *module = whole->linker->inputs[i].module;
        for (uint32_t k = 0; k < module->variable_count; k++) {
            struct spot home = home_of(whole, i, false, k);
            if (link_is_shared(&module->variables[k]) != shared) continue;
            if (home.input == i && home.index == k && !module->variables[k].external)
                keep_variable(whole, home);
        }
    }
}

/* Forgets the places of an attempt that was refused. */
static void forget_places(const struct ptx_linker *linker)
{
    for (uint32_t i = 0; i < linker->input_count; i++) {
        const struct link_input *input = &linker->inputs[i];
        memset(input->function_places, 0xff, input->module->function_count * sizeof(uint32_t));
        memset(input->variable_places, 0xff, input->module->variable_count * sizeof(uint32_t));
    }
}

/* Checks that every declared variable is there, even if it is not used; functions need not
 * be. */
static bool has_all_variables(const struct whole *whole)
{
    const struct ptx_linker *linker = whole->linker;
    const struct ptx_place nowhere = { 0, 0 };
    for (uint32_t i = 0; i < linker->symbol_count; i++) {
        const struct link_symbol *symbol = &linker->symbols[i];
        if (symbol->function || !is_undefined(link_variable(linker, symbol))) continue;
        ptx_link_refuse(whole->refusal, &nowhere, "'%s', which %s declares, is nowhere defined",
                        symbol->name, linker->inputs[symbol->input].name);
        return false;
    }
    return true;
}

static bool keep_what_is_used(struct whole *whole)
{
    forget_places(whole->linker);
    keep_kernels(whole);
    keep_variables(whole, true);
    keep_variables(whole, false);
    uint32_t defined = whole->variable_count; /* the others have no value   */
    for (uint32_t i = 0; i < defined; i++) {
        const struct ptx_variable *variable = variable_of_spot(whole, whole->variables[i]);
        whole->input = whole->variables[i].input;
        whole->user = variable->name;
        if (!ptx_link_each_in_value(variable, keep_used, whole)) return false;
    }
    for (uint32_t i = 0; i < whole->function_count; i++) {
        const struct ptx_function *function = function_of_spot(whole, whole->functions[i]);
        whole->input = whole->functions[i].input;
        whole->user = function->name;
        if (!ptx_link_each_in_body(function, keep_used, whole)) return false;
    }
    return has_all_variables(whole); /* those that are used were named with their users */
}

/* ---- The new numbers ------------------------------------------------------------------- */

/* Replaces a number.  What is left out may hold PTX_NONE, which is never read. */
static bool renumber_use(void *data, bool function, uint32_t *index)
{
    const struct whole *whole = data;
    struct spot home = home_of(whole, whole->input, function, *index);
    const struct link_input *input = &whole->linker->inputs[home.input];
    *index = (function ? input->function_places : input->variable_places)[home.index];
    return true;
}

/* Renumbers each body once, however many functions share it. */
static void renumber_all(struct whole *whole)
{
    for (uint32_t i = 0; i < whole->linker->input_count; i++) {
        const struct ptx_module *module = whole->linker->inputs[i].module;
        whole->input = i;
        for (uint32_t k = 0; k < module->function_count; k++)
            if (!module->functions[k].alias)
                ptx_link_each_in_body(&module->functions[k], renumber_use, whole);
        for (uint32_t k = 0; k < module->variable_count; k++)
            ptx_link_each_in_value(&module->variables[k], renumber_use, whole);
    }
}

/* Counts the lines of each input on from those of the inputs before it. */
static void count_lines_on(struct whole *whole)
{
    uint32_t before = 0, count = 0;
    for (uint32_t i = 0; i < whole->linker->input_count; i++) {
        const struct ptx_module *input = whole->linker->inputs[i].module;
        uint32_t lines = 0;
        for (uint32_t k = 0; k < input->function_count; k++)
            input->functions[k].lines_before += before;
        for (uint32_t k = 0; k < input->source_count; k++, count++) {
            whole->module->sources[count] = input->sources[k];
            whole->module->sources[count].before += before;
            lines += input->sources[k].lines;
        }
        before += lines;
    }
    whole->module->source_count = count;
}

static void copy_kept(const struct whole *whole)
{
    const struct ptx_linker *linker = whole->linker;
    struct ptx_module *module = whole->module;
    for (uint32_t i = 0; i < whole->function_count; i++)
        module->functions[i] = *function_of_spot(whole, whole->functions[i]);
    for (uint32_t i = 0; i < whole->variable_count; i++) {
        struct spot spot = whole->variables[i];
        uint32_t symbol = linker->inputs[spot.input].variable_symbols[spot.index];
        module->variables[i] = *variable_of_spot(whole, spot);
        if (symbol != PTX_NONE) module->variables[i].alignment = linker->symbols[symbol].alignment;
    }
    module->function_count = whole->function_count;
    module->variable_count = whole->variable_count;
}

/* ---- The whole ------------------------------------------------------------------------- */

/* Describes the merged module: with the newest version and target. */
static void describe_merged(const struct ptx_linker *linker, struct ptx_module *module)
{
    module->arena = linker->arena;
    module->seed = linker->seed;
    module->address_bits = 64;
    for (uint32_t i = 0; i < linker->input_count; i++) {
        const struct ptx_module *input = linker->inputs[i].module;
        if (module->version < input->version) module->version = input->version;
        module->debug |= input->debug;
        if (module->target > input->target) continue;
        if (module->target < input->target || input->suffix) module->suffix = input->suffix;
        module->target = input->target;
    }
}

static bool make_merged_room(struct whole *whole)
{
    struct ptx_arena *arena = whole->linker->arena;
    size_t functions = 1, variables = 1, sources = 1;
    for (uint32_t i = 0; i < whole->linker->input_count; i++) {
        functions += whole->linker->inputs[i].module->function_count;
        variables += whole->linker->inputs[i].module->variable_count;
        sources += whole->linker->inputs[i].module->source_count;
    }
    whole->functions = ptx_arena_get(arena, functions * sizeof *whole->functions);
    whole->variables = ptx_arena_get(arena, variables * sizeof *whole->variables);
    whole->module = ptx_arena_get(arena, sizeof *whole->module);
    if (!whole->functions || !whole->variables || !whole->module) return false;
    whole->module->functions = ptx_arena_get(arena, functions * sizeof(struct ptx_function));
    whole->module->variables = ptx_arena_get(arena, variables * sizeof(struct ptx_variable));
    whole->module->sources = ptx_arena_get(arena, sources * sizeof(struct ptx_source));
    return whole->module->functions && whole->module->variables && whole->module->sources;
}

rill_status ptx_linker_finish(struct ptx_linker *linker, struct ptx_module **module,
                              struct ptx_refusal *refusal)
{
    struct whole whole = { .linker = linker, .refusal = refusal };
    *refusal = (struct ptx_refusal){ .status = RILL_SUCCESS };
    if (!make_merged_room(&whole)) return ptx_link_no_memory(refusal);
    if (!keep_what_is_used(&whole)) return refusal->status;
    count_lines_on(&whole);
    copy_kept(&whole);
    describe_merged(linker, whole.module);
    if (!ptx_index_variables(whole.module)) return ptx_link_no_memory(refusal);
    renumber_all(&whole); /* from here on nothing is refused */
    for (uint32_t i = 0; i < linker->input_count; i++)
        ptx_arena_join(linker->arena, linker->inputs[i].module->arena);
    linker->input_count = 0;
    linker->arena = NULL;
    *module = whole.module;
    return RILL_SUCCESS;
}

/* ---- Of texts -------------------------------------------------------------------------- */

static rill_status add_text(struct ptx_linker *linker, const char *text, size_t bytes,
                            const struct ptx_limits *limits, struct ptx_refusal *refusal)
{
    struct ptx_module *module;
    rill_status status = ptx_read(text, bytes, limits, &module, refusal);
    if (status) return status;
    status = ptx_linker_add(linker, module, NULL, refusal);
    if (status) ptx_module_free(module);
    return status;
}

rill_status ptx_read_linked(const char *texts, size_t bytes, const struct ptx_limits *limits,
                            struct ptx_module **module, struct ptx_refusal *refusal)
{
    struct ptx_linker *linker = ptx_linker_open(limits);
    rill_status status = linker ? RILL_SUCCESS : ptx_link_no_memory(refusal);
    for (size_t at = 0, length; at < bytes && !status; at += length + 1) {
        length = strnlen(texts + at, bytes - at);
        status = add_text(linker, texts + at, length, limits, refusal);
    }
    if (!status) status = ptx_linker_finish(linker, module, refusal);
    ptx_linker_close(linker);
    return status;
}
