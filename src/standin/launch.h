/* SPDX-License-Identifier: Apache-2.0
 *
 * Launches, as streams and graphs both have them.
 */
#ifndef SI_LAUNCH_H
#define SI_LAUNCH_H

#include "standin/module.h"

/* Arguments, each by a pointer or all in one buffer, into `op`. */
CUresult si_launch_arguments(void **params, void **extra, rill_kernel_op *op);

/* Attributes as rill has them, `count` of them. */
CUresult si_launch_attributes(const CUlaunchAttribute *given, unsigned count,
                              rill_attribute *attributes);

#endif
