/* SPDX-License-Identifier: Apache-2.0
 *
 * The nodes of a graph by number, in the order of their creation, and its leaves, which
 * nothing depends on, in theirs (graph.h: mostly the newest first).
 */
#ifndef SIM_LEAVES_H
#define SIM_LEAVES_H

#include "backend-sim/graph/graph.h"

struct numbering {
    uint32_t *slots;   /* by number; to be freed         */
    uint32_t *numbers; /* by slot; only used ones are set */
};

/* Numbers the nodes.  Returns false if memory is short. */
bool sim_numbering_make(struct numbering *numbering, const struct sim_graph *graph);

/* Returns the numbers of the leaves in their order, to be freed, or NULL if memory is
 * short. */
uint32_t *sim_leaves_list(const struct sim_graph *graph, const struct numbering *of,
                          uint32_t *count);

#endif
