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

#include "backend-sim/task.h"

/* ---- Nodes ------------------------------------------------------------------ */

/* A node's handle says which graph it belongs to, its slot there, and how often
 * the slot was used before, so that a handle that is stale, foreign or garbage
 * is told without touching memory.  Never NULL. */
#define NODE_SLOT_BITS 26
#define NODE_SLOTS_MAX (UINT32_C(1) << NODE_SLOT_BITS)
#define NODE_NONE UINT32_MAX

/* The other end of an edge, by slot.  With `data`: bytes of rill_edge, packed. */
struct link {
    uint32_t slot;
    uint32_t data; /* from_port | to_port << 8 | type << 16 */
};

struct links {
    struct link *items;
    uint32_t count, room;
};

struct node_extra;

struct node {
    struct task *task;   /* NULL: the slot is free                  */
    uint32_t next, previous; /* in the order of creation; NODE_NONE */
    struct links before; /* dependencies, in the order they were given */
    struct links behind; /* dependents                               */
    struct node_extra *extra; /* label and the like; mostly NULL     */
    uint8_t generation;  /* of the slot                              */
};

struct user_references;
struct conditional_handle;

/* What a graph is to others. */
enum graph_role {
    GRAPH_OWN,   /* the caller's                         */
    GRAPH_CHILD, /* inside a child graph node            */
    GRAPH_BODY   /* the body of a conditional node       */
};

/* The private bytes of a rill_graph. */
struct sim_graph {
    rill_graph *handle;
    struct sim_context *context;
    uint32_t serial;      /* unique among graphs of the process that live */
    uint32_t count;       /* nodes                                        */
    uint32_t edge_count;
    uint32_t slots;       /* slots that were ever used: 0 to slots - 1    */
    uint32_t first, last; /* nodes in the order of creation; NODE_NONE    */
    struct node **chunks; /* NODE_CHUNK nodes each                        */
    enum graph_role role;
    struct sim_graph *parent; /* of a child or body: the graph that holds it */
    uint32_t origin;      /* of a clone: serial of the graph it was made of; 0 */
    uint32_t memory_nodes;      /* of these, here and in children */
    uint32_t conditional_nodes; /* the same                       */
    struct user_references *users; /* user_object.c               */
    struct conditional_handle *handles; /* conditional.c          */
    struct graph_memory *memory;   /* memory_nodes.c              */
    struct capture *capture;       /* that writes into it; capture.h, its lock */
};

#define NODE_CHUNK 64u

static inline struct sim_graph *sim_graph_of(const rill_graph *graph)
{
    return rill_private(graph);
}

/* The node in a used slot. */
static inline struct node *sim_node(const struct sim_graph *graph, uint32_t slot)
{
    return &graph->chunks[slot / NODE_CHUNK][slot % NODE_CHUNK];
}

/* The slot of a handle, or NODE_NONE with a note in the name of `argument`: no
 * node of this graph. */
uint32_t sim_node_find(const struct sim_graph *graph, rill_node node, const char *argument);
rill_node sim_node_handle(const struct sim_graph *graph, uint32_t slot);

/* The serial and slot that a handle names, whatever it is worth. */
static inline uint32_t sim_node_serial(rill_node node)
{
    return (uint32_t)((uint64_t)(uintptr_t)node >> 32);
}

static inline uint32_t sim_node_slot(rill_node node)
{
    return (uint32_t)(uintptr_t)node & (NODE_SLOTS_MAX - 1);
}

/* "node 3 'label'", or with the kind in words: for messages. */
void sim_node_describe(const struct sim_graph *graph, uint32_t slot, char text[RILL_LABEL_MAX]);

/* A node with these dependencies, already checked; takes the task's reference
 * over, also when memory is short and it returns NODE_NONE. */
uint32_t sim_graph_put(struct sim_graph *graph, const struct link *before, size_t count,
                       struct task *task);

/* ---- What a graph keeps alive (user_object.c) --------------------------------- */

/* The references that an exec of the graph takes: its own, and those of children
 * and bodies.  NULL with RILL_SUCCESS: there are none. */
rill_status sim_users_share(const struct sim_graph *graph, struct user_references **users);
void sim_users_release(struct user_references *users);

/* ---- Conditionals (conditional.c) --------------------------------------------- */

struct conditional_handle {
    struct conditional_handle *next;
    rill_conditional id;  /* unique in the process */
    uint32_t initial, flags;
    bool used;            /* by a node             */
};

extern const struct rill_graph_ops sim_graph_ops;

#endif
