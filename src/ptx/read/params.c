/* SPDX-License-Identifier: Apache-2.0
 *
 * Parameters and results, of functions and of prototypes.
 */
#include "ptx/read/reader.h"

#include <string.h>

#define PARAM_BYTES_MAX 32764 /* of all of a kernel's */

static bool read_param_name(struct ptx_reader *reader, struct ptx_declaration *declaration)
{
    return ptx_read_declarator(reader, declaration) &&
           (!declaration->ranges ||
            ptx_error_at(reader, &declaration->token, "parameters are declared one by one"));
}

static bool bind_register(struct ptx_reader *reader, const struct ptx_declaration *declaration,
                          uint32_t vector, uint32_t *index)
{
    if (!ptx_add_register(reader, declaration->name, declaration->type, vector, index))
        return false;
    struct ptx_binding *binding = ptx_bind(reader, &declaration->token, declaration->name,
                                           PTX_BOUND_REGISTER, *index);
    if (!binding) return false;
    binding->type = declaration->type;
    binding->length = vector;
    return true;
}

/* Reads .reg TYPE NAME; a vector is as many parameters as it has elements. */
static bool read_reg(struct ptx_reader *reader, bool bind)
{
    struct ptx_declaration declaration;
    if (ptx_accept(reader, ".pred")) {
        declaration = (struct ptx_declaration){ .type = PTX_PRED, .element = 1, .alignment = 1,
                                                .vector = 1 };
    } else if (!ptx_read_type(reader, &declaration)) {
        return false;
    }
    if (!read_param_name(reader, &declaration)) return false;
    if (declaration.dimension_count > (declaration.vector > 1))
        return ptx_error_at(reader, &declaration.token, "a register is no array");
    uint32_t vector = declaration.vector > 1 ? declaration.vector : 0, index = PTX_NONE;
    const char *name = declaration.name ? ptx_copy_name(reader, declaration.name) : "_";
    if (!name || (bind && declaration.name && !bind_register(reader, &declaration, vector, &index)))
        return false;
    declaration.bytes = declaration.element;
    for (uint32_t i = 0; i < (vector ? vector : 1); i++) {
        struct ptx_variable *variable = ptx_push(reader, &reader->locals);
        if (!variable) return false;
        ptx_describe(&declaration, PTX_REG, variable);
        variable->name = name;
        if (index != PTX_NONE) variable->reg = index + i;
    }
    return true;
}

/* Reads .param TYPE NAME. */
static bool read_param(struct ptx_reader *reader, bool bind)
{
    struct ptx_declaration declaration;
    if (!ptx_read_type(reader, &declaration) || !read_param_name(reader, &declaration))
        return false;
    struct ptx_variable *variable = ptx_push(reader, &reader->locals);
    if (!variable) return false;
    ptx_describe(&declaration, PTX_PARAM, variable);
    variable->name = "_";
    if (!declaration.name) return true;
    variable->name = ptx_copy_name(reader, declaration.name);
    if (!variable->name) return false;
    return !bind || ptx_bind(reader, &declaration.token, declaration.name, PTX_BOUND_LOCAL,
                             reader->locals.count - 1);
}

/* Checks that the parameters fit into what a launch can pass, wherever alignment puts them. */
static bool check_entry(struct ptx_reader *reader, uint64_t *end)
{
    const struct ptx_variable *last =
        (struct ptx_variable *)reader->locals.items + reader->locals.count - 1;
    uint64_t begin = (*end + last->alignment - 1) & ~((uint64_t)last->alignment - 1);
    if (last->space != PTX_PARAM) return ptx_error(reader, "a kernel's parameters are .param");
    if (!last->bytes || last->bytes > PARAM_BYTES_MAX || begin + last->bytes > PARAM_BYTES_MAX)
        return ptx_error_name(reader, &last->place,
                              &(struct ptx_name){ .at = last->name,
                                                    .bytes = (uint32_t)strlen(last->name) },
                              "the parameters of a kernel have 1 to %d bytes", PARAM_BYTES_MAX);
    *end = begin + last->bytes;
    return true;
}

bool ptx_read_params(struct ptx_reader *reader, bool entry, bool bind, uint32_t **params,
                     uint32_t *count)
{
    uint32_t first = reader->items.count, *item;
    uint64_t end = 0;
    if (!ptx_expect_mark(reader, '(')) return false;
    if (!ptx_at_mark(reader, ')')) {
        do {
            bool hidden = entry && ptx_accept(reader, ".hidden"); /* which changes nothing here */
            bool reg = !hidden && ptx_accept(reader, ".reg");
            if (!reg && !ptx_accept(reader, ".param"))
                return ptx_error(reader, "'.param' is missing before this");
            uint32_t local = reader->locals.count;
            if (!(reg ? read_reg(reader, bind) : read_param(reader, bind))) return false;
            for (; local < reader->locals.count; local++) {
                if (!(item = ptx_push(reader, &reader->items))) return false;
                *item = local;
            }
            if (entry && !check_entry(reader, &end)) return false;
        } while (ptx_accept_mark(reader, ','));
    }
    return ptx_expect_mark(reader, ')') &&
           ptx_pop_from(reader, &reader->items, first, params, count);
}
