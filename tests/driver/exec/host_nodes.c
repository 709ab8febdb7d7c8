/* SPDX-License-Identifier: Apache-2.0
 *
 * Executables: host nodes.
 */
#include "executables.h"

/* A 1D copy; host pointers where the host argument is given. */
static CUresult add_copy(T *t, CUgraphNode *n, CUgraph g, const CUgraphNode *deps, size_t nd,
                         void *hdst, CUdeviceptr ddst, const void *hsrc, CUdeviceptr dsrc,
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
    c.srcPitch = c.dstPitch = bytes;
    c.WidthInBytes = bytes;
    c.Height = c.Depth = 1;
    return cuGraphAddMemcpyNode(n, g, deps, nd, &c, t->ctx);
}
/* Edges from[i] -> to[i] that the n log entries from base on do not respect,
 * and ids 0..n-1 that do not occur exactly once there. */
static int broken(int base, int n, const int *from, const int *to, int ne)
{
    int bad = 0, at[256];
    for (int i = 0; i < n; i++) at[i] = -1;
    for (int i = 0; i < n; i++) {
        int v = base + i < LOAD(note_count) ? LOAD(notes[base + i]) : -1;
        if (v < 0 || v >= n || at[v] >= 0)
            bad++;
        else
            at[v] = i;
    }
    for (int i = 0; i < ne; i++)
        if (at[from[i]] >= at[to[i]]) bad++;
    return bad;
}

/* A diamond, a fan out and in over eight, and a bipartite pair of layers:
 * broken edges over four launches, and how many nodes ran. */
CASE(exec, host_shapes)
{
    static const char *const name[] = { "diamond", "fan", "layers" };
    for (int sh = 0; sh < 3; sh++) {
        int from[64], to[64], ne = 0, nn = 0, bad = 0;
        CUgraph g;
        CUgraphNode n[16];
        CUgraphExec x;
        CUstream s;
        if (sh < 2) {
            int wide = sh ? 8 : 2;
            nn = wide + 2;
            for (int i = 1; i <= wide; i++) {
                from[ne] = 0;
                to[ne++] = i;
                from[ne] = i;
                to[ne++] = wide + 1;
            }
        } else {
            nn = 10;
            for (int i = 0; i < 5; i++)
                for (int j = 5; j < 10; j++) {
                    from[ne] = i;
                    to[ne++] = j;
                }
        }
        STORE(note_count, 0);
        S0(s);
        G0(g);
        for (int i = 0; i < nn; i++) OK(add_note(&n[i], g, NULL, 0, i));
        for (int i = 0; i < ne; i++) OK(cuGraphAddDependencies(g, &n[from[i]], &n[to[i]], NULL, 1));
        INST(x, g);
        for (int i = 0; i < 4; i++) OK(cuGraphLaunch(x, s));
        R(name[sh], cuStreamSynchronize(s));
        for (int i = 0; i < 4; i++) bad += broken(i * nn, nn, from, to, ne);
        say(t, " runs=%d/%d broken=%d", note_count, 4 * nn, bad);
    }
}

/* A host node sees what the kernel before it wrote to pinned memory, and the
 * kernel after it sees what the host node wrote. */
typedef struct {
    volatile uint32_t *h;
    uint32_t saw[4];
    int k;
} Peek;
static void CUDA_CB peek(void *p)
{
    Peek *k = p;
    uint32_t v = *k->h;
    if (k->k < 4) k->saw[k->k] = v;
    k->k++;
    *k->h = v + 100;
}
CASE(exec, host_between_kernels)
{
    static Peek pk;
    CUgraph g;
    CUgraphNode a, b, c;
    CUgraphExec x;
    CUstream s;
    CUdeviceptr d;
    PIN(pk.h, d);
    S0(s);
    G0(g);
    OK(add_ma(t, &a, g, NULL, 0, d, 1, 1));
    OK(add_host(&b, g, &a, 1, peek, &pk));
    OK(add_ma(t, &c, g, &b, 1, d, 2, 0));
    INST(x, g);
    OK(cuGraphLaunch(x, s));
    OK(cuGraphLaunch(x, s));
    R("sync", cuStreamSynchronize(s));
    say(t, " saw=%u,%u v=%u", pk.saw[0], pk.saw[1], *pk.h);
}

/* A DtoH copy to pageable memory is done before the host node behind it; the
 * host node's store is what an HtoD copy behind it takes. */
static void CUDA_CB double_word(void *p)
{
    uint32_t *w = p;
    w[1] = w[0] * 2;
}
CASE(exec, host_between_copies)
{
    static uint32_t w[2];
    CUgraph g;
    CUgraphNode a, b, c, d;
    CUgraphExec x;
    CUstream s;
    CUdeviceptr p = dalloc(t, 8);
    S0(s);
    G0(g);
    OK(add_ma(t, &a, g, NULL, 0, p, 1, 3));
    OK(add_copy(t, &b, g, &a, 1, &w[0], 0, NULL, p, 4));
    OK(add_host(&c, g, &b, 1, double_word, w));
    OK(add_copy(t, &d, g, &c, 1, NULL, p + 4, &w[1], 0, 4));
    INST(x, g);
    R("go", go(x, s));
    say(t, " w=%u,%u v=%u", w[0], w[1], dread(t, p + 4));
    R("go", go(x, s));
    say(t, " w=%u,%u v=%u", w[0], w[1], dread(t, p + 4));
}
