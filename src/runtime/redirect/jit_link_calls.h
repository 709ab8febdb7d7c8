/* SPDX-License-Identifier: Apache-2.0
 *
 * The calls of nvJitLink, over the linker of the driver.
 */
#ifndef REDIRECT_JIT_LINK_CALLS_H
#define REDIRECT_JIT_LINK_CALLS_H

/* Returns what takes the place of a function, by its name without a version ("nvJitLinkCreate"), or
 * NULL for one that stays. */
void *jit_link_call(const char *name);

#endif
