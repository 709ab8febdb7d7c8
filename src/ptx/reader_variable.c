/* SPDX-License-Identifier: Apache-2.0
 *
 * Variables: those of the module, and those of a function's body.
 */
#include "ptx/reader.h"

#include <string.h>

void ptx_describe(const struct ptx_declaration *declaration, enum ptx_space space,
                  struct ptx_variable *variable)
{
    variable->place = declaration->token.place;
    variable->space = space;
    variable->type = declaration->type;
    variable->alignment = declaration->alignment;
    variable->bytes = declaration->bytes;
    variable->managed = declaration->managed;
    variable->reg = PTX_NONE;
}

/* ---- Of the module --------------------------------------------------------------------- */

static struct ptx_variable *variable_at(struct ptx_reader *reader, uint32_t index)
{
    return (struct ptx_variable *)reader->variables.items + index;
}

static bool add_variable(struct ptx_reader *reader, const struct ptx_declaration *declaration)
{
    struct ptx_variable *variable = ptx_push(reader, &reader->variables);
    return variable && (variable->name = ptx_copy_name(reader, declaration->name)) &&
           ptx_bind(reader, &declaration->token, declaration->name, PTX_BOUND_VARIABLE,
                    reader->variables.count - 1);
}

/* One that was declared before may be defined now, or be declared again. */
static bool meets(const struct ptx_variable *before, const struct ptx_declaration *declaration,
                  enum ptx_space space)
{
    return before->space == space && before->type == declaration->type &&
           (before->bytes == declaration->bytes || !before->bytes || !declaration->bytes);
}

static bool find_variable(struct ptx_reader *reader, const struct ptx_declaration *declaration,
                          enum ptx_space space, const struct ptx_linking *linking,
                          uint32_t *index)
{
    const struct ptx_binding *binding = declaration->name->binding;
    if (!binding) {
        *index = reader->variables.count;
        return add_variable(reader, declaration);
    }
    *index = binding->index;
    if (binding->kind != PTX_BOUND_VARIABLE)
        return ptx_wrong_at(reader, &declaration->token, "a function has this name already");
    const struct ptx_variable *before = variable_at(reader, *index);
    if (!before->external && !linking->external)
        return ptx_wrong_at(reader, &declaration->token, "there is one of this name already");
    return meets(before, declaration, space) ||
           ptx_wrong_at(reader, &declaration->token,
                        "it was declared in line %u with another type or size",
                        before->place.line);
}

/* An array may only be without a length where somebody else gives it one. */
static bool has_size(struct ptx_reader *reader, const struct ptx_declaration *declaration,
                     enum ptx_space space, const struct ptx_linking *linking)
{
    return declaration->bytes || linking->external || space == PTX_SHARED ||
           ptx_wrong_at(reader, &declaration->token, "the length of this array is missing");
}

static bool read_variable(struct ptx_reader *reader, struct ptx_declaration *declaration,
                          enum ptx_space space, const struct ptx_linking *linking)
{
    uint32_t index;
    if (!ptx_read_declarator(reader, declaration)) return false;
    if (!declaration->name)
        return ptx_wrong_at(reader, &declaration->token, "a variable has a name");
    if (!find_variable(reader, declaration, space, linking, &index)) return false;
    struct ptx_variable read = { .name = variable_at(reader, index)->name };
    struct ptx_variable before = *variable_at(reader, index);
    bool initial = ptx_at_mark(reader, '=');
    if (initial && (linking->external || (space != PTX_GLOBAL && space != PTX_CONST)))
        return ptx_wrong(reader, linking->external
                                     ? "what is external has no value here"
                                     : "only .global and .const begin with a value");
    if (ptx_accept_mark(reader, '=') && !ptx_read_initial(reader, declaration, &read))
        return false;
    if (!has_size(reader, declaration, space, linking)) return false;
    ptx_describe(declaration, space, &read);
    read.visible = linking->visible;
    read.external = linking->external;
    read.weak = linking->weak;
    read.common = linking->common;
    /* A definition stays, whatever is declared behind it. */
    bool keep = before.place.line && !before.external && linking->external;
    if (!keep) *variable_at(reader, index) = read;
    return true;
}

bool ptx_read_variables(struct ptx_reader *reader, enum ptx_space space,
                        const struct ptx_linking *linking)
{
    struct ptx_declaration declaration;
    if (!ptx_read_type(reader, &declaration)) return false;
    do {
        if (!read_variable(reader, &declaration, space, linking)) return false;
    } while (ptx_accept_mark(reader, ','));
    return ptx_expect_mark(reader, ';');
}

/* ---- Of a body -------------------------------------------------------------------------- */

static bool read_local(struct ptx_reader *reader, struct ptx_declaration *declaration,
                       enum ptx_space space)
{
    if (!ptx_read_declarator(reader, declaration)) return false;
    if (!declaration->name)
        return ptx_wrong_at(reader, &declaration->token, "a variable has a name");
    if (!declaration->bytes)
        return ptx_wrong_at(reader, &declaration->token, "the length of this array is missing");
    struct ptx_variable *variable = ptx_push(reader, &reader->locals);
    if (!variable) return false;
    ptx_describe(declaration, space, variable);
    variable->name = ptx_copy_name(reader, declaration->name);
    return variable->name && ptx_bind(reader, &declaration->token, declaration->name,
                                      PTX_BOUND_LOCAL, reader->locals.count - 1);
}

bool ptx_read_locals(struct ptx_reader *reader, enum ptx_space space)
{
    struct ptx_declaration declaration;
    if (!ptx_read_type(reader, &declaration)) return false;
    do {
        if (!read_local(reader, &declaration, space)) return false;
    } while (ptx_accept_mark(reader, ','));
    return ptx_expect_mark(reader, ';');
}
