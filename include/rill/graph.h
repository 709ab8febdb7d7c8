/* SPDX-License-Identifier: Apache-2.0
 *
 * <rill/graph.h>: graphs: nodes, edges, and what a graph keeps alive.
 *
 * A graph belongs to no context.  Its work may: kernels, memory and events are of
 * contexts, and what runs in a launch runs in that of the stream.  The context that a
 * graph was made in is no more than the default for work that names none, and that of
 * its execs; the graph, its clones and the graphs inside it outlive it.  From then on
 * calls that need the default say RILL_ERROR_CONTEXT_IS_DESTROYED.
 *
 * A graph and its nodes are not to be used from two threads at once.  Inside a host
 * function, graphs can be added to where that needs no context (empty, host and event
 * nodes, conditionals, edges), set and written as text, but not listed, copied or
 * destroyed: RILL_ERROR_NOT_PERMITTED.
 *
 * Lists follow one rule: with NULL arrays *count receives how many there are; else
 * at most *count entries are written, spare ones are set to zero, and *count
 * receives how many were real.  rill_node_dependencies() and its like leave the
 * edge data of spare entries alone.  Edge data is asked for together with nodes, or not
 * at all.
 *
 * Orders are the driver's: nodes by age, roots from that which became one last,
 * edges by the node they begin at; an edge that goes leaves its place to the last
 * one of its node.
 */
#ifndef RILL_GRAPH_H
#define RILL_GRAPH_H

#include <rill/op.h>

RILL_BEGIN_DECLS

typedef struct rill_graph_options {
    size_t size;
    const char *label;
} rill_graph_options;

/* An empty graph, for work of `context` where that names no other. */
RILL_API rill_status rill_graph_create(rill_context *context, const rill_graph_options *options,
                                       rill_graph **graph);

/* The same without such a context.  Calls that need one say RILL_ERROR_INVALID_CONTEXT:
 * rill_exec_create(), unless its options name one, and rill_graph_add_alloc(), which takes
 * the device from it.  Copies, fills and values are of the context that has their memory;
 * in the simulator any memory will do. */
RILL_API rill_status rill_graph_create_in(rill_platform *platform,
                                          const rill_graph_options *options, rill_graph **graph);

/* Execs made from the graph, and its launches, go on. */
RILL_API rill_status rill_graph_destroy(rill_graph **graph);

/* What error records call the graph; copied, and NULL for its number alone.  What was
 * asked for stays readable as long as the graph is. */
RILL_API rill_status rill_graph_set_label(rill_graph *graph, const char *label);
RILL_API const char *rill_graph_label(const rill_graph *graph);

/* ---- Edges -------------------------------------------------------------- */

/* All zero: the node begins when the one before it has ended.  Ports other than 0
 * are those of kernel nodes: 1 goes with type 1, 2 with either. */
typedef struct rill_edge {
    uint8_t from_port; /* 0 end, 1 programmatic, 2 launch order */
    uint8_t to_port;
    uint8_t type;      /* 0 default, 1 programmatic (kernel to kernel) */
    uint8_t reserved[5];
} rill_edge;

/* ---- Nodes -------------------------------------------------------------- */

/* Flag of a RILL_OP_GRAPH node: the child itself moves into the parent, which
 * owns it from then on, instead of a copy.  A graph with memory nodes can only
 * move; one with conditionals, or handles for them, can neither move nor be copied. */
#define RILL_CHILD_MOVE 0x1u

/* Adds a node that does `op`, behind each of `dependencies`, with the data of the edges
 * where they are given. */
RILL_API rill_status rill_graph_add_node(rill_graph *graph, const rill_node *dependencies,
                                         size_t dependency_count, rill_op *op, rill_node *node);
RILL_API rill_status rill_graph_add_node_with_edges(rill_graph *graph,
                                                    const rill_node *dependencies,
                                                    const rill_edge *edges,
                                                    size_t dependency_count, rill_op *op,
                                                    rill_node *node);

/* One form for each kind; see <rill/op.h> for what the arguments mean. */
RILL_API rill_status rill_graph_add_kernel(rill_graph *graph, const rill_node *dependencies,
                                           size_t dependency_count, rill_kernel *kernel,
                                           rill_dim3 grid, rill_dim3 block, size_t shared_bytes,
                                           const void *const *params, rill_node *node);
RILL_API rill_status rill_graph_add_memcpy(rill_graph *graph, const rill_node *dependencies,
                                           size_t dependency_count, const rill_copy *copy,
                                           rill_node *node);
RILL_API rill_status rill_graph_add_memset(rill_graph *graph, const rill_node *dependencies,
                                           size_t dependency_count, const rill_fill *fill,
                                           rill_node *node);

/* `destroy`, when given, runs exactly once: when the last graph and exec that have
 * the function are gone, or when this call fails. */
RILL_API rill_status rill_graph_add_host(rill_graph *graph, const rill_node *dependencies,
                                         size_t dependency_count, rill_host_fn fn, void *data,
                                         rill_destroy_fn destroy, rill_node *node);

/* `flags`: 0, a copy of `child` goes into the node; or RILL_CHILD_MOVE. */
RILL_API rill_status rill_graph_add_child(rill_graph *graph, const rill_node *dependencies,
                                          size_t dependency_count, rill_graph *child,
                                          uint32_t flags, rill_node *node);

/* A node that does nothing but come behind others and before others. */
RILL_API rill_status rill_graph_add_empty(rill_graph *graph, const rill_node *dependencies,
                                          size_t dependency_count, rill_node *node);

/* What comes behind the node waits for what the event stands for when the node is
 * reached; and the event stands for what came before the node. */
RILL_API rill_status rill_graph_add_event_wait(rill_graph *graph, const rill_node *dependencies,
                                               size_t dependency_count, rill_event *event,
                                               rill_node *node);
RILL_API rill_status rill_graph_add_event_record(rill_graph *graph, const rill_node *dependencies,
                                                 size_t dependency_count, rill_event *event,
                                                 rill_node *node);

/* *address is known at once; there is memory from the node's run to that of the
 * free.  On the device of the context that the graph was made in. */
RILL_API rill_status rill_graph_add_alloc(rill_graph *graph, const rill_node *dependencies,
                                          size_t dependency_count, size_t bytes,
                                          rill_devptr *address, rill_node *node);
RILL_API rill_status rill_graph_add_free(rill_graph *graph, const rill_node *dependencies,
                                         size_t dependency_count, rill_devptr address,
                                         rill_node *node);

/* Values written to memory and waited for there, as by rill_stream_batch_values(). */
RILL_API rill_status rill_graph_add_values(rill_graph *graph, const rill_node *dependencies,
                                           size_t dependency_count, const rill_value *items,
                                           size_t count, uint32_t flags, rill_node *node);

/* bodies[0 .. body_count - 1] receive the node's bodies, empty graphs to be filled:
 * with kernels and fills of one context, copies of anything but pageable memory, empty
 * nodes, child graphs and conditionals.  Other nodes can be added, but then no exec
 * can be made. */
RILL_API rill_status rill_graph_add_conditional(rill_graph *graph, const rill_node *dependencies,
                                                size_t dependency_count, rill_conditional handle,
                                                rill_conditional_kind kind, uint32_t body_count,
                                                rill_graph **bodies, rill_node *node);

/* With its edges.  Memory nodes stay, and so do the nodes of a graph that has them. */
RILL_API rill_status rill_graph_remove_node(rill_graph *graph, rill_node node);

/* As the driver does it: nodes, loops and edge data are checked first, and a call that
 * is refused for them has changed nothing.  Then the edges come, or go, in their order.
 * The first that is there already, or is not there, ends the call, and those in front
 * of it stay as the call made them.  Edges are removed whatever they carry. */
RILL_API rill_status rill_graph_add_edges(rill_graph *graph, const rill_node *from,
                                          const rill_node *to, const rill_edge *edges,
                                          size_t count);
RILL_API rill_status rill_graph_remove_edges(rill_graph *graph, const rill_node *from,
                                             const rill_node *to, const rill_edge *edges,
                                             size_t count);

/* Lists: all nodes, those that depend on none, all edges, and the nodes and edges before
 * and behind `node`. */
RILL_API rill_status rill_graph_nodes(rill_graph *graph, rill_node *nodes, size_t *count);
RILL_API rill_status rill_graph_roots(rill_graph *graph, rill_node *nodes, size_t *count);
RILL_API rill_status rill_graph_edges(rill_graph *graph, rill_node *from, rill_node *to,
                                      rill_edge *edges, size_t *count);
RILL_API rill_status rill_node_dependencies(rill_graph *graph, rill_node node, rill_node *nodes,
                                            rill_edge *edges, size_t *count);
RILL_API rill_status rill_node_dependents(rill_graph *graph, rill_node node, rill_node *nodes,
                                          rill_edge *edges, size_t *count);

/* Which kind of operation the node does. */
RILL_API rill_status rill_node_kind(rill_graph *graph, rill_node node, rill_op_kind *kind);

/* The node's operation, as it was given.  Arrays in it are borrowed until the node
 * changes.  A host function comes without its `destroy`, which stays the node's, and
 * an allocation with the device of its pool instead of the pool.  In the simulator a
 * kernel whose module is gone, and an event that is, are NULL. */
RILL_API rill_status rill_node_get_op(rill_graph *graph, rill_node node, rill_op *op);

/* The node does something else of the same kind from now on; execs that were made
 * go on as they are.  Kernel nodes keep the attributes that `op` does not give.  A
 * child graph node gets a copy of a graph of any shape, also with RILL_CHILD_MOVE,
 * which hands nothing over here; the graph that was inside it is gone.  Memory and
 * conditionals cannot be set.  The `destroy` of a host function runs when the call
 * fails. */
RILL_API rill_status rill_node_set_op(rill_graph *graph, rill_node node, const rill_op *op);

/* Attributes of kernel nodes.  `id` is set by the caller. */
RILL_API rill_status rill_node_get_attribute(rill_graph *graph, rill_node node,
                                             rill_attribute *attribute);
RILL_API rill_status rill_node_set_attribute(rill_graph *graph, rill_node node,
                                             const rill_attribute *attribute);
RILL_API rill_status rill_node_copy_attributes(rill_graph *graph, rill_node dst, rill_node src);

/* What error records and drawings call the node; copied, NULL for none. */
RILL_API rill_status rill_node_set_label(rill_graph *graph, rill_node node, const char *label);

/* Borrowed: the graph inside a RILL_OP_GRAPH node. */
RILL_API rill_status rill_node_child_graph(rill_graph *graph, rill_node node, rill_graph **child);

/* ---- Whole graphs ------------------------------------------------------- */

/* A copy with nodes of its own, and with copies of its child graphs. */
RILL_API rill_status rill_graph_clone(rill_graph *graph, rill_graph **clone);

/* The node of `clone` that is the copy of `original`. */
RILL_API rill_status rill_graph_find_in_clone(rill_graph *clone, rill_node original,
                                              rill_node *node);

/* What Graphviz text says of nodes besides their kind and names, in the driver's
 * words and shapes.  The driver's numbers; those that are not here are accepted and
 * add nothing. */
enum {
    RILL_DOT_VERBOSE = 0x1, /* everything, and handles of conditionals */
    RILL_DOT_KERNEL_PARAMS = 0x4,
    RILL_DOT_MEMCPY_PARAMS = 0x8,
    RILL_DOT_MEMSET_PARAMS = 0x10,
    RILL_DOT_HOST_PARAMS = 0x20,
    RILL_DOT_EVENT_PARAMS = 0x40,
    RILL_DOT_KERNEL_ATTRIBUTES = 0x200,
    RILL_DOT_HANDLES = 0x400,
    RILL_DOT_ALLOC_PARAMS = 0x800,
    RILL_DOT_FREE_PARAMS = 0x1000,
    RILL_DOT_VALUES_PARAMS = 0x2000,
    RILL_DOT_EXTRA_TOPOLOGY = 0x4000,    /* nodes are ranked, edges numbered     */
    RILL_DOT_CONDITIONAL_PARAMS = 0x8000 /* nothing: what there is, is there always */
};

/* Graphviz text, in pieces, RILL_DOT_* as `flags`.  A `write` that answers other
 * than 0 ends the call with RILL_ERROR_OPERATING_SYSTEM. */
typedef int (*rill_write_fn)(void *data, const char *text, size_t bytes);
RILL_API rill_status rill_graph_write_dot(rill_graph *graph, uint32_t flags, rill_write_fn write,
                                          void *data);

/* The value that a conditional node reads; `flags`: 0, or RILL_CONDITIONAL_ASSIGN
 * to set it to `initial` at the start of each launch.  Without that it begins as 0,
 * whatever `initial` says, and is kept from launch to launch.  Handles of different
 * graphs may be the same number. */
#define RILL_CONDITIONAL_ASSIGN 0x1u
RILL_API rill_status rill_conditional_create(rill_graph *graph, uint32_t initial, uint32_t flags,
                                             rill_conditional *handle);

/* ---- What a graph keeps alive ------------------------------------------- */

#define RILL_USER_OBJECT_MOVE 0x1u

/* `destroy` runs once, when the last reference is gone: the caller's, which are
 * `references` at first, those of graphs, of their execs, and of launches in flight. */
RILL_API rill_status rill_user_object_create(rill_platform *platform, void *data,
                                             rill_destroy_fn destroy, uint32_t references,
                                             rill_user_object **object);

/* More references of the caller's, or fewer.  The handle becomes NULL with the last of them. */
RILL_API rill_status rill_user_object_retain(rill_user_object *object, uint32_t count);
RILL_API rill_status rill_user_object_release(rill_user_object **object, uint32_t count);

/* References of the graph's.  `flags`: 0, or RILL_USER_OBJECT_MOVE, which takes them from
 * the caller's. */
RILL_API rill_status rill_graph_retain_user_object(rill_graph *graph, rill_user_object *object,
                                                   uint32_t count, uint32_t flags);

/* Of references that the graph has.  Whether it has so many is not looked at: what is
 * more is taken from those of others. */
RILL_API rill_status rill_graph_release_user_object(rill_graph *graph, rill_user_object *object,
                                                    uint32_t count);

/* ---- Memory of graphs on a device --------------------------------------- */

typedef enum rill_graph_memory_attribute {
    RILL_GRAPH_MEMORY_USED_CURRENT = 0,
    RILL_GRAPH_MEMORY_USED_HIGH = 1,
    RILL_GRAPH_MEMORY_RESERVED_CURRENT = 2,
    RILL_GRAPH_MEMORY_RESERVED_HIGH = 3
} rill_graph_memory_attribute;

/* How much memory of the device graphs use, and how much is reserved for them, now and at
 * most so far.  The high numbers can be set, to 0.  Trimming gives back what is reserved
 * and not in use. */
RILL_API rill_status rill_device_get_graph_memory(rill_platform *platform, int device,
                                                  rill_graph_memory_attribute attribute,
                                                  uint64_t *value);
RILL_API rill_status rill_device_set_graph_memory(rill_platform *platform, int device,
                                                  rill_graph_memory_attribute attribute,
                                                  uint64_t value);
RILL_API rill_status rill_device_trim_graph_memory(rill_platform *platform, int device);

RILL_END_DECLS

#endif
