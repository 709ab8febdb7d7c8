/* SPDX-License-Identifier: Apache-2.0
 *
 * A launch, the blocks of it that have begun, and how they are run.
 *
 * A block is data, no thread's stack: one that has run for long without an end is put
 * aside, and whoever has nothing better to do goes on with it.  So blocks may wait for each
 * other.  They begin in order; so one that waits for an earlier one always gets what it
 * waits for.  Waiting for a later one works as long as there is room to begin it, which is
 * always so in a cooperative launch.
 *
 * What has begun goes first: blocks that take a lock in turn cost each other a turn, so the
 * fewer there are, the better.  Others begin once all of those had a turn and none came to
 * its end, and then by the quarter, so that those that are waited for are soon there.
 */
#ifndef PTX_RUN_GRID_H
#define PTX_RUN_GRID_H

#include "base/lock.h"
#include "ptx/run/lane_group.h"

/* Multiprocessors that %nsmid speaks of. */
#define PTX_PROCESSORS 132

/* Memory of blocks that have begun and are put aside, beyond which no other begins unless
 * the launch is cooperative. */
#define PTX_ASIDE_BYTES ((size_t)64 << 20)

/* What the barrier of a cooperative launch is made of, as compilers know it: kernels find its
 * address in %envreg1 (the upper half) and %envreg2, add to `barrier`, and wait until its
 * highest bit is another. */
struct ptx_workspace {
    uint32_t bytes;             /* of itself                                          */
    _Atomic uint32_t barrier;   /* the kernel's                                       */
};

struct ptx_grid {
    const struct ptx_kernel *kernel;
    struct ptx_launch launch;
    unsigned char *params;
    uint64_t blocks;
    uint64_t steps;             /* that a thread may run                              */
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
    bool told;                  /* lock: somebody has learnt that it is done          */
    _Alignas(64) struct ptx_workspace workspace;
};

/* The address of its workspace; 0: it is no cooperative launch, and has none. */
uint64_t ptx_grid_workspace(const struct ptx_grid *grid);

/* The same as what a kernel reaches; empty of others. */
void ptx_grid_show_workspace(const struct ptx_grid *grid, struct ptx_extent *extent);

/* ---- block.c ------------------------------------------------------------------------ */

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

/* ---- bundle.c ------------------------------------------------------------------------- */

/* Of these threads of the block; it has its memory already. */
void ptx_bundle_place(struct ptx_bundle *bundle, struct ptx_block *block, uint32_t first,
                      uint32_t threads);

/* Whole warps. */
static inline uint32_t ptx_lanes_of(uint32_t threads)
{
    return (threads + PTX_WARP - 1) / PTX_WARP * PTX_WARP;
}

/* A block begins, with all threads alive. */
void ptx_bundle_reset(struct ptx_bundle *bundle);
bool ptx_bundle_begin(struct ptx_bundle *bundle);

/* Gives back what a launch that failed has left. */
void ptx_bundle_clear(struct ptx_bundle *bundle);

/* Runs groups for about so many steps, or until none can run; returns how many it were. */
uint64_t ptx_bundle_run(struct ptx_bundle *bundle, uint64_t steps);

/* So much local memory for each thread, at least; what is in it stays. */
bool ptx_local_reserve(struct ptx_block *block, uint32_t bytes);

/* ---- barrier.c ---------------------------------------------------------------------- */

/* In memory that is zeroed, of so many bytes. */
size_t ptx_barriers_bytes(uint32_t warps);
struct ptx_barriers *ptx_barriers_place(void *memory, uint32_t warps);
void ptx_barriers_reset(struct ptx_barriers *barriers);

/* ---- fault.c ------------------------------------------------------------------------ */

/* The launch fails without a thread that is to blame; the sentence stands for itself. */
void ptx_grid_fail(struct ptx_grid *grid, rill_status status, const char *sentence);

/* Nothing in the block can go on, and it is not at its end. */
void ptx_fail_deadlock(struct ptx_block *block);

#endif
