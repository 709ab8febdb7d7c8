/* SPDX-License-Identifier: Apache-2.0 */
#include "random/graph_plan.h"

#include <stdio.h>

/* ---- What is before what --------------------------------------------------------- */

/* The node of `part` that `n` is, or that `n` is inside of; or -1. */
static int lifted(const struct graph_plan *plan, int n, int part)
{
    while (n >= 0 && plan->node[n].part != part) n = plan->part[plan->node[n].part].owner;
    return n;
}

/* The innermost part that both are in, and the nodes of it that they are inside of. */
static int meet(const struct graph_plan *plan, int *n, int *m)
{
    int part = plan->node[*n].part;
    while (lifted(plan, *m, part) < 0) part = plan->node[plan->part[part].owner].part;
    *n = lifted(plan, *n, part);
    *m = lifted(plan, *m, part);
    return part;
}

bool graph_before(const struct graph_plan *plan, int m, int n)
{
    meet(plan, &n, &m);
    return plan->node[n].over >> m & 1;
}

struct run_range run_range(const struct graph_plan *plan, int n, unsigned run, int m)
{
    int a = n, b = m, part = meet(plan, &a, &b);
    unsigned times = plan->part[part].times, per = plan->node[m].times / times;
    unsigned turn = run / (plan->node[n].times / times);
    struct run_range range = { per * turn, per * (turn + 1) };
    if (plan->node[a].over >> b & 1) range.least += per;
    if (plan->node[b].over >> a & 1) range.most -= per;
    return range;
}

/* ---- What can be done with a node ------------------------------------------------------ */

bool graph_can_change(const struct graph_plan *plan, int n)
{
    int kind = plan->node[n].kind;
    return graph_has_cell(plan, n) || kind == NODE_RECORD || kind == NODE_WAIT;
}

/* A single copy that reads memory of the graph cannot be set to read other memory, so a copy
 * of either is left to updates. */
bool graph_can_change_alone(const struct graph_plan *plan, int n)
{
    const struct node_plan *node = &plan->node[n];
    if (!graph_can_change(plan, n)) return false;
    if (node->kind != NODE_COPY) return true;
    return (plan->node[node->source[0]].home < 0) == (plan->node[node->source[1]].home < 0);
}

static bool has_a_part_to_play(const struct graph_plan *plan, int n)
{
    return plan->node[n].sets >= 0 || n == plan->writer || n == plan->reader;
}

/* What is in memory of the graph is gone after each launch. */
bool graph_can_switch(const struct graph_plan *plan, int n)
{
    const struct node_plan *node = &plan->node[n];
    bool device = node->kind == NODE_KERNEL || node->kind == NODE_FILL ||
                  node->kind == NODE_COPY;
    return device && !node->dropped && node->home < 0 && !has_a_part_to_play(plan, n);
}

bool graph_can_drop(const struct graph_plan *plan, int n)
{
    const struct node_plan *node = &plan->node[n];
    return graph_has_cell(plan, n) && node->home < 0 && !has_a_part_to_play(plan, n);
}

/* ---- Text -------------------------------------------------------------------------------- */

struct line {
    char *text;
    size_t room, used;
};

#define PUT(line, ...)                                                                        \
    do {                                                                                      \
        if ((line)->used < (line)->room)                                                      \
            (line)->used += (size_t)snprintf((line)->text + (line)->used,                     \
                                             (line)->room - (line)->used, __VA_ARGS__);       \
    } while (0)

static void put_details(struct line *line, const struct graph_plan *plan, int n)
{
    const struct node_plan *node = &plan->node[n];
    if (node->kind == NODE_COPY) PUT(line, " of n%d or n%d", node->source[0], node->source[1]);
    if (node->kind == NODE_WHILE) PUT(line, " of %d turns", node->value);
    if (node->kind == NODE_IF || node->kind == NODE_SWITCH)
        PUT(line, " of %d bodies, finds %d%s", node->bodies, node->value,
            node->preset ? "" : ", set");
    if (node->kind == NODE_FREE) PUT(line, " of n%d", node->home);
    else if (node->home >= 0) PUT(line, " in memory of n%d", node->home);
    if (node->sets >= 0) PUT(line, " sets n%d", node->sets);
    if (n == plan->writer) PUT(line, " writes B%d", plan->buffer);
    if (n == plan->reader) PUT(line, " reads B%d", plan->source);
    if (node->part)
        PUT(line, ", part %d of n%d", node->part, plan->part[node->part].owner);
}

size_t graph_print(const struct graph_plan *plan, char *text, size_t room)
{
    static const char *const kinds[NODE_KINDS] = {
        "host", "kernel", "fill", "copy", "values", "empty", "child", "if", "while", "switch",
        "record", "wait", "alloc", "free",
    };
    struct line line = { text, room, 0 };
    for (int n = 0; n < plan->nodes; n++) {
        const struct node_plan *node = &plan->node[n];
        PUT(&line, "      n%d %s", n, kinds[node->dropped ? NODE_EMPTY : node->kind]);
        if (!node->dropped) put_details(&line, plan, n);
        for (int m = 0, first = 1; m < n; m++)
            if (node->after >> m & 1) {
                PUT(&line, "%sn%d", first ? ", after " : " ", m);
                first = 0;
            }
        PUT(&line, "\n");
    }
    return line.used < room ? line.used : room - 1;
}
