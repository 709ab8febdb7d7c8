/* SPDX-License-Identifier: Apache-2.0
 *
 * What cases of conditional nodes share: kernels as nodes, conditional nodes, launches.
 */
#ifndef ORACLE_CONDITIONAL_CONDITIONALS_H
#define ORACLE_CONDITIONAL_CONDITIONALS_H

#include "../graphs.h"

enum {
    IF = CU_GRAPH_COND_TYPE_IF,
    WHILE = CU_GRAPH_COND_TYPE_WHILE,
    SWITCH = CU_GRAPH_COND_TYPE_SWITCH
};
#define ASSIGN CU_GRAPH_COND_ASSIGN_DEFAULT

#define CREATE_HANDLE(h, g, def, flags)                                                            \
    OK(cuGraphConditionalHandleCreate(&(h), g, t->ctx, def, flags))

void drop_exec(CUgraphExec x); /* which may be NULL */

/* Appends a decimal digit to *p: the word then tells what ran in which order. */
CUresult add_digit(T *t, CUgraphNode *n, CUgraph g, const CUgraphNode *deps, size_t nd,
                   CUdeviceptr p, unsigned d);
CUresult node_digit(T *t, CUgraphNode n, CUdeviceptr p, unsigned d);

/* Adds a kernel that sets *p to v. */
CUresult add_put(T *t, CUgraphNode *n, CUgraph g, const CUgraphNode *deps, size_t nd, CUdeviceptr p,
                 unsigned v);

/* Adds a kernel that sets the condition to a constant, to the word at p, or to whether the
 * word at p, which it counts down, is above zero. */
CUresult add_setcond(T *t, CUgraphNode *n, CUgraph g, const CUgraphNode *deps, size_t nd,
                     CUgraphConditionalHandle h, unsigned v);
CUresult add_setcond_from(T *t, CUgraphNode *n, CUgraph g, const CUgraphNode *deps, size_t nd,
                          CUgraphConditionalHandle h, CUdeviceptr p);
CUresult add_setcond_countdown(T *t, CUgraphNode *n, CUgraph g, const CUgraphNode *deps, size_t nd,
                               CUgraphConditionalHandle h, CUdeviceptr p);

CUresult add_memset(T *t, CUgraphNode *n, CUgraph g, const CUgraphNode *deps, size_t nd,
                    CUdeviceptr p, unsigned v, size_t w, size_t h, size_t pitch);

/* Returns parameters of a copy, which takes a host pointer where one is given. */
CUDA_MEMCPY3D linear_copy_params(void *hdst, CUdeviceptr ddst, const void *hsrc, CUdeviceptr dsrc,
                                 size_t bytes);
CUresult add_copy(T *t, CUgraphNode *n, CUgraph g, const CUgraphNode *deps, size_t nd, void *hdst,
                  CUdeviceptr ddst, const void *hsrc, CUdeviceptr dsrc, size_t bytes);

CUgraphNodeParams conditional_params(T *t, CUgraphConditionalHandle h, int type, unsigned size);

/* Adds a conditional node; its bodies go to body[0..size-1]. */
CUresult add_conditional(T *t, CUgraphNode *n, CUgraph g, const CUgraphNode *deps, size_t nd,
                         CUgraphConditionalHandle h, int type, unsigned size, CUgraph *body);

/* Launches and waits.  Returns 0, or 1 if a loop never ended, which is given up after five
 * seconds: the case must then return at once. */
int say_launch(T *t, const char *label, CUgraphExec x, CUstream s);
#define GO(label, x, s)                                                                            \
    do {                                                                                           \
        if (say_launch(t, label, x, s)) return;                                                    \
    } while (0)

/* The same with the word at p set to v before; says what p then holds. */
int say_run_from(T *t, const char *label, CUgraphExec x, CUstream s, CUdeviceptr p, unsigned v);
#define RUN_FROM(label, x, s, p, v)                                                                \
    do {                                                                                           \
        if (say_run_from(t, label, x, s, p, v)) return;                                            \
    } while (0)
#define RUN(label, x, s, p) RUN_FROM(label, x, s, p, 0)

void put_word(T *t, CUdeviceptr p, unsigned v);

/* A graph [set h to v ->] IF h { digit d } -> digit e, without the first where v < 0. */
typedef struct {
    CUgraph g, body;
    CUgraphNode set, cond, k, after;
    CUgraphConditionalHandle h;
} Simple;
CUresult build_simple(T *t, Simple *o, CUdeviceptr p, unsigned def, unsigned flags, int v,
                      unsigned d, unsigned e);

#endif
