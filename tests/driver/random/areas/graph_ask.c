/* SPDX-License-Identifier: Apache-2.0
 *
 * Steps that ask graphs and nodes: lists by the driver's rules for arrays that are too
 * small, too large or not there, clones, children, parameters.
 */
#include "graph_steps.h"

enum { ROOM = 12 };

/* What is asked of a list: arrays, and how many entries they are said to have. */
struct request {
    CUgraphNode nodes[ROOM], others[ROOM];
    CUgraphEdgeData data[ROOM];
    size_t count, asked;
    bool array, with_data, counted;
};

static void draw_request(struct world *w, struct request *q)
{
    memset(q->data, 0x33, sizeof q->data);
    for (int i = 0; i < ROOM; i++) q->nodes[i] = q->others[i] = (CUgraphNode)UNTOUCHED;
    q->array = !chance(w, 4);
    q->with_data = q->array && chance(w, 2);
    q->counted = !chance(w, 25);
    q->count = q->asked = chance(w, 3) ? dice(w, 3) : 4 + dice(w, 8);
}

static const char *request_text(struct world *w, const struct request *q)
{
    return note(w, "%s, %s, %s", q->array ? "array" : "null", q->with_data ? "data" : "null",
                q->counted ? note(w, "%zu", q->asked) : "null");
}

/* Entries up to the first two that nobody wrote. */
static size_t written(const CUgraphNode *nodes, size_t asked)
{
    size_t count = 0;
    while (count < asked && nodes[count] != (CUgraphNode)UNTOUCHED) count++;
    return count;
}

static void show_request(struct world *w, const struct request *q, bool both)
{
    size_t count = q->array ? written(q->nodes, q->asked) : 0;
    if (q->counted) line_see(w, "%zu", q->count);
    line_see(w, "%s", nodes_text(w, q->nodes, count));
    if (both) line_see(w, "%s", nodes_text(w, q->others, count));
    if (q->with_data) line_see(w, "%s", edge_text(w, q->data, count));
}

static void list_of_graph(struct world *w)
{
    struct object *graph = object_pick(w, GRAPH);
    CUgraph g = HANDLE_OF(graph, CUgraph);
    struct request q;
    draw_request(w, &q);
    size_t *count = q.counted ? &q.count : NULL;
    CUgraphNode *nodes = q.array ? q.nodes : NULL;
    const char *name = name_of(w, GRAPH, g);
    const unsigned which = dice(w, 3);
    if (which < 2) {
        q.with_data = false;
        line_call(w, which ? "cuGraphGetRootNodes" : "cuGraphGetNodes", "%s, %s", name,
                  request_text(w, &q));
        line_result(w, which ? cuGraphGetRootNodes(g, nodes, count)
                             : cuGraphGetNodes(g, nodes, count));
    } else {
        line_call(w, "cuGraphGetEdges", "%s, %s", name, request_text(w, &q));
        line_result(w, cuGraphGetEdges(g, nodes, q.array ? q.others : NULL,
                                       q.with_data ? q.data : NULL, count));
    }
    show_request(w, &q, which == 2);
    line_end(w);
}

static void list_of_node(struct world *w)
{
    CUgraphNode node = chance(w, 30) ? NULL : HANDLE_OF(object_pick(w, NODE), CUgraphNode);
    struct request q;
    draw_request(w, &q);
    size_t *count = q.counted ? &q.count : NULL;
    CUgraphNode *nodes = q.array ? q.nodes : NULL;
    CUgraphEdgeData *data = q.with_data ? q.data : NULL;
    const bool before = chance(w, 2);
    line_call(w, before ? "cuGraphNodeGetDependencies" : "cuGraphNodeGetDependentNodes", "%s, %s",
              name_of(w, NODE, node), request_text(w, &q));
    line_result(w, before ? cuGraphNodeGetDependencies(node, nodes, data, count)
                          : cuGraphNodeGetDependentNodes(node, nodes, data, count));
    show_request(w, &q, false);
    line_end(w);
}

void list_step(struct world *w)
{
    if (chance(w, 2)) list_of_graph(w);
    else list_of_node(w);
}

static bool is_clone(const struct object *o)
{
    return o->flags != 0;
}

void find_step(struct world *w)
{
    struct object *clone = chance(w, 8) ? object_pick(w, GRAPH)
                                        : object_pick_if(w, GRAPH, is_clone);
    struct object *origin = clone && clone->flags ? &w->objects[clone->flags - 1] : NULL;
    struct object *node = !origin || !origin->live || chance(w, 6) ? object_pick(w, NODE)
                                                                   : node_in(w, origin);
    CUgraphNode found = UNTOUCHED;
    line_call(w, "cuGraphNodeFindInClone", "%s, %s",
              name_of(w, NODE, HANDLE_OF(node, const void *)),
              name_of(w, GRAPH, HANDLE_OF(clone, const void *)));
    line_result(w, cuGraphNodeFindInClone(&found, HANDLE_OF(node, CUgraphNode),
                                          HANDLE_OF(clone, CUgraph)));
    line_see(w, "%s", name_of(w, NODE, found));
    line_end(w);
}

static bool is_child(const struct object *o)
{
    return o->type == CU_GRAPH_NODE_TYPE_GRAPH;
}

void child_step(struct world *w)
{
    struct object *node = chance(w, 8) ? object_pick(w, NODE) : object_pick_if(w, NODE, is_child);
    CUgraph child = UNTOUCHED;
    if (!node) return;
    line_call(w, "cuGraphChildGraphNodeGetGraph", "n%d", node->number);
    if (!line_result(w, cuGraphChildGraphNodeGetGraph(HANDLE_OF(node, CUgraphNode), &child)) &&
        !object_of(w, GRAPH, child)) {
        struct object *o = object_add(w, GRAPH, child, object_index(w, node));
        graph_adopt(w, o);
        line_see(w, "new");
        graph_show(w, o);
    }
    line_see(w, "%s", name_of(w, GRAPH, child));
    line_end(w);
}

void get_params_step(struct world *w)
{
    struct object *node = object_pick(w, NODE);
    CUgraphNodeParams p;
    CUresult r;
    if (!node) return;
    int type = chance(w, 8) ? draw_type(w) : node->type;
    if (type == CU_GRAPH_NODE_TYPE_GRAPH || !get_name(type)) return;
    line_call(w, get_name(type), "n%d", node->number);
    get_typed(w, HANDLE_OF(node, CUgraphNode), type, &p, &r);
    if (!line_result(w, r)) line_see(w, "%s", params_text(w, &p));
    line_end(w);
}

void show_step(struct world *w)
{
    struct object *graph = object_pick(w, GRAPH);
    if (!graph) return;
    line_call(w, "show", "g%d", graph->number);
    line_result(w, CUDA_SUCCESS);
    graph_adopt(w, graph);
    graph_show(w, graph);
    line_end(w);
}
