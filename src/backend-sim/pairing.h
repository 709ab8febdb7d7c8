/* SPDX-License-Identifier: Apache-2.0
 *
 * Which node of a graph stands for which node of an exec.
 *
 * A program keeps an outline of each graph that was laid out in it: how many
 * nodes there were, numbered in the order of their creation, and what each
 * depended on.  A graph of the same outline is paired number by number.  Else
 * the nodes that nothing depends on are paired in their order, the newest
 * first, then what paired nodes depend on, in the order of their edges; so a
 * graph whose nodes were created in another order may still fit.
 */
#ifndef SIM_PAIRING_H
#define SIM_PAIRING_H

#include "backend-sim/graph.h"

struct outline {
    uint32_t count;
    uint32_t *places;    /* by number: in the program                               */
    uint32_t *starts;    /* count + 1: where a node's dependencies begin in ...     */
    struct link *before; /* ... this, by number                                     */
};

/* `places` by slot of the graph.  False when memory is short. */
bool sim_outline_keep(struct outline *outline, const struct sim_graph *graph,
                      const uint32_t *places);
void sim_outline_free(struct outline *outline);

/* The number in the outline of each number in the graph; NULL: the same. */
struct pairing {
    uint32_t *numbers;
};

/* The edge at fault, by handles of the graph; NULL where it is none. */
struct misfit_edge {
    rill_node node, from;
};

/* Pairs all nodes; RILL_ERROR_GRAPH_EXEC_UPDATE_FAILURE when they do not fit. */
rill_status sim_pair(const struct outline *outline, const struct sim_graph *graph,
                     struct pairing *pairing, struct misfit_edge *misfit);
void sim_pairing_free(struct pairing *pairing);

#endif
