/* SPDX-License-Identifier: Apache-2.0
 *
 * What kernels do: C functions out of the libraries that RILL_KERNELS names
 * (<rill/standin.h>), and names that stay.
 */
#ifndef SI_FUNCTIONS_H
#define SI_FUNCTIONS_H

#include "standin/image.h"
#include "standin/standin.h"

/* The libraries, loaded by the first call. */
CUresult si_functions_load(void);

/* Fills in what rill is to know of a kernel: the function with its name, and the rest as
 * the image says.  `params` has room for its parameters.  False: no library has a
 * function that fits, and a launch is to be refused; the function that is filled in makes
 * the device fail. */
int si_function_of(const struct image_entry *entry, rill_param *params, rill_function *function);

/* The same text for as long as the process lives: launches that are pending may name a
 * kernel longer than its module is there.  NULL: no memory. */
const char *si_name(const char *text);

/* Gives libraries and names back; no kernel runs any more. */
void si_functions_end(void);

#endif
