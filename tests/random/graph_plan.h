/* SPDX-License-Identifier: Apache-2.0
 *
 * Graph plans: the graphs of random programs, and what they consist of.
 *
 * A plan is a list of nodes in an order in which each comes after those that it
 * depends on; what is inside a child graph or a conditional follows its node at
 * once.  Every node that can has a cell of memory that it alone writes: its mark,
 * or a copy of another node's cell.  So what a cell holds follows from the text.
 */
#ifndef GRAPH_PLAN_H
#define GRAPH_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GRAPHS_MAX 2
#define NODES_MAX 24
#define PARTS_MAX 10
#define LAUNCHES_MAX 12
#define VERSIONS_MAX 16

#define CELL_WORDS 4
#define CELL_BYTES (CELL_WORDS * sizeof(uint32_t))

enum graph_node_kind {
    NODE_HOST,
    NODE_KERNEL,
    NODE_FILL,
    NODE_COPY,   /* of the cell of `source[version % 2]` */
    NODE_VALUES, /* a batch of writes                    */
    NODE_EMPTY,
    NODE_CHILD,
    NODE_IF,     /* with one body, or an else            */
    NODE_WHILE,
    NODE_SWITCH,
    NODE_RECORD,
    NODE_WAIT,
    NODE_ALLOC,
    NODE_FREE,
    NODE_KINDS
};

struct node_plan {
    uint8_t kind;
    uint8_t part;      /* that it stands in                                        */
    bool dropped;      /* an empty node, when a failure is looked for in less      */
    bool preset;       /* conditionals: what they find is their default, no kernel's */
    uint8_t value;     /* conditionals: what they find; WHILE: turns               */
    uint8_t bodies;    /* conditionals and child graphs                            */
    uint8_t first_part; /* of these                                                */
    uint16_t times;    /* that it runs in a launch                                 */
    int8_t sets;       /* KERNEL: a conditional whose value it sets, or -1         */
    int8_t home;       /* whose memory has its cell: an ALLOC; -1: the plan's own.
                          FREE: the ALLOC                                          */
    int8_t source[2];
    uint32_t after;    /* nodes of its part that it depends on                     */
    uint32_t over;     /* nodes of its part that are over before it begins         */
};

struct part_plan {
    int8_t owner;      /* the node that it is inside of; of the first: -1 */
    uint16_t times;    /* that it runs in a launch                        */
};

struct graph_plan {
    uint8_t context;
    uint8_t nodes, parts;
    bool fixed;          /* has memory nodes: edges and nodes stay                  */
    bool goes;           /* the graph is destroyed once there is an exec            */
    bool hot;            /* its nodes take long enough to be shared among threads   */
    int8_t recorded, awaited;   /* events, or -1                                    */
    int8_t recorder, awaiter;   /* the nodes that do so                             */
    int8_t buffer, source;      /* buffers of the program: written, read; or -1     */
    int8_t writer, reader;      /* the kernels that do so                           */
    uint64_t seed;       /* of the order in which it is built                       */
    struct node_plan node[NODES_MAX];
    struct part_plan part[PARTS_MAX];
};

/* Runs code of this test. */
static inline bool graph_traced(const struct graph_plan *plan, int n)
{
    const struct node_plan *node = &plan->node[n];
    return (node->kind == NODE_HOST || node->kind == NODE_KERNEL) && !node->dropped;
}

/* Writes its cell. */
static inline bool graph_has_cell(const struct graph_plan *plan, int n)
{
    return plan->node[n].kind <= NODE_VALUES && !plan->node[n].dropped;
}

/* Is over before `n` begins, inside whatever it is. */
bool graph_before(const struct graph_plan *plan, int m, int n);

/* While `n` is in its run number `run` of a launch, from 0: how often `m` ran in it,
 * at least and at most. */
struct run_range {
    unsigned least, most;
} run_range(const struct graph_plan *plan, int n, unsigned run, int m);

/* What an exec can have done otherwise, between launches, by an update of all of it or by
 * a change of one node; what it can have left out; and what can be left out of the program. */
bool graph_can_change(const struct graph_plan *plan, int n);
bool graph_can_change_alone(const struct graph_plan *plan, int n);
bool graph_can_switch(const struct graph_plan *plan, int n);
bool graph_can_drop(const struct graph_plan *plan, int n);

/* The value that a conditional finds; that of a WHILE says whether it begins. */
static inline uint32_t graph_finds(const struct node_plan *node)
{
    return node->kind == NODE_WHILE ? node->value > 0 : node->value;
}

static inline uint32_t graph_mark(int graph, int node, unsigned version)
{
    return UINT32_C(0x40000000) | (uint32_t)graph << 24 | (uint32_t)node << 8 | version;
}

/* Nodes as text, one a line. */
size_t graph_print(const struct graph_plan *plan, char *text, size_t room);

/* Makes one; context, events and buffers are in their place. */
struct dice;
void graph_draw(struct graph_plan *plan, struct dice *dice);

#endif
