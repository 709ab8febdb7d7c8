/* SPDX-License-Identifier: Apache-2.0 */
#include "conditionals.h"

void drop_exec(CUgraphExec x)
{
    if (x) cuGraphExecDestroy(x);
}

CUresult add_digit(T *t, CUgraphNode *n, CUgraph g, const CUgraphNode *deps, size_t nd,
                   CUdeviceptr p, unsigned d)
{
    return add_ma(t, n, g, deps, nd, p, 10, d);
}

CUresult node_digit(T *t, CUgraphNode n, CUdeviceptr p, unsigned d)
{
    return node_ma(t, n, p, 10, d);
}

CUresult add_put(T *t, CUgraphNode *n, CUgraph g, const CUgraphNode *deps, size_t nd, CUdeviceptr p,
                 unsigned v)
{
    void *args[] = { &p, &v };
    return add_kernel(n, g, deps, nd, kernel(t, "put"), args);
}

CUresult add_setcond(T *t, CUgraphNode *n, CUgraph g, const CUgraphNode *deps, size_t nd,
                     CUgraphConditionalHandle h, unsigned v)
{
    void *args[] = { &h, &v };
    return add_kernel(n, g, deps, nd, cond_kernel(t, "setcond"), args);
}

CUresult add_setcond_from(T *t, CUgraphNode *n, CUgraph g, const CUgraphNode *deps, size_t nd,
                          CUgraphConditionalHandle h, CUdeviceptr p)
{
    void *args[] = { &h, &p };
    return add_kernel(n, g, deps, nd, cond_kernel(t, "cond_from"), args);
}

CUresult add_setcond_countdown(T *t, CUgraphNode *n, CUgraph g, const CUgraphNode *deps, size_t nd,
                               CUgraphConditionalHandle h, CUdeviceptr p)
{
    void *args[] = { &h, &p };
    return add_kernel(n, g, deps, nd, cond_kernel(t, "countdown"), args);
}

CUresult add_memset(T *t, CUgraphNode *n, CUgraph g, const CUgraphNode *deps, size_t nd,
                    CUdeviceptr p, unsigned v, size_t w, size_t h, size_t pitch)
{
    CUDA_MEMSET_NODE_PARAMS m = {
        .dst = p, .pitch = pitch, .value = v, .elementSize = 4, .width = w, .height = h
    };
    return cuGraphAddMemsetNode(n, g, deps, nd, &m, t->ctx);
}

CUDA_MEMCPY3D linear_copy_params(void *hdst, CUdeviceptr ddst, const void *hsrc, CUdeviceptr dsrc,
                                 size_t bytes)
{
    CUDA_MEMCPY3D c;
    memset(&c, 0, sizeof c);
    c.srcMemoryType = hsrc ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
    c.srcHost = hsrc;
    c.srcDevice = hsrc ? 0 : dsrc;
    c.dstMemoryType = hdst ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
    c.dstHost = hdst;
    c.dstDevice = hdst ? 0 : ddst;
    c.WidthInBytes = bytes;
    c.Height = c.Depth = 1;
    return c;
}

CUresult add_copy(T *t, CUgraphNode *n, CUgraph g, const CUgraphNode *deps, size_t nd, void *hdst,
                  CUdeviceptr ddst, const void *hsrc, CUdeviceptr dsrc, size_t bytes)
{
    CUDA_MEMCPY3D c = linear_copy_params(hdst, ddst, hsrc, dsrc, bytes);
    return cuGraphAddMemcpyNode(n, g, deps, nd, &c, t->ctx);
}

CUgraphNodeParams conditional_params(T *t, CUgraphConditionalHandle h, int type, unsigned size)
{
    CUgraphNodeParams p;
    memset(&p, 0, sizeof p);
    p.type = CU_GRAPH_NODE_TYPE_CONDITIONAL;
    p.conditional.handle = h;
    p.conditional.type = (CUgraphConditionalNodeType)type;
    p.conditional.size = size;
    p.conditional.ctx = t->ctx;
    return p;
}

CUresult add_conditional(T *t, CUgraphNode *n, CUgraph g, const CUgraphNode *deps, size_t nd,
                         CUgraphConditionalHandle h, int type, unsigned size, CUgraph *body)
{
    CUgraphNodeParams p = conditional_params(t, h, type, size);
    CUresult r = cuGraphAddNode(n, g, deps, NULL, nd, &p);
    for (unsigned i = 0; i < size; i++) body[i] = r ? NULL : p.conditional.phGraph_out[i];
    return r;
}

int say_launch(T *t, const char *label, CUgraphExec x, CUstream s)
{
    CUresult r = cuGraphLaunch(x, s), q;
    for (int i = 0; (q = cuStreamQuery(s)) == CUDA_ERROR_NOT_READY; i++) {
        if (i == 5200) {
            say(t, " %s=STUCK", label);
            return 1;
        }
        if (i >= 200) msleep(1);
    }
    say(t, " %s=%s", label, ename(r ? r : q));
    return 0;
}

int say_run_from(T *t, const char *label, CUgraphExec x, CUstream s, CUdeviceptr p, unsigned v)
{
    CUresult r = cuMemsetD32(p, v, 1);
    if (!r) r = cuCtxSynchronize();
    if (r) {
        say(t, " %s=before:%s", label, ename(r));
        return 1;
    }
    if (say_launch(t, label, x, s)) return 1;
    say(t, ":%u", dread(t, p));
    return 0;
}

void put_word(T *t, CUdeviceptr p, unsigned v)
{
    CUresult r = cuMemsetD32(p, v, 1);
    if (!r) r = cuCtxSynchronize();
    if (r) say(t, " put=%s", ename(r));
}

CUresult build_simple(T *t, Simple *o, CUdeviceptr p, unsigned def, unsigned flags, int v,
                      unsigned d, unsigned e)
{
    memset(o, 0, sizeof *o);
    CUresult r = cuGraphCreate(&o->g, 0);
    if (!r) r = cuGraphConditionalHandleCreate(&o->h, o->g, t->ctx, def, flags);
    if (!r && v >= 0) r = add_setcond(t, &o->set, o->g, NULL, 0, o->h, (unsigned)v);
    if (!r) r = add_conditional(t, &o->cond, o->g, &o->set, v >= 0, o->h, IF, 1, &o->body);
    if (!r) r = add_digit(t, &o->k, o->body, NULL, 0, p, d);
    if (!r) r = add_digit(t, &o->after, o->g, &o->cond, 1, p, e);
    return r;
}
