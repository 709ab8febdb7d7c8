/* SPDX-License-Identifier: Apache-2.0
 *
 * Captures: two threads, streams of all kinds, forks and joins, and calls of every kind in
 * the midst of them.  The graphs that come out are shown.
 */
#include "capture_steps.h"

static void open_streams(struct world *w)
{
    static const unsigned flags[] = { 0, CU_STREAM_NON_BLOCKING, CU_STREAM_NON_BLOCKING, 0 };
    static const unsigned events[] = { CU_EVENT_DEFAULT, CU_EVENT_DEFAULT,
                                       CU_EVENT_DISABLE_TIMING, CU_EVENT_BLOCKING_SYNC };
    for (int i = 0; i < 4; i++) {
        CUstream s = NULL;
        CUevent e = NULL;
        if (cuStreamCreateWithPriority(&s, flags[i], i == 2 ? -1 : 0)) w->over = true;
        if (cuEventCreate(&e, events[i])) w->over = true;
        object_add(w, STREAM, s, -1);
        object_add(w, EVENT, e, -1);
    }
}

static void open(struct world *w)
{
    open_streams(w);
    peer_open(w);
    struct object *g = graph_new(w);
    CUgraphExec x = NULL;
    struct drawn d;
    for (int i = 0; i < 2; i++) {
        CUgraphNode n = NULL;
        draw_good_params(w, CU_GRAPH_NODE_TYPE_MEMSET, &d);
        if (add_typed(w, &n, HANDLE_OF(g, CUgraph), NULL, 0, &d)) w->over = true;
    }
    graph_adopt(w, g);
    if (cuGraphInstantiate(&x, HANDLE_OF(g, CUgraph), 0)) w->over = true;
    object_add(w, EXEC, x, -1);
    if (cuGraphLaunch(x, NULL) || cuCtxSynchronize()) w->over = true;
}

static void one(struct world *w)
{
    static const struct choice choices[] = {
        { 8, begin_step },  { 2, begin_to_graph_step }, { 6, end_step },    { 5, info_step },
        { 4, update_step }, { 2, mode_step },           { 8, launch_step }, { 6, fill_step },
        { 6, copy_step },   { 4, host_step },           { 4, value_step },  { 3, exec_step },
        { 3, pool_step },   { 10, record_step },        { 12, wait_step },  { 3, join_step },
        { 3, event_step },  { 3, unsafe_step },         { 4, fork_step },
    };
    /* Little of this breaks a capture, so that some become long. */
    static const struct choice calm[] = {
        { 4, begin_step },  { 1, begin_to_graph_step }, { 4, close_step }, { 4, info_step },
        { 4, update_step }, { 8, launch_step },         { 6, fill_step },  { 6, copy_step },
        { 4, host_step },   { 4, value_step },          { 4, pool_step },
        { 4, record_step }, { 2, wait_step },           { 12, fork_step }, { 3, join_step },
    };
    const size_t before = w->length;
    /* What is broken takes nothing more. */
    CUstream broken = draw_broken(w);
    if (broken && chance(w, 2)) end_stream(w, broken);
    else if (is_calm(w)) CHOOSE(w, calm);
    else CHOOSE(w, choices);
    if (w->length == before) return;
    w->length--;
    status_show(w);
    line_end(w);
    forget_broken(w);
}

/* Half of the seeds are of one thread, so that more of them get far. */
static void step(struct world *w)
{
    if (w->seed % 2 && chance(w, 4)) peer_do(w, one);
    else one(w);
}

static void close_all(struct world *w)
{
    captures_close(w);
    graphs_close(w);
    peer_close(w);
    for (int i = 0; i < w->count; i++) {
        struct object *o = &w->objects[i];
        if (!o->live || o->kind != MEMORY) continue;
        if (o->flags == 1) cuMemFree((CUdeviceptr)o->value);
        else cuMemFreeAsync((CUdeviceptr)o->value, NULL);
        o->live = false;
    }
}

const struct area capture_area = { "capture", open, step, close_all, false };
