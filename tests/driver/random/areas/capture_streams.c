/* SPDX-License-Identifier: Apache-2.0
 *
 * Streams of the capture area: which of them capture, and the end of what is left.
 */
#include "capture_steps.h"

static CUstream special(struct world *w)
{
    static const CUstream streams[] = { NULL, CU_STREAM_LEGACY, CU_STREAM_PER_THREAD };
    return streams[dice(w, 3)];
}

CUstream draw_stream(struct world *w)
{
    return chance(w, 12) ? special(w) : HANDLE_OF(object_pick(w, STREAM), CUstream);
}

CUstreamCaptureStatus stream_status(struct world *w, CUstream s)
{
    CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
    (void)w;
    return cuStreamIsCapturing(s, &status) ? CU_STREAM_CAPTURE_STATUS_NONE : status;
}

/* One of those whose status is at least this, or NULL. */
static CUstream draw_status(struct world *w, CUstreamCaptureStatus least)
{
    CUstream streams[8];
    unsigned count = 0;
    for (int i = 0; i < w->count && count < 8; i++) {
        const struct object *o = &w->objects[i];
        if (!o->live || o->kind != STREAM) continue;
        CUstream s = HANDLE_OF(o, CUstream);
        if (stream_status(w, s) >= least) streams[count++] = s;
    }
    return count ? streams[dice(w, count)] : NULL;
}

CUstream draw_capturing(struct world *w)
{
    CUstream s = chance(w, 5) ? NULL : draw_status(w, CU_STREAM_CAPTURE_STATUS_ACTIVE);
    return s ? s : draw_stream(w);
}

bool is_calm(struct world *w)
{
    return w->seed % 4 < 2 && !chance(w, 12);
}

CUstream draw_broken(struct world *w)
{
    return draw_status(w, CU_STREAM_CAPTURE_STATUS_INVALIDATED);
}

CUgraph stream_graph(struct world *w, CUstream s)
{
    CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
    CUgraph g = NULL;
    (void)w;
    if (cuStreamGetCaptureInfo(s, &status, NULL, &g, NULL, NULL, NULL)) return NULL;
    return status == CU_STREAM_CAPTURE_STATUS_ACTIVE ? g : NULL;
}

/* The graph of a capture that broke is gone. */
void forget_broken(struct world *w)
{
    for (int i = 0; i < w->count; i++) {
        struct object *g = &w->objects[i];
        bool captures = false;
        if (!g->live || g->kind != GRAPH || !(g->flags & CAPTURING)) continue;
        for (int k = 0; k < w->count && !captures; k++) {
            const struct object *s = &w->objects[k];
            captures = s->live && s->kind == STREAM &&
                       stream_graph(w, HANDLE_OF(s, CUstream)) == HANDLE_OF(g, CUgraph);
        }
        if (!captures) object_forget(w, g);
    }
}

/* A letter for each stream. */
void status_show(struct world *w)
{
    line_out(w, " |");
    for (int i = 0; i < w->count; i++) {
        const struct object *o = &w->objects[i];
        if (!o->live || o->kind != STREAM) continue;
        line_out(w, "%c", "-ai"[stream_status(w, HANDLE_OF(o, CUstream))]);
    }
}

static void end_all(struct world *w)
{
    for (int i = -1; i < w->count; i++) {
        const struct object *o = i < 0 ? NULL : &w->objects[i];
        CUstream s = o ? HANDLE_OF(o, CUstream) : CU_STREAM_PER_THREAD;
        CUgraph g = NULL;
        if (o && (!o->live || o->kind != STREAM)) continue;
        if (!stream_status(w, s)) continue;
        cuStreamEndCapture(s, &g);
        if (g && !object_of(w, GRAPH, g)) cuGraphDestroy(g);
    }
    CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_GLOBAL;
    cuThreadExchangeStreamCaptureMode(&mode);
}

/* A capture may only end where it began, in one thread or the other. */
void captures_close(struct world *w)
{
    for (int i = 0; i < w->count; i++) {
        if (w->objects[i].flags & CAPTURING) object_forget(w, &w->objects[i]);
    }
    for (int i = 0; i < 2; i++) {
        end_all(w);
        peer_do(w, end_all);
    }
    for (int i = 0; i < w->count; i++) {
        const struct object *o = &w->objects[i];
        if (!o->live || o->kind != STREAM) continue;
        if (stream_status(w, HANDLE_OF(o, CUstream))) w->unclean = true;
    }
    if (stream_status(w, CU_STREAM_PER_THREAD)) w->unclean = true;
}
