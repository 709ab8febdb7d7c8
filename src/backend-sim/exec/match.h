/* SPDX-License-Identifier: Apache-2.0
 *
 * Matching the nodes of a graph with those of an exec.
 *
 * A graph that looks the same slot by slot (section_edges.h) needs no matching.  For others
 * the edges of the section are listed.  Then the leaves, which nothing depends on, are matched
 * in their order (program/leaves.h: mostly the newest first), then what matched nodes depend
 * on, in the order of their edges; so a graph whose nodes were created in another order may
 * still be accepted.  All this was measured.
 */
#ifndef SIM_MATCH_H
#define SIM_MATCH_H

#include "backend-sim/exec/section_edges.h"
#include "backend-sim/program/leaves.h"

struct match {
    uint32_t slot;   /* in the graph                   */
    uint32_t number; /* in the section, by creation    */
};

/* Which node stands for which. */
struct matching {
    struct match *matches; /* in the order in which they were found; to be freed */
    uint32_t count;
    bool in_order;         /* both were created in the same order */
};

/* The node or edge at fault, by handles of the graph.  NULL if no node is: the graph has more
 * nodes or fewer, or fewer leaves. */
struct mismatch {
    rill_node node, from;
};

/* Matches all nodes.  Returns RILL_ERROR_GRAPH_EXEC_UPDATE_FAILURE if that is not possible,
 * with the matches found so far and the reason in *mismatch. */
rill_status sim_match_nodes(const struct section_edges *edges, const struct sim_graph *graph,
                            struct matching *matching, struct mismatch *mismatch);

#endif
