/* SPDX-License-Identifier: Apache-2.0
 *
 * Blocks: their memory, and running them for a while.  Where a launch has clusters, the functions
 * that take a block take the first one of a cluster, and concern all of them.
 */
#ifndef PTX_RUN_BLOCK_H
#define PTX_RUN_BLOCK_H

#include "ptx/run/machine.h"

/* Returns how many bytes a block needs, on a boundary of 64: with registers and local memory
 * of all its threads, so that a kernel without calls and divergence needs no more. */
size_t ptx_block_bytes(const struct ptx_kernel *kernel, const struct ptx_launch *launch);

/* Makes memory for blocks of the grid, one after the other: in memory that is given, or in
 * its own.  ptx_block_make() returns NULL if there is none. */
struct ptx_block *ptx_block_place(struct ptx_grid *grid, void *memory);
struct ptx_block *ptx_block_make(struct ptx_grid *grid);

/* Frees what the block has taken besides that memory. */
void ptx_block_clear(struct ptx_block *block);

/* Begins block, or cluster, `number` of the grid. */
void ptx_block_begin(struct ptx_block *block, uint64_t number);

/* Runs the block for about `steps` steps.  Returns false if nothing of it is left to run, or
 * the launch has failed. */
bool ptx_block_run(struct ptx_block *block, uint64_t steps);

/* Returns true if all threads of this one block have ended. */
bool ptx_block_is_over(const struct ptx_block *block);

/* Gives each thread at least `bytes` of local memory and keeps what is in it.  Returns false
 * if there is no memory, or too much is wanted. */
bool ptx_local_reserve(struct ptx_block *block, uint32_t bytes);

/* Returns where the variables of an activation end in local memory, on a boundary of 16. */
static inline uint32_t ptx_local_end(const struct ptx_frame *frame)
{
    return frame->local_base + ((frame->program->local_bytes + 15) & ~15u);
}

/* Give the threads other local memory, which is not the block's to free, and their own again. */
void ptx_local_move(struct ptx_block *block, unsigned char *local, uint32_t bytes);
void ptx_local_restore(struct ptx_block *block);

#endif
