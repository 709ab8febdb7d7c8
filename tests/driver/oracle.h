/* SPDX-License-Identifier: Apache-2.0
 *
 * A semantic oracle for the CUDA driver API: each case drives the driver through one
 * question and prints what it observed, one line a case.  The same program runs
 * over a real libcuda.so.1 and over any stand-in with the driver's ABI; where the
 * lines differ, the stand-in is wrong.
 */
#ifndef ORACLE_H
#define ORACLE_H

#include <cuda.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* What a case has: its device and context, and the line that it has said so far. */
typedef struct T {
    char out[16384];
    size_t len;
    CUdevice dev;
    CUcontext ctx;
    CUmodule mod;                 /* kernels.ptx, loaded on first use                */
    CUmodule condmod;             /* the image with setcond(), loaded on first use   */
    volatile uint32_t *gate_host; /* pinned, mapped word that gate() waits on        */
    CUdeviceptr gate_dev;
} T;

typedef void (*case_fn)(T *);

typedef struct Case {
    const char *name;
    case_fn fn;
    int noinit;
    struct Case *next;
} Case;

void oracle_register(Case *c);

/* CASE(group, name): a case that starts with cuInit done, device 0's primary
 * context current.  CASE_RAW: nothing done, the case calls cuInit itself. */
#define CASE_(g, n, raw)                                                                           \
    static void g##_##n(T *t);                                                                     \
    static Case g##_##n##_case = { #g "." #n, g##_##n, raw, 0 };                                   \
    __attribute__((constructor)) static void g##_##n##_reg(void)                                   \
    {                                                                                              \
        oracle_register(&g##_##n##_case);                                                          \
    }                                                                                              \
    static void g##_##n(T *t)
#define CASE(g, n) CASE_(g, n, 0)
#define CASE_RAW(g, n) CASE_(g, n, 1)

/* ---- What a case says ---------------------------------------------------- */

/* Records an observation.  Every token is to be deterministic: no addresses, no
 * times, no ids; comparisons (same/differ, <, counts) instead. */
void say(T *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
const char *ename(CUresult r);         /* "SUCCESS", "INVALID_VALUE", ... */
const char *ntype(CUgraphNodeType ty); /* "KERNEL", "MEMCPY", ...         */

/* R: calls and records the result by name.  OK: a call that must succeed as set-up;
 * if it does not, the case ends with a SETUP line. */
#define R(label, expr)                                                                             \
    do {                                                                                           \
        CUresult r_ = (expr);                                                                      \
        say(t, " %s=%s", label, ename(r_));                                                        \
    } while (0)
#define OK(expr)                                                                                   \
    do {                                                                                           \
        CUresult r_ = (expr);                                                                      \
        if (r_ != CUDA_SUCCESS) {                                                                  \
            say(t, " SETUP:%s=%s", #expr, ename(r_));                                              \
            return;                                                                                \
        }                                                                                          \
    } while (0)

/* Ends the process of the case, with what it said so far and a SETUP line. */
_Noreturn void die(T *t, const char *what, CUresult r);

/* Nodes by type and numbers of dependencies and dependents, sorted; and how many
 * nodes, edges and roots there are: a summary without addresses. */
void say_shape(T *t, CUgraph g);

CUgraph capture_end(T *t, CUstream s); /* cuStreamEndCapture, records the result */

/* ---- What a case works with ---------------------------------------------- */

CUfunction kernel(T *t, const char *name);               /* from kernels.ptx           */
CUfunction cond_kernel(T *t, const char *name);          /* from the conditional image */
CUresult launch1(CUfunction f, CUstream s, void **args); /* 1 block, 1 thread          */
CUresult gate(T *t, CUstream s); /* stream s blocks here until gate_open() */
void gate_open(T *t);
void gate_close(T *t);
CUdeviceptr dalloc(T *t, size_t n);  /* zeroed device memory    */
uint32_t dread(T *t, CUdeviceptr p); /* synchronous 4-byte read */
void msleep(int ms);

/* What a thread hands back. */
typedef struct Reply {
    CUresult r;
    void *p;
} Reply;

/* Runs fn(arg) on another thread, with the case's context current, and joins it. */
void on_thread(T *t, void (*fn)(void *), void *arg);

#endif
