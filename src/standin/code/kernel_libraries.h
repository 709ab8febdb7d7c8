/* SPDX-License-Identifier: Apache-2.0
 *
 * What kernels do: C functions out of the libraries that RILL_KERNELS names
 * (<rill/standin.h>).
 */
#ifndef SI_KERNEL_LIBRARIES_H
#define SI_KERNEL_LIBRARIES_H

#include "standin/abi/abi.h"
#include "standin/image/image.h"

/* Loads the libraries, when it is called first. */
CUresult si_kernel_libraries_load(void);

/* Fills in what rill is to know of a kernel: the function with its name, and the rest as
 * the image says.  `params` has room for its parameters.  Returns 0 if no library has a
 * function that fits, so that a launch is to be refused; the function that is filled in
 * makes the device fail. */
int si_find_c_function(const struct image_entry *entry, rill_param *params,
                       rill_function *function);

/* Unloads the libraries; no kernel runs any more. */
void si_kernel_libraries_end(void);

#endif
