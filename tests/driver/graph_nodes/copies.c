/* SPDX-License-Identifier: Apache-2.0
 *
 * Copy nodes.
 */
#include "node_params.h"

static void try_memcpy(T *t, const char *label, CUDA_MEMCPY3D c)
{
    CUgraph g;
    CUgraphNode n;
    OK(cuGraphCreate(&g, 0));
    say_tried(t, label, g, cuGraphAddMemcpyNode(&n, g, NULL, 0, &c, t->ctx));
}
#define HOST CU_MEMORYTYPE_HOST

/* What goes in comes out; what fields left at zero come back as. */
CASE(node, memcpy_roundtrip)
{
    CUdeviceptr d = dalloc(t, 1024);
    static char hostbuf[64];
    CUgraph g;
    CUgraphNode n;
    CUDA_MEMCPY3D c = plain_copy_params(DEV, AS_POINTER(d), HOST, hostbuf, 16), o;
    G0(g);
#define SAY(label)                                                                                 \
    memset(&o, 0x33, sizeof o);                                                                    \
    R(label, cuGraphMemcpyNodeGetParams(n, &o));                                                   \
    say(t, " src=%d:%d,%d dst=%d:%d,%d", (int)o.srcMemoryType, o.srcHost == c.srcHost,             \
        o.srcDevice == c.srcDevice, (int)o.dstMemoryType, o.dstHost == c.dstHost,                  \
        o.dstDevice == c.dstDevice);                                                               \
    say(t, " x=%zu,%zu y=%zu,%zu z=%zu,%zu lod=%zu,%zu", o.srcXInBytes, o.dstXInBytes, o.srcY,     \
        o.dstY, o.srcZ, o.dstZ, o.srcLOD, o.dstLOD);                                               \
    say(t, " pitch=%zu,%zu height=%zu,%zu ext=%zu,%zu,%zu", o.srcPitch, o.dstPitch, o.srcHeight,   \
        o.dstHeight, o.WidthInBytes, o.Height, o.Depth)
    OK(cuGraphAddMemcpyNode(&n, g, NULL, 0, &c, t->ctx));
    SAY("h2d");
    c = plain_copy_params(DEV, AS_POINTER(d), DEV, AS_POINTER(d + 512), 8);
    c.Height = 2;
    c.srcPitch = 32;
    c.dstPitch = 16;
    c.srcXInBytes = 4;
    c.dstY = 1;
    OK(cuGraphAddMemcpyNode(&n, g, NULL, 0, &c, t->ctx));
    SAY("d2d");
    c = plain_copy_params(CU_MEMORYTYPE_UNIFIED, AS_POINTER(d), CU_MEMORYTYPE_UNIFIED,
                          AS_POINTER(d + 512), 8);
    OK(cuGraphAddMemcpyNode(&n, g, NULL, 0, &c, t->ctx));
    SAY("unified");
#undef SAY
}

/* Zero extents, null pointers, memory types, reserved fields, bad pitches. */
CASE(node, memcpy_bad)
{
    CUdeviceptr d = dalloc(t, 1024);
    static char hostbuf[64];
    CUDA_MEMCPY3D k = plain_copy_params(DEV, AS_POINTER(d), DEV, AS_POINTER(d + 512), 16), p;
#define C(label, set)                                                                              \
    p = k;                                                                                         \
    set;                                                                                           \
    try_memcpy(t, label, p)
    risky();
    C("ok", (void)0);
    C("w0", p.WidthInBytes = 0);
    C("h0", p.Height = 0);
    C("d0", p.Depth = 0);
    C("srcnull", p.srcDevice = 0);
    C("dstnull", p.dstDevice = 0);
    C("hostnull", (p.srcMemoryType = HOST, p.srcHost = NULL));
    C("type0", p.srcMemoryType = (CUmemorytype)0);
    C("type9", p.dstMemoryType = (CUmemorytype)9);
    C("lod", p.srcLOD = 1);
    C("reserved", p.reserved0 = hostbuf);
    C("h2nopitch", p.Height = 2);
    C("h2pitch8", (p.Height = 2, p.srcPitch = p.dstPitch = 8));
    C("h2pitch16", (p.Height = 2, p.srcPitch = p.dstPitch = 16));
    C("d2noheight", (p.Depth = 2, p.Height = 2, p.srcPitch = p.dstPitch = 16));
    C("d2height",
      (p.Depth = 2, p.Height = 2, p.srcPitch = p.dstPitch = 16, p.srcHeight = p.dstHeight = 2));
    C("huge", p.WidthInBytes = (size_t)1 << 40);
    C("overlap", p.srcDevice = d + 8);
    C("same", p.srcDevice = d);
#undef C
}

/* Context NULL; a device pointer given as host memory; a host pointer given
 * as device memory. */
CASE(node, memcpy_mixed_up)
{
    CUdeviceptr d = dalloc(t, 1024);
    void *pinned = NULL;
    static char hostbuf[64];
    CUgraph g;
    CUgraphNode n;
    CUDA_MEMCPY3D c = plain_copy_params(DEV, AS_POINTER(d), HOST, hostbuf, 16);
    risky();
    OK(cuMemHostAlloc(&pinned, 4096, CU_MEMHOSTALLOC_DEVICEMAP));
    G0(g);
    say_tried(t, "null_ctx", g, cuGraphAddMemcpyNode(&n, g, NULL, 0, &c, NULL));
    try_memcpy(t, "dev_as_host",
               plain_copy_params(DEV, AS_POINTER(d), HOST, AS_POINTER(d + 512), 16));
    try_memcpy(t, "pinned_as_dev", plain_copy_params(DEV, AS_POINTER(d), DEV, pinned, 16));
    try_memcpy(t, "pageable_as_dev", plain_copy_params(DEV, AS_POINTER(d), DEV, hostbuf, 16));
}

/* Every direction runs, host to host and unified too. */
CASE(node, memcpy_directions)
{
    CUdeviceptr d = dalloc(t, 1024);
    unsigned *pin = NULL;
    static unsigned page[8];
    CUgraph g;
    CUgraphNode n;
    CUDA_MEMCPY3D c;
    OK(cuMemHostAlloc((void **)&pin, 4096, CU_MEMHOSTALLOC_DEVICEMAP));
    memset(pin, 0, 4096);
#define GO(label, copy)                                                                            \
    c = copy;                                                                                      \
    G0(g);                                                                                         \
    R(label, cuGraphAddMemcpyNode(&n, g, NULL, 0, &c, t->ctx));                                    \
    say(t, ":%s", ename(launch_graph_once(g)));                                                    \
    OK(cuGraphDestroy(g))
    page[0] = 11;
    pin[0] = 22;
    GO("page_dev", plain_copy_params(DEV, AS_POINTER(d), HOST, page, 4));
    say(t, " v=%u", dread(t, d));
    GO("pin_dev", plain_copy_params(DEV, AS_POINTER(d + 4), HOST, pin, 4));
    say(t, " v=%u", dread(t, d + 4));
    GO("dev_dev", plain_copy_params(DEV, AS_POINTER(d + 8), DEV, AS_POINTER(d), 8));
    say(t, " v=%u,%u", dread(t, d + 8), dread(t, d + 12));
    GO("dev_page", plain_copy_params(HOST, page + 1, DEV, AS_POINTER(d + 12), 4));
    say(t, " v=%u", page[1]);
    GO("dev_pin", plain_copy_params(HOST, pin + 1, DEV, AS_POINTER(d), 4));
    say(t, " v=%u", pin[1]);
    GO("page_page", plain_copy_params(HOST, page + 2, HOST, page, 8));
    say(t, " v=%u,%u", page[2], page[3]);
    GO("pin_pin", plain_copy_params(HOST, pin + 2, HOST, pin, 8));
    say(t, " v=%u,%u", pin[2], pin[3]);
    GO("uni_uni",
       plain_copy_params(CU_MEMORYTYPE_UNIFIED, AS_POINTER(d + 16), CU_MEMORYTYPE_UNIFIED, pin, 4));
    say(t, " v=%u", dread(t, d + 16));
#undef GO
}

/* Host memory is read when the graph runs, not when the node is added. */
CASE(node, memcpy_reads_late)
{
    CUdeviceptr d = dalloc(t, 64);
    unsigned *pin = NULL;
    static unsigned page;
    CUgraph g;
    CUgraphNode n;
    CUgraphExec x;
    CUstream s;
    CUDA_MEMCPY3D c = plain_copy_params(DEV, AS_POINTER(d), HOST, &page, 4);
    OK(cuMemHostAlloc((void **)&pin, 4096, 0));
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    G0(g);
    page = 1;
    *pin = 1;
    OK(cuGraphAddMemcpyNode(&n, g, NULL, 0, &c, t->ctx));
    c = plain_copy_params(DEV, AS_POINTER(d + 4), HOST, pin, 4);
    OK(cuGraphAddMemcpyNode(&n, g, NULL, 0, &c, t->ctx));
    page = 2;
    *pin = 2;
    OK(cuGraphInstantiate(&x, g, 0));
    for (unsigned i = 3; i < 5; i++) {
        page = i;
        *pin = i;
        R("launch", cuGraphLaunch(x, s));
        R("sync", cuStreamSynchronize(s));
        say(t, " v=%u,%u", dread(t, d), dread(t, d + 4));
    }
}
