/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory of one owner that goes all at once.
 *
 * What a graph is made of is cut off one slab after the other, each half as large as
 * those before it together: building asks the heap for something a few dozen times,
 * and the end of a graph need not look for what it has.  Nothing here is locked.
 */
#ifndef SIM_SLABS_H
#define SIM_SLABS_H

#include <stddef.h>

/* Blocks are of so many bytes, times a number. */
#define BLOCK_UNIT 16u

/* Larger ones lie in the heap by themselves, and go back to it. */
#define BLOCK_CUT_MOST 256u

struct slabs {
    struct slab *first, *last;    /* oldest first                    */
    unsigned char *at, *end;      /* what is left of the last        */
    size_t bytes;                 /* of all slabs                    */
    struct lone_block *lone;      /* blocks in the heap              */
    struct spare *spare[BLOCK_CUT_MOST / BLOCK_UNIT + 1]; /* blocks that were given back,
                                                             by units */
};

/* Stays until the end.  `bytes` is a multiple of the boundary, that a power of two, both
 * are of a slab's least size at most.  NULL when memory is short, as below. */
void *sim_slabs_cut(struct slabs *slabs, size_t bytes, size_t boundary);

/* A block that may be given back before the end; `bytes` is a multiple of BLOCK_UNIT. */
void *sim_slabs_alloc(struct slabs *slabs, size_t bytes);
void sim_slabs_free(struct slabs *slabs, void *block, size_t bytes);

/* All of it goes. */
void sim_slabs_end(struct slabs *slabs);

#endif
