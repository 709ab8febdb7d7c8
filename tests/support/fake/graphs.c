/* SPDX-License-Identifier: Apache-2.0
 *
 * The fake backend's graphs.
 */
#include <string.h>

#include "support/fake/nodes.h"

/* References of the caller and of graphs alike. */
struct fake_user_object {
    uint64_t references;
    rill_destroy_fn destroy;
    void *data;
};

static struct fake_user_object *user_object_of(rill_user_object *object)
{
    return rill_private(object);
}

/* ---- Lifetime ----------------------------------------------------------- */

static rill_status fake_graph_create(rill_graph *graph, const rill_graph_options *options)
{
    fake_record.graphs++;
    return RILL_SUCCESS;
}

static rill_status fake_graph_may_destroy(rill_graph *graph)
{
    return fake_check_label(rill_graph_label(graph), "graph");
}

static rill_status fake_graph_destroy(rill_graph *graph)
{
    fake_clear_nodes(fake_nodes_of(graph));
    fake_record.graphs--;
    return RILL_SUCCESS;
}

rill_status fake_graph_own(void *owner, rill_context *context, rill_graph **graph)
{
    void *made;
    rill_status status = rill_backend_own(RILL_OBJECT_GRAPH, owner, context, &made);
    if (status) return status;
    *graph = made;
    return fake_graph_create(made, NULL);
}

void fake_graph_disown(rill_graph *graph)
{
    fake_graph_destroy(graph);
    rill_backend_disown(graph);
}

/* A clone is empty. */
static rill_status fake_clone(rill_graph *graph, rill_graph *clone)
{
    return fake_graph_create(clone, NULL);
}

GIVES(fake_find_in_clone, *node = original, rill_graph *clone, rill_node original, rill_node *node)

/* ---- Nodes -------------------------------------------------------------- */

/* A child graph is the one that moved in, or an empty one. */
static rill_status make_child(rill_graph *graph, const rill_op *op, rill_graph **child)
{
    *child = op->graph.graph;
    if (op->graph.flags & RILL_CHILD_MOVE) return RILL_SUCCESS;
    return fake_graph_own(graph, rill_object_of(graph)->context, child);
}

static rill_status fake_add_node(rill_graph *graph, const rill_node *dependencies,
                                 const rill_edge *edges, size_t count, rill_op *op, rill_node *node)
{
    uint64_t before = 0;
    struct fake_node *added;
    rill_status status = RILL_SUCCESS;
    for (size_t i = 0; i < count; i++) before |= ((const struct fake_node *)dependencies[i])->bit;
    status = fake_append_node(fake_nodes_of(graph), op, before, &added);
    if (!status && op->kind == RILL_OP_GRAPH) {
        rill_graph *child;
        status = make_child(graph, op, &child);
        if (status)
            fake_drop_node(fake_nodes_of(graph), added);
        else
            added->child = child;
    }
    if (!status) *node = (rill_node)added;
    return status;
}

static rill_status fake_remove_node(rill_graph *graph, rill_node node)
{
    return fake_drop_node(fake_nodes_of(graph), (const struct fake_node *)node);
}

static rill_status fake_list_nodes(rill_graph *graph, rill_node *nodes, size_t *count)
{
    size_t i = 0;
    struct fake_node *node = fake_nodes_of(graph)->first;
    for (; nodes && node && i < *count; node = node->next) nodes[i++] = (rill_node)node;
    *count = nodes ? i : fake_nodes_of(graph)->count;
    return RILL_SUCCESS;
}

GIVES(fake_node_kind, *kind = ((const struct fake_node *)node)->op.kind, rill_graph *graph,
      rill_node node, rill_op_kind *kind)

static rill_status fake_get_op(rill_graph *graph, rill_node node, rill_op *op)
{
    memcpy(op, &((const struct fake_node *)node)->op, sizeof *op);
    if (op->kind == RILL_OP_HOST) op->host.destroy = NULL; /* stays the graph's */
    return RILL_SUCCESS;
}

static rill_status fake_set_op(rill_graph *graph, rill_node node, const rill_op *op)
{
    return fake_change_node((struct fake_node *)node, op);
}

GIVES(fake_node_get, attribute->priority = 0, rill_graph *graph, rill_node node,
      rill_attribute *attribute)
YES(fake_node_set, rill_graph *graph, rill_node node, const rill_attribute *attribute)
YES(fake_node_copy, rill_graph *graph, rill_node dst, rill_node src)
YES(fake_node_label, rill_graph *graph, rill_node node, const char *label)

static rill_status fake_child(rill_graph *graph, rill_node node, rill_graph **child)
{
    const struct fake_node *own = (const struct fake_node *)node;
    if (!own->child)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "node", "node has no child graph");
    *child = own->child;
    return RILL_SUCCESS;
}

/* ---- Edges -------------------------------------------------------------- */

static rill_status fake_edges(rill_graph *graph, rill_node *from, rill_node *to, rill_edge *edges,
                              size_t *count)
{
    size_t listed = 0;
    struct fake_node *first = fake_nodes_of(graph)->first;
    for (struct fake_node *node = first; node; node = node->next)
        for (struct fake_node *before = first; before != node; before = before->next) {
            if (!(node->before & before->bit)) continue;
            if (from && listed == *count) return RILL_SUCCESS;
            if (from) from[listed] = (rill_node)before;
            if (from) to[listed] = (rill_node)node;
            if (edges) edges[listed] = (rill_edge){ 0, 0, 0, { 0 } };
            listed++;
        }
    *count = listed;
    return RILL_SUCCESS;
}

/* Edges are those that nodes were added with. */
YES(fake_edges_change, rill_graph *graph, const rill_node *from, const rill_node *to,
    const rill_edge *edges, size_t count)
GIVES(fake_neighbours, *count = 0, rill_graph *graph, rill_node node, rill_node *nodes,
      rill_edge *edges, size_t *count)

/* ---- User objects ------------------------------------------------------- */

static rill_status fake_user_object_create(rill_user_object *object, void *data,
                                           rill_destroy_fn destroy, uint32_t references)
{
    struct fake_user_object *own = user_object_of(object);
    if (!references)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "references", "references is 0");
    *own = (struct fake_user_object){ references, destroy, data };
    return RILL_SUCCESS;
}

GIVES(fake_user_object_retain, user_object_of(object)->references += count,
      rill_user_object *object, uint32_t count)

static rill_status fake_user_object_release(rill_user_object *object, uint32_t count)
{
    struct fake_user_object *own = user_object_of(object);
    own->references -= count;
    if (own->references) return RILL_SUCCESS;
    own->destroy(own->data);
    rill_backend_disown(object);
    return RILL_SUCCESS;
}

static rill_status fake_retain(rill_graph *graph, rill_user_object *object, uint32_t count,
                               uint32_t flags)
{
    return flags & RILL_USER_OBJECT_MOVE ? RILL_SUCCESS : fake_user_object_retain(object, count);
}

static rill_status fake_release(rill_graph *graph, rill_user_object *object, uint32_t count)
{
    return fake_user_object_release(object, count);
}

/* ---- The rest ----------------------------------------------------------- */

GIVES(fake_write_dot, write(data, "digraph {}", 10), rill_graph *graph, uint32_t flags,
      rill_write_fn write, void *data)
GIVES(fake_conditional, *handle = 7, rill_graph *graph, uint32_t initial, uint32_t flags,
      rill_conditional *handle)
GIVES(fake_get_memory, *value = (uint64_t)attribute, rill_platform *platform, int device,
      rill_graph_memory_attribute attribute, uint64_t *value)
YES(fake_set_memory, rill_platform *platform, int device, rill_graph_memory_attribute attribute,
    uint64_t value)
YES(fake_trim_memory, rill_platform *platform, int device)

/* ---- The table ---------------------------------------------------------- */

const struct rill_graph_ops fake_graph_ops = {
    .private_bytes = sizeof(struct fake_nodes),
    .user_object_private_bytes = sizeof(struct fake_user_object),
    .create = fake_graph_create,
    .may_destroy = fake_graph_may_destroy,
    .destroy = fake_graph_destroy,
    .add_node = fake_add_node,
    .remove_node = fake_remove_node,
    .add_edges = fake_edges_change,
    .remove_edges = fake_edges_change,
    .nodes = fake_list_nodes,
    .roots = fake_list_nodes,
    .edges = fake_edges,
    .dependencies = fake_neighbours,
    .dependents = fake_neighbours,
    .node_kind = fake_node_kind,
    .get_op = fake_get_op,
    .set_op = fake_set_op,
    .get_attribute = fake_node_get,
    .set_attribute = fake_node_set,
    .copy_attributes = fake_node_copy,
    .set_node_label = fake_node_label,
    .child = fake_child,
    .clone = fake_clone,
    .find_in_clone = fake_find_in_clone,
    .write_dot = fake_write_dot,
    .conditional = fake_conditional,
    .user_object_create = fake_user_object_create,
    .user_object_retain = fake_user_object_retain,
    .user_object_release = fake_user_object_release,
    .retain = fake_retain,
    .release = fake_release,
    .get_memory = fake_get_memory,
    .set_memory = fake_set_memory,
    .trim_memory = fake_trim_memory,
};
