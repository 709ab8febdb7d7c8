/* SPDX-License-Identifier: Apache-2.0
 *
 * Host functions in streams.
 */
#include "../streams.h"

/* A host function that says it is in, then waits to be let out. */
typedef struct {
    int in, out, left;
} Hold;
static void CUDA_CB hold(void *p)
{
    Hold *h = p;
    set(&h->in, 1);
    await_int(&h->out, 1, 5000);
    set(&h->left, 1);
}

/* A page of pinned host memory, its device address the same. */
static volatile uint32_t *pinned(void)
{
    void *p = NULL;
    if (cuMemHostAlloc(&p, 4096, CU_MEMHOSTALLOC_DEVICEMAP)) return NULL;
    memset(p, 0, 4096);
    return p;
}

typedef struct {
    volatile uint32_t *h;
    uint32_t saw;
} Peek;
static void CUDA_CB peek(void *p)
{
    Peek *k = p;
    k->saw = k->h[0];
    k->h[1] = k->h[0] + 100;
}
/* A host function sees what kernels before it wrote, and kernels behind it see
 * what it wrote. */
CASE(hostfn, order_with_kernels)
{
    CUstream s;
    static Peek k;
    CUfunction fp = warm(t, "put"), fc = warm(t, "copy1");
    CUdeviceptr p = dalloc(t, 4);
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    if (!(k.h = pinned())) return;
    CUdeviceptr d = (CUdeviceptr)(uintptr_t)k.h, d1 = d + 4;
    shut(t);
    OK(gate(t, s));
    OK(put(fp, s, d, 5));
    R("hostfn", cuLaunchHostFunc(s, peek, &k));
    OK(launch1(fc, s, (void *[]){ &p, &d1 }));
    OK(put(fp, s, d, 6));
    say(t, " state=%s", held(s));
    say(t, " early=%u", k.saw);
    gate_open(t);
    R("sync", cuStreamSynchronize(s));
    say(t, " saw=%u kernel_saw=%u", k.saw, dread(t, p));
}

/* No function to call; no stream; no data. */
static void CUDA_CB note_arg(void *p)
{
    (void)p;
}
static int got_null;
static void CUDA_CB want_null(void *p)
{
    set(&got_null, p == NULL ? 1 : 2);
}
CASE(hostfn, args)
{
    CUstream s;
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    R("null_fn", cuLaunchHostFunc(s, NULL, NULL));
    R("null_fn_null_stream", cuLaunchHostFunc(NULL, NULL, NULL));
    R("null_data", cuLaunchHostFunc(s, want_null, NULL));
    R("sync", cuStreamSynchronize(s));
    say(t, " null_passed=%d", get(&got_null) == 1);
    R("null_stream", cuLaunchHostFunc(NULL, note_arg, NULL));
    R("legacy", cuLaunchHostFunc(CU_STREAM_LEGACY, note_arg, NULL));
    R("per_thread", cuLaunchHostFunc(CU_STREAM_PER_THREAD, note_arg, NULL));
    R("sync", cuCtxSynchronize());
}

typedef struct {
    int *log, *n, i;
} Slot;
static void CUDA_CB append(void *p)
{
    Slot *s = p;
    s->log[__atomic_fetch_add(s->n, 1, __ATOMIC_SEQ_CST)] = s->i;
}

static pthread_t ran_on[3];
static void CUDA_CB which_thread(void *p)
{
    *(pthread_t *)p = pthread_self();
}
/* The thread that host functions run on. */
CASE(hostfn, thread)
{
    CUstream a, b;
    OK(cuStreamCreate(&a, CU_STREAM_NON_BLOCKING));
    OK(cuStreamCreate(&b, CU_STREAM_NON_BLOCKING));
    OK(cuLaunchHostFunc(a, which_thread, &ran_on[0]));
    OK(cuLaunchHostFunc(a, which_thread, &ran_on[1]));
    OK(cuStreamSynchronize(a));
    OK(cuLaunchHostFunc(b, which_thread, &ran_on[2]));
    OK(cuStreamSynchronize(b));
    say(t, " caller=%s", pthread_equal(ran_on[0], pthread_self()) ? "same" : "differ");
    say(t, " one_stream=%s", pthread_equal(ran_on[0], ran_on[1]) ? "same" : "differ");
    say(t, " two_streams=%s", pthread_equal(ran_on[0], ran_on[2]) ? "same" : "differ");
}

/* While a host function runs: its stream is busy and stands still, other
 * streams go on, an event behind it is pending. */
CASE(hostfn, holds_its_stream)
{
    static Hold h;
    CUstream a, b, c;
    CUevent before, after;
    CUfunction f = warm(t, "put");
    volatile uint32_t *w = pinned();
    if (!w) return;
    CUdeviceptr d = (CUdeviceptr)(uintptr_t)w;
    OK(cuStreamCreate(&a, CU_STREAM_NON_BLOCKING));
    OK(cuStreamCreate(&b, CU_STREAM_NON_BLOCKING));
    OK(cuStreamCreate(&c, CU_STREAM_NON_BLOCKING));
    OK(cuEventCreate(&before, CU_EVENT_DISABLE_TIMING));
    OK(cuEventCreate(&after, CU_EVENT_DISABLE_TIMING));
    OK(cuEventRecord(before, a));
    OK(cuLaunchHostFunc(a, hold, &h));
    OK(cuEventRecord(after, a));
    OK(put(f, a, d, 1));
    OK(put(f, b, d + 4, 1));
    OK(cuStreamWaitEvent(c, after, 0));
    OK(put(f, c, d + 8, 1));
    say(t, " in=%d", await_int(&h.in, 1, 2000));
    R("before", cuEventSynchronize(before));
    R("after", cuEventQuery(after));
    say(t, " a=%s b=%s c=%s", held(a), done(b), held(c));
    say(t, " w=%u,%u,%u", w[0], w[1], w[2]);
    set(&h.out, 1);
    R("sync_c", cuStreamSynchronize(c));
    R("sync_a", cuStreamSynchronize(a));
    say(t, " left=%d w=%u,%u,%u", get(&h.left), w[0], w[1], w[2]);
}

/* Ordered across streams by an event, in both directions. */
CASE(hostfn, ordered_by_event)
{
    static int log[3], n;
    static Slot sl[3];
    CUstream a, b;
    CUevent e, f;
    OK(cuStreamCreate(&a, CU_STREAM_NON_BLOCKING));
    OK(cuStreamCreate(&b, CU_STREAM_NON_BLOCKING));
    OK(cuEventCreate(&e, CU_EVENT_DISABLE_TIMING));
    OK(cuEventCreate(&f, CU_EVENT_DISABLE_TIMING));
    for (int i = 0; i < 3; i++) sl[i] = (Slot){ log, &n, i + 1 };
    shut(t);
    OK(gate(t, a));
    OK(cuLaunchHostFunc(a, append, &sl[0]));
    OK(cuEventRecord(e, a));
    OK(cuStreamWaitEvent(b, e, 0));
    OK(cuLaunchHostFunc(b, append, &sl[1]));
    OK(cuEventRecord(f, b));
    OK(cuStreamWaitEvent(a, f, 0));
    OK(cuLaunchHostFunc(a, append, &sl[2]));
    say(t, " a=%s b=%s", held(a), held(b));
    gate_open(t);
    R("sync", cuStreamSynchronize(a));
    say(t, " ran=%d order=%d%d%d", get(&n), log[0], log[1], log[2]);
}
