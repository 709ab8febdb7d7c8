/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernel nodes.
 */
#include "node_params.h"

/* What goes in comes out: dimensions, function, argument values, the rest. */
CASE(node, kernel_roundtrip)
{
    CUgraph g;
    CUgraphNode n;
    CUdeviceptr d = dalloc(t, 64);
    unsigned v = 77;
    void *args[] = { &d, &v };
    CUDA_KERNEL_NODE_PARAMS k = kparams(kernel(t, "put"), 2, 32, args), o;
    k.gridDimY = 3;
    k.gridDimZ = 4;
    k.blockDimY = 2;
    k.blockDimZ = 1;
    k.sharedMemBytes = 128;
    G0(g);
    OK(cuGraphAddKernelNode(&n, g, NULL, 0, &k));
    memset(&o, 0x33, sizeof o);
    R("get", cuGraphKernelNodeGetParams(n, &o));
    say(t, " func=%d grid=%u,%u,%u block=%u,%u,%u shared=%u", o.func == k.func, o.gridDimX,
        o.gridDimY, o.gridDimZ, o.blockDimX, o.blockDimY, o.blockDimZ, o.sharedMemBytes);
    say(t, " own_array=%d extra_null=%d kern_null=%d ctx=%s",
        o.kernelParams && o.kernelParams != args, o.extra == NULL, o.kern == NULL,
        o.ctx == NULL     ? "null"
        : o.ctx == t->ctx ? "current"
                          : "other");
    if (o.kernelParams)
        say(t, " own_values=%d ptr=%d val=%u", o.kernelParams[0] != (void *)&d,
            *(CUdeviceptr *)o.kernelParams[0] == d, *(unsigned *)o.kernelParams[1]);
}

/* Argument values are taken at the add call and at the set call. */
CASE(node, kernel_args_copied)
{
    CUgraph g;
    CUgraphNode n;
    CUdeviceptr d = dalloc(t, 64), z = d + 32;
    unsigned v = 1;
    void *args[] = { &d, &v };
    CUDA_KERNEL_NODE_PARAMS k = kparams(kernel(t, "put"), 1, 1, args);
    CUdeviceptr keep = d;
    G0(g);
    OK(cuGraphAddKernelNode(&n, g, NULL, 0, &k));
    v = 2;
    d = z;
    R("run", launch_graph_once(g));
    say(t, " v=%u,%u", dread(t, keep), dread(t, z));
    R("set", cuGraphKernelNodeSetParams(n, &k));
    v = 3;
    d = keep;
    R("run2", launch_graph_once(g));
    say(t, " v=%u,%u", dread(t, keep), dread(t, z));
}

/* NULL kernelParams where the kernel takes none. */
CASE(node, kernel_no_params)
{
    CUgraph g;
    CUgraphNode n = NULL;
    void *none[1] = { NULL };
    CUDA_KERNEL_NODE_PARAMS k = kparams(kernel(t, "nop"), 1, 1, NULL), o;
    risky();
    G0(g);
    R("null", cuGraphAddKernelNode(&n, g, NULL, 0, &k));
    memset(&o, 0x33, sizeof o);
    OK(cuGraphKernelNodeGetParams(n, &o));
    say(t, " params_null=%d extra_null=%d", o.kernelParams == NULL, o.extra == NULL);
    k.kernelParams = none;
    R("array", cuGraphAddKernelNode(&n, g, NULL, 0, &k));
    R("run", launch_graph_once(g));
}

/* NULL kernelParams where the kernel takes one. */
CASE(node, kernel_params_missing)
{
    CUgraph g;
    CUgraphNode n = SENT_N;
    CUDA_KERNEL_NODE_PARAMS k = kparams(kernel(t, "inc"), 1, 1, NULL);
    risky();
    G0(g);
    R("add", cuGraphAddKernelNode(&n, g, NULL, 0, &k));
    say(t, " out=%s n=%zu", nstate(n), nnodes(g));
}

/* Arguments in one buffer through extra; what the getter then returns. */
CASE(node, kernel_extra)
{
    CUgraph g;
    CUgraphNode n = NULL;
    CUdeviceptr d = dalloc(t, 64);
    unsigned v = 55, w = 66;
    char buf[16];
    size_t sz = 12;
    void *extra[] = { CU_LAUNCH_PARAM_BUFFER_POINTER, buf, CU_LAUNCH_PARAM_BUFFER_SIZE, &sz,
                      CU_LAUNCH_PARAM_END };
    void *args[] = { &d, &w };
    CUDA_KERNEL_NODE_PARAMS k = kparams(kernel(t, "put"), 1, 1, NULL), o;
    risky();
    memset(buf, 0, sizeof buf);
    memcpy(buf, &d, 8);
    memcpy(buf + 8, &v, 4);
    k.extra = extra;
    G0(g);
    R("add", cuGraphAddKernelNode(&n, g, NULL, 0, &k));
    if (!n) return;
    memset(buf, 0, sizeof buf);
    memset(&o, 0x33, sizeof o);
    R("get", cuGraphKernelNodeGetParams(n, &o));
    say(t, " params=%s extra=%s", o.kernelParams ? "set" : "null",
        o.extra == NULL    ? "null"
        : o.extra == extra ? "mine"
                           : "set");
    R("run", launch_graph_once(g));
    say(t, " v=%u", dread(t, d));
    k.extra = NULL;
    k.kernelParams = args;
    R("set", cuGraphKernelNodeSetParams(n, &k));
    memset(&o, 0x33, sizeof o);
    R("get2", cuGraphKernelNodeGetParams(n, &o));
    say(t, " params=%s extra=%s", o.kernelParams ? "set" : "null",
        o.extra == NULL ? "null" : "set");
    R("run2", launch_graph_once(g));
    say(t, " v=%u", dread(t, d));
}

/* Setting parameters: a new function and shape; a bad set changes nothing. */
CASE(node, kernel_set)
{
    CUgraph g;
    CUgraphNode n;
    CUdeviceptr d = dalloc(t, 64);
    unsigned m = 2, a = 5;
    void *one[] = { &d }, *three[] = { &d, &m, &a };
    CUDA_KERNEL_NODE_PARAMS k = kparams(kernel(t, "inc"), 1, 1, one), o, bad;
    G0(g);
    OK(cuGraphAddKernelNode(&n, g, NULL, 0, &k));
    R("run", launch_graph_once(g));
    say(t, " v=%u", dread(t, d));
    k = kparams(kernel(t, "mul_add"), 1, 1, three);
    R("func", cuGraphKernelNodeSetParams(n, &k));
    R("run2", launch_graph_once(g));
    say(t, " v=%u", dread(t, d));
    bad = k;
    bad.gridDimX = 0;
    R("bad_grid", cuGraphKernelNodeSetParams(n, &bad));
    bad = k;
    bad.blockDimX = 2000;
    R("bad_block", cuGraphKernelNodeSetParams(n, &bad));
    OK(cuGraphKernelNodeGetParams(n, &o));
    say(t, " grid=%u block=%u", o.gridDimX, o.blockDimX);
    k = kparams(kernel(t, "dims"), 3, 4, one);
    k.gridDimY = 2;
    R("dims", cuGraphKernelNodeSetParams(n, &k));
    OK(cuMemsetD8(d, 0, 64));
    OK(cuCtxSynchronize());
    R("run3", launch_graph_once(g));
    for (int i = 0; i < 7; i++) say(t, " %u", dread(t, d + 4u * (unsigned)i));
}
