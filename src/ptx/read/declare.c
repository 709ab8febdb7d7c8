/* SPDX-License-Identifier: Apache-2.0
 *
 * Declarations: the type, alignment, name and dimensions that parameters and variables
 * of every kind have in common; and registers.
 */
#include "ptx/read/reader.h"

#include <string.h>

#define ALIGNMENT_LIMIT (UINT64_C(1) << 20)
#define VECTOR_BYTES 16u
#define RANGE_LIMIT 65536u /* variables of one range: each is one, unlike registers */

/* ---- What is before the name ----------------------------------------------------------- */

static bool read_alignment(struct ptx_reader *reader, uint32_t *alignment)
{
    uint64_t value;
    struct ptx_token token = *ptx_present(reader);
    if (!ptx_read_count(reader, ALIGNMENT_LIMIT, "an alignment", &value)) return false;
    if (!value || value & (value - 1))
        return ptx_error_at(reader, &token, "an alignment is a power of two");
    *alignment = (uint32_t)value;
    return true;
}

/* Reads .attribute(.managed, .unified(NUMBER, NUMBER)). */
static bool read_attributes(struct ptx_reader *reader, bool *managed)
{
    if (!ptx_expect_mark(reader, '(')) return false;
    do {
        if (ptx_accept(reader, ".managed")) {
            *managed = true;
        } else if (ptx_accept(reader, ".unified")) {
            if (!ptx_expect_mark(reader, '(') || !ptx_skip_past(reader, ')')) return false;
        } else {
            return ptx_error(reader, "there is no such attribute");
        }
    } while (ptx_accept_mark(reader, ','));
    return ptx_expect_mark(reader, ')');
}

/* Skips .ptr [.SPACE] [.align N], which describes what a parameter points at. */
static bool skip_pointee(struct ptx_reader *reader)
{
    uint32_t alignment;
    static const char *const spaces[] = { ".global", ".const", ".local", ".shared" };
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
        if (ptx_accept(reader, spaces[i])) break;
    return !ptx_accept(reader, ".align") || read_alignment(reader, &alignment);
}

static uint32_t vector_length(struct ptx_reader *reader)
{
    if (ptx_accept(reader, ".v2")) return 2;
    return ptx_accept(reader, ".v4") ? 4 : 0;
}

/* Returns the bytes of the present type, or 0 if there is none.  References to textures are
 * addresses. */
static uint32_t type_at(struct ptx_reader *reader, enum ptx_type *type)
{
    const struct ptx_token *token = ptx_present(reader);
    if (token->kind != PTX_TOKEN_DOTTED || !ptx_find_type(token->at + 1, token->bytes - 1, type))
        return 0;
    if (ptx_token_is(token, ".texref") || ptx_token_is(token, ".samplerref") ||
        ptx_token_is(token, ".surfref"))
        return 8;
    return *type == PTX_PRED ? 0 : ptx_type_bytes(*type);
}

bool ptx_read_type(struct ptx_reader *reader, struct ptx_declaration *declaration)
{
    uint32_t alignment = 0, length;
    *declaration = (struct ptx_declaration){ .vector = 1 };
    while (!(declaration->element = type_at(reader, &declaration->type))) {
        if ((length = vector_length(reader))) {
            declaration->vector = length;
        } else if (ptx_accept(reader, ".align")) {
            if (!read_alignment(reader, &alignment)) return false;
        } else if (ptx_accept(reader, ".attribute")) {
            if (!read_attributes(reader, &declaration->managed)) return false;
        } else {
            return ptx_error(reader, "the type of a variable is missing before this");
        }
    }
    if (declaration->element * declaration->vector > VECTOR_BYTES)
        return ptx_error(reader, "a vector has up to %u bytes", VECTOR_BYTES);
    ptx_next(reader);
    if (ptx_accept(reader, ".ptr") && !skip_pointee(reader)) return false;
    declaration->alignment = alignment ? alignment : declaration->element * declaration->vector;
    return true;
}

/* ---- The name -------------------------------------------------------------------------- */

static bool read_dimension(struct ptx_reader *reader, struct ptx_declaration *declaration)
{
    uint64_t length = 0;
    if (declaration->dimension_count == PTX_DIMENSIONS - 1) /* one is kept for a vector */
        return ptx_error(reader, "an array has up to %d dimensions", PTX_DIMENSIONS - 1);
    if (!ptx_at_mark(reader, ']') &&
        !ptx_read_count(reader, PTX_SIZE_LIMIT, "the length of an array", &length))
        return false;
    if (!length && declaration->dimension_count)
        return ptx_error(reader, "only the first length of an array can be left out");
    declaration->dimensions[declaration->dimension_count++] = length;
    return ptx_expect_mark(reader, ']');
}

/* Computes the bytes of an array; the elements of one without a length are limited, too. */
static bool measure_array(struct ptx_reader *reader, struct ptx_declaration *declaration)
{
    uint64_t bytes = declaration->element;
    bool whole = true;
    for (uint32_t i = 0; i < declaration->dimension_count; i++) {
        uint64_t length = declaration->dimensions[i];
        whole &= length != 0;
        if (length && bytes > PTX_SIZE_LIMIT / length)
            return ptx_error_at(reader, &declaration->token, "this is too large");
        bytes *= length ? length : 1;
    }
    declaration->bytes = whole ? bytes : 0;
    return true;
}

/* Reads the rest of NAME<COUNT> after '<'. */
static bool read_count(struct ptx_reader *reader, uint64_t most, uint32_t *count)
{
    uint64_t value;
    if (!ptx_read_count(reader, most, "the number of names", &value) ||
        !ptx_expect_mark(reader, '>'))
        return false;
    *count = (uint32_t)value;
    return true;
}

bool ptx_read_declarator(struct ptx_reader *reader, struct ptx_declaration *declaration)
{
    if (!ptx_expect_name(reader, &declaration->token, &declaration->name, "a name")) return false;
    if (ptx_token_is(&declaration->token, "_")) declaration->name = NULL;
    declaration->dimension_count = declaration->count = 0;
    declaration->ranges = declaration->name && ptx_accept_mark(reader, '<');
    if (declaration->ranges && !read_count(reader, RANGE_LIMIT, &declaration->count)) return false;
    while (!declaration->ranges && ptx_accept_mark(reader, '['))
        if (!read_dimension(reader, declaration)) return false;
    if (declaration->vector > 1)
        declaration->dimensions[declaration->dimension_count++] = declaration->vector;
    return measure_array(reader, declaration);
}

bool ptx_each_name(struct ptx_reader *reader, const struct ptx_declaration *declaration,
                   bool (*add)(struct ptx_reader *reader,
                               struct ptx_declaration *one, const void *data),
                   const void *data)
{
    struct ptx_declaration one = *declaration;
    if (!declaration->ranges) return add(reader, &one, data);
    if (ptx_at_mark(reader, '='))
        return ptx_error(reader, "variables that are numbered begin with no value");
    for (uint32_t i = 0; i < declaration->count; i++) {
        one.name = ptx_number_name(reader, declaration->name, i);
        if (!one.name || !add(reader, &one, data)) return false;
    }
    return true;
}

/* ---- Registers ------------------------------------------------------------------------- */

static bool add_register(struct ptx_reader *reader, const struct ptx_name *name,
                         const char *suffix, enum ptx_type type)
{
    if (reader->registers.count >= reader->limits->registers)
        return ptx_error(reader, "a function has up to %u registers", reader->limits->registers);
    struct ptx_register *added = ptx_push(reader, &reader->registers);
    if (!added) return false;
    size_t bytes = name->bytes, more = strlen(suffix);
    char *copy = ptx_get(reader, bytes + more + 1);
    if (!copy) return false;
    memcpy(copy, name->at, bytes);
    memcpy(copy + bytes, suffix, more);
    added->name = copy;
    added->type = type;
    return true;
}

bool ptx_add_register(struct ptx_reader *reader, const struct ptx_name *name,
                      enum ptx_type type, uint32_t vector, uint32_t *index)
{
    static const char *const elements[] = { ".x", ".y", ".z", ".w" };
    *index = reader->registers.count;
    if (!vector) return add_register(reader, name, "", type);
    for (uint32_t i = 0; i < vector; i++)
        if (!add_register(reader, name, elements[i], type)) return false;
    return true;
}

/* Reads NAME or NAME<NUMBER>. */
static bool read_register(struct ptx_reader *reader, enum ptx_type type, uint32_t vector)
{
    struct ptx_token token;
    struct ptx_name *name;
    struct ptx_binding *binding;
    uint32_t first, count;
    if (!ptx_expect_name(reader, &token, &name, "the name of a register")) return false;
    if (ptx_token_is(&token, "_")) return ptx_error_at(reader, &token, "a register has a name");
    if (ptx_accept_mark(reader, '<')) {
        if (!read_count(reader, UINT32_MAX - 1, &count)) return false;
        binding = ptx_bind(reader, &token, name, PTX_BOUND_RANGE, 0);
        if (!binding) return false;
        binding->type = type;
        binding->length = count;
        binding->vector = vector;
        return true;
    }
    if (!ptx_add_register(reader, name, type, vector, &first)) return false;
    binding = ptx_bind(reader, &token, name, PTX_BOUND_REGISTER, first);
    if (!binding) return false;
    binding->type = type;
    binding->length = vector;
    return true;
}

bool ptx_read_registers(struct ptx_reader *reader)
{
    uint32_t vector = vector_length(reader);
    const struct ptx_token *token = ptx_present(reader);
    enum ptx_type type;
    if (token->kind != PTX_TOKEN_DOTTED ||
        !ptx_find_type(token->at + 1, token->bytes - 1, &type) || !ptx_type_bytes(type))
        return ptx_error(reader, "the type of a register is missing before this");
    if (vector && (type == PTX_PRED || vector * ptx_type_bytes(type) > VECTOR_BYTES))
        return ptx_error(reader, "a vector has up to %u bytes, and no predicates", VECTOR_BYTES);
    ptx_next(reader);
    do {
        if (!read_register(reader, type, vector)) return false;
    } while (ptx_accept_mark(reader, ','));
    return ptx_expect_mark(reader, ';');
}
