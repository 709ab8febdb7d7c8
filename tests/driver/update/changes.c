/* SPDX-License-Identifier: Apache-2.0 */
#include "changes.h"

CUDA_MEMCPY3D device_copy_params(CUdeviceptr dst, CUdeviceptr src, size_t bytes)
{
    CUDA_MEMCPY3D c;
    memset(&c, 0, sizeof c);
    c.srcMemoryType = c.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    c.srcDevice = src;
    c.dstDevice = dst;
    c.srcPitch = c.dstPitch = c.WidthInBytes = bytes;
    c.Height = c.Depth = 1;
    return c;
}

CUresult add_device_copy(T *t, CUgraphNode *n, CUgraph g, const CUgraphNode *deps, size_t nd,
                         CUdeviceptr dst, CUdeviceptr src, size_t bytes)
{
    CUDA_MEMCPY3D c = device_copy_params(dst, src, bytes);
    return cuGraphAddMemcpyNode(n, g, deps, nd, &c, t->ctx);
}

void say_go(T *t, CUgraphExec x, CUstream s, CUdeviceptr p, unsigned n)
{
    CUresult r = go(x, s);
    say(t, " go=%s:", ename(r));
    for (unsigned i = 0; i < n; i++) say(t, "%s%u", i ? "," : "", dread(t, p + 4 * i));
}

void zero_memory(T *t, CUdeviceptr p, size_t bytes)
{
    CUresult r = cuMemsetD8(p, 0, bytes);
    if (!r) r = cuCtxSynchronize();
    if (r) say(t, " zero=%s", ename(r));
}

void CUDA_CB count_one(void *p)
{
    __atomic_add_fetch((int *)p, 1, __ATOMIC_SEQ_CST);
}

void CUDA_CB count_hundred(void *p)
{
    __atomic_add_fetch((int *)p, 100, __ATOMIC_SEQ_CST);
}

CUgraph make_child(T *t, CUdeviceptr p, unsigned a, int *count, int nested)
{
    CUgraph c = NULL, cc = NULL;
    CUgraphNode n, m;
    CUresult r = cuGraphCreate(&c, 0);
    if (!r) r = add_ma(t, &n, c, NULL, 0, p, 1, a);
    if (!r) r = add_host(&m, c, &n, 1, count_one, count);
    if (!r && nested) {
        cc = make_child(t, p + 4, a * 10, count, 0);
        if (!cc) return NULL;
        r = cuGraphAddChildGraphNode(&n, c, &m, 1, cc);
    }
    if (r) say(t, " SETUP:child=%s", ename(r));
    return r ? NULL : c;
}
