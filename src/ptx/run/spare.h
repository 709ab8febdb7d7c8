/* SPDX-License-Identifier: Apache-2.0
 *
 * What a block gets when memory is short while it runs.
 *
 * A kernel that calls functions, or whose threads go different ways, needs more memory than it
 * began with, and by then it is too late to refuse the launch.  So the host keeps memory that is
 * enough for one block, whatever its threads do: a group for each of them, frames for the
 * longest chain of calls of each bundle, local memory for that chain.  One block of a grid
 * holds it at a time, from the moment when it finds no other memory until it ends.
 *
 * That block keeps its thread, so that it ends soon, and blocks that are short meanwhile wait
 * for it.  If it has not ended after many turns it may be waiting for another block; then it is
 * put aside like any other, and no block waits for it any more: those that are short fail.
 * Where frames are short in the block itself, a group waits at its call until another group
 * has returned.  Recursion is not provided for.
 */
#ifndef PTX_RUN_SPARE_H
#define PTX_RUN_SPARE_H

#include "ptx/run/grid.h"

/* Gives the block all that it may need.  Returns false if it has that already, or there is
 * nothing to give; the launch is to fail then. */
bool ptx_spare_take(struct ptx_block *block);

/* Moves local memory of at least `bytes` for each thread into what the block was given.  Returns
 * false if there is not so much. */
bool ptx_spare_local(struct ptx_block *block, uint32_t bytes);

/* Returns true if a group or bundle of the block that found no frame may try again later. */
bool ptx_spare_waits(struct ptx_block *block);

/* Returns true if the calling thread, which runs the block, is to go on with it. */
bool ptx_spare_keeps(struct ptx_block *block);

/* Takes back what a block was given; nothing of it runs any more. */
void ptx_spare_leave(struct ptx_block *block);

#endif
