/* SPDX-License-Identifier: Apache-2.0
 *
 * The full backend: graphs, captures and execs.
 */
#include <string.h>

#include "base/alloc.h"
#include "support/full_parts.h"

struct node {
    struct node *next;
    rill_op op;
    rill_graph *child; /* owned by the graph */
    int enabled;
};

struct full_graph {
    struct node *nodes; /* newest first */
    size_t count;
    uint64_t memory;
};

struct full_exec {
    uint32_t flags;
};

/* References of the caller and of graphs alike. */
struct full_user_object {
    uint64_t references;
    rill_destroy_fn destroy;
    void *data;
};

static struct full_graph *graph_of(const rill_graph *graph)
{
    return rill_private(graph);
}

static struct full_stream *stream_of(const rill_stream *stream)
{
    return rill_private(stream);
}

/* ---- Graphs ------------------------------------------------------------- */

YES(full_graph_create, rill_graph *graph, const rill_graph_options *options)

static void drop_host(const rill_op *op)
{
    if (op->kind == RILL_OP_HOST && op->host.destroy) op->host.destroy(op->host.data);
}

/* As a context. */
static rill_status full_graph_may_destroy(rill_graph *graph)
{
    const char *label = rill_graph_label(graph);
    if (!label || strcmp(label, "to stay")) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_NOT_PERMITTED, "graph", "graph is to stay");
}

static rill_status full_graph_destroy(rill_graph *graph)
{
    struct node *node = graph_of(graph)->nodes, *next;
    for (; node; node = next) {
        next = node->next;
        drop_host(&node->op);
        if (node->child) {
            full_graph_destroy(node->child);
            rill_backend_disown(node->child);
        }
        rl_free(node);
    }
    return RILL_SUCCESS;
}

/* A child graph is the one that moved in, or an empty one. */
static rill_status make_child(rill_graph *graph, const rill_op *op, struct node *node)
{
    void *child = op->graph.graph;
    rill_status status = RILL_SUCCESS;
    if (!(op->graph.flags & RILL_CHILD_MOVE))
        status = rill_backend_own(RILL_OBJECT_GRAPH, graph, rill_object_of(graph)->context, &child);
    if (!status) node->child = child;
    return status;
}

static rill_status full_add_node(rill_graph *graph, const rill_node *dependencies,
                                 const rill_edge *edges, size_t count, rill_op *op, rill_node *node)
{
    struct full_graph *own = graph_of(graph);
    struct node *added = rl_zalloc(sizeof *added);
    rill_status status = RILL_SUCCESS;
    if (!added)
        status = rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, NULL, "there is no memory for a node");
    if (!status && op->kind == RILL_OP_GRAPH) status = make_child(graph, op, added);
    if (status) {
        drop_host(op);
        rl_free(added);
        return status;
    }
    memcpy(&added->op, op, sizeof *op);
    added->enabled = 1;
    added->next = own->nodes;
    own->nodes = added;
    own->count++;
    *node = (rill_node)added;
    return RILL_SUCCESS;
}

static rill_status full_remove_node(rill_graph *graph, rill_node node)
{
    struct node **link = &graph_of(graph)->nodes;
    while (*link && (rill_node)*link != node) link = &(*link)->next;
    struct node *found = *link;
    if (!found)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "node", "node is not of this graph");
    *link = found->next;
    graph_of(graph)->count--;
    drop_host(&found->op);
    if (found->child) {
        full_graph_destroy(found->child);
        rill_backend_disown(found->child);
    }
    rl_free(found);
    return RILL_SUCCESS;
}

YES(full_edges_change, rill_graph *graph, const rill_node *from, const rill_node *to,
    const rill_edge *edges, size_t count)

static rill_status full_nodes(rill_graph *graph, rill_node *nodes, size_t *count)
{
    size_t i = 0, real = graph_of(graph)->count;
    for (struct node *node = graph_of(graph)->nodes; nodes && node && i < *count; node = node->next)
        nodes[i++] = (rill_node)node;
    *count = nodes ? i : real;
    return RILL_SUCCESS;
}

GIVES(full_edges, *count = 0, rill_graph *graph, rill_node *from, rill_node *to, rill_edge *edges,
      size_t *count)
GIVES(full_neighbours, *count = 0, rill_graph *graph, rill_node node, rill_node *nodes,
      rill_edge *edges, size_t *count)
GIVES(full_node_kind, *kind = ((const struct node *)node)->op.kind, rill_graph *graph,
      rill_node node, rill_op_kind *kind)

static rill_status full_get_op(rill_graph *graph, rill_node node, rill_op *op)
{
    memcpy(op, &((const struct node *)node)->op, sizeof *op);
    if (op->kind == RILL_OP_HOST) op->host.destroy = NULL; /* stays the graph's */
    return RILL_SUCCESS;
}

static rill_status full_set_op(rill_graph *graph, rill_node node, const rill_op *op)
{
    drop_host(&((struct node *)node)->op);
    memcpy(&((struct node *)node)->op, op, sizeof *op);
    return RILL_SUCCESS;
}

GIVES(full_node_get, attribute->priority = 0, rill_graph *graph, rill_node node,
      rill_attribute *attribute)
YES(full_node_set, rill_graph *graph, rill_node node, const rill_attribute *attribute)
YES(full_node_copy, rill_graph *graph, rill_node dst, rill_node src)
YES(full_node_label, rill_graph *graph, rill_node node, const char *label)

static rill_status full_child(rill_graph *graph, rill_node node, rill_graph **child)
{
    const struct node *own = (const struct node *)node;
    if (!own->child)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "node", "node has no child graph");
    *child = own->child;
    return RILL_SUCCESS;
}

YES(full_clone, rill_graph *graph, rill_graph *clone)
GIVES(full_find_in_clone, *node = original, rill_graph *clone, rill_node original, rill_node *node)

static rill_status full_write_dot(rill_graph *graph, uint32_t flags, rill_write_fn write,
                                  void *data)
{
    write(data, "digraph {}", 10);
    return RILL_SUCCESS;
}

GIVES(full_conditional, *handle = 7, rill_graph *graph, uint32_t initial, uint32_t flags,
      rill_conditional *handle)

/* ---- User objects ------------------------------------------------------- */

static rill_status full_user_object_create(rill_user_object *object, void *data,
                                           rill_destroy_fn destroy, uint32_t references)
{
    struct full_user_object *own = rill_private(object);
    if (!references)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "references", "references is 0");
    *own = (struct full_user_object){ references, destroy, data };
    return RILL_SUCCESS;
}

static rill_status full_user_object_retain(rill_user_object *object, uint32_t count)
{
    ((struct full_user_object *)rill_private(object))->references += count;
    return RILL_SUCCESS;
}

static rill_status full_user_object_release(rill_user_object *object, uint32_t count)
{
    struct full_user_object *own = rill_private(object);
    own->references -= count;
    if (own->references) return RILL_SUCCESS;
    own->destroy(own->data);
    rill_backend_disown(object);
    return RILL_SUCCESS;
}

static rill_status full_retain(rill_graph *graph, rill_user_object *object, uint32_t count,
                               uint32_t flags)
{
    return flags & RILL_USER_OBJECT_MOVE ? RILL_SUCCESS : full_user_object_retain(object, count);
}

static rill_status full_release(rill_graph *graph, rill_user_object *object, uint32_t count)
{
    return full_user_object_release(object, count);
}

/* ---- Memory of graphs --------------------------------------------------- */

GIVES(full_get_memory, *value = (uint64_t)attribute, rill_platform *platform, int device,
      rill_graph_memory_attribute attribute, uint64_t *value)
YES(full_set_memory, rill_platform *platform, int device, rill_graph_memory_attribute attribute,
    uint64_t value)
YES(full_trim_memory, rill_platform *platform, int device)

/* ---- Captures ----------------------------------------------------------- */

static rill_status full_begin(rill_stream *stream, const rill_capture_options *options)
{
    struct full_stream *own = stream_of(stream);
    rill_context *context = rill_object_of(stream)->context;
    void *graph = options->graph;
    rill_status status = RILL_SUCCESS;
    if (own->capture)
        return rill_backend_fail(RILL_ERROR_ILLEGAL_STATE, "stream", "stream is capturing already");
    if (!graph) status = rill_backend_own(RILL_OBJECT_GRAPH, context, context, &graph);
    if (status) return status;
    own->capture = graph;
    own->made_graph = !options->graph;
    return RILL_SUCCESS;
}

static rill_status full_end(rill_stream *stream, rill_graph **graph)
{
    struct full_stream *own = stream_of(stream);
    if (!own->capture)
        return rill_backend_fail(RILL_ERROR_ILLEGAL_STATE, "stream", "stream is not capturing");
    *graph = own->capture;
    own->capture = NULL;
    return RILL_SUCCESS;
}

static rill_status full_info(rill_stream *stream, rill_capture_info *info)
{
    info->graph = stream_of(stream)->capture;
    info->state = info->graph ? RILL_CAPTURE_ACTIVE : RILL_CAPTURE_NONE;
    return RILL_SUCCESS;
}

YES(full_capture_update, rill_stream *stream, const rill_node *dependencies, const rill_edge *edges,
    size_t count, rill_capture_update how)

static rill_status full_exchange_mode(rill_platform *platform, rill_capture_mode *mode)
{
    rill_capture_mode before = full_platform_of(platform)->mode;
    full_platform_of(platform)->mode = *mode;
    *mode = before;
    return RILL_SUCCESS;
}

rill_status full_stream_destroy(rill_stream *stream)
{
    struct full_stream *own = stream_of(stream);
    if (own->capture && own->made_graph) {
        full_graph_destroy(own->capture);
        rill_backend_disown(own->capture);
    }
    return fake_backend.stream->destroy(stream);
}

/* ---- Execs -------------------------------------------------------------- */

static rill_status full_exec_create(rill_exec *exec, rill_graph *graph, rill_exec_options *options)
{
    ((struct full_exec *)rill_private(exec))->flags = options->flags;
    if (options->flags < 0x100) return RILL_SUCCESS;
    options->result = RILL_EXEC_INVALID_STRUCTURE;
    options->failing_node = (rill_node)graph_of(graph)->nodes;
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "options->flags", "unknown flags");
}

YES(full_exec_destroy, rill_exec *exec)
YES(full_launch, rill_exec *exec, rill_stream *stream)
GIVES(full_exec_flags, *flags = ((const struct full_exec *)rill_private(exec))->flags,
      rill_exec *exec, uint32_t *flags)

static rill_status full_exec_set_op(rill_exec *exec, rill_node node, const rill_op *op)
{
    drop_host(op);
    return RILL_SUCCESS;
}

static rill_status full_set_enabled(rill_exec *exec, rill_node node, int enabled)
{
    ((struct node *)node)->enabled = enabled;
    return RILL_SUCCESS;
}

GIVES(full_get_enabled, *enabled = ((const struct node *)node)->enabled, rill_exec *exec,
      rill_node node, int *enabled)

static rill_status full_update(rill_exec *exec, rill_graph *graph, rill_update_result *result)
{
    if (graph_of(graph)->count <= 2) return RILL_SUCCESS;
    result->reason = RILL_UPDATE_TOPOLOGY_CHANGED;
    result->node = (rill_node)graph_of(graph)->nodes;
    return rill_backend_fail(RILL_ERROR_GRAPH_EXEC_UPDATE_FAILURE, "graph",
                             "graph has too many nodes");
}

GIVES(full_exec_bytes, *bytes = 100, rill_exec *exec, size_t *bytes)

/* ---- The tables --------------------------------------------------------- */

const struct rill_capture_ops full_capture_ops = {
    .begin = full_begin,
    .end = full_end,
    .info = full_info,
    .update = full_capture_update,
    .exchange_mode = full_exchange_mode,
};

const struct rill_graph_ops full_graph_ops = {
    .private_bytes = sizeof(struct full_graph),
    .user_object_private_bytes = sizeof(struct full_user_object),
    .create = full_graph_create,
    .may_destroy = full_graph_may_destroy,
    .destroy = full_graph_destroy,
    .add_node = full_add_node,
    .remove_node = full_remove_node,
    .add_edges = full_edges_change,
    .remove_edges = full_edges_change,
    .nodes = full_nodes,
    .roots = full_nodes,
    .edges = full_edges,
    .dependencies = full_neighbours,
    .dependents = full_neighbours,
    .node_kind = full_node_kind,
    .get_op = full_get_op,
    .set_op = full_set_op,
    .get_attribute = full_node_get,
    .set_attribute = full_node_set,
    .copy_attributes = full_node_copy,
    .set_node_label = full_node_label,
    .child = full_child,
    .clone = full_clone,
    .find_in_clone = full_find_in_clone,
    .write_dot = full_write_dot,
    .conditional = full_conditional,
    .user_object_create = full_user_object_create,
    .user_object_retain = full_user_object_retain,
    .user_object_release = full_user_object_release,
    .retain = full_retain,
    .release = full_release,
    .get_memory = full_get_memory,
    .set_memory = full_set_memory,
    .trim_memory = full_trim_memory,
};

const struct rill_exec_ops full_exec_ops = {
    .private_bytes = sizeof(struct full_exec),
    .create = full_exec_create,
    .destroy = full_exec_destroy,
    .launch = full_launch,
    .upload = full_launch,
    .flags = full_exec_flags,
    .set_op = full_exec_set_op,
    .set_enabled = full_set_enabled,
    .get_enabled = full_get_enabled,
    .update = full_update,
    .bytes = full_exec_bytes,
};
