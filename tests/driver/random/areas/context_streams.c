/* SPDX-License-Identifier: Apache-2.0
 *
 * Streams and events of contexts that may have ended.
 */
#include "context_steps.h"

static struct object *draw_stream(struct world *w)
{
    return chance(w, 5) ? NULL : draw_living(w, STREAM);
}

static const char *stream_text(struct world *w, const struct object *o)
{
    return o ? object_name(w, o) : "s-null";
}

static void end(struct world *w, struct object *o, CUresult r)
{
    if (!line_result(w, r) && o && o->live) object_end(w, o);
    line_end(w);
}

/* ---- Streams ----------------------------------------------------------------------- */

void its_stream_step(struct world *w)
{
    CUstream s = UNTOUCHED;
    struct object *o = draw_living(w, STREAM);
    const unsigned flags = dice(w, 2);
    if (o && (chance(w, 3) || object_live(w, STREAM) > 6)) {
        line_call(w, "cuStreamDestroy", "%s", object_name(w, o));
        end(w, o, cuStreamDestroy(HANDLE_OF(o, CUstream)));
        return;
    }
    line_call(w, "cuStreamCreate", "%u", flags);
    if (line_result(w, cuStreamCreate(&s, flags))) {
        line_see(w, "%s", !s ? "null" : s == UNTOUCHED ? "untouched" : "other");
    } else {
        line_see(w, "%s", object_name(w, object_made(w, STREAM, s, 0)));
    }
    line_end(w);
}

static void ask_context(struct world *w, struct object *o)
{
    CUcontext c = UNTOUCHED;
    line_call(w, "cuStreamGetCtx", "%s", stream_text(w, o));
    line_result(w, cuStreamGetCtx(HANDLE_OF(o, CUstream), &c));
    line_see(w, "%s", context_name(w, c));
}

static void ask_device(struct world *w, struct object *o)
{
    CUdevice device = 77;
    line_call(w, "cuStreamGetDevice", "%s", stream_text(w, o));
    line_result(w, cuStreamGetDevice(HANDLE_OF(o, CUstream), &device));
    line_see(w, "%d", device);
}

static void ask_flags(struct world *w, struct object *o)
{
    unsigned flags = 77;
    line_call(w, "cuStreamGetFlags", "%s", stream_text(w, o));
    line_result(w, cuStreamGetFlags(HANDLE_OF(o, CUstream), &flags));
    line_see(w, "%u", flags);
}

static void ask_priority(struct world *w, struct object *o)
{
    int priority = 77;
    line_call(w, "cuStreamGetPriority", "%s", stream_text(w, o));
    line_result(w, cuStreamGetPriority(HANDLE_OF(o, CUstream), &priority));
    line_see(w, "%d", priority);
}

static void ask_id(struct world *w, struct object *o)
{
    unsigned long long id = 77;
    line_call(w, "cuStreamGetId", "%s", stream_text(w, o));
    line_result(w, cuStreamGetId(HANDLE_OF(o, CUstream), &id));
    line_see(w, "%s", id == 77 ? "untouched" : "set");
}

static void synchronize(struct world *w, struct object *o)
{
    line_call(w, "cuStreamSynchronize", "%s", stream_text(w, o));
    line_result(w, cuStreamSynchronize(HANDLE_OF(o, CUstream)));
}

void its_stream_ask_step(struct world *w)
{
    static void (*const questions[])(struct world *, struct object *) = {
        ask_context, ask_device, ask_flags, ask_priority, ask_id, synchronize,
    };
    struct object *o = draw_stream(w);
    questions[dice(w, 6)](w, o);
    line_end(w);
}

/* ---- Events ------------------------------------------------------------------------ */

void its_event_step(struct world *w)
{
    CUevent e = UNTOUCHED;
    struct object *o = draw_living(w, EVENT);
    const unsigned flags = dice(w, 3);
    if (o && (chance(w, 3) || object_live(w, EVENT) > 6)) {
        line_call(w, "cuEventDestroy", "%s", object_name(w, o));
        end(w, o, cuEventDestroy(HANDLE_OF(o, CUevent)));
        return;
    }
    line_call(w, "cuEventCreate", "%u", flags);
    if (line_result(w, cuEventCreate(&e, flags))) {
        line_see(w, "%s", !e ? "null" : e == UNTOUCHED ? "untouched" : "other");
    } else {
        line_see(w, "%s", object_name(w, object_made(w, EVENT, e, 0)));
    }
    line_end(w);
}

static void record(struct world *w, struct object *e, struct object *s)
{
    line_call(w, "cuEventRecord", "%s, %s", object_name(w, e), stream_text(w, s));
    line_result(w, cuEventRecord(HANDLE_OF(e, CUevent), HANDLE_OF(s, CUstream)));
}

static void wait_for(struct world *w, struct object *e, struct object *s)
{
    line_call(w, "cuStreamWaitEvent", "%s, %s", stream_text(w, s), object_name(w, e));
    line_result(w, cuStreamWaitEvent(HANDLE_OF(s, CUstream), HANDLE_OF(e, CUevent), 0));
}

static void synchronize_event(struct world *w, struct object *e, struct object *s)
{
    (void)s;
    line_call(w, "cuEventSynchronize", "%s", object_name(w, e));
    line_result(w, cuEventSynchronize(HANDLE_OF(e, CUevent)));
}

static void record_context(struct world *w, struct object *e, struct object *s)
{
    CUcontext c = draw_context(w);
    (void)s;
    line_call(w, "cuCtxRecordEvent", "%s, %s", context_name(w, c), object_name(w, e));
    line_result(w, cuCtxRecordEvent(c, HANDLE_OF(e, CUevent)));
}

static void wait_context(struct world *w, struct object *e, struct object *s)
{
    CUcontext c = draw_context(w);
    (void)s;
    line_call(w, "cuCtxWaitEvent", "%s, %s", context_name(w, c), object_name(w, e));
    line_result(w, cuCtxWaitEvent(c, HANDLE_OF(e, CUevent)));
}

void its_order_step(struct world *w)
{
    static void (*const calls[])(struct world *, struct object *, struct object *) = {
        record, record, wait_for, wait_for, synchronize_event, record_context, wait_context,
    };
    struct object *e = draw_living(w, EVENT), *s = draw_stream(w);
    if (!e) return;
    calls[dice(w, 7)](w, e, s);
    line_end(w);
}
