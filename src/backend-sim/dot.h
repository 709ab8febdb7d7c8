/* SPDX-License-Identifier: Apache-2.0
 *
 * Graphviz text on its way to whoever asked for it, in pieces.  The words, shapes
 * and orders are the driver's, so that what reads its text reads this; what it has
 * no words for, labels and what edges carry, is added.
 */
#ifndef SIM_DOT_H
#define SIM_DOT_H

#include "backend-sim/graph.h"

#define DOT_PIECE 1024

struct dot {
    rill_write_fn write;
    void *data;
    uint32_t flags;
    const struct sim_graph *graph; /* whose nodes are written             */
    uint32_t *ranks;               /* of its nodes, by slot; NULL: not said */
    bool failed;                   /* `write` wants no more               */
    size_t used;
    char piece[DOT_PIECE];
};

static inline bool sim_dot_wants(const struct dot *dot, uint32_t flag)
{
    return dot->flags & (flag | RILL_DOT_VERBOSE);
}

/* As it is. */
void sim_dot_put(struct dot *dot, const char *text);
void sim_dot_print(struct dot *dot, const char *format, ...) RILL_PRINTF_FORMAT(2, 3);

/* Within double quotes, and there within a field of a record, whatever it holds. */
void sim_dot_quote(struct dot *dot, const char *text);
void sim_dot_field(struct dot *dot, const char *text);

/* ---- What a node says (dot_node.c, dot_op.c) ------------------------------------------ */

/* "3", or "3 (topoId: 5)". */
void sim_dot_id(struct dot *dot, uint32_t slot);

/* The attributes of a node, from its bracket to its semicolon. */
void sim_dot_node(struct dot *dot, uint32_t slot);

/* The same of kinds that are written as records; false: the flags ask for none. */
bool sim_dot_record(struct dot *dot, uint32_t slot);

/* "<<<{3,2},32,256>>>", for either. */
void sim_dot_launch(struct dot *dot, const rill_kernel_op *op);

#endif
