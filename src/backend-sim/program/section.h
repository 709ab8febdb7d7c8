/* SPDX-License-Identifier: Apache-2.0
 *
 * A part of a program: a graph that was laid out in it, and where its nodes stand.
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
    uint32_t first;       /* place of slot 0, where they stand slot by slot            */
    uint32_t end;         /* place of the end of the child graph that this is; or NODE_NONE */
    uint32_t *places;     /* by slot; NODE_NONE where no node is; NULL: slot by slot   */
    uint8_t *generations; /* of each slot; NULL: all 0                                 */
    uint32_t *order;      /* slots in the order of creation; NULL: that of the slots   */
    uint32_t *leaves;     /* by number of creation, in their order (pairing.h), if that is
                             not the newest first                                      */
    uint32_t leaf_count;
    uint64_t fingerprint; /* of the graph, where it may be compared slot by slot       */
};

/* All but `places`, `first` and `end`, which are the caller's to say; false when memory is
 * short. */
bool sim_section_keep(struct section *section, const struct sim_graph *graph);
void sim_section_free(struct section *section);
size_t sim_section_bytes(const struct section *section);

/* Where the node in a slot stands, or NODE_NONE. */
static inline uint32_t sim_section_place(const struct section *section, uint32_t slot)
{
    return section->places ? section->places[slot] : section->first + slot;
}

/* The slot of a node by the number of its creation. */
static inline uint32_t sim_section_slot(const struct section *section, uint32_t number)
{
    return section->order ? section->order[number] : number;
}

/* The place of a node, whatever its handle is worth; or NODE_NONE. */
uint32_t sim_section_find(const struct section *section, rill_node node);

#endif
