/* SPDX-License-Identifier: Apache-2.0 */
#include "modes.h"

const char tiny_ptx[] = ".version 7.0\n"
                        ".target sm_75\n"
                        ".address_size 64\n"
                        ".visible .global .align 4 .u32 word;\n"
                        ".visible .entry tiny()\n"
                        "{\n"
                        "ret;\n"
                        "}\n";

static CUresult make_setting(T *t, Setting *e, unsigned flags)
{
    CUresult r;
    CUDA_MEMSET_NODE_PARAMS mp;
    CUgraphNode n = NULL;
    memset(e, 0, sizeof *e);
    e->t = t;
    e->f = kernel(t, "nop");
    e->page = aligned_alloc(4096, 4096);
    memset(e->page, 0, 4096);
    if ((r = cuModuleLoadData(&e->m, tiny_ptx))) return r;
    if ((r = cuStreamCreate(&e->s, flags))) return r;
    if ((r = cuStreamCreate(&e->o, NONBLOCKING))) return r;
    if ((r = cuEventCreate(&e->ec, 0))) return r;
    if ((r = cuEventCreate(&e->eo, 0))) return r;
    if ((r = cuEventCreate(&e->eu, 0))) return r;
    if ((r = cuMemAlloc(&e->p, 4096))) return r;
    if ((r = cuMemAlloc(&e->q, 4096))) return r;
    if ((r = cuMemAllocAsync(&e->a, 4096, e->o))) return r;
    if ((r = cuMemAllocHost(&e->h, 4096))) return r;
    memset(&mp, 0, sizeof mp);
    mp.dst = e->p;
    mp.value = 1;
    mp.elementSize = 4;
    mp.width = 1;
    mp.height = 1;
    if ((r = cuGraphCreate(&e->g, 0))) return r;
    if ((r = cuGraphAddMemsetNode(&n, e->g, NULL, 0, &mp, t->ctx))) return r;
    if ((r = cuGraphInstantiate(&e->x, e->g, 0))) return r;
    if ((r = cuEventRecord(e->eo, e->o))) return r;
    return cuCtxSynchronize();
}

typedef struct Call {
    Setting *e;
    Action a;
    int swap;
    CUresult r;
} Call;

static void call_it(void *v)
{
    Call *c = v;
    CUstreamCaptureMode m = (CUstreamCaptureMode)c->swap;
    if (c->swap >= 0) cuThreadExchangeStreamCaptureMode(&m);
    c->r = c->a(c->e);
    if (c->swap >= 0) cuThreadExchangeStreamCaptureMode(&m);
}

void say_column(T *t, const char *name, unsigned flags, CUstreamCaptureMode mode, int other,
                int swap, Action a)
{
    Setting e;
    CUgraph g = NULL;
    size_t n = 0;
    CUstreamCaptureStatus st = 99;
    CUresult r = make_setting(t, &e, flags);
    if (!r) r = cuStreamBeginCapture(e.s, mode);
    if (!r) r = cuMemsetD32Async(e.p, 65, 1, e.s);
    if (!r) r = cuEventRecord(e.ec, e.s);
    if (r) {
        say(t, " %s=SETUP:%s", name, ename(r));
        return;
    }
    Call c = { &e, a, swap, CUDA_ERROR_UNKNOWN };
    if (other)
        on_thread(t, call_it, &c);
    else
        call_it(&c);
    r = cuStreamIsCapturing(e.s, &st);
    say(t, " %s=%s,%s", name, ename(c.r), r ? ename(r) : capture_state(st));
    r = cuStreamEndCapture(e.s, &g);
    say(t, ",%s", ename(r));
    if (!r && g) {
        cuGraphGetNodes(g, NULL, &n);
        say(t, ",%zu", n);
    }
}

const char *mode_name(CUstreamCaptureMode m)
{
    switch ((int)m) {
    case GLOBAL: return "global";
    case THREAD_LOCAL: return "local";
    case RELAXED: return "relaxed";
    default: return "other";
    }
}
