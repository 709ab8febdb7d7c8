/* SPDX-License-Identifier: Apache-2.0
 *
 * Graphs.  Nodes are the driver's handles as they are.  A graph that lives inside
 * another one, a child or a body, is an object that its owner makes when it is first
 * asked for and gives up when it goes.
 *
 * The driver follows a node's handle without a look, so a handle that is stale,
 * foreign or garbage would end the process.  A graph therefore knows its nodes, and
 * what the driver does not keep of them (node_table.c).
 *
 * Calls on one graph do not overlap (backend.h): nothing here is locked, but the list
 * of the graphs of a platform.
 */
#ifndef CUDA_GRAPH_H
#define CUDA_GRAPH_H

#include <string.h>

#include "backend-cuda/kernel.h"
#include "backend-cuda/values.h"
#include "base/op_kind.h"

/* ---- Nodes ------------------------------------------------------------------------- */

/* What the driver does not keep of a node, or not as rill tells it. */
struct cuda_note {
    char *label;
    rill_value *values;         /* as rill_node_get_op() told them last       */
    rill_attribute *attributes; /* the same                                   */
    rill_conditional_op conditional; /* of such a node: `bodies` is not NULL  */
};

struct cuda_slot {
    CUgraphNode raw; /* NULL: free */
    union {
        struct cuda_note *note; /* of a graph's node; mostly NULL      */
        uintptr_t kind;         /* of an exec's node: its rill_op_kind, and for values
                                   their number above CUDA_SLOT_KIND_BITS */
    };
};

#define CUDA_SLOT_KIND_BITS 8

/* Of an exec's node. */
static inline rill_op_kind cuda_slot_kind(const struct cuda_slot *slot)
{
    return (rill_op_kind)(slot->kind & ((1u << CUDA_SLOT_KIND_BITS) - 1));
}

/* A set of nodes, found by handle. */
struct cuda_nodes {
    struct cuda_slot *slots;
    size_t room, count; /* room: 0 or a power of two */
    size_t notes;       /* of these, how many have a note */
};

struct cuda_slot *cuda_nodes_find(const struct cuda_nodes *nodes, CUgraphNode raw);

/* The slot of a node, which may be new; NULL when memory is short. */
struct cuda_slot *cuda_nodes_put(struct cuda_nodes *nodes, CUgraphNode raw);

/* Room for one more: the next put finds it. */
bool cuda_nodes_reserve(struct cuda_nodes *nodes);

/* The node goes, and its note with it. */
void cuda_nodes_take(struct cuda_nodes *nodes, CUgraphNode raw);

/* `notes`: false for those of execs. */
void cuda_nodes_free(struct cuda_nodes *nodes, bool notes);

/* The nodes of the driver's graph, in an array that is the caller's to rl_free(). */
rill_status cuda_list_nodes(CUgraph raw, CUgraphNode **list, size_t *count);

/* ---- Graphs ------------------------------------------------------------------------ */

struct cuda_graph {
    CUgraph raw; /* NULL once it is gone: calls are the driver's to refuse */
    rill_graph *handle;
    struct cuda_platform *platform;
    struct cuda_context *home; /* that it was made in: graph_work.c; may be over, or NULL */
    struct cuda_graph *next, **link; /* of the platform's graphs; its graphs_lock */
    struct cuda_graph *inner; /* graphs inside this one that were asked for, linked by
                                 `beside` */
    struct cuda_graph *beside, *outer;
    CUgraphNode holder; /* the node of `outer` that this one is in */
    struct cuda_nodes nodes; /* may be behind: see cuda_check_node() */
    bool borrowed; /* the driver's graph stays, see <rill/cuda.h> */
    bool moved;    /* into the graph around it, see RILL_CHILD_MOVE */
    bool lost;     /* a capture into it failed, which took it along */
};

static inline struct cuda_graph *cuda_graph_of(const rill_graph *graph)
{
    return rill_private(graph);
}

static inline CUgraphNode cuda_raw_node(rill_node node)
{
    return (CUgraphNode)(void *)node;
}

static inline rill_node cuda_node(CUgraphNode raw)
{
    return (rill_node)(void *)raw;
}

static inline CUgraphNode *cuda_raw_nodes(rill_node *nodes)
{
    return (CUgraphNode *)(void *)nodes;
}

static inline const CUgraphNode *cuda_const_raw_nodes(const rill_node *nodes)
{
    return (const CUgraphNode *)(const void *)nodes;
}

/* Whether an edge carries data, which drivers before 12.3 do not know. */
static inline bool cuda_has_data(const rill_edge *edge)
{
    static const rill_edge plain;
    return memcmp(edge, &plain, sizeof plain) != 0;
}

/* A new object for a graph that the driver made: the context's, until the core makes
 * it the caller's. */
rill_status cuda_own_graph(struct cuda_context *context, CUgraph raw, rill_graph **graph);

/* The same for an object that there is; `borrowed`: the driver's graph stays. */
void cuda_take_graph(rill_graph *graph, CUgraph raw, bool borrowed);

/* Gives such an object up that the core did not make the caller's.  The driver's graph
 * is none of its business. */
void cuda_disown_graph(rill_graph *graph);

/* A capture into the graph failed, and the driver took the graph along. */
void cuda_lose_graph(rill_graph *graph);

/* The object for a graph inside another, in that node of it, made at the first call. */
rill_status cuda_inner_graph(struct cuda_graph *outer, CUgraphNode holder, CUgraph raw,
                             rill_graph **graph);

/* Whether a stream captures into the graph, or into one inside it. */
bool cuda_graph_is_captured(const struct cuda_graph *graph);

/* The object of a graph of this platform that lives, or NULL. */
rill_graph *cuda_find_graph(struct cuda_platform *platform, CUgraph raw);

/* For objects that are made beforehand, so that nothing can fail behind the driver's
 * back: an inner graph that is in no node yet, ... */
rill_status cuda_make_inner(struct cuda_graph *outer, struct cuda_graph **inner);

/* ... then settled in one, or disowned.  Also a graph of the caller's that moves in. */
void cuda_settle_inner(struct cuda_graph *outer, struct cuda_graph *inner, CUgraphNode holder,
                       CUgraph raw);

/* The inner graphs of a node that is gone go. */
void cuda_forget_inner(struct cuda_graph *outer, CUgraphNode holder);

/* ---- Nodes of graphs ------------------------------------------------------------------ */

/* Whether the graph has the node: INVALID_VALUE in the name of `argument`. */
rill_status cuda_miss_node(struct cuda_graph *graph, rill_node node, const char *argument);

static inline rill_status cuda_check_node(struct cuda_graph *graph, rill_node node,
                                          const char *argument)
{
    bool known = !graph->lost && cuda_nodes_find(&graph->nodes, cuda_raw_node(node));
    return __builtin_expect(known, 1) ? RILL_SUCCESS : cuda_miss_node(graph, node, argument);
}

/* The note of a node that was checked; NULL when memory is short, or `make` is false
 * and there is none. */
struct cuda_note *cuda_node_note(struct cuda_graph *graph, CUgraphNode raw, bool make);

/* The kind of a node that is one; inside host functions the driver may not tell. */
#define CUDA_KIND_UNKNOWN ((rill_op_kind)-1)
rill_op_kind cuda_kind_of(CUgraphNode raw);

/* The box that a host node refers to, or NULL. */
struct cuda_box *cuda_box_of(CUgraphNode raw);

/* The graph no longer keeps the box, which may be NULL. */
void cuda_let_go(const struct cuda_graph *graph, struct cuda_box *box);

/* Refuses while a capture goes into a graph inside the node. */
rill_status cuda_check_inside(const struct cuda_graph *graph, CUgraphNode raw);

/* Labels of a copy become those of the original, and so in all that is inside. */
bool cuda_any_label(const struct cuda_graph *graph); /* maybe, of a node in it */
rill_status cuda_copy_labels(struct cuda_graph *from, struct cuda_graph *to);

/* ---- Operations (params.c, params_read.c) ---------------------------------------------- */

/* What the driver's parameters of an operation point at, until the call that takes
 * them has returned. */
struct cuda_room {
    struct cuda_packed packed;
    struct cuda_box *box; /* of a host function with a `destroy` */
    CUmemAccessDesc access[64];
    CUstreamBatchMemOpParams values[CUDA_VALUES_MOST];
};

/* ---- In which context (graph_work.c) ----------------------------------------------------- */

/* The context that the graph was made in, or NULL if it is gone or there was none. */
struct cuda_context *cuda_graph_home(const struct cuda_graph *graph);

/* Refuses what needs one then.  Never RILL_SUCCESS. */
rill_status cuda_refuse_homeless(const struct cuda_graph *graph, const char *argument);

/* The context for an operation of the graph's that names none: its home, else the one that
 * has the memory.  NULL where the operation needs none; refuses where it does. */
rill_status cuda_find_work(const struct cuda_graph *graph, const rill_op *op,
                           struct cuda_context **context);

/* ---- Operations ------------------------------------------------------------------------- */

/* Makes the context current that a node needs to get such an operation, if any: that of
 * cuda_find_work(), which may be NULL. */
rill_status cuda_enter_for_op(struct cuda_context *context, const rill_op *op,
                              struct cuda_visit *visit);

/* The same for a node that there is, of a graph or an exec. */
rill_status cuda_enter_to_set(struct cuda_context *context, const rill_op *op,
                              struct cuda_visit *visit);

/* What an operation is to the driver.  A host function's box is to be kept
 * (cuda_box_keep()) or dropped by the caller; when this fails its data is given back. */
rill_status cuda_write_params(struct cuda_platform *platform, struct cuda_context *context,
                              const rill_op *op, struct cuda_node_params *params,
                              struct cuda_room *room);

/* The way back. */
rill_status cuda_read_op(struct cuda_graph *graph, CUgraphNode node, rill_op *op);

/* The driver refused the operation in `call`: which part of it, as far as one can
 * see.  Never RILL_SUCCESS. */
rill_status cuda_explain_op(struct cuda_platform *platform, struct cuda_context *context,
                            CUresult result, const char *call, const rill_op *op);

/* ---- Conditional nodes (conditional.c) --------------------------------------------------- */

/* What a node will need, made before the driver makes the node. */
struct cuda_bodies {
    struct cuda_note *note;
    rill_graph **handles; /* of the bodies, which are in no node yet; the note's, too */
    uint32_t count;
};

rill_status cuda_bodies_make(struct cuda_graph *graph, const rill_conditional_op *op,
                             struct cuda_bodies *bodies);
void cuda_bodies_drop(struct cuda_bodies *bodies);
void cuda_bodies_settle(struct cuda_graph *graph, CUgraphNode node, CUgraph *raw,
                        rill_conditional_op *op, struct cuda_bodies *bodies);

/* ---- The forms of drivers before 12.3 (node_typed.c) ------------------------------------ */

CUresult cuda_typed_add(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                        size_t count, struct cuda_node_params *params);
CUresult cuda_typed_set(CUgraphNode node, const struct cuda_node_params *params);
CUresult cuda_typed_exec_set(CUgraphExec exec, CUgraphNode node,
                             const struct cuda_node_params *params);

/* ---- Calls of the table, each in the file of its subject --------------------------------- */

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

/* user_object.c */
struct cuda_user_object {
    CUuserObject raw;
    rill_user_object *handle;
    void *data;
    rill_destroy_fn destroy;
};

/* Memory of graphs on a device: graph_memory.c. */
rill_status cuda_get_graph_memory(rill_platform *platform, int device,
                                  rill_graph_memory_attribute attribute, uint64_t *value);
rill_status cuda_set_graph_memory(rill_platform *platform, int device,
                                  rill_graph_memory_attribute attribute, uint64_t value);
rill_status cuda_trim_graph_memory(rill_platform *platform, int device);

/* The attributes that the operation gives to a kernel node.  *set: how many of them
 * were; when one is refused, cuda_restore_attributes() takes these back.  `before`
 * has room for all of them, or is NULL. */
rill_status cuda_set_node_attributes(CUgraphNode raw, const rill_kernel_op *op,
                                     CUlaunchAttribute *before, size_t *set);
void cuda_restore_attributes(CUgraphNode raw, const CUlaunchAttribute *before, size_t set);

/* Whether the node has each of the operation's attributes already. */
bool cuda_has_attributes(CUgraphNode raw, const rill_kernel_op *op);

#endif
