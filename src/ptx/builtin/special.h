/* SPDX-License-Identifier: Apache-2.0
 *
 * Steps that read special registers.
 */
#ifndef PTX_BUILTIN_SPECIAL_H
#define PTX_BUILTIN_SPECIAL_H

#include "ptx/run/machine.h"

/* Returns the step that reads component `kind` of the special register `id` into d. */
ptx_run *ptx_special_step(uint8_t id);

#endif
