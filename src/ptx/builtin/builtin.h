/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions that a text may call by name without defining them: on a GPU the driver brings
 * them along (vprintf, __assertfail, malloc, free, cudaGraphSetConditional), or they are of a
 * library: CUDA's device runtime, or libdevice, whose functions of numbers end in the text if nvcc
 * compiles it.
 *
 * Such a call is one step.  What the caller stored in the .param variables is a column for each:
 * argument n is the column program->columns[step->more + n], the result goes to column d
 * (PTX_NO_COLUMN if the caller does not take it).  A declaration with other sizes than those
 * given here is refused.
 */
#ifndef PTX_BUILTIN_BUILTIN_H
#define PTX_BUILTIN_BUILTIN_H

#include "ptx/run/machine.h"

struct ptx_builtin {
    const char *name;
    uint8_t result_bytes;   /* no result if 0                                          */
    uint8_t param_count;
    uint8_t param_bytes[8];
    ptx_run *run;
};

/* Returns the function of that name, or NULL if there is none. */
const struct ptx_builtin *ptx_find_builtin(const char *name);

/* Returns one of libdevice (libdevice.c), or NULL. */
const struct ptx_builtin *ptx_find_libdevice_function(const char *name);

/* Returns one of CUDA's device runtime (runtime_functions.c), or NULL. */
const struct ptx_builtin *ptx_find_runtime_function(const char *name);

/* Returns true for one that there is on a GPU and not here.  It may be declared, and what calls it
 * cannot run. */
bool ptx_lacks_runtime_function(const char *name);

/* Returns true for a function that nothing but the device runtime defines. */
bool ptx_tells_device_runtime(const char *name);

/* Returns true for the device runtime itself, as CUDA 11 and 12 bring it as PTX: that calls what
 * only a GPU has, and is not needed here. */
bool ptx_is_device_runtime(const struct ptx_module *module);

/* Returns true if a declaration has the same parameters and result. */
bool ptx_builtin_fits(const struct ptx_builtin *builtin, const struct ptx_function *declared);

/* The column of argument `n`. */
#define PTX_ARGUMENT(group, step, n, type) \
    PTX_COLUMN(group, (group)->frame->program->columns[(step)->more + (n)], type)

ptx_run ptx_vprintf, ptx_assertfail; /* printf.c */

/* Of the device runtime: children.c, child_memory.c, device_questions.c. */
ptx_run ptx_child_prepare, ptx_child_launch, ptx_last_status, ptx_peek_status;
ptx_run ptx_create_stream, ptx_create_event, ptx_use_name;
ptx_run ptx_child_copy, ptx_child_copy_2d, ptx_child_copy_3d;
ptx_run ptx_child_fill, ptx_child_fill_2d, ptx_child_fill_3d;
ptx_run ptx_runtime_malloc, ptx_runtime_free;
ptx_run ptx_status_name, ptx_status_words;
ptx_run ptx_device_number, ptx_device_count, ptx_device_attribute, ptx_runtime_version;

#endif
