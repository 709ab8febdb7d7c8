/* SPDX-License-Identifier: Apache-2.0
 *
 * What waits for what.  A stream that is stopped at the gate is not ready, nor is what
 * waits for it; all else is ready soon, and soon is long enough to be certain.
 */
#include "stream_steps.h"
#include <sched.h>

/* In milliseconds; more where other programs keep the machine busy. */
static int soon(void)
{
    static int given;
    const char *text = getenv("RANDOM_SOON");
    if (!given) given = text ? atoi(text) : 40;
    return given;
}

/* At a gate nobody has opened yet; the gate's word is the seed's own. */
bool is_gated(const struct world *w)
{
    return w->gated;
}

void gate_step(struct world *w)
{
    CUstream s = draw_any_stream(w);
    line_call(w, "gate", "%s", name_stream(w, s));
    if (!line_result(w, gate(&w->t, s))) w->gated = true;
    line_end(w);
}

void open_gate_step(struct world *w)
{
    if (!w->gated) return;
    gate_open(&w->t);
    line_call(w, "open, cuCtxSynchronize", "%s", "");
    line_result(w, cuCtxSynchronize());
    line_end(w);
    gate_close(&w->t);
    w->gated = false;
}

void event_order_step(struct world *w)
{
    struct object *e = object_pick(w, EVENT);
    CUstream s = draw_any_stream(w);
    CUevent event = chance(w, 20) ? NULL : HANDLE_OF(e, CUevent);
    const char *name = name_of(w, EVENT, event);
    const unsigned flags = chance(w, 12) ? 1 + dice(w, 2) : 0;
    if (chance(w, 2)) {
        CALL(w, cuStreamWaitEvent(s, event, flags), "cuStreamWaitEvent", "%s, %s, %u",
             name_stream(w, s), name, flags);
    } else if (flags) {
        CALL(w, cuEventRecordWithFlags(event, s, flags), "cuEventRecordWithFlags", "%s, %s, %u",
             name, name_stream(w, s), flags);
    } else {
        CALL(w, cuEventRecord(event, s), "cuEventRecord", "%s, %s", name, name_stream(w, s));
    }
}

static bool is_late(const struct timespec *start)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (now.tv_sec - start->tv_sec) * 1000 + (now.tv_nsec - start->tv_nsec) / 1000000 > soon();
}

void ready_step(struct world *w)
{
    struct object *e = object_pick(w, EVENT), *other = object_pick(w, EVENT);
    CUevent event = HANDLE_OF(e, CUevent);
    CUstream s = draw_any_stream(w);
    const unsigned what = dice(w, 5);
    float time = 0;
    CUresult r;
    struct timespec start;
    clock_gettime(CLOCK_MONOTONIC, &start);
    if (what < 2) line_call(w, "cuStreamQuery", "%s", name_stream(w, s));
    else if (!e) return;
    else if (what < 4) line_call(w, "cuEventQuery", "e%d", e->number);
    else line_call(w, "cuEventElapsedTime", "e%d, e%d", e->number, other->number);
    do {
        r = what < 2   ? cuStreamQuery(s)
            : what < 4 ? cuEventQuery(event)
                       : cuEventElapsedTime(&time, event, HANDLE_OF(other, CUevent));
    } while (r == CUDA_ERROR_NOT_READY && (sched_yield(), !is_late(&start)));
    line_result(w, r);
    if (!r && what == 4 && e == other) line_see(w, time == 0 ? "0" : "some");
    line_end(w);
}

void synchronize_step(struct world *w)
{
    struct object *e = object_pick(w, EVENT);
    CUstream s = draw_any_stream(w);
    if (is_gated(w)) return;
    switch (dice(w, 3)) {
    case 0:
        CALL(w, cuStreamSynchronize(s), "cuStreamSynchronize", "%s", name_stream(w, s));
        break;
    case 1:
        if (e) {
            CALL(w, cuEventSynchronize(HANDLE_OF(e, CUevent)), "cuEventSynchronize", "e%d",
                 e->number);
        }
        break;
    default: CALL(w, cuCtxSynchronize(), "cuCtxSynchronize", "%s", "");
    }
}
