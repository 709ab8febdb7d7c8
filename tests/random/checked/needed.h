/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs with a bug: what a correct program needs, and what it is without that.
 */
#ifndef CHECKED_NEEDED_H
#define CHECKED_NEEDED_H

#include "random/checked/promised.h"

enum { REMOVALS_MAX = STEPS_MAX + GRAPHS_MAX * NODES_MAX };

/* A wait or synchronization: its step.  An edge: the step of the node, and the node
 * before it; else -1. */
struct removal {
    int16_t step;
    int8_t from;
};

/* Makes *less what the program is without something. */
void removal_apply(struct recorded *less, const struct recorded *program, struct removal removal);

/* Lists all without which acts race and the program still can run.  Returns their number. */
int removals_find(const struct recorded *program, struct removal *removals);

/* Returns which node of its graph a step makes. */
int node_number(const struct recorded *program, int step);

/* Adds an edge to a graph, or removes it, and does the same to the graphs with which the
 * graph's execs are updated: they have to have the same shape. */
void edge_set(struct recorded *program, int graph, int from, int to, bool there);

/* Drops steps for as long as `fails(less, data)` is true, which it is of *program. */
void recorded_shrink(struct recorded *program, bool (*fails)(const struct recorded *, void *),
                     void *data);

#endif
