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

#include "backend-sim/launch.h"

struct grid {
    uint64_t blocks;
    atomic_uint *block_ns;         /* what a block took so far, for the next launch of the
                                      kernel; 0: it was never launched               */
    /* Blocks, until none is left to begin.  `helper`: this is not the launching thread. */
    void (*run)(struct grid *grid, bool helper);
    /* Whether one is left that nobody has begun.  Under the grids_lock. */
    bool (*more)(const struct grid *grid);
    /* The device failed: blocks end soon.  NULL: they cannot.  Under the grids_lock. */
    void (*stop)(struct grid *grid);

    /* What the launch is a part of, for the blocks that others run. */
    const struct strand *strand;
    struct launch *launch;

    struct grid *next, *previous;  /* engine's grids_lock                            */
    unsigned members, most;        /* threads in it, and how many may be; grids_lock */
    bool awaited;                  /* the launching thread waits; grids_lock         */
    atomic_uint bell;              /* 1: look again                                  */
};

/* Runs all of the grid, of which the caller has set what is above `strand`. */
void sim_grid_run(struct engine *engine, struct grid *grid);

/* Takes blocks of a grid that wants help, until none is left.  `until`, unless NULL:
 * only of a launch that this point comes behind.  False: there is no such grid. */
bool sim_grid_help(struct engine *engine, const struct point *until);

/* Whether there is one. */
bool sim_grid_wanted(struct engine *engine);

/* Ends what runs, as far as that can be ended; after the engine's attention says why. */
void sim_grids_stop(struct engine *engine);

#endif
