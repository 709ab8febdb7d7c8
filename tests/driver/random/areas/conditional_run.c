/* SPDX-License-Identifier: Apache-2.0
 *
 * Graphs with conditional nodes, run.
 */
#include "conditional_steps.h"

static bool node_is_certain(const struct world *w, const struct object *node)
{
    const struct object *handle = &w->objects[node->size];
    const unsigned known = handle->flags;
    if (!handle->live || known & UNSURE || !(known & (ASSIGNED | SET))) return false;
    return node->flags >> 8 != CU_GRAPH_COND_TYPE_WHILE || known & CLEARED || !(known & NONZERO);
}

/* A kernel that sets a handle and came here with a copy of its graph. */
static bool is_strange(struct world *w, const struct object *node)
{
    CUgraphNodeParams p;
    CUresult r;
    int context;
    if (node->type != CU_GRAPH_NODE_TYPE_KERNEL || node->flags == SETTER) return false;
    get_typed(w, HANDLE_OF(node, CUgraphNode), node->type, &p, &r);
    return r || function_find(w, p.kernel.func, &context) == FUNCTIONS;
}

bool is_certain(struct world *w, const struct object *graph)
{
    const int index = object_index(w, graph);
    for (int i = 0; i < w->count; i++) {
        const struct object *o = &w->objects[i];
        if (!o->live || o->kind != NODE || o->owner != index) continue;
        if (o->type == CU_GRAPH_NODE_TYPE_CONDITIONAL && !node_is_certain(w, o)) return false;
        if (is_strange(w, o) || o->type == CU_GRAPH_NODE_TYPE_GRAPH) return false;
        for (int k = 0; k < w->count; k++) {
            const struct object *body = &w->objects[k];
            if (body->live && body->kind == GRAPH && body->owner == i && !is_certain(w, body)) {
                return false;
            }
        }
    }
    return true;
}

/* An exec's type says whether it may be launched. */
void condition_exec_step(struct world *w)
{
    struct object *graph = object_pick(w, GRAPH);
    CUgraphExec x = UNTOUCHED;
    if (!graph || (graph->owner >= 0 && !chance(w, 8))) return;
    CUDA_GRAPH_INSTANTIATE_PARAMS p;
    memset(&p, 0, sizeof p);
    p.hErrNode_out = UNTOUCHED;
    p.result_out = (CUgraphInstantiateResult)77;
    p.flags = chance(w, 6) ? CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH : 0;
    line_call(w, "cuGraphInstantiateWithParams", "g%d, %d", graph->number, (int)p.flags);
    if (!line_result(w, cuGraphInstantiateWithParams(&x, HANDLE_OF(graph, CUgraph), &p))) {
        struct object *o = object_add(w, EXEC, x, -1);
        o->flags = (unsigned)object_index(w, graph) + 1;
        o->type = is_certain(w, graph);
        line_see(w, "x%d", o->number);
    } else line_see(w, "%s", name_of(w, EXEC, x));
    line_see(w, "%d %s", (int)p.result_out, name_of(w, NODE, p.hErrNode_out));
    line_end(w);
}

static bool may_run(const struct object *o)
{
    return o->type;
}

void condition_launch_step(struct world *w)
{
    struct object *exec = object_pick_if(w, EXEC, may_run);
    if (exec) launch_exec(w, exec);
}

void condition_update_step(struct world *w)
{
    struct object *exec = object_pick(w, EXEC);
    struct object *graph = exec ? draw_kin(w, exec) : NULL;
    if (!graph) return;
    update_exec(w, exec, graph);
    exec->type = exec->type && is_certain(w, graph);
}
