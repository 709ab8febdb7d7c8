/* SPDX-License-Identifier: Apache-2.0
 *
 * The steps of ld and st.
 *
 * A step has the addresses in `a` (PTX_NO_COLUMN: there is but `immediate`), the elements
 * of a vector in `width`, where it goes to in `kind` (memory.h); a single value is in d
 * (ld) or b (st), those of a vector in the columns that `more` lists.
 */
#ifndef PTX_ACCESS_H
#define PTX_ACCESS_H

#include "ptx/lowering.h"
#include "ptx/memory.h"

/* By the bytes of an element in memory and of the register; NULL: no such thing. */
ptx_run *ptx_load_step(uint32_t memory, uint32_t register_bytes, bool is_signed);
ptx_run *ptx_store_step(uint32_t memory, uint32_t register_bytes);

/* What dots and address of a memory instruction say. */
struct ptx_reference {
    struct ptx_address address;
    uint32_t kind;            /* of the step                                            */
    uint32_t width;           /* elements of a vector; 1 without one                    */
    uint32_t bytes;           /* in all                                                 */
};

/* Reads and checks it, for an access of an instruction with elements of `type`. */
rill_status ptx_refer(struct ptx_lowering *lowering, const struct ptx_instruction *instruction,
                      const struct ptx_operand *operand, enum ptx_type type,
                      struct ptx_reference *reference);

/* Puts it into a step. */
void ptx_refer_in(const struct ptx_reference *reference, struct ptx_step *step);

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

/* The column of element `n` of a step, which is `single` where there is but one. */
#define PTX_ELEMENT(front, step, n, single, type) \
    PTX_COLUMN(front, (step)->width == 1 ? (single) \
                      : (front)->frame->program->columns[(step)->more + (n)], type)

#endif
