/* SPDX-License-Identifier: Apache-2.0
 *
 * Graphs and nodes, as programs hold them.
 *
 * Programs are given graphs by many calls: those that make them, child graph nodes,
 * bodies of conditionals, captures that continue.  One graph has one handle: a slot that is
 * made when a call first hands the graph out, and goes with the graph, no matter who ends
 * it, since rill tells the slot (rill_set_data()).
 *
 * A CUgraphNode is rill's node itself, so that lists of nodes need no translation: a value
 * that tells stale and foreign nodes by itself.  The driver's calls on nodes do not name
 * the graph; the simulator knows it.
 */
#ifndef SI_GRAPH_H
#define SI_GRAPH_H

#include "standin/context/current.h"
#include "standin/graph/node_storage.h"

struct si_graph {
    struct si_part part;             /* object: rill_graph                              */
    struct si_node_storage *storage; /* as the graph: calls on one graph do not overlap */
};

_Static_assert(sizeof(struct si_graph) <= SI_SLOT_BYTES, "a graph fits its slot");

/* Finds a graph that was given as an argument.  A child graph is dead from when the graph
 * around it is taken: what calls hold then is waited for, and they find no more. */
static inline CUresult si_graph(CUgraph handle, rill_graph **graph)
{
    *graph = si_object(SI_GRAPH, handle);
    if (__builtin_expect(*graph && si_owners_live(&((struct si_graph *)handle)->part), 1))
        return RILL_SUCCESS;
    *graph = NULL;
    return si_wrong(SI_GRAPH, handle);
}

/* Finds the graph of a node. */
CUresult si_node_graph(CUgraphNode node, rill_graph **graph);

/* Finds the handle of a graph that rill gave out, and makes one, as in `context`, if it has
 * none.  Returns OUT_OF_MEMORY if it has none and cannot get one; the graph is unchanged. */
CUresult si_graph_handle(rill_graph *graph, struct si_context *context, CUgraph *handle);

/* Finds the handle of a graph that is part of another one, or of a capture. */
CUresult si_graph_handle_in(rill_graph *graph, CUgraph outer, CUgraph *handle);

/* Returns the place of what a graph stores for its nodes, or NULL if there is no memory for
 * a handle. */
struct si_node_storage **si_node_storage_of(rill_graph *graph);

#endif
