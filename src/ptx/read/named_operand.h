/* SPDX-License-Identifier: Apache-2.0
 *
 * Operands that begin with a name: registers and their parts, special registers, variables,
 * functions, labels.
 */
#ifndef PTX_READ_NAMED_OPERAND_H
#define PTX_READ_NAMED_OPERAND_H

#include "ptx/read/reader.h"

/* Where an operand stands, which says what it may be. */
struct ptx_operand_context {
    struct ptx_reader *reader;
    const struct ptx_instruction *instruction;
    bool lax;         /* the instruction is refused */
    bool parts;       /* ... or takes parts of registers */
    char lanes;       /* ... or several: 'h' or 'b'; else 0 */
    bool in_brackets;
    uint32_t depth;
};

/* Reads one whose name is the present token. */
bool ptx_read_named_operand(struct ptx_operand_context *context, struct ptx_operand *operand);

/* Makes a list of copies of the items in the module.  Returns false if there is no memory. */
bool ptx_list_operands(struct ptx_reader *reader, const struct ptx_operand *items, uint32_t count,
                       struct ptx_operand *operand);

#endif
