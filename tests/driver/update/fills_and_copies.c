/* SPDX-License-Identifier: Apache-2.0
 *
 * Changed executables: fills and copies.
 */
#include "changes.h"

/* Launch a memset executable over a zeroed 512-byte buffer: bytes set, first
 * and last of them. */
static void set_run(T *t, CUgraphExec x, CUstream s, CUdeviceptr p)
{
    static unsigned char b[512];
    unsigned n = 0, first = 999, last = 999;
    zero_memory(t, p, 512);
    CUresult r = go(x, s);
    if (cuMemcpyDtoH(b, p, 512)) say(t, " read");
    for (unsigned i = 0; i < 512; i++)
        if (b[i]) {
            n++;
            if (first == 999) first = i;
            last = i;
        }
    say(t, ":%s:%u@%u-%u", ename(r), n, first, last);
}

typedef struct {
    const char *label;
    size_t off;
    unsigned v, el;
    size_t w, h, pitch;
} SetChange;

/* Each change on an executable of its own: by node, or by a whole-graph update. */
static void set_changes(T *t, int whole, size_t w, size_t h, size_t pitch, const SetChange *c,
                        size_t n)
{
    CUdeviceptr p = dalloc(t, 512);
    CUstream s;
    S0(s);
    for (size_t i = 0; i < n; i++) {
        CUgraph g, g2;
        CUgraphNode m, m2;
        CUgraphExec x;
        CUDA_MEMSET_NODE_PARAMS a = mset(p, 0x01010101, 4, w, h, pitch),
                                b = mset(p + c[i].off, c[i].v, c[i].el, c[i].w, c[i].h, c[i].pitch);
        G0(g);
        OK(cuGraphAddMemsetNode(&m, g, NULL, 0, &a, t->ctx));
        INST(x, g);
        if (whole) {
            G0(g2);
            OK(cuGraphAddMemsetNode(&m2, g2, NULL, 0, &b, t->ctx));
            update_say(t, c[i].label, x, g2, &m2, 1);
        } else
            say(t, " %s=%s", c[i].label, ename(cuGraphExecMemsetNodeSetParams(x, m, &b, t->ctx)));
        set_run(t, x, s, p);
    }
}

/* A 1D memset of 8 words: which changes an executable takes. */
static void memset_1d(T *t, int whole)
{
    static const SetChange c[] = {
        { "same", 0, 0x01010101, 4, 8, 1, 0 },
        { "value", 0, 0x02000000, 4, 8, 1, 0 },
        { "dst", 128, 0x01010101, 4, 8, 1, 0 },
        { "narrow", 0, 0x01010101, 4, 3, 1, 0 },
        { "one", 0, 0x01010101, 4, 1, 1, 0 },
        { "wide", 0, 0x01010101, 4, 16, 1, 0 },
        { "wider", 0, 0x01010101, 4, 128, 1, 0 },
        { "el2", 0, 0x0101, 2, 16, 1, 0 },
        { "el1", 0, 1, 1, 32, 1, 0 },
        { "el1_short", 0, 1, 1, 8, 1, 0 },
        { "el1_odd", 1, 1, 1, 7, 1, 0 },
        { "pitch", 0, 0x01010101, 4, 8, 1, 64 },
        { "rows", 0, 0x01010101, 4, 8, 2, 64 },
        { "rows_dense", 0, 0x01010101, 4, 8, 2, 32 },
    };
    set_changes(t, whole, 8, 1, 0, c, COUNT(c));
}
CASE(update, memset_1d)
{
    memset_1d(t, 0);
}
CASE(update, whole_memset_1d)
{
    memset_1d(t, 1);
}

/* A 2D memset of 4 rows of 4 words at pitch 32. */
static void memset_2d(T *t, int whole)
{
    static const SetChange c[] = {
        { "same", 0, 0x01010101, 4, 4, 4, 32 },    { "value", 0, 0x02000000, 4, 4, 4, 32 },
        { "dst", 128, 0x01010101, 4, 4, 4, 32 },   { "narrow", 0, 0x01010101, 4, 2, 4, 32 },
        { "wide", 0, 0x01010101, 4, 8, 4, 32 },    { "fewer", 0, 0x01010101, 4, 4, 2, 32 },
        { "more", 0, 0x01010101, 4, 4, 8, 32 },    { "pitch", 0, 0x01010101, 4, 4, 4, 64 },
        { "el2", 0, 0x0101, 2, 8, 4, 32 },         { "row", 0, 0x01010101, 4, 4, 1, 32 },
        { "row_all", 0, 0x01010101, 4, 16, 1, 0 },
    };
    set_changes(t, whole, 4, 4, 32, c, COUNT(c));
}
CASE(update, memset_2d)
{
    memset_2d(t, 0);
}

/* Change the only node of x, a copy: by node, or by a whole-graph update. */
static CUresult copy_change(T *t, int whole, CUgraphExec x, CUgraphNode n, const CUDA_MEMCPY3D *c,
                            CUgraphExecUpdateResult *why)
{
    CUgraph g = NULL;
    CUgraphNode m;
    CUgraphExecUpdateResultInfo i = { .result = (CUgraphExecUpdateResult)77 };
    *why = (CUgraphExecUpdateResult)77;
    if (!whole) return cuGraphExecMemcpyNodeSetParams(x, n, c, t->ctx);
    CUresult r = cuGraphCreate(&g, 0);
    if (!r) r = cuGraphAddMemcpyNode(&m, g, NULL, 0, c, t->ctx);
    if (r) return r;
    r = cuGraphExecUpdate(x, g, &i);
    *why = i.result;
    return r;
}
static void copy_say(T *t, int whole, const char *label, CUgraphExec x, CUgraphNode n,
                     const CUDA_MEMCPY3D *c)
{
    CUgraphExecUpdateResult why;
    CUresult r = copy_change(t, whole, x, n, c, &why);
    say(t, " %s=%s", label, ename(r));
    if (whole) say(t, ":%s", uname_(why));
}

/* New addresses and sizes of a device-to-device copy of 16 bytes. */
static void memcpy_1d(T *t, int whole)
{
    static const struct {
        const char *label;
        unsigned dst, src, n;
    } v[] = {
        { "same", 0, 0, 16 },   { "dst", 64, 0, 16 }, { "src", 0, 128, 16 },
        { "both", 32, 64, 16 }, { "small", 0, 0, 4 }, { "odd", 1, 3, 5 },
        { "large", 0, 0, 256 }, { "zero", 0, 0, 0 },  { "self", 0, 512, 16 },
    };
    CUdeviceptr src = dalloc(t, 512), dst = dalloc(t, 512);
    CUstream s;
    static unsigned char init[512], b[512];
    for (unsigned i = 0; i < 512; i++) init[i] = (unsigned char)(i % 251 + 1);
    OK(cuMemcpyHtoD(src, init, 512));
    S0(s);
    for (size_t i = 0; i < COUNT(v); i++) {
        CUgraph g;
        CUgraphNode n;
        CUgraphExec x;
        unsigned k = 0, first = 999;
        G0(g);
        OK(add_device_copy(t, &n, g, NULL, 0, dst, src, 16));
        INST(x, g);
        CUDA_MEMCPY3D c =
            device_copy_params(dst + v[i].dst, v[i].src == 512 ? dst : src + v[i].src, v[i].n);
        copy_say(t, whole, v[i].label, x, n, &c);
        zero_memory(t, dst, 512);
        CUresult r = go(x, s);
        OK(cuMemcpyDtoH(b, dst, 512));
        for (unsigned j = 0; j < 512; j++)
            if (b[j]) {
                if (!k++) first = j;
            }
        say(t, ":%s:%u@%u=%u", ename(r), k, first, first < 512 ? b[first] : 0u);
    }
}

CASE(update, whole_memcpy_1d)
{
    memcpy_1d(t, 1);
}

/* Bad copy parameters and nodes; unified addresses; what still runs. */
CASE(update, memcpy_errors)
{
    CUgraph g, o;
    CUgraphNode n, k, on;
    CUgraphExec x;
    CUstream s;
    CUdeviceptr p = dalloc(t, 32);
    CUDA_MEMCPY3D c = device_copy_params(p + 4, p, 4);
    S0(s);
    OK(cuMemsetD32(p, 5, 1));
    OK(cuCtxSynchronize()); /* the other stream would not wait */
    G0(g);
    OK(cuGraphAddMemcpyNode(&n, g, NULL, 0, &c, t->ctx));
    OK(add_ma(t, &k, g, &n, 1, p + 8, 1, 1));
    G0(o);
    OK(cuGraphAddMemcpyNode(&on, o, NULL, 0, &c, t->ctx));
    INST(x, g);
    c = device_copy_params(p + 12, p, 4);
    R("null_exec", cuGraphExecMemcpyNodeSetParams(NULL, n, &c, t->ctx));
    R("null_node", cuGraphExecMemcpyNodeSetParams(x, NULL, &c, t->ctx));
    R("null_params", cuGraphExecMemcpyNodeSetParams(x, n, NULL, t->ctx));
    R("kernel_node", cuGraphExecMemcpyNodeSetParams(x, k, &c, t->ctx));
    R("other_graph", cuGraphExecMemcpyNodeSetParams(x, on, &c, t->ctx));
    const struct {
        const char *label;
        CUdeviceptr dst, src;
        int type;
        size_t depth;
    } bad[] = {
        { "src0", p + 12, 0, CU_MEMORYTYPE_DEVICE, 1 },
        { "dst0", 0, p, CU_MEMORYTYPE_DEVICE, 1 },
        { "type9", p + 12, p, 9, 1 },
        { "depth0", p + 12, p, CU_MEMORYTYPE_DEVICE, 0 },
    };
    for (size_t i = 0; i < COUNT(bad); i++) {
        c = device_copy_params(bad[i].dst, bad[i].src, 4);
        c.srcMemoryType = (CUmemorytype)bad[i].type;
        c.Depth = bad[i].depth;
        R(bad[i].label, cuGraphExecMemcpyNodeSetParams(x, n, &c, t->ctx));
    }
    say_go(t, x, s, p, 4);
    c = device_copy_params(p + 12, p, 4);
    R("null_ctx", cuGraphExecMemcpyNodeSetParams(x, n, &c, NULL));
    say_go(t, x, s, p, 4);
    c = device_copy_params(p + 16, p, 4);
    c.srcMemoryType = c.dstMemoryType = CU_MEMORYTYPE_UNIFIED;
    R("unified", cuGraphExecMemcpyNodeSetParams(x, n, &c, t->ctx));
    say_go(t, x, s, p, 5);
    c = device_copy_params(p + 20, p, 4);
    c.srcXInBytes = 4;
    c.dstXInBytes = 8;
    c.srcPitch = c.dstPitch = 32;
    R("offsets", cuGraphExecMemcpyNodeSetParams(x, n, &c, t->ctx));
    say_go(t, x, s, p, 8);
}
