/* SPDX-License-Identifier: Apache-2.0 */
#include "random/graph_plan.h"

#include <stdio.h>

/* ---- What is before what --------------------------------------------------------- */

/* The node of `part` that `n` is, or that `n` is inside of; or -1. */
static int lifted(const struct chart *chart, int n, int part)
{
    while (n >= 0 && chart->node[n].part != part) n = chart->part[chart->node[n].part].owner;
    return n;
}

/* The innermost part that both are in, and the nodes of it that they are inside of. */
static int meet(const struct chart *chart, int *n, int *m)
{
    int part = chart->node[*n].part;
    while (lifted(chart, *m, part) < 0) part = chart->node[chart->part[part].owner].part;
    *n = lifted(chart, *n, part);
    *m = lifted(chart, *m, part);
    return part;
}

bool chart_before(const struct chart *chart, int m, int n)
{
    meet(chart, &n, &m);
    return chart->node[n].over >> m & 1;
}

struct chart_range chart_range(const struct chart *chart, int n, unsigned run, int m)
{
    int a = n, b = m, part = meet(chart, &a, &b);
    unsigned times = chart->part[part].times, per = chart->node[m].times / times;
    unsigned turn = run / (chart->node[n].times / times);
    struct chart_range range = { per * turn, per * (turn + 1) };
    if (chart->node[a].over >> b & 1) range.least += per;
    if (chart->node[b].over >> a & 1) range.most -= per;
    return range;
}

/* ---- What can be done with a node ------------------------------------------------------ */

bool chart_can_change(const struct chart *chart, int n)
{
    int kind = chart->node[n].kind;
    return chart_has_cell(chart, n) || kind == CHART_RECORD || kind == CHART_WAIT;
}

static bool has_a_part_to_play(const struct chart *chart, int n)
{
    return chart->node[n].sets >= 0 || n == chart->writer || n == chart->reader;
}

/* What is in memory of the graph is gone after each launch. */
bool chart_can_switch(const struct chart *chart, int n)
{
    const struct chart_node *node = &chart->node[n];
    bool device = node->kind == CHART_KERNEL || node->kind == CHART_FILL ||
                  node->kind == CHART_COPY;
    return device && !node->dropped && node->home < 0 && !has_a_part_to_play(chart, n);
}

bool chart_can_drop(const struct chart *chart, int n)
{
    const struct chart_node *node = &chart->node[n];
    return chart_has_cell(chart, n) && node->home < 0 && !has_a_part_to_play(chart, n);
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

static void put_details(struct line *line, const struct chart *chart, int n)
{
    const struct chart_node *node = &chart->node[n];
    if (node->kind == CHART_COPY) PUT(line, " of n%d or n%d", node->source[0], node->source[1]);
    if (node->kind == CHART_WHILE) PUT(line, " of %d turns", node->value);
    if (node->kind == CHART_IF || node->kind == CHART_SWITCH)
        PUT(line, " of %d bodies, finds %d%s", node->bodies, node->value,
            node->preset ? "" : ", set");
    if (node->kind == CHART_FREE) PUT(line, " of n%d", node->home);
    else if (node->home >= 0) PUT(line, " in memory of n%d", node->home);
    if (node->sets >= 0) PUT(line, " sets n%d", node->sets);
    if (n == chart->writer) PUT(line, " writes B%d", chart->buffer);
    if (n == chart->reader) PUT(line, " reads B%d", chart->source);
    if (node->part)
        PUT(line, ", part %d of n%d", node->part, chart->part[node->part].owner);
}

size_t chart_print(const struct chart *chart, char *text, size_t room)
{
    static const char *const kinds[CHART_KINDS] = {
        "host", "kernel", "fill", "copy", "values", "empty", "child", "if", "while", "switch",
        "record", "wait", "alloc", "free",
    };
    struct line line = { text, room, 0 };
    for (int n = 0; n < chart->nodes; n++) {
        const struct chart_node *node = &chart->node[n];
        PUT(&line, "      n%d %s", n, kinds[node->dropped ? CHART_EMPTY : node->kind]);
        if (!node->dropped) put_details(&line, chart, n);
        for (int m = 0, first = 1; m < n; m++)
            if (node->after >> m & 1) {
                PUT(&line, "%sn%d", first ? ", after " : " ", m);
                first = 0;
            }
        PUT(&line, "\n");
    }
    return line.used < room ? line.used : room - 1;
}
