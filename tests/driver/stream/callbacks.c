/* SPDX-License-Identifier: Apache-2.0
 *
 * Callbacks and what they share with host functions.
 */
#include "../streams.h"

typedef struct {
    CUstream s;
    CUresult r;
    void *data;
    int n;
} Got;
static void CUDA_CB take(CUstream s, CUresult r, void *p)
{
    Got *g = p;
    g->s = s;
    g->r = r;
    g->data = p;
    __atomic_fetch_add(&g->n, 1, __ATOMIC_SEQ_CST);
}
/* Stream callbacks: arguments, refused flags, what is handed over. */
CASE(hostfn, callback)
{
    static Got g;
    CUstream s;
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    R("add", cuStreamAddCallback(s, take, &g, 0));
    R("sync", cuStreamSynchronize(s));
    say(t, " n=%d status=%s stream=%s data=%d", get(&g.n), ename(g.r), g.s == s ? "same" : "other",
        g.data == &g);
    R("flags_1", cuStreamAddCallback(s, take, &g, 1));
    R("flags_high", cuStreamAddCallback(s, take, &g, 0x80000000u));
    R("null_fn", cuStreamAddCallback(s, NULL, NULL, 0));
    R("sync", cuStreamSynchronize(s));
    say(t, " n=%d", get(&g.n));
}

/* Which handle a callback in a default stream is given. */
CASE(hostfn, callback_default_streams)
{
    static Got g[3];
    CUstream h[] = { NULL, CU_STREAM_LEGACY, CU_STREAM_PER_THREAD };
    for (int i = 0; i < 3; i++) {
        CUresult r = cuStreamAddCallback(h[i], take, &g[i], 0);
        OK(cuCtxSynchronize());
        say(t, " %d=%s/%d/%s", i, ename(r), get(&g[i].n),
            g[i].s == NULL                   ? "null"
            : g[i].s == CU_STREAM_LEGACY     ? "legacy"
            : g[i].s == CU_STREAM_PER_THREAD ? "per_thread"
                                             : "other");
    }
}

/* Host functions of a stream destroyed before they could run. */
CASE(hostfn, stream_destroyed)
{
    static int n;
    CUstream s;
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    shut(t);
    OK(gate(t, s));
    OK(cuLaunchHostFunc(s, count, &n));
    OK(cuLaunchHostFunc(s, count, &n));
    R("destroy", cuStreamDestroy(s));
    say(t, " before=%d", get(&n));
    gate_open(t);
    R("ctxsync", cuCtxSynchronize());
    say(t, " after=%d", get(&n));
}

/* Host functions in many streams at once: each runs once. */
CASE(hostfn, many_streams)
{
    static int n;
    CUstream s[8];
    int ok = 0;
    for (int i = 0; i < 8; i++) OK(cuStreamCreate(&s[i], CU_STREAM_NON_BLOCKING));
    for (int k = 0; k < 160; k++) ok += !cuLaunchHostFunc(s[k & 7], count, &n);
    R("sync", cuCtxSynchronize());
    say(t, " launched=%d ran=%d", ok, get(&n));
}
