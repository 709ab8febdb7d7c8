/* SPDX-License-Identifier: Apache-2.0
 *
 * Names of kernels, which stay as long as the library: a pending launch may name a kernel
 * longer than the kernel's module lives.
 */
#ifndef SI_NAMES_H
#define SI_NAMES_H

/* Returns a text that stays, the same one for equal texts; NULL if there is no memory. */
const char *si_name(const char *text);

/* Frees all names; no kernel runs any more. */
void si_names_end(void);

#endif
