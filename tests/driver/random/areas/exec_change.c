/* SPDX-License-Identifier: Apache-2.0
 *
 * Execs that are changed: by a graph as a whole, and node by node.
 */
#include "exec_steps.h"

void update_exec(struct world *w, const struct object *exec, const struct object *graph)
{
    CUgraphExecUpdateResultInfo info;
    memset(&info, 0, sizeof info);
    info.result = (CUgraphExecUpdateResult)77;
    info.errorNode = info.errorFromNode = UNTOUCHED;
    line_call(w, "cuGraphExecUpdate", "x%d, g%d", exec->number, graph->number);
    line_result(w, cuGraphExecUpdate(HANDLE_OF(exec, CUgraphExec), HANDLE_OF(graph, CUgraph),
                                     &info));
    line_see(w, "%d %s %s", (int)info.result, name_of(w, NODE, info.errorNode),
             name_of(w, NODE, info.errorFromNode));
    line_end(w);
}

void update_step_whole(struct world *w)
{
    struct object *exec = object_pick(w, EXEC);
    struct object *graph = exec ? draw_kin(w, exec) : NULL;
    if (graph) update_exec(w, exec, graph);
}

/* A node of the graph that the exec was made of, mostly. */
static struct object *draw_node(struct world *w, const struct object *exec)
{
    struct object *origin = &w->objects[exec->flags - 1];
    struct object *node = chance(w, 10) || !origin->live ? NULL : node_in(w, origin);
    return node ? node : object_pick(w, NODE);
}

void update_step_node(struct world *w)
{
    struct object *exec = object_pick(w, EXEC);
    struct object *node = exec ? draw_node(w, exec) : NULL;
    struct drawn d;
    if (!node) return;
    CUgraphNodeParams now;
    CUresult r;
    const bool by_shape = node->type == CU_GRAPH_NODE_TYPE_MEMCPY ||
                          node->type == CU_GRAPH_NODE_TYPE_MEMSET ||
                          node->type == CU_GRAPH_NODE_TYPE_BATCH_MEM_OP;
    w->target = node->owner;
    if (by_shape && !chance(w, 3) &&
        get_typed(w, HANDLE_OF(node, CUgraphNode), node->type, &now, &r) && !r) {
        draw_like(w, &now, &d);
    } else draw_params(w, chance(w, 8) ? draw_type(w) : node->type, &d);
    const int type = (int)d.params.type;
    CUgraphExec x = HANDLE_OF(exec, CUgraphExec);
    CUgraphNode n = HANDLE_OF(node, CUgraphNode);
    if (chance(w, 2) && set_exec_name(type)) {
        CALL(w, set_exec_typed(w, x, n, &d), set_exec_name(type), "x%d, n%d, %s", exec->number,
             node->number, d.text);
    } else {
        CALL(w, cuGraphExecNodeSetParams(x, n, &d.params),
             note(w, "cuGraphExecNodeSetParams:%s", ntype(d.params.type)), "x%d, n%d, %s",
             exec->number, node->number, d.text);
    }
}

void enable_step(struct world *w)
{
    struct object *exec = object_pick(w, EXEC);
    struct object *node = exec ? draw_node(w, exec) : NULL;
    if (!node) return;
    CUgraphExec x = HANDLE_OF(exec, CUgraphExec);
    CUgraphNode n = HANDLE_OF(node, CUgraphNode);
    unsigned on = chance(w, 10) ? 2 : dice(w, 2);
    if (chance(w, 3)) {
        on = 77;
        line_call(w, "cuGraphNodeGetEnabled", "x%d, n%d", exec->number, node->number);
        line_result(w, cuGraphNodeGetEnabled(x, n, &on));
        line_see(w, "%u", on);
        line_end(w);
        return;
    }
    CALL(w, cuGraphNodeSetEnabled(x, n, on), "cuGraphNodeSetEnabled", "x%d, n%d, %u",
         exec->number, node->number, on);
}
