/* SPDX-License-Identifier: Apache-2.0
 *
 * Executables: upload and relaunch.
 */
#include "executables.h"

/* Uploads do not run the graph; launches after them do, in whatever stream. */
CASE(exec, upload)
{
    CUgraph g;
    CUgraphNode n;
    CUgraphExec x;
    CUstream a, b;
    CUdeviceptr p = dalloc(t, 4);
    S0(a);
    S0(b);
    G0(g);
    OK(add_ma(t, &n, g, NULL, 0, p, 1, 1));
    INST(x, g);
    R("up", cuGraphUpload(x, a));
    R("sync", cuStreamSynchronize(a));
    say(t, " v=%u", dread(t, p));
    R("launch_b", go(x, b));
    say(t, " v=%u", dread(t, p));
    R("up_again", cuGraphUpload(x, b));
    R("up_other", cuGraphUpload(x, a));
    R("launch_a", go(x, a));
    R("sync_b", cuStreamSynchronize(b));
    say(t, " v=%u", dread(t, p));
    R("destroy_uploaded", cuGraphUpload(x, a));
    R("destroy", cuGraphExecDestroy(x));
    R("sync", cuStreamSynchronize(a));
    say(t, " v=%u", dread(t, p));
}

/* An upload of an executable that is running: does the call wait, is the upload
 * stream busy until that run ends? */
CASE(exec, upload_running)
{
    static Hold hd;
    CUgraph g;
    CUgraphNode n;
    CUgraphExec x;
    CUstream a, b;
    S0(a);
    S0(b);
    G0(g);
    OK(add_hold(&n, g, NULL, 0, &hd));
    INST(x, g);
    R("launch", cuGraphLaunch(x, a));
    say(t, " held=%d", until(&hd.runs, 1, 1000));
    R("up", cuGraphUpload(x, b));
    say(t, " blocked=%d b_idle=%d", LOAD(hd.expired), await_idle(b, 100));
    R("qa", cuStreamQuery(a));
    STORE(hd.open, 1);
    R("sync_b", cuStreamSynchronize(b));
    R("sync_a", cuStreamSynchronize(a));
    R("go", go(x, b));
    say(t, " runs=%d", hd.runs);
}

/* A chain of 20 launched 50 times with one synchronize at the end. */
CASE(exec, accumulate)
{
    CUgraph g;
    CUgraphNode n = NULL;
    CUgraphExec x;
    CUstream s;
    CUdeviceptr p = dalloc(t, 4);
    CUresult r = CUDA_SUCCESS;
    S0(s);
    G0(g);
    for (int i = 0; i < 20; i++) {
        CUgraphNode m;
        OK(add_ma(t, &m, g, &n, i ? 1 : 0, p, 1, 1));
        n = m;
    }
    INST(x, g);
    for (int i = 0; i < 50 && !r; i++) r = cuGraphLaunch(x, s);
    say(t, " launch=%s", ename(r));
    R("sync", cuStreamSynchronize(s));
    say(t, " v=%u", dread(t, p));
}

/* A launch whose stream already carries a launch of the same executable behind
 * a gate, and one in another stream: the other waits for the gated one too. */
CASE(exec, queued_orders_other_stream)
{
    CUgraph g;
    CUgraphNode n;
    CUgraphExec x, y;
    CUstream a, b;
    CUdeviceptr d;
    volatile uint32_t *h;
    Opener o;
    PIN(h, d);
    S0(a);
    S0(b);
    G0(g);
    OK(add_ma(t, &n, g, NULL, 0, d, 1, 1));
    INST(x, g);
    INST(y, g);
    OK(go(x, a));
    OK(go(y, b));
    gate_close(t);
    OK(gate(t, a));
    opener_start(t, &o);
    R("la", cuGraphLaunch(x, a));
    R("lb", cuGraphLaunch(x, b));
    int blocked = opener_stop(&o);
    say(t, " blocked=%d", blocked);
    uint32_t v = h[0]; /* before it drains, as it was measured */
    say(t, " b_idle=%d v=%u", await_idle(b, 60), v);
    gate_open(t);
    R("sync", cuCtxSynchronize());
    say(t, " v=%u", h[0]);
    if (blocked) return;
    gate_close(t);
    OK(gate(t, a));
    R("la", cuGraphLaunch(x, a));
    R("yb", cuGraphLaunch(y, b)); /* another executable of the graph: free */
    v = h[0];
    say(t, " b_idle=%d v=%u", await_idle(b, 1000), v);
    gate_open(t);
    R("sync", cuCtxSynchronize());
    say(t, " v=%u", h[0]);
}

/* A kernel that traps inside a graph: what the launch, the synchronize and the
 * calls after it report. */
CASE(exec, kernel_fault)
{
    CUgraph g;
    CUgraphNode n, m;
    CUgraphExec x, y = SENT_X;
    CUstream s;
    CUdeviceptr p = dalloc(t, 4);
    S0(s);
    G0(g);
    OK(add_kernel(&n, g, NULL, 0, kernel(t, "crash"), NULL));
    OK(add_ma(t, &m, g, &n, 1, p, 1, 1));
    INST(x, g);
    R("launch", cuGraphLaunch(x, s));
    R("sync", cuStreamSynchronize(s));
    R("launch", cuGraphLaunch(x, s));
    R("query", cuStreamQuery(s));
    R("upload", cuGraphUpload(x, s));
    R("inst", cuGraphInstantiate(&y, g, 0));
    R("graph", cuGraphCreate(&g, 0));
    R("destroy", cuGraphExecDestroy(x));
    R("ctx", cuCtxSynchronize());
}
