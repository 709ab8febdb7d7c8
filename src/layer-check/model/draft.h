/* SPDX-License-Identifier: Apache-2.0
 *
 * Drafts: what is read of a graph, and of those inside its nodes, to make a model of.
 */
#ifndef CK_DRAFT_H
#define CK_DRAFT_H

#include "layer-check/model/model.h"

struct ck_draft {
    const struct ck_survey *survey;
    struct ck_place *places; /* by number, from 1; `begin` is the number of the node's end */
    struct ck_node **nodes;
    uint32_t count, room;
    struct ck_edge *edges;
    uint32_t edge_count, edge_room;
    bool bodies, effects, touches; /* as in the model */
    struct ck_hull host;           /* ditto           */
    struct cs_frame *frame;  /* the graph that is being read, or NULL */
};

/* Reads a graph into an empty draft.  Returns false if it cannot be read, or memory is short. */
bool ck_draft_read(struct ck_draft *draft, rill_graph *graph);

/* Frees what the draft still has. */
void ck_draft_fini(struct ck_draft *draft);

#endif
