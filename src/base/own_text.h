/* SPDX-License-Identifier: Apache-2.0
 *
 * Tells the code of the library from that of the program.
 */
#ifndef RL_OWN_TEXT_H
#define RL_OWN_TEXT_H

#include <stdbool.h>
#include <stdint.h>

/* Returns whether this library knows its code.  It does not if it was optimized when it was
 * linked, or is not an ELF file. */
bool rl_knows_own_text(void);

/* Returns whether a function of the library has this address within it. */
bool rl_is_own_text(uintptr_t address);

#endif
