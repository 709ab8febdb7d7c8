/* SPDX-License-Identifier: Apache-2.0
 *
 * Which node of a graph stands for which node of an exec.
 *
 * A graph that looks the same slot by slot (outline.h) needs no pairing.  For
 * others an outline is drawn.  Then the ends, which nothing depends on, are paired
 * in their order (graph.h: mostly the newest first), then what paired nodes depend
 * on, in the order of their edges; so a graph whose nodes were created in another
 * order may still fit.  All this was measured.
 */
#ifndef SIM_MATCH_H
#define SIM_MATCH_H

#include "backend-sim/exec/section_edges.h"
#include "backend-sim/program/leaves.h"

/* Which node stands for which, in the order in which they were paired. */
struct pair {
    uint32_t slot;   /* in the graph   */
    uint32_t number; /* in the outline */
};

struct pairing {
    struct pair *pairs;
    uint32_t count;
    bool in_order; /* of creation, both */
};

/* The node or edge at fault, by handles of the graph; NULL where it is none: the graph has
 * more nodes or fewer, or fewer that nothing depends on. */
struct misfit_edge {
    rill_node node, from;
};

/* Pairs all nodes; RILL_ERROR_GRAPH_EXEC_UPDATE_FAILURE when they do not fit, with those
 * that were paired until then. */
rill_status sim_pair(const struct outline *outline, const struct sim_graph *graph,
                     struct pairing *pairing, struct misfit_edge *misfit);

#endif
