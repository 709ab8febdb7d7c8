/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions that a text may call by name without having them: what the driver brings along
 * on hardware (vprintf, __assertfail, malloc, free, cudaGraphSetConditional).
 *
 * Such a call is one step.  Its arguments are scalars, so what the caller stored in the
 * .param variables is a column for each: argument n is the column
 * program->columns[step->more + n], the result goes to column d (PTX_NO_COLUMN: the caller
 * does not take it).  Arguments and results have the sizes that are said here; a
 * declaration with others is refused.
 */
#ifndef PTX_RUN_BUILTIN_H
#define PTX_RUN_BUILTIN_H

#include "ptx/run/machine.h"

struct ptx_builtin {
    const char *name;
    uint8_t result_bytes;   /* 0: there is none                                        */
    uint8_t param_count;
    uint8_t param_bytes[5];
    ptx_run *run;
};

/* NULL: there is none of that name. */
const struct ptx_builtin *ptx_find_builtin(const char *name);

/* Whether a declaration says the same. */
bool ptx_builtin_fits(const struct ptx_builtin *builtin, const struct ptx_function *declared);

/* The column of an argument. */
#define PTX_ARGUMENT(group, step, n, type) \
    PTX_COLUMN(group, (group)->frame->program->columns[(step)->more + (n)], type)

ptx_run ptx_vprintf, ptx_assertfail, ptx_malloc, ptx_free, ptx_set_conditional;

#endif
