/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether pinned memory says that it is portable.
 *
 * A driver cuts small pieces of pinned memory from blocks, one for each kind, and a piece says what
 * its block does: that it is portable if the first piece of the block was asked to be.  A block
 * goes with its last piece.  So it was measured on an H200: pieces of up to 1 MiB share a block of
 * their context, what is combined in writes has blocks of its own, and 2 MiB are a block alone.
 * The memory itself does not lie side by side here.
 */
#ifndef SI_HOST_BLOCK_H
#define SI_HOST_BLOCK_H

#include "standin/context/context.h"

/* Returns the flags that memory has which a program asks for with these. */
unsigned si_host_block_flags(struct si_context *context, size_t bytes, unsigned flags);

/* Notes that memory with these flags was made in a context, or is gone. */
void si_host_block_add(struct si_context *context, size_t bytes, unsigned flags);
void si_host_block_remove(struct si_context *context, size_t bytes, unsigned flags);

#endif
