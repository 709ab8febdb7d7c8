/* SPDX-License-Identifier: Apache-2.0
 *
 * What a failed kernel leaves behind.
 */
#include "context_state.h"

typedef struct {
    CUstream s, o;
    CUevent before, after, timed;
    CUdeviceptr p;
    CUfunction put, nop;
    CUgraphExec x;
    void *h;
    int n;
} Pre;
static CUresult prepare(T *t, Pre *a)
{
    CUgraph g = NULL;
    CUgraphNode nd;
    CUresult r;
    a->put = warm(t, "put");
    a->nop = warm(t, "nop");
    kernel(t, "crash");
    kernel(t, "badstore");
    a->p = dalloc(t, 64);
    if ((r = cuStreamCreate(&a->s, CU_STREAM_NON_BLOCKING))) return r;
    if ((r = cuStreamCreate(&a->o, CU_STREAM_NON_BLOCKING))) return r;
    if ((r = cuEventCreate(&a->before, CU_EVENT_DISABLE_TIMING))) return r;
    if ((r = cuEventCreate(&a->after, CU_EVENT_DISABLE_TIMING))) return r;
    if ((r = cuEventCreate(&a->timed, 0))) return r;
    if ((r = cuMemHostAlloc(&a->h, 4096, 0))) return r;
    CUDA_KERNEL_NODE_PARAMS k = { .func = a->nop,
                                  .gridDimX = 1,
                                  .gridDimY = 1,
                                  .gridDimZ = 1,
                                  .blockDimX = 1,
                                  .blockDimY = 1,
                                  .blockDimZ = 1 };
    if ((r = cuGraphCreate(&g, 0))) return r;
    if ((r = cuGraphAddKernelNode(&nd, g, NULL, 0, &k))) return r;
    if ((r = cuGraphInstantiate(&a->x, g, 0))) return r;
    if ((r = cuEventRecord(a->before, a->s))) return r;
    if ((r = cuEventRecord(a->timed, a->s))) return r;
    return cuCtxSynchronize();
}
static CUresult crash(T *t, CUstream s)
{
    return launch1(kernel(t, "crash"), s, NULL);
}
static CUresult badstore(T *t, CUstream s)
{
    CUdeviceptr z = 0;
    return launch1(kernel(t, "badstore"), s, (void *[]){ &z });
}

static void aftermath_waits(T *t, Pre *a)
{
    float ms = 0;
    R("sync", cuStreamSynchronize(a->s));
    R("sync_again", cuStreamSynchronize(a->s));
    R("query", cuStreamQuery(a->s));
    R("query_other", cuStreamQuery(a->o));
    R("query_null", cuStreamQuery(NULL));
    R("sync_other", cuStreamSynchronize(a->o));
    R("ctx_sync", cuCtxSynchronize());
    R("ev_before", cuEventQuery(a->before));
    R("ev_after", cuEventQuery(a->after));
    R("ev_before_sync", cuEventSynchronize(a->before));
    R("ev_after_sync", cuEventSynchronize(a->after));
    R("elapsed", cuEventElapsedTime(&ms, a->timed, a->timed));
}
static void aftermath_work(T *t, Pre *a)
{
    static uint32_t h;
    R("launch", launch1(a->nop, a->o, NULL));
    R("memset", cuMemsetD32Async(a->p, 0, 1, a->o));
    R("memset_sync", cuMemsetD32(a->p, 0, 1));
    R("htod", cuMemcpyHtoD(a->p, &h, 4));
    R("dtoh", cuMemcpyDtoH(&h, a->p, 4));
    R("dtod", cuMemcpyDtoDAsync(a->p, a->p + 4, 4, a->o));
    R("dtoh_async", cuMemcpyDtoHAsync(a->h, a->p, 4, a->o));
    R("record", cuEventRecord(a->before, a->o));
    R("wait", cuStreamWaitEvent(a->o, a->before, 0));
    R("hostfn", cuLaunchHostFunc(a->o, count, &a->n));
    R("write", cuStreamWriteValue32(a->o, a->p, 1, 0));
    R("graph", cuGraphLaunch(a->x, a->o));
    R("zero_bytes", cuMemcpyHtoD(a->p, &h, 0));
    say(t, " hostfn_ran=%d", get(&a->n));
}
static void aftermath_make(T *t, Pre *a)
{
    CUstream s = NULL;
    CUevent e = NULL;
    CUdeviceptr d = 0;
    void *v = NULL;
    CUgraph g = NULL;
    CUgraphExec x = NULL;
    CUmodule m = NULL;
    CUfunction f = NULL;
    R("alloc", cuMemAlloc(&d, 64));
    R("alloc_async", cuMemAllocAsync(&d, 64, a->o));
    R("host_alloc", cuMemHostAlloc(&v, 64, 0));
    R("stream", cuStreamCreate(&s, 0));
    R("event", cuEventCreate(&e, 0));
    R("graph", cuGraphCreate(&g, 0));
    if (g) R("instantiate", cuGraphInstantiate(&x, g, 0));
    R("module", cuModuleLoadData(&m, ".version 7.0\n.target sm_75\n.address_size 64\n"));
    R("function", cuModuleGetFunction(&f, t->mod, "inc"));
    R("free", cuMemFree(a->p));
    R("free_host", cuMemFreeHost(a->h));
    R("event_destroy", cuEventDestroy(a->before));
    R("stream_destroy", cuStreamDestroy(a->o));
    R("exec_destroy", cuGraphExecDestroy(a->x));
    R("unload", cuModuleUnload(t->mod));
}
/* After a trap: the failure is reported by everything, or is it? */
#define AFTERMATH(name, how, what)                                                                 \
    CASE(err, name)                                                                                \
    {                                                                                              \
        static Pre a;                                                                              \
        OK(prepare(t, &a));                                                                        \
        R("launch", how(t, a.s));                                                                  \
        cuEventRecord(a.after, a.s);                                                               \
        R("first", cuCtxSynchronize());                                                            \
        what(t, &a);                                                                               \
    }
AFTERMATH(trap_then_waits, crash, aftermath_waits)
AFTERMATH(trap_then_work, crash, aftermath_work)
AFTERMATH(trap_then_make, crash, aftermath_make)

/* After a store through NULL. */
AFTERMATH(badstore_then_waits, badstore, aftermath_waits)
AFTERMATH(badstore_then_work, badstore, aftermath_work)

/* Which call is the first to report a failure that nobody waited for. */
#define FIRST(name, expr)                                                                          \
    CASE(err, first_##name)                                                                        \
    {                                                                                              \
        static Pre a;                                                                              \
        static uint32_t h;                                                                         \
        CUdeviceptr d = 0;                                                                         \
        CUstream s2 = NULL;                                                                        \
        (void)h;                                                                                   \
        (void)d;                                                                                   \
        (void)s2;                                                                                  \
        OK(prepare(t, &a));                                                                        \
        R("launch", crash(t, a.s));                                                                \
        cuEventRecord(a.after, a.s);                                                               \
        msleep(400);                                                                               \
        R(#name, expr);                                                                            \
        R("then_query", cuStreamQuery(a.s));                                                       \
        R("then_sync", cuCtxSynchronize());                                                        \
    }
FIRST(query, cuStreamQuery(a.s))
FIRST(query_other, cuStreamQuery(a.o))
FIRST(event_query, cuEventQuery(a.after))
FIRST(event_query_before, cuEventQuery(a.before))

FIRST(sync_other, cuStreamSynchronize(a.o))
FIRST(launch, launch1(a.nop, a.o, NULL))

FIRST(memcpy, cuMemcpyDtoH(&h, a.p, 4))

/* A misaligned store. */
CASE(err, misaligned_store)
{
    CUfunction f = warm(t, "put");
    CUdeviceptr p = dalloc(t, 16);
    R("launch", put(f, NULL, p + 2, 1));
    R("sync", cuCtxSynchronize());
    R("query", cuStreamQuery(NULL));
    R("alloc", cuMemAlloc(&p, 64));
}

static struct {
    CUresult r;
    int n;
} told;
static void CUDA_CB tell(CUstream s, CUresult r, void *p)
{
    told.r = r;
    __atomic_fetch_add(&told.n, 1, __ATOMIC_SEQ_CST);
}
/* Work queued behind a failure, and a host function and a callback there. */
CASE(err, queued_behind_failure)
{
    static Pre a;
    volatile uint32_t *w;
    OK(prepare(t, &a));
    w = a.h;
    w[0] = w[1] = 0;
    CUdeviceptr d = (CUdeviceptr)(uintptr_t)a.h;
    shut(t);
    OK(gate(t, a.s));
    R("before", put(a.put, a.s, d, 1));
    R("crash", crash(t, a.s));
    R("behind", put(a.put, a.s, d + 4, 1));
    R("hostfn", cuLaunchHostFunc(a.s, count, &a.n));
    R("callback", cuStreamAddCallback(a.s, tell, NULL, 0));
    gate_open(t);
    R("sync", cuStreamSynchronize(a.s));
    await_int(&told.n, 1, 1000);
    say(t, " before_ran=%u behind_ran=%u hostfn=%d callback=%d", w[0], w[1], get(&a.n),
        get(&told.n));
    if (get(&told.n)) say(t, " status=%s", ename(told.r));
}

/* Another context of the same device after a failure. */
CASE(err, failure_and_new_context)
{
    static Pre a;
    CUcontext b = NULL;
    CUdeviceptr p = 0;
    OK(prepare(t, &a));
    R("crash", crash(t, a.s));
    R("sync", cuCtxSynchronize());
    R("create", cuCtxCreate(&b, NULL, 0, t->dev));
    say_current(t, "top", t->ctx, b);
    R("alloc", cuMemAlloc(&p, 64));
    R("sync", cuCtxSynchronize());
}

/* Does resetting the primary context mend it? */
CASE(err, failure_and_reset)
{
    static Pre a;
    CUcontext c = NULL;
    CUdeviceptr p = 0;
    OK(prepare(t, &a));
    R("crash", crash(t, a.s));
    R("sync", cuCtxSynchronize());
    R("reset", cuDevicePrimaryCtxReset(0));
    say_primary_state(t, "state");
    R("current", cuCtxGetCurrent(&c));
    say(t, ":%s", c == t->ctx ? "same" : c ? "other" : "null");
    R("sync", cuCtxSynchronize());
    R("retain", cuDevicePrimaryCtxRetain(&c, 0));
    say(t, " same=%d", c == t->ctx);
    R("set", cuCtxSetCurrent(c));
    R("alloc", cuMemAlloc(&p, 64));
    R("memset", cuMemsetD32(p, 7, 1));
    R("sync", cuCtxSynchronize());
}
