/* SPDX-License-Identifier: Apache-2.0
 *
 * Graphs: large ones, and several threads.
 */
#include "graph_shapes.h"

/* A chain of 100000 empty nodes: counts and ends. */
CASE(graph, large_chain)
{
    enum { N = 100000 };
    CUgraph g;
    CUgraphNode *n = calloc(N, sizeof *n), *v = calloc(N, sizeof *v), d = NULL;
    size_t c = N, i = 9, o = 9;
    risky();
    G0(g);
    for (int k = 0; k < N; k++) OK(cuGraphAddEmptyNode(&n[k], g, k ? &n[k - 1] : NULL, k > 0));
    say_counts(t, "c", g);
    R("nodes", cuGraphGetNodes(g, v, &c));
    say(t, " n=%zu", c);
    OK(cuGraphNodeGetDependencies(n[N - 1], NULL, NULL, &i));
    OK(cuGraphNodeGetDependentNodes(n[N - 1], NULL, NULL, &o));
    say(t, " last=%zu/%zu", i, o);
    i = 1;
    OK(cuGraphNodeGetDependencies(n[N / 2], &d, NULL, &i));
    say(t, " mid=%d", d == n[N / 2 - 1]);
    R("cut", cuGraphDestroyNode(n[N / 2]));
    say_counts(t, "c", g);
    R("destroy", cuGraphDestroy(g));
}

/* A chain of 20000 empty nodes cloned, instantiated and run. */
CASE(graph, large_chain_run)
{
    enum { N = 20000 };
    CUgraph g, c = NULL;
    CUgraphNode *n = calloc(N, sizeof *n);
    risky();
    G0(g);
    for (int k = 0; k < N; k++) OK(cuGraphAddEmptyNode(&n[k], g, k ? &n[k - 1] : NULL, k > 0));
    R("clone", cuGraphClone(&c, g));
    if (c) say_counts(t, "c", c);
    R("run", run_once(g));
    R("destroy", cuGraphDestroy(g));
}

/* One root, 5000 children, one join; then the root goes. */
CASE(graph, large_fan)
{
    enum { N = 5000 };
    CUgraph g;
    CUgraphNode root, join = NULL, *n = calloc(N, sizeof *n);
    size_t i = 9, o = 9;
    risky();
    G0(g);
    ADD_ROOT(root, g);
    for (int k = 0; k < N; k++) OK(cuGraphAddEmptyNode(&n[k], g, &root, 1));
    R("join", cuGraphAddEmptyNode(&join, g, n, N));
    say_counts(t, "c", g);
    OK(cuGraphNodeGetDependencies(join, NULL, NULL, &i));
    OK(cuGraphNodeGetDependentNodes(root, NULL, NULL, &o));
    say(t, " in=%zu out=%zu", i, o);
    R("run", run_once(g));
    R("destroy_root", cuGraphDestroyNode(root));
    say_counts(t, "c", g);
}

static void build_one(void *arg)
{
    CUgraph g = NULL;
    CUgraphNode n, last = NULL;
    CUresult r = cuGraphCreate(&g, 0);
    for (int i = 0; !r && i < 500; i++) {
        r = cuGraphAddEmptyNode(&n, g, last ? &last : NULL, last != NULL);
        last = n;
    }
    size_t e = 0;
    if (!r) r = cuGraphGetEdges(g, NULL, NULL, NULL, &e);
    if (!r) r = run_once(g);
    if (!r && e != 499) r = CUDA_ERROR_UNKNOWN;
    ((Reply *)arg)->r = r;
    ((Reply *)arg)->p = g;
}

typedef struct {
    T *t;
    Reply rep;
} Worker;
static void *worker(void *p)
{
    Worker *w = p;
    cuCtxSetCurrent(w->t->ctx);
    build_one(&w->rep);
    return NULL;
}

/* Four threads building separate graphs; the main thread reads them after. */
CASE(graph, threads_separate)
{
    Worker w[4];
    pthread_t th[4];
    for (int i = 0; i < 4; i++) {
        w[i] = (Worker){ t, { CUDA_ERROR_UNKNOWN, NULL } };
        pthread_create(&th[i], NULL, worker, &w[i]);
    }
    for (int i = 0; i < 4; i++) pthread_join(th[i], NULL);
    for (int i = 0; i < 4; i++) {
        say(t, " r=%s", ename(w[i].rep.r));
        if (w[i].rep.p) say_counts(t, "c", w[i].rep.p);
    }
}
