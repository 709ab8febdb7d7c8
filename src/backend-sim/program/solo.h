/* SPDX-License-Identifier: Apache-2.0
 *
 * One thread runs a program from the first place to the last, in a plain loop:
 * for most graphs nothing is faster.
 *
 * A loop can take long, or stand still in a function that waits for another one
 * of the graph.  So somebody who looks on for a while may take over what the
 * loop has not begun: from then on several threads share it (gang.h).  The loop
 * pays for that with one store and two loads a node.
 */
#ifndef SIM_SOLO_H
#define SIM_SOLO_H

#include "backend-sim/program/program.h"
#include "backend-sim/scheduler/engine.h"

/* Runs the program for the launch that this thread is in the midst of.  NULL:
 * all of it ran.  Else the gang that has the rest, and this thread as a member;
 * the seat is in *seat. */
struct gang *sim_solo_run(struct engine *engine, struct program *program, uint32_t *seat);

/* The loops of a platform that others may take over from. */
struct solos {
    struct rl_lock lock;  /* comes behind the engine's */
    struct solo *running; /* through `next`; lock      */
};

/* Those, as shared work: whoever has nothing better to do takes over what has run for long,
 * and helps there. */
extern const struct work_source sim_solos;

#endif
