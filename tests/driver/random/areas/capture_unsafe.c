/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls that a capture may refuse, or that may break one.
 */
#include "capture_steps.h"

static CUresult settled(CUresult r)
{
    return r == CUDA_ERROR_NOT_READY ? CUDA_SUCCESS : r;
}

static CUresult allocate(struct world *w)
{
    CUdeviceptr p = 0;
    CUresult r = cuMemAlloc(&p, 4096);
    if (!r) object_add(w, MEMORY, (const void *)p, -1)->flags = 1;
    return r;
}

static bool is_plain(const struct object *o)
{
    return o->flags == 1;
}

static void of_memory(struct world *w)
{
    const CUdeviceptr to = slot_address(w, draw_slot(w));
    struct object *m = object_pick_if(w, MEMORY, is_plain);
    void *host = NULL;
    switch (dice(w, 7)) {
    case 0: CALL(w, allocate(w), "cuMemAlloc", "4096"); break;
    case 1:
        if (!m) break;
        line_call(w, "cuMemFree", "m%d", m->number);
        if (!line_result(w, cuMemFree((CUdeviceptr)m->value))) m->live = false;
        line_end(w);
        break;
    case 2: CALL(w, cuMemsetD8(to, 1, 4), "cuMemsetD8", "%s", name_address(w, to)); break;
    case 3:
        CALL(w, cuMemcpyHtoD(to, w->host_source, 4), "cuMemcpyHtoD", "%s", name_address(w, to));
        break;
    case 4:
        CALL(w, cuMemcpyDtoD(to, w->source, 4), "cuMemcpyDtoD", "%s", name_address(w, to));
        break;
    case 5:
        CALL(w, cuMemHostAlloc(&host, 4096, 0), "cuMemHostAlloc", "4096");
        if (host) CALL(w, cuMemFreeHost(host), "cuMemFreeHost", "it");
        break;
    default: CALL(w, cuCtxSynchronize(), "cuCtxSynchronize", "%s", "");
    }
}

static void of_streams(struct world *w)
{
    CUstream s = draw_capturing(w);
    const char *name = name_stream(w, s);
    struct object *o = object_of(w, STREAM, s);
    unsigned flags = 77;
    int priority = 77;
    unsigned long long id = 0;
    switch (dice(w, 8)) {
    case 0:
    case 1: CALL(w, settled(cuStreamQuery(s)), "cuStreamQuery", "%s", name); break;
    case 2: CALL(w, cuStreamSynchronize(s), "cuStreamSynchronize", "%s", name); break;
    case 3:
        line_call(w, "cuStreamGetFlags", "%s", name);
        line_result(w, cuStreamGetFlags(s, &flags));
        line_see(w, "%u", flags);
        line_end(w);
        break;
    case 4:
        line_call(w, "cuStreamGetPriority", "%s", name);
        line_result(w, cuStreamGetPriority(s, &priority));
        line_see(w, "%d", priority);
        line_end(w);
        break;
    case 5: CALL(w, cuStreamGetId(s, &id), "cuStreamGetId", "%s", name); break;
    case 6: {
        CUstreamCaptureStatus status = (CUstreamCaptureStatus)77;
        line_call(w, "cuStreamIsCapturing", "%s", name);
        line_result(w, cuStreamIsCapturing(s, &status));
        line_see(w, "%d", (int)status);
        line_end(w);
        break;
    }
    default:
        /* What a capture that lost its stream leaves behind stays with the process. */
        if (!o || !chance(w, 4)) break;
        if (stream_status(w, s)) w->unclean = true;
        line_call(w, "cuStreamDestroy", "%s", name);
        if (!line_result(w, cuStreamDestroy(s))) o->live = false;
        line_end(w);
    }
}

static void of_graphs(struct world *w)
{
    struct object *graph = object_pick(w, GRAPH);
    if (!graph) return;
    if (chance(w, 2) || (graph->flags & CAPTURING)) {
        add_node_step(w);
        return;
    }
    CUgraphExec x = UNTOUCHED;
    line_call(w, "cuGraphInstantiate", "g%d", graph->number);
    if (!line_result(w, cuGraphInstantiate(&x, HANDLE_OF(graph, CUgraph), 0))) {
        line_see(w, "x%d", object_add(w, EXEC, x, -1)->number);
    }
    line_end(w);
}

static void create_stream(struct world *w)
{
    CUstream s = NULL;
    const unsigned flags = dice(w, 2);
    if (object_live(w, STREAM) >= 5) return;
    line_call(w, "cuStreamCreate", "%u", flags);
    if (!line_result(w, cuStreamCreate(&s, flags))) {
        line_see(w, "s%d", object_add(w, STREAM, s, -1)->number);
    }
    line_end(w);
}

void unsafe_step(struct world *w)
{
    static const struct choice choices[] = {
        { 5, of_memory }, { 5, of_streams }, { 3, of_graphs }, { 1, create_stream },
    };
    CHOOSE(w, choices);
}
