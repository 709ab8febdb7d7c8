/* SPDX-License-Identifier: Apache-2.0
 *
 * Steps that decide which step is next.  All of them are PTX_STEP_CONTROL.
 */
#ifndef PTX_RUN_CONTROL_H
#define PTX_RUN_CONTROL_H

#include "ptx/run/machine.h"

/* Jumps to step `target`; the second one is for branches with a guard. */
ptx_run ptx_bra_step, ptx_guarded_bra_step;

/* Jumps to a step of the program's table `target`, by the index in column a. */
ptx_run ptx_brx_step;

/* End a thread or an activation: ret of a kernel is exit, trap is brkpt if `kind` is set. */
ptx_run ptx_exit_step, ptx_return_step, ptx_trap_step, ptx_nanosleep_step;

/* Call function `target`, or the address in column a with the list or prototype that the
 * caller has as table `target`.  `more` lists the caller's columns for results, then those of
 * arguments. */
ptx_run ptx_call_step, ptx_indirect_call_step;

/* The `immediate` of a call: how many results and arguments it has. */
#define PTX_COUNTS(results, arguments) ((int64_t)(results) << 32 | (int64_t)(arguments))

/* Returns the function that says which arguments an indirect call has: a prototype, or the
 * first of the functions that it may go to. */
const struct ptx_function *ptx_call_signature(const struct ptx_module *module,
                                              const struct ptx_table *table);

#endif
