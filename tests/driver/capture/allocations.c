/* SPDX-License-Identifier: Apache-2.0
 *
 * Captured allocations.
 */
#include "captures.h"

CASE(capop, alloc_free)
{
    CUstream s = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16), d = 0, fp = 0;
    CUDA_MEM_ALLOC_NODE_PARAMS a;
    CUgraphExec x = NULL;
    memset(&a, 0, sizeof a);
    OK(cuStreamBeginCapture(s, GLOBAL));
    R("alloc", cuMemAllocAsync(&d, 1000, s));
    say(t, " ptr=%s", d ? "set" : "null");
    say_dependencies(t, "deps", s);
    CUgraphNode n = last_captured(s);
    if (n) {
        R("get", cuGraphMemAllocNodeGetParams(n, &a));
        say(t, " dptr=%s size=%s%zu type=%d loc=%d/%d access=%zu", a.dptr == d ? "same" : "differ",
            a.bytesize == 1000 ? "as_asked:" : "", a.bytesize, (int)a.poolProps.allocType,
            (int)a.poolProps.location.type, a.poolProps.location.id, a.accessDescCount);
    }
    R("set", capture_mark(d, 'A', s));
    R("copy", cuMemcpyDtoDAsync(p, d, 4, s));
    R("free", cuMemFreeAsync(d, s));
    say_dependencies(t, "deps", s);
    n = last_captured(s);
    if (n) {
        R("getfree", cuGraphMemFreeNodeGetParams(n, &fp));
        say(t, " dptr=%s", fp == d ? "same" : "differ");
    }
    CUgraph g = capture_end(t, s);
    say_topology(t, g);
    if (!g) return;
    R("inst", cuGraphInstantiate(&x, g, 0));
    for (int i = 0; i < 2; i++) R("launch", cuGraphLaunch(x, s));
    R("sync", cuStreamSynchronize(s));
    say(t, " v=%u", dread(t, p));
    R("free_outside", cuMemFreeAsync(d, s));
}

/* Freed twice in one capture, and freed by a later capture although its own
 * graph frees it. */
CASE(capop, free_twice)
{
    CUstream s = create_stream(t, NONBLOCKING);
    CUdeviceptr d = 0;
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(cuMemAllocAsync(&d, 256, s));
    R("free", cuMemFreeAsync(d, s));
    R("again", cuMemFreeAsync(d, s));
    say_status(t, "s", s);
    say_dependencies(t, "deps", s);
    say_topology(t, capture_end(t, s));
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(cuMemAllocAsync(&d, 256, s));
    R("free", cuMemFreeAsync(d, s));
    say_topology(t, capture_end(t, s));
    OK(cuStreamBeginCapture(s, GLOBAL));
    R("elsewhere", cuMemFreeAsync(d, s));
    say_status(t, "s", s);
    say_topology(t, capture_end(t, s));
}

/* Two allocations of one capture, and one freed before the other is made. */
CASE(capop, alloc_two)
{
    CUstream s = create_stream(t, NONBLOCKING);
    CUdeviceptr a = 0, b = 0, c = 0;
    OK(cuStreamBeginCapture(s, GLOBAL));
    R("a", cuMemAllocAsync(&a, 512, s));
    R("b", cuMemAllocAsync(&b, 512, s));
    say(t, " ab=%s", a == b ? "same" : "differ");
    R("free", cuMemFreeAsync(a, s));
    R("c", cuMemAllocAsync(&c, 512, s));
    say(t, " bc=%s", b == c ? "same" : "differ");
    R("free", cuMemFreeAsync(b, s));
    R("free", cuMemFreeAsync(c, s));
    CUgraph g = capture_end(t, s);
    say_shape(t, g);
    if (g) R("run", run_captured(g, s));
}

/* An allocation that the graph leaves behind: usable and to be freed
 * outside; a second launch needs it freed first. */
CASE(capop, alloc_left)
{
    CUstream s = create_stream(t, NONBLOCKING);
    CUdeviceptr d = 0;
    CUgraphExec x = NULL;
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(cuMemAllocAsync(&d, 64, s));
    OK(capture_mark(d, 'A', s));
    CUgraph g = capture_end(t, s);
    R("inst", cuGraphInstantiate(&x, g, 0));
    if (!x) return;
    R("launch", cuGraphLaunch(x, s));
    R("sync", cuStreamSynchronize(s));
    say(t, " v=%u", dread(t, d));
    R("relaunch", cuGraphLaunch(x, s));
    R("free", cuMemFreeAsync(d, s));
    R("launch", cuGraphLaunch(x, s));
    R("sync", cuStreamSynchronize(s));
    say(t, " v=%u", dread(t, d));
    R("memfree", cuMemFree(d));
    R("launch", cuGraphLaunch(x, s));
    R("sync", cuStreamSynchronize(s));
    R("free", cuMemFreeAsync(d, s));
    R("sync", cuStreamSynchronize(s));
}

/* Captured frees of what the capture does not own. */
CASE(capop, free_foreign)
{
    static const char *const name[] = { "pool", "plain", "null", "inside" };
    CUstream s = create_stream(t, NONBLOCKING), o = create_stream(t, NONBLOCKING);
    CUdeviceptr pool = 0, plain = dalloc(t, 64), d = 0;
    OK(cuMemAllocAsync(&pool, 64, o));
    OK(cuStreamSynchronize(o));
    for (int i = 0; i < 4; i++) {
        say(t, " [%s", name[i]);
        OK(cuStreamBeginCapture(s, GLOBAL));
        R("alloc", cuMemAllocAsync(&d, 256, s));
        R("free", cuMemFreeAsync(i == 0 ? pool : i == 1 ? plain : i == 2 ? 0 : d + 16, s));
        say_status(t, "s", s);
        say_topology(t, capture_end(t, s));
        say(t, "]");
    }
    R("pool_ok", cuMemFreeAsync(pool, o));
    R("plain_ok", cuMemFree(plain));
}

/* One graph allocates, another one frees. */
CASE(capop, free_in_other_graph)
{
    CUstream s = create_stream(t, NONBLOCKING);
    CUdeviceptr d = 0;
    CUgraphExec x = NULL, y = NULL;
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(cuMemAllocAsync(&d, 64, s));
    CUgraph g = capture_end(t, s);
    OK(cuStreamBeginCapture(s, GLOBAL));
    R("free", cuMemFreeAsync(d, s));
    say_dependencies(t, "deps", s);
    CUgraph h = capture_end(t, s);
    say_topology(t, h);
    if (!g || !h) return;
    R("inst", cuGraphInstantiate(&x, g, 0));
    R("inst", cuGraphInstantiate(&y, h, 0));
    for (int i = 0; i < 2; i++) {
        R("alloc", cuGraphLaunch(x, s));
        R("free", cuGraphLaunch(y, s));
    }
    R("sync", cuStreamSynchronize(s));
}

CASE(capop, alloc_from_pool)
{
    CUstream s = create_stream(t, NONBLOCKING);
    CUdeviceptr d = 0;
    CUmemoryPool pool = NULL;
    OK(cuDeviceGetDefaultMemPool(&pool, t->dev));
    OK(cuStreamBeginCapture(s, GLOBAL));
    R("alloc", cuMemAllocFromPoolAsync(&d, 256, pool, s));
    say_dependencies(t, "deps", s);
    R("free", cuMemFreeAsync(d, s));
    CUgraph g = capture_end(t, s);
    say_topology(t, g);
    if (g) R("run", run_captured(g, s));
}
