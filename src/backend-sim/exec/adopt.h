/* SPDX-License-Identifier: Apache-2.0
 *
 * A part of a program takes over what the nodes of a graph do, slot by slot.
 *
 * Nothing of it is put down but the graph: of one that is larger than the caches each task
 * is looked at once, when it takes its place.
 */
#ifndef SIM_ADOPT_H
#define SIM_ADOPT_H

#include "backend-sim/program/program.h"

/* A graph of the same shape as the part (outline.h), whose tasks fit. */
struct takeover {
    struct takeover *next;
    struct program *program;
    const struct section *section;
    const struct sim_graph *graph;
};

/* Makes it, both in the program and in what is promised. */
void sim_takeover_make(const struct takeover *takeover);

/* Puts it down for later: the tasks that become others, by place. */
void sim_takeover_list(const struct takeover *takeover, struct task **tasks);

#endif
