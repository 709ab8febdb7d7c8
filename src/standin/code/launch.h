/* SPDX-License-Identifier: Apache-2.0
 *
 * Launches, as streams and graphs both have them.
 */
#ifndef SI_LAUNCH_H
#define SI_LAUNCH_H

#include "standin/code/function.h"

/* Arguments, each by a pointer or all in one buffer, into `op`. */
CUresult si_launch_arguments(void **params, void **extra, rill_kernel_op *op);

/* The kernel of a function that can be launched so, and the attributes that it asks for
 * by itself: `attributes`, those of `op`, has room for one more than there are. */
CUresult si_launch_prepare(const struct si_function *function, rill_attribute *attributes,
                           rill_kernel_op *op);

#endif
