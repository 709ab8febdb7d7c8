/* SPDX-License-Identifier: Apache-2.0
 *
 * The system's own code, such as memcpy() of libc: its caller is meant when it touches
 * memory.
 */
#ifndef CS_SYSTEM_H
#define CS_SYSTEM_H

#include "site/frame.h"

/* Tells by the base name of a module whether it is of the system or of a sanitizer. */
bool cs_is_system_module(const char *name);

/* Learns where these modules are.  Called before the first cs_site_of_fault(); takes the loader's
 * lock. */
void cs_learn_system(void);

/* Returns the place of the program that executes an instruction: the instruction itself, or the
 * call of the system's function in which it is.  As with calls, the address is that after the
 * place.  `frame` has the registers at the instruction, and its address; `link` is the
 * register with the return address, on machines that have one.  Safe in signal handlers. */
const void *cs_site_of_fault(struct cs_frame frame, uintptr_t link);

#endif
