/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies of boxes as the driver describes them.
 */
#ifndef SI_COPY_BOX_H
#define SI_COPY_BOX_H

#include "standin/abi/abi.h"

/* Reads a box.  An array must hold all of it; what else there may be wrong is rill's to check.
 * With `peers`, places name contexts, NULL for the current one. */
CUresult si_read_copy(const CUDA_MEMCPY3D *given, int peers, rill_copy *copy);

#endif
