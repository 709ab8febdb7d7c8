/* SPDX-License-Identifier: Apache-2.0
 *
 * Initial values of variables: values in braces, perhaps fewer than the variable has room
 * for.  A value is a number, or the address of a variable or function, perhaps with a number
 * added, perhaps only some bits of it:  generic(name)+8,  0xff00(name).
 */
#include "ptx/read/reader.h"

#include <string.h>

#include "base/alloc.h"

/* The bytes that are written.  There is room for `room`, and `end` is the end of the last one
 * that has a value. */
struct writer {
    struct ptx_reader *reader;
    const struct ptx_declaration *declaration;
    unsigned char *bytes;
    uint64_t room, end;
};

/* ---- Bytes ----------------------------------------------------------------------------- */

/* Grows the array with what is written, not with the size that the text announces. */
static bool make_byte_room(struct writer *writer, uint64_t end)
{
    struct ptx_reader *reader = writer->reader;
    uint64_t room = writer->room ? writer->room : 64;
    while (room < end) room *= 2;
    if (room > reader->limits->module_bytes)
        return ptx_too_large(reader);
    if (room != writer->room) {
        unsigned char *wider = rl_zalloc((size_t)room);
        if (!wider) return ptx_no_memory(reader);
        if (writer->end) memcpy(wider, writer->bytes, (size_t)writer->end);
        rl_free(writer->bytes);
        writer->bytes = wider;
        writer->room = room;
    }
    if (end > writer->end) writer->end = end;
    return true;
}

static bool put_value(struct writer *writer, uint64_t at, uint64_t value)
{
    uint32_t bytes = writer->declaration->element;
    if (!make_byte_room(writer, at + bytes)) return false;
    for (uint32_t i = 0; i < bytes && i < 8; i++)
        writer->bytes[at + i] = (unsigned char)(value >> 8 * i);
    return true;
}

/* ---- Numbers --------------------------------------------------------------------------- */

static bool is_real(enum ptx_type type)
{
    return type == PTX_F16 || type == PTX_BF16 || type == PTX_F16X2 || type == PTX_BF16X2 ||
           type == PTX_F32 || type == PTX_F64;
}

static double double_of_value(const struct ptx_value *value)
{
    union { uint32_t bits; float value; } single = { .bits = (uint32_t)value->bits };
    return value->kind == PTX_VALUE_SINGLE ? single.value : ptx_double_of(value->bits);
}

/* Converts a value to what the variable holds: floats, or bits of floats. */
static bool fit_value(struct writer *writer, const struct ptx_token *token, struct ptx_value *value)
{
    enum ptx_type type = writer->declaration->type;
    bool given = value->kind == PTX_VALUE_DOUBLE || value->kind == PTX_VALUE_SINGLE;
    union { float value; uint32_t bits; } single;
    if (!given && !is_real(type)) return true;
    if (!given || (type != PTX_F32 && type != PTX_F64))
        return ptx_error_at(writer->reader, token, "this is no value for a variable of .%s",
                            ptx_type_word(type));
    single.value = (float)double_of_value(value);
    if (type == PTX_F64) value->bits = ptx_bits_of(double_of_value(value));
    else if (value->kind == PTX_VALUE_DOUBLE) value->bits = single.bits;
    return true;
}

/* ---- Addresses ------------------------------------------------------------------------- */

/* Reads what is added to an address. */
static bool read_addend(struct ptx_reader *reader, int64_t *addend)
{
    uint64_t value;
    if (!ptx_accept_mark(reader, '+')) return true;
    if (!ptx_read_integer(reader, &value)) return false;
    *addend = (int64_t)((uint64_t)*addend + value);
    return true;
}

static bool read_named_value(struct writer *writer, struct ptx_link *link)
{
    struct ptx_reader *reader = writer->reader;
    struct ptx_token token;
    struct ptx_name *name;
    if (!ptx_expect_name(reader, &token, &name, "a value")) return false;
    const struct ptx_binding *binding = name->binding;
    if (!binding || (binding->kind != PTX_BOUND_FUNCTION && binding->kind != PTX_BOUND_VARIABLE))
        return ptx_error_at(reader, &token, "no variable and no function of this name stands "
                                            "before this");
    link->to_function = binding->kind == PTX_BOUND_FUNCTION;
    link->index = binding->index;
    const struct ptx_variable *variables = reader->variables.items;
    enum ptx_space space = link->to_function ? PTX_GLOBAL : variables[link->index].space;
    if (space != PTX_GLOBAL && space != PTX_CONST)
        return ptx_error_at(reader, &token, "only .global and .const have addresses before a "
                                            "kernel runs");
    if (link->to_function && link->generic)
        return ptx_error_at(reader, &token, "the address of a function is generic as it is");
    return true;
}

/* Reads NAME or generic(NAME), with a number added. */
static bool put_address(struct writer *writer, uint64_t at, uint32_t shift)
{
    struct ptx_reader *reader = writer->reader;
    uint32_t element = writer->declaration->element;
    struct ptx_link link = { .offset = at, .bytes = element < 8 ? element : 8, .shift = shift };
    if (is_real(writer->declaration->type))
        return ptx_error(reader, "an address is no value for a variable of floats");
    link.generic = ptx_accept(reader, "generic");
    if (link.generic && !ptx_expect_mark(reader, '(')) return false;
    if (!read_named_value(writer, &link)) return false;
    if (link.generic && !ptx_expect_mark(reader, ')')) return false;
    if (!read_addend(reader, &link.addend)) return false;
    struct ptx_link *added = ptx_push(reader, &reader->links);
    if (!added) return false;
    *added = link;
    return put_value(writer, at, 0);
}

/* Reads MASK(ADDRESS): some bits of the address, starting with the lowest of the mask. */
static bool put_masked(struct writer *writer, const struct ptx_token *token, uint64_t at,
                       uint64_t mask)
{
    struct ptx_reader *reader = writer->reader;
    uint32_t shift = mask ? (uint32_t)__builtin_ctzll(mask) : 0;
    if (!mask || shift % 8 || mask >> shift != 0xff)
        return ptx_error_at(reader, token, "a mask of an address has the 8 bits of one byte");
    ptx_next(reader);
    return put_address(writer, at, shift) && ptx_expect_mark(reader, ')');
}

static bool read_initial_value(struct writer *writer, uint64_t at)
{
    struct ptx_reader *reader = writer->reader;
    struct ptx_token token = *ptx_present(reader);
    struct ptx_value value;
    if (ptx_at(reader, PTX_TOKEN_NAME) && !ptx_begins_expression(reader))
        return put_address(writer, at, 0);
    if (!ptx_begins_expression(reader)) return ptx_error(reader, "a value is missing");
    if (!ptx_read_expression(reader, &value)) return false;
    if (ptx_at_mark(reader, '(')) return put_masked(writer, &token, at, value.bits);
    return fit_value(writer, &token, &value) && put_value(writer, at, value.bits);
}

/* ---- Braces ---------------------------------------------------------------------------- */

/* Returns the bytes that a brace of this depth holds; 0 if there is no limit. */
static uint64_t brace_bytes(const struct ptx_declaration *declaration, uint32_t depth)
{
    uint64_t bytes = declaration->element;
    for (uint32_t i = depth; i < declaration->dimension_count; i++)
        bytes *= declaration->dimensions[i];
    return bytes;
}

/* Reads as many braces as there are dimensions, each with at most its length of items; the
 * others are 0. */
static bool read_braces(struct writer *writer, uint32_t depth, uint64_t at)
{
    struct ptx_reader *reader = writer->reader;
    const struct ptx_declaration *declaration = writer->declaration;
    if (depth == declaration->dimension_count) return read_initial_value(writer, at);
    uint64_t step = brace_bytes(declaration, depth + 1), length = declaration->dimensions[depth];
    if (!ptx_expect_mark(reader, '{')) return false;
    if (ptx_accept_mark(reader, '}')) return true;
    for (uint64_t i = 0; i == 0 || ptx_accept_mark(reader, ','); i++) {
        if ((length && i == length) || at + i * step >= PTX_SIZE_LIMIT)
            return ptx_error(reader, "there are more values than the variable has room for");
        if (!read_braces(writer, depth + 1, at + i * step)) return false;
    }
    return ptx_expect_mark(reader, '}');
}

/* Derives the first length of an array that leaves it out. */
static void measure_braces(const struct writer *writer, struct ptx_declaration *declaration)
{
    uint64_t row = declaration->element;
    for (uint32_t i = 1; i < declaration->dimension_count; i++) row *= declaration->dimensions[i];
    if (declaration->bytes || !row) return;
    declaration->dimensions[0] = (writer->end + row - 1) / row;
    declaration->bytes = declaration->dimensions[0] * row;
}

static bool keep_initial(struct writer *writer, struct ptx_variable *variable)
{
    struct ptx_reader *reader = writer->reader;
    if (!ptx_pop_from(reader, &reader->links, 0, &variable->links, &variable->link_count))
        return false;
    if (!writer->end) return true;
    variable->initial = ptx_get(reader, (size_t)writer->end);
    if (!variable->initial) return false;
    memcpy(variable->initial, writer->bytes, (size_t)writer->end);
    variable->initial_bytes = writer->end;
    return true;
}

bool ptx_read_initial(struct ptx_reader *reader, struct ptx_declaration *declaration,
                      struct ptx_variable *variable)
{
    struct writer writer = { .reader = reader, .declaration = declaration };
    bool read = read_braces(&writer, 0, 0);
    if (read) measure_braces(&writer, declaration);
    read = read && keep_initial(&writer, variable);
    rl_free(writer.bytes);
    return read;
}
