/* SPDX-License-Identifier: Apache-2.0
 *
 * Operands.  An instruction that is refused may have operands that no other has, so those
 * are read generously; all others only in ways that have a meaning.
 */
#include "ptx/read/reader.h"

#include <string.h>

#include "ptx/read/named_operand.h"

#define DEEPEST 5 /* lists in lists: [texture, {%f1, %f2}] in a list of a call */

static bool read_operand(struct ptx_operand_context *context, struct ptx_operand *operand);

/* ---- Lists ----------------------------------------------------------------------------- */

static bool take_list(struct ptx_reader *reader, uint32_t first, struct ptx_operand *operand)
{
    return ptx_pop_from(reader, &reader->operands, first, &operand->list, &operand->list_count);
}

/* Reads one operand of a list.  A vector in the list of a call is a parameter for each of its
 * elements. */
static bool read_item(struct ptx_operand_context *context, char close)
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
static bool read_list(struct ptx_operand_context *context, char close, struct ptx_operand *operand)
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

/* Reads p|q. */
static bool read_pair(struct ptx_operand_context *context, struct ptx_operand *operand)
{
    struct ptx_operand both[2] = { *operand };
    ptx_next(context->reader);
    if (!ptx_at(context->reader, PTX_TOKEN_NAME))
        return ptx_error(context->reader, "the second of two destinations is missing");
    if (!ptx_read_named_operand(context, &both[1])) return false;
    *operand = (struct ptx_operand){ .kind = PTX_OPERAND_PAIR, .place = operand->place };
    return ptx_list_operands(context->reader, both, 2, operand);
}

/* ---- Brackets -------------------------------------------------------------------------- */

static bool read_base(struct ptx_operand_context *context, struct ptx_operand *base)
{
    struct ptx_reader *reader = context->reader;
    base->place = ptx_present(reader)->place;
    if (ptx_at(reader, PTX_TOKEN_NAME) && !ptx_begins_expression(reader))
        return ptx_read_named_operand(context, base);
    if (!ptx_begins_expression(reader)) return ptx_error(reader, "an address is missing");
    base->kind = PTX_OPERAND_INTEGER;
    return ptx_read_integer(reader, &base->bits);
}

/* Reads the rest of [TEXTURE, {COORDINATES}], which becomes a list of both. */
static bool read_coordinates(struct ptx_operand_context *context, const struct ptx_operand *base,
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

static bool read_address(struct ptx_operand_context *context, struct ptx_operand *operand)
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
        return ptx_expect_mark(reader, ']') && ptx_list_operands(reader, &base, 1, operand);
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

static bool read_marked(struct ptx_operand_context *context, struct ptx_operand *operand)
{
    struct ptx_reader *reader = context->reader;
    uint16_t mark = ptx_present(reader)->mark;
    bool negated = mark == '!' && name_follows(reader);
    bool minus = mark == '-' && (context->lax || context->instruction->opcode == PTX_OP_VMAD) &&
                 name_follows(reader);
    if (negated || minus) {
        ptx_next(reader);
        if (!ptx_read_named_operand(context, operand)) return false;
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

static bool read_operand(struct ptx_operand_context *context, struct ptx_operand *operand)
{
    struct ptx_reader *reader = context->reader;
    *operand = (struct ptx_operand){ .place = ptx_present(reader)->place };
    bool named = ptx_at(reader, PTX_TOKEN_NAME) && !ptx_begins_expression(reader);
    bool read = named ? ptx_read_named_operand(context, operand) : read_marked(context, operand);
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
    struct ptx_operand_context context = { .reader = reader, .instruction = instruction };
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
