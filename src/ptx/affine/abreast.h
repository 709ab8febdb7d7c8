/* SPDX-License-Identifier: Apache-2.0
 *
 * Which kernels can have blocks abreast: several blocks, next to each other in x, that run as one.
 */
#ifndef PTX_AFFINE_ABREAST_H
#define PTX_AFFINE_ABREAST_H

#include "ptx/text/module.h"

/* Returns true if blocks of a kernel may run abreast and gain by it, and in `meets` whether the
 * threads of each have something to do with each other.  They may if nothing in it tells blocks
 * from one another but %ctaid, and nobody waits but at one barrier of all threads of a block: no
 * atomic operations, strong accesses, polling, calls, clocks, warps.  They gain unless the place of
 * the block alone decides what it computes with, loads or does: that is the same for all threads of
 * one block, and would be another for each of several.  So is what they all load of shared memory
 * in a loop; and what lies there by no rule is looked for lane by lane. */
bool ptx_may_run_abreast(const struct ptx_function *kernel, bool *meets);

#endif
