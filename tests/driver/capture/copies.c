/* SPDX-License-Identifier: Apache-2.0
 *
 * Captured copies.
 */
#include "captures.h"

static void say_copy(T *t, const char *label, CUgraphNode n)
{
    CUDA_MEMCPY3D m;
    memset(&m, 0, sizeof m);
    if (!n) {
        say(t, " %s=nonode", label);
        return;
    }
    CUresult r = cuGraphMemcpyNodeGetParams(n, &m);
    say(t, " %s=%s{%d>%d w=%zu h=%zu d=%zu sp=%zu dp=%zu}", label, ename(r), (int)m.srcMemoryType,
        (int)m.dstMemoryType, m.WidthInBytes, m.Height, m.Depth, m.srcPitch, m.dstPitch);
}

/* Host memory is read at each launch, not at the capture; pinned and
 * pageable. */
CASE(capop, copy_from_host)
{
    CUstream s = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    unsigned *pin = NULL, *page = malloc(64);
    CUgraphExec x = NULL;
    OK(cuMemAllocHost((void **)&pin, 64));
    pin[0] = page[0] = 1;
    OK(cuStreamBeginCapture(s, GLOBAL));
    R("pinned", cuMemcpyHtoDAsync(p, pin, 4, s));
    say_copy(t, "node", last_captured(s));
    R("pageable", cuMemcpyHtoDAsync(p + 4, page, 4, s));
    say_copy(t, "node", last_captured(s));
    say_status(t, "s", s);
    pin[0] = page[0] = 2;
    CUgraph g = capture_end(t, s);
    say_topology(t, g);
    R("inst", cuGraphInstantiate(&x, g, 0));
    if (!x) return;
    pin[0] = page[0] = 3;
    for (unsigned i = 4; i < 6; i++) {
        R("launch", cuGraphLaunch(x, s));
        R("sync", cuStreamSynchronize(s));
        say(t, " %u,%u", dread(t, p), dread(t, p + 4));
        pin[0] = page[0] = i;
    }
}

CASE(capop, copy_to_host)
{
    CUstream s = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    unsigned *pin = NULL, *page = calloc(16, 4);
    OK(cuMemAllocHost((void **)&pin, 64));
    pin[0] = 0;
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(capture_mark(p, 'A', s));
    R("pinned", cuMemcpyDtoHAsync(pin, p, 4, s));
    say_copy(t, "node", last_captured(s));
    R("pageable", cuMemcpyDtoHAsync(page, p, 4, s));
    say_copy(t, "node", last_captured(s));
    CUgraph g = capture_end(t, s);
    say_topology(t, g);
    say(t, " before=%u,%u", pin[0], page[0]);
    R("run", run_captured(g, s));
    say(t, " after=%u,%u", pin[0], page[0]);
}

/* The other ways to copy within the device. */
CASE(capop, copy_device_forms)
{
    CUstream s = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 64);
    unsigned *pin = NULL;
    OK(cuMemAllocHost((void **)&pin, 64));
    pin[0] = 33;
    OK(cuStreamBeginCapture(s, GLOBAL));
    R("set", cuMemsetD32Async(p, 7, 4, s));
    R("dtod", cuMemcpyDtoDAsync(p + 16, p, 16, s));
    say_copy(t, "node", last_captured(s));
    R("unified", cuMemcpyAsync(p + 32, p + 16, 16, s));
    say_copy(t, "node", last_captured(s));
    R("peer", cuMemcpyPeerAsync(p + 48, t->ctx, p + 32, t->ctx, 16, s));
    say_copy(t, "node", last_captured(s));
    R("unified_host", cuMemcpyAsync(p, (CUdeviceptr)(uintptr_t)pin, 4, s));
    say_copy(t, "node", last_captured(s));
    CUgraph g = capture_end(t, s);
    say_topology(t, g);
    R("run", run_captured(g, s));
    say(t, " %u,%u,%u,%u", dread(t, p), dread(t, p + 16), dread(t, p + 32), dread(t, p + 48 + 12));
}

/* Nothing to do: is there a node? */
CASE(capop, zero_size)
{
    CUstream s = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 64), d = 1;
    OK(cuStreamBeginCapture(s, GLOBAL));
    R("set8", cuMemsetD8Async(p, 0, 0, s));
    say(t, " n=%zu", count_captured(s));
    R("set32", cuMemsetD32Async(p, 0, 0, s));
    R("set2d", cuMemsetD2D32Async(p, 16, 0, 0, 3, s));
    R("set2d_h", cuMemsetD2D32Async(p, 16, 0, 3, 0, s));
    say(t, " n=%zu", count_captured(s));
    R("dtod", cuMemcpyDtoDAsync(p, p + 16, 0, s));
    R("unified", cuMemcpyAsync(p, p + 16, 0, s));
    say(t, " n=%zu", count_captured(s));
    say_status(t, "s", s);
    R("alloc", cuMemAllocAsync(&d, 0, s));
    say(t, " n=%zu", count_captured(s));
    say_status(t, "s", s);
    say_topology(t, capture_end(t, s));
}

/* The batched copy: can it be captured, and as what? */
CASE(capop, copy_batch)
{
    CUstream s = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 64);
    CUdeviceptr dst[2] = { p + 16, p + 32 }, src[2] = { p, p };
    size_t z[2] = { 4, 8 }, idx = 0;
    CUmemcpyAttributes at;
    memset(&at, 0, sizeof at);
    at.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM;
    OK(cuMemsetD32Async(p, 6, 2, s));
    R("plain", cuMemcpyBatchAsync(dst, src, z, 2, &at, &idx, 1, s));
    R("sync", cuStreamSynchronize(s));
    say(t, " %u,%u", dread(t, p + 16), dread(t, p + 36));
    OK(cuStreamBeginCapture(s, GLOBAL));
    R("mark", capture_mark(p, 'A', s));
    R("batch", cuMemcpyBatchAsync(dst, src, z, 2, &at, &idx, 1, s));
    say_status(t, "s", s);
    say_dependencies(t, "deps", s);
    CUgraph g = capture_end(t, s);
    say_topology(t, g);
    if (g) R("run", run_captured(g, s));
    say(t, " %u,%u", dread(t, p + 16), dread(t, p + 36));
}
