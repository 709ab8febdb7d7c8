/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx/read/named_operand.h"

#include <string.h>

#include "ptx/text/special_registers.h"

bool ptx_list_operands(struct ptx_reader *reader, const struct ptx_operand *items, uint32_t count,
                       struct ptx_operand *operand)
{
    operand->list = ptx_get(reader, count * sizeof *items);
    if (!operand->list) return false;
    memcpy(operand->list, items, count * sizeof *items);
    operand->list_count = count;
    return true;
}

/* Awaits a label that may follow. */
static bool await_label(struct ptx_operand_context *context, struct ptx_name *name,
                        struct ptx_operand *operand)
{
    struct ptx_reader *reader = context->reader;
    struct ptx_name **awaited = ptx_push(reader, &reader->awaited);
    if (!awaited) return false;
    *awaited = name;
    operand->kind = PTX_OPERAND_LABEL;
    operand->index = PTX_NONE;
    operand->bits = reader->awaited.count - 1;
    return true;
}

/* Returns the component of .x of %tid, or of a vector; 4 if there is none. */
static uint32_t read_component(struct ptx_reader *reader)
{
    static const char names[] = "xyzwrgba";
    const struct ptx_token *token = ptx_present(reader);
    const char *found = token->kind == PTX_TOKEN_DOTTED && token->bytes == 2
                            ? memchr(names, token->at[1], 8) : NULL;
    if (!found) return 4;
    ptx_next(reader);
    return (uint32_t)(found - names) % 4;
}

/* Makes a list of all components of a special register. */
static bool list_components(struct ptx_reader *reader, struct ptx_operand *operand, uint32_t count)
{
    struct ptx_operand elements[4];
    for (uint32_t i = 0; i < count; i++) {
        elements[i] = *operand;
        elements[i].special.component = (uint8_t)i;
    }
    operand->kind = PTX_OPERAND_VECTOR;
    return ptx_list_operands(reader, elements, count, operand);
}

static bool read_special(struct ptx_operand_context *context, const struct ptx_token *token,
                         const struct ptx_name *name, struct ptx_operand *operand)
{
    struct ptx_reader *reader = context->reader;
    operand->kind = PTX_OPERAND_SPECIAL;
    operand->special = name->special;
    uint32_t count = ptx_special_row(name->special.id)->components;
    uint32_t component = read_component(reader);
    if (component < 4 && count == 1)
        return ptx_error_at(reader, token, "this special register has no components");
    if (component == 4 && count > 1 && context->instruction->opcode == PTX_OP_MOV &&
        ptx_has(&context->instruction->modifiers, PTX_MOD_V4))
        return list_components(reader, operand, count);
    if (component == 4 && count > 1)
        return ptx_error_at(reader, token, "this special register has components: %.*s.x",
                            (int)token->bytes, token->at);
    operand->special.component = (uint8_t)(component % 4);
    return true;
}

/* Reads a whole vector as a list of its elements. */
static bool read_vector_register(struct ptx_reader *reader, const struct ptx_token *token,
                                 const struct ptx_binding *binding, struct ptx_operand *operand)
{
    struct ptx_operand elements[4];
    uint32_t component = read_component(reader);
    operand->kind = PTX_OPERAND_REGISTER;
    operand->index = binding->index + component;
    if (component < binding->length) return true;
    if (component < 4) return ptx_error_at(reader, token, "the vector has no such component");
    for (uint32_t i = 0; i < binding->length; i++)
        elements[i] = (struct ptx_operand){ .kind = PTX_OPERAND_REGISTER, .place = token->place,
                                            .index = binding->index + i };
    operand->kind = PTX_OPERAND_VECTOR;
    operand->index = 0;
    return ptx_list_operands(reader, elements, binding->length, operand);
}

/* Reads NAME, NAME + 8 or NAME[2]. */
static bool read_variable(struct ptx_operand_context *context, const struct ptx_binding *binding,
                          struct ptx_operand *operand)
{
    struct ptx_reader *reader = context->reader;
    const struct ptx_variable *all =
        binding->kind == PTX_BOUND_LOCAL ? reader->locals.items : reader->variables.items;
    uint64_t value, size = ptx_type_bytes(all[binding->index].type);
    operand->kind = PTX_OPERAND_VARIABLE;
    operand->local = binding->kind == PTX_BOUND_LOCAL;
    operand->index = binding->index;
    if (!context->in_brackets && ptx_accept_mark(reader, '[')) {
        if (!ptx_read_integer(reader, &value) || !ptx_expect_mark(reader, ']')) return false;
        operand->offset = (int64_t)(value * size);
    }
    if (context->in_brackets || !ptx_accept_mark(reader, '+')) return true;
    if (!ptx_read_integer(reader, &value)) return false;
    operand->offset = (int64_t)((uint64_t)operand->offset + value);
    return true;
}

/* Reads .h32, .b7640 and the like, up to four digits, or nothing. */
static void read_lanes(struct ptx_reader *reader, struct ptx_operand *operand, char letter)
{
    const struct ptx_token *token = ptx_present(reader);
    uint32_t count = token->bytes - 2, lanes = 0;
    if (token->kind != PTX_TOKEN_DOTTED || count < 1 || count > 4 || token->at[1] != letter) return;
    for (uint32_t i = 0; i < count; i++) {
        char digit = token->at[2 + i];
        if (digit < '0' || digit > '7') return;
        lanes = lanes << 4 | (uint32_t)(digit - '0');
    }
    operand->lane_count = (uint8_t)count;
    operand->lanes = (uint16_t)lanes;
    ptx_next(reader);
}

/* Reads .b0 to .b3, .h0, .h1, or nothing. */
static void read_part(struct ptx_reader *reader, struct ptx_operand *operand)
{
    static const char *const words[] = { ".b0", ".b1", ".b2", ".b3", ".h0", ".h1" };
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
        if (ptx_accept(reader, words[i])) {
            operand->part = (uint8_t)(PTX_BYTE_0 + i);
            return;
        }
}

/* Reads REGISTER + 8, which is a sum if it is an operand of its own. */
static bool read_sum(struct ptx_operand_context *context, struct ptx_operand *operand)
{
    uint64_t value;
    if (context->in_brackets || context->depth != 1 || !ptx_accept_mark(context->reader, '+'))
        return true;
    if (!ptx_read_integer(context->reader, &value)) return false;
    operand->offset = (int64_t)value;
    return true;
}

static bool read_bound(struct ptx_operand_context *context, const struct ptx_token *token,
                       const struct ptx_binding *binding, struct ptx_operand *operand)
{
    operand->index = binding->index;
    switch (binding->kind) {
    case PTX_BOUND_REGISTER:
        operand->kind = PTX_OPERAND_REGISTER;
        if (binding->length)
            return read_vector_register(context->reader, token, binding, operand);
        if (context->lax && ptx_at(context->reader, PTX_TOKEN_DOTTED)) ptx_next(context->reader);
        if (context->parts) read_part(context->reader, operand);
        if (context->lanes) read_lanes(context->reader, operand, context->lanes);
        return read_sum(context, operand);
    case PTX_BOUND_LOCAL:
    case PTX_BOUND_VARIABLE: return read_variable(context, binding, operand);
    case PTX_BOUND_FUNCTION: operand->kind = PTX_OPERAND_FUNCTION; return true;
    case PTX_BOUND_TABLE: operand->kind = PTX_OPERAND_TABLE; return true;
    case PTX_BOUND_LABEL:
        return ptx_error_at(context->reader, token, "a label is the target of a bra alone");
    default: return ptx_error_at(context->reader, token, "the number of the register is missing");
    }
}

/* Reads the target of a branch, which may follow even if a scope further out has its name. */
static bool read_branch_target(struct ptx_operand_context *context, const struct ptx_token *token,
                               struct ptx_name *name, const struct ptx_binding *binding,
                               struct ptx_operand *operand)
{
    if (!binding || binding->depth != context->reader->depth)
        return await_label(context, name, operand);
    if (binding->kind != PTX_BOUND_LABEL)
        return ptx_error_at(context->reader, token,
                            "a label is meant here, and this is something else");
    operand->kind = PTX_OPERAND_LABEL;
    operand->index = binding->index;
    return true;
}

bool ptx_read_named_operand(struct ptx_operand_context *context, struct ptx_operand *operand)
{
    struct ptx_reader *reader = context->reader;
    struct ptx_token token = *ptx_present(reader);
    struct ptx_binding *binding;
    struct ptx_name *name = ptx_intern(reader, &token);
    if (!name) return false;
    operand->place = token.place;
    ptx_next(reader);
    if (ptx_token_is(&token, "_")) {
        operand->kind = PTX_OPERAND_SINK;
        return true;
    }
    if (!ptx_resolve(reader, name, &binding)) return false;
    if (context->instruction->opcode == PTX_OP_BRA)
        return read_branch_target(context, &token, name, binding, operand);
    if (binding) return read_bound(context, &token, binding, operand);
    if (ptx_sense_of(name) == PTX_SENSE_SPECIAL)
        return read_special(context, &token, name, operand);
    return ptx_error_at(reader, &token, "nothing of this name was declared before this");
}
