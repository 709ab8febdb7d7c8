/* SPDX-License-Identifier: Apache-2.0
 *
 * Launches, for streams and graphs.
 */
#ifndef SI_LAUNCH_H
#define SI_LAUNCH_H

#include "standin/code/function.h"

/* Writes arguments, each by a pointer or all in one buffer, into `op`. */
CUresult si_launch_arguments(void **params, void **extra, rill_kernel_op *op);

/* Sets the kernel of `op`, if it can be launched so, and adds the attribute that the kernel
 * asks for by itself: `attributes`, those of `op`, has room for one more. */
CUresult si_launch_prepare(const struct si_function *function, rill_attribute *attributes,
                           rill_kernel_op *op);

/* Prepares a launch of the function, which has all else, and submits it to the stream there. */
CUresult si_launch_submit(const struct si_function *function, const struct si_place *place,
                          rill_op *op, rill_attribute *attributes);

#endif
