/* SPDX-License-Identifier: Apache-2.0
 *
 * Graphs and nodes, as programs hold them.
 *
 * Programs are given graphs by many calls: those that make them, child graph nodes,
 * bodies of conditionals, captures that go on.  One graph has one handle: a slot that is
 * made when a call first hands the graph out, and goes with the graph, whoever ends it,
 * since rill tells the slot (rill_set_data()).
 *
 * A CUgraphNode is rill's node itself, so that lists of them need no translation: a
 * value that tells stale and foreign ones by itself.  The driver's calls on nodes do not
 * name the graph; the simulator knows it.
 */
#ifndef SI_GRAPH_HANDLE_H
#define SI_GRAPH_HANDLE_H

#include "standin/current.h"
#include "standin/node_storage.h"

struct si_graph {
    struct si_part part;    /* object: rill_graph                                      */
    struct si_node_storage *storage; /* as the graph itself: calls on one graph do not overlap  */
};

_Static_assert(sizeof(struct si_graph) <= SI_SLOT_BYTES, "a graph fits its slot");

static inline CUresult si_graph(CUgraph handle, rill_graph **graph)
{
    *graph = si_object(SI_GRAPH, handle);
    return __builtin_expect(*graph != NULL, 1) ? RILL_SUCCESS : si_wrong(SI_GRAPH, handle);
}

/* The graph of a node. */
CUresult si_node_graph(CUgraphNode node, rill_graph **graph);

/* The handle of a graph that rill gave out; the first time one is made, as in
 * `context`.  OUT_OF_MEMORY: there is none, and the graph is as it was. */
CUresult si_graph_handle(rill_graph *graph, struct si_context *context, CUgraph *handle);

/* The same for a graph that is part of another one, or of a capture. */
CUresult si_graph_handle_in(rill_graph *graph, CUgraph outer, CUgraph *handle);

/* The place of a graph's notes; NULL: there is no memory for a handle. */
struct si_node_storage **si_node_storage_of(rill_graph *graph);

/* Not of a graph that a capture or a node holds, which is its owner's to end. */
CUresult si_graph_destroy(CUgraph handle);

#endif
