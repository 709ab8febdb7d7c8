/* SPDX-License-Identifier: Apache-2.0
 *
 * Executables in streams of all kinds.
 */
#include "executables.h"

/* Every kind of stream takes a launch. */
CASE(exec, launch_streams)
{
    CUgraph g;
    CUgraphNode n;
    CUgraphExec x;
    CUstream b, nb;
    CUdeviceptr p = dalloc(t, 4);
    OK(cuStreamCreate(&b, CU_STREAM_DEFAULT));
    S0(nb);
    G0(g);
    OK(add_ma(t, &n, g, NULL, 0, p, 1, 1));
    INST(x, g);
    R("null", go(x, NULL));
    R("legacy", go(x, CU_STREAM_LEGACY));
    R("per_thread", go(x, CU_STREAM_PER_THREAD));
    R("blocking", go(x, b));
    R("non_blocking", go(x, nb));
    say(t, " v=%u", dread(t, p));
    R("up_null", cuGraphUpload(x, NULL));
    R("up_legacy", cuGraphUpload(x, CU_STREAM_LEGACY));
    R("up_per_thread", cuGraphUpload(x, CU_STREAM_PER_THREAD));
    R("up_blocking", cuGraphUpload(x, b));
    R("sync", cuCtxSynchronize());
    say(t, " v=%u", dread(t, p));
    R("null", go(x, NULL));
    say(t, " v=%u", dread(t, p));
}

/* A launch in the legacy stream comes after earlier work of blocking streams,
 * and not after that of non-blocking ones. */
CASE(exec, legacy_after_streams)
{
    for (int kind = 0; kind < 2; kind++) {
        CUgraph g;
        CUgraphNode n;
        CUgraphExec x;
        CUstream a;
        CUdeviceptr d;
        volatile uint32_t *h;
        PIN(h, d);
        OK(cuStreamCreate(&a, kind ? CU_STREAM_NON_BLOCKING : CU_STREAM_DEFAULT));
        G0(g);
        OK(add_ma(t, &n, g, NULL, 0, d, 1, 1));
        INST(x, g);
        gate_close(t);
        OK(gate(t, a));
        CUresult r = cuGraphLaunch(x, NULL);
        say(t, " %s=%s", kind ? "non_blocking" : "blocking", ename(r));
        say(t, " ran=%d", await_word(h, 1, kind ? 1000 : 60));
        gate_open(t);
        R("sync", cuCtxSynchronize());
        say(t, " v=%u", h[0]);
    }
}

typedef struct {
    T *t;
    CUgraph g;
    CUgraphExec x;
    CUgraphNode n;
    CUstream s;
    CUdeviceptr p;
} Bare;
static void *bare(void *p)
{
    Bare *b = p;
    T *t = b->t;
    CUcontext c = (CUcontext)(uintptr_t)0x5a5a;
    CUgraphExec y = SENT_X;
    CUgraphExecUpdateResultInfo info;
    unsigned on = 9;
    R("current", cuCtxGetCurrent(&c));
    say(t, " null=%d", c == NULL);
    R("inst", cuGraphInstantiate(&y, b->g, 0));
    R("launch", cuGraphLaunch(b->x, b->s));
    R("sync", cuStreamSynchronize(b->s));
    R("upload", cuGraphUpload(b->x, b->s));
    R("launch_null", cuGraphLaunch(b->x, NULL));
    R("launch_per_thread", cuGraphLaunch(b->x, CU_STREAM_PER_THREAD));
    R("update", cuGraphExecUpdate(b->x, b->g, &info));
    R("enabled", cuGraphNodeGetEnabled(b->x, b->n, &on));
    R("disable", cuGraphNodeSetEnabled(b->x, b->n, 1));
    if (y && y != SENT_X) R("destroy", cuGraphExecDestroy(y));
    return NULL;
}

/* Calls on executables from a thread that has no context current. */
CASE(exec, no_current_context)
{
    Bare b = { .t = t };
    pthread_t th;
    b.p = dalloc(t, 4);
    S0(b.s);
    G0(b.g);
    OK(add_ma(t, &b.n, b.g, NULL, 0, b.p, 1, 1));
    INST(b.x, b.g);
    pthread_create(&th, NULL, bare, &b);
    pthread_join(th, NULL);
    R("ctx_sync", cuCtxSynchronize());
    say(t, " v=%u", dread(t, b.p));
}
