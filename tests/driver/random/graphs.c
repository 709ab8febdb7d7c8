/* SPDX-License-Identifier: Apache-2.0
 *
 * Graphs of a seed: their nodes by number, what they look like, and their end.
 */
#include "random.h"

struct object *graph_new(struct world *w)
{
    CUgraph g = NULL;
    line_call(w, "cuGraphCreate", "0");
    if (line_result(w, cuGraphCreate(&g, 0))) {
        line_end(w);
        return NULL;
    }
    struct object *o = object_add(w, GRAPH, g, -1);
    line_see(w, "g%d", o->number);
    line_end(w);
    return o;
}

void graph_adopt(struct world *w, struct object *graph)
{
    CUgraphNode nodes[512];
    size_t count = 512;
    if (cuGraphGetNodes(HANDLE_OF(graph, CUgraph), nodes, &count)) return;
    for (size_t i = 0; i < count && i < 512; i++) {
        CUgraphNodeType type = CU_GRAPH_NODE_TYPE_EMPTY;
        if (object_of(w, NODE, nodes[i])) continue;
        cuGraphNodeGetType(nodes[i], &type);
        object_add(w, NODE, nodes[i], object_index(w, graph))->type = (int)type;
    }
}

const char *nodes_text(struct world *w, const CUgraphNode *nodes, size_t count)
{
    char *text = note(w, "["), *end = text + 1;
    for (size_t i = 0; i < count && end - text < 700; i++) {
        end += sprintf(end, "%s%s", i ? "," : "", name_of(w, NODE, nodes[i]));
    }
    strcpy(end, "]");
    return text;
}

const char *edge_text(struct world *w, const CUgraphEdgeData *data, size_t count)
{
    char *text = note(w, "{"), *end = text + 1;
    if (!data) return "-";
    for (size_t i = 0; i < count && end - text < 700; i++) {
        end += sprintf(end, "%s%d.%d.%d", i ? "," : "", data[i].from_port, data[i].to_port,
                       data[i].type);
    }
    strcpy(end, "}");
    return text;
}

static const char *parameters(struct world *w, CUgraphNode node, int type)
{
    CUgraphNodeParams p;
    CUresult r;
    if (!get_typed(w, node, type, &p, &r)) return "";
    return r ? ename(r) : params_text(w, &p);
}

void graph_show(struct world *w, struct object *graph)
{
    static const char *const words[] = { "kernel", "copy",   "fill",   "host",  "graph",
                                         "empty",  "wait",   "record", "signal", "semaphore",
                                         "alloc",  "free",   "batch",  "conditional" };
    CUgraphNode nodes[512], on[512];
    CUgraphEdgeData data[512];
    size_t count = 512;
    CUresult r = cuGraphGetNodes(HANDLE_OF(graph, CUgraph), nodes, &count);
    line_out(w, " {");
    if (r) line_see(w, "%s", ename(r));
    for (size_t i = 0; !r && i < count; i++) {
        const struct object *o = object_of(w, NODE, nodes[i]);
        size_t before = 512;
        r = cuGraphNodeGetDependencies(nodes[i], on, data, &before);
        line_see(w, "%s:%s(%s)", name_of(w, NODE, nodes[i]),
                 o && o->type >= 0 && o->type < 14 ? words[o->type] : "?",
                 o ? parameters(w, nodes[i], o->type) : "");
        if (r) line_see(w, "%s", ename(r));
        bool plain = true;
        for (size_t k = 0; !r && k < before; k++) plain = plain && !data[k].type;
        if (!r && before) line_out(w, "<%s", nodes_text(w, on, before));
        if (!r && !plain) line_out(w, "%s", edge_text(w, data, before));
    }
    line_out(w, " }");
}

/* Nodes of the graph, some twice; now and then of another graph. */
size_t draw_nodes(struct world *w, struct object *graph, CUgraphNode *nodes, size_t most)
{
    size_t count = dice(w, (unsigned)most + 1);
    size_t got = 0;
    for (size_t i = 0; i < count; i++) {
        struct object *o = chance(w, 40) ? object_pick(w, NODE) : node_in(w, graph);
        if (o) nodes[got++] = HANDLE_OF(o, CUgraphNode);
    }
    for (size_t i = 1; i < got; i++) {
        /* The same twice is an error of its own; it is not to hide the others. */
        bool twice = false;
        for (size_t k = 0; k < i; k++) twice = twice || nodes[k] == nodes[i];
        if (twice && !chance(w, 10)) nodes[i--] = nodes[--got];
    }
    return got;
}

CUgraphEdgeData draw_edge(struct world *w)
{
    CUgraphEdgeData d;
    memset(&d, 0, sizeof d);
    switch (dice(w, 20)) {
    case 0: d.from_port = 1, d.type = CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC; break;
    case 1: d.from_port = 2, d.type = CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC; break;
    case 2: d.type = CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC; break;
    case 3: d.from_port = 1; break;
    case 4:
        if (chance(w, 3)) d.to_port = 1;
        else if (chance(w, 2)) d.type = 5;
        else d.from_port = 3;
        break;
    default: break;
    }
    return d;
}

static int wanted;

static bool is_wanted(const struct object *o)
{
    return o->owner == wanted;
}

struct object *node_in(struct world *w, struct object *graph)
{
    wanted = object_index(w, graph);
    return object_pick_if(w, NODE, is_wanted);
}

/* Graphs that nobody else owns. */
void graphs_close(struct world *w)
{
    for (int i = 0; i < w->count; i++) {
        struct object *o = &w->objects[i];
        if (!o->live || o->kind != EXEC) continue;
        if (cuGraphExecDestroy(HANDLE_OF(o, CUgraphExec))) w->unclean = true;
        o->live = false;
    }
    for (int i = 0; i < w->count; i++) {
        struct object *o = &w->objects[i];
        if (!o->live || o->kind != GRAPH || o->owner >= 0) continue;
        if (cuGraphDestroy(HANDLE_OF(o, CUgraph))) w->unclean = true;
        o->live = false;
    }
}
