/* SPDX-License-Identifier: Apache-2.0
 *
 * The lowering of one function, inside: what the files of the lowering share.
 *
 * What the reader has resolved is there: indices of registers, variables, functions, labels
 * and tables are not checked again, nor are alignments and the predicates of guards.
 *
 * While a function is lowered, a column is a name: LOWER_NAME + its place in `columns`.
 * Every use of a name is recorded with its instruction.  When all steps are there,
 * columns.c decides from these records which columns can take turns in the same memory, and
 * replaces the names.
 */
#ifndef PTX_LOWER_STATE_H
#define PTX_LOWER_STATE_H

#include "ptx/lower/forms.h"
#include "ptx/lower/layout.h"
#include "ptx/lower/lowering.h"
#include "ptx/text/arena.h"

#define LOWER_NAME UINT32_C(0x80000000)
#define LOWER_MOST_NAMES UINT32_C(0x40000000)

enum lower_column_kind {
    LOWER_REGISTER,  /* of the text, or a .param variable of a call: lives as long as it is used */
    LOWER_TEMPORARY, /* within one instruction                                          */
    LOWER_CONSTANT,  /* written before the function runs                                */
    LOWER_KEPT       /* for the whole function: parameters, results                     */
};

struct lower_column {
    uint32_t bytes;      /* of each lane                                                */
    uint8_t kind;        /* enum lower_column_kind                                      */
    bool predicate;      /* always 0 or 1                                               */
    bool cleared;        /* 0 when the function begins (columns.c decides)              */
    bool scoped;         /* a slot: what one instruction writes may be a part of it     */
    uint32_t instruction; /* of a temporary                                             */
    uint64_t bits;       /* of a constant                                               */
    uint32_t at;         /* where it has got to, in the end                             */
};

/* An instruction reads a column, or writes all of it for every lane that gets there. */
struct lower_use {
    uint32_t instruction, column;
    bool writes, partly; /* partly: what was in it may stay                             */
};

struct lower_aim {
    uint32_t step, label, instruction;
};

struct ptx_lowering {
    struct ptx_code *code;
    const struct ptx_module *module;
    const struct ptx_function *function;
    uint32_t index;                  /* of it, in the module                            */
    const struct ptx_kernel *kernel; /* NULL if it is no kernel's function              */
    struct ptx_program *program;
    const struct lower_layout *layout;
    struct ptx_refusal *refusal;
    struct ptx_refusal *unsupported; /* the first thing that cannot run here, or NULL    */
    struct ptx_arena *scratch;       /* until the function is done                      */
    const struct ptx_instruction *instruction; /* that is being lowered                 */
    const struct ptx_instruction **instead; /* of each: what is lowered in its place
                                        (contract.h), or NULL; NULL if all are as written */
    struct ptx_instruction renewed;  /* the same in words of today, where it is old     */
    uint32_t at;                     /* its number                                      */
    struct ptx_step *steps;
    uint32_t step_count, step_room;
    uint32_t *first_step;            /* of each instruction, and one past the last      */
    uint8_t *alone;                  /* of each: its destination may be where a source was */
    uint8_t *checked;                /* of each table: all that it lists are alike      */
    struct lower_column *columns;
    uint32_t column_count, column_room;
    uint32_t *registers;             /* name of each register's column                  */
    uint32_t *slots;                 /* of each .param variable's of the function       */
    uint32_t carry;                  /* name of the carry flag's                        */
    uint32_t stack;                  /* name of the column of what alloca has taken   */
    uint32_t *constants;             /* open hashing over names                         */
    uint32_t constant_room, constant_count;
    struct lower_use *uses;
    uint32_t use_count, use_room;
    uint32_t *more;
    uint32_t more_count, more_room;
    struct lower_aim *aims;
    uint32_t aim_count, aim_room;
    uint32_t *local_offsets;         /* of each .local variable of the function         */
};

/* ---- Parts of the lowering ------------------------------------------------------------------ */

rill_status ptx_lower_no_memory(struct ptx_lowering *lowering);

/* Makes room for one more element of an array in `scratch`; a full array moves. */
bool ptx_lower_room(struct ptx_lowering *lowering, void **array, size_t size, uint32_t count,
                    uint32_t *room);

rill_status ptx_lower_name(struct ptx_lowering *lowering, enum lower_column_kind kind,
                           uint32_t bytes, uint32_t *column);
struct lower_column *ptx_lower_named(struct ptx_lowering *lowering, uint32_t name);
rill_status ptx_lower_use(struct ptx_lowering *lowering, uint32_t name, bool writes, bool partly);
rill_status ptx_lower_register(struct ptx_lowering *lowering, uint32_t index, uint32_t *column);
rill_status ptx_lower_number(struct ptx_lowering *lowering, uint64_t bits, uint32_t bytes,
                             uint32_t *column);
rill_status ptx_lower_slot(struct ptx_lowering *lowering, uint32_t variable, uint32_t *column);

/* Finds the address of a variable that an operand names, which counts as a use of its column. */
rill_status ptx_lower_variable(struct ptx_lowering *lowering,
                               const struct ptx_instruction *instruction,
                               const struct ptx_operand *operand, struct ptx_address *address);

/* Lower the instructions that have no form: mov of vectors, of packed registers and of
 * special registers. */
bool ptx_lower_is_own_mov(const struct ptx_instruction *instruction);
rill_status ptx_lower_own_mov(struct ptx_lowering *lowering,
                              const struct ptx_instruction *instruction);

/* Lowers call, for the table of control instructions. */
rill_status ptx_lower_call(struct ptx_lowering *lowering,
                           const struct ptx_instruction *instruction,
                           const struct ptx_form *form);

/* Lower one instruction, and a whole function. */
rill_status ptx_lower_instruction(struct ptx_lowering *lowering,
                                  const struct ptx_instruction *instruction);
rill_status ptx_lower_function(struct ptx_code *code, const struct lower_layout *layout,
                               uint32_t index, const struct ptx_kernel *kernel,
                               struct ptx_refusal *refusal);

/* Finds the kernels that cannot run, because of something in them or in a function that they
 * may call.  Returns RILL_ERROR_NOT_SUPPORTED if that leaves none, and none was replaced. */
rill_status ptx_lower_find_unsupported(struct ptx_code *code, struct lower_layout *layout,
                                       struct ptx_refusal *refusal);

/* Gives every column its place and renames the columns in steps and lists. */
rill_status ptx_lower_place_columns(struct ptx_lowering *lowering);

#endif
