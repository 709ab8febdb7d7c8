/* SPDX-License-Identifier: Apache-2.0
 *
 * What cases of graphs share: empty nodes and edges, lists, running a graph once.
 */
#ifndef ORACLE_GRAPH_GRAPH_SHAPES_H
#define ORACLE_GRAPH_GRAPH_SHAPES_H

#include "../graphs.h"

#define ADD_ROOT(n, g) OK(cuGraphAddEmptyNode(&(n), g, NULL, 0))
#define ADD_AFTER(n, g, a) OK(cuGraphAddEmptyNode(&(n), g, &(a), 1))
#define ADD_EDGE(g, a, b) cuGraphAddDependencies(g, &(a), &(b), NULL, 1)

/* Says a list of handles as letters: A.. for known[0].., - null, ! untouched. */
void say_list(T *t, const char *label, CUgraphNode *v, size_t n, CUgraphNode *known, size_t nk);
void mark_untouched(CUgraphNode *v, size_t n);

/* Returns the node of a graph that has one. */
CUgraphNode only_node(CUgraph g);

/* Says how many nodes, edges and roots there are, as n/e/r. */
void say_counts(T *t, const char *label, CUgraph g);

/* Launches in a stream of its own and waits. */
CUresult launch_once(CUgraphExec x);

/* Instantiates, launches once and waits. */
CUresult run_once(CUgraph g);

/* Sets the word at p to 0, runs g and says what it left. */
void say_run(T *t, const char *label, CUgraph g, CUdeviceptr p);

#endif
