/* SPDX-License-Identifier: Apache-2.0
 *
 * Executables updated from captures.
 */
#include "changes.h"

/* One step of work on a stream: three kernels on two streams, a memset. */
static CUresult step(T *t, CUstream s, CUstream s2, CUevent e, CUevent f, CUdeviceptr p, unsigned i,
                     int extra)
{
    CUfunction ma = kernel(t, "mul_add"), fill = kernel(t, "fill");
    CUdeviceptr q = p + 4, d = p + 32;
    unsigned m = 10, two = 2, n = 4;
    void *a1[] = { &p, &m, &i }, *a2[] = { &q, &two, &i }, *a3[] = { &d, &n, &i };
    CUresult r = launch1(ma, s, a1);
    if (!r) r = cuEventRecord(e, s);
    if (!r) r = cuStreamWaitEvent(s2, e, 0);
    if (!r) r = launch1(ma, s2, a2);
    if (!r) r = cuMemsetD32Async(p + 8, i * 7, 1, s);
    if (!r) r = cuLaunchKernel(fill, i % 2 + 1, 1, 1, i, 1, 1, 0, s, a3, NULL);
    if (!r && extra) r = cuMemsetD32Async(p + 12, i, 1, s2);
    if (!r) r = cuEventRecord(f, s2);
    if (!r) r = cuStreamWaitEvent(s, f, 0);
    if (!r) r = cuMemcpyDtoDAsync(p + 16, p + 4, 4, s);
    return r;
}

/* Capture anew, update the executable, replay; five steps.  The same with a
 * node more at step three: the update fails, a new executable takes over. */
CASE(update, capture_replay)
{
    for (int change = 0; change < 2; change++) {
        CUgraphExec x = NULL;
        CUstream s, s2;
        CUevent e, f;
        CUdeviceptr p = dalloc(t, 64);
        kernel(t, "mul_add");
        kernel(t, "fill");
        S0(s);
        S0(s2);
        OK(cuEventCreate(&e, CU_EVENT_DISABLE_TIMING));
        OK(cuEventCreate(&f, CU_EVENT_DISABLE_TIMING));
        for (unsigned i = 1; i <= 5; i++) {
            CUgraph g;
            OK(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
            OK(step(t, s, s2, e, f, p, i, change && i >= 3));
            OK(cuStreamEndCapture(s, &g));
            if (!x) {
                INST(x, g);
                say(t, " inst");
            } else {
                char l[8];
                snprintf(l, sizeof l, "u%u", i);
                if (update_say(t, l, x, g, NULL, 0)) {
                    OK(cuGraphExecDestroy(x));
                    INST(x, g);
                }
            }
            OK(cuGraphDestroy(g));
            say_go(t, x, s, p, 12);
        }
    }
}
