/* SPDX-License-Identifier: Apache-2.0 */
#include "support/full_backend.h"

#include <string.h>

#include "base/alloc.h"
#include "support/fake_backend.h"

/* What is not used in a slot that only says yes. */
#define UNUSED(name) (void)(name)

/* ---- Private bytes ------------------------------------------------------ */

/* The first two begin with what the fake keeps there. */
struct full_platform {
    uint64_t fake[8];
    rill_pool *default_pool, *current_pool;
    rill_capture_mode mode;
};

struct full_stream {
    uint64_t fake[4];
    rill_graph *capture;
    int made_graph; /* the capture's graph was not given by the caller */
};

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

static struct full_platform *platform_of(const void *object)
{
    return rill_private(rill_object_of(object)->platform);
}

static struct full_graph *graph_of(const rill_graph *graph)
{
    return rill_private(graph);
}

static struct full_stream *stream_of(const rill_stream *stream)
{
    return rill_private(stream);
}

/* ---- The platform ------------------------------------------------------- */

static rill_status full_open(rill_platform *platform, const rill_open_options *options)
{
    void *pool = NULL;
    rill_status status = fake_backend.open(platform, options);
    if (!status) status = rill_backend_own(RILL_OBJECT_POOL, platform, NULL, &pool);
    platform_of(platform)->default_pool = platform_of(platform)->current_pool = pool;
    return status;
}

static void full_close(rill_platform *platform)
{
    rill_backend_disown(platform_of(platform)->default_pool);
    fake_backend.close(platform);
}

static const char *full_explain(rill_platform *platform, rill_status status)
{
    UNUSED(platform);
    return status == RILL_ERROR_UNKNOWN ? "the full backend knows no more" : NULL;
}

static rill_status full_supports(rill_platform *platform, rill_feature feature)
{
    UNUSED(platform);
    if (feature != RILL_FEATURE_VALUE_OPERATIONS) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, "feature", "values are not waited for here");
}

static rill_status full_can_access_peer(rill_platform *platform, int device, int peer, int *can)
{
    UNUSED(platform);
    *can = device == peer;
    return RILL_SUCCESS;
}

static rill_status full_peer(rill_context *context, rill_context *peer)
{
    UNUSED(context);
    UNUSED(peer);
    return RILL_SUCCESS;
}

/* A context can be kept from going, by name. */
static rill_status full_may_destroy(rill_context *context)
{
    const char *label = rill_context_label(context);
    if (!label || strcmp(label, "to stay")) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_NOT_PERMITTED, "context", "context is to stay");
}

/* ---- Memory ------------------------------------------------------------- */

static rill_status full_acquire_pitch(rill_context *context, size_t width, size_t height,
                                      uint32_t element_bytes, rill_devptr *address, size_t *pitch)
{
    UNUSED(element_bytes);
    rill_status status = fake_backend.memory->acquire(context, (width + 63) / 64 * 64 * height,
                                                      address);
    if (!status) *pitch = (width + 63) / 64 * 64;
    return status;
}

static rill_status full_host_register(rill_context *context, void *pointer, size_t bytes,
                                      uint32_t flags)
{
    UNUSED(context);
    UNUSED(pointer);
    UNUSED(bytes);
    UNUSED(flags);
    return RILL_SUCCESS;
}

static rill_status full_host_unregister(rill_context *context, void *pointer)
{
    UNUSED(context);
    UNUSED(pointer);
    return RILL_SUCCESS;
}

static rill_status full_host_device_pointer(rill_context *context, void *pointer,
                                            rill_devptr *address)
{
    UNUSED(context);
    *address = (rill_devptr)(uintptr_t)pointer;
    return RILL_SUCCESS;
}

static rill_status full_host_flags(rill_context *context, void *pointer, uint32_t *flags)
{
    UNUSED(context);
    UNUSED(pointer);
    *flags = RILL_HOST_PORTABLE;
    return RILL_SUCCESS;
}

static rill_status full_pointer_info(rill_context *context, rill_devptr address,
                                     rill_pointer_info *info)
{
    info->kind = RILL_MEMORY_HOST;
    info->context = context;
    info->base = address;
    return RILL_SUCCESS;
}

static rill_status full_set_sync_memops(rill_context *context, rill_devptr address, int on)
{
    UNUSED(context);
    UNUSED(address);
    UNUSED(on);
    return RILL_SUCCESS;
}

/* ---- Kernels ------------------------------------------------------------ */

static rill_status full_param(rill_kernel *kernel, size_t index, size_t *offset, size_t *bytes)
{
    UNUSED(kernel);
    *offset = index * 8;
    *bytes = 8;
    return RILL_SUCCESS;
}

static rill_status full_kernel_get(rill_kernel *kernel, rill_kernel_attribute attribute, int *value)
{
    UNUSED(kernel);
    *value = (int)attribute;
    return RILL_SUCCESS;
}

static rill_status full_kernel_set(rill_kernel *kernel, rill_kernel_attribute attribute, int value)
{
    UNUSED(kernel);
    UNUSED(attribute);
    UNUSED(value);
    return RILL_SUCCESS;
}

/* ---- Streams ------------------------------------------------------------ */

/* More kinds than the fake runs; their effect is nobody's business here. */
static rill_status full_submit(rill_stream *stream, rill_op *op)
{
    switch (op->kind) {
    case RILL_OP_ALLOC: op->alloc.address = 4096; return RILL_SUCCESS;
    case RILL_OP_FREE:
    case RILL_OP_VALUES:
    case RILL_OP_GRAPH:
    case RILL_OP_CONDITIONAL: return RILL_SUCCESS;
    default: return fake_backend.stream->submit(stream, op);
    }
}

static rill_status full_stream_get(rill_stream *stream, rill_attribute *attribute)
{
    UNUSED(stream);
    attribute->priority = -1;
    return RILL_SUCCESS;
}

static rill_status full_stream_set(rill_stream *stream, const rill_attribute *attribute)
{
    UNUSED(stream);
    UNUSED(attribute);
    return RILL_SUCCESS;
}

static rill_status full_stream_copy(rill_stream *dst, rill_stream *src)
{
    UNUSED(dst);
    UNUSED(src);
    return RILL_SUCCESS;
}

static rill_status full_add_callback(rill_stream *stream, rill_stream_callback callback, void *data,
                                     uint32_t flags)
{
    UNUSED(flags);
    callback(stream, RILL_SUCCESS, data);
    return RILL_SUCCESS;
}

static rill_status full_attach(rill_stream *stream, rill_devptr address, size_t bytes,
                               uint32_t flags)
{
    UNUSED(stream);
    UNUSED(address);
    UNUSED(bytes);
    UNUSED(flags);
    return RILL_SUCCESS;
}

/* ---- Pools -------------------------------------------------------------- */

static rill_status full_pool_create(rill_pool *pool, const rill_pool_options *options)
{
    UNUSED(pool);
    UNUSED(options);
    return RILL_SUCCESS;
}

/* As a context. */
static rill_status full_pool_may_destroy(rill_pool *pool)
{
    const char *label = rill_pool_label(pool);
    if (!label || strcmp(label, "to stay")) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_NOT_PERMITTED, "pool", "pool is to stay");
}

static rill_status full_pool_destroy(rill_pool *pool)
{
    struct full_platform *platform = platform_of(pool);
    if (platform->current_pool == pool) platform->current_pool = platform->default_pool;
    return RILL_SUCCESS;
}

static rill_status full_default_pool(rill_platform *platform, int device, rill_pool **pool)
{
    UNUSED(device);
    *pool = platform_of(platform)->default_pool;
    return RILL_SUCCESS;
}

static rill_status full_current_pool(rill_platform *platform, int device, rill_pool **pool)
{
    UNUSED(device);
    *pool = platform_of(platform)->current_pool;
    return RILL_SUCCESS;
}

static rill_status full_set_pool(rill_platform *platform, int device, rill_pool *pool)
{
    UNUSED(device);
    platform_of(platform)->current_pool = pool;
    return RILL_SUCCESS;
}

static rill_status full_pool_get(rill_pool *pool, rill_pool_attribute attribute, uint64_t *value)
{
    UNUSED(pool);
    *value = (uint64_t)attribute;
    return RILL_SUCCESS;
}

static rill_status full_pool_set(rill_pool *pool, rill_pool_attribute attribute, uint64_t value)
{
    UNUSED(pool);
    UNUSED(attribute);
    UNUSED(value);
    return RILL_SUCCESS;
}

static rill_status full_trim(rill_pool *pool, size_t keep)
{
    UNUSED(pool);
    UNUSED(keep);
    return RILL_SUCCESS;
}

static rill_status full_get_access(rill_pool *pool, int device, rill_access *access)
{
    UNUSED(pool);
    UNUSED(device);
    *access = RILL_ACCESS_READ_WRITE;
    return RILL_SUCCESS;
}

static rill_status full_set_access(rill_pool *pool, int device, rill_access access)
{
    UNUSED(pool);
    UNUSED(device);
    UNUSED(access);
    return RILL_SUCCESS;
}

/* ---- Graphs ------------------------------------------------------------- */

static rill_status full_graph_create(rill_graph *graph, const rill_graph_options *options)
{
    UNUSED(graph);
    UNUSED(options);
    return RILL_SUCCESS;
}

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
    UNUSED(dependencies);
    UNUSED(edges);
    UNUSED(count);
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

static rill_status full_edges_change(rill_graph *graph, const rill_node *from, const rill_node *to,
                                     const rill_edge *edges, size_t count)
{
    UNUSED(graph);
    UNUSED(from);
    UNUSED(to);
    UNUSED(edges);
    UNUSED(count);
    return RILL_SUCCESS;
}

static rill_status full_nodes(rill_graph *graph, rill_node *nodes, size_t *count)
{
    size_t i = 0, real = graph_of(graph)->count;
    for (struct node *node = graph_of(graph)->nodes; nodes && node && i < *count; node = node->next)
        nodes[i++] = (rill_node)node;
    *count = nodes ? i : real;
    return RILL_SUCCESS;
}

static rill_status full_edges(rill_graph *graph, rill_node *from, rill_node *to, rill_edge *edges,
                              size_t *count)
{
    UNUSED(graph);
    UNUSED(from);
    UNUSED(to);
    UNUSED(edges);
    *count = 0;
    return RILL_SUCCESS;
}

static rill_status full_neighbours(rill_graph *graph, rill_node node, rill_node *nodes,
                                   rill_edge *edges, size_t *count)
{
    UNUSED(graph);
    UNUSED(node);
    UNUSED(nodes);
    UNUSED(edges);
    *count = 0;
    return RILL_SUCCESS;
}

static rill_status full_node_kind(rill_graph *graph, rill_node node, rill_op_kind *kind)
{
    UNUSED(graph);
    *kind = ((const struct node *)node)->op.kind;
    return RILL_SUCCESS;
}

static rill_status full_get_op(rill_graph *graph, rill_node node, rill_op *op)
{
    UNUSED(graph);
    memcpy(op, &((const struct node *)node)->op, sizeof *op);
    if (op->kind == RILL_OP_HOST) op->host.destroy = NULL; /* stays the graph's */
    return RILL_SUCCESS;
}

static rill_status full_set_op(rill_graph *graph, rill_node node, const rill_op *op)
{
    UNUSED(graph);
    drop_host(&((struct node *)node)->op);
    memcpy(&((struct node *)node)->op, op, sizeof *op);
    return RILL_SUCCESS;
}

static rill_status full_node_get(rill_graph *graph, rill_node node, rill_attribute *attribute)
{
    UNUSED(graph);
    UNUSED(node);
    attribute->priority = 0;
    return RILL_SUCCESS;
}

static rill_status full_node_set(rill_graph *graph, rill_node node, const rill_attribute *attribute)
{
    UNUSED(graph);
    UNUSED(node);
    UNUSED(attribute);
    return RILL_SUCCESS;
}

static rill_status full_node_copy(rill_graph *graph, rill_node dst, rill_node src)
{
    UNUSED(graph);
    UNUSED(dst);
    UNUSED(src);
    return RILL_SUCCESS;
}

static rill_status full_node_label(rill_graph *graph, rill_node node, const char *label)
{
    UNUSED(graph);
    UNUSED(node);
    UNUSED(label);
    return RILL_SUCCESS;
}

static rill_status full_child(rill_graph *graph, rill_node node, rill_graph **child)
{
    UNUSED(graph);
    const struct node *own = (const struct node *)node;
    if (!own->child)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "node", "node has no child graph");
    *child = own->child;
    return RILL_SUCCESS;
}

static rill_status full_clone(rill_graph *graph, rill_graph *clone)
{
    UNUSED(graph);
    UNUSED(clone);
    return RILL_SUCCESS;
}

static rill_status full_find_in_clone(rill_graph *clone, rill_node original, rill_node *node)
{
    UNUSED(clone);
    *node = original;
    return RILL_SUCCESS;
}

static rill_status full_write_dot(rill_graph *graph, uint32_t flags, rill_write_fn write,
                                  void *data)
{
    UNUSED(graph);
    UNUSED(flags);
    write(data, "digraph {}", 10);
    return RILL_SUCCESS;
}

static rill_status full_conditional(rill_graph *graph, uint32_t initial, uint32_t flags,
                                    rill_conditional *handle)
{
    UNUSED(graph);
    UNUSED(initial);
    UNUSED(flags);
    *handle = 7;
    return RILL_SUCCESS;
}

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
    UNUSED(graph);
    return flags & RILL_USER_OBJECT_MOVE ? RILL_SUCCESS : full_user_object_retain(object, count);
}

static rill_status full_release(rill_graph *graph, rill_user_object *object, uint32_t count)
{
    UNUSED(graph);
    return full_user_object_release(object, count);
}

/* ---- Memory of graphs --------------------------------------------------- */

static rill_status full_get_memory(rill_platform *platform, int device,
                                   rill_graph_memory_attribute attribute, uint64_t *value)
{
    UNUSED(platform);
    UNUSED(device);
    *value = (uint64_t)attribute;
    return RILL_SUCCESS;
}

static rill_status full_set_memory(rill_platform *platform, int device,
                                   rill_graph_memory_attribute attribute, uint64_t value)
{
    UNUSED(platform);
    UNUSED(device);
    UNUSED(attribute);
    UNUSED(value);
    return RILL_SUCCESS;
}

static rill_status full_trim_memory(rill_platform *platform, int device)
{
    UNUSED(platform);
    UNUSED(device);
    return RILL_SUCCESS;
}

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

static rill_status full_capture_update(rill_stream *stream, const rill_node *dependencies,
                                       const rill_edge *edges, size_t count,
                                       rill_capture_update how)
{
    UNUSED(stream);
    UNUSED(dependencies);
    UNUSED(edges);
    UNUSED(count);
    UNUSED(how);
    return RILL_SUCCESS;
}

static rill_status full_exchange_mode(rill_platform *platform, rill_capture_mode *mode)
{
    rill_capture_mode before = platform_of(platform)->mode;
    platform_of(platform)->mode = *mode;
    *mode = before;
    return RILL_SUCCESS;
}

/* A capture that nobody ended. */
static rill_status full_stream_destroy(rill_stream *stream)
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
    UNUSED(graph);
    ((struct full_exec *)rill_private(exec))->flags = options->flags;
    if (options->flags < 0x100) return RILL_SUCCESS;
    options->result = RILL_EXEC_INVALID_STRUCTURE;
    options->failing_node = (rill_node)graph_of(graph)->nodes;
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "options->flags", "unknown flags");
}

static rill_status full_exec_destroy(rill_exec *exec)
{
    UNUSED(exec);
    return RILL_SUCCESS;
}

static rill_status full_launch(rill_exec *exec, rill_stream *stream)
{
    UNUSED(exec);
    UNUSED(stream);
    return RILL_SUCCESS;
}

static rill_status full_exec_flags(rill_exec *exec, uint32_t *flags)
{
    *flags = ((const struct full_exec *)rill_private(exec))->flags;
    return RILL_SUCCESS;
}

static rill_status full_exec_set_op(rill_exec *exec, rill_node node, const rill_op *op)
{
    UNUSED(exec);
    UNUSED(node);
    drop_host(op);
    return RILL_SUCCESS;
}

static rill_status full_set_enabled(rill_exec *exec, rill_node node, int enabled)
{
    UNUSED(exec);
    ((struct node *)node)->enabled = enabled;
    return RILL_SUCCESS;
}

static rill_status full_get_enabled(rill_exec *exec, rill_node node, int *enabled)
{
    UNUSED(exec);
    *enabled = ((const struct node *)node)->enabled;
    return RILL_SUCCESS;
}

static rill_status full_update(rill_exec *exec, rill_graph *graph, rill_update_result *result)
{
    UNUSED(exec);
    if (graph_of(graph)->count <= 2) return RILL_SUCCESS;
    result->reason = RILL_UPDATE_TOPOLOGY_CHANGED;
    result->node = (rill_node)graph_of(graph)->nodes;
    return rill_backend_fail(RILL_ERROR_GRAPH_EXEC_UPDATE_FAILURE, "graph",
                             "graph has too many nodes");
}

static rill_status full_exec_bytes(rill_exec *exec, size_t *bytes)
{
    UNUSED(exec);
    *bytes = 100;
    return RILL_SUCCESS;
}

/* ---- The tables --------------------------------------------------------- */

static const struct rill_pool_ops pools = {
    .create = full_pool_create,
    .may_destroy = full_pool_may_destroy,
    .destroy = full_pool_destroy,
    .default_pool = full_default_pool,
    .current = full_current_pool,
    .set_current = full_set_pool,
    .get_attribute = full_pool_get,
    .set_attribute = full_pool_set,
    .trim = full_trim,
    .get_access = full_get_access,
    .set_access = full_set_access,
};

static const struct rill_capture_ops captures = {
    .begin = full_begin,
    .end = full_end,
    .info = full_info,
    .update = full_capture_update,
    .exchange_mode = full_exchange_mode,
};

static const struct rill_graph_ops graphs = {
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

static const struct rill_exec_ops execs = {
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

/* The fake's tables, with more in them. */
static struct rill_device_ops devices;
static struct rill_context_ops contexts;
static struct rill_memory_ops memory;
static struct rill_module_ops modules;
static struct rill_stream_ops streams;
static struct rill_backend backend;

static void extend_tables(void)
{
    devices = *fake_backend.device;
    devices.can_access_peer = full_can_access_peer;

    contexts = *fake_backend.context;
    contexts.may_destroy = full_may_destroy;
    contexts.enable_peer = full_peer;
    contexts.disable_peer = full_peer;

    memory = *fake_backend.memory;
    memory.acquire_pitch = full_acquire_pitch;
    memory.host_register = full_host_register;
    memory.host_unregister = full_host_unregister;
    memory.host_device_pointer = full_host_device_pointer;
    memory.host_flags = full_host_flags;
    memory.pointer_info = full_pointer_info;
    memory.set_sync_memops = full_set_sync_memops;

    modules = *fake_backend.module;
    modules.param = full_param;
    modules.get_attribute = full_kernel_get;
    modules.set_attribute = full_kernel_set;

    streams = *fake_backend.stream;
    streams.private_bytes = sizeof(struct full_stream);
    streams.destroy = full_stream_destroy;
    streams.submit = full_submit;
    streams.get_attribute = full_stream_get;
    streams.set_attribute = full_stream_set;
    streams.copy_attributes = full_stream_copy;
    streams.add_callback = full_add_callback;
    streams.attach = full_attach;
}

const struct rill_backend *full_backend(void)
{
    if (backend.abi) return &backend;
    extend_tables();
    backend = fake_backend;
    backend.name = "full";
    backend.platform_private_bytes = sizeof(struct full_platform);
    backend.open = full_open;
    backend.close = full_close;
    backend.explain = full_explain;
    backend.supports = full_supports;
    backend.device = &devices;
    backend.context = &contexts;
    backend.memory = &memory;
    backend.module = &modules;
    backend.stream = &streams;
    backend.pool = &pools;
    backend.capture = &captures;
    backend.graph = &graphs;
    backend.exec = &execs;
    return &backend;
}
