/* SPDX-License-Identifier: Apache-2.0
 *
 * A section of a program adopts the tasks of a graph, slot by slot.
 *
 * An adoption names no task, only the graph: of a graph that is larger than the caches each
 * task is looked at once, when it takes its place.
 */
#ifndef SIM_ADOPT_H
#define SIM_ADOPT_H

#include "backend-sim/program/program.h"

/* A graph of the same shape as the section (section_edges.h), whose tasks may replace those
 * of the section. */
struct adoption {
    struct adoption *next;
    struct program *program;
    const struct section *section;
    const struct sim_graph *graph;
};

/* Puts the tasks into the program and makes them the next ones. */
void sim_adopt_tasks(const struct adoption *adoption);

/* Lists, by place, the tasks that the adoption would change; NULL for those that stay. */
void sim_adopted_tasks(const struct adoption *adoption, struct task **tasks);

#endif
