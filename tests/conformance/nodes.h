/* SPDX-License-Identifier: Apache-2.0
 *
 * Nodes of one kind each, for tests of graphs.
 */
#ifndef CONFORMANCE_NODES_H
#define CONFORMANCE_NODES_H

#include "conformance/work.h"

/* Adds a node behind `after`, NULL for none. */
rill_node add(rill_graph *graph, rill_node after, rill_op op);

/* An alloc node on device 0, and the address that it gives. */
rill_node add_alloc(rill_graph *graph, rill_node after, size_t bytes, rill_devptr *address);

/* A node that must be refused: nothing is written and no node added. */
#define refused(status, graph, op) fixture_refused(status, graph, op, __FILE__, __LINE__)
void fixture_refused(rill_status status, rill_graph *graph, rill_op op, const char *file, int line);

/* The same, and the record blames this argument. */
#define refused_for(status, argument, graph, op) \
    fixture_refused_for(status, argument, graph, op, __FILE__, __LINE__)
void fixture_refused_for(rill_status status, const char *argument, rill_graph *graph, rill_op op,
                         const char *file, int line);

/* An edge. */
void link_nodes(rill_graph *graph, rill_node from, rill_node to);

size_t node_count(rill_graph *graph);

/* What the node says that it does. */
rill_op op_of(rill_graph *graph, rill_node node);

/* Launches, waits, and answers the first status that is no success. */
rill_status run_exec(rill_exec *exec, rill_stream *stream);

/* The same with an exec and a stream of its own. */
rill_status run_once(struct fixture *f, rill_graph *graph);

/* ---- Operations ------------------------------------------------------------------- */

/* One block of one thread.  `params` must stay until the operation is used. */
rill_op kernel_op(rill_kernel *kernel, const void *const *params);
rill_op copy_op(rill_place dst, rill_place src, size_t bytes);
rill_op fill_op(rill_devptr dst, uint32_t value, size_t words);
rill_op host_op(rill_host_fn fn, void *data);
rill_op event_op(rill_op_kind kind, rill_event *event);
rill_op values_op(const rill_value *items, size_t count);
rill_op alloc_op(size_t bytes);
rill_op free_op(rill_devptr address);
rill_op empty_op(void);
rill_op child_op(rill_graph *graph, uint32_t flags);

#endif
