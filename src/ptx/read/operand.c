/* SPDX-License-Identifier: Apache-2.0
 *
 * Operands.  An instruction that is refused may have operands that no other has, so those
 * are read generously; all others only in ways that have a meaning.
 */
#include "ptx/read/reader.h"

#include <string.h>

#include "ptx/text/special_registers.h"

#define DEEPEST 5 /* lists in lists: [texture, {%f1, %f2}] in a list of a call */

struct context {
    struct ptx_reader *reader;
    const struct ptx_instruction *instruction;
    bool lax;         /* the instruction is refused */
    bool parts;       /* ... or takes parts of registers */
    char lanes;       /* ... or several: 'h' or 'b'; else 0 */
    bool in_brackets;
    uint32_t depth;
};

static bool read_operand(struct context *context, struct ptx_operand *operand);

/* ---- Lists ----------------------------------------------------------------------------- */

static bool take_list(struct ptx_reader *reader, uint32_t first, struct ptx_operand *operand)
{
    return ptx_pop_from(reader, &reader->operands, first, &operand->list, &operand->list_count);
}

/* Reads one operand of a list.  A vector in the list of a call is a parameter for each of its
 * elements. */
static bool read_item(struct context *context, char close)
{
    struct ptx_reader *reader = context->reader;
    bool named = ptx_at(reader, PTX_TOKEN_NAME);
    struct ptx_operand *added, one;
    if (!read_operand(context, &one)) return false;
    bool spread = close == ')' && named && one.kind == PTX_OPERAND_VECTOR;
    const struct ptx_operand *items = spread ? one.list : &one;
    for (uint32_t i = 0; i < (spread ? one.list_count : 1); i++) {
        if (!(added = ptx_push(reader, &reader->operands))) return false;
        *added = items[i];
    }
    return true;
}

/* Reads OPERAND, OPERAND, ... up to the mark, and the mark. */
static bool read_list(struct context *context, char close, struct ptx_operand *operand)
{
    struct ptx_reader *reader = context->reader;
    uint32_t first = reader->operands.count;
    if (context->depth++ == DEEPEST)
        return ptx_error(reader, "lists are within lists more than %d times", DEEPEST);
    if (!ptx_at_mark(reader, (unsigned char)close)) {
        do {
            if (!read_item(context, close)) return false;
        } while (ptx_accept_mark(reader, ','));
    }
    context->depth--;
    return ptx_expect_mark(reader, close) && take_list(reader, first, operand);
}

static bool make_list(struct ptx_reader *reader, const struct ptx_operand *items, uint32_t count,
                      struct ptx_operand *operand)
{
    operand->list = ptx_get(reader, count * sizeof *items);
    if (!operand->list) return false;
    memcpy(operand->list, items, count * sizeof *items);
    operand->list_count = count;
    return true;
}

/* ---- What has a name ------------------------------------------------------------------- */

/* Awaits a label that may follow. */
static bool await_label(struct context *context, struct ptx_name *name, struct ptx_operand *operand)
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
    return make_list(reader, elements, count, operand);
}

static bool read_special(struct context *context, const struct ptx_token *token,
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
    return make_list(reader, elements, binding->length, operand);
}

/* Reads NAME, NAME + 8 or NAME[2]. */
static bool read_variable(struct context *context, const struct ptx_binding *binding,
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
static bool read_sum(struct context *context, struct ptx_operand *operand)
{
    uint64_t value;
    if (context->in_brackets || context->depth != 1 || !ptx_accept_mark(context->reader, '+'))
        return true;
    if (!ptx_read_integer(context->reader, &value)) return false;
    operand->offset = (int64_t)value;
    return true;
}

static bool read_bound(struct context *context, const struct ptx_token *token,
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
static bool read_branch_target(struct context *context, const struct ptx_token *token,
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

static bool read_named_operand(struct context *context, struct ptx_operand *operand)
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

/* Reads p|q. */
static bool read_pair(struct context *context, struct ptx_operand *operand)
{
    struct ptx_operand both[2] = { *operand };
    ptx_next(context->reader);
    if (!ptx_at(context->reader, PTX_TOKEN_NAME))
        return ptx_error(context->reader, "the second of two destinations is missing");
    if (!read_named_operand(context, &both[1])) return false;
    *operand = (struct ptx_operand){ .kind = PTX_OPERAND_PAIR, .place = operand->place };
    return make_list(context->reader, both, 2, operand);
}

/* ---- Brackets -------------------------------------------------------------------------- */

static bool read_base(struct context *context, struct ptx_operand *base)
{
    struct ptx_reader *reader = context->reader;
    base->place = ptx_present(reader)->place;
    if (ptx_at(reader, PTX_TOKEN_NAME) && !ptx_begins_expression(reader))
        return read_named_operand(context, base);
    if (!ptx_begins_expression(reader)) return ptx_error(reader, "an address is missing");
    base->kind = PTX_OPERAND_INTEGER;
    return ptx_read_integer(reader, &base->bits);
}

/* Reads the rest of [TEXTURE, {COORDINATES}], which becomes a list of both. */
static bool read_coordinates(struct context *context, const struct ptx_operand *base,
                             struct ptx_operand *operand)
{
    struct ptx_operand rest = { .list_count = 0 };
    if (!read_list(context, ']', &rest)) return false;
    operand->list_count = rest.list_count + 1;
    operand->list = ptx_get(context->reader, operand->list_count * sizeof *base);
    if (!operand->list) return false;
    operand->list[0] = *base;
    if (rest.list_count)
        memcpy(operand->list + 1, rest.list, rest.list_count * sizeof *base);
    return true;
}

static bool read_address(struct context *context, struct ptx_operand *operand)
{
    struct ptx_reader *reader = context->reader;
    struct ptx_operand base = { .kind = PTX_OPERAND_SINK };
    uint64_t offset = 0;
    operand->kind = PTX_OPERAND_ADDRESS;
    context->in_brackets = true;
    if (!read_base(context, &base)) return false;
    context->in_brackets = false;
    if (ptx_accept_mark(reader, '+') && !ptx_read_integer(reader, &offset)) return false;
    if (ptx_at_mark(reader, '-'))
        return ptx_error(reader, "an offset is added: write +-8 for what lies 8 bytes before");
    operand->offset = (int64_t)offset;
    if (!context->lax || !ptx_accept_mark(reader, ','))
        return ptx_expect_mark(reader, ']') && make_list(reader, &base, 1, operand);
    return read_coordinates(context, &base, operand);
}

/* ---- All of them ----------------------------------------------------------------------- */

static bool read_number_operand(struct ptx_reader *reader, struct ptx_operand *operand)
{
    struct ptx_value value;
    if (!ptx_read_expression(reader, &value)) return false;
    bool real = value.kind == PTX_VALUE_SINGLE || value.kind == PTX_VALUE_DOUBLE;
    operand->kind = real ? PTX_OPERAND_FLOAT : PTX_OPERAND_INTEGER;
    operand->single = value.kind == PTX_VALUE_SINGLE;
    operand->bits = value.bits;
    return true;
}

/* Returns true if the token after the mark is a name that cannot begin a number. */
static bool name_follows(const struct ptx_reader *reader)
{
    struct ptx_lexer ahead = reader->lexer;
    ptx_lexer_next(&ahead);
    return ahead.token.kind == PTX_TOKEN_NAME && !ptx_token_is(&ahead.token, "WARP_SZ");
}

static bool read_marked(struct context *context, struct ptx_operand *operand)
{
    struct ptx_reader *reader = context->reader;
    uint16_t mark = ptx_present(reader)->mark;
    bool negated = mark == '!' && name_follows(reader);
    bool minus = mark == '-' && (context->lax || context->instruction->opcode == PTX_OP_VMAD) &&
                 name_follows(reader);
    if (negated || minus) {
        ptx_next(reader);
        if (!read_named_operand(context, operand)) return false;
        operand->negated = negated || !context->lax;
        return true;
    }
    if (mark == '{') {
        ptx_next(reader);
        operand->kind = PTX_OPERAND_VECTOR;
        return read_list(context, '}', operand);
    }
    if (mark == '(' && context->instruction->opcode == PTX_OP_CALL) {
        ptx_next(reader);
        operand->kind = PTX_OPERAND_LIST;
        return read_list(context, ')', operand);
    }
    if (ptx_accept_mark(reader, '[')) return read_address(context, operand);
    if (ptx_begins_expression(reader)) return read_number_operand(reader, operand);
    return ptx_error(reader, "an operand is missing before this");
}

static bool read_operand(struct context *context, struct ptx_operand *operand)
{
    struct ptx_reader *reader = context->reader;
    *operand = (struct ptx_operand){ .place = ptx_present(reader)->place };
    bool named = ptx_at(reader, PTX_TOKEN_NAME) && !ptx_begins_expression(reader);
    bool read = named ? read_named_operand(context, operand) : read_marked(context, operand);
    return read && (!ptx_at_mark(reader, '|') || read_pair(context, operand));
}

/* Returns true for the video instructions on scalars. */
static bool takes_parts(enum ptx_opcode opcode)
{
    return opcode == PTX_OP_VADD || opcode == PTX_OP_VSUB || opcode == PTX_OP_VABSDIFF ||
           opcode == PTX_OP_VMIN || opcode == PTX_OP_VMAX || opcode == PTX_OP_VSHL ||
           opcode == PTX_OP_VSHR || opcode == PTX_OP_VMAD || opcode == PTX_OP_VSET;
}

/* Returns 'h' or 'b' for the video instructions on two or four parts at once, else 0. */
static char takes_lanes(enum ptx_opcode opcode)
{
    const char *word = ptx_opcode_word(opcode);
    char last = word[strlen(word) - 1];
    if (*word != 'v') return 0;
    return last == '2' ? 'h' : last == '4' ? 'b' : 0;
}

bool ptx_read_operands(struct ptx_reader *reader, struct ptx_instruction *instruction)
{
    struct ptx_operand all = { .list_count = 0 };
    struct context context = { .reader = reader, .instruction = instruction };
    context.lax = ptx_opcode_fate(instruction->opcode) != PTX_RUNS;
    context.parts = takes_parts(instruction->opcode);
    context.lanes = takes_lanes(instruction->opcode);
    if (!ptx_at_mark(reader, ';')) {
        if (!read_list(&context, ';', &all)) return false;
    } else {
        ptx_next(reader);
    }
    instruction->operands = all.list;
    instruction->operand_count = all.list_count;
    return true;
}
