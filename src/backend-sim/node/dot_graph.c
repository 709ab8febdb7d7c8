/* SPDX-License-Identifier: Apache-2.0
 *
 * A graph as Graphviz text: a cluster for each graph, followed by those of the child
 * graphs and bodies in it.
 */
#include "backend-sim/node/dot.h"
#include "base/alloc.h"
#include "base/stack.h"

/* ---- Ranks ----------------------------------------------------------------------------- */

struct ranking {
    uint32_t *ranks, *order; /* by slot; slots by rank */
    uint32_t count;
};

static void rank_node(struct ranking *ranking, uint32_t slot)
{
    if (ranking->ranks[slot] != NODE_NONE) return;
    ranking->ranks[slot] = ranking->count;
    ranking->order[ranking->count++] = slot;
}

/* Numbers the nodes from 0: first the leaves, the youngest of them first, then their predecessors.
 * Returns false if memory is short. */
static bool rank_nodes(struct dot *dot)
{
    const struct sim_graph *graph = dot->graph;
    uint32_t *room = rl_alloc(2 * (size_t)graph->slots * sizeof *room);
    struct ranking ranking = { .ranks = room, .order = room + graph->slots };
    if (!room && graph->slots) return false;
    for (uint32_t slot = 0; slot < graph->slots; slot++) room[slot] = NODE_NONE;
    for (uint32_t slot = graph->last; slot != NODE_NONE; slot = sim_node(graph, slot)->previous)
        if (!sim_node(graph, slot)->successors.count) rank_node(&ranking, slot);
    for (uint32_t i = 0; i < ranking.count; i++) {
        const struct links *predecessors = &sim_node(graph, ranking.order[i])->predecessors;
        for (uint32_t k = 0; k < predecessors->count; k++)
            rank_node(&ranking, sim_links(predecessors)[k].slot);
    }
    for (uint32_t slot = graph->last; slot != NODE_NONE; slot = sim_node(graph, slot)->previous)
        rank_node(&ranking, slot); /* in cycles */
    dot->ranks = room;
    return true;
}

/* ---- Nodes and edges --------------------------------------------------------------------- */

static void put_name(struct dot *dot, uint32_t slot)
{
    sim_dot_print(dot, "\"graph_%u_node_%u\"", (unsigned)dot->graph->serial, (unsigned)slot);
}

static void put_node(struct dot *dot, uint32_t slot)
{
    put_name(dot, slot);
    sim_dot_node(dot, slot);
}

/* Writes an edge, with its number among those that lead to the same node, and what it carries. */
static void put_edge(struct dot *dot, uint32_t from, struct link link)
{
    static const char *const ports[] = { "", "programmatic", "launch order", "" };
    put_name(dot, from);
    sim_dot_put(dot, " -> ");
    put_name(dot, link.slot);
    if (sim_dot_wants(dot, RILL_DOT_EXTRA_TOPOLOGY))
        sim_dot_print(dot, " [headlabel=%u]", (unsigned)link.mirror);
    if (link.data)
        sim_dot_print(dot, " [style=\"dashed\" label=\"%s\"]",
                      ports[sim_edge_read(link.data).from_port]);
    sim_dot_put(dot, ";\n");
}

static void put_edges(struct dot *dot, uint32_t slot)
{
    const struct links *successors = &sim_node(dot->graph, slot)->successors;
    for (uint32_t i = 0; i < successors->count && !dot->failed; i++)
        put_edge(dot, slot, sim_links(successors)[i]);
}

/* ---- Graphs ------------------------------------------------------------------------------ */

static void put_head(struct dot *dot)
{
    unsigned serial = dot->graph->serial;
    const char *label = rill_graph_label(dot->graph->handle);
    sim_dot_print(dot, "subgraph cluster_%u {\nlabel=\"graph_%u", serial, serial);
    if (label) {
        sim_dot_put(dot, " '");
        sim_dot_quote(dot, label);
        sim_dot_put(dot, "'");
    }
    sim_dot_put(dot, "\" graph[style=\"dashed\"];\n");
}

static void put_each(struct dot *dot, void (*put)(struct dot *dot, uint32_t slot))
{
    for (uint32_t slot = dot->graph->first; slot != NODE_NONE && !dot->failed;
         slot = sim_node(dot->graph, slot)->next)
        put(dot, slot);
}

/* Returns false if memory is short. */
static bool put_graph(struct dot *dot, const struct sim_graph *graph)
{
    dot->graph = graph;
    dot->ranks = NULL;
    if (sim_dot_wants(dot, RILL_DOT_EXTRA_TOPOLOGY) && !rank_nodes(dot)) return false;
    put_head(dot);
    put_each(dot, put_node);
    put_each(dot, put_edges);
    sim_dot_put(dot, "}\n");
    rl_free(dot->ranks);
    return true;
}

static bool put_level(struct dot *dot, const struct sim_graph *graph, uint32_t level);

static bool put_nested(struct dot *dot, const struct task *task, uint32_t level)
{
    bool done = true;
    rill_graph *const *graphs;
    uint32_t count = sim_task_graphs(task, &graphs);
    for (uint32_t i = 0; done && i < count; i++)
        done = put_level(dot, sim_graph_of(graphs[i]), level);
    return done;
}

/* Writes the graphs at one level of nesting; the driver writes level by level. */
static bool put_level(struct dot *dot, const struct sim_graph *graph, uint32_t level)
{
    bool done = true;
    if (!level) return put_graph(dot, graph);
    if (graph->height < level) return true;
    for (uint32_t slot = graph->first; done && slot != NODE_NONE && !dot->failed;
         slot = sim_node(graph, slot)->next)
        done = put_nested(dot, sim_node_task(graph, slot), level - 1);
    return done;
}

struct drawing {
    struct dot dot;
    const struct sim_graph *graph;
    bool done;
};

static void draw_levels(void *data)
{
    struct drawing *drawing = data;
    const struct sim_graph *graph = drawing->graph;
    drawing->done = true;
    for (uint32_t level = 0; drawing->done && level <= graph->height; level++)
        drawing->done = put_level(&drawing->dot, graph, level);
}

rill_status sim_graph_write_dot(rill_graph *handle, uint32_t flags, rill_write_fn write,
                                void *data)
{
    const struct sim_graph *graph = sim_graph_of(handle);
    struct drawing drawing = { { .write = write, .data = data, .flags = flags }, graph, false };
    struct dot *dot = &drawing.dot;
    rill_status status = sim_graph_check(graph);
    if (status) return status;
    sim_dot_put(dot, "digraph dot {\n");
    if (!rl_with_stack(sim_stack_for(graph->height), draw_levels, &drawing) || !drawing.done)
        return rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, NULL, "no memory for the text");
    sim_dot_put(dot, "}\n");
    sim_dot_flush(dot);
    if (!dot->failed) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_OPERATING_SYSTEM, "write",
                             "write answered that the text could not be written");
}
