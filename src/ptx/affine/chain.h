/* SPDX-License-Identifier: Apache-2.0
 *
 * Steps that are put off, so that what one writes is still in the first cache, or was never
 * copied, when the next one reads it.
 *
 * A load from affine addresses begins a chain: its column is owed (PTX_OWED) what is in memory.
 * Arithmetic that has strips (step/form.h) joins it, and reads of memory what nobody else reads.  A
 * store ends it: then all of it is taken, some lanes after the others.  A step that wants to write
 * lanes, to read some that are owed, or to access memory has it taken before (ptx_catch_up()); so
 * what memory holds is what it would hold if each step had been taken when it came.
 */
#ifndef PTX_AFFINE_CHAIN_H
#define PTX_AFFINE_CHAIN_H

#include "ptx/affine/reach.h"

/* Put a step off that has strips, or loads or stores one number of 4 bytes.  Return false if it is
 * to be taken now; the chain may have been taken then. */
bool ptx_put_off(struct ptx_group *group, const struct ptx_step *step, unsigned sources);
bool ptx_put_off_load(struct ptx_group *group, const struct ptx_step *step,
                      const struct ptx_reach *reach);
bool ptx_put_off_store(struct ptx_group *group, const struct ptx_step *step,
                       const struct ptx_reach *reach);

#endif
