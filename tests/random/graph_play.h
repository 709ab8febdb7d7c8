/* SPDX-License-Identifier: Apache-2.0
 *
 * Graph plans on the simulator: their graphs and execs, and what their nodes note.
 */
#ifndef GRAPH_PLAY_H
#define GRAPH_PLAY_H

#include <rill/rill.h>
#include <rill/sim.h>

#include <stdatomic.h>

#include "random/model.h"

struct play;
struct post;

/* One operation that a host node was given. */
struct duty {
    struct post *post;
    unsigned version, given;
    atomic_uint destroyed;
};

/* A node.  All is plain, written by the node's code and read by whatever is ordered
 * behind or before it, so that ThreadSanitizer sees any order that is not there. */
struct post {
    struct play *play;
    int graph, node;
    unsigned told;                /* runs of all launches            */
    uint8_t ran[LAUNCHES_MAX];    /* of each                         */
    rill_devptr cell;
    struct duty duty[VERSIONS_MAX];
};

/* A graph made of a plan. */
struct built_graph {
    rill_graph *graph, *part[PARTS_MAX]; /* all but the first are borrowed */
    rill_node node[NODES_MAX];
    rill_conditional handle[NODES_MAX];
};

/* Used by one thread after the other, as the model knows. */
struct graph_play {
    struct built_graph own;
    rill_exec *exec;
    rill_conditional handle[NODES_MAX]; /* those of the graph that the exec has now */
    rill_devptr cells;
    struct post post[NODES_MAX];
};

/* What a node does; the operation points into the form. */
struct node_form {
    rill_op op;
    uint32_t version;
    uintptr_t post;
    rill_conditional handle;
    const void *params[3];
    rill_value values[CELL_WORDS];
};

/* ---- graph_build.c ------------------------------------------------------------------ */

/* Fills the form of a node that can be changed. */
void graph_fill_form(struct play *play, int graph, int node, unsigned version,
                     const rill_conditional *handles, struct node_form *form);

/* Makes a graph; at each call the same nodes and edges in the same order.  False: the
 * step, or the program as a whole, was accused. */
bool graph_build(struct play *play, int graph, unsigned version, int step,
                 struct built_graph *made);

/* Cells, graph and exec, before the threads start; and the end of them. */
void graph_make(struct play *play, int graph);
void graph_destroy(struct play *play, int graph);

/* ---- graph_act.c ---------------------------------------------------------------------- */

/* Takes a step that uses an exec. */
void graph_take_step(struct play *play, int step, rill_stream *stream);

/* ---- graph_run.c ------------------------------------------------------------------------ */

/* The code of nodes. */
void graph_run_host(void *duty);
void graph_give_back(void *duty);
void graph_run_kernel(const rill_launch *launch);

/* All nodes of the launch of a step are done; or those before the one that records. */
bool graph_is_done(const struct play *play, int step);
bool graph_has_recorded(const struct play *play, int step);

/* After everything is done. */
void graph_judge(struct play *play, int graph);

#endif
