/* SPDX-License-Identifier: Apache-2.0
 *
 * A grid: the blocks of one launch of a kernel, which several threads may run.
 *
 * The thread that runs the launch runs blocks of it, and while it does the grid is
 * listed with the engine.  Workers that have nothing to do take blocks as well, and so
 * do threads that wait for the launch's stream.  Once no block is left to begin the
 * launching thread waits for those that others are in the midst of: for no longer than
 * a block takes, and never while there is something that it could do.
 *
 * Waking a worker costs more than most grids do.  So a grid leaves it to those who look
 * on anyway; one that took long when it was launched before calls a worker at once, and
 * each that comes calls the next.
 *
 * A device that fails ends what its grids run, where that is possible.
 */
#ifndef SIM_GRID_H
#define SIM_GRID_H

#include "backend-sim/scheduler/engine.h"

struct grid {
    uint64_t blocks;
    atomic_uint *block_ns;         /* what a block took so far, for the next launch of the
                                      kernel; 0: it was never launched               */
    /* Blocks, until none is left to begin.  `helper`: this is not the launching thread. */
    void (*run)(struct grid *grid, bool helper);
    /* Whether one is left that nobody has begun.  Requires grids->lock. */
    bool (*more)(const struct grid *grid);
    /* The device failed: blocks end soon.  NULL: they cannot.  Requires grids->lock. */
    void (*stop)(struct grid *grid);

    /* What the launch is a part of, for the blocks that others run. */
    const struct strand *strand;
    struct run_context *context;

    struct grid *next, *previous;  /* lock of the grids                              */
    unsigned members, most;        /* threads in it, and how many may be; that lock */
    bool awaited;                  /* the launching thread waits; that lock          */
    atomic_uint futex_word;        /* 1: look again                                  */
};

/* Runs all of the grid, of which the caller has set what is above `strand`. */
void sim_grid_run(struct engine *engine, struct grid *grid);

/* The grids of a platform. */
struct grids {
    struct rl_lock lock;  /* comes behind the engine's */
    struct grid *running; /* through `next`; lock      */
};

/* Those, as shared work. */
extern const struct work_source sim_grids;

#endif
