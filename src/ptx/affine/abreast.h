/* SPDX-License-Identifier: Apache-2.0
 *
 * Which kernels can have blocks abreast: several blocks, next to each other in x, that run as one.
 */
#ifndef PTX_AFFINE_ABREAST_H
#define PTX_AFFINE_ABREAST_H

#include "ptx/text/module.h"

/* Returns true if blocks of a kernel may run abreast and gain by it.  They may if nothing in it
 * tells blocks from one another but %ctaid, and nobody waits: no shared memory, barriers, atomic
 * operations, strong accesses, calls, clocks, warps.  They gain unless the place of the block alone
 * decides what it computes with, loads or does: that is the same for all threads of one block, and
 * would be another for each of several. */
bool ptx_may_run_abreast(const struct ptx_function *kernel);

#endif
