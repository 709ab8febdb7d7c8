/* SPDX-License-Identifier: Apache-2.0
 *
 * Operands in brackets of instructions that access memory, and operands that are vectors.
 */
#ifndef PTX_LOWER_MEMORY_OPERAND_H
#define PTX_LOWER_MEMORY_OPERAND_H

#include "ptx/lower/lowering.h"
#include "ptx/run/memory.h"

/* What modifiers and address of a memory instruction say. */
struct ptx_memory_operand {
    struct ptx_address address;
    uint32_t kind;            /* of the step                                            */
    uint32_t width;           /* elements of a vector; 1 without one                    */
    uint32_t bytes;           /* in all                                                 */
};

/* Reads and checks the operand of an access with elements of `type`. */
rill_status ptx_lower_memory_operand(struct ptx_lowering *lowering,
                                     const struct ptx_instruction *instruction,
                                     const struct ptx_operand *operand, enum ptx_type type,
                                     struct ptx_memory_operand *memory);

/* Lowers an address in brackets, of that space, as a generic one, whatever spaces the instruction
 * names; for steps that do not know the spaces. */
rill_status ptx_lower_generic(struct ptx_lowering *lowering,
                              const struct ptx_instruction *instruction,
                              const struct ptx_operand *operand, enum ptx_space space,
                              uint32_t *column);

/* Writes the operand into a step. */
void ptx_set_memory_operand(const struct ptx_memory_operand *memory, struct ptx_step *step);

/* Checks the cache policy that may follow the other operands; it has no effect. */
rill_status ptx_check_policy(struct ptx_lowering *lowering,
                             const struct ptx_instruction *instruction, uint32_t operands);

/* Returns the space that the instruction names, also as .param::func or the like. */
enum ptx_space ptx_said_space(const struct ptx_instruction *instruction);

/* Returns what stands in braces alone, as in `ld.global.b32 {%r1}, [%rd1];`, or else the
 * operand.  Only a sink cannot stand there. */
const struct ptx_operand *ptx_without_braces(const struct ptx_operand *operand);

/* Returns the elements of an operand that has `width` of them. */
rill_status ptx_elements(struct ptx_lowering *lowering,
                         const struct ptx_instruction *instruction,
                         const struct ptx_operand *operand, uint32_t width,
                         const struct ptx_operand **elements);

/* Find the columns of the elements, and the bytes of their registers. */
rill_status ptx_element_sources(struct ptx_lowering *lowering,
                                const struct ptx_instruction *instruction,
                                const struct ptx_operand *elements, uint32_t width,
                                enum ptx_type type, uint32_t columns[8], uint32_t *bytes);
rill_status ptx_element_destinations(struct ptx_lowering *lowering,
                                     const struct ptx_instruction *instruction,
                                     const struct ptx_operand *elements, uint32_t width,
                                     enum ptx_type type, uint32_t columns[8], uint32_t *bytes);

#endif
