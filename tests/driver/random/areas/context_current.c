/* SPDX-License-Identifier: Apache-2.0
 *
 * Which context is current: the stack of each thread.
 */
#include "context_steps.h"

void current_push_step(struct world *w)
{
    CUcontext c = draw_context(w);
    CALL(w, cuCtxPushCurrent(c), "cuCtxPushCurrent", "%s", context_name(w, c));
}

void current_pop_step(struct world *w)
{
    CUcontext c = UNTOUCHED;
    CUcontext *out = chance(w, 12) ? NULL : &c;
    line_call(w, "cuCtxPopCurrent", "%s", out ? "" : "null");
    line_result(w, cuCtxPopCurrent(out));
    line_see(w, "%s", context_name(w, c));
    line_end(w);
}

void current_set_step(struct world *w)
{
    CUcontext c = draw_context(w);
    CALL(w, cuCtxSetCurrent(c), "cuCtxSetCurrent", "%s", context_name(w, c));
}

void current_clear(struct world *w)
{
    CUcontext c = NULL;
    for (int i = 0; i < 256 && !cuCtxPopCurrent(&c); i++) {}
    if (cuCtxGetCurrent(&c) || c) w->unclean = true;
}
