/* SPDX-License-Identifier: Apache-2.0 */
#include "context_state.h"

void say_current(T *t, const char *label, CUcontext a, CUcontext b)
{
    CUcontext c = (CUcontext)1;
    CUresult r = cuCtxGetCurrent(&c);
    if (r)
        say(t, " %s:%s", label, ename(r));
    else
        say(t, " %s:%s", label, !c ? "null" : c == a ? "a" : c == b ? "b" : "other");
}

void say_primary_state(T *t, const char *label)
{
    unsigned fl = 99;
    int on = 99;
    CUresult r = cuDevicePrimaryCtxGetState(0, &fl, &on);
    if (r)
        say(t, " %s:%s", label, ename(r));
    else
        say(t, " %s:%s/%u", label, on == 1 ? "active" : on == 0 ? "inactive" : "?", fl);
}
