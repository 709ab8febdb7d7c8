/* SPDX-License-Identifier: Apache-2.0
 *
 * What an exec remembers of the shape of a graph that was laid out in it.
 *
 * A graph of the same shape, slot by slot, is told by a number (shape.h).  For others the
 * outline is drawn from what the program knows, what is behind each node, and of each edge
 * which one of the dependencies of the node behind it it is: the nodes, numbered in
 * the order of their creation, and what each depended on.
 */
#ifndef SIM_SECTION_EDGES_H
#define SIM_SECTION_EDGES_H

#include "backend-sim/program/program.h"

/* The node that one depends on, by number, and what the edge carries. */
struct dependency {
    uint32_t number : NODE_SLOT_BITS;
    uint32_t data : 32 - NODE_SLOT_BITS;
};

struct outline {
    const struct section *section;
    uint32_t count;            /* of nodes                                            */
    uint32_t *places;          /* by number: in the program                           */
    uint32_t *starts;          /* count + 1: where a node's dependencies begin in ... */
    struct dependency *before; /* ... this                                            */
};

/* Whether the graph looks like this part slot by slot, the kinds of its nodes included. */
bool sim_outline_same(const struct section *section, const struct sim_graph *graph);

/* False when memory is short. */
bool sim_outline_draw(struct outline *outline, const struct program *program,
                      const struct section *section);
void sim_outline_erase(struct outline *outline);

#endif
