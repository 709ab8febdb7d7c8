/* SPDX-License-Identifier: Apache-2.0
 *
 * Driver calls from host functions and callbacks.
 */
#include "../streams.h"

/* Calls made from inside a host function, each with its answer; a call that
 * never comes back is reported as stuck. */
typedef struct {
    T *t;
    CUstream s, other;
    CUevent e;
    CUdeviceptr p;
    CUfunction f;
    struct {
        const char *name;
        int r;
    } c[32];
    int n, fin;
} Calls;
static void call_begin(Calls *x, const char *name)
{
    x->c[x->n].name = name;
    x->c[x->n].r = -1;
    __atomic_fetch_add(&x->n, 1, __ATOMIC_SEQ_CST);
}
static void call_end(Calls *x, CUresult r)
{
    set(&x->c[x->n - 1].r, (int)r);
}
#define C(label, expr)                                                                             \
    do {                                                                                           \
        call_begin(x, label);                                                                      \
        call_end(x, (expr));                                                                       \
    } while (0)

static void calls_report(T *t, Calls *x)
{
    int fin = await_int(&x->fin, 1, 4000);
    for (int i = 0; i < get(&x->n); i++) {
        int r = get(&x->c[i].r);
        say(t, " %s=%s", x->c[i].name, r < 0 ? "stuck" : ename((CUresult)r));
    }
    say(t, " finished=%d", fin);
    if (fin) R("sync", cuCtxSynchronize());
}
static int calls_setup(T *t, Calls *x)
{
    x->t = t;
    x->f = warm(t, "nop");
    x->p = dalloc(t, 64);
    return cuStreamCreate(&x->s, CU_STREAM_NON_BLOCKING) ||
           cuStreamCreate(&x->other, CU_STREAM_NON_BLOCKING) ||
           cuEventCreate(&x->e, CU_EVENT_DISABLE_TIMING) || cuEventRecord(x->e, x->other) ||
           cuCtxSynchronize();
}

static void CUDA_CB in_create(void *p)
{
    Calls *x = p;
    CUstream s = NULL;
    CUevent e = NULL;
    CUdeviceptr d = 0;
    CUgraph g = NULL;
    CUfunction f = NULL;
    void *v = NULL;
    C("stream_create", cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    C("event_create", cuEventCreate(&e, 0));
    C("mem_alloc", cuMemAlloc(&d, 64));
    C("host_alloc", cuMemHostAlloc(&v, 64, 0));
    d = 0;
    C("alloc_async", cuMemAllocAsync(&d, 64, x->other));
    C("graph_create", cuGraphCreate(&g, 0));
    C("get_function", cuModuleGetFunction(&f, x->t->mod, "inc"));
    C("ctx_set_current", cuCtxSetCurrent(x->t->ctx));
    C("event_destroy", cuEventDestroy(x->e));
    C("mem_free", cuMemFree(x->p));
    C("stream_destroy", cuStreamDestroy(x->other));
    set(&x->fin, 1);
}
/* Calls that make or destroy something. */
CASE(hostfn, calls_that_create)
{
    static Calls x;
    if (calls_setup(t, &x)) return;
    OK(cuLaunchHostFunc(x.s, in_create, &x));
    calls_report(t, &x);
}

static void CUDA_CB in_callback(CUstream s, CUresult r, void *p)
{
    Calls *x = p;
    CUstream n = NULL;
    CUdeviceptr d = 0;
    int v = 0;
    C("device_count", cuDeviceGetCount(&v));
    C("stream_query", cuStreamQuery(s));
    C("event_query", cuEventQuery(x->e));
    C("launch", launch1(x->f, x->other, NULL));
    C("stream_create", cuStreamCreate(&n, 0));
    C("mem_alloc", cuMemAlloc(&d, 64));
    C("status", r);
    set(&x->fin, 1);
}
/* The same from a stream callback. */
CASE(hostfn, calls_in_callback)
{
    static Calls x;
    if (calls_setup(t, &x)) return;
    OK(cuStreamAddCallback(x.s, in_callback, &x, 0));
    calls_report(t, &x);
}
