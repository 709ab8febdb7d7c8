/* SPDX-License-Identifier: Apache-2.0
 *
 * Graphs and their executables: nodes of a few kinds, launches that are waited for, and
 * what a call left in its out-parameters.
 */
#ifndef ORACLE_GRAPHS_H
#define ORACLE_GRAPHS_H

#include "oracle.h"

/* Out-parameters start as these, so that "untouched" can be told from null. */
#define SENT_X ((CUgraphExec)(uintptr_t)0x5a5a)
#define SENT_N ((CUgraphNode)(uintptr_t)0x5a5a)
#define SENT_G ((CUgraph)(uintptr_t)0x5a5a)

#define G0(g) OK(cuGraphCreate(&(g), 0))
#define S0(s) OK(cuStreamCreate(&(s), CU_STREAM_NON_BLOCKING))
#define INST(x, g) OK(cuGraphInstantiate(&(x), g, 0))
#define LOAD(v) __atomic_load_n(&(v), __ATOMIC_SEQ_CST)
#define STORE(v, x) __atomic_store_n(&(v), x, __ATOMIC_SEQ_CST)
#define COUNT(a) (sizeof(a) / sizeof *(a))

/* A case that may hang in a call ends after eight seconds. */
static inline void risky(void)
{
    alarm(8);
}

/* ---- What a call left ------------------------------------------------------- */

static inline const char *nstate(CUgraphNode n)
{
    return n == SENT_N ? "untouched" : n ? "set" : "null";
}
static inline const char *gstate(CUgraph g)
{
    return g == SENT_G ? "untouched" : g ? "set" : "null";
}
static inline const char *xstate(CUgraphExec x)
{
    return x == SENT_X ? "untouched" : x ? "set" : "null";
}

/* A node as a letter of a known list, - for null, ! for untouched, ? else. */
static inline char which(CUgraphNode n, const CUgraphNode *known, int nk)
{
    if (!n) return '-';
    if (n == SENT_N) return '!';
    for (int i = 0; i < nk; i++)
        if (known[i] == n) return (char)('A' + i);
    return '?';
}

static inline const char *iname(CUgraphInstantiateResult r)
{
    static const char *const n[] = { "SUCCESS",          "ERROR",         "INVALID_STRUCTURE",
                                     "OP_NOT_SUPPORTED", "MULTIPLE_CTXS", "HANDLE_UNUSED" };
    return (int)r == 77 ? "untouched" : (unsigned)r < COUNT(n) ? n[(unsigned)r] : "?";
}

static inline const char *uname_(CUgraphExecUpdateResult r)
{
    static const char *const n[] = { "SUCCESS",       "ERROR",
                                     "TOPOLOGY",      "NODE_TYPE",
                                     "FUNCTION",      "PARAMETERS",
                                     "NOT_SUPPORTED", "UNSUPPORTED_FUNCTION",
                                     "ATTRIBUTES" };
    return (int)r == 77 ? "untouched" : (unsigned)r < COUNT(n) ? n[(unsigned)r] : "?";
}

/* Instantiates with params: result, result_out, error node. */
static inline CUgraphExec inst_say(T *t, const char *label, CUgraph g, cuuint64_t flags,
                                   CUstream up, const CUgraphNode *known, int nk)
{
    CUgraphExec x = SENT_X;
    CUDA_GRAPH_INSTANTIATE_PARAMS p = { .flags = flags,
                                        .hUploadStream = up,
                                        .hErrNode_out = SENT_N,
                                        .result_out = (CUgraphInstantiateResult)77 };
    CUresult r = cuGraphInstantiateWithParams(&x, g, &p);
    say(t, " %s=%s:%s:%c", label, ename(r), iname(p.result_out), which(p.hErrNode_out, known, nk));
    if (r) say(t, ":%s", xstate(x));
    return r ? NULL : x;
}

/* Updates x from g: call result, result code, error node and its from-node. */
static inline CUresult update_say(T *t, const char *label, CUgraphExec x, CUgraph g,
                                  const CUgraphNode *known, int nk)
{
    CUgraphExecUpdateResultInfo i = { .result = (CUgraphExecUpdateResult)77,
                                      .errorNode = SENT_N,
                                      .errorFromNode = SENT_N };
    CUresult r = cuGraphExecUpdate(x, g, &i);
    say(t, " %s=%s:%s:%c%c", label, ename(r), uname_(i.result), which(i.errorNode, known, nk),
        which(i.errorFromNode, known, nk));
    return r;
}

static inline size_t nnodes(CUgraph g)
{
    size_t n = 999;
    cuGraphGetNodes(g, NULL, &n);
    return n;
}

/* ---- Nodes ------------------------------------------------------------------ */

static inline CUDA_KERNEL_NODE_PARAMS kparams(CUfunction f, unsigned grid, unsigned block,
                                              void **args)
{
    return (CUDA_KERNEL_NODE_PARAMS){ .func = f,
                                      .gridDimX = grid,
                                      .gridDimY = 1,
                                      .gridDimZ = 1,
                                      .blockDimX = block,
                                      .blockDimY = 1,
                                      .blockDimZ = 1,
                                      .kernelParams = args };
}
static inline CUresult add_kernel(CUgraphNode *n, CUgraph g, const CUgraphNode *deps, size_t nd,
                                  CUfunction f, void **args)
{
    CUDA_KERNEL_NODE_PARAMS k = kparams(f, 1, 1, args);
    CUgraphNode out = NULL; /* n may be among deps */
    CUresult r = cuGraphAddKernelNode(&out, g, deps, nd, &k);
    *n = out;
    return r;
}

/* *p = *p * m + a as a new node, as new parameters in an executable, and as new
 * parameters of a graph's node. */
static inline CUresult add_ma(T *t, CUgraphNode *n, CUgraph g, const CUgraphNode *deps, size_t nd,
                              CUdeviceptr p, unsigned m, unsigned a)
{
    void *args[] = { &p, &m, &a };
    return add_kernel(n, g, deps, nd, kernel(t, "mul_add"), args);
}
static inline CUresult exec_ma(T *t, CUgraphExec x, CUgraphNode n, CUdeviceptr p, unsigned m,
                               unsigned a)
{
    void *args[] = { &p, &m, &a };
    CUDA_KERNEL_NODE_PARAMS k = kparams(kernel(t, "mul_add"), 1, 1, args);
    return cuGraphExecKernelNodeSetParams(x, n, &k);
}
static inline CUresult node_ma(T *t, CUgraphNode n, CUdeviceptr p, unsigned m, unsigned a)
{
    void *args[] = { &p, &m, &a };
    CUDA_KERNEL_NODE_PARAMS k = kparams(kernel(t, "mul_add"), 1, 1, args);
    return cuGraphKernelNodeSetParams(n, &k);
}

static inline CUDA_MEMSET_NODE_PARAMS mset(CUdeviceptr p, unsigned v, unsigned el, size_t w,
                                           size_t h, size_t pitch)
{
    return (CUDA_MEMSET_NODE_PARAMS){
        .dst = p, .pitch = pitch, .value = v, .elementSize = el, .width = w, .height = h
    };
}
static inline CUresult add_set(T *t, CUgraphNode *n, CUgraph g, const CUgraphNode *deps, size_t nd,
                               CUdeviceptr p, unsigned v, size_t words)
{
    CUDA_MEMSET_NODE_PARAMS m = mset(p, v, 4, words, 1, 0);
    return cuGraphAddMemsetNode(n, g, deps, nd, &m, t->ctx);
}

static inline CUresult add_host(CUgraphNode *n, CUgraph g, const CUgraphNode *deps, size_t nd,
                                CUhostFn fn, void *data)
{
    CUDA_HOST_NODE_PARAMS h = { .fn = fn, .userData = data };
    return cuGraphAddHostNode(n, g, deps, nd, &h);
}

/* ---- Operations on values ------------------------------------------------------ */

static inline CUstreamBatchMemOpParams write_op(CUdeviceptr p, unsigned v)
{
    CUstreamBatchMemOpParams o;
    memset(&o, 0, sizeof o);
    o.writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
    o.writeValue.address = p;
    o.writeValue.value = v;
    return o;
}
static inline CUstreamBatchMemOpParams wait_op(CUdeviceptr p, unsigned v, unsigned flags)
{
    CUstreamBatchMemOpParams o;
    memset(&o, 0, sizeof o);
    o.waitValue.operation = CU_STREAM_MEM_OP_WAIT_VALUE_32;
    o.waitValue.address = p;
    o.waitValue.value = v;
    o.waitValue.flags = flags;
    return o;
}

/* A page of zeroed pinned, mapped memory. */
static inline volatile uint32_t *pin(T *t, CUdeviceptr *d)
{
    void *p = NULL;
    *d = 0;
    CUresult r = cuMemHostAlloc(&p, 4096, CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_PORTABLE);
    if (!r) memset(p, 0, 4096);
    if (!r) r = cuMemHostGetDevicePointer(d, p, 0);
    if (r) say(t, " SETUP:pin=%s", ename(r));
    return r ? NULL : p;
}
#define PIN(h, d)                                                                                  \
    do {                                                                                           \
        h = pin(t, &(d));                                                                          \
        if (!h) return;                                                                            \
    } while (0)

/* ---- Launches ---------------------------------------------------------------- */

/* Launches and waits; the first error of the two. */
static inline CUresult go(CUgraphExec x, CUstream s)
{
    CUresult r = cuGraphLaunch(x, s), q = cuStreamSynchronize(s);
    return r ? r : q;
}

/* Polls until *p is v or more, at most ms milliseconds. */
static inline int until(int *p, int v, int ms)
{
    for (int i = 0; i <= ms; i++) {
        if (LOAD(*p) >= v) return 1;
        msleep(1);
    }
    return 0;
}

/* A host node that waits for open, but three seconds at most. */
typedef struct {
    int runs, done, open, expired;
} Hold;
static inline void CUDA_CB hold(void *p)
{
    Hold *h = p;
    __atomic_add_fetch(&h->runs, 1, __ATOMIC_SEQ_CST);
    if (!until(&h->open, 1, 3000)) STORE(h->expired, 1);
    __atomic_add_fetch(&h->done, 1, __ATOMIC_SEQ_CST);
}

/* Opens the gate after a second unless stopped before: a call that blocks on
 * the gate then comes back, and is known to have blocked. */
typedef struct {
    T *t;
    int stop, fired;
    pthread_t th;
} Opener;
static inline void *opener(void *p)
{
    Opener *o = p;
    if (!until(&o->stop, 1, 1000)) {
        STORE(o->fired, 1);
        gate_open(o->t);
    }
    return NULL;
}
static inline void opener_start(T *t, Opener *o)
{
    memset(o, 0, sizeof *o);
    o->t = t;
    pthread_create(&o->th, NULL, opener, o);
}
static inline int opener_stop(Opener *o)
{
    STORE(o->stop, 1);
    pthread_join(o->th, NULL);
    return o->fired;
}

#endif
