/* SPDX-License-Identifier: Apache-2.0
 *
 * <rill/graph.h>: graphs: nodes, edges, and what a graph keeps alive.
 *
 * A graph belongs to no context.  Its work may: kernels, memory and events belong to
 * contexts, and a launch runs in the context of its stream.  The context in which a
 * graph was made is only the default for work that names no context, and the default
 * for the graph's execs.  The graph, its clones and the graphs inside it outlive that
 * context; from then on calls that need the default return
 * RILL_ERROR_CONTEXT_IS_DESTROYED.
 *
 * A graph and its nodes must not be used by two threads at once.  Inside a host
 * function, a graph can be extended with what needs no context (empty, host and event
 * nodes, conditionals, edges), its nodes can be set, and it can be written as text.  It
 * cannot be listed, copied or destroyed there: these calls return
 * RILL_ERROR_NOT_PERMITTED.
 *
 * Lists follow one rule.  If the arrays are NULL, *count receives the number of
 * entries.  Otherwise at most *count entries are written, spare entries are set to
 * zero, and *count receives the number of real ones.  rill_node_dependencies() and its
 * like leave the edge data of spare entries alone.  Edge data is requested together
 * with nodes or not at all.
 *
 * The order of lists is the driver's: nodes by age; roots starting with the one that
 * became a root last; edges by the node at which they begin.  When an edge is removed,
 * the last edge of its node takes its place.
 */
#ifndef RILL_GRAPH_H
#define RILL_GRAPH_H

#include <rill/op.h>

RILL_BEGIN_DECLS

typedef struct rill_graph_options {
    size_t size;
    const char *label;
} rill_graph_options;

/* Creates an empty graph.  `context` serves work that names no other context. */
RILL_API rill_status rill_graph_create(rill_context *context, const rill_graph_options *options,
                                       rill_graph **graph);

/* Creates an empty graph without such a default context.  Calls that need one return
 * RILL_ERROR_INVALID_CONTEXT: rill_exec_create(), unless its options name a context,
 * and rill_graph_add_alloc(), which takes the device from the context.  Copies, fills
 * and values belong to the context that has their memory; the simulator accepts any
 * memory. */
RILL_API rill_status rill_graph_create_in(rill_platform *platform,
                                          const rill_graph_options *options, rill_graph **graph);

/* Destroys the graph.  Execs made from the graph, and their launches, go on. */
RILL_API rill_status rill_graph_destroy(rill_graph **graph);

/* Sets, or returns, the name that error records use for the graph.  The label is
 * copied; after NULL, records use the graph's number.  A label that was returned stays
 * readable for as long as the graph exists. */
RILL_API rill_status rill_graph_set_label(rill_graph *graph, const char *label);
RILL_API const char *rill_graph_label(const rill_graph *graph);

/* ---- Edges -------------------------------------------------------------- */

/* An edge that is all zero lets its node begin when the node before it has ended.
 * Ports other than 0 belong to kernel nodes: port 1 goes with type 1, port 2 with
 * either type. */
typedef struct rill_edge {
    uint8_t from_port; /* 0 end, 1 programmatic, 2 launch order */
    uint8_t to_port;
    uint8_t type;      /* 0 default, 1 programmatic (kernel to kernel) */
    uint8_t reserved[5];
} rill_edge;

/* ---- Nodes -------------------------------------------------------------- */

/* Flag of a RILL_OP_GRAPH node: the child itself, instead of a copy, moves into the
 * parent, which owns it from then on.  A graph with memory nodes can only move.  A
 * graph with conditionals, or with handles for them, can neither move nor be copied. */
#define RILL_CHILD_MOVE 0x1u

/* Adds a node that does `op` and runs after each of `dependencies`.  The second form
 * also takes the data of these edges. */
RILL_API rill_status rill_graph_add_node(rill_graph *graph, const rill_node *dependencies,
                                         size_t dependency_count, rill_op *op, rill_node *node);
RILL_API rill_status rill_graph_add_node_with_edges(rill_graph *graph,
                                                    const rill_node *dependencies,
                                                    const rill_edge *edges,
                                                    size_t dependency_count, rill_op *op,
                                                    rill_node *node);

/* Adds a node of one kind.  See <rill/op.h> for what the arguments mean. */
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

/* Adds a node that calls a host function.  `destroy`, if given, runs exactly once: when
 * the last graph and the last exec that hold the function are gone, or when this call
 * fails. */
RILL_API rill_status rill_graph_add_host(rill_graph *graph, const rill_node *dependencies,
                                         size_t dependency_count, rill_host_fn fn, void *data,
                                         rill_destroy_fn destroy, rill_node *node);

/* Adds a node that holds another graph.  With `flags` 0 the node receives a copy of
 * `child`; with RILL_CHILD_MOVE, `child` itself moves. */
RILL_API rill_status rill_graph_add_child(rill_graph *graph, const rill_node *dependencies,
                                          size_t dependency_count, rill_graph *child,
                                          uint32_t flags, rill_node *node);

/* Adds a node that does nothing, to order other nodes. */
RILL_API rill_status rill_graph_add_empty(rill_graph *graph, const rill_node *dependencies,
                                          size_t dependency_count, rill_node *node);

/* Adds a node that waits for what the event stands for when the node is reached, or a
 * node that makes the event stand for what came before the node. */
RILL_API rill_status rill_graph_add_event_wait(rill_graph *graph, const rill_node *dependencies,
                                               size_t dependency_count, rill_event *event,
                                               rill_node *node);
RILL_API rill_status rill_graph_add_event_record(rill_graph *graph, const rill_node *dependencies,
                                                 size_t dependency_count, rill_event *event,
                                                 rill_node *node);

/* Adds a node that allocates memory on the device of the graph's context, or a node
 * that frees such memory.  *address is known at once, but there is memory only from the
 * run of the allocating node to that of the freeing one. */
RILL_API rill_status rill_graph_add_alloc(rill_graph *graph, const rill_node *dependencies,
                                          size_t dependency_count, size_t bytes,
                                          rill_devptr *address, rill_node *node);
RILL_API rill_status rill_graph_add_free(rill_graph *graph, const rill_node *dependencies,
                                         size_t dependency_count, rill_devptr address,
                                         rill_node *node);

/* Adds a node that writes values to memory and waits for values there, as
 * rill_stream_batch_values() does. */
RILL_API rill_status rill_graph_add_values(rill_graph *graph, const rill_node *dependencies,
                                           size_t dependency_count, const rill_value *items,
                                           size_t count, uint32_t flags, rill_node *node);

/* Adds a conditional node.  bodies[0 .. body_count - 1] receive the node's bodies, empty
 * graphs to be filled with kernels and fills of one context, copies of anything but
 * pageable memory, empty nodes, child graphs and conditionals.  Other nodes can be
 * added to a body, but then no exec can be made. */
RILL_API rill_status rill_graph_add_conditional(rill_graph *graph, const rill_node *dependencies,
                                                size_t dependency_count, rill_conditional handle,
                                                rill_conditional_kind kind, uint32_t body_count,
                                                rill_graph **bodies, rill_node *node);

/* Removes a node together with its edges.  Memory nodes cannot be removed, nor can any
 * node of a graph that has memory nodes. */
RILL_API rill_status rill_graph_remove_node(rill_graph *graph, rill_node node);

/* Adds or removes edges as the driver does it.  Nodes, cycles and edge data are checked
 * first, and a call that is refused for them has changed nothing.  Then the edges are
 * added or removed in order.  The first edge that exists already, or does not exist,
 * ends the call; the edges before it stay as the call made them.  An edge is removed
 * whatever data it carries. */
RILL_API rill_status rill_graph_add_edges(rill_graph *graph, const rill_node *from,
                                          const rill_node *to, const rill_edge *edges,
                                          size_t count);
RILL_API rill_status rill_graph_remove_edges(rill_graph *graph, const rill_node *from,
                                             const rill_node *to, const rill_edge *edges,
                                             size_t count);

/* Lists all nodes; the nodes that depend on none; all edges; or the nodes and edges
 * before or after `node`. */
RILL_API rill_status rill_graph_nodes(rill_graph *graph, rill_node *nodes, size_t *count);
RILL_API rill_status rill_graph_roots(rill_graph *graph, rill_node *nodes, size_t *count);
RILL_API rill_status rill_graph_edges(rill_graph *graph, rill_node *from, rill_node *to,
                                      rill_edge *edges, size_t *count);
RILL_API rill_status rill_node_dependencies(rill_graph *graph, rill_node node, rill_node *nodes,
                                            rill_edge *edges, size_t *count);
RILL_API rill_status rill_node_dependents(rill_graph *graph, rill_node node, rill_node *nodes,
                                          rill_edge *edges, size_t *count);

/* Returns the kind of operation that the node does. */
RILL_API rill_status rill_node_kind(rill_graph *graph, rill_node node, rill_op_kind *kind);

/* Returns the node's operation as it was given.  Arrays in it are borrowed until the
 * node changes.  A host function comes without its `destroy`, which stays with the
 * node, and an allocation comes with the device of its pool instead of the pool.  In
 * the simulator a kernel is NULL if its module is gone, and so is an event that is
 * gone. */
RILL_API rill_status rill_node_get_op(rill_graph *graph, rill_node node, rill_op *op);

/* Makes the node do something else of the same kind from now on.  Existing execs go on
 * as they are.  A kernel node keeps the attributes that `op` does not give.  A child
 * graph node receives a copy of a graph of any shape, even with RILL_CHILD_MOVE, which
 * hands nothing over here; the graph that was inside the node is gone.  Memory nodes
 * and conditionals cannot be set.  If the call fails, the `destroy` of a host function
 * runs. */
RILL_API rill_status rill_node_set_op(rill_graph *graph, rill_node node, const rill_op *op);

/* Returns, sets or copies attributes of kernel nodes.  The caller sets `id`. */
RILL_API rill_status rill_node_get_attribute(rill_graph *graph, rill_node node,
                                             rill_attribute *attribute);
RILL_API rill_status rill_node_set_attribute(rill_graph *graph, rill_node node,
                                             const rill_attribute *attribute);
RILL_API rill_status rill_node_copy_attributes(rill_graph *graph, rill_node dst, rill_node src);

/* Sets the name that error records and drawings use for the node.  The label is copied;
 * NULL removes it. */
RILL_API rill_status rill_node_set_label(rill_graph *graph, rill_node node, const char *label);

/* Returns the graph inside a RILL_OP_GRAPH node.  The graph is borrowed. */
RILL_API rill_status rill_node_child_graph(rill_graph *graph, rill_node node, rill_graph **child);

/* ---- Whole graphs ------------------------------------------------------- */

/* Makes a copy with nodes of its own and with copies of its child graphs. */
RILL_API rill_status rill_graph_clone(rill_graph *graph, rill_graph **clone);

/* Returns the node of `clone` that is the copy of `original`. */
RILL_API rill_status rill_graph_find_in_clone(rill_graph *clone, rill_node original,
                                              rill_node *node);

/* Flags for what Graphviz text tells about nodes besides their kinds and names, in the
 * driver's words and shapes.  The numbers are the driver's; flags that are not listed
 * here are accepted and add nothing. */
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
    RILL_DOT_CONDITIONAL_PARAMS = 0x8000 /* adds nothing: they are always there  */
};

/* Writes the graph as Graphviz text, in pieces.  `flags` are RILL_DOT_*. If `write`
 * returns anything but 0, the call ends with RILL_ERROR_OPERATING_SYSTEM. */
typedef int (*rill_write_fn)(void *data, const char *text, size_t bytes);
RILL_API rill_status rill_graph_write_dot(rill_graph *graph, uint32_t flags, rill_write_fn write,
                                          void *data);

/* Creates the value that a conditional node reads.  `flags` is 0, or
 * RILL_CONDITIONAL_ASSIGN to set the value to `initial` at the start of each launch.
 * Without that flag the value begins as 0, whatever `initial` says, and is kept from
 * launch to launch.  Handles of different graphs may be the same number. */
#define RILL_CONDITIONAL_ASSIGN 0x1u
RILL_API rill_status rill_conditional_create(rill_graph *graph, uint32_t initial, uint32_t flags,
                                             rill_conditional *handle);

/* ---- What a graph keeps alive ------------------------------------------- */

#define RILL_USER_OBJECT_MOVE 0x1u

/* Creates an object whose `destroy` runs once, when the last reference is gone.
 * References are held by the caller (`references` of them at first), by graphs, by
 * their execs, and by launches in flight. */
RILL_API rill_status rill_user_object_create(rill_platform *platform, void *data,
                                             rill_destroy_fn destroy, uint32_t references,
                                             rill_user_object **object);

/* Adds to the caller's references, or takes from them.  The handle becomes NULL when
 * the caller's last reference is given back. */
RILL_API rill_status rill_user_object_retain(rill_user_object *object, uint32_t count);
RILL_API rill_status rill_user_object_release(rill_user_object **object, uint32_t count);

/* Gives references to the graph.  `flags` is 0, or RILL_USER_OBJECT_MOVE to take them
 * from the caller's. */
RILL_API rill_status rill_graph_retain_user_object(rill_graph *graph, rill_user_object *object,
                                                   uint32_t count, uint32_t flags);

/* Takes references from the graph.  The call does not check that the graph has that
 * many: the excess is taken from other holders. */
RILL_API rill_status rill_graph_release_user_object(rill_graph *graph, rill_user_object *object,
                                                    uint32_t count);

/* ---- Memory of graphs on a device --------------------------------------- */

typedef enum rill_graph_memory_attribute {
    RILL_GRAPH_MEMORY_USED_CURRENT = 0,
    RILL_GRAPH_MEMORY_USED_HIGH = 1,
    RILL_GRAPH_MEMORY_RESERVED_CURRENT = 2,
    RILL_GRAPH_MEMORY_RESERVED_HIGH = 3
} rill_graph_memory_attribute;

/* Returns how much memory of the device graphs use, or how much is reserved for graphs,
 * now and at most so far; or resets a high mark, which can only be set to 0.  Trimming
 * gives back memory that is reserved and not in use. */
RILL_API rill_status rill_device_get_graph_memory(rill_platform *platform, int device,
                                                  rill_graph_memory_attribute attribute,
                                                  uint64_t *value);
RILL_API rill_status rill_device_set_graph_memory(rill_platform *platform, int device,
                                                  rill_graph_memory_attribute attribute,
                                                  uint64_t value);
RILL_API rill_status rill_device_trim_graph_memory(rill_platform *platform, int device);

RILL_END_DECLS

#endif
