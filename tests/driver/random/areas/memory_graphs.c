/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory that graphs allocate and free.
 */
#include "memory_steps.h"

static bool is_of_graph(const struct object *o)
{
    return o->flags & OF_GRAPH;
}

/* An allocation, and mostly at once what writes to it and frees it. */
static void add_alloc(struct world *w, struct object *graph)
{
    struct drawn d;
    CUgraph g = HANDLE_OF(graph, CUgraph);
    CUgraphNode on[4], node = UNTOUCHED, fill = UNTOUCHED, last = UNTOUCHED;
    size_t count = draw_nodes(w, graph, on, 2);
    draw_params(w, CU_GRAPH_NODE_TYPE_MEM_ALLOC, &d);
    line_call(w, "cuGraphAddMemAllocNode", "g%d, %s, %s", graph->number, nodes_text(w, on, count),
              d.text);
    CUresult r = line_result(w, add_typed(w, &node, g, on, count, &d));
    if (r) {
        line_end(w);
        return;
    }
    struct object *n = object_add(w, NODE, node, object_index(w, graph));
    n->type = CU_GRAPH_NODE_TYPE_MEM_ALLOC;
    const CUdeviceptr p = d.params.alloc.dptr;
    struct object *m = object_add(w, MEMORY, (const void *)p, object_index(w, n));
    m->flags = OF_GRAPH;
    line_see(w, "n%d m%d", n->number, m->number);
    line_end(w);
    CUDA_MEMSET_NODE_PARAMS f = { .dst = p, .value = 3, .elementSize = 4, .width = 2, .height = 1 };
    line_call(w, "cuGraphAddMemsetNode", "g%d, [n%d], m%d", graph->number, n->number, m->number);
    if (line_result(w, cuGraphAddMemsetNode(&fill, g, &node, 1, &f, w->t.ctx))) {
        line_end(w);
        return;
    }
    struct object *o = object_add(w, NODE, fill, object_index(w, graph));
    o->type = CU_GRAPH_NODE_TYPE_MEMSET;
    m->size = (size_t)object_index(w, o);
    line_see(w, "%s", name_of(w, NODE, fill));
    line_end(w);
    if (chance(w, 3)) return;
    line_call(w, "cuGraphAddMemFreeNode", "g%d, [%s], m%d", graph->number, name_of(w, NODE, fill),
              m->number);
    if (!line_result(w, cuGraphAddMemFreeNode(&last, g, &fill, 1, p))) {
        o = object_add(w, NODE, last, object_index(w, graph));
        o->type = CU_GRAPH_NODE_TYPE_MEM_FREE;
        line_see(w, "n%d", o->number);
    }
    line_end(w);
}

void memory_node_step(struct world *w)
{
    struct object *graph = object_pick(w, GRAPH);
    if (!graph) return;
    if (!chance(w, 4)) {
        add_alloc(w, graph);
        return;
    }
    struct object *m = object_pick(w, MEMORY);
    CUgraphNode on[4], node = UNTOUCHED;
    size_t count = draw_nodes(w, graph, on, 2);
    if (!m) return;
    /* Never before what writes to it. */
    if (m->flags & OF_GRAPH && m->size) {
        struct object *fill = &w->objects[m->size];
        if (fill->owner == object_index(w, graph)) {
            on[0] = HANDLE_OF(fill, CUgraphNode);
            count = 1;
        }
    }
    line_call(w, "cuGraphAddMemFreeNode", "g%d, %s, m%d", graph->number, nodes_text(w, on, count),
              m->number);
    if (!line_result(w, cuGraphAddMemFreeNode(&node, HANDLE_OF(graph, CUgraph), on, count,
                                              (CUdeviceptr)m->value))) {
        struct object *o = object_add(w, NODE, node, object_index(w, graph));
        o->type = CU_GRAPH_NODE_TYPE_MEM_FREE;
        line_see(w, "n%d", o->number);
    }
    line_end(w);
}

void memory_exec_step(struct world *w)
{
    struct object *graph = object_pick(w, GRAPH);
    const unsigned flags = dice(w, 3) == 0;
    CUgraphExec x = UNTOUCHED;
    if (!graph) return;
    line_call(w, "cuGraphInstantiate", "g%d, %u", graph->number, flags);
    if (!line_result(w, cuGraphInstantiate(&x, HANDLE_OF(graph, CUgraph), flags))) {
        line_see(w, "x%d", object_add(w, EXEC, x, -1)->number);
    } else line_see(w, "%s", name_of(w, EXEC, x));
    line_end(w);
}

void memory_launch_step(struct world *w)
{
    struct object *exec = object_pick(w, EXEC);
    CUstream s = HANDLE_OF(object_pick(w, STREAM), CUstream);
    if (!exec) return;
    CUgraphExec x = HANDLE_OF(exec, CUgraphExec);
    if (chance(w, 8)) {
        line_call(w, "cuGraphExecDestroy", "x%d", exec->number);
        if (!line_result(w, cuGraphExecDestroy(x))) exec->live = false;
        line_end(w);
        return;
    }
    CALL(w, cuGraphLaunch(x, s), "cuGraphLaunch", "x%d, %s", exec->number, name_stream(w, s));
    settle(w);
    struct object *m = chance(w, 2) ? object_pick_if(w, MEMORY, is_of_graph) : NULL;
    if (!m) return;
    CALL(w, cuMemFreeAsync((CUdeviceptr)m->value, s), "cuMemFreeAsync", "m%d, %s", m->number,
         name_stream(w, s));
    settle(w);
}

void graph_memory_step(struct world *w)
{
    const int which = chance(w, 20) ? 9 : (int)dice(w, 4);
    uint64_t value = 0;
    switch (dice(w, 5)) {
    case 0:
        CALL(w, cuDeviceGraphMemTrim(w->t.dev), "cuDeviceGraphMemTrim", "%s", "");
        break;
    case 1:
        value = chance(w, 3);
        line_call(w, "cuDeviceSetGraphMemAttribute", "%d, %d", which, (int)value);
        line_result(w, cuDeviceSetGraphMemAttribute(w->t.dev, (CUgraphMem_attribute)which, &value));
        line_end(w);
        break;
    default:
        line_call(w, "cuDeviceGetGraphMemAttribute", "%d", which);
        if (!line_result(w, cuDeviceGetGraphMemAttribute(w->t.dev, (CUgraphMem_attribute)which,
                                                         &value))) {
            line_see(w, "%s", value ? "some" : "0");
        }
        line_end(w);
    }
}
