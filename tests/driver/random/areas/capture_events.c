/* SPDX-License-Identifier: Apache-2.0
 *
 * Events of captures: forks, joins, and what may not be asked of them.
 */
#include "capture_steps.h"

void record_step(struct world *w)
{
    struct object *e = object_pick(w, EVENT);
    CUstream s = draw_capturing(w);
    if (!e) return;
    if (chance(w, 8)) {
        const unsigned flags = chance(w, 10) ? 2 : CU_EVENT_RECORD_EXTERNAL;
        CALL(w, cuEventRecordWithFlags(HANDLE_OF(e, CUevent), s, flags), "cuEventRecordWithFlags",
             "e%d, %s, %u", e->number, name_stream(w, s), flags);
        return;
    }
    CALL(w, cuEventRecord(HANDLE_OF(e, CUevent), s), "cuEventRecord", "e%d, %s", e->number,
         name_stream(w, s));
}

void wait_step(struct world *w)
{
    struct object *e = object_pick(w, EVENT);
    CUstream s = chance(w, 2) ? draw_stream(w) : draw_capturing(w);
    const unsigned flags = chance(w, 12) ? CU_EVENT_WAIT_EXTERNAL : chance(w, 40) ? 2 : 0;
    if (!e) return;
    CALL(w, cuStreamWaitEvent(s, HANDLE_OF(e, CUevent), flags), "cuStreamWaitEvent", "%s, e%d, %u",
         name_stream(w, s), e->number, flags);
}

/* One stream waits for another, which may bring it into a capture or back. */
void fork_step(struct world *w)
{
    struct object *e = object_pick(w, EVENT);
    CUstream from = draw_capturing(w), to = draw_stream(w);
    if (!e || from == to) return;
    CALL(w, cuEventRecord(HANDLE_OF(e, CUevent), from), "cuEventRecord", "e%d, %s", e->number,
         name_stream(w, from));
    CALL(w, cuStreamWaitEvent(to, HANDLE_OF(e, CUevent), 0), "cuStreamWaitEvent", "%s, e%d, 0",
         name_stream(w, to), e->number);
}

/* All that captures comes together in one stream: what an end needs. */
void join_step(struct world *w)
{
    join_all(w, draw_capturing(w));
}

void join_all(struct world *w, CUstream to)
{
    struct object *e = object_pick(w, EVENT);
    if (!e) return;
    for (int i = 0; i < w->count; i++) {
        const struct object *o = &w->objects[i];
        CUstream s = HANDLE_OF(o, CUstream);
        if (!o->live || o->kind != STREAM || s == to || !stream_status(w, s)) continue;
        CALL(w, cuEventRecord(HANDLE_OF(e, CUevent), s), "cuEventRecord", "e%d, %s", e->number,
             name_stream(w, s));
        CALL(w, cuStreamWaitEvent(to, HANDLE_OF(e, CUevent), 0), "cuStreamWaitEvent",
             "%s, e%d, 0", name_stream(w, to), e->number);
    }
}

/* Whether it is ready depends on time. */
static CUresult settled(CUresult r)
{
    return r == CUDA_ERROR_NOT_READY ? CUDA_SUCCESS : r;
}

void event_step(struct world *w)
{
    struct object *e = object_pick(w, EVENT), *other = object_pick(w, EVENT);
    CUevent event = HANDLE_OF(e, CUevent);
    float time = 0;
    if (!e) return;
    switch (dice(w, 8)) {
    case 0:
    case 1:
        CALL(w, settled(cuEventQuery(event)), "cuEventQuery", "e%d", e->number);
        break;
    case 2:
        CALL(w, cuEventSynchronize(event), "cuEventSynchronize", "e%d", e->number);
        break;
    case 3:
        CALL(w, settled(cuEventElapsedTime(&time, event, HANDLE_OF(other, CUevent))),
             "cuEventElapsedTime", "e%d, e%d", e->number, other->number);
        break;
    case 4:
        CALL(w, cuCtxRecordEvent(w->t.ctx, event), "cuCtxRecordEvent", "e%d", e->number);
        break;
    case 5: CALL(w, cuCtxWaitEvent(w->t.ctx, event), "cuCtxWaitEvent", "e%d", e->number); break;
    case 6:
        line_call(w, "cuEventDestroy", "e%d", e->number);
        if (!line_result(w, cuEventDestroy(event))) e->live = false;
        line_end(w);
        break;
    default:
        line_call(w, "cuEventCreate", "%d", CU_EVENT_DISABLE_TIMING);
        if (!line_result(w, cuEventCreate(&event, CU_EVENT_DISABLE_TIMING))) {
            line_see(w, "e%d", object_add(w, EVENT, event, -1)->number);
        }
        line_end(w);
    }
}
