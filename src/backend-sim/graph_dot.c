/* SPDX-License-Identifier: Apache-2.0
 *
 * A graph as Graphviz text: a cluster for each graph, child graphs and bodies
 * within that of their parent.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "backend-sim/dot.h"

/* ---- Writing ------------------------------------------------------------------------- */

void sim_dot_flush(struct dot *dot)
{
    if (dot->used && !dot->failed && dot->write(dot->data, dot->piece, dot->used))
        dot->failed = true;
    dot->used = 0;
}

static void put_bytes(struct dot *dot, const char *text, size_t bytes)
{
    while (bytes) {
        if (dot->used == DOT_PIECE) sim_dot_flush(dot);
        size_t part = DOT_PIECE - dot->used < bytes ? DOT_PIECE - dot->used : bytes;
        memcpy(dot->piece + dot->used, text, part);
        dot->used += part;
        text += part;
        bytes -= part;
    }
}

void sim_dot_put(struct dot *dot, const char *text)
{
    put_bytes(dot, text, strlen(text));
}

void sim_dot_print(struct dot *dot, const char *format, ...)
{
    char line[256]; /* what is printed is numbers and a few words */
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    sim_dot_put(dot, line);
}

void sim_dot_quote(struct dot *dot, const char *text)
{
    for (; *text; text++) {
        if (*text == '\n') {
            put_bytes(dot, "\\n", 2);
            continue;
        }
        if (*text == '"' || *text == '\\') put_bytes(dot, "\\", 1);
        put_bytes(dot, text, 1);
    }
}

/* ---- Nodes ----------------------------------------------------------------------------- */

static const char *kind_word(rill_op_kind kind)
{
    static const char *const words[] = {
        "KERNEL", "MEMCPY", "MEMSET", "HOST", "GRAPH", "EMPTY", "EVENT_WAIT", "EVENT_RECORD",
        "SEMAPHORE_SIGNAL", "SEMAPHORE_WAIT", "ALLOC", "FREE", "VALUES", "CONDITIONAL",
    };
    return words[kind];
}

static void put_name(struct dot *dot, uint32_t number, uint32_t slot)
{
    sim_dot_print(dot, "\"graph_%u_node_%u\"", (unsigned)number, (unsigned)slot);
}

static void put_node(struct dot *dot, const struct sim_graph *graph, uint32_t number,
                     uint32_t slot)
{
    const struct node *node = sim_node(graph, slot);
    const rill_op_kind kind = node->task->type->kind;
    put_name(dot, number, slot);
    sim_dot_print(dot, " [style=\"%s\" shape=\"%s\" label=\"%u\\n%s",
                  kind == RILL_OP_KERNEL ? "bold" : "solid",
                  kind == RILL_OP_KERNEL ? "octagon" : "rectangle", (unsigned)slot,
                  kind_word(kind));
    if (node->label) {
        sim_dot_put(dot, "\\n'");
        sim_dot_quote(dot, node->label);
        sim_dot_put(dot, "'");
    }
    sim_dot_op(dot, node->task);
    if (dot->flags & (RILL_DOT_HANDLES | RILL_DOT_VERBOSE))
        sim_dot_print(dot, "\\nnode %p", (void *)sim_node_handle(graph, slot));
    sim_dot_put(dot, "\"];\n");
}

/* ---- Edges ------------------------------------------------------------------------------ */

static void put_edge(struct dot *dot, uint32_t number, uint32_t from, struct link link,
                     uint32_t index)
{
    static const char *const ports[] = { "", "programmatic", "launch order", "" };
    put_name(dot, number, from);
    sim_dot_put(dot, " -> ");
    put_name(dot, number, link.slot);
    if (link.data)
        sim_dot_print(dot, " [style=\"dashed\" label=\"%s\"]",
                      ports[sim_edge_read(link.data).from_port]);
    else if (dot->flags & (RILL_DOT_EXTRA_TOPOLOGY | RILL_DOT_VERBOSE))
        sim_dot_print(dot, " [label=\"%u\"]", (unsigned)index);
    sim_dot_put(dot, ";\n");
}

static void put_edges(struct dot *dot, const struct sim_graph *graph, uint32_t number,
                      uint32_t slot)
{
    const struct links *behind = &sim_node(graph, slot)->behind;
    for (uint32_t i = 0; i < behind->count && !dot->failed; i++)
        put_edge(dot, number, slot, behind->items[i], i);
}

/* ---- Graphs ------------------------------------------------------------------------------ */

static void put_graph(struct dot *dot, const struct sim_graph *graph, uint32_t holder);

static void put_nested(struct dot *dot, const struct task *task, uint32_t slot)
{
    if (task->type->kind == RILL_OP_GRAPH)
        put_graph(dot, sim_graph_of(((const struct child_task *)task)->graph), slot);
    if (task->type->kind != RILL_OP_CONDITIONAL) return;
    const struct conditional_task *conditional = (const struct conditional_task *)task;
    for (uint32_t i = 0; i < conditional->body_count; i++)
        put_graph(dot, sim_graph_of(conditional->bodies[i]), slot);
}

/* Nested at most GRAPH_NESTING_MAX deep.  `holder`: the node around it. */
static void put_graph(struct dot *dot, const struct sim_graph *graph, uint32_t holder)
{
    uint32_t number = ++dot->graphs;
    const char *label = rill_graph_label(graph->handle);
    sim_dot_print(dot, "subgraph cluster_%u {\nlabel=\"graph_%u", (unsigned)number,
                  (unsigned)number);
    if (label) {
        sim_dot_put(dot, " '");
        sim_dot_quote(dot, label);
        sim_dot_put(dot, "'");
    }
    if (holder != NODE_NONE) sim_dot_print(dot, " in node %u", (unsigned)holder);
    sim_dot_put(dot, "\" graph[style=\"dashed\"];\n");
    for (uint32_t slot = graph->first; slot != NODE_NONE && !dot->failed;
         slot = sim_node(graph, slot)->next) {
        put_node(dot, graph, number, slot);
        put_nested(dot, sim_node(graph, slot)->task, slot);
    }
    for (uint32_t slot = graph->first; slot != NODE_NONE && !dot->failed;
         slot = sim_node(graph, slot)->next)
        put_edges(dot, graph, number, slot);
    sim_dot_put(dot, "}\n");
}

rill_status sim_graph_write_dot(rill_graph *handle, uint32_t flags, rill_write_fn write,
                                void *data)
{
    struct dot dot = { .write = write, .data = data, .flags = flags };
    rill_status status = sim_graph_check(sim_graph_of(handle));
    if (status) return status;
    sim_dot_put(&dot, "digraph dot {\n");
    put_graph(&dot, sim_graph_of(handle), NODE_NONE);
    sim_dot_put(&dot, "}\n");
    sim_dot_flush(&dot);
    if (!dot.failed) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_OPERATING_SYSTEM, "write",
                             "write answered that the text could not be written");
}
