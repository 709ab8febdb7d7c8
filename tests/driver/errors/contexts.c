/* SPDX-License-Identifier: Apache-2.0
 *
 * Contexts: what is refused, and what is left of a destroyed one.
 */
#include "context_state.h"

/* Nowhere to put the answer. */
CASE(err, ctx_null_out)
{
    R("current", cuCtxGetCurrent(NULL));
    R("device", cuCtxGetDevice(NULL));
    R("flags", cuCtxGetFlags(NULL));
    R("create", cuCtxCreate(NULL, NULL, 0, t->dev));
    R("retain", cuDevicePrimaryCtxRetain(NULL, t->dev));
}
/* Popping with no interest in what was popped. */
CASE(err, ctx_pop_null_out)
{
    R("pop", cuCtxPopCurrent(NULL));
    say_current(t, "top", t->ctx, NULL);
}

struct other {
    CUcontext b;
    int step;
    CUresult set, sync, alloc, query, stream, cur;
    int same;
};
static void *other_main(void *arg)
{
    struct other *x = arg;
    CUdeviceptr p = 0;
    CUstream s = NULL;
    CUcontext c = NULL;
    x->set = cuCtxSetCurrent(x->b);
    set(&x->step, 1);
    await_int(&x->step, 2, 5000);
    x->cur = cuCtxGetCurrent(&c);
    x->same = c == x->b;
    x->sync = cuCtxSynchronize();
    x->query = cuStreamQuery(NULL);
    x->alloc = cuMemAlloc(&p, 64);
    x->stream = cuStreamCreate(&s, 0);
    return NULL;
}
/* A context destroyed while it is current to another thread. */
CASE(err, ctx_destroyed_elsewhere)
{
    static struct other x;
    CUcontext c = NULL;
    pthread_t th;
    OK(cuCtxCreate(&x.b, NULL, 0, t->dev));
    OK(cuCtxPopCurrent(&c));
    pthread_create(&th, NULL, other_main, &x);
    await_int(&x.step, 1, 5000);
    R("destroy", cuCtxDestroy(x.b));
    set(&x.step, 2);
    pthread_join(th, NULL);
    say(t, " set=%s current=%s/%d sync=%s", ename(x.set), ename(x.cur), x.same, ename(x.sync));
    say(t, " query=%s alloc=%s stream=%s", ename(x.query), ename(x.alloc), ename(x.stream));
}

/* The primary context released for the last time while it is current. */
CASE_RAW(err, primary_released_current)
{
    CUcontext a = NULL, b = NULL, c = NULL;
    CUdeviceptr p = 0;
    CUstream s = NULL;
    OK(cuInit(0));
    OK(cuDevicePrimaryCtxRetain(&a, 0));
    OK(cuCtxSetCurrent(a));
    OK(cuMemAlloc(&p, 64));
    R("release", cuDevicePrimaryCtxRelease(0));
    say_primary_state(t, "state");
    R("current", cuCtxGetCurrent(&c));
    say(t, ":%s", c == a ? "same" : c ? "other" : "null");
    R("sync", cuCtxSynchronize());
    R("query", cuStreamQuery(NULL));
    R("alloc", cuMemAlloc(&p, 64));
    R("stream", cuStreamCreate(&s, 0));
    R("set_again", cuCtxSetCurrent(a));
    R("retain", cuDevicePrimaryCtxRetain(&b, 0));
    say(t, " same=%d", a == b);
    R("alloc", cuMemAlloc(&p, 64));
    R("set", cuCtxSetCurrent(b));
    R("alloc", cuMemAlloc(&p, 64));
}
/* Reset of the primary context while it is retained and current. */
CASE_RAW(err, primary_reset)
{
    CUcontext a = NULL, b = NULL, c = NULL;
    CUdeviceptr p = 0, q = 0;
    OK(cuInit(0));
    OK(cuDevicePrimaryCtxRetain(&a, 0));
    OK(cuCtxSetCurrent(a));
    OK(cuMemAlloc(&p, 64));
    R("reset", cuDevicePrimaryCtxReset(0));
    say_primary_state(t, "state");
    R("current", cuCtxGetCurrent(&c));
    say(t, ":%s", c == a ? "same" : c ? "other" : "null");
    R("sync", cuCtxSynchronize());
    R("alloc", cuMemAlloc(&q, 64));
    R("retain", cuDevicePrimaryCtxRetain(&b, 0));
    say(t, " same=%d", a == b);
    say_primary_state(t, "state");
    R("set", cuCtxSetCurrent(b));
    R("alloc", cuMemAlloc(&q, 64));
    R("release", cuDevicePrimaryCtxRelease(0));
    say_primary_state(t, "state");
    R("release", cuDevicePrimaryCtxRelease(0));
    say_primary_state(t, "state");
}
