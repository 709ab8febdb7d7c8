/* SPDX-License-Identifier: Apache-2.0
 *
 * A graph, as it is built: nodes in the order of their creation, each with the
 * nodes before and behind it.  Cheap to change and to walk; what runs is a
 * program that is frozen from it (program.h).
 *
 * The calls on one graph do not overlap (backend.h), so nothing here is locked.
 */
#ifndef SIM_GRAPH_H
#define SIM_GRAPH_H

#include "backend-sim/graph/slabs.h"
#include "backend-sim/graph/task.h"

/* ---- Nodes ------------------------------------------------------------------ */

/* A node's handle says which graph it belongs to, its slot there, and how often
 * the slot was used before, so that a handle that is stale, foreign or garbage
 * is told without touching memory.  Never NULL.  From the top: 32 bits serial of
 * the graph, 6 generation, 26 slot. */
#define NODE_SLOT_BITS 26
#define NODE_SLOTS_MAX (UINT32_C(1) << NODE_SLOT_BITS)
#define NODE_GENERATIONS 64u
#define NODE_NONE UINT32_MAX

/* The other end of an edge, by slot, and what the edge carries: 0 for an
 * ordinary one, else what sim_edge_read() unpacks. */
struct link {
    uint32_t slot : NODE_SLOT_BITS;
    uint32_t data : 32 - NODE_SLOT_BITS;
    uint32_t mirror; /* of an edge in a graph: its place among the links there */
};

/* One side of a node's edges, in the order in which they came; the last takes the
 * place of one that goes, as the driver has it.  Most nodes have one edge on a
 * side, which needs no memory of its own. */
struct links {
    union {
        struct link near;  /* while `extra` is 0 */
        struct link *far;
    };
    uint32_t count;
    uint32_t extra;        /* there is room for so many and one */
};

/* What is more than one is mostly no more than these. */
#define LINKS_FEW 4

/* One line of the caches. */
#define NODE_LINE 64u

struct node {
    uint8_t kind;             /* of its tasks, a rill_op_kind            */
    uint8_t generation;       /* of the slot                             */
    bool cloned;              /* stands for the node in the same slot of
                                 the graph that this one was made of     */
    uint32_t next;            /* in the order of creation; NODE_NONE     */
    struct links successors;  /* dependents                              */
    struct links predecessors; /* dependencies                            */
    char *label;              /* mostly NULL                             */
    uint32_t previous;        /* the other way                           */
    uint32_t next_root, previous_root; /* of a root: among these         */
    uint32_t mark;            /* the graph's stamp: seen in this walk    */
};

struct user_references;
struct conditional_handle;
struct capture;

/* What a graph is to others. */
enum graph_role {
    GRAPH_OWN,   /* the caller's                         */
    GRAPH_CHILD, /* inside a child graph node            */
    GRAPH_BODY   /* the body of a conditional node       */
};

/* How deep child graphs and bodies may nest, and what a walk that recurses needs of the
 * stack for graphs that are nested so deep: few do, and they are given it (base/stack.h). */
#define GRAPH_NESTING_MAX 128u
#define GRAPH_FEW_LEVELS 6u
#define GRAPH_LEVEL_BYTES 4096u /* sanitizers make frames large */

static inline size_t sim_stack_for(uint32_t height)
{
    return height <= GRAPH_FEW_LEVELS ? 0 : ((size_t)height + 16) * GRAPH_LEVEL_BYTES;
}

/* What became of a graph whose handle still stands. */
enum graph_fate {
    GRAPH_THERE,
    GRAPH_LOST, /* a capture into it failed: all that is left is to destroy it */
    GRAPH_LEFT  /* the node that it was in is gone or has another one, but an exec
                   that was made before has that node's task yet */
};

/* The private bytes of a rill_graph. */
struct sim_graph {
    rill_graph *handle;
    struct sim_platform *platform;
    struct sim_context *home; /* of work that names no context: which memory it reaches.
                                 Kept with the handle; may be over, or NULL: none */
    uint32_t serial;      /* unique among graphs of the process that live */
    struct sim_graph *next_in_bucket, *previous_in_bucket; /* find.c, its lock */
    uint32_t origin;      /* of a clone or copy: serial of the graph that it was
                             made of; 0                                    */
    uint32_t count;       /* nodes                                        */
    uint32_t edge_count;
    uint32_t data_count;  /* edges with data                              */
    uint32_t slots;       /* slots that were ever used: 0 to slots - 1    */
    uint32_t free_slot;   /* the first free one of these, through `next`  */
    uint32_t first, last; /* nodes in the order of creation; NODE_NONE    */
    uint32_t first_root;  /* that which became one last; NODE_NONE        */
    uint32_t stamp;       /* of the last walk that marked nodes           */
    uint32_t leaf_orders; /* how often a node lost its last dependent     */
    uint32_t fan;         /* dependencies that a node ever had, at most   */
    bool reused;          /* a node was taken out: slots do not tell the order of
                             creation any more, and generations differ    */
    bool cut;             /* an edge was taken out: `fingerprint` is not kept up */
    uint64_t fingerprint; /* fingerprint.h*/
    bool labelled;        /* a node has a label, or had one               */
    struct node_chunk **chunks; /* NODE_CHUNK nodes each                 */
    uint32_t chunk_room;
    struct slabs slabs;   /* chunks and links lie in these                */
    enum graph_role role;
    uint32_t height;           /* of graphs nested in it, at most          */
    struct sim_graph *parent;  /* of a child or body: the graph that holds it */
    uint32_t memory_nodes;      /* of these, here and in children and bodies */
    uint32_t conditional_nodes; /* the same                                */
    bool tried_memory;          /* a memory node was refused for a dependency
                                   that came twice, or a free node for its
                                   address: from then on the driver holds the
                                   graph for one that has memory nodes */
    struct graph_claim *_Atomic claim; /* NULL: no exec or copy was made of it (graph_claim.c) */
    struct graph_claim *copy_of; /* that of the graph that this is a copy of, or NULL */
    struct user_references *users; /* user_object.c               */
    struct conditional_handle *handles; /* conditional.c          */
    struct capture *capture;       /* that writes into it; capture.h, its lock */
    uint64_t capture_number;       /* of captures into it; 0: there was none;
                                      the same lock                           */
    enum graph_fate fate;
};

#define NODE_CHUNK 16u

/* The tasks by themselves: updates look at nothing else, and nor does the end. */
struct node_chunk {
    struct task *tasks[NODE_CHUNK]; /* NULL: the slot is free */
    struct node nodes[NODE_CHUNK];
};

_Static_assert(sizeof(struct node) <= NODE_LINE, "a node has outgrown its line");

/* For all that hardware does. */
static inline bool sim_graph_has_memory(const struct sim_graph *graph)
{
    return graph->memory_nodes || graph->tried_memory;
}

static inline const struct fingerprint_secret *sim_graph_secret(const struct sim_graph *graph)
{
    return &graph->platform->fingerprint_secret;
}

/* The id of its home; 0: it has none. */
static inline uint64_t sim_graph_home_id(const struct sim_graph *graph)
{
    return graph->home ? graph->home->id : 0;
}

static inline struct sim_graph *sim_graph_of(const rill_graph *graph)
{
    return rill_private(graph);
}

/* RILL_SUCCESS for a graph that is there.  For what else there is, the driver's
 * answer is a bad value. */
rill_status sim_graph_refuse(enum graph_fate fate);

static inline rill_status sim_graph_check(const struct sim_graph *graph)
{
    return graph->fate ? sim_graph_refuse(graph->fate) : RILL_SUCCESS;
}

/* The node in a used slot. */
static inline struct node *sim_node(const struct sim_graph *graph, uint32_t slot)
{
    return &graph->chunks[slot / NODE_CHUNK]->nodes[slot % NODE_CHUNK];
}

/* Where its task is, and that. */
static inline struct task **sim_node_tasks(const struct sim_graph *graph, uint32_t slot)
{
    return &graph->chunks[slot / NODE_CHUNK]->tasks[slot % NODE_CHUNK];
}

static inline struct task *sim_node_task(const struct sim_graph *graph, uint32_t slot)
{
    return *sim_node_tasks(graph, slot);
}

/* The node that was created after the one in `slot`, or NODE_NONE.  Most graphs are
 * walked slot by slot, so that no load waits for the one before. */
static inline uint32_t sim_graph_next(const struct sim_graph *graph, uint32_t slot)
{
    if (graph->reused) return sim_node(graph, slot)->next;
    return slot == graph->last ? NODE_NONE : slot + 1;
}

/* Whoever walks a graph that is larger than the caches asks ahead for what it is
 * about to look at.  Returns a slot whose task it will look at soon, or NODE_NONE. */
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
    uint64_t low = (uint64_t)sim_node(graph, slot)->generation << NODE_SLOT_BITS | slot;
    return (rill_node)(uintptr_t)((uint64_t)graph->serial << 32 | low);
}

/* The serial and slot that a handle names, whatever it is worth. */
static inline uint32_t sim_node_serial(rill_node node)
{
    return (uint32_t)((uint64_t)(uintptr_t)node >> 32);
}

static inline uint32_t sim_node_slot(rill_node node)
{
    return (uint32_t)(uintptr_t)node & (NODE_SLOTS_MAX - 1);
}

static inline uint32_t sim_node_generation(rill_node node)
{
    return (uint32_t)(uintptr_t)node >> NODE_SLOT_BITS;
}

/* The slot of a handle that is good, or NODE_NONE. */
static inline uint32_t sim_node_lookup(const struct sim_graph *graph, rill_node node)
{
    uint32_t slot = sim_node_slot(node);
    bool there = sim_node_serial(node) == graph->serial && slot < graph->slots &&
                 sim_node_task(graph, slot) &&
                 sim_node_generation(node) == sim_node(graph, slot)->generation;
    return there ? slot : NODE_NONE;
}

/* The slot of a handle, or NODE_NONE with a note in the name of `argument`: no
 * node of this graph. */
uint32_t sim_node_find(const struct sim_graph *graph, rill_node node, const char *argument);

/* The graph of a handle, which says its serial, or NULL (graph_find.c).  A graph is
 * found from the one call to the other.  `number`: of the graph among all that were made,
 * from 1; of more than there are serials, each gets one that no other has by then. */
struct sim_graph *sim_node_graph(rill_node node);
void sim_graph_register(struct sim_graph *graph, uint64_t number);
void sim_graph_unregister(struct sim_graph *graph);

/* "kernel node 'label'", or "host node 3" where there is none: for messages. */
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

/* Whether an edge from this node to one of this kind may carry that. */
rill_status sim_edge_check(const struct sim_graph *graph, uint32_t from, rill_op_kind to,
                           const rill_edge *edge);

/* ---- Links (graph_links.c) ---------------------------------------------------- */

static inline const struct link *sim_links(const struct links *links)
{
    return links->extra ? links->far : &links->near;
}

/* Without a branch: which of both it is differs from node to node as nobody foresees. */
static inline struct link *sim_links_items(struct links *links)
{
    uintptr_t near = (uintptr_t)&links->near, far = (uintptr_t)links->far;
    uintptr_t if_near = -(uintptr_t)!links->extra;
    return (struct link *)((near & if_near) | (far & ~if_near));
}

/* Room for `more`; false when memory is short.  `slabs`: of the graph whose edges they
 * are; NULL: they are in no graph. */
bool sim_links_grow(struct links *links, uint32_t more, struct slabs *slabs);

static inline bool sim_links_reserve(struct links *links, uint32_t more, struct slabs *slabs)
{
    return more <= links->extra + 1 - links->count || sim_links_grow(links, more, slabs);
}

/* Adds one for which there is room. */
static inline void sim_links_add(struct links *links, struct link link)
{
    sim_links_items(links)[links->count++] = link;
}

/* The place of the link to `slot`, or NODE_NONE. */
uint32_t sim_links_find(const struct links *links, uint32_t slot);

void sim_links_free(struct links *links, struct slabs *slabs);

/* ---- Calls of the table, each beside what it needs ------------------------------- */

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

/* ---- Building (graph.c) -------------------------------------------------------- */

/* A node with these dependencies, already checked; takes the task's reference
 * over, also when memory is short and it returns NODE_NONE. */
uint32_t sim_graph_insert_node(struct sim_graph *graph, const struct link *predecessors,
                               size_t count, struct task *task);

/* A node goes, and its edges with it. */
void sim_graph_remove_node(struct sim_graph *graph, uint32_t slot);

/* A node does something else from now on; takes the task's reference over.  What
 * was nested in it is out of reach. */
void sim_node_replace(struct sim_graph *graph, uint32_t slot, struct task *task);

/* An edge that is not there yet; false when memory is short. */
bool sim_graph_add_edge(struct sim_graph *graph, uint32_t from, uint32_t to, uint32_t data);

/* An edge that is there, at this place behind `from`, goes. */
void sim_graph_remove_edge(struct sim_graph *graph, uint32_t from, uint32_t place);

/* Of the edges that were joined and are there, the last was not. */
void sim_graph_undo_add_edge(struct sim_graph *graph, uint32_t from, uint32_t to);

/* For copies: an edge for which both sides have room. */
void sim_graph_link(struct sim_graph *graph, uint32_t from, uint32_t to, uint32_t data);

/* Nodes that nothing depends on have an order, by which graphs are compared
 * (pairing.h): those that lost their last dependent come first, the latest of them
 * in front.  While a node has no dependents, the room of its first one says when
 * it lost the last; 0: it never had any. */
static inline uint32_t sim_node_leaf_order(const struct node *node)
{
    return sim_links(&node->successors)->slot;
}

static inline void sim_node_set_leaf_order(struct sim_graph *graph, struct node *node)
{
    struct link order = { .slot = ++graph->leaf_orders % NODE_SLOTS_MAX };
    *sim_links_items(&node->successors) = order;
}

/* A new stamp: no node is marked with it yet. */
uint32_t sim_graph_stamp(struct sim_graph *graph);

/* For copies: slots up to `slots` that are all free, then one after the other
 * filled behind the last node, at last those that stayed free chained. */
bool sim_graph_reserve_slots(struct sim_graph *graph, uint32_t slots);
struct node *sim_graph_fill_slot(struct sim_graph *graph, uint32_t slot, struct task *task);
void sim_graph_chain_free_slots(struct sim_graph *graph);

/* Fills the private bytes of a graph that was just made, and empties them. */
void sim_graph_init(rill_graph *handle, enum graph_role role, struct sim_graph *parent);
void sim_graph_clear(struct sim_graph *graph);

/* ---- Graphviz text (graph_dot.c) -------------------------------------------------- */

rill_status sim_graph_write_dot(rill_graph *handle, uint32_t flags, rill_write_fn write,
                                void *data);

/* ---- Copies (graph_copy.c) ----------------------------------------------------------- */

/* Fills an empty graph, or leaves it empty. */
rill_status sim_graph_copy(struct sim_graph *copy, struct sim_graph *graph);

/* Not with memory or conditional nodes in it. */
rill_status sim_graph_may_copy(const struct sim_graph *graph, const char *argument);
rill_status sim_graph_clone(rill_graph *handle, rill_graph *clone);
rill_status sim_graph_find_in_clone(rill_graph *clone, rill_node original, rill_node *node);

/* ---- What a graph keeps alive (user_object.c) --------------------------------- */

/* The references that an exec of the graph takes: its own, and those of children
 * and bodies.  NULL with RILL_SUCCESS: there are none. */
rill_status sim_users_share(const struct sim_graph *graph, struct user_references **users);
rill_status sim_users_copy(struct sim_graph *copy, const struct sim_graph *graph);

/* Adds a reference to each object in `from` that is not among them yet; false when memory
 * is short. */
bool sim_users_unite(struct user_references **users, const struct user_references *from);

/* May call what destroys an object. */
void sim_users_release(struct user_references *users);

extern const struct rill_graph_ops sim_graph_ops;

#endif
