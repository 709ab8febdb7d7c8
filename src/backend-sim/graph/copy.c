/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies of graphs with everything nested in them: clones, and the copies that child
 * graph nodes hold.  A node keeps its slot and generation in a copy, so that comparing
 * them finds the node that it stands for.
 */
#include "backend-sim/graph/claim.h"
#include "backend-sim/graph/graph.h"
#include "backend-sim/graph/user_object.h"
#include "base/alloc.h"
#include "base/stack.h"

/* ---- One node ---------------------------------------------------------------------- */

static bool reserve_links(struct sim_graph *copy, struct links *to, const struct links *from)
{
    return !from->count || sim_links_reserve(to, from->count, &copy->slabs);
}

static bool copy_label_and_links(struct sim_graph *copy, struct node *to, const struct node *from)
{
    if (from->label) {
        to->label = rl_strdup(from->label);
        if (!to->label) return false;
        copy->labelled = true;
    }
    /* The room of the first successor holds the turn of a leaf: sim_node_leaf_order(). */
    if (!from->successors.count) to->successors.near = *sim_links(&from->successors);
    return reserve_links(copy, &to->predecessors, &from->predecessors) &&
           reserve_links(copy, &to->successors, &from->successors);
}

/* Most tasks are shared. */
static rill_status copy_task(struct sim_graph *copy, struct task *task, struct task **out)
{
    if (task->kind->copy) return task->kind->copy(copy, task, out);
    sim_task_retain(task);
    *out = task;
    return RILL_SUCCESS;
}

static rill_status copy_node(struct sim_graph *copy, const struct sim_graph *graph, uint32_t slot)
{
    const struct node *from = sim_node(graph, slot);
    struct task *task;
    rill_status status = copy_task(copy, sim_node_task(graph, slot), &task);
    if (status) return status;
    struct node *to = sim_graph_fill_slot(copy, slot, task);
    to->generation = from->generation;
    to->cloned = true;
    return copy_label_and_links(copy, to, from) ? RILL_SUCCESS : RILL_ERROR_OUT_OF_MEMORY;
}

/* ---- All of them -------------------------------------------------------------------- */

static rill_status copy_nodes(struct sim_graph *copy, const struct sim_graph *graph)
{
    rill_status status = RILL_SUCCESS;
    for (uint32_t slot = graph->first; !status && slot != NODE_NONE;
         slot = sim_node(graph, slot)->next)
        status = copy_node(copy, graph, slot);
    return status;
}

/* Adds the edges in the order of the nodes that they lead to. */
static void copy_edges(struct sim_graph *copy, const struct sim_graph *graph)
{
    for (uint32_t slot = graph->first; slot != NODE_NONE; slot = sim_node(graph, slot)->next) {
        const struct links *predecessors = &sim_node(graph, slot)->predecessors;
        const struct link *links = sim_links(predecessors);
        for (uint32_t i = 0; i < predecessors->count; i++)
            sim_graph_link(copy, links[i].slot, slot, links[i].data);
    }
}

/* Claims only the outermost copy: nested graphs have no conditionals of their own. */
static rill_status copy_all(struct sim_graph *copy, struct sim_graph *graph)
{
    rill_status status = RILL_SUCCESS;
    if (!sim_graph_reserve_slots(copy, graph->slots)) status = RILL_ERROR_OUT_OF_MEMORY;
    if (!status) status = copy_nodes(copy, graph);
    if (!status) status = sim_users_copy(copy, graph);
    if (!status && graph->role == GRAPH_OWN && !sim_claim_copy(copy, graph))
        status = RILL_ERROR_OUT_OF_MEMORY;
    if (status) {
        sim_graph_clear(copy);
        return status;
    }
    copy_edges(copy, graph);
    sim_graph_chain_free_slots(copy);
    copy->origin = graph->serial;
    copy->height = graph->height;
    copy->leaf_orders = graph->leaf_orders;
    copy->reused = graph->reused;
    return RILL_SUCCESS;
}

struct copying {
    struct sim_graph *copy, *graph;
    rill_status status;
};

static void copy_here(void *data)
{
    struct copying *copying = data;
    copying->status = copy_all(copying->copy, copying->graph);
}

rill_status sim_graph_copy(struct sim_graph *copy, struct sim_graph *graph)
{
    struct copying copying = { copy, graph, RILL_SUCCESS };
    if (rl_with_stack(sim_stack_for(graph->height), copy_here, &copying)) return copying.status;
    sim_graph_clear(copy);
    return RILL_ERROR_OUT_OF_MEMORY;
}

/* Returns whether the graph, or a graph around it, has conditionals. */
static bool has_conditionals_around(const struct sim_graph *graph)
{
    for (; graph; graph = graph->parent)
        if (graph->conditional_nodes || graph->handles) return true;
    return false;
}

rill_status sim_graph_may_copy(const struct sim_graph *graph, const char *argument)
{
    if (sim_graph_has_memory(graph))
        return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, argument,
                                 "a graph that allocates or frees memory cannot be copied, since "
                                 "its addresses belong to it alone");
    if (has_conditionals_around(graph))
        return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, argument,
                                 "a graph with conditional nodes or handles cannot be copied, "
                                 "since the handles belong to it alone");
    return RILL_SUCCESS;
}

/* ---- The calls ----------------------------------------------------------------------- */

rill_status sim_graph_clone(rill_graph *handle, rill_graph *clone)
{
    struct sim_graph *graph = sim_graph_of(handle);
    rill_status status = sim_check_outside(graph->platform);
    if (!status) status = sim_graph_check(graph);
    if (!status) status = sim_graph_may_copy(graph, "graph");
    if (!status) status = sim_graph_init(clone, GRAPH_OWN, NULL);
    if (status) return status;
    return sim_graph_copy(sim_graph_of(clone), graph);
}

rill_status sim_graph_find_in_clone(rill_graph *clone, rill_node original, rill_node *node)
{
    const struct sim_graph *graph = sim_graph_of(clone);
    uint32_t slot = sim_node_slot(original);
    rill_status status = sim_check_outside(graph->platform);
    if (!status) status = sim_graph_check(graph);
    if (status) return status;
    if (!graph->origin || sim_node_serial(original) != graph->origin)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "original",
                                 "clone was not made of the graph that this node belongs to");
    if (slot < graph->slots && sim_node_task(graph, slot) && sim_node(graph, slot)->cloned &&
        sim_node_generation(original) == sim_node(graph, slot)->generation) {
        *node = sim_node_handle(graph, slot);
        return RILL_SUCCESS;
    }
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "original",
                             "clone has no node for this one: it was added after the clone was "
                             "made, or removed from the clone");
}
