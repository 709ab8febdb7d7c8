/* SPDX-License-Identifier: Apache-2.0
 *
 * Handles, conditional nodes, what is put into their bodies, and kernels that set a
 * handle: in a place where it is certain what they do.
 */
#include "conditional_steps.h"

static bool is_top(const struct object *o)
{
    return o->owner < 0;
}

static bool is_body(const struct object *o)
{
    return o->owner >= 0;
}

static bool is_conditional(const struct object *o)
{
    return o->type == CU_GRAPH_NODE_TYPE_CONDITIONAL;
}

static void add_node(struct world *, struct object *handle);

void condition_handle_step(struct world *w)
{
    struct object *graph = chance(w, 6) ? object_pick(w, GRAPH) : object_pick_if(w, GRAPH, is_top);
    CUgraphConditionalHandle handle = 0;
    unsigned value = dice(w, 3), flags = chance(w, 6) ? 2 * dice(w, 2) : 1;
    CUcontext c = chance(w, 20) ? NULL : chance(w, 20) ? w->second : w->t.ctx;
    line_call(w, "cuGraphConditionalHandleCreate", "%s, %s, %u, %u",
              name_of(w, GRAPH, HANDLE_OF(graph, void *)), name_context(w, c), value, flags);
    CUresult r =
        cuGraphConditionalHandleCreate(&handle, HANDLE_OF(graph, CUgraph), c, value, flags);
    if (!line_result(w, r)) {
        struct object *o =
            object_add(w, HANDLE, (const void *)(uintptr_t)handle, object_index(w, graph));
        o->flags = (flags == 1 ? ASSIGNED : 0) | (value ? NONZERO : 0);
        line_see(w, "h%d", o->number);
        line_end(w);
        /* A handle that no node has is an error of its own. */
        if (!chance(w, 12)) add_node(w, o);
        return;
    }
    line_end(w);
}

void condition_node_step(struct world *w)
{
    add_node(w, object_pick(w, HANDLE));
}

/* The handle is remembered in the node's size. */
static void add_node(struct world *w, struct object *handle)
{
    struct object *graph = handle && !chance(w, 12) ? &w->objects[handle->owner]
                                                   : object_pick(w, GRAPH);
    CUgraphNode on[4], node = UNTOUCHED;
    struct drawn d;
    if (!handle || !graph->live) return;
    const int around = outermost(w, handle->owner);
    if (outermost(w, object_index(w, graph)) != around) graph = &w->objects[handle->owner];
    w->target = object_index(w, graph);
    size_t count = draw_nodes(w, graph, on, 2);
    draw_params(w, CU_GRAPH_NODE_TYPE_CONDITIONAL, &d);
    d.params.conditional.handle = HANDLE_OF(handle, CUgraphConditionalHandle);
    line_call(w, "cuGraphAddNode:CONDITIONAL", "g%d, %s, %s", graph->number,
              nodes_text(w, on, count), params_text(w, &d.params));
    CUresult r = cuGraphAddNode(&node, HANDLE_OF(graph, CUgraph), on, NULL, count, &d.params);
    if (!line_result(w, r)) {
        struct object *o = object_add(w, NODE, node, object_index(w, graph));
        o->type = CU_GRAPH_NODE_TYPE_CONDITIONAL;
        o->size = (size_t)object_index(w, handle);
        o->flags = (unsigned)d.params.conditional.type << 8;
        line_see(w, "n%d", o->number);
        for (unsigned i = 0; i < d.params.conditional.size; i++) {
            CUgraph body = d.params.conditional.phGraph_out[i];
            line_see(w, "g%d", object_add(w, GRAPH, body, object_index(w, o))->number);
        }
    } else line_see(w, "%s", name_of(w, NODE, node));
    line_end(w);
}

static struct object *add_setter(struct world *w, struct object *graph, struct object *handle,
                                 unsigned value)
{
    CUgraphConditionalHandle h = HANDLE_OF(handle, CUgraphConditionalHandle);
    CUgraphNode node = UNTOUCHED;
    void *arguments[] = { &h, &value };
    CUDA_KERNEL_NODE_PARAMS k = { .func = cond_kernel(&w->t, "setcond"), .gridDimX = 1,
                                  .gridDimY = 1, .gridDimZ = 1, .blockDimX = 1, .blockDimY = 1,
                                  .blockDimZ = 1, .kernelParams = arguments };
    struct object *o = NULL;
    line_call(w, "cuGraphAddKernelNode", "g%d, setcond(h%d,%u)", graph->number, handle->number,
              value);
    if (!line_result(w, cuGraphAddKernelNode(&node, HANDLE_OF(graph, CUgraph), NULL, 0, &k))) {
        o = object_add(w, NODE, node, object_index(w, graph));
        o->type = CU_GRAPH_NODE_TYPE_KERNEL;
        o->flags = SETTER;
        line_see(w, "n%d", o->number);
    }
    line_end(w);
    return o;
}

static int body_of;

static bool is_its_body(const struct object *o)
{
    return o->owner == body_of;
}

/* Before the node, where it comes first; or in a loop's body, where it ends the loop. */
void setter_step(struct world *w)
{
    struct object *node = object_pick_if(w, NODE, is_conditional);
    if (!node) return;
    struct object *handle = &w->objects[node->size];
    if (!handle->live) return;
    if (node->flags >> 8 == CU_GRAPH_COND_TYPE_WHILE && !chance(w, 3)) {
        body_of = object_index(w, node);
        struct object *body = object_pick_if(w, GRAPH, is_its_body);
        if (body && add_setter(w, body, handle, 0)) handle->flags |= CLEARED;
        return;
    }
    if (handle->flags & SET) return;
    const unsigned value = dice(w, 4);
    struct object *setter = add_setter(w, &w->objects[node->owner], handle, value);
    if (!setter) return;
    handle->flags |= SET | (value ? NONZERO : 0);
    CUgraphNode from = HANDLE_OF(setter, CUgraphNode), to = HANDLE_OF(node, CUgraphNode);
    line_call(w, "cuGraphAddDependencies", "n%d>n%d", setter->number, node->number);
    CUgraph g = HANDLE_OF(&w->objects[node->owner], CUgraph);
    if (line_result(w, cuGraphAddDependencies(g, &from, &to, NULL, 1))) handle->flags |= UNSURE;
    line_end(w);
}

/* What a body takes. */
void body_node_step(struct world *w)
{
    struct object *body = object_pick_if(w, GRAPH, is_body);
    CUgraphNode on[4], node = UNTOUCHED;
    struct drawn d;
    if (!body) return;
    static const unsigned char taken[] = {
        CU_GRAPH_NODE_TYPE_KERNEL, CU_GRAPH_NODE_TYPE_KERNEL, CU_GRAPH_NODE_TYPE_MEMSET,
        CU_GRAPH_NODE_TYPE_MEMCPY, CU_GRAPH_NODE_TYPE_EMPTY,
    };
    int type = chance(w, 12) ? draw_type(w) : taken[dice(w, sizeof taken)];
    if (type == CU_GRAPH_NODE_TYPE_CONDITIONAL) type = CU_GRAPH_NODE_TYPE_KERNEL;
    w->target = object_index(w, body);
    draw_params(w, type, &d);
    size_t count = draw_nodes(w, body, on, 2);
    line_call(w, note(w, "cuGraphAddNode:%s", ntype(d.params.type)), "g%d, %s, %s", body->number,
              nodes_text(w, on, count), d.text);
    CUresult r = cuGraphAddNode(&node, HANDLE_OF(body, CUgraph), on, NULL, count, &d.params);
    if (!line_result(w, r)) {
        struct object *o = object_add(w, NODE, node, object_index(w, body));
        o->type = type;
        line_see(w, "n%d", o->number);
    } else line_see(w, "%s", name_of(w, NODE, node));
    line_end(w);
}

/* A body may be captured into. */
void body_capture_step(struct world *w)
{
    struct object *graph = chance(w, 4) ? object_pick(w, GRAPH)
                                        : object_pick_if(w, GRAPH, is_body);
    struct object *stream = object_pick(w, STREAM);
    CUstream s = HANDLE_OF(stream, CUstream);
    CUgraph g = UNTOUCHED;
    const int slot = draw_slot(w);
    const unsigned what = dice(w, 16);
    CUresult r;
    if (!graph) return;
    line_call(w, "cuStreamBeginCaptureToGraph", "s%d, g%d", stream->number, graph->number);
    r = line_result(w, cuStreamBeginCaptureToGraph(s, HANDLE_OF(graph, CUgraph), NULL, NULL, 0,
                                                   CU_STREAM_CAPTURE_MODE_RELAXED));
    line_end(w);
    if (r) return;
    CALL(w, cuMemsetD32Async(slot_address(w, slot), 9, 2, s), "cuMemsetD32Async", "D%d", slot);
    if (what == 0) {
        CALL(w, cuLaunchHostFunc(s, count_call, &w->calls[slot]), "cuLaunchHostFunc", "C%d", slot);
    } else if (what == 1) {
        CALL(w, cuStreamWriteValue32(s, slot_address(w, slot) + 16, 4, 0), "cuStreamWriteValue32",
             "D%d+16", slot);
    }
    line_call(w, "cuStreamEndCapture", "s%d", stream->number);
    r = line_result(w, cuStreamEndCapture(s, &g));
    line_see(w, "%s", name_of(w, GRAPH, g));
    if (!r) {
        graph_adopt(w, graph);
        graph_show(w, graph);
    }
    line_end(w);
}

void condition_params_step(struct world *w)
{
    struct object *node = object_pick_if(w, NODE, is_conditional);
    struct drawn d;
    if (!node) return;
    w->target = node->owner;
    draw_params(w, CU_GRAPH_NODE_TYPE_CONDITIONAL, &d);
    CALL(w, cuGraphNodeSetParams(HANDLE_OF(node, CUgraphNode), &d.params),
         "cuGraphNodeSetParams:CONDITIONAL", "n%d, %s", node->number, d.text);
}
