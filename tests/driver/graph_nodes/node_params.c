/* SPDX-License-Identifier: Apache-2.0 */
#include "node_params.h"

CUresult launch_graph_once(CUgraph g)
{
    CUgraphExec x = NULL;
    CUstream s;
    CUresult r = cuGraphInstantiate(&x, g, 0), q;
    if (r) return r;
    r = cuStreamCreate(&s, CU_STREAM_NON_BLOCKING);
    if (r) return r;
    r = cuGraphLaunch(x, s);
    q = cuStreamSynchronize(s);
    cuStreamDestroy(s);
    cuGraphExecDestroy(x);
    return r ? r : q;
}

void say_tried(T *t, const char *label, CUgraph g, CUresult r)
{
    CUgraphExec x = NULL;
    say(t, " %s=%s", label, ename(r));
    if (!r) {
        r = cuGraphInstantiate(&x, g, 0);
        say(t, "/%s", ename(r));
        if (!r) cuGraphExecDestroy(x);
    }
    cuGraphDestroy(g);
}

CUDA_MEMCPY3D plain_copy_params(int dtype, void *dst, int stype, const void *src, size_t bytes)
{
    CUDA_MEMCPY3D c;
    memset(&c, 0, sizeof c);
    c.srcMemoryType = (CUmemorytype)stype;
    c.dstMemoryType = (CUmemorytype)dtype;
    if (stype == CU_MEMORYTYPE_HOST)
        c.srcHost = src;
    else
        c.srcDevice = (CUdeviceptr)(uintptr_t)src;
    if (dtype == CU_MEMORYTYPE_HOST)
        c.dstHost = dst;
    else
        c.dstDevice = (CUdeviceptr)(uintptr_t)dst;
    c.WidthInBytes = bytes;
    c.Height = c.Depth = 1;
    return c;
}
