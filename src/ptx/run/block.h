/* SPDX-License-Identifier: Apache-2.0
 *
 * Blocks: their memory, and running them for a while.
 */
#ifndef PTX_RUN_BLOCK_H
#define PTX_RUN_BLOCK_H

#include "ptx/run/machine.h"

/* What a block is made in, on a boundary of 64 bytes: registers and local memory of all its
 * threads included, so that whatever neither calls nor goes different ways needs no more. */
size_t ptx_block_bytes(const struct ptx_kernel *kernel, const struct ptx_launch *launch);

/* Memory for one block of the grid after the other: given, or its own; NULL: there is none. */
struct ptx_block *ptx_block_place(struct ptx_grid *grid, void *memory);
struct ptx_block *ptx_block_make(struct ptx_grid *grid);

/* Gives back what it has besides. */
void ptx_block_clear(struct ptx_block *block);

/* The next to run in it is this one of the grid. */
void ptx_block_begin(struct ptx_block *block, uint64_t number);

/* Runs for about so many steps; false: there is nothing more of it to run, or the launch
 * failed. */
bool ptx_block_run(struct ptx_block *block, uint64_t steps);


/* So much local memory for each thread, at least; what is in it stays. */
bool ptx_local_reserve(struct ptx_block *block, uint32_t bytes);

#endif
