/* SPDX-License-Identifier: Apache-2.0
 *
 * The threads of a block, as they run.
 *
 * A block is cut into bundles of up to PTX_BUNDLE threads, whole warps of 32; blocks that are
 * abreast, which have no part in each other, are one of up to PTX_WIDEST.  A bundle runs
 * in lock-step: one step is taken by all lanes of a group before the next step.  A group is
 * a set of lanes that stand at the same step of the same activation (frame) of a function.
 * A bundle begins as one group.  It splits where only some of its lanes take a branch, and
 * groups that come to stand at the same step become one again.  The group that has the
 * longest way to go runs first, so that this happens as early as it can, but not for ever:
 * each group that could run gets its turn (the lanes of a warp may wait for each other, as
 * they may on a GPU).
 *
 * A group's lanes are kept as ranges, so that steps loop over them without looking at a
 * mask; mostly there is a single one.
 *
 * All of it belongs to the one thread that runs the block at the moment.
 */
#ifndef PTX_RUN_MACHINE_H
#define PTX_RUN_MACHINE_H

#include "ptx/run/program.h"

#define PTX_BUNDLE 256
#define PTX_WIDEST 4096
#define PTX_WARP 32

/* Lanes `from` to `to` - 1. */
struct ptx_range {
    uint32_t from, to;
};

struct ptx_mask {
    uint64_t bits[PTX_WIDEST / 64];
    bool wide;                   /* of more than PTX_BUNDLE lanes; else the first words are all */
};

/* What a frame knows of a column, so that steps need not loop over lanes (room affine).  Most
 * registers are the same for all threads of a bundle, or affine in the place of the thread in the
 * block: a value at the corner of the bundle, plus slopes times the distances in x, y and z from
 * there, all of it modulo the size of the register.  Of blocks that are abreast the third distance
 * is that of the block.  It holds for all lanes that have not exited. */
enum ptx_known {
    PTX_SAME = 1,                /* all lanes have the value in `once`                 */
    PTX_SLOPED = 2,              /* they have that at the corner, and there are slopes; 4 or 8
                                    bytes                                              */
    PTX_STALE = 4,               /* one of these, and the lanes were not written       */
    PTX_OWED = 8,                /* the lanes will be, by the chain; `once` says what of it */
    PTX_BOXED = 16               /* a predicate: lanes outside of a box have what is in `once`,
                                    those inside the other answer                      */
};

/* Lanes of a bundle, as rows of the block, or of all blocks that are abreast: those from x[0] to
 * x[1] - 1 of the rows from y[0] to y[1] - 1. */
struct ptx_lane_box {
    uint16_t x[2], y[2];
};

/* What is added for each step in x, y and z.  Where the bundle has no extent it is 0. */
struct ptx_slope {
    int64_t along[3];
};

/* What slopes come to in a bundle. */
struct ptx_climb {
    struct ptx_slope slope;
    uint64_t below, above;       /* that lanes are, seen from the corner               */
    int64_t stride;              /* from lane to lane of a row                         */
    int64_t pitch;               /* from row to row                                    */
    uint32_t row;                /* lanes of a row                                     */
    uint32_t rows;               /* so many are as far from each other                 */
    uint32_t bits;               /* of the lowest ones: that a slope has               */
    bool steep;                  /* a bundle might wrap around the address space       */
    bool line;                   /* all lanes are one row                              */
    bool even;                   /* all rows are as far from each other                */
};

#define PTX_CLIMBS 8

/* One activation of a function. */
struct ptx_frame {
    struct ptx_frame *parent;    /* NULL for the kernel itself; the next of a free one */
    const struct ptx_program *program;
    const struct ptx_step *call; /* the parent's; it goes on after it                  */
    uint32_t references;         /* groups in it, and frames that it called            */
    uint32_t local_base;         /* of its variables in each thread's local memory     */
    uint32_t taken;              /* behind those, at most: by alloca of some lane      */
    uint32_t depth;
    uint64_t number;             /* which of the bundle's it is                        */
    size_t bytes;                /* of its columns                                     */
    const struct ptx_program *filled; /* whose constants are in the columns, ...       */
    uint32_t filled_lanes;       /* ... for so many lanes                              */
    bool fresh;                  /* never used: its columns are to be zeroed           */
    unsigned char *columns;      /* 64-byte aligned                                    */
    uint8_t *known;              /* by column: enum ptx_known                          */
    unsigned char *once;         /* by column: columns of a single lane                */
    struct ptx_slope *slopes;    /* by column / 4                                      */
    struct ptx_lane_box *boxes;  /* by column                                          */
};

/* ---- Steps that were put off -------------------------------------------------------------- */

/* Numbers of 4 bytes of all lanes, as rows: that of lane x of row y is at
 * first + y * pitch + x * stride. */
struct ptx_rows {
    unsigned char *first;
    ptrdiff_t pitch;
    uint32_t stride;             /* 4, or 0 if a row has one number                    */
    bool line;                   /* the first row goes on as the others                */
};

/* Rows that a step reads of memory, or will, and the bytes from the first to the last. */
struct ptx_chain_read {
    struct ptx_rows rows;
    const unsigned char *from, *to;
    uint32_t column;             /* that is owed them                                  */
};

/* A step over some lanes: d and a, b, c, which it loops over (step/form.h). */
struct ptx_chain_link {
    void (*run)(const struct ptx_strip *strip);
    const struct ptx_strips *strips; /* of arithmetic; NULL of a copy                  */
    struct ptx_rows rows[4];
    uint32_t numbers[4];         /* what is the same for all lanes: rows of it are here */
    uint32_t column;             /* that is owed d, or none                            */
    uint32_t operands;
    uint32_t flows;              /* the operand that is the result of the link before, which nobody
                                    else reads; or 0                                   */
};

#define PTX_LINKS 32

/* Steps of a group that has all lanes which have not exited.  They are taken together, a few lanes
 * after the other (affine/chain.h), before anybody looks at what they write. */
struct ptx_chain {
    void (*take)(const struct ptx_group *group); /* takes them; NULL while there are none */
    bool lines;                  /* all rows are lines                                 */
    uint32_t count, reads;
    struct ptx_chain_link links[PTX_LINKS];
    struct ptx_chain_read read[PTX_LINKS];
};

enum ptx_group_state {
    PTX_RUNNING,                 /* or could                                           */
    PTX_YIELDS,                  /* could, but its turn is over                        */
    PTX_AT_BARRIER,
    PTX_AT_WARP_SYNC,            /* with other lanes of its warps (warp_sync.h)          */
    PTX_AT_WHOLE_WARP,           /* for all others of its warps (whole_warp.h)           */
    PTX_AT_WHOLE_WARPGROUP,      /* ... of the four warps to which each belongs          */
    PTX_GONE                     /* it has no lanes any more                           */
};

struct ptx_group {
    unsigned char *columns;      /* of the frame                                       */
    uint32_t lanes;              /* of the bundle: elements of a column                */
    uint32_t range_count;        /* of the lanes that take this step                   */
    const struct ptx_range *ranges;
    bool whole;                  /* they are all lanes of the bundle that have not exited */
    struct ptx_bundle *bundle;
    struct ptx_block *block;
    struct ptx_frame *frame;
    struct ptx_chain *chain;     /* of the block: nothing is in it but while a group runs */
    const struct ptx_step *next; /* to be taken                                        */
    /* The rest is for those that move groups (lane_group.h). */
    const struct ptx_step *limit; /* leaders from here on may be another group's place  */
    const struct ptx_step *since; /* steps from here on are not in `steps` yet          */
    const struct ptx_step *at;   /* what it waits in                                   */
    uint64_t steps;              /* that its lanes have run, at most                   */
    uint64_t stop;               /* its turn is over then                              */
    uint64_t turn;               /* when it had its last one                           */
    struct ptx_group *other;     /* the next of the bundle's, by place                 */
    struct ptx_mask mask;        /* its lanes, guards aside                            */
    uint8_t state;               /* enum ptx_group_state                               */
    uint8_t barrier;             /* that it waits at                                   */
    uint8_t vain;                /* atomic operations in a row that changed nothing    */
    bool gave_up;                /* its turn is over since they were many              */
    uint32_t own_count;
    struct ptx_range own[];      /* of `mask`: half as many as a bundle of the block has lanes */
};

/* What loops over lanes are written with:
 *
 *     static void add_u32(struct ptx_group *group, const struct ptx_step *step)
 *     {
 *         uint32_t *d = PTX_COLUMN(group, step->d, uint32_t);
 *         const uint32_t *a = PTX_COLUMN(group, step->a, uint32_t);
 *         const uint32_t *b = PTX_COLUMN(group, step->b, uint32_t);
 *         PTX_EACH_LANE(group, i) d[i] = a[i] + b[i];
 *     }
 */
#define PTX_COLUMN(group, column, type) \
    ((type *)(void *)((group)->columns + (size_t)(column) * (group)->lanes))

#ifdef __clang__
#pragma clang diagnostic ignored "-Wpass-failed" /* some CPUs cannot do some of it         */
#define PTX_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define PTX_INDEPENDENT _Pragma("GCC ivdep")
#endif

#define PTX_EACH_LANE(group, i) \
    for (const struct ptx_range *range_ = (group)->ranges, *ranges_end_ = range_ + \
         (group)->range_count; range_ < ranges_end_; range_++) \
        PTX_INDEPENDENT for (uint32_t i = range_->from, i##_end_ = range_->to; i < i##_end_; i++)

/* ---- Bundles and blocks ---------------------------------------------------------------- */

struct ptx_bundle {
    struct ptx_block *block;
    uint32_t first;              /* thread of the block                                */
    uint32_t lanes;              /* a multiple of 32; those past `threads` never run   */
    uint32_t threads;
    uint32_t across;             /* blocks abreast in it                               */
    uint32_t row_lanes;          /* of a row of the block, or of all that are abreast  */
    uint32_t *places;            /* of the threads: x of all lanes, then y, then z, or which of
                                    the blocks abreast they are in                     */
    uint32_t corner[3];          /* the least x, y and z of its threads                */
    uint32_t extent[3];          /* the largest, less that                             */
    bool upright;                /* lane 0 is at the corner                            */
    bool in_rows;                /* and its row begins there                           */
    unsigned char *local;        /* of lane i: from local + i * local_bytes on         */
    struct ptx_mask alive;       /* lanes that have not exited                         */
    struct ptx_climb climbs[PTX_CLIMBS]; /* of accesses, the last ones: by column      */
    struct ptx_mask arrived;     /* at the barrier of the cluster, in this phase; of those that
                                    have exited as well, until the phase ends          */
    struct ptx_group *groups;    /* that can run, the least advanced one first         */
    struct ptx_group *waiting;   /* that cannot                                        */
    bool begun;                  /* it has its first group                             */
    uint64_t frame_count;        /* that were begun                                    */
    uint64_t turns;
    uint64_t patience, spent;    /* steps for which all others may be kept waiting     */
    uint32_t vain;               /* turns in a row that groups gave up                 */
    bool sync_due;               /* meetings may have become complete                  */
};

/* Returns which of the blocks abreast each lane is in. */
static inline const uint32_t *ptx_blocks_of(const struct ptx_bundle *bundle)
{
    return bundle->places + 2 * (size_t)bundle->lanes;
}

/* The blocks of a cluster lie in memory one after the other, and one thread runs them all, in
 * turn: what the grid begins, puts aside and ends is the first of them.
 *
 * Small blocks of some kernels run abreast: several, next to each other in the grid, are one block
 * here, as if the block had a depth.  Their lanes follow each other row by row: the first row of
 * all blocks, then the second. */
struct ptx_block {
    struct ptx_grid *grid;
    const struct ptx_launch *launch;
    const struct ptx_kernel *kernel;
    uint32_t index[3];           /* of blocks abreast, that of the first one           */
    uint64_t number;             /* in the grid                                        */
    uint32_t abreast;            /* blocks that it has room for, next to each other in x; then its
                                    threads have no z, and it is theirs                */
    struct ptx_block *cluster;   /* the first block of its cluster                     */
    uint32_t cluster_blocks;     /* in the cluster; 1 without clusters                 */
    uint32_t rank;               /* in the cluster                                     */
    bool arrivals;               /* of the first: threads have arrived in this phase of the
                                    barrier of the cluster                             */
    unsigned char *shared;
    uint32_t shared_bytes;       /* static and dynamic                                 */
    uint32_t shared_pitch;       /* from that of a block to that of the next one abreast */
    uint32_t local_bytes;        /* of each thread                                     */
    uint32_t bundle_count;
    uint32_t bundle_lanes;       /* of each, but the last may have fewer               */
    struct ptx_bundle *bundles;
    size_t bytes;                /* of memory, from here on, that hold all of it but what
                                    a kernel needs that calls, or goes different ways  */
    bool stretched;              /* its bundles have local memory of their own         */
    unsigned char *spare;        /* what it was given as memory was short (spare.h), or NULL */
    uint32_t starved;            /* attempts in vain to begin a frame of that          */
    struct ptx_group *free_groups;
    struct ptx_frame *free_frames; /* the one that was left last first                 */
    uint64_t bundle_steps;       /* of a bundle's turn                                 */
    struct ptx_tlb *tlb;         /* allocations that were found lately                 */
    struct ptx_chain *chain;     /* of the group that runs                             */
    struct ptx_range *guarded;   /* lanes of that group that take a step with a guard: as many as
                                    a group's own; too many for a small stack          */
    void *scratch;               /* for the step that is taken: the code's scratch_bytes, of
                                    whole lines                                        */
    bool watched;                /* its accesses: there are `checks`, or `touches`     */
    bool by_lane;                /* and each lane's are looked at, not `touches` alone  */
    struct ptx_checks *checks;   /* NULL unless asked for                              */
    struct ptx_touches *touches; /* of the thread that runs it; NULL unless asked for  */
    struct ptx_barriers *barriers; /* of bar and barrier                               */
    const unsigned char *params; /* of the launch                                      */
    struct ptx_block *next;      /* of the grid's: free, or put aside                  */
};

/* Returns a block of the same cluster. */
static inline struct ptx_block *ptx_cluster_block(const struct ptx_block *block, uint32_t rank)
{
    return (struct ptx_block *)(void *)((unsigned char *)block->cluster + rank * block->bytes);
}

#endif
