/* SPDX-License-Identifier: Apache-2.0
 *
 * Instructions: the opcode, the words after its dots, and the operands.
 */
#include "ptx/read/reader.h"

#include <string.h>

/* ---- After the dots -------------------------------------------------------------------- */

/* Adds a modifier; a qualified state space is that space, too. */
static void add_modifier(struct ptx_instruction *instruction, enum ptx_modifier modifier)
{
    enum ptx_space space = modifier == PTX_MOD_SHARED_CTA || modifier == PTX_MOD_SHARED_CLUSTER
                               ? PTX_SHARED
                           : modifier == PTX_MOD_PARAM_ENTRY || modifier == PTX_MOD_PARAM_FUNC
                               ? PTX_PARAM
                               : PTX_GENERIC;
    ptx_add(&instruction->modifiers, modifier);
    if ((modifier == PTX_MOD_ROW || modifier == PTX_MOD_COL) && instruction->layout_count < 2)
        instruction->layouts |= (uint8_t)((modifier == PTX_MOD_COL) << instruction->layout_count++);
    if (space != PTX_GENERIC && instruction->space_count < 2)
        instruction->spaces[instruction->space_count++] = space;
}

/* Adds a word.  Returns false if there is no such word, or more than any instruction has. */
static bool add_word(struct ptx_instruction *instruction, struct ptx_name *name)
{
    switch (ptx_sense_of(name)) {
    case PTX_SENSE_TYPE:
        if (instruction->type_count == 4) return false;
        instruction->types[instruction->type_count++] = (enum ptx_type)name->value;
        return true;
    case PTX_SENSE_SPACE:
        if (instruction->space_count == 2) return false;
        instruction->spaces[instruction->space_count++] = (enum ptx_space)name->value;
        return true;
    case PTX_SENSE_MODIFIER:
        add_modifier(instruction, (enum ptx_modifier)name->value);
        return true;
    case PTX_SENSE_SHAPE:
        return ptx_opcode_fate(instruction->opcode) != PTX_RUNS &&
               ptx_find_shape(name->at + 1, name->bytes - 1, &instruction->shape);
    default:
        return false;
    }
}

#define WORDS_MOST 160 /* bytes that are kept, more than any instruction has */

/* Keeps the opcode and its words as they are written, to be quoted. */
static bool keep_words(struct ptx_reader *reader, struct ptx_instruction *instruction,
                       const char *words, size_t bytes)
{
    const char *opcode = ptx_opcode_word(instruction->opcode);
    size_t length = strlen(opcode);
    if (bytes > WORDS_MOST) bytes = WORDS_MOST;
    char *written = ptx_get(reader, length + bytes + 1);
    if (!written) return false;
    memcpy(written, opcode, length);
    memcpy(written + length, words, bytes);
    instruction->written = written;
    return true;
}

/* Reads the words.  In an instruction that cannot run, or not always, unknown words do no
 * harm. */
static bool read_words(struct ptx_reader *reader, struct ptx_instruction *instruction)
{
    bool strict = ptx_opcode_fate(instruction->opcode) == PTX_RUNS;
    const char *first = ptx_present(reader)->at;
    size_t bytes = 0;
    for (; ptx_at(reader, PTX_TOKEN_DOTTED); ptx_next(reader)) {
        struct ptx_name *name = ptx_intern(reader, ptx_present(reader));
        if (!name) return false;
        bytes = (size_t)(name->bytes + (ptx_present(reader)->at - first));
        if (add_word(instruction, name)) continue;
        instruction->unknown = true;
        if (strict)
            return ptx_error(reader, "nothing like this stands behind '%s'",
                             ptx_opcode_word(instruction->opcode));
    }
    return strict || keep_words(reader, instruction, first, bytes);
}

/* ---- The whole ------------------------------------------------------------------------- */

/* Lets labels that are not defined yet wait at the operands that name them. */
static bool await_labels(struct ptx_reader *reader, struct ptx_operand *operands, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        struct ptx_operand *operand = &operands[i];
        if (operand->kind == PTX_OPERAND_LABEL && operand->index == PTX_NONE) {
            struct ptx_forward forward = { .place = operand->place, .index = &operand->index };
            forward.name = ((struct ptx_name **)reader->awaited.items)[operand->bits];
            operand->bits = 0;
            if (!ptx_await(reader, &forward)) return false;
        }
        if (!await_labels(reader, operand->list, operand->list_count)) return false;
    }
    return true;
}

bool ptx_read_instruction(struct ptx_reader *reader, const struct ptx_token *opcode,
                          struct ptx_name *name, uint32_t guard, bool guard_negated,
                          const struct ptx_place *place)
{
    if (ptx_sense_of(name) != PTX_SENSE_OPCODE)
        return ptx_error_at(reader, opcode, "there is no such instruction");
    struct ptx_instruction *instruction = ptx_push(reader, &reader->instructions);
    if (!instruction) return false;
    instruction->place = *place;
    instruction->opcode = (enum ptx_opcode)name->value;
    instruction->guard = guard;
    instruction->guard_negated = guard_negated;
    instruction->spaces[0] = instruction->spaces[1] = PTX_GENERIC;
    reader->awaited.count = 0;
    if (!read_words(reader, instruction) || !ptx_read_operands(reader, instruction)) return false;
    return !reader->awaited.count ||
           await_labels(reader, instruction->operands, instruction->operand_count);
}
