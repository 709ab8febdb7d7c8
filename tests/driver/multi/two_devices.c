/* SPDX-License-Identifier: Apache-2.0 */
#include "two_devices.h"

T *second_device(T *t)
{
    static T u;
    int n = 0;
    if (cuDeviceGetCount(&n) || n < 2) {
        say(t, " one_device");
        return NULL;
    }
    CUresult r = cuDeviceGet(&u.dev, 1);
    if (!r) r = cuDevicePrimaryCtxRetain(&u.ctx, u.dev);
    if (r) {
        say(t, " SETUP:second=%s", ename(r));
        return NULL;
    }
    return &u;
}

const char *context_name(T *t, T *u, CUcontext c)
{
    return !c ? "null" : c == t->ctx ? "ctx0" : c == u->ctx ? "ctx1" : "other";
}

static void enter_context(T *x)
{
    cuCtxPushCurrent(x->ctx);
}

static void leave_context(void)
{
    CUcontext c;
    cuCtxPopCurrent(&c);
}

CUresult create_stream_on(T *x, CUstream *s, unsigned fl)
{
    enter_context(x);
    CUresult r = cuStreamCreate(s, fl);
    leave_context();
    return r;
}

CUresult create_event_on(T *x, CUevent *e, unsigned fl)
{
    enter_context(x);
    CUresult r = cuEventCreate(e, fl);
    leave_context();
    return r;
}

CUdeviceptr memory_on(T *x, size_t n)
{
    enter_context(x);
    CUdeviceptr p = dalloc(x, n);
    leave_context();
    return p;
}

CUresult pinned_on(T *x, volatile uint32_t **h, CUdeviceptr *d, size_t n)
{
    void *v = NULL;
    enter_context(x);
    CUresult r = cuMemHostAlloc(&v, n, CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP);
    if (!r) memset(v, 0, n);
    if (!r) r = cuMemHostGetDevicePointer(d, v, 0);
    leave_context();
    *h = v;
    return r;
}

CUresult settle_device(T *x)
{
    enter_context(x);
    CUresult r = cuCtxSynchronize();
    leave_context();
    return r;
}

unsigned word_at(T *t, T *x, CUdeviceptr p)
{
    unsigned v = 0xdead;
    enter_context(x);
    CUresult r = cuMemcpyDtoH(&v, p, 4);
    leave_context();
    if (r) say(t, " read=%s", ename(r));
    return v;
}

CUresult set_word(T *x, CUdeviceptr p, unsigned v)
{
    enter_context(x);
    CUresult r = cuMemcpyHtoD(p, &v, 4);
    if (!r) r = cuCtxSynchronize();
    leave_context();
    return r;
}

CUfunction warm_on(T *x, const char *name)
{
    enter_context(x);
    CUfunction f = warm(x, name);
    leave_context();
    return f;
}

static struct shutter {
    T *x;
    long at;
} shutters[2];

static long now_ms(void)
{
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return ts.tv_sec * 1000 + ts.tv_nsec / 1000000 + 1;
}

static void *guard_main(void *p)
{
    (void)p;
    for (;;) {
        msleep(100);
        for (int i = 0; i < 2; i++) {
            long at = __atomic_load_n(&shutters[i].at, __ATOMIC_SEQ_CST);
            if (at && now_ms() - at > 5000) gate_open(shutters[i].x);
        }
    }
    return NULL;
}

void shut_gate_of(T *x)
{
    static int on;
    pthread_t th;
    enter_context(x);
    gate_close(x);
    leave_context();
    shutters[x->dev & 1].x = x;
    __atomic_store_n(&shutters[x->dev & 1].at, now_ms(), __ATOMIC_SEQ_CST);
    if (!on++ && !pthread_create(&th, NULL, guard_main, NULL)) pthread_detach(th);
}

void open_gate_of(T *x)
{
    gate_open(x);
    __atomic_store_n(&shutters[x->dev & 1].at, 0, __ATOMIC_SEQ_CST);
}

CUresult gate_stream_of(T *x, CUstream s)
{
    enter_context(x);
    CUresult r = gate(x, s);
    leave_context();
    return r;
}

static void *opener_main(void *p)
{
    GateOpener *o = p;
    msleep(o->ms);
    __atomic_store_n(&o->open, 1, __ATOMIC_SEQ_CST);
    open_gate_of(o->x);
    return NULL;
}

void open_gate_later(GateOpener *o, T *x, int ms)
{
    o->x = x;
    o->ms = ms;
    o->open = 0;
    pthread_create(&o->th, NULL, opener_main, o);
}

int gate_was_opened(GateOpener *o)
{
    return __atomic_load_n(&o->open, __ATOMIC_SEQ_CST);
}

void join_opener(GateOpener *o)
{
    pthread_join(o->th, NULL);
}

int device_ordinal(CUdeviceptr p)
{
    int o = -7;
    return cuPointerGetAttribute(&o, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, p) ? -1 : o;
}

void run_graph(T *t, const char *label, CUgraph g, CUstream s)
{
    CUgraphExec x = NULL;
    CUresult r = cuGraphInstantiate(&x, g, 0), l = CUDA_SUCCESS, y = CUDA_SUCCESS;
    say(t, " %s=%s", label, ename(r));
    if (r) return;
    l = cuGraphLaunch(x, s);
    y = cuStreamSynchronize(s);
    say(t, "/%s/%s", ename(l), ename(y));
    cuGraphExecDestroy(x);
}
