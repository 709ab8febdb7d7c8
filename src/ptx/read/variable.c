/* SPDX-License-Identifier: Apache-2.0
 *
 * Variables: those of the module, and those of a function's body.
 */
#include "ptx/read/reader.h"

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

static bool read_variable_name(struct ptx_reader *reader, struct ptx_declaration *declaration)
{
    return ptx_read_declarator(reader, declaration) &&
           (declaration->name ||
            ptx_error_at(reader, &declaration->token, "a variable has a name"));
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

/* Returns true if a declaration may be defined now, or be declared again. */
static bool is_compatible_variable(const struct ptx_variable *before,
                                   const struct ptx_declaration *declaration, enum ptx_space space)
{
    return before->space == space && before->type == declaration->type &&
           (before->bytes == declaration->bytes || !before->bytes || !declaration->bytes);
}

/* Finds a variable that was declared before; *index is PTX_NONE if there is none. */
static bool find_variable(struct ptx_reader *reader, const struct ptx_declaration *declaration,
                          enum ptx_space space, const struct ptx_linking *linking,
                          uint32_t *index)
{
    const struct ptx_binding *binding = declaration->name->binding;
    *index = PTX_NONE;
    if (!binding || binding->depth != reader->depth) return true;
    if (binding->kind != PTX_BOUND_VARIABLE)
        return ptx_error_at(reader, &declaration->token, "something else has this name already");
    *index = binding->index;
    const struct ptx_variable *before = variable_at(reader, *index);
    bool resolved = before->external && (linking->visible || linking->weak || linking->common);
    if (!linking->external && !resolved)
        return ptx_error_at(reader, &declaration->token,
                            before->external
                                ? "it is .extern in line %u, so can only be .visible or .weak here"
                                : "it was defined in line %u already",
                            before->place.line);
    return is_compatible_variable(before, declaration, space) ||
           ptx_error_at(reader, &declaration->token,
                        "it was declared in line %u with another type or size",
                        before->place.line);
}

/* Returns false for an array without a length, unless another module gives it one. */
static bool has_size(struct ptx_reader *reader, const struct ptx_declaration *declaration,
                     const struct ptx_linking *linking)
{
    return declaration->bytes || linking->external ||
           ptx_error_at(reader, &declaration->token, "the length of this array is missing");
}

static bool read_variable_value(struct ptx_reader *reader, struct ptx_declaration *declaration,
                                enum ptx_space space, const struct ptx_linking *linking,
                                struct ptx_variable *variable)
{
    if (!ptx_at_mark(reader, '=')) return true;
    if (linking->external) return ptx_error(reader, "what is external has no value here");
    if (space != PTX_GLOBAL && space != PTX_CONST)
        return ptx_error(reader, "only .global and .const begin with a value");
    ptx_next(reader);
    return ptx_read_initial(reader, declaration, variable);
}

/* What a list of variables has in common. */
struct kind {
    enum ptx_space space;
    const struct ptx_linking *linking;
};

static bool declare_variable(struct ptx_reader *reader, struct ptx_declaration *declaration,
                             const void *data)
{
    const struct kind *kind = data;
    const struct ptx_linking *linking = kind->linking;
    enum ptx_space space = kind->space;
    struct ptx_variable read = { .name = NULL };
    uint32_t index;
    if (!find_variable(reader, declaration, space, linking, &index) ||
        !read_variable_value(reader, declaration, space, linking, &read) ||
        !has_size(reader, declaration, linking))
        return false;
    bool fresh = index == PTX_NONE;
    if (fresh && !add_variable(reader, declaration)) return false;
    if (fresh) index = reader->variables.count - 1;
    struct ptx_variable *variable = variable_at(reader, index);
    /* A definition stays, whatever is declared after it. */
    if (!fresh && !variable->external) return true;
    ptx_describe(declaration, space, &read);
    read.name = variable->name;
    read.visible = linking->visible;
    read.external = linking->external;
    read.weak = linking->weak;
    read.common = linking->common;
    *variable = read;
    return true;
}

static bool read_names(struct ptx_reader *reader, struct ptx_declaration *declaration,
                       struct kind kind)
{
    do {
        if (!read_variable_name(reader, declaration) ||
            !ptx_each_name(reader, declaration, declare_variable, &kind))
            return false;
    } while (ptx_accept_mark(reader, ','));
    return ptx_expect_mark(reader, ';');
}

bool ptx_read_variables(struct ptx_reader *reader, enum ptx_space space,
                        const struct ptx_linking *linking)
{
    struct ptx_declaration declaration;
    return ptx_read_type(reader, &declaration) &&
           read_names(reader, &declaration, (struct kind){ space, linking });
}

bool ptx_read_textures(struct ptx_reader *reader, const struct ptx_linking *linking)
{
    struct ptx_declaration declaration;
    if (reader->module->version >= 15)
        return ptx_error(reader, ".tex is for PTX before 1.5; later texts say .global .texref");
    if (!ptx_read_type(reader, &declaration)) return false;
    if (declaration.type != PTX_U32 && declaration.type != PTX_U64)
        return ptx_error(reader, "a texture after .tex is a .u32 or a .u64");
    declaration.type = PTX_TEXREF;
    declaration.element = declaration.alignment = 8;
    return read_names(reader, &declaration, (struct kind){ PTX_GLOBAL, linking });
}

/* ---- Of a body ------------------------------------------------------------------------- */

static bool declare_local(struct ptx_reader *reader, struct ptx_declaration *declaration,
                          const void *data)
{
    const enum ptx_space *space = data;
    if (!declaration->bytes)
        return ptx_error_at(reader, &declaration->token, "the length of this array is missing");
    struct ptx_variable *variable = ptx_push(reader, &reader->locals);
    if (!variable) return false;
    ptx_describe(declaration, *space, variable);
    variable->name = ptx_copy_name(reader, declaration->name);
    return variable->name && ptx_bind(reader, &declaration->token, declaration->name,
                                      PTX_BOUND_LOCAL, reader->locals.count - 1);
}

bool ptx_read_locals(struct ptx_reader *reader, enum ptx_space space)
{
    struct ptx_declaration declaration;
    if (!ptx_read_type(reader, &declaration)) return false;
    do {
        if (!read_variable_name(reader, &declaration) ||
            !ptx_each_name(reader, &declaration, declare_local, &space))
            return false;
    } while (ptx_accept_mark(reader, ','));
    return ptx_expect_mark(reader, ';');
}
