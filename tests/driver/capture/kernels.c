/* SPDX-License-Identifier: Apache-2.0
 *
 * Captured kernels and host functions.
 */
#include "captures.h"

/* ---- kernels ---- */

CASE(capop, kernel_node)
{
    CUstream s = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 64);
    CUfunction fill = kernel(t, "fill");
    unsigned n = 6, v = 40;
    void *args[] = { &p, &n, &v };
    CUDA_KERNEL_NODE_PARAMS k;
    CUfunction f2 = NULL;
    OK(cuModuleGetFunction(&f2, t->mod, "fill"));
    OK(cuStreamBeginCapture(s, GLOBAL));
    R("launch", cuLaunchKernel(fill, 1, 2, 3, 4, 1, 1, 128, s, args, NULL));
    memset(&k, 0, sizeof k);
    CUgraphNode node = last_captured(s);
    if (!node) {
        say(t, " nonode");
        return;
    }
    R("get", cuGraphKernelNodeGetParams(node, &k));
    say(t, " func=%s kern=%s ctx=%s",
        k.func == fill ? "same"
        : k.func       ? "differ"
                       : "null",
        k.kern ? "set" : "null",
        k.ctx == t->ctx ? "same"
        : k.ctx         ? "differ"
                        : "null");
    say(t, " again=%s", f2 == fill ? "same" : "differ");
    say(t, " dims=%u,%u,%u,%u,%u,%u,%u", k.gridDimX, k.gridDimY, k.gridDimZ, k.blockDimX,
        k.blockDimY, k.blockDimZ, k.sharedMemBytes);
    say(t, " params=%s extra=%s", k.kernelParams ? "set" : "null", k.extra ? "set" : "null");
    if (k.kernelParams)
        say(t, " own=%d p=%s n=%u v=%u", k.kernelParams[0] != (void *)&p,
            *(CUdeviceptr *)k.kernelParams[0] == p ? "same" : "differ",
            *(unsigned *)k.kernelParams[1], *(unsigned *)k.kernelParams[2]);
    CUgraph g = capture_end(t, s);
    R("run", run_captured(g, s));
    say(t, " first=%u last=%u past=%u", dread(t, p), dread(t, p + 20), dread(t, p + 24));
}

/* Arguments are taken when the launch is captured. */
CASE(capop, kernel_params_copied)
{
    CUstream s = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16), q = p;
    CUfunction put = kernel(t, "put");
    unsigned v = 3;
    void *args[] = { &q, &v };
    OK(cuStreamBeginCapture(s, GLOBAL));
    R("launch", launch1(put, s, args));
    v = 9;
    q = p + 8;
    args[0] = NULL;
    CUgraph g = capture_end(t, s);
    R("run", run_captured(g, s));
    say(t, " v=%u w=%u", dread(t, p), dread(t, p + 8));
}

static CUresult launch_attr(CUfunction f, CUstream s, CUlaunchAttribute *at)
{
    CUlaunchConfig c;
    memset(&c, 0, sizeof c);
    c.gridDimX = c.gridDimY = c.gridDimZ = c.blockDimX = c.blockDimY = c.blockDimZ = 1;
    c.hStream = s;
    c.attrs = at;
    c.numAttrs = 1;
    return cuLaunchKernelEx(&c, f, NULL, NULL);
}

/* Programmatic serialization: edge data, only between kernels. */
CASE(capop, kernel_programmatic)
{
    CUstream s = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    CUfunction nop = kernel(t, "nop");
    CUlaunchAttribute at;
    CUgraphNode a[8], b[8];
    size_t n = 8;
    memset(&at, 0, sizeof at);
    at.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
    at.value.programmaticStreamSerializationAllowed = 1;
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(capture_mark(p, 'A', s));
    R("after_memset", launch_attr(nop, s, &at));
    say_dependencies(t, "deps", s);
    R("after_kernel", launch_attr(nop, s, &at));
    R("plain", launch1(nop, s, NULL));
    CUgraph g = capture_end(t, s);
    if (!g) return;
    say_edges(t, g);
    R("lossy", cuGraphGetEdges(g, a, b, NULL, &n));
    R("run", run_captured(g, s));
}

/* ---- host functions ---- */

/* Host functions, kernels and sets of one replay see each other in order. */
static volatile uint32_t *seen_word;
static volatile uint32_t seen[4];
static void CUDA_CB see(void *v)
{
    seen[(intptr_t)v] = *seen_word;
    *seen_word = *seen_word + 100;
}

CASE(capop, host_order)
{
    CUstream s = create_stream(t, NONBLOCKING);
    CUfunction inc = kernel(t, "inc");
    void *h = NULL;
    CUdeviceptr d = 0;
    OK(cuMemHostAlloc(&h, 4096, CU_MEMHOSTALLOC_DEVICEMAP));
    OK(cuMemHostGetDevicePointer(&d, h, 0));
    seen_word = h;
    *seen_word = 1000;
    void *args[] = { &d };
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(cuMemsetD32Async(d, 5, 1, s));
    OK(cuLaunchHostFunc(s, see, (void *)0));
    OK(launch1(inc, s, args));
    OK(cuLaunchHostFunc(s, see, (void *)1));
    OK(launch1(inc, s, args));
    OK(cuLaunchHostFunc(s, see, (void *)2));
    CUgraph g = capture_end(t, s);
    say(t, " before=%u", *seen_word);
    R("run", run_captured(g, s));
    say(t, " %u,%u,%u end=%u", seen[0], seen[1], seen[2], *seen_word);
    R("run", run_captured(g, s));
    say(t, " %u,%u,%u end=%u", seen[0], seen[1], seen[2], *seen_word);
}
