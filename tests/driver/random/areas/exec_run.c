/* SPDX-License-Identifier: Apache-2.0
 *
 * Execs from their making to their end.
 */
#include "exec_steps.h"

/* Back to the graph that nobody cloned. */
static int origin_of(const struct world *w, int graph)
{
    while (graph >= 0 && w->objects[graph].flags) graph = (int)w->objects[graph].flags - 1;
    return graph;
}

static int kin_of;
static const struct world *kin_world;

static bool is_kin(const struct object *o)
{
    return origin_of(kin_world, object_index(kin_world, o)) == kin_of;
}

struct object *draw_kin(struct world *w, const struct object *exec)
{
    kin_world = w;
    kin_of = origin_of(w, (int)exec->flags - 1);
    struct object *kin = chance(w, 6) ? NULL : object_pick_if(w, GRAPH, is_kin);
    return kin ? kin : object_pick(w, GRAPH);
}

static unsigned draw_flags(struct world *w)
{
    static const unsigned flags[] = { 0, 0, 0, 0, 1, 1, 8, 9, 2, 4, 16 };
    return flags[dice(w, chance(w, 4) ? 11 : 8)];
}

static void made(struct world *w, struct object *graph, CUresult r, CUgraphExec x)
{
    if (r) {
        line_see(w, "%s", name_of(w, EXEC, x));
        return;
    }
    struct object *o = object_add(w, EXEC, x, -1);
    o->flags = (unsigned)object_index(w, graph) + 1;
    line_see(w, "x%d", o->number);
}

void instantiate_step(struct world *w)
{
    struct object *graph = object_pick(w, GRAPH);
    const unsigned flags = draw_flags(w);
    CUgraphExec x = UNTOUCHED;
    if (!graph) return;
    CUgraph g = HANDLE_OF(graph, CUgraph);
    if (chance(w, 2)) {
        line_call(w, "cuGraphInstantiate", "g%d, %u", graph->number, flags);
        CUresult r = line_result(w, cuGraphInstantiate(&x, g, flags));
        made(w, graph, r, x);
    } else {
        CUDA_GRAPH_INSTANTIATE_PARAMS p;
        memset(&p, 0, sizeof p);
        p.flags = flags;
        p.hUploadStream = HANDLE_OF(object_pick(w, STREAM), CUstream);
        p.hErrNode_out = UNTOUCHED;
        p.result_out = (CUgraphInstantiateResult)77;
        line_call(w, "cuGraphInstantiateWithParams", "g%d, %u", graph->number, flags);
        CUresult r = line_result(w, cuGraphInstantiateWithParams(&x, g, &p));
        made(w, graph, r, x);
        line_see(w, "%d %s", (int)p.result_out, name_of(w, NODE, p.hErrNode_out));
        if (cuCtxSynchronize()) w->over = true;
    }
    line_end(w);
}

void launch_exec(struct world *w, struct object *exec)
{
    CUstream s = chance(w, 6) ? NULL : HANDLE_OF(object_pick(w, STREAM), CUstream);
    const unsigned times = chance(w, 4) ? 2 : 1;
    slots_clear(w);
    line_call(w, "cuGraphLaunch", "x%d, %s, %u", exec->number, name_stream(w, s), times);
    for (unsigned i = 0; i < times; i++) {
        line_result(w, cuGraphLaunch(HANDLE_OF(exec, CUgraphExec), s));
    }
    CUresult r = cuStreamSynchronize(s);
    if (r) line_see(w, "then"), line_result(w, r);
    slots_show(w);
    line_end(w);
}

void launch_exec_step(struct world *w)
{
    struct object *exec = object_pick(w, EXEC);
    if (exec) launch_exec(w, exec);
}

void exec_other_step(struct world *w)
{
    struct object *exec = object_pick(w, EXEC);
    CUstream s = HANDLE_OF(object_pick(w, STREAM), CUstream);
    cuuint64_t flags = 77;
    if (!exec) return;
    CUgraphExec x = HANDLE_OF(exec, CUgraphExec);
    switch (dice(w, 3)) {
    case 0:
        CALL(w, cuGraphUpload(x, s), "cuGraphUpload", "x%d, %s", exec->number, name_stream(w, s));
        if (cuCtxSynchronize()) w->over = true;
        break;
    case 1:
        line_call(w, "cuGraphExecGetFlags", "x%d", exec->number);
        line_result(w, cuGraphExecGetFlags(x, &flags));
        line_see(w, "%llu", (unsigned long long)flags);
        line_end(w);
        break;
    default:
        line_call(w, "cuGraphExecDestroy", "x%d", exec->number);
        if (!line_result(w, cuGraphExecDestroy(x))) exec->live = false;
        line_end(w);
    }
}
