/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions that a text may call by name without defining them: on a GPU the driver brings
 * them along (vprintf, __assertfail, malloc, free, cudaGraphSetConditional).
 *
 * Such a call is one step.  Its arguments are scalars, so what the caller stored in the
 * .param variables is a column for each: argument n is the column
 * program->columns[step->more + n], the result goes to column d (PTX_NO_COLUMN if the caller
 * does not take it).  A declaration with other sizes than those given here is refused.
 */
#ifndef PTX_BUILTIN_BUILTIN_H
#define PTX_BUILTIN_BUILTIN_H

#include "ptx/run/machine.h"

struct ptx_builtin {
    const char *name;
    uint8_t result_bytes;   /* no result if 0                                          */
    uint8_t param_count;
    uint8_t param_bytes[5];
    ptx_run *run;
};

/* Returns the function of that name, or NULL if there is none. */
const struct ptx_builtin *ptx_find_builtin(const char *name);

/* Returns true if a declaration has the same parameters and result. */
bool ptx_builtin_fits(const struct ptx_builtin *builtin, const struct ptx_function *declared);

/* The column of argument `n`. */
#define PTX_ARGUMENT(group, step, n, type) \
    PTX_COLUMN(group, (group)->frame->program->columns[(step)->more + (n)], type)

ptx_run ptx_vprintf, ptx_assertfail, ptx_malloc, ptx_free, ptx_set_conditional;

#endif
