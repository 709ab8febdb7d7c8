/* SPDX-License-Identifier: Apache-2.0
 *
 * Graphs.  Nodes are the driver's handles as they are.  A graph that lives inside another
 * one, a child or a body, is an object that the outer graph makes when the inner one is
 * first asked for, and gives up when the inner one goes.
 *
 * Calls on one graph do not overlap (backend.h): nothing here is locked, but the list of
 * the graphs of a platform.
 */
#ifndef CUDA_OBJECT_GRAPH_H
#define CUDA_OBJECT_GRAPH_H

#include <string.h>

#include "backend-cuda/context/context.h"
#include "backend-cuda/object/node_table.h"

struct cuda_graph {
    CUgraph raw; /* NULL once it is gone: calls are the driver's to refuse */
    rill_graph *handle;
    struct cuda_platform *platform;
    struct cuda_context *home; /* that the graph was made in; may be over, or NULL */
    struct cuda_graph *next, **link; /* of the platform's graphs; its graphs_lock */
    struct cuda_graph *inner; /* graphs inside this one that were asked for, linked by
                                 `sibling` */
    struct cuda_graph *sibling, *outer;
    CUgraphNode holder; /* the node of `outer` that this graph is in */
    struct cuda_nodes nodes; /* may lack some: see cuda_check_node() */
    bool borrowed; /* the driver's graph stays, see <rill/cuda.h> */
    bool moved;    /* into the graph around it, see RILL_CHILD_MOVE */
    bool lost;     /* a capture into the graph failed, which took it along */
};

static inline struct cuda_graph *cuda_graph_of(const rill_graph *graph)
{
    return rill_private(graph);
}

static inline CUgraphNode cuda_raw_node(rill_node node)
{
    return (CUgraphNode)(void *)node;
}

static inline rill_node cuda_node(CUgraphNode raw)
{
    return (rill_node)(void *)raw;
}

static inline CUgraphNode *cuda_raw_nodes(rill_node *nodes)
{
    return (CUgraphNode *)(void *)nodes;
}

static inline const CUgraphNode *cuda_const_raw_nodes(const rill_node *nodes)
{
    return (const CUgraphNode *)(const void *)nodes;
}

/* Returns whether an edge carries data, which drivers before 12.3 do not know. */
static inline bool cuda_has_data(const rill_edge *edge)
{
    static const rill_edge plain;
    return memcmp(edge, &plain, sizeof plain) != 0;
}

/* ---- Objects ----------------------------------------------------------------------- */

/* Begins an object that the core made, for the driver's graph, or for none yet. */
void cuda_begin_graph(rill_graph *handle, CUgraph raw);

/* Takes an object off the platform's list. */
void cuda_unlist_graph(struct cuda_graph *graph);

/* Empties an object that ends; the driver's graph goes by itself. */
void cuda_empty_graph(struct cuda_graph *graph);

/* Makes an object for a graph that the driver made: the context's, until the core makes it
 * the caller's. */
rill_status cuda_own_graph(struct cuda_context *context, CUgraph raw, rill_graph **graph);

/* The same for an object that there is; `borrowed`: the driver's graph stays. */
void cuda_take_graph(rill_graph *graph, CUgraph raw, bool borrowed);

/* Gives an object up that the core did not make the caller's, but not the driver's graph. */
void cuda_disown_graph(rill_graph *graph);

/* Notes that a capture into the graph failed, and that the driver took the graph along. */
void cuda_lose_graph(rill_graph *graph);

/* Returns the object of a graph of this platform that lives, or NULL. */
rill_graph *cuda_find_graph(struct cuda_platform *platform, CUgraph raw);

/* Returns whether a stream captures into the graph, or into one inside it. */
bool cuda_graph_is_captured(const struct cuda_graph *graph);

/* ---- Graphs inside graphs ---------------------------------------------------------- */

/* Gives the object for a graph inside another, in that node of it; makes the object at the
 * first call. */
rill_status cuda_inner_graph(struct cuda_graph *outer, CUgraphNode holder, CUgraph raw,
                             rill_graph **graph);

/* Makes an object beforehand for an inner graph that is in no node yet, so that nothing can
 * fail once the driver has made the node.  It is then settled in one, or disowned. */
rill_status cuda_make_inner(struct cuda_graph *outer, struct cuda_graph **inner);

/* Settles an inner graph in a node; also a graph of the caller's that moves in. */
void cuda_settle_inner(struct cuda_graph *outer, struct cuda_graph *inner, CUgraphNode holder,
                       CUgraph raw);

/* Forgets the inner graphs of a node that is gone. */
void cuda_forget_inner(struct cuda_graph *outer, CUgraphNode holder);

/* Refuses while a capture goes into a graph inside the node. */
rill_status cuda_check_inside(const struct cuda_graph *graph, CUgraphNode raw);

/* ---- Where a graph was made -------------------------------------------------------- */

/* Returns the context that the graph was made in, or NULL if it is gone or there was
 * none. */
struct cuda_context *cuda_graph_home(const struct cuda_graph *graph);

/* Refuses what needs a context then.  Never returns RILL_SUCCESS. */
rill_status cuda_refuse_homeless(const struct cuda_graph *graph, const char *argument);

#endif
