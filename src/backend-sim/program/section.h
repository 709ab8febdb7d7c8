/* SPDX-License-Identifier: Apache-2.0
 *
 * A section of a program: a graph that was laid out in it, and where its nodes stand.
 *
 * Most graphs are built in one go, in an order in which each node comes after
 * those that it depends on.  Their nodes stand slot by slot, and none of the arrays
 * here is needed.
 */
#ifndef SIM_SECTION_H
#define SIM_SECTION_H

#include "backend-sim/graph/graph.h"

struct section {
    uint32_t serial;      /* of the graph                                              */
    uint32_t count;       /* of its nodes                                              */
    uint32_t slots;
    uint32_t first;       /* place of slot 0, if nodes stand slot by slot              */
    uint32_t end;         /* of a child graph: the place of its end; else NODE_NONE    */
    uint32_t *places;     /* by slot; NODE_NONE in a free slot; NULL if slot by slot   */
    uint8_t *generations; /* of each slot; NULL if all are 0                           */
    uint32_t *order;      /* slots in the order of creation; NULL if that is their own */
    uint32_t *leaves;     /* by number of creation, in their order (leaves.h), if that
                             is not the newest first                                   */
    uint32_t leaf_count;
    uint64_t fingerprint; /* of the graph, if it can be compared slot by slot          */
};

/* Fills in all but `places`, `first` and `end`, which are the caller's.  Returns false if
 * memory is short. */
bool sim_section_keep(struct section *section, const struct sim_graph *graph);
void sim_section_free(struct section *section);
size_t sim_section_bytes(const struct section *section);

/* Returns the place of the node in a slot, or NODE_NONE. */
static inline uint32_t sim_section_place(const struct section *section, uint32_t slot)
{
    return section->places ? section->places[slot] : section->first + slot;
}

/* Returns the slot of a node by the number of its creation. */
static inline uint32_t sim_section_slot(const struct section *section, uint32_t number)
{
    return section->order ? section->order[number] : number;
}

/* Returns the place of a node, or NODE_NONE if the section has no such node. */
uint32_t sim_section_find(const struct section *section, rill_node node);

#endif
