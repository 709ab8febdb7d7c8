/* SPDX-License-Identifier: Apache-2.0
 *
 * Changed executables: only later launches change.
 */
#include "changes.h"

/* Every kind of change made between launches that queue behind a gate: each
 * launch runs with what held when it was made. */
CASE(update, queued_launches)
{
    static int a, b;
    CUgraph g, c, c2;
    CUgraphNode k, m, cp, ho, ch;
    CUgraphExec x;
    CUstream s;
    CUdeviceptr p = dalloc(t, 64);
    Opener o;
    CUresult r[6];
    S0(s);
    c = make_child(t, p + 24, 1, &a, 0);
    c2 = make_child(t, p + 24, 100, &b, 0);
    if (!c || !c2) return;
    OK(cuMemsetD32(p + 16, 5, 1));
    OK(cuMemsetD32(p + 20, 6, 1));
    G0(g);
    OK(add_ma(t, &k, g, NULL, 0, p, 10, 1));
    OK(add_set(t, &m, g, &k, 1, p + 4, 2, 1));
    OK(add_device_copy(t, &cp, g, &m, 1, p + 8, p + 16, 4));
    OK(add_host(&ho, g, &cp, 1, count_one, &a));
    OK(cuGraphAddChildGraphNode(&ch, g, &ho, 1, c));
    INST(x, g);
    OK(cuGraphUpload(x, s));
    OK(cuStreamSynchronize(s));
    CUDA_HOST_NODE_PARAMS h = { .fn = count_hundred, .userData = &b };
    CUDA_MEMSET_NODE_PARAMS ms = mset(p + 12, 3, 4, 1, 1, 0);
    CUDA_MEMCPY3D cc = device_copy_params(p + 8, p + 20, 4);
    gate_close(t);
    OK(gate(t, s));
    opener_start(t, &o);
    r[0] = cuGraphLaunch(x, s);
    r[1] = exec_ma(t, x, k, p, 10, 2);
    r[2] = cuGraphExecMemsetNodeSetParams(x, m, &ms, t->ctx);
    r[3] = cuGraphExecMemcpyNodeSetParams(x, cp, &cc, t->ctx);
    r[4] = cuGraphExecHostNodeSetParams(x, ho, &h);
    r[5] = cuGraphExecChildGraphNodeSetParams(x, ch, c2);
    int blocked = opener_stop(&o);
    static const char *const name[] = { "launch", "kernel", "memset", "memcpy", "host", "child" };
    for (int i = 0; i < 6; i++) say(t, " %s=%s", name[i], ename(r[i]));
    say(t, " blocked=%d", blocked);
    gate_open(t);
    R("sync", cuStreamSynchronize(s));
    for (unsigned i = 0; i < 7; i++) say(t, "%s%u", i ? "," : " v=", dread(t, p + 4 * i));
    say(t, " a=%d b=%d", a, b);
    say_go(t, x, s, p, 7);
    say(t, " a=%d b=%d", a, b);
}

/* Parameters set while the executable is inside a launch, before the node is
 * reached: that launch keeps the old ones. */
CASE(update, set_while_running)
{
    static Hold hd;
    CUgraph g;
    CUgraphNode n, k;
    CUgraphExec x;
    CUstream s;
    CUdeviceptr p = dalloc(t, 4);
    S0(s);
    G0(g);
    OK(add_host(&n, g, NULL, 0, hold, &hd));
    OK(add_ma(t, &k, g, &n, 1, p, 10, 1));
    INST(x, g);
    R("launch", cuGraphLaunch(x, s));
    say(t, " held=%d", until(&hd.runs, 1, 1000));
    R("set", exec_ma(t, x, k, p, 10, 2));
    R("disable", cuGraphNodeSetEnabled(x, k, 0));
    R("enable", cuGraphNodeSetEnabled(x, k, 1));
    say(t, " blocked=%d", LOAD(hd.expired));
    STORE(hd.open, 1);
    R("sync", cuStreamSynchronize(s));
    say(t, " v=%u", dread(t, p));
    say_go(t, x, s, p, 1);
}
