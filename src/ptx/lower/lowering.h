/* SPDX-License-Identifier: Apache-2.0
 *
 * What the lowering of one function offers to those that lower single instructions
 * (`lower` of a form): columns for operands, steps, and sentences for what is wrong.
 *
 * Whatever can fail returns a status and has then said why; memory that was taken goes
 * with the code.
 *
 * Columns are names until the whole function is lowered: d, a, b, c, e, guard and the lists
 * of `more` are renamed in the end.  So put names into those as they are, nowhere else, and
 * do not calculate with them.  Ask for the sources before ptx_emit(): they may need steps of
 * their own.
 */
#ifndef PTX_LOWER_LOWERING_H
#define PTX_LOWER_LOWERING_H

#include "ptx/affine/affine.h"
#include "ptx/step/form.h"

/* Writes "line 12, column 3, at 'add.s31': " and the sentence.  Returns `status`. */
rill_status ptx_lower_fail(struct ptx_lowering *lowering, const struct ptx_place *place,
                           rill_status status, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Has blocks of the code keep so many bytes, at least, for a step while it is taken. */
void ptx_lower_scratch(struct ptx_lowering *lowering, size_t bytes);

/* Appends a step of the instruction, with its guard and line; all columns are PTX_NO_COLUMN.
 * The step is valid until the next one is appended. */
rill_status ptx_emit(struct ptx_lowering *lowering, const struct ptx_instruction *instruction,
                     ptx_run *run, struct ptx_step **step);

/* Lets a step make use of what is known of columns (affine/affine.h), unless steps are taken lane
 * by lane alone.  A step of which this is not said reads and writes any columns. */
void ptx_follow(struct ptx_lowering *lowering, struct ptx_step *step, ptx_run *run);

/* Makes a column of `bytes` bytes for each lane that nothing else uses within this
 * instruction. */
rill_status ptx_new_column(struct ptx_lowering *lowering, uint32_t bytes, uint32_t *column);

/* Finds the column of 4 bytes that says how much alloca has taken in this activation. */
rill_status ptx_stack_column(struct ptx_lowering *lowering, uint32_t *column);

/* Finds the column that a source is read from, as `type`: a register of that size (with
 * `wider` also a larger one, whose low part is meant), a constant, a special register, the
 * address of a variable. */
rill_status ptx_source(struct ptx_lowering *lowering, const struct ptx_instruction *instruction,
                       const struct ptx_operand *operand, enum ptx_type type, bool wider,
                       uint32_t *column);

/* Finds the column that a destination is written to.  A sink gets one that is never read. */
rill_status ptx_destination(struct ptx_lowering *lowering,
                            const struct ptx_instruction *instruction,
                            const struct ptx_operand *operand, enum ptx_type type, bool wider,
                            uint32_t *column);

/* Returns the bytes of a register, or 0 if the operand is none. */
uint32_t ptx_operand_bytes(const struct ptx_lowering *lowering, const struct ptx_operand *operand);

/* Reads an integer constant, or a constant expression. */
rill_status ptx_constant(struct ptx_lowering *lowering, const struct ptx_operand *operand,
                         int64_t *value);

/* The operand in brackets.  `base` is a column of 8 bytes for each lane, or PTX_NO_COLUMN if
 * the address is known and the same for all lanes: then it is `offset` alone.  Variables have
 * become addresses in their own space (those of .global and .const: where they lie). */
struct ptx_address {
    uint32_t base;
    uint32_t narrow;                  /* the column of 32 bits that a step widened into the base,
                                         or PTX_NO_COLUMN                               */
    uint32_t widened;                 /* by which step                                  */
    int64_t offset;
    enum ptx_space space;             /* of a variable that is named, or PTX_GENERIC    */
    const struct ptx_variable *variable; /* that is named, or NULL                      */
    uint32_t slot;                    /* the column (struct ptx_slot) of a .param variable of
                                         a call or of the function, or PTX_NO_COLUMN    */
    uint32_t slot_bytes;
};

rill_status ptx_address_of(struct ptx_lowering *lowering,
                           const struct ptx_instruction *instruction,
                           const struct ptx_operand *operand, struct ptx_address *address);

/* Has an access that makes use of what is known of its address read it from before it was widened.
 * Where both ways are compared, it is widened all the same. */
void ptx_follow_address(struct ptx_lowering *lowering, const struct ptx_address *address,
                        struct ptx_step *step);

/* Stores a list of columns and returns its place for `more` of a step. */
rill_status ptx_remember(struct ptx_lowering *lowering, const uint32_t *columns, uint32_t count,
                         uint32_t *more);

/* Makes the step's target the step of a label, once that is known. */
rill_status ptx_aim(struct ptx_lowering *lowering, struct ptx_step *step,
                    const struct ptx_operand *label);

const struct ptx_function *ptx_lowered_function(const struct ptx_lowering *lowering);
const struct ptx_module *ptx_lowered_module(const struct ptx_lowering *lowering);

#endif
