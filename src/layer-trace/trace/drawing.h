/* SPDX-License-Identifier: Apache-2.0
 *
 * Drawings of graphs, in a folder: graph-1.dot, graph-2.dot and so on for those of a process.
 */
#ifndef TR_DRAWING_H
#define TR_DRAWING_H

#include <rill/backend.h>

/* Writes a graph.  Nothing is written where that fails, or the backend cannot draw. */
void tr_drawing_write(const char *folder, const struct rill_backend *beneath, rill_graph *graph);

#endif
