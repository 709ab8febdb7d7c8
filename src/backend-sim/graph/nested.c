/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/graph/nested.h"

#include "backend-sim/graph/claim.h"
#include "backend-sim/guard/interceptor.h"
#include "base/stack.h"

/* ---- Counting ------------------------------------------------------------------------ */

struct inside {
    uint32_t memory, conditional, height;
};

static void add_inside(struct inside *inside, const rill_graph *handle)
{
    const struct sim_graph *graph = sim_graph_of(handle);
    inside->memory += graph->memory_nodes;
    inside->conditional += graph->conditional_nodes;
    if (graph->height >= inside->height) inside->height = graph->height + 1;
}

static struct inside inside_of(const struct task *task)
{
    struct inside inside = {
        .memory = task->kind->traits & KIND_IS_MEMORY ? 1 : 0,
        .conditional = task->kind->op == RILL_OP_CONDITIONAL,
    };
    rill_graph *const *graphs;
    uint32_t count = sim_task_graphs(task, &graphs);
    for (uint32_t i = 0; i < count; i++) add_inside(&inside, graphs[i]);
    return inside;
}

/* Adds what a node holds to the graph and to all graphs around it. */
static void count_in(struct sim_graph *graph, const struct task *task)
{
    struct inside inside = inside_of(task);
    for (; graph; graph = graph->parent, inside.height += inside.height > 0) {
        graph->memory_nodes += inside.memory;
        graph->conditional_nodes += inside.conditional;
        if (graph->height < inside.height) graph->height = inside.height;
    }
}

static void count_out(struct sim_graph *graph, const struct task *task)
{
    struct inside inside = inside_of(task);
    for (; graph; graph = graph->parent) {
        graph->memory_nodes -= inside.memory;
        graph->conditional_nodes -= inside.conditional;
    }
}

/* ---- Leaving ------------------------------------------------------------------------- */

static void leave_graph(struct sim_graph *graph)
{
    graph->platform->interceptor->forget_graph(graph);
    sim_claim_copy_ends(graph);
    graph->fate = GRAPH_LEFT;
    graph->parent = NULL;
    if (graph->height) sim_nested_leave(graph);
}

static void note_use(struct task *task, bool used)
{
    if (task->kind->in_use) task->kind->in_use(task, used);
}

static void leave_graphs_of(struct task *task)
{
    rill_graph *const *graphs;
    uint32_t count = sim_task_graphs(task, &graphs);
    note_use(task, false);
    for (uint32_t i = 0; i < count; i++) leave_graph(sim_graph_of(graphs[i]));
}

static void leave_all(void *data)
{
    struct sim_graph *graph = data;
    for (uint32_t slot = graph->first; slot != NODE_NONE; slot = sim_node(graph, slot)->next)
        leave_graphs_of(sim_node_task(graph, slot));
}

void sim_nested_leave(struct sim_graph *graph)
{
    if (!rl_with_stack(sim_stack_for(graph->height), leave_all, graph)) leave_all(graph);
}

/* ---- Nodes --------------------------------------------------------------------------- */

void sim_nested_come(struct sim_graph *graph, struct task *task)
{
    count_in(graph, task);
    note_use(task, true);
}

void sim_nested_go(struct sim_graph *graph, struct task *task)
{
    count_out(graph, task);
    leave_graphs_of(task);
}

/* ---- What is forbidden ---------------------------------------------------------------- */

rill_status sim_memory_nodes_forbid(const struct sim_graph *graph, const char *what)
{
    if (!sim_graph_has_memory(graph)) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, "graph",
                             "a graph that allocates or frees memory cannot %s", what);
}
