/* SPDX-License-Identifier: Apache-2.0
 *
 * Work for streams: kernels that ran before, a gate that opens by itself, and what a
 * stream answers while it is held.
 */
#ifndef ORACLE_STREAMS_H
#define ORACLE_STREAMS_H

#include "oracle.h"

/* ---- Kernels --------------------------------------------------------------- */

/* A kernel that has run once already: lazy loading cannot stall behind a gate. */
static inline CUfunction warm(T *t, const char *name)
{
    CUfunction f = kernel(t, name);
    CUdeviceptr p = dalloc(t, 64), q = p + 32;
    unsigned one = 1;
    void *args[] = { &p, strcmp(name, "copy1") ? (void *)&one : (void *)&q, &one };
    launch1(f, NULL, args);
    cuCtxSynchronize();
    return f;
}

/* Launch the kernels of these names:  *p = v,  *p += 1,  *p = *p * m + k,  *d = *q. */
static inline CUresult put(CUfunction f, CUstream s, CUdeviceptr p, unsigned v)
{
    void *a[] = { &p, &v };
    return launch1(f, s, a);
}
static inline CUresult inc(CUfunction f, CUstream s, CUdeviceptr p)
{
    return launch1(f, s, (void *[]){ &p });
}
static inline CUresult mad(CUfunction f, CUstream s, CUdeviceptr p, unsigned m, unsigned k)
{
    void *a[] = { &p, &m, &k };
    return launch1(f, s, a);
}
static inline CUresult copy1(CUfunction f, CUstream s, CUdeviceptr d, CUdeviceptr q)
{
    void *a[] = { &d, &q };
    return launch1(f, s, a);
}

/* ---- Gates ----------------------------------------------------------------- */

static inline void *open_after_all(void *p)
{
    for (;;) {
        msleep(8000);
        gate_open(p);
    }
    return NULL;
}

/* Closes the gate; should a call block behind it for good, it opens by itself. */
static inline void shut(T *t)
{
    static int on;
    pthread_t th;
    gate_close(t);
    if (!on++ && !pthread_create(&th, NULL, open_after_all, t)) pthread_detach(th);
}

/* Opens the gate after a while from another thread, so that a call which blocks on the
 * gated stream returns; opened() tells whether it had to. */
typedef struct {
    T *t;
    int ms, open;
    pthread_t th;
} Later;
static inline void *later_main(void *p)
{
    Later *o = p;
    msleep(o->ms);
    __atomic_store_n(&o->open, 1, __ATOMIC_SEQ_CST);
    gate_open(o->t);
    return NULL;
}
static inline void open_later(Later *o, T *t, int ms)
{
    o->t = t;
    o->ms = ms;
    o->open = 0;
    pthread_create(&o->th, NULL, later_main, o);
}
static inline int opened(Later *o)
{
    return __atomic_load_n(&o->open, __ATOMIC_SEQ_CST);
}
static inline void open_join(Later *o)
{
    pthread_join(o->th, NULL);
}

/* ---- Answers --------------------------------------------------------------- */

/* What the stream answers once it stops being NOT_READY, or after ms of that. */
static inline const char *within(CUstream s, int ms)
{
    CUresult r;
    while ((r = cuStreamQuery(s)) == CUDA_ERROR_NOT_READY && ms-- > 0) msleep(1);
    return ename(r);
}
#define held(s) within(s, 30)   /* expected to be NOT_READY still */
#define done(s) within(s, 3000) /* expected to drain */

/* ---- Numbers that threads share --------------------------------------------- */

static inline int get(int *p)
{
    return __atomic_load_n(p, __ATOMIC_SEQ_CST);
}
static inline void set(int *p, int v)
{
    __atomic_store_n(p, v, __ATOMIC_SEQ_CST);
}

/* Waits for *p to be v or more; 0 when it is not after ms. */
static inline int await_int(int *p, int v, int ms)
{
    while (get(p) < v && ms-- > 0) msleep(1);
    return get(p) >= v;
}

/* A host function that counts its calls. */
static inline void CUDA_CB count(void *p)
{
    __atomic_fetch_add((int *)p, 1, __ATOMIC_SEQ_CST);
}

#endif
