/* SPDX-License-Identifier: Apache-2.0
 *
 * A launch, the blocks of it that have begun, and how they are run.
 *
 * A block is data, no thread's stack: one that has run for long without an end is put
 * aside, and the next idle thread continues it.  So blocks may wait for each other.  They
 * begin in order; so one that waits for an earlier one always gets what it waits for.  If another
 * order is asked for, that holds of parts of the grid that have room at once.
 * Waiting for a later one works as long as there is room to begin it, which is always so in
 * a cooperative launch.
 *
 * Blocks that have begun go first: blocks that take a lock in turn cost each other a turn,
 * so the fewer there are, the better.  Others begin once all of those had a turn and none
 * came to its end, and then a quarter as many at a time, so that the blocks that are waited
 * for are soon there.
 *
 * The blocks of a cluster are one block here: they begin, run and end together (block.h).
 */
#ifndef PTX_RUN_GRID_H
#define PTX_RUN_GRID_H

#include "base/lock.h"
#include "base/shuffle.h"
#include "ptx/run/machine.h"

struct ptx_grid_checks;

/* The number of multiprocessors, as %nsmid reports it, unless the launch tells another. */
#define PTX_PROCESSORS 132

/* Memory of blocks that were put aside.  Beyond it no other block begins, unless the launch
 * is cooperative. */
#define PTX_ASIDE_BYTES ((size_t)64 << 20)

/* The barrier of a cooperative launch, as compilers know it: kernels find its address in
 * %envreg1 (the upper half) and %envreg2, add to `barrier`, and wait until its highest bit
 * changes. */
struct ptx_workspace {
    uint32_t bytes;             /* of itself                                          */
    _Atomic uint32_t barrier;   /* the kernel's                                       */
};

/* Memory for one block that runs short (spare.h). */
struct ptx_spare {
    struct rl_lock lock;
    struct ptx_block *holder;   /* lock: the first block of its cluster               */
    unsigned char *memory;      /* lock: of the host, for as long as the launch lasts */
    atomic_uint state;          /* whether there is a holder, and it keeps its thread; changed
                                   by that thread, or under the lock                  */
    uint32_t turns;             /* of the holder, by the thread that runs it          */
};

struct ptx_grid {
    const struct ptx_kernel *kernel;
    struct ptx_launch launch;
    unsigned char *params;
    uint64_t blocks;            /* or clusters, or rows of blocks abreast             */
    uint64_t steps;             /* that a thread may run                              */
    uint64_t share;             /* a thread takes one in so many of the blocks left   */
    size_t aside_most;          /* blocks that may be put aside before none begins    */
    _Alignas(64) _Atomic uint64_t next; /* block to begin                             */
    _Atomic uint64_t turn;      /* steps of a block before another one's turn         */
    _Atomic size_t aside_count; /* written under the lock                             */
    size_t vain;                /* lock: blocks put aside since one came to its end   */
    _Atomic size_t credit;      /* blocks that may begin though others are put aside  */
    struct rl_lock lock;
    struct ptx_block *first;    /* in the grid's own memory                           */
    bool own;                   /* that memory is to be freed                         */
    struct ptx_block *free;     /* lock: memory for blocks                            */
    struct ptx_block *aside, **aside_end; /* lock: blocks to go on with, oldest first */
    uint64_t done;              /* lock: added to by threads that leave               */
    uint64_t inside;            /* lock: threads that run blocks                      */
    struct rl_shuffle shuffle;  /* if blocks do not begin in the order of their numbers */
    bool paused;                /* host->pause() was called; by the one thread that runs it */
    struct ptx_grid_checks *checks; /* of all blocks; by the one thread that runs them   */
    bool alone;                 /* one thread runs all blocks                         */
    bool told;                  /* lock: a thread was told that it is done            */
    struct ptx_spare spare;     /* its own lock                                       */
    _Alignas(64) struct ptx_workspace workspace;
};

/* Returns the address of the workspace, or 0 if the launch is not cooperative. */
uint64_t ptx_grid_workspace(const struct ptx_grid *grid);

/* Describes the workspace as an allocation that the kernel reaches; empty if there is none. */
void ptx_grid_show_workspace(const struct ptx_grid *grid, struct ptx_extent *extent);

#endif
