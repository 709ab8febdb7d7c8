/* SPDX-License-Identifier: Apache-2.0
 *
 * Graphs drawn and read as text.  A node is a letter; "A B C:AB" are three of
 * them, of which the third depends on the other two in this order; "A>C B>C" are
 * edges.
 */
#ifndef CONFORMANCE_DRAWING_H
#define CONFORMANCE_DRAWING_H

#include "conformance/nodes.h"

struct drawing {
    rill_graph *graph;
    rill_node nodes[26];
};

/* Empty nodes in a new graph, or in one that is there. */
struct drawing draw(struct fixture *f, const char *nodes);
void draw_into(struct drawing *drawing, const char *nodes);

/* One node. */
rill_node node(const struct drawing *drawing, char letter);

/* The graph inside a node; the node of a graph that has one. */
rill_graph *inside(rill_graph *graph, rill_node child);
rill_node only(rill_graph *graph);

/* Adds and removes "A>C B>C" in one call. */
rill_status join(struct drawing *drawing, const char *edges);
rill_status part(struct drawing *drawing, const char *edges);

/* A node goes, and its letter with it. */
void erase(struct drawing *drawing, char letter);

/* What is listed, in this order.  '?' is a node that has no letter. */
#define nodes_are(d, text) drawing_nodes(d, text, __FILE__, __LINE__)
#define roots_are(d, text) drawing_roots(d, text, __FILE__, __LINE__)
#define edges_are(d, text) drawing_edges(d, text, __FILE__, __LINE__)
#define before_is(d, letter, text) drawing_side(d, letter, text, true, __FILE__, __LINE__)
#define behind_is(d, letter, text) drawing_side(d, letter, text, false, __FILE__, __LINE__)
void drawing_nodes(const struct drawing *drawing, const char *text, const char *file, int line);
void drawing_roots(const struct drawing *drawing, const char *text, const char *file, int line);
void drawing_edges(const struct drawing *drawing, const char *text, const char *file, int line);
void drawing_side(const struct drawing *drawing, char letter, const char *text, bool before,
                  const char *file, int line);

/* How many a graph says it has: "nodes/edges/roots". */
#define counts_are(graph, text) drawing_counts(graph, text, __FILE__, __LINE__)
void drawing_counts(rill_graph *graph, const char *text, const char *file, int line);

#endif
