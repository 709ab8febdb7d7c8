/* SPDX-License-Identifier: Apache-2.0
 *
 * Operands in brackets of instructions that access memory, and those that are vectors.
 */
#ifndef PTX_LOWER_MEMORY_OPERAND_H
#define PTX_LOWER_MEMORY_OPERAND_H

#include "ptx/lower/lowering.h"
#include "ptx/run/memory.h"

/* What dots and address of a memory instruction say. */
struct ptx_memory_operand {
    struct ptx_address address;
    uint32_t kind;            /* of the step                                            */
    uint32_t width;           /* elements of a vector; 1 without one                    */
    uint32_t bytes;           /* in all                                                 */
};

/* Reads and checks it, for an access of an instruction with elements of `type`. */
rill_status ptx_lower_memory_operand(struct ptx_lowering *lowering,
                                     const struct ptx_instruction *instruction,
                                     const struct ptx_operand *operand, enum ptx_type type,
                                     struct ptx_memory_operand *memory);

/* Puts it into a step. */
void ptx_set_memory_operand(const struct ptx_memory_operand *memory, struct ptx_step *step);

/* A cache policy may stand behind the other operands; it is checked, and nothing else. */
rill_status ptx_check_policy(struct ptx_lowering *lowering,
                             const struct ptx_instruction *instruction, uint32_t operands);

/* How the instruction says where it goes: its space, or .param::func and its like. */
enum ptx_space ptx_said_space(const struct ptx_instruction *instruction);

/* The elements of an operand with `width` of them. */
rill_status ptx_elements(struct ptx_lowering *lowering,
                         const struct ptx_instruction *instruction,
                         const struct ptx_operand *operand, uint32_t width,
                         const struct ptx_operand **elements);

/* Columns of the elements, and the bytes of their registers. */
rill_status ptx_element_sources(struct ptx_lowering *lowering,
                                const struct ptx_instruction *instruction,
                                const struct ptx_operand *elements, uint32_t width,
                                enum ptx_type type, uint32_t columns[8], uint32_t *bytes);
rill_status ptx_element_destinations(struct ptx_lowering *lowering,
                                     const struct ptx_instruction *instruction,
                                     const struct ptx_operand *elements, uint32_t width,
                                     enum ptx_type type, uint32_t columns[8], uint32_t *bytes);

#endif
