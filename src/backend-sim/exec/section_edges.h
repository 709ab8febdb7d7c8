/* SPDX-License-Identifier: Apache-2.0
 *
 * What an exec knows of the shape of a graph that was laid out in it.
 *
 * Whether another graph has the same shape, slot by slot, is told by a fingerprint
 * (graph/fingerprint.h).  For other graphs the edges of the section are read from the program,
 * which has the successors of each node and, for each edge, its position among the
 * dependencies of the node it leads to: the nodes, numbered in the order of their creation,
 * and what each depended on.
 */
#ifndef SIM_SECTION_EDGES_H
#define SIM_SECTION_EDGES_H

#include "backend-sim/program/program.h"

/* A node that another one depends on, by number, and what the edge carries. */
struct dependency {
    uint32_t number : NODE_SLOT_BITS;
    uint32_t data : 32 - NODE_SLOT_BITS;
};

struct section_edges {
    const struct section *section;
    uint32_t count;            /* of nodes                                            */
    uint32_t *places;          /* by number: in the program                           */
    uint32_t *starts;          /* count + 1: where a node's dependencies begin in ... */
    struct dependency *dependencies; /* ... this                                      */
};

/* Returns whether the graph looks like the section slot by slot, the kinds of its nodes
 * included. */
bool sim_section_equals(const struct section *section, const struct sim_graph *graph);

/* Lists the edges of a section.  Returns false if memory is short; `edges` is to be destroyed
 * all the same. */
bool sim_section_edges_create(struct section_edges *edges, const struct program *program,
                              const struct section *section);
void sim_section_edges_destroy(struct section_edges *edges);

#endif
