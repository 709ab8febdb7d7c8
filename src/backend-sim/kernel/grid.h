/* SPDX-License-Identifier: Apache-2.0
 *
 * A grid: the blocks of one launch of a kernel, which several threads may run.
 *
 * The thread that runs the launch runs blocks of it, and lists the grid with the engine
 * while it does so.  Idle workers take blocks as well, and so do threads that wait for
 * the launch's stream.  Once no block is left to begin, the launching thread waits for
 * the blocks that others are running: for no longer than a block takes, and only if it
 * has nothing else to run.
 *
 * Waking a worker costs more than most grids do.  So a grid relies on threads that are
 * awake; only if the kernel took long when it was last launched does it wake a worker at
 * once, and each worker that joins wakes the next.  A worker that joins on the processor
 * of another member moves to another one first.
 *
 * A device that fails ends the blocks of its grids where that is possible.
 */
#ifndef SIM_GRID_H
#define SIM_GRID_H

#include "backend-sim/scheduler/engine.h"

/* Members of a grid whose processors are noted. */
#define GRID_PROCESSORS 64

struct grid {
    uint64_t blocks;
    atomic_uint *block_ns;         /* duration of a block, for the next launch of the
                                      kernel; 0 before the first launch              */
    /* Runs blocks until none is left to begin.  `helper` tells that the calling thread is not
     * the launching one. */
    void (*run)(struct grid *grid, bool helper);
    /* Tells whether a block is left to begin.  Requires grids->lock. */
    bool (*more)(const struct grid *grid);
    /* Makes blocks end soon, since the device failed.  NULL if they cannot.  Requires
     * grids->lock. */
    void (*stop)(struct grid *grid);

    /* The strand and the context of the launch, for blocks that other threads run. */
    const struct strand *strand;
    struct run_context *context;

    struct grid *next, *previous;  /* grids->lock                                    */
    unsigned members, most;        /* threads in it, and their limit; grids->lock    */
    int processors[GRID_PROCESSORS]; /* where the first ones were when they came; `noted` of
                                      them; grids->lock                              */
    unsigned noted;
    bool awaited;                  /* the launching thread waits; grids->lock        */
    atomic_uint futex_word;        /* 1 tells the launching thread to check again    */
};

/* Runs all of the grid.  The caller has set the fields above `strand`. */
void sim_grid_run(struct engine *engine, struct grid *grid);

/* The grids of a platform. */
struct grids {
    struct rl_lock lock;  /* taken after the engine's   */
    _Atomic(struct grid *) running; /* linked by `next`; stored under the lock */
};

/* The grids as a source of work for idle threads. */
extern const struct work_source sim_grids;

#endif
