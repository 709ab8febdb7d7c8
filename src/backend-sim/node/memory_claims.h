/* SPDX-License-Identifier: Apache-2.0
 *
 * The memory nodes of an exec, block by block, and how much memory they need on each device:
 * what memory_claims.c makes and exec/memory_launch.c launches.
 */
#ifndef SIM_MEMORY_CLAIMS_H
#define SIM_MEMORY_CLAIMS_H

#include "backend-sim/node/memory_task.h"

/* All that an exec does with one block. */
struct block_use {
    struct graph_block *block;
    uint64_t bytes;            /* of the last alloc node                       */
    uint32_t allocs, frees;    /* nodes                                        */
    bool stays;                /* a launch leaves it allocated                 */
    bool was_live;             /* before the latest launch; the caller's       */
    uint32_t ends;             /* launches underway that free what earlier ones
                                  left; the heap's lock                        */
    uint32_t first, last;      /* chunks of the share where the block lies     */
    struct heap_share *share;       /* of its heap; NULL if there are no allocs     */
};

/* What an exec needs of one device's memory of graphs. */
struct heap_share {
    struct graph_heap *heap;
    uint64_t chunks;           /* that the exec's allocations lie in           */
    uint64_t passing;          /* chunks that no launch leaves in use          */
    struct chunk_set *chunk_set;
    struct heap_share *next;
};

struct exec_memory {
    bool auto_free;
    struct heap_share *shares;
    uint32_t count;             /* of uses                                     */
    uint32_t task_count;
    struct memory_task **tasks; /* retained; in the order of the nodes         */
    struct block_use uses[];
};

#endif
