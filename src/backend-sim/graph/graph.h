/* SPDX-License-Identifier: Apache-2.0
 *
 * A graph while it is built: nodes in the order of their creation, each with its
 * predecessors and successors.  A graph is cheap to change and to walk; what runs is a
 * program that is frozen from it (program.h).
 *
 * This is the header of the room: most files here implement a section of it.  The calls on
 * one graph do not overlap (backend.h), so nothing here is locked.
 */
#ifndef SIM_GRAPH_H
#define SIM_GRAPH_H

#include "backend-sim/graph/links.h"
#include "backend-sim/graph/slabs.h"
#include "backend-sim/graph/task.h"

/* ---- Nodes ------------------------------------------------------------------ */

/* A node's handle holds the serial of its graph, its slot there, and how often the slot was
 * used before, so that a stale, foreign or garbage handle is recognized without touching
 * memory.  A handle is never NULL.  From the top: 32 bits serial of the graph, 6 generation,
 * 26 slot; with pointers of 32 bits 12, 2 and 18. */
#if UINTPTR_MAX > UINT32_MAX
#define NODE_GENERATIONS 64u
#define NODE_SERIAL_SHIFT 32
#else
#define NODE_GENERATIONS 4u
#define NODE_SERIAL_SHIFT 20
#endif
#define NODE_SERIAL_MAX ((uint32_t)(UINTPTR_MAX >> NODE_SERIAL_SHIFT))

/* Bytes of a cache line. */
#define NODE_LINE 64u

struct node {
    uint8_t kind;              /* of its tasks, a rill_op_kind              */
    uint8_t generation;        /* of the slot                               */
    bool cloned;               /* stands for the node in the same slot of
                                  the graph that this graph was copied from */
    uint32_t next;             /* in the order of creation, or NODE_NONE    */
    struct links successors;   /* dependents                                */
    struct links predecessors; /* dependencies                              */
    char *label;               /* mostly NULL                               */
    uint32_t previous;         /* in the order of creation, or NODE_NONE    */
    uint32_t next_root, previous_root; /* of a root: in the list of roots   */
    uint32_t mark;             /* the graph's stamp: seen in this walk      */
};

struct user_references;
struct conditional_handle;
struct capture;

/* Who holds a graph. */
enum graph_role {
    GRAPH_OWN,   /* the caller's                         */
    GRAPH_CHILD, /* inside a child graph node            */
    GRAPH_BODY   /* the body of a conditional node       */
};

/* How deep child graphs and bodies may nest, and how much stack a recursive walk needs for each
 * level.  Few graphs nest deeper than GRAPH_FEW_LEVELS; their walks get a stack of their own
 * (base/stack.h). */
#define GRAPH_NESTING_MAX 128u
#define GRAPH_FEW_LEVELS 6u
#define GRAPH_LEVEL_BYTES 4096u /* sanitizers make frames large */

static inline size_t sim_stack_for(uint32_t height)
{
    return height <= GRAPH_FEW_LEVELS ? 0 : ((size_t)height + 16) * GRAPH_LEVEL_BYTES;
}

/* What became of a graph while its handle is still valid. */
enum graph_fate {
    GRAPH_THERE,
    GRAPH_LOST, /* a capture into it failed: it can only be destroyed */
    GRAPH_LEFT  /* its node was removed or holds another graph, but an exec that was
                   made before still has the node's old task */
};

/* The private bytes of a rill_graph. */
struct sim_graph {
    rill_graph *handle;
    struct sim_platform *platform;
    struct sim_context *home; /* the context whose memory is reached by work that names no
                                 context.  Kept with the handle; it may be destroyed
                                 already.  NULL if there is none */
    uint32_t serial;      /* unique among the graphs of the process that are alive */
    struct sim_graph *next_in_bucket, *previous_in_bucket; /* find.c, its lock */
    uint32_t origin;      /* of a clone or copy: the serial of the graph that was
                             copied; else 0                                */
    uint32_t count;       /* nodes                                        */
    uint32_t edge_count;
    uint32_t data_count;  /* edges with data                              */
    uint32_t slots;       /* slots that were ever used: 0 to slots - 1    */
    uint32_t free_slot;   /* the first free one, linked through `next`    */
    uint32_t first, last; /* in the order of creation, or NODE_NONE       */
    uint32_t first_root;  /* the latest root, or NODE_NONE                */
    uint32_t stamp;       /* of the last walk that marked nodes           */
    uint32_t leaf_orders; /* the last that was given, sim_node_leaf_order() */
    uint32_t fan;         /* the most predecessors that a node ever had   */
    bool reused;          /* a node was removed: slots no longer follow the order of
                             creation, and generations differ             */
    bool cut;             /* an edge was removed: `fingerprint` is no longer kept up */
    uint64_t fingerprint; /* fingerprint.h                                */
    bool labelled;        /* a node has or had a label                    */
    struct node_chunk **chunks; /* NODE_CHUNK nodes each                 */
    uint32_t chunk_room;
    struct slabs slabs;   /* memory for chunks and links                  */
    enum graph_role role;
    uint32_t height;           /* of graphs nested in it, at most          */
    struct sim_graph *parent;  /* of a child or body: the graph that holds it */
    uint32_t memory_nodes;      /* here and in children and bodies         */
    uint32_t conditional_nodes; /* the same                                */
    bool tried_memory;          /* a memory node was refused for a dependency named
                                   twice, or a free node for its address: from then
                                   on the driver treats the graph as if it had
                                   memory nodes */
    struct graph_claim *_Atomic claim; /* claim.h; NULL before the first exec or copy */
    struct graph_claim *copy_of; /* the claim of the graph that was copied, or NULL */
    struct user_references *users; /* user_object.h               */
    struct conditional_handle *handles; /* conditional.h          */
    struct capture *capture;       /* into this graph; captures_lock          */
    uint64_t capture_number;       /* of captures into this graph, 0 before the
                                      first; captures_lock                    */
    enum graph_fate fate;
};

#define NODE_CHUNK 16u

/* The tasks are apart from the nodes: updates, and the end of a graph, read nothing else. */
struct node_chunk {
    struct task *tasks[NODE_CHUNK]; /* NULL if the slot is free */
    struct node nodes[NODE_CHUNK];
};

_Static_assert(sizeof(struct node) <= NODE_LINE, "a node has outgrown its line");

/* Returns whether the driver treats the graph as one with memory nodes. */
static inline bool sim_graph_has_memory(const struct sim_graph *graph)
{
    return graph->memory_nodes || graph->tried_memory;
}

static inline const struct fingerprint_secret *sim_graph_secret(const struct sim_graph *graph)
{
    return &graph->platform->fingerprint_secret;
}

/* Returns the id of the home of the graph, or 0 if it has none. */
static inline uint64_t sim_graph_home_id(const struct sim_graph *graph)
{
    return graph->home ? graph->home->id : 0;
}

static inline struct sim_graph *sim_graph_of(const rill_graph *graph)
{
    return rill_private(graph);
}

/* Returns the graph that the task of a child graph node holds. */
static inline struct sim_graph *sim_task_child(const struct task *task)
{
    rill_graph *const *graphs;
    sim_task_graphs(task, &graphs);
    return sim_graph_of(*graphs);
}

/* Refuses a graph that is lost or left, with RILL_ERROR_INVALID_VALUE as the driver does. */
rill_status sim_graph_refuse(enum graph_fate fate);

/* Refuses a graph that is lost or left. */
static inline rill_status sim_graph_check(const struct sim_graph *graph)
{
    return graph->fate ? sim_graph_refuse(graph->fate) : RILL_SUCCESS;
}

/* Returns the node in a used slot. */
static inline struct node *sim_node(const struct sim_graph *graph, uint32_t slot)
{
    return &graph->chunks[slot / NODE_CHUNK]->nodes[slot % NODE_CHUNK];
}

/* Returns the place of a node's task. */
static inline struct task **sim_node_tasks(const struct sim_graph *graph, uint32_t slot)
{
    return &graph->chunks[slot / NODE_CHUNK]->tasks[slot % NODE_CHUNK];
}

static inline struct task *sim_node_task(const struct sim_graph *graph, uint32_t slot)
{
    return *sim_node_tasks(graph, slot);
}

/* Returns the node that was created after the one in `slot`, or NODE_NONE.  Most graphs are
 * walked slot by slot, so that no load waits for the previous one. */
static inline uint32_t sim_graph_next(const struct sim_graph *graph, uint32_t slot)
{
    if (graph->reused) return sim_node(graph, slot)->next;
    return slot == graph->last ? NODE_NONE : slot + 1;
}

/* Prefetches nodes for a walk of a graph that is larger than the caches.  Returns a slot whose
 * task the walk will read soon, or NODE_NONE. */
static inline uint32_t sim_graph_prefetch(const struct sim_graph *graph, uint32_t slot)
{
    enum { NEAR = 16, FAR = 32 };
    if (graph->slots - slot <= FAR) return NODE_NONE;
    const struct node *near = sim_node(graph, slot + NEAR), *far = sim_node(graph, slot + FAR);
    __builtin_prefetch(far);
    if (near->successors.extra) __builtin_prefetch(near->successors.far);
    return slot + NEAR;
}

static inline rill_node sim_node_handle(const struct sim_graph *graph, uint32_t slot)
{
    uintptr_t low = (uintptr_t)sim_node(graph, slot)->generation << NODE_SLOT_BITS | slot;
    return (rill_node)((uintptr_t)graph->serial << NODE_SERIAL_SHIFT | low);
}

/* These return what a handle holds, valid or not. */
static inline uint32_t sim_node_serial(rill_node node)
{
    return (uint32_t)((uintptr_t)node >> NODE_SERIAL_SHIFT);
}

static inline uint32_t sim_node_slot(rill_node node)
{
    return (uint32_t)(uintptr_t)node & (NODE_SLOTS_MAX - 1);
}

static inline uint32_t sim_node_generation(rill_node node)
{
    return (uint32_t)((uintptr_t)node >> NODE_SLOT_BITS) % NODE_GENERATIONS;
}

/* Returns the slot of a valid handle, or NODE_NONE. */
static inline uint32_t sim_node_lookup(const struct sim_graph *graph, rill_node node)
{
    uint32_t slot = sim_node_slot(node);
    bool there = sim_node_serial(node) == graph->serial && slot < graph->slots &&
                 sim_node_task(graph, slot) &&
                 sim_node_generation(node) == sim_node(graph, slot)->generation;
    return there ? slot : NODE_NONE;
}

/* Returns the slot of a handle, or NODE_NONE after noting that `argument` is no node of this
 * graph. */
uint32_t sim_node_find(const struct sim_graph *graph, rill_node node, const char *argument);

/* Returns the graph with the serial that a handle holds, or NULL. */
struct sim_graph *sim_node_graph(rill_node node);

/* Gives a graph its serial, by which sim_node_graph() finds it until it is unregistered.
 * `number` counts all graphs ever made, from 1; once serials wrap around, the graph gets the
 * next one that no other graph has.  Returns false if there is none.  Unregistering a graph twice
 * does no harm. */
bool sim_graph_register(struct sim_graph *graph, uint64_t number);
void sim_graph_unregister(struct sim_graph *graph);

/* Writes "kernel node 'label'", or "host node 3" if the node has no label, for messages. */
void sim_node_describe(const struct sim_graph *graph, uint32_t slot, char text[RILL_LABEL_MAX]);

/* ---- Edges ------------------------------------------------------------------ */

static inline uint32_t sim_edge_pack(const rill_edge *edge)
{
    return edge ? edge->from_port | (uint32_t)edge->type << 2 : 0;
}

static inline rill_edge sim_edge_read(uint32_t data)
{
    return (rill_edge){ .from_port = data & 3, .type = (uint8_t)(data >> 2) };
}

/* Checks what an edge from the node `from` to a node of the kind `to` carries. */
rill_status sim_edge_check(const struct sim_graph *graph, uint32_t from, rill_op_kind to,
                           const rill_edge *edge);

/* ---- Calls of the backend's table -------------------------------------------------- */

rill_status sim_graph_add_edges(rill_graph *handle, const rill_node *from, const rill_node *to,
                                const rill_edge *edges, size_t count);
rill_status sim_graph_remove_edges(rill_graph *handle, const rill_node *from,
                                   const rill_node *to, const rill_edge *edges, size_t count);
rill_status sim_graph_nodes(rill_graph *handle, rill_node *nodes, size_t *count);
rill_status sim_graph_roots(rill_graph *handle, rill_node *nodes, size_t *count);
rill_status sim_graph_edges(rill_graph *handle, rill_node *from, rill_node *to, rill_edge *edges,
                            size_t *count);
rill_status sim_node_dependencies(rill_graph *handle, rill_node node, rill_node *nodes,
                                  rill_edge *edges, size_t *count);
rill_status sim_node_dependents(rill_graph *handle, rill_node node, rill_node *nodes,
                                rill_edge *edges, size_t *count);

/* ---- Building ------------------------------------------------------------------ */

/* Adds a node with predecessors that were checked.  Consumes the task's reference, even if
 * memory is short and the function returns NODE_NONE. */
uint32_t sim_graph_insert_node(struct sim_graph *graph, const struct link *predecessors,
                               size_t count, struct task *task);

/* Removes a node and its edges. */
void sim_graph_remove_node(struct sim_graph *graph, uint32_t slot);

/* Gives a node another task and consumes the task's reference.  Graphs that were nested in the
 * node can no longer be used. */
void sim_node_replace(struct sim_graph *graph, uint32_t slot, struct task *task);

/* Adds an edge that the graph does not have yet.  Returns false if memory is short. */
bool sim_graph_add_edge(struct sim_graph *graph, uint32_t from, uint32_t to, uint32_t data);

/* Removes the edge at `place` among the successors of `from`. */
void sim_graph_remove_edge(struct sim_graph *graph, uint32_t from, uint32_t place);

/* Takes back the edge that was added last, as if it had never been there. */
void sim_graph_undo_add_edge(struct sim_graph *graph, uint32_t from, uint32_t to);

/* Adds an edge for which both sides have room. */
void sim_graph_link(struct sim_graph *graph, uint32_t from, uint32_t to, uint32_t data);

/* Leaves, the nodes without successors, have an order, by which graphs are compared (match.h):
 * those that lost their last successor come first, the latest of them in front.  The room for
 * the first successor of a leaf says when it lost the last one; 0 if it never had any. */
static inline uint32_t sim_node_leaf_order(const struct node *node)
{
    return sim_links(&node->successors)->slot;
}

static inline void sim_node_set_leaf_order(struct sim_graph *graph, struct node *node)
{
    struct link order = { .slot = ++graph->leaf_orders % NODE_SLOTS_MAX };
    *sim_links_items(&node->successors) = order;
}

/* Returns a new stamp, which no node is marked with yet. */
uint32_t sim_graph_stamp(struct sim_graph *graph);

/* For copies: reserves `slots` slots that are all free.  Then one slot after the other is filled,
 * each with the node that comes last in the order of creation.  At the end the slots that stayed
 * free are chained. */
bool sim_graph_reserve_slots(struct sim_graph *graph, uint32_t slots);
struct node *sim_graph_fill_slot(struct sim_graph *graph, uint32_t slot, struct task *task);
void sim_graph_chain_free_slots(struct sim_graph *graph);

/* Initializes the private bytes of a graph, which fails if there are as many as there are serials;
 * and releases what they hold. */
rill_status sim_graph_init(rill_graph *handle, enum graph_role role, struct sim_graph *parent);
void sim_graph_clear(struct sim_graph *graph);

/* ---- Copies ---------------------------------------------------------------------------- */

/* Copies a graph into an empty one, which stays empty on failure. */
rill_status sim_graph_copy(struct sim_graph *copy, struct sim_graph *graph);

/* Refuses to copy a graph with memory or conditional nodes. */
rill_status sim_graph_may_copy(const struct sim_graph *graph, const char *argument);
rill_status sim_graph_clone(rill_graph *handle, rill_graph *clone);
rill_status sim_graph_find_in_clone(rill_graph *clone, rill_node original, rill_node *node);

#endif
