/* SPDX-License-Identifier: Apache-2.0
 *
 * The calls on graphs and their nodes: slots of one table, each in the file of its subject.
 */
#ifndef CUDA_GRAPH_CALLS_H
#define CUDA_GRAPH_CALLS_H

#include <rill/backend.h>

#include <stdbool.h>

struct cuda_graph;

extern const struct rill_graph_ops cuda_graph_ops;

rill_status cuda_graph_add_node(rill_graph *handle, const rill_node *dependencies,
                                const rill_edge *edges, size_t count, rill_op *op,
                                rill_node *node);
rill_status cuda_graph_remove_node(rill_graph *handle, rill_node node);
rill_status cuda_graph_add_edges(rill_graph *handle, const rill_node *from, const rill_node *to,
                                 const rill_edge *edges, size_t count);
rill_status cuda_graph_remove_edges(rill_graph *handle, const rill_node *from,
                                    const rill_node *to, const rill_edge *edges, size_t count);
rill_status cuda_graph_nodes(rill_graph *handle, rill_node *nodes, size_t *count);
rill_status cuda_graph_roots(rill_graph *handle, rill_node *nodes, size_t *count);
rill_status cuda_graph_edges(rill_graph *handle, rill_node *from, rill_node *to, rill_edge *edges,
                             size_t *count);
rill_status cuda_node_dependencies(rill_graph *handle, rill_node node, rill_node *nodes,
                                   rill_edge *edges, size_t *count);
rill_status cuda_node_dependents(rill_graph *handle, rill_node node, rill_node *nodes,
                                 rill_edge *edges, size_t *count);
rill_status cuda_node_kind(rill_graph *handle, rill_node node, rill_op_kind *kind);
rill_status cuda_node_get_op(rill_graph *handle, rill_node node, rill_op *op);
rill_status cuda_node_set_op(rill_graph *handle, rill_node node, const rill_op *op);
rill_status cuda_node_get_attribute(rill_graph *handle, rill_node node, rill_attribute *attribute);
rill_status cuda_node_set_attribute(rill_graph *handle, rill_node node,
                                    const rill_attribute *attribute);
rill_status cuda_node_copy_attributes(rill_graph *handle, rill_node dst, rill_node src);
rill_status cuda_node_set_label(rill_graph *handle, rill_node node, const char *label);
rill_status cuda_node_child(rill_graph *handle, rill_node node, rill_graph **child);
rill_status cuda_graph_write_dot(rill_graph *handle, uint32_t flags, rill_write_fn write,
                                 void *data);
rill_status cuda_conditional_create(rill_graph *handle, uint32_t initial, uint32_t flags,
                                    rill_conditional *conditional);
rill_status cuda_user_object_create(rill_user_object *handle, void *data, rill_destroy_fn destroy,
                                    uint32_t references);
rill_status cuda_user_object_retain(rill_user_object *handle, uint32_t count);
rill_status cuda_user_object_release(rill_user_object *handle, uint32_t count);
rill_status cuda_graph_retain(rill_graph *handle, rill_user_object *object, uint32_t count,
                              uint32_t flags);
rill_status cuda_graph_release(rill_graph *handle, rill_user_object *object, uint32_t count);

/* ---- Labels ------------------------------------------------------------------------ */

/* Returns whether a node of the graph, or of one inside it, may have a label. */
bool cuda_any_label(const struct cuda_graph *graph);

/* Gives the nodes of a copy the labels of the original, also in the graphs inside. */
rill_status cuda_copy_labels(struct cuda_graph *from, struct cuda_graph *to);

#endif
