/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory of one owner that goes all at once.
 *
 * The pieces of a graph are cut from one slab after the other, each half as large as the
 * previous ones together: building a graph calls the heap a few dozen times, and the end of
 * the graph need not find its pieces.  Nothing here is locked.
 */
#ifndef SIM_SLABS_H
#define SIM_SLABS_H

#include <stddef.h>

/* The sizes of blocks are multiples of this. */
#define BLOCK_UNIT 16u

/* Larger blocks lie in the heap by themselves and are given back to it. */
#define BLOCK_CUT_MOST 256u

struct slabs {
    struct slab *first, *last;    /* oldest first                    */
    unsigned char *at, *end;      /* the rest of the last slab       */
    size_t bytes;                 /* of all slabs                    */
    struct lone_block *lone;      /* blocks in the heap              */
    struct spare *spare[BLOCK_CUT_MOST / BLOCK_UNIT + 1]; /* blocks that were freed, by
                                                             their size in units */
};

/* Cuts a piece that stays until the end.  `bytes` is a multiple of `boundary`, which is a power
 * of two; neither exceeds the size of the smallest slab.  Returns NULL if memory is short. */
void *sim_slabs_cut(struct slabs *slabs, size_t bytes, size_t boundary);

/* Allocates a block that may be freed before the end; `bytes` is a multiple of BLOCK_UNIT.
 * Returns NULL if memory is short. */
void *sim_slabs_alloc(struct slabs *slabs, size_t bytes);
void sim_slabs_free(struct slabs *slabs, void *block, size_t bytes);

/* Frees all slabs and blocks. */
void sim_slabs_end(struct slabs *slabs);

#endif
