/* SPDX-License-Identifier: Apache-2.0
 *
 * Streams and events: what they are made with, what they say, and what is ready while
 * some streams are held.
 */
#include "stream_steps.h"

static void open(struct world *w)
{
    w->gated = false;
    for (unsigned i = 0; i < 3; i++) {
        CUevent e = NULL;
        CUstream s = NULL;
        if (cuEventCreate(&e, i ? 0 : CU_EVENT_DISABLE_TIMING)) w->over = true;
        if (cuStreamCreate(&s, i % 2)) w->over = true;
        object_add(w, EVENT, e, -1);
        object_add(w, STREAM, s, -1);
    }
}

static void step(struct world *w)
{
    static const struct choice choices[] = {
        { 3, stream_create_step }, { 2, stream_end_step },  { 5, stream_ask_step },
        { 6, stream_attribute_step }, { 4, event_life_step }, { 4, gate_step },
        { 3, open_gate_step },     { 16, event_order_step }, { 9, ready_step },
        { 4, synchronize_step },   { 6, value_one_step },   { 3, value_batch_step },
        { 8, stream_work_step },
    };
    CHOOSE(w, choices);
}

static void close_all(struct world *w)
{
    open_gate_step(w);
    line_call(w, "cuCtxSynchronize", "%s", "");
    line_result(w, cuCtxSynchronize());
    slots_show(w);
    line_end(w);
}

const struct area stream_area = { "stream", open, step, close_all, false };
