/* SPDX-License-Identifier: Apache-2.0
 *
 * Variables of modules.
 */
#ifndef SI_VARIABLES_H
#define SI_VARIABLES_H

#include "standin/code/module.h"

/* Allocates and fills the variables of a module, unless rill has them. */
CUresult si_variables_make(struct si_module *module);
void si_variables_free(struct si_module *module);

/* Finds a variable by name. */
CUresult si_module_variable(struct si_module *module, const char *name, CUdeviceptr *address,
                            size_t *bytes);

#endif
