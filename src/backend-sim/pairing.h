/* SPDX-License-Identifier: Apache-2.0
 *
 * Which node of a graph stands for which node of an exec.
 *
 * A program keeps an outline of each graph that was laid out in it: how many
 * nodes there were, numbered in the order of their creation, and what each
 * depended on.  A graph of the same outline is paired number by number.  Else
 * the ends, which nothing depends on, are paired in their order (graph.h: mostly
 * the newest first), then what paired nodes depend on, in the order of their
 * edges; so a graph whose nodes were created in another order may still fit.
 * All this was measured.
 */
#ifndef SIM_PAIRING_H
#define SIM_PAIRING_H

#include "backend-sim/graph.h"

/* The node that one depends on, by number, and what the edge carries. */
struct dependency {
    uint32_t number : NODE_SLOT_BITS;
    uint32_t data : 32 - NODE_SLOT_BITS;
};

struct outline {
    uint32_t count;
    uint32_t *places;          /* by number: in the program                           */
    uint32_t *starts;          /* count + 1: where a node's dependencies begin in ... */
    struct dependency *before; /* ... this                                            */
    uint32_t *ends;            /* in their order, if that is not the newest first     */
    uint32_t end_count;
};

/* `places` by slot of the graph.  False when memory is short. */
bool sim_outline_keep(struct outline *outline, const struct sim_graph *graph,
                      const uint32_t *places);
void sim_outline_free(struct outline *outline);
size_t sim_outline_bytes(const struct outline *outline);

/* Which node stands for which, in the order in which they were paired; NULL: each
 * slot for the number that it is.  The order of creation is then as good. */
struct pair {
    uint32_t slot;   /* in the graph   */
    uint32_t number; /* in the outline */
};

struct pairing {
    struct pair *pairs;
    bool in_order; /* of creation, both */
};

/* The edge at fault, by handles of the graph; NULL where it is none. */
struct misfit_edge {
    rill_node node, from;
};

/* Whether the graph is of that very outline, slot by slot: nothing is to be
 * looked for then. */
bool sim_outline_same(const struct outline *outline, const struct sim_graph *graph);

/* Pairs all nodes; RILL_ERROR_GRAPH_EXEC_UPDATE_FAILURE when they do not fit. */
rill_status sim_pair(const struct outline *outline, const struct sim_graph *graph,
                     struct pairing *pairing, struct misfit_edge *misfit);

#endif
