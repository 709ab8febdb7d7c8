/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions: the head, its directives, and what remains of a body.
 */
#include "ptx/read/reader.h"

/* ---- What is said before the body ------------------------------------------------------ */

/* Reads up to three numbers; those that are left out are 1. */
static bool read_shape(struct ptx_reader *reader, uint32_t shape[3])
{
    uint64_t value;
    shape[0] = shape[1] = shape[2] = 1;
    for (unsigned i = 0; i < 3; i++) {
        struct ptx_token token = *ptx_present(reader);
        if (!ptx_read_count(reader, INT32_MAX, "a number of threads or blocks", &value))
            return false;
        if (!value) return ptx_error_at(reader, &token, "a block has threads, a cluster blocks");
        shape[i] = (uint32_t)value;
        if (!ptx_accept_mark(reader, ',')) break;
    }
    return true;
}

static bool read_directive_number(struct ptx_reader *reader, uint32_t *number)
{
    uint64_t value;
    if (!ptx_read_count(reader, UINT32_MAX, "a number", &value)) return false;
    if (number) *number = (uint32_t)value;
    return true;
}

/* Reads a directive of kernels.  *read tells whether there was one that could be read. */
static bool read_of_kernel(struct ptx_reader *reader, struct ptx_function *kernel, bool *read)
{
    *read = true;
    if (ptx_accept(reader, ".maxntid")) *read = read_shape(reader, kernel->max_threads);
    else if (ptx_accept(reader, ".reqntid")) *read = read_shape(reader, kernel->required_threads);
    else if (ptx_accept(reader, ".reqnctapercluster")) *read = read_shape(reader, kernel->cluster);
    else if (ptx_accept(reader, ".maxnreg"))
        *read = read_directive_number(reader, &kernel->max_registers);
    else if (ptx_accept(reader, ".minnctapersm") || ptx_accept(reader, ".maxnctapersm"))
        *read = read_directive_number(reader, &kernel->min_blocks);
    else if (ptx_accept(reader, ".maxclusterrank")) *read = read_directive_number(reader, NULL);
    else return ptx_accept(reader, ".explicitcluster") || ptx_accept(reader, ".blocksareclusters");
    return true;
}

static bool read_of_any(struct ptx_reader *reader, struct ptx_function *function)
{
    if (ptx_accept(reader, ".noreturn")) return function->noreturn = true;
    if (ptx_accept(reader, ".unified")) return true;
    if (ptx_accept(reader, ".abi_preserve") || ptx_accept(reader, ".abi_preserve_control"))
        return read_directive_number(reader, NULL);
    if (ptx_accept(reader, ".pragma")) return ptx_skip_past(reader, ';');
    if (ptx_accept(reader, ".attribute"))
        return ptx_expect_mark(reader, '(') && ptx_skip_past(reader, ')');
    return ptx_error(reader, "this is nothing that is said of a %s",
                     function->entry ? "kernel" : "function that is no kernel");
}

/* Reads what follows the head of a function: directives. */
static bool read_directives(struct ptx_reader *reader, struct ptx_function *function)
{
    while (ptx_at(reader, PTX_TOKEN_DOTTED) && (function->entry || !ptx_begins_top(reader))) {
        struct ptx_token token = *ptx_present(reader);
        bool read;
        if (!function->entry || !read_of_kernel(reader, function, &read))
            read = read_of_any(reader, function);
        if (!read) return false;
        if (function->max_threads[0] && function->required_threads[0])
            return ptx_error_at(reader, &token, "a kernel has .maxntid or .reqntid, not both");
    }
    return true;
}

/* ---- Declarations and definitions ------------------------------------------------------ */

static struct ptx_function *function_at(struct ptx_reader *reader, uint32_t index)
{
    return (struct ptx_function *)reader->functions.items + index;
}

static bool are_lists_alike(const struct ptx_function *a, const uint32_t *in_a, uint32_t count_a,
                            const struct ptx_function *b, const uint32_t *in_b, uint32_t count_b)
{
    if (count_a != count_b) return false;
    for (uint32_t i = 0; i < count_a; i++) {
        const struct ptx_variable *of_a = &a->variables[in_a[i]], *of_b = &b->variables[in_b[i]];
        if (of_a->space != of_b->space || of_a->bytes != of_b->bytes) return false;
    }
    return true;
}

/* Returns true if an earlier declaration is the same, and was not a definition. */
static bool is_compatible_function(struct ptx_reader *reader, const struct ptx_token *token,
                                   const struct ptx_function *before,
                                   const struct ptx_function *now)
{
    if (before->defined && now->defined)
        return ptx_error_at(reader, token, "this function was defined in line %u already",
                            before->place.line);
    if (before->entry != now->entry ||
        !are_lists_alike(before, before->params, before->param_count, now, now->params,
                         now->param_count) ||
        !are_lists_alike(before, before->results, before->result_count, now, now->results,
                         now->result_count))
        return ptx_error_at(reader, token, "this function was declared otherwise in line %u",
                            before->place.line);
    bool plain = !now->visible && !now->weak;
    if (before->external != now->external ||
        (!plain && (before->visible != now->visible || before->weak != now->weak)))
        return ptx_error_at(reader, token,
                            "this function was declared with another linkage in line %u",
                            before->place.line);
    return true;
}

/* Finds the function's place in the module, new or declared before. */
static bool find_function(struct ptx_reader *reader, const struct ptx_token *token,
                          struct ptx_name *name, uint32_t *index)
{
    const struct ptx_binding *binding = name->binding;
    while (binding && binding->depth) binding = binding->outer;
    if (!binding) {
        *index = reader->functions.count;
        struct ptx_function *function = ptx_push(reader, &reader->functions);
        return function && (function->name = ptx_copy_name(reader, name)) &&
               ptx_bind(reader, token, name, PTX_BOUND_FUNCTION, *index);
    }
    *index = binding->index;
    return binding->kind == PTX_BOUND_FUNCTION ||
           ptx_error_at(reader, token, "a variable has this name already");
}

/* ---- The whole ------------------------------------------------------------------------- */

static bool take_body(struct ptx_reader *reader, struct ptx_function *function)
{
    return ptx_pop_from(reader, &reader->registers, 0, &function->registers,
                        &function->register_count) &&
           ptx_pop_from(reader, &reader->locals, 0, &function->variables,
                        &function->variable_count) &&
           ptx_pop_from(reader, &reader->labels, 0, &function->labels, &function->label_count) &&
           ptx_pop_from(reader, &reader->tables, 0, &function->tables, &function->table_count) &&
           ptx_pop_from(reader, &reader->instructions, 0, &function->instructions,
                        &function->instruction_count);
}

static void describe_function(struct ptx_function *function, const struct ptx_token *token,
                              bool entry, const struct ptx_linking *linking)
{
    function->place = token->place;
    function->entry = entry;
    function->visible = linking->visible;
    function->external = linking->external;
    function->weak = linking->weak;
}

/* Reads the head in the scope of the body, which is open: parameters belong to it. */
static bool read_head(struct ptx_reader *reader, struct ptx_function *function,
                      struct ptx_token *token, struct ptx_name **name)
{
    bool entry = function->entry;
    if (ptx_accept(reader, ".attribute") &&
        (!ptx_expect_mark(reader, '(') || !ptx_skip_past(reader, ')')))
        return false;
    if (!entry && ptx_at_mark(reader, '(') &&
        !ptx_read_params(reader, false, true, &function->results, &function->result_count))
        return false;
    if (!ptx_expect_name(reader, token, name, "the name of a function")) return false;
    if (ptx_at_mark(reader, '(') &&
        !ptx_read_params(reader, entry, true, &function->params, &function->param_count))
        return false;
    return read_directives(reader, function);
}

/* Takes over the variables of a declaration; a definition gets them when its body was read. */
static bool settle_declaration(struct ptx_reader *reader, const struct ptx_token *token,
                               struct ptx_function *now, uint32_t index)
{
    struct ptx_function *before = function_at(reader, index);
    struct ptx_function shown = *now;
    shown.variables = reader->locals.items;
    if (before->place.line && !is_compatible_function(reader, token, before, &shown)) return false;
    now->name = before->name;
    if (now->defined || !before->defined) {
        now->visible |= before->visible;
        now->weak |= before->weak;
        now->noreturn |= before->noreturn;
        *before = *now;
    }
    return true;
}

static bool read_rest(struct ptx_reader *reader, struct ptx_function *function, uint32_t index)
{
    if (!function->defined) {
        bool keep = !function_at(reader, index)->defined;
        if (!ptx_close_scope(reader) || !take_body(reader, function)) return false;
        if (keep) *function_at(reader, index) = *function;
        /* Old compilers left the mark out, and nothing ever missed it. */
        return (!function->entry && ptx_begins_top(reader)) || ptx_expect_mark(reader, ';');
    }
    ptx_next(reader);
    reader->function = function;
    if (!ptx_forget_location(reader) || !ptx_read_body(reader) || !take_body(reader, function))
        return false;
    *function_at(reader, index) = *function;
    return true;
}

bool ptx_read_function(struct ptx_reader *reader, bool entry, const struct ptx_linking *linking)
{
    struct ptx_function function = { .entry = entry };
    struct ptx_token token;
    struct ptx_name *name;
    uint32_t index;
    if (!ptx_open_scope(reader) || !read_head(reader, &function, &token, &name)) return false;
    describe_function(&function, &token, entry, linking);
    function.defined = ptx_at_mark(reader, '{');
    if (function.defined && linking->external)
        return ptx_error(reader, "what is external has no body here");
    reader->depth--; /* the name is the module's */
    bool found = find_function(reader, &token, name, &index);
    reader->depth++;
    return found && settle_declaration(reader, &token, &function, index) &&
           read_rest(reader, &function, index);
}

/* ---- Prototypes ------------------------------------------------------------------------ */

bool ptx_read_prototype(struct ptx_reader *reader, struct ptx_function **prototype)
{
    uint32_t first = reader->locals.count;
    struct ptx_token token;
    struct ptx_name *name;
    struct ptx_function *function = ptx_get(reader, sizeof *function);
    if (!function) return false;
    *prototype = function;
    function->name = "_";
    if (ptx_at_mark(reader, '(') &&
        !ptx_read_params(reader, false, false, &function->results, &function->result_count))
        return false;
    if (!ptx_expect_name(reader, &token, &name, "'_'")) return false;
    function->place = token.place;
    if (ptx_at_mark(reader, '(') &&
        !ptx_read_params(reader, false, false, &function->params, &function->param_count))
        return false;
    if (!read_directives(reader, function) || !ptx_expect_mark(reader, ';')) return false;
    /* Results count from the prototype's own first variable. */
    for (uint32_t i = 0; i < function->result_count; i++) function->results[i] -= first;
    for (uint32_t i = 0; i < function->param_count; i++) function->params[i] -= first;
    return ptx_pop_from(reader, &reader->locals, first, &function->variables,
                        &function->variable_count);
}
