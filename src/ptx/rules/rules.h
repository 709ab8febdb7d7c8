/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PTX_RULES_RULES_H
#define PTX_RULES_RULES_H

#include "ptx/text/module.h"

/* Returns what is wrong with an instruction that has a form, but with words, types or a state space
 * that do not go together, or that GPUs of the target do not have; NULL if nothing is. */
const char *ptx_broken_rule(const struct ptx_instruction *instruction, uint32_t target);

#endif
