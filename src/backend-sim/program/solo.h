/* SPDX-License-Identifier: Apache-2.0
 *
 * One thread runs a program from the first place to the last, in a plain loop:
 * for most graphs nothing is faster.
 *
 * A loop can take long, or stand still in a function that waits for another one
 * of the graph.  So a thread that looks on for a while may split off what the
 * loop has not begun: from then on several threads share it (gang.h).  The loop
 * pays for that with one store and two loads a node.
 */
#ifndef SIM_SOLO_H
#define SIM_SOLO_H

#include "backend-sim/program/program.h"
#include "backend-sim/scheduler/engine.h"

/* Runs the program as part of the launch that this thread runs.  Returns NULL if all of it
 * ran; else the gang that has the rest, with this thread as a member on *seat. */
struct gang *sim_solo_run(struct engine *engine, struct program *program, uint32_t *seat);

/* The loops of a platform that others may split. */
struct solos {
    struct rl_lock lock;  /* taken after engine->lock */
    _Atomic(struct solo *) running; /* through `next`; stored under the lock */
};

/* Loops as shared work: an idle thread splits a loop that has run for long, and helps there. */
extern const struct work_source sim_solos;

#endif
