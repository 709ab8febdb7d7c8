/* SPDX-License-Identifier: Apache-2.0
 *
 * Capture modes: which calls they refuse, and what a refusal breaks.
 */
#include "modes.h"

/* A call against each mode, from the capturing thread and from another; the
 * last three with the calling thread's own mode changed around it. */
static void say_table(T *t, Action a)
{
    say_column(t, "global.self", NONBLOCKING, GLOBAL, 0, -1, a);
    say_column(t, "local.self", NONBLOCKING, THREAD_LOCAL, 0, -1, a);
    say_column(t, "relaxed.self", NONBLOCKING, RELAXED, 0, -1, a);
    say_column(t, "global.other", NONBLOCKING, GLOBAL, 1, -1, a);
    say_column(t, "local.other", NONBLOCKING, THREAD_LOCAL, 1, -1, a);
    say_column(t, "relaxed.other", NONBLOCKING, RELAXED, 1, -1, a);
    say_column(t, "global.self@relaxed", NONBLOCKING, GLOBAL, 0, RELAXED, a);
    say_column(t, "local.self@local", NONBLOCKING, THREAD_LOCAL, 0, THREAD_LOCAL, a);
    say_column(t, "global.other@local", NONBLOCKING, GLOBAL, 1, THREAD_LOCAL, a);
    say_column(t, "global.other@relaxed", NONBLOCKING, GLOBAL, 1, RELAXED, a);
}
#define UNSAFE(n, ...)                                                                             \
    ACT(n, __VA_ARGS__)                                                                            \
    CASE(capmode, n)                                                                               \
    {                                                                                              \
        say_table(t, act_##n);                                                                     \
    }

static void CUDA_CB noop_cb(CUstream s, CUresult r, void *v)
{
    (void)s;
    (void)r;
    (void)v;
}

/* memory */
UNSAFE(mem_alloc, CUdeviceptr d = 0; return cuMemAlloc(&d, 4096);)

UNSAFE(host_alloc, void *h = NULL; return cuMemHostAlloc(&h, 4096, 0);)
UNSAFE(host_free, return cuMemFreeHost(e->h);)
UNSAFE(host_register, return cuMemHostRegister(e->page, 4096, 0);)
UNSAFE(mem_get_info, size_t a = 0, b = 0; return cuMemGetInfo(&a, &b);)
UNSAFE(address_reserve, CUdeviceptr d = 0; return cuMemAddressReserve(&d, 2u << 20, 0, 0, 0);)

UNSAFE(memcpy_dtoh, return cuMemcpyDtoH(e->page, e->q, 64);)

UNSAFE(alloc_async_other, CUdeviceptr d = 0; return cuMemAllocAsync(&d, 4096, e->o);)

/* waiting and asking */

UNSAFE(stream_query_captured, return cuStreamQuery(e->s);)

UNSAFE(stream_sync_other, return cuStreamSynchronize(e->o);)

UNSAFE(event_query_other, return cuEventQuery(e->eo);)
UNSAFE(event_query_unrecorded, return cuEventQuery(e->eu);)
UNSAFE(event_sync_captured, return cuEventSynchronize(e->ec);)
UNSAFE(event_sync_other, return cuEventSynchronize(e->eo);)

UNSAFE(event_elapsed_other, float ms = 0; return cuEventElapsedTime(&ms, e->eo, e->eo);)

/* making and destroying */

UNSAFE(event_destroy_other, return cuEventDestroy(e->eo);)

UNSAFE(stream_destroy_other, return cuStreamDestroy(e->o);)
UNSAFE(module_load, CUmodule m = NULL; return cuModuleLoadData(&m, tiny_ptx);)

UNSAFE(module_get_global, CUdeviceptr d = 0; size_t z = 0;
       return cuModuleGetGlobal(&d, &z, e->m, "word");)

UNSAFE(occupancy, int n = 0; return cuOccupancyMaxActiveBlocksPerMultiprocessor(&n, e->f, 64, 0);)
UNSAFE(ctx_set_limit, static size_t k; (void)e;
       return cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 2048 + 256 * ++k);)

/* graphs elsewhere */
UNSAFE(graph_instantiate, CUgraphExec x = NULL; return cuGraphInstantiate(&x, e->g, 0);)
UNSAFE(graph_launch_other, return cuGraphLaunch(e->x, e->o);)
UNSAFE(graph_upload_other, return cuGraphUpload(e->x, e->o);)
UNSAFE(graph_upload_captured, return cuGraphUpload(e->x, e->s);)
UNSAFE(graph_exec_update, CUgraphExecUpdateResultInfo i; memset(&i, 0, sizeof i);
       return cuGraphExecUpdate(e->x, e->g, &i);)
UNSAFE(graph_exec_destroy, return cuGraphExecDestroy(e->x);)

/* streams */
UNSAFE(submit_captured, return cuMemsetD32Async(e->p, 66, 1, e->s);)

UNSAFE(record_other, return cuEventRecord(e->eo, e->o);)
UNSAFE(begin_captured, return cuStreamBeginCapture(e->s, RELAXED);)
UNSAFE(callback_captured, return cuStreamAddCallback(e->s, noop_cb, NULL, 0);)

UNSAFE(ctx_wait_event, return cuCtxWaitEvent(e->t->ctx, e->eo);)
UNSAFE(ctx_wait_captured, return cuCtxWaitEvent(e->t->ctx, e->ec);)

/* A function not used before, of a module loaded before: its first launch,
 * captured and elsewhere. */
static CUresult first_launch(Setting *e, CUstream s)
{
    CUfunction f = NULL;
    CUresult r = cuModuleGetFunction(&f, e->m, "tiny");
    return r ? r : launch1(f, s, NULL);
}
UNSAFE(first_launch_captured, return first_launch(e, e->s);)

/* The capturing stream itself is destroyed; does the capture still bind its
 * thread? */
static void destroy_captured(T *t, CUstreamCaptureMode m)
{
    CUstream s = create_stream(t, NONBLOCKING);
    CUdeviceptr d = dalloc(t, 64);
    OK(cuStreamBeginCapture(s, m));
    OK(capture_mark(d, 'A', s));
    CUresult r = cuStreamDestroy(s);
    say(t, " destroy=%s", ename(r));
    if (r) {
        say_status(t, "s", s);
        say_topology(t, capture_end(t, s));
    }
    R("alloc", cuMemAlloc(&d, 64));
    R("sync", cuCtxSynchronize());
}
CASE(capmode, stream_destroy_global)
{
    destroy_captured(t, GLOBAL);
}

CASE(capmode, stream_destroy_relaxed)
{
    destroy_captured(t, RELAXED);
}
