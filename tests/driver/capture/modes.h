/* SPDX-License-Identifier: Apache-2.0
 *
 * One call during captures of each mode, in the capturing thread and in another.
 */
#ifndef ORACLE_CAPTURE_MODES_H
#define ORACLE_CAPTURE_MODES_H

#include "captures.h"

extern const char tiny_ptx[]; /* a kernel without work, and a word */

/* All that a call under test may need, made before the capture begins. */
typedef struct Setting {
    T *t;
    CUstream s;          /* captures: one node, then ec recorded */
    CUstream o;          /* another stream, non-blocking and idle */
    CUevent ec, eo, eu;  /* recorded in s captured, in o complete, never */
    CUdeviceptr p, q, a; /* p in use by the capture, q spare, a from the pool */
    void *h, *page;      /* pinned, pageable */
    CUgraph g;
    CUgraphExec x;
    CUfunction f;
    CUmodule m; /* a module of its own */
} Setting;
typedef CUresult (*Action)(Setting *);

/* Makes the call `a` during a capture, in another thread if `other`, with the calling thread's
 * own mode changed to `swap` around it unless that is -1.  Says: result of the call, state of
 * the capture after it, result of the end, nodes in the graph. */
void say_column(T *t, const char *name, unsigned flags, CUstreamCaptureMode mode, int other,
                int swap, Action a);

/* A call by name, act_NAME(). */
#define ACT(n, ...)                                                                                \
    static CUresult act_##n(Setting *e)                                                            \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

const char *mode_name(CUstreamCaptureMode m);

#endif
