/* SPDX-License-Identifier: Apache-2.0
 *
 * Steps that build graphs: nodes of all kinds, edges, clones, children, the end of nodes.
 */
#include "../random.h"
#include "graph_steps.h"

/* Children, bodies and memory that came with a node become objects of the seed. */
static void adopt_inner(struct world *w, struct object *node, struct drawn *d)
{
    if (node->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC) {
        struct object *m =
            object_add(w, MEMORY, (const void *)d->params.alloc.dptr, object_index(w, node));
        line_see(w, "m%d", m->number);
    }
    if (node->type != CU_GRAPH_NODE_TYPE_CONDITIONAL) return;
    for (unsigned i = 0; i < d->params.conditional.size; i++) {
        CUgraph body = d->params.conditional.phGraph_out[i];
        struct object *g = object_add(w, GRAPH, body, object_index(w, node));
        line_see(w, "body g%d", g->number);
    }
}

static struct object *finish_add(struct world *w, struct object *graph, struct drawn *d,
                                 CUresult r, CUgraphNode node)
{
    if (line_result(w, r)) {
        if (node != UNTOUCHED) line_see(w, "%s", name_of(w, NODE, node));
        line_end(w);
        return NULL;
    }
    struct object *o = object_add(w, NODE, node, object_index(w, graph));
    CUgraphNodeType type = (CUgraphNodeType)77;
    o->type = (int)d->params.type;
    line_see(w, "n%d", o->number);
    if (cuGraphNodeGetType(node, &type) || (int)type != o->type) line_see(w, "type %d", (int)type);
    adopt_inner(w, o, d);
    line_end(w);
    return o;
}

static struct object *add(struct world *w, struct object *graph, struct drawn *d,
                          const CUgraphNode *on, size_t count)
{
    CUgraph g = HANDLE_OF(graph, CUgraph);
    CUgraphNode node = UNTOUCHED;
    const int type = (int)d->params.type;
    if (chance(w, 2) && add_name(type)) {
        line_call(w, add_name(type), "%s, %s, %s", name_of(w, GRAPH, g), nodes_text(w, on, count),
                  d->text);
        CUresult r = add_typed(w, &node, g, on, count, d);
        return finish_add(w, graph, d, r, node);
    }
    CUgraphEdgeData data[8];
    const bool with_data = count && chance(w, 3);
    for (size_t i = 0; i < count; i++) data[i] = draw_edge(w);
    line_call(w, note(w, "cuGraphAddNode:%s", ntype(d->params.type)), "%s, %s%s, %s",
              name_of(w, GRAPH, g), nodes_text(w, on, count),
              edge_text(w, with_data ? data : NULL, count), d->text);
    CUresult r = cuGraphAddNode(&node, g, on, with_data ? data : NULL, count, &d->params);
    return finish_add(w, graph, d, r, node);
}

void add_node_step(struct world *w)
{
    struct object *graph = object_pick(w, GRAPH);
    struct drawn d;
    CUgraphNode on[8];
    if (!graph) return;
    w->target = object_index(w, graph);
    draw_params(w, draw_type(w), &d);
    size_t count = draw_nodes(w, graph, on, 3);
    add(w, graph, &d, on, count);
}

void build_graph(struct world *w, struct object *graph, int nodes)
{
    for (int i = 0; i < nodes; i++) {
        struct drawn d;
        CUgraphNode on[8];
        w->target = object_index(w, graph);
        draw_good_params(w, draw_type(w), &d);
        size_t count = draw_nodes(w, graph, on, 2);
        add(w, graph, &d, on, count);
    }
}

/* Mostly onwards, or there would soon be a cycle in every graph. */
static bool draw_new_edge(struct world *w, struct object *graph, CUgraphNode *from, CUgraphNode *to)
{
    struct object *a = node_in(w, graph);
    struct object *b = chance(w, 20) ? object_pick(w, NODE) : node_in(w, graph);
    if (!a || !b) return false;
    for (int i = 0; i < 3 && a == b; i++) b = node_in(w, graph);
    if (!b) return false;
    const bool turned = a > b && !chance(w, 12);
    *from = HANDLE_OF(turned ? b : a, CUgraphNode);
    *to = HANDLE_OF(turned ? a : b, CUgraphNode);
    return true;
}

/* Mostly one that there is. */
static bool draw_old_edge(struct world *w, struct object *graph, CUgraphNode *from, CUgraphNode *to,
                          CUgraphEdgeData *data)
{
    CUgraphNode nodes[32], others[32];
    CUgraphEdgeData all[32];
    size_t count = 32;
    if (cuGraphGetEdges(HANDLE_OF(graph, CUgraph), nodes, others, all, &count)) return false;
    if (!count || count > 32) return false;
    const unsigned which = dice(w, (unsigned)count);
    *from = nodes[which];
    *to = others[which];
    *data = all[which];
    if (chance(w, 6)) *data = draw_edge(w);
    if (chance(w, 8)) *from = HANDLE_OF(node_in(w, graph), CUgraphNode);
    return true;
}

static void edges_step(struct world *w, bool adds)
{
    struct object *graph = object_pick(w, GRAPH);
    CUgraph g = HANDLE_OF(graph, CUgraph);
    CUgraphNode from[2], to[2];
    CUgraphEdgeData data[2];
    size_t count = 0, asked = chance(w, 3) ? 2 : 1;
    memset(data, 0, sizeof data);
    if (!graph) return;
    while (count < asked) {
        const bool drawn = adds ? draw_new_edge(w, graph, &from[count], &to[count])
                                : draw_old_edge(w, graph, &from[count], &to[count], &data[count]);
        if (!drawn) break;
        if (adds) data[count] = draw_edge(w);
        count++;
    }
    const bool with_data = count && chance(w, 2);
    line_call(w, adds ? "cuGraphAddDependencies" : "cuGraphRemoveDependencies", "%s, %s>%s%s",
              name_of(w, GRAPH, g), nodes_text(w, from, count), nodes_text(w, to, count),
              edge_text(w, with_data ? data : NULL, count));
    line_result(w, adds ? cuGraphAddDependencies(g, from, to, with_data ? data : NULL, count)
                        : cuGraphRemoveDependencies(g, from, to, with_data ? data : NULL, count));
    line_end(w);
}

void add_edges_step(struct world *w)
{
    edges_step(w, true);
}

void remove_edges_step(struct world *w)
{
    edges_step(w, false);
}

void new_graph_step(struct world *w)
{
    if (object_live(w, GRAPH) < 8) graph_new(w);
}

void clone_step(struct world *w)
{
    struct object *graph = object_pick(w, GRAPH);
    CUgraph clone = UNTOUCHED;
    if (!graph || object_live(w, GRAPH) > 10) return;
    line_call(w, "cuGraphClone", "g%d", graph->number);
    if (line_result(w, cuGraphClone(&clone, HANDLE_OF(graph, CUgraph)))) {
        line_see(w, "%s", name_of(w, GRAPH, clone));
    } else {
        struct object *o = object_add(w, GRAPH, clone, -1);
        o->flags = (unsigned)object_index(w, graph) + 1;
        graph_adopt(w, o);
        line_see(w, "g%d", o->number);
        graph_show(w, o);
    }
    line_end(w);
}

void destroy_node_step(struct world *w)
{
    struct object *node = object_pick(w, NODE);
    if (!node) return;
    line_call(w, "cuGraphDestroyNode", "n%d", node->number);
    if (!line_result(w, cuGraphDestroyNode(HANDLE_OF(node, CUgraphNode)))) object_forget(w, node);
    line_end(w);
}

/* Nested graphs are not to be destroyed, which the driver knows. */
void destroy_graph_step(struct world *w)
{
    struct object *graph = object_pick(w, GRAPH);
    if (!graph || graph->owner >= 0) return;
    line_call(w, "cuGraphDestroy", "g%d", graph->number);
    if (!line_result(w, cuGraphDestroy(HANDLE_OF(graph, CUgraph)))) object_forget(w, graph);
    line_end(w);
}

void handle_step(struct world *w)
{
    struct object *graph = object_pick(w, GRAPH);
    CUgraphConditionalHandle handle = 0;
    unsigned value = dice(w, 3), flags = chance(w, 8) ? 2 : dice(w, 2);
    CUcontext c = chance(w, 8) ? NULL : w->t.ctx;
    line_call(w, "cuGraphConditionalHandleCreate", "%s, %s, %u, %u",
              name_of(w, GRAPH, HANDLE_OF(graph, void *)), name_context(w, c), value, flags);
    CUresult r =
        cuGraphConditionalHandleCreate(&handle, HANDLE_OF(graph, CUgraph), c, value, flags);
    line_result(w, r);
    if (!r) {
        struct object *o = object_add(w, HANDLE, (const void *)(uintptr_t)handle,
                                      object_index(w, graph));
        line_see(w, "h%d", o->number);
    }
    line_end(w);
}
