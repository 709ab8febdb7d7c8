/* SPDX-License-Identifier: Apache-2.0
 *
 * Streams and events used by several threads.
 */
#include "../streams.h"

/* One worker of a crew: what it works on, and how many calls failed. */
enum { CREW = 8 };
typedef struct Worker {
    T *t;
    int i, bad, flag;
    int *go;
    CUfunction f;
    CUstream s;
    CUevent e;
    CUdeviceptr p;
    CUresult r;
    void (*fn)(struct Worker *);
} Worker;
static void *worker_main(void *p)
{
    Worker *w = p;
    w->bad += cuCtxSetCurrent(w->t->ctx) != CUDA_SUCCESS;
    if (w->go) await_int(w->go, 1, 5000);
    w->fn(w);
    return NULL;
}
/* Run fn on n threads that start together; how many calls failed in all. */
static int crew(T *t, Worker *w, int n, void (*fn)(Worker *))
{
    static int go;
    pthread_t th[CREW];
    int bad = 0;
    set(&go, 0);
    for (int i = 0; i < n; i++) {
        w[i].t = t;
        w[i].i = i;
        w[i].go = &go;
        w[i].fn = fn;
        pthread_create(&th[i], NULL, worker_main, &w[i]);
    }
    set(&go, 1);
    for (int i = 0; i < n; i++) pthread_join(th[i], NULL);
    for (int i = 0; i < n; i++) bad += w[i].bad;
    return bad;
}

static void hundred_incs(Worker *w)
{
    for (int i = 0; i < 100; i++) w->bad += inc(w->f, w->s, w->p) != CUDA_SUCCESS;
}
/* Eight threads launch a plain increment in one stream: none is lost. */
CASE(thread, one_stream)
{
    static Worker w[CREW];
    CUstream s;
    CUfunction f = warm(t, "inc");
    CUdeviceptr p = dalloc(t, 4);
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    for (int i = 0; i < CREW; i++) w[i] = (Worker){ .f = f, .s = s, .p = p };
    say(t, " bad=%d", crew(t, w, CREW, hundred_incs));
    R("sync", cuStreamSynchronize(s));
    say(t, " sum=%u", dread(t, p));
}
/* The same in the legacy stream. */
CASE(thread, legacy_stream)
{
    static Worker w[CREW];
    CUfunction f = warm(t, "inc");
    CUdeviceptr p = dalloc(t, 4);
    for (int i = 0; i < CREW; i++) w[i] = (Worker){ .f = f, .s = NULL, .p = p };
    say(t, " bad=%d", crew(t, w, CREW, hundred_incs));
    R("sync", cuStreamSynchronize(NULL));
    say(t, " sum=%u", dread(t, p));
}

static void own_stream(Worker *w)
{
    uint32_t v = 0;
    w->bad += cuStreamCreate(&w->s, CU_STREAM_NON_BLOCKING) != CUDA_SUCCESS;
    hundred_incs(w);
    w->bad += cuMemcpyDtoHAsync(&v, w->p, 4, w->s) != CUDA_SUCCESS;
    w->bad += cuStreamSynchronize(w->s) != CUDA_SUCCESS;
    w->flag = v == 100;
    w->bad += cuStreamDestroy(w->s) != CUDA_SUCCESS;
}
/* Each thread makes, uses, waits for and destroys a stream. */
CASE(thread, own_streams)
{
    static Worker w[CREW];
    CUfunction f = warm(t, "inc");
    CUdeviceptr p = dalloc(t, 4 * CREW);
    int right = 0;
    for (int i = 0; i < CREW; i++) w[i] = (Worker){ .f = f, .p = p + 4 * (unsigned)i };
    say(t, " bad=%d", crew(t, w, CREW, own_stream));
    for (int i = 0; i < CREW; i++) right += w[i].flag;
    say(t, " right=%d", right);
}

static int waiting;
static void wait_stream(Worker *w)
{
    __atomic_fetch_add(&waiting, 1, __ATOMIC_SEQ_CST);
    w->r = w->i & 1 ? cuEventSynchronize(w->e) : cuStreamSynchronize(w->s);
    w->flag = *w->t->gate_host != 0;
}
static T *late_t;
static void *late_open(void *p)
{
    await_int(&waiting, CREW, 3000);
    msleep(100);
    gate_open(late_t);
    return NULL;
}
/* Eight threads wait for one held stream, by the stream and by an event. */
CASE(thread, many_waiters)
{
    static Worker w[CREW];
    CUstream s;
    CUevent e;
    pthread_t th;
    int after = 0, ok = 0;
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    OK(cuEventCreate(&e, CU_EVENT_DISABLE_TIMING));
    shut(t);
    OK(gate(t, s));
    OK(cuEventRecord(e, s));
    late_t = t;
    pthread_create(&th, NULL, late_open, NULL);
    for (int i = 0; i < CREW; i++) w[i] = (Worker){ .s = s, .e = e };
    say(t, " bad=%d", crew(t, w, CREW, wait_stream));
    pthread_join(th, NULL);
    for (int i = 0; i < CREW; i++) {
        after += w[i].flag;
        ok += w[i].r == CUDA_SUCCESS;
    }
    say(t, " ok=%d after=%d", ok, after);
}

static int step;
static void record_side(Worker *w)
{
    w->bad += put(w->f, w->s, w->p, 12) != CUDA_SUCCESS;
    w->bad += cuEventRecord(w->e, w->s) != CUDA_SUCCESS;
    set(&step, 1);
}
static void wait_side(Worker *w)
{
    w->bad += !await_int(&step, 1, 3000);
    w->bad += cuStreamWaitEvent(w->s, w->e, 0) != CUDA_SUCCESS;
    w->bad += mad(w->f, w->s, w->p, 10, 3) != CUDA_SUCCESS;
}
static void either_side(Worker *w)
{
    if (w->i)
        wait_side(w);
    else
        record_side(w);
}
/* An event recorded by one thread is waited for in a stream by another. */
CASE(thread, event_between_threads)
{
    static Worker w[CREW];
    CUstream a, b;
    CUevent e;
    CUdeviceptr p = dalloc(t, 4);
    CUfunction fp = warm(t, "put"), fm = warm(t, "mul_add");
    OK(cuStreamCreate(&a, CU_STREAM_NON_BLOCKING));
    OK(cuStreamCreate(&b, CU_STREAM_NON_BLOCKING));
    OK(cuEventCreate(&e, CU_EVENT_DISABLE_TIMING));
    shut(t);
    OK(gate(t, a));
    w[0] = (Worker){ .f = fp, .s = a, .e = e, .p = p };
    w[1] = (Worker){ .f = fm, .s = b, .e = e, .p = p };
    say(t, " bad=%d", crew(t, w, 2, either_side));
    say(t, " b=%s", held(b));
    gate_open(t);
    R("sync", cuStreamSynchronize(b));
    say(t, " v=%u", dread(t, p));
}

struct own {
    T *t;
    CUcontext b;
    CUresult create;
    int top;
};
static void *own_main(void *arg)
{
    struct own *x = arg;
    CUcontext c = NULL;
    cuCtxSetCurrent(x->t->ctx);
    x->create = cuCtxCreate(&x->b, NULL, 0, x->t->dev);
    cuCtxGetCurrent(&c);
    x->top = c == x->b;
    return NULL;
}
/* A context made current in one thread changes nothing in another; it outlives
 * the thread that made it. */
CASE(thread, stacks_are_separate)
{
    static struct own x;
    pthread_t th;
    CUcontext c = NULL;
    CUdeviceptr p = 0;
    x.t = t;
    pthread_create(&th, NULL, own_main, &x);
    pthread_join(th, NULL);
    say(t, " create=%s top=%d", ename(x.create), x.top);
    R("here", cuCtxGetCurrent(&c));
    say(t, ":%s", c == t->ctx ? "ours" : "other");
    R("push", cuCtxPushCurrent(x.b));
    R("alloc", cuMemAlloc(&p, 64));
    R("sync", cuCtxSynchronize());
    R("destroy", cuCtxDestroy(x.b));
    R("here", cuCtxGetCurrent(&c));
    say(t, ":%s", c == t->ctx ? "ours" : "other");
}

static int ran, inside, overlapped;
static void CUDA_CB alone(void *p)
{
    if (__atomic_add_fetch(&inside, 1, __ATOMIC_SEQ_CST) > 1) set(&overlapped, 1);
    __atomic_fetch_add(&ran, 1, __ATOMIC_SEQ_CST);
    __atomic_sub_fetch(&inside, 1, __ATOMIC_SEQ_CST);
}
static void fifty_hostfns(Worker *w)
{
    for (int i = 0; i < 50; i++) w->bad += cuLaunchHostFunc(w->s, alone, NULL) != CUDA_SUCCESS;
}
/* Host functions put in one stream by four threads: all run, one at a time. */
CASE(thread, hostfns_one_stream)
{
    static Worker w[CREW];
    CUstream s;
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    for (int i = 0; i < 4; i++) w[i] = (Worker){ .s = s };
    say(t, " bad=%d", crew(t, w, 4, fifty_hostfns));
    R("sync", cuStreamSynchronize(s));
    say(t, " ran=%d overlapped=%d", get(&ran), get(&overlapped));
}

static char *ptx;
static void load_and_run(Worker *w)
{
    CUmodule m = NULL;
    CUfunction f = NULL;
    w->bad += cuModuleLoadData(&m, ptx) != CUDA_SUCCESS;
    w->bad += cuModuleGetFunction(&f, m, "put") != CUDA_SUCCESS;
    if (w->bad) return;
    w->bad += put(f, CU_STREAM_PER_THREAD, w->p, 40 + (unsigned)w->i) != CUDA_SUCCESS;
    w->bad += cuStreamSynchronize(CU_STREAM_PER_THREAD) != CUDA_SUCCESS;
    w->bad += cuModuleUnload(m) != CUDA_SUCCESS;
}
/* Modules loaded, run and unloaded by four threads at once. */
CASE(thread, modules)
{
    static Worker w[CREW];
    CUdeviceptr p = dalloc(t, 16);
    ptx = ".version 7.0\n.target sm_75\n.address_size 64\n"
          ".visible .entry put(.param .u64 p, .param .u32 v)\n{\n.reg .b32 %r<2>;\n.reg .b64 "
          "%rd<3>;\n"
          "ld.param.u64 %rd1, [p];\nld.param.u32 %r1, [v];\ncvta.to.global.u64 %rd2, "
          "%rd1;\nst.global.u32 [%rd2], %r1;\nret;\n}\n";
    for (int i = 0; i < 4; i++) w[i] = (Worker){ .p = p + 4 * (unsigned)i };
    say(t, " bad=%d", crew(t, w, 4, load_and_run));
    say(t, " v=%u,%u,%u,%u", dread(t, p), dread(t, p + 4), dread(t, p + 8), dread(t, p + 12));
}
